/** Ini files, with the lines of their sections and keys, which the parser drops. */
import { parse } from 'ini';
import { KaiactlError } from '../errors.js';
import { visible } from '../util/visible.js';

export interface IniSection {
  readonly name: string;
  readonly values: Readonly<Record<string, unknown>>;
  /** `nodes.ini:7 [en-1]`: the last line of a key, or of the section. */
  placeOf(key?: string): string;
}

/**
 * The sections in order, which keep dots and brackets in their names; those of one name are one. `hint` is that of an error.
 * @param once - the hint of a name that appears twice; without it, the last value of a key counts
 * @throws {KaiactlError} on a key outside a section, or a repeated name (exit 2)
 */
export function sectionsOf(file: string, text: string, hint: string, once?: string): IniSection[] {
  const start = (name: string) => ({ name, line: 0, lines: new Map<string, number>(), body: [] as string[] });
  const loose = start('');
  const sections = new Map<string, typeof loose>();
  let open = loose;
  for (const [at, line] of text.split('\n').entries()) {
    const written = line.trim();
    if (written === '' || /^[;#]/.test(written)) continue;
    const header = /^\[(.*)\]$/.exec(written)?.[1]?.trim();
    const key = written.split('=', 1)[0]?.trim() ?? '';
    const isKnown = header === undefined ? open.lines.has(key) && !key.endsWith('[]') : sections.has(header);
    if (isKnown && once !== undefined) {
      const what = header === undefined ? `${key} of [${open.name}]` : `[${header}]`;
      throw new KaiactlError(`${file}:${at + 1}: ${visible(what, 80)} appears twice`, { hint: once });
    }
    if (header !== undefined) {
      open = sections.get(header) ?? start(header);
      sections.set(header, Object.assign(open, { line: at + 1 }));
      continue;
    }
    const name = key.replace(/\[\]$/, '');
    if (open === loose)
      throw new KaiactlError(`${file}:${at + 1}: ${visible(name, 80)} is outside a section`, { hint });
    open.lines.set(name, at + 1);
    open.body.push(line);
  }
  return [...sections.values()].map(({ name, line, lines, body }) => ({
    name,
    values: parse(body.join('\n')),
    placeOf(key) {
      const at = key === undefined ? line : lines.get(key);
      return visible(`${file}${at === undefined ? '' : `:${at}`} [${name}]`);
    },
  }));
}
