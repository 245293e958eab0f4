/** Reads the files of EnvironmentFile as systemd does: its src/basic/env-file.c. */
import type { LineIndex } from '../text/line-index.js';
import { Placed } from '../text/placed.js';

interface Assignment {
  readonly name: string;
  readonly value: Placed;
}

/** A comment, a line without a name, or `NAME=` with its value: quoted parts, then unquoted text to the end of the line. */
const entry =
  /[ \t\r\n]*(?:[#;](?:\\[\s\S]|[^\\\n])*|([^=\n]*)=((?:[ \t\r]*(?:'[^']*'?|"(?:\\[\s\S]|[^\\"])*"?))*[ \t\r]*(?:\\[\s\S]|[^\\\n'"](?:\\[\s\S]|[^\\\n])*)?\\?)|[^=\n]+)/gy;

/** Parts of a value: a quoted text, an escaped character, or other characters. */
const part = /'([^']*)'?|"((?:\\[\s\S]|[^\\"])*)"?|[ \t\r]+|((?:\\[\s\S]|[^\\\n])+)/gy;

/** A value goes on after a backslash at the end of its line, and in quotes. A # in a value begins no comment. */
export function environmentFile(file: LineIndex): Assignment[] {
  return [...file.text.matchAll(entry)].flatMap(({ 0: all, 1: key, 2: value = '', index }) => {
    const name = key?.trim() ?? '';
    if (!/^[A-Za-z_]\w*$/.test(name)) return [];
    const start = index + all.length - value.length;
    return [{ name, value: unquote(Placed.at(file, start, start + value.length)) }];
  });
}

function unquote(text: Placed): Placed {
  const parts = [...text.text.matchAll(part)].map(({ 0: all, 1: single, 2: double, 3: plain, index }) => {
    if (single !== undefined) return text.slice(index + 1, index + 1 + single.length);
    if (double !== undefined)
      return text.slice(index + 1, index + 1 + double.length).replace(/\\(["\\`$]|\n)/g, unescaped);
    const own = text.slice(index, index + all.length);
    return plain === undefined ? own.as('') : own.trim().replace(/\\([\s\S]|$)/g, unescaped);
  });
  return parts.length === 0 ? text.as('') : Placed.join(parts);
}

function unescaped({ 1: char = '' }: RegExpExecArray, at: Placed): Placed {
  return char === '\n' ? at.as('') : at.slice(1);
}
