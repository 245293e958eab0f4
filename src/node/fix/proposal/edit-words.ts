/**
 * Edits of words in files other than a conf: items of a list, or words of a command. Only literal text is edited, and the
 * new text is plain in every syntax.
 */
import { linesIn, type Settings, type SourceKind, type Word } from '../../facts/settings.js';
import type { Span } from '../../facts/span.js';
import { originOf } from '../../judge/settings/setting.js';
import {
  assignBelow,
  type Edits,
  type FlagPlace,
  lineAt,
  type TextEdit,
  withoutLines,
  wordsAt,
  wordsOfFlag,
} from './edit-conf.js';

/** Text without special meaning in a shell, a unit, a JSON list and YAML. */
const plain = /^[\w.,:/+-]*$/;
/** Text, quoted or not, that contains no syntax. */
const literal = /^[^"'`$\\\s#&|;<>(){}[\]]*$/;

/** Sets a setting where the file sets it; a flag that is not set is added after the words of `beside`. */
export function assignInWords(settings: Settings, flag: string, value: string, beside: string): Edits {
  const origin = originOf(settings, flag);
  const key = settings.keys[flag];
  switch (origin.kind) {
    case 'flag':
      return (
        replaceFlag(settings, origin, value) ??
        replaceItems(settings, flag, valuePlace(settings, origin), value)
      );
    case 'environment':
      return origin.at === null
        ? null
        : (replaceAt(settings, origin.at, value) ?? replaceItems(settings, flag, origin.at, value));
    case 'assignment':
      return key?.at != null && key.alone ? replaceAt(settings, key.at, value) : null;
    case 'default': {
      const near = originOf(settings, beside);
      if (near.kind === 'flag') return addAfter(settings, near, `--${flag}=${value}`);
      return near.kind === 'assignment' && plain.test(value)
        ? assignBelow(settings, flag, `"${value}"`, beside)
        : null;
    }
    default:
      return null;
  }
}

/** Replaces the text at a place and keeps its quotes. An empty text is allowed only in quotes or after a `=`. */
export function replaceAt({ source }: Settings, at: Span, value: string): Edits {
  const line = lineAt(source, at);
  if (line === undefined) return null;
  const text = line.slice(at.column - 1, at.endColumn - 1);
  const quotes = /^(["'])(.*)\1$/.exec(text);
  const old = quotes?.[2] ?? text;
  if (at.line !== at.endLine || !plain.test(value) || !literal.test(old)) return null;
  const inside = quotes !== null || isQuoted(line, at.column - 1, at.endColumn - 1);
  const behind = line[at.endColumn - 1];
  const ends = behind === undefined || /[\s"',\]\\]/.test(behind);
  if (value === '' && !inside && !(line[at.column - 2] === '=' && ends)) return null;
  const [column, endColumn] = quotes === null ? [at.column, at.endColumn] : [at.column + 1, at.endColumn - 1];
  return [{ at: { ...at, column, endColumn }, text: value }];
}

function isQuoted(line: string, start: number, end: number): boolean {
  const before = line[start - 1];
  return (before === '"' || before === "'") && line[end] === before;
}

function replaceFlag(settings: Settings, origin: FlagPlace, value: string): Edits {
  const [first, second] = wordsOfFlag(settings, origin);
  if (second?.at != null) return replaceAt(settings, second.at, value);
  if (first?.valueAt !== undefined) return replaceAt(settings, first.valueAt, value);
  const name = first?.text?.split('=', 1)[0];
  if (first?.at == null || name === undefined || name === first.text) return null;
  return replaceAt(settings, { ...first.at, column: first.at.column + name.length + 1 }, value);
}

/** The place of a flag's value in a word of its own, or in another file. */
function valuePlace(settings: Settings, origin: FlagPlace): Span | null {
  const [first, second] = wordsAt(settings, origin);
  return second?.at ?? first?.valueAt ?? null;
}

/** What separates two items of a YAML list, with their quotes. */
const betweenItems = /["']?(?:\s*,\s*|[ \t]*\r?\n[ \t]*-[ \t]+)["']?/;

/** Replaces the items of a list that a template joins with commas. */
function replaceItems({ source, values }: Settings, flag: string, at: Span | null, value: string): Edits {
  if (at === null || value === '' || !plain.test(value)) return null;
  const lines = linesIn(source, at.file).slice(at.line - 1, at.endLine);
  const last = lines.pop()?.slice(0, at.endColumn - 1) ?? '';
  const text = [...lines, last].join('\n').slice(at.column - 1);
  const separator = betweenItems.exec(text)?.[0];
  if (separator === undefined || text.split(separator).join(',') !== values[flag]?.value) return null;
  return [{ at, text: value.split(',').join(separator) }];
}

/** A word with its quotes and its surroundings. */
interface Item {
  readonly at: Span;
  readonly before: string;
  readonly after: string;
  readonly quote: string;
  /** `item`: on a line of a YAML list; `element`: between commas; `word`: between blanks. */
  readonly is: 'item' | 'element' | 'word';
}

const withLists: ReadonlySet<SourceKind> = new Set(['compose', 'kubernetes', 'ansible']);
const withElements: ReadonlySet<SourceKind> = new Set([
  'compose',
  'kubernetes',
  'dockerfile',
  'ansible',
  'cloud-init',
]);

function itemOf({ source }: Settings, { at }: Word): Item | null {
  if (at === null) return null;
  const line = lineAt(source, at) ?? '';
  const quoted = isQuoted(line, at.column - 1, at.endColumn - 1) ? 1 : 0;
  const [start, end] = [at.column - 1 - quoted, at.endColumn - 1 + quoted];
  const [before, after] = [line.slice(0, start), line.slice(end)];
  const item = (is: Item['is']): Item => ({
    at: { ...at, column: start + 1, endColumn: end + 1 },
    before,
    after,
    quote: quoted === 0 ? '' : (line[start] ?? ''),
    is,
  });
  if (withLists.has(source.kind) && /^\s*-\s+$/.test(before) && /^\s*(?:\s#.*)?$/.test(after))
    return item('item');
  const [opened, closed] = [/[[,]\s*$/.test(before), /^\s*[\],]/.test(after)];
  const alone = (before.trim() === '' && closed) || (opened && after.trim() === '');
  if (withElements.has(source.kind) && ((opened && closed) || alone)) return item('element');
  return /(?:^|[\s"'])$/.test(before) && /^(?:$|[\s"'\\])/.test(after) ? item('word') : null;
}

/** Removes a flag and its value from the words or the list. */
export function removeFlagInWords(settings: Settings, place: FlagPlace): Edits {
  const items = wordsOfFlag(settings, place).map((word) => itemOf(settings, word));
  const [first] = items;
  const last = items.at(-1);
  if (first == null || last == null || first.is !== last.is) return null;
  if (first.is === 'item') return allOut(settings, [first, last]);
  const oneLine = first.at.line === last.at.line;
  const alone = ({ before, after }: Item): boolean => before.trim() === '' && /^\s*,\s*$/.test(after);
  if (first.is === 'element' && !oneLine)
    return alone(first) && alone(last) ? allOut(settings, [first, last]) : null;
  if (!oneLine) return null;
  const { before } = first;
  const { after } = last;
  const at = { ...first.at, endColumn: last.at.endColumn };
  return first.is === 'element'
    ? elementOut(settings, at, before, after)
    : wordOut(settings, at, before, after);
}

function allOut({ source }: Settings, items: readonly Item[]): Edits {
  return withoutLines(
    source,
    items.map(({ at }) => at),
  );
}

/** Removes an element with the comma after or before it. */
function elementOut(settings: Settings, at: Span, before: string, after: string): Edits {
  const comma = /^\s*,\s*/.exec(after)?.[0];
  if (comma?.length === after.length && before.trim() === '') return withoutLines(settings.source, [at]);
  if (comma !== undefined) return [{ at: { ...at, endColumn: at.endColumn + comma.length }, text: '' }];
  const earlier = /,\s*$/.exec(before)?.[0].length;
  if (earlier === undefined) return before.trim() === '' ? null : [{ at, text: '' }];
  return [{ at: { ...at, column: at.column - earlier }, text: '' }];
}

/** Removes a word with the blank before it, or its whole line unless that line ends a continued command. */
function wordOut({ source }: Settings, at: Span, before: string, after: string): Edits {
  const continues = /\\\s*$/.test(lineAt(source, { ...at, line: at.line - 1 }) ?? '');
  if (before.trim() === '' && /^\s*\\?\s*$/.test(after) && after.includes('\\') === continues)
    return withoutLines(source, [at]);
  const blank = /\s$/.test(before) ? 1 : 0;
  const behind = blank === 0 && /^\s/.test(after) ? 1 : 0;
  return [{ at: { ...at, column: at.column - blank, endColumn: at.endColumn + behind }, text: '' }];
}

/** Adds a flag after the last word. */
export function addFlagInWords(settings: Settings, flag: string): Edits {
  const last = settings.start?.at(-1);
  return last === undefined ? null : added(settings, last, `--${flag}`);
}

function addAfter(settings: Settings, place: FlagPlace, word: string): Edits {
  const last = wordsOfFlag(settings, place).at(-1);
  return last === undefined || !plain.test(word.replace('=', '')) ? null : added(settings, last, word);
}

function added(settings: Settings, behind: Word, word: string): Edits {
  const item = itemOf(settings, behind);
  if (item === null) return null;
  const { at, before, after, quote, is } = item;
  const here = (column: number, text: string): TextEdit[] => [
    { at: { ...at, column, endColumn: column }, text },
  ];
  const written = `${quote}${word}${quote}`;
  if (is === 'item') return here(at.endColumn + after.length, `\n${before}${written}`);
  return here(at.endColumn, `${is === 'element' ? ', ' : ' '}${is === 'word' ? word : written}`);
}
