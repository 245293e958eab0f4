/** The words of a command: expanded, then split at unquoted blanks. */
import { type Piece, pieces } from './expand.js';
import type { Fields, Shell } from './state.js';
import type { Word } from './syntax/tree.js';
import { isUnknown, type Value } from './value.js';

/** Expands words as bash does for a command: quoted pieces are not split. */
export function expandFields(shell: Shell, words: readonly Word[]): Fields {
  const values: Value[] = [];
  const from: Word[] = [];
  let exact = true;
  for (const word of words) {
    const list = pieces(shell, word);
    if (braced(word)) exact = false;
    if (!splitInto(values, list, shell)) exact = false;
    while (from.length < values.length) {
      shell.steps.take();
      from.push(word);
    }
  }
  return { values, from, exact };
}

/** True for brace expansion: {a,b} or {1..3}. */
export function braced(word: Word): boolean {
  let shape = '';
  for (const part of word.parts) shape += part.kind === 'text' && !part.quoted ? part.text : '"';
  return listed(shape, shape.indexOf('{'));
}

/** True when nested quotes leave braces unquoted: "${X:-"{a,b}"}". */
export function bracedInside(text: string): boolean {
  const outer = text.indexOf('${');
  return outer >= 0 && listed(text, text.indexOf('{', outer + 2));
}

/** True with a comma or .. between the brace at `open` and the last closing brace. */
function listed(text: string, open: number): boolean {
  const inner = open < 0 ? '' : text.slice(open, Math.max(open, text.lastIndexOf('}')));
  return inner.includes(',') || inner.includes('..');
}

/** Adds a word's fields; false when their number or the result of a pattern is unknown. */
function splitInto(values: Value[], list: readonly Piece[], shell: Shell): boolean {
  const separators = shell.look('IFS');
  const fields = new Splitter(values);
  for (const { value, quoted } of list) {
    if (quoted) fields.append(value, false);
    else if (isUnknown(value)) {
      fields.exact = false;
      fields.append(value, false);
    } else {
      shell.steps.take(value.length / 16);
      const chunks = value.split(/[ \t\n]+/);
      for (const [index, chunk] of chunks.entries()) {
        if (index > 0) fields.end();
        if (chunk !== '') fields.append(chunk, true);
      }
    }
  }
  fields.end();
  const usual = separators === undefined || separators === ' \t\n';
  return fields.exact && usual;
}

/** Joins pieces into fields. */
class Splitter {
  exact = true;
  private readonly values: Value[];
  private current: Value | null = null;
  /** The part of the field that may be a file name pattern. */
  private pattern = '';

  constructor(values: Value[]) {
    this.values = values;
  }

  append(value: Value, mayMatch: boolean): void {
    const before: Value = this.current ?? '';
    this.current = isUnknown(before) ? before : isUnknown(value) ? value : before + value;
    if (mayMatch) this.pattern += value;
  }

  end(): void {
    if (this.current === null) return;
    if (mayMatchFiles(this.pattern)) this.exact = false;
    this.values.push(this.current);
    this.current = null;
    this.pattern = '';
  }
}

/** A star, a question mark, or brackets in that order. */
function mayMatchFiles(text: string): boolean {
  const open = text.indexOf('[');
  return /[*?]/.test(text) || (open >= 0 && text.lastIndexOf(']') > open);
}
