/** Places in an ini file, which its parser does not keep. */
import { visible } from '../../util/visible.js';

export interface IniSource {
  readonly file: string;
  readonly text: string;
}

/** `nodes.ini:7 [en-1]`: where a key last stands in its section, or the section itself. */
export function iniPlace({ file, text }: IniSource, section: string, key: string | null): string {
  let inside = false;
  let found = 0;
  for (const [at, line] of text.split('\n').entries()) {
    const written = line.trim();
    const header = written.startsWith('[') && written.endsWith(']');
    if (header) inside = written.slice(1, -1).trim() === section;
    const name = written.split('=', 1)[0]?.trim().replace(/\[\]$/, '');
    const here = key === null ? header : name === key;
    if (inside && here) found = at + 1;
  }
  return `${file}${found === 0 ? '' : `:${found}`} [${visible(section, 60)}]`;
}
