/** Splits a Dockerfile into instructions, with continued lines joined and here-documents. */
import { tryOr } from '../../../util/try-or.js';
import type { LineIndex } from '../text/line-index.js';
import { Placed } from '../text/placed.js';

export interface Instruction {
  /** In upper case. */
  readonly name: string;
  readonly rest: Placed;
  /** The bodies of its here-documents. */
  readonly documents: readonly Placed[];
}

const maxInstructions = 5_000;

/** The instructions in order. Other lines are ignored. */
export function instructionsOf(file: LineIndex): Instruction[] {
  const lines = Placed.at(file, file.text.startsWith('\uFEFF') ? 1 : 0).split(/\r?\n/);
  const mark = /^\s*#\s*escape\s*=\s*`/m.test(file.text.slice(0, 400)) ? '`' : '\\';
  const found: Instruction[] = [];
  for (let at = 0; at < lines.length && found.length < maxInstructions; at++) {
    const parts: Placed[] = [];
    for (; at < lines.length; at++) {
      const line = lines[at] as Placed;
      if (/^\s*#/.test(line.text) || line.text.trim() === '') continue;
      const trimmed = line.text.trimEnd();
      const continued = trimmed.endsWith(mark);
      parts.push(
        continued
          ? Placed.join([line.slice(0, trimmed.length - 1), line.slice(trimmed.length - 1).as(' ')])
          : line,
      );
      if (!continued) break;
    }
    const text = Placed.join(parts);
    const name = /^\s*([A-Za-z]+)(?:\s+|$)/.exec(text.text);
    if (name === null) continue;
    const rest = text.slice(name[0].length);
    const documents: Placed[] = [];
    for (const [, tabs = '', , delimiter = ''] of rest.text.matchAll(/<<(-?)(["']?)([A-Za-z_]\w*)\2/g)) {
      const start = at + 1;
      const same = (line: Placed) => (tabs === '' ? line.text : line.text.trimStart()) === delimiter;
      const end = lines.findIndex((line, index) => index >= start && same(line));
      if (end < 0) break;
      documents.push(Placed.join(lines.slice(start, end).flatMap((line) => [line, line.as('\n')])));
      at = end;
    }
    found.push({ name: (name[1] as string).toUpperCase(), rest, documents });
  }
  return found;
}

/** The words of the JSON form; null for the shell form. */
export function jsonWords(text: Placed): Placed[] | null {
  const trimmed = text.trim();
  if (!/^\[\s*(?:"(?:[^"\\]|\\.)*"\s*(?:,\s*"(?:[^"\\]|\\.)*"\s*)*)?\]$/.test(trimmed.text)) return null;
  return [...trimmed.text.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(({ 0: all, 1: inner = '', index }) => {
    const at = trimmed.slice(index + 1, index + all.length - 1);
    return inner.includes('\\') ? at.as(unescaped(all)) : at;
  });
}

function unescaped(quoted: string): string {
  return tryOr(() => String(JSON.parse(quoted)), quoted.slice(1, -1));
}
