/** The words of a command: expanded, then split at unquoted blanks. */
import type { Range } from '../text/line-index.js';
import { isKnown } from '../text/placed.js';
import { fileNames, ownFolder, unfilled } from '../text/placeholders.js';
import { bracedWords } from './braces.js';
import { pieces } from './expand.js';
import type { Fields, Shell } from './state.js';
import type { Word } from './syntax/tree.js';
import { type Element, isUnknown, type Piece, partOf, type Unknown, type Value } from './value.js';

/** Expands words as bash does for a command: quoted pieces are not split. */
export function expandFields(shell: Shell, words: readonly Word[]): Fields {
  const fields: Element[] = [];
  let exact = true;
  for (const word of words) {
    const each = shell.expandsBraces ? bracedWords(word, shell.steps) : [word];
    if (each === null) exact = false;
    for (const one of each ?? [word]) if (!splitInto(fields, one, pieces(shell, one), shell)) exact = false;
  }
  return { values: fields.map(({ value }) => value), from: fields.map(({ from }) => from), exact };
}

/** The words from the first one of these on, as elements of an array or arguments. */
export function elementsFrom({ values, from }: Fields, first = 0): Element[] {
  return values.slice(first).map((value, at) => ({ value, from: from[first + at] as Word }));
}

/** The arguments from the first one of these words on; null when their number is unknown. */
export function argumentsFrom(fields: Fields, first: number): Element[] | null {
  return fields.exact ? elementsFrom(fields, first) : null;
}

/** Whether nested quotes leave braces unquoted: "${X:-"{a,b}"}". */
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
function splitInto(into: Element[], word: Word, list: readonly Piece[], shell: Shell): boolean {
  const separators = shell.look('IFS') ?? usualSeparators;
  const fields = new Splitter(into, word, shell, isUnknown(separators) ? usualSeparators : separators);
  for (const { value, quoted, fields: own, at = null } of list) {
    if (own !== undefined) fields.appendAll(own, quoted);
    else if (quoted) fields.append(value, false);
    else fields.appendUnquoted(value, at);
  }
  fields.end();
  return fields.exact && separators === usualSeparators;
}

const usualSeparators = ' \t\n';

/** Joins pieces into fields. */
class Splitter {
  exact = true;
  private readonly fields: Element[];
  private readonly word: Word;
  private readonly shell: Shell;
  private readonly separator: RegExp;
  private current: Value | null = null;
  private from: Word | null = null;
  /** A value of the field that may become several words, and its expansion. */
  private more: { readonly value: Unknown; readonly at: Range | null } | null = null;
  /** The part of the field that may be a file name pattern. */
  private pattern = '';

  constructor(fields: Element[], word: Word, shell: Shell, separators: string) {
    this.separator = separators === '' ? /$^/ : new RegExp(`[${separators.replace(/[\]\\^-]/g, '\\$&')}]+`);
    this.fields = fields;
    this.word = word;
    this.shell = shell;
  }

  /** The elements of an array: the first joins the current field, each other one begins its own. */
  appendAll(elements: readonly Element[], quoted: boolean): void {
    // "${A[@]}" of no elements is no word.
    if (elements.length === 0 && this.current === '') this.current = null;
    for (const [index, { value, from }] of elements.entries()) {
      if (index > 0) this.end();
      this.from = this.current === null || this.current === '' ? from : null;
      if (quoted) this.append(value, false);
      else this.appendUnquoted(value);
    }
  }

  /** A value that is split at separators, and may be a pattern. The path of the script's own folder has no blanks. */
  appendUnquoted(value: Value, at: Range | null = null): void {
    const text = partOf(value);
    if (isUnknown(value) && value.oneWord !== true && text.includes(unfilled)) this.exact = false;
    if (isUnknown(value) && value.manyWords === true) this.more = { value, at };
    this.shell.steps.take(text.length / 16);
    for (const [index, chunk] of text.split(this.separator).entries()) {
      if (index > 0) this.end();
      if (chunk === '') continue;
      if (isUnknown(value) && !isKnown(chunk))
        this.append({ ...value, partly: chunk }, chunk.includes(ownFolder));
      else this.append(chunk, true);
    }
  }

  append(value: Value, mayMatch: boolean): void {
    const { current } = this;
    if (current === null) this.current = value;
    else if (!isUnknown(current) && !isUnknown(value)) this.current = current + value;
    else {
      const { unknown } = (isUnknown(current) ? current : value) as Unknown;
      this.current = { unknown, partly: partOf(current) + partOf(value) };
    }
    if (mayMatch) this.pattern += partOf(value);
  }

  end(): void {
    if (this.current === null) return;
    // No file has a name such as A=*.
    const isAssignment = /^[A-Za-z_]\w*(?:\[\w*\])?\+?=/.test(partOf(this.current));
    const mayMatch = mayMatchFiles(this.pattern) && !isAssignment && !this.shell.noglob;
    if (mayMatch) this.exact = false;
    this.shell.steps.take();
    const from = this.from ?? this.word;
    const before = partOf(this.fields.at(-1)?.value ?? '');
    // Of a flag of a node; the files of other commands are looked for.
    if (mayMatch && this.current === '*' && /^(?:--\w|-\w+\.)[\w.-]*$/.test(before))
      this.current += fileNames;
    const isOfFlag = partOf(this.current).startsWith('-') || isFlag(this.fields.at(-1));
    this.fields.push({ value: this.current, from });
    if (this.more !== null && isOfFlag) {
      const { value, at } = this.more;
      const part = at === null || from !== this.word ? from : { parts: [], start: at.start, end: at.end };
      this.fields.push({ value: { unknown: value.unknown }, from: part });
    }
    this.more = null;
    this.current = null;
    this.from = null;
    this.pattern = '';
  }
}

function isFlag(element: Element | undefined): boolean {
  return element !== undefined && partOf(element.value).startsWith('-');
}

/** A star, a question mark, an extended pattern, or brackets in that order. */
function mayMatchFiles(text: string): boolean {
  const open = text.indexOf('[');
  return /[*?]|[@+!]\(/.test(text) || (open >= 0 && text.lastIndexOf(']') > open);
}
