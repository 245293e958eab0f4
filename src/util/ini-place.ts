/** `nodes.ini:7 [en-1]`: the last line of a key in its section of an ini file; with key null, of the section. */
export function iniPlace(file: string, text: string, section: string, key: string | null): string {
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
  return `${file}${found === 0 ? '' : `:${found}`} [${section}]`;
}
