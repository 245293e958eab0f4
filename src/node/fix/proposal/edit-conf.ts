/** Edits of a conf in bash syntax: only of literal text, and quoted for bash. */
import { groupBy } from '../../../util/group-by.js';
import { linesIn, type Settings, type Source, type Word } from '../../facts/settings.js';
import type { Span } from '../../facts/span.js';
import { originOf } from '../../judge/settings/setting.js';
import type { NodeSettings } from '../../kinds/node.js';

/** Text that replaces a span of a source; an empty span inserts. */
export interface TextEdit {
  readonly at: Span;
  readonly text: string;
}

/** Edits; null if the right edit is not certain. */
export type Edits = readonly TextEdit[] | null;

/** The place of a flag, or of its value, on the command line. */
export interface FlagPlace {
  readonly at: Span | null;
}

/** A value quoted so that bash reads it back unchanged; null if it contains a control character. */
export function quoteBash(value: string): string | null {
  if (/^\d+$/.test(value)) return value;
  return /\p{Cc}/u.test(value) ? null : `"${value.replace(/["$`\\]/g, '\\$&')}"`;
}

/** Sets a setting where the file sets it, else on a new line below that of the setting `beside`. */
export function assignInConf(settings: Settings, flag: string, value: string, beside: string): Edits {
  const origin = originOf(settings, flag);
  if (origin.kind === 'flag') return replaceFlag(settings, origin, value);
  const quoted = quoteBash(value);
  const key = settings.keys[flag];
  if (quoted === null || key === undefined) return null;
  if (origin.kind !== 'assignment' && origin.kind !== 'default') return null;
  if (key.at !== null) return key.alone ? [{ at: key.at, text: quoted }] : null;
  return assignBelow(settings, flag, quoted, beside);
}

/** Sets a variable that no line sets, on a new line below that of the setting `beside`. */
export function assignBelow({ source, keys }: Settings, flag: string, quoted: string, beside: string): Edits {
  const [name, near] = [keys[flag]?.name, keys[beside]];
  return name !== undefined && near?.alone === true && near.at !== null
    ? lineBelow(source, near.at, `${name}=${quoted}`)
    : null;
}

/** Removes a flag and its value from the command line. */
export function removeFlagInConf(settings: Settings, origin: FlagPlace): Edits {
  const words = wordsOfFlag(settings, origin);
  const [first] = words;
  const last = words.at(-1);
  if (first?.at == null || last?.at == null || first.at.line !== last.at.endLine) return null;
  const line = lineAt(settings.source, first.at) ?? '';
  const blank = line[first.at.column - 2] === ' ' ? 1 : 0;
  const behind = blank === 0 && line[last.at.endColumn - 1] === ' ' ? 1 : 0;
  const at = { ...first.at, column: first.at.column - blank, endColumn: last.at.endColumn + behind };
  return [{ at, text: '' }];
}

/** Replaces the value of a flag. Only plain text: bash splits the words at blanks and expands patterns. */
function replaceFlag(settings: Settings, origin: FlagPlace, value: string): Edits {
  if (!/^[\w.,:/@%+-]+$/.test(value)) return null;
  const [first, second] = wordsOfFlag(settings, origin);
  if (first?.at == null || first.text === null) return null;
  if (second !== undefined) return second.at === null ? null : [{ at: second.at, text: value }];
  return first.text.includes('=')
    ? [{ at: first.at, text: `${first.text.split('=', 1)[0]}=${value}` }]
    : null;
}

/** `--http.api="eth,net"`, in which the quotes change nothing. */
const quotedValue = /^(--?[\w.-]+=)(["'])([^"'`$\\]*)\2$/;

/** The words of a flag and its value; empty unless the file contains both literally. */
export function wordsOfFlag(settings: Settings, place: FlagPlace): Word[] {
  const { source } = settings;
  const found = wordsAt(settings, place);
  const reads = (at: Span | null, text: string | null): boolean => {
    if (at === null || at.line !== at.endLine) return false;
    const written = lineAt(source, at)?.slice(at.column - 1, at.endColumn - 1);
    return written === text || written?.replace(quotedValue, '$1$3') === text;
  };
  const literal = ({ at, text, valueAt }: Word): boolean =>
    valueAt === undefined ? reads(at, text) : reads(valueAt, text?.replace(/^[^=]*=/, '') ?? null);
  return found.every(literal) ? found : [];
}

/** A value whose place is that of its word has none of its own. */
function withoutOwnPlace({ valueAt, ...word }: Word): Word {
  const isSame = word.at !== null && valueAt !== undefined && sameStart(word.at, valueAt);
  return valueAt === undefined || isSame ? word : { ...word, valueAt };
}

/** The words of a flag and its value; empty where the flag has no word. */
export function wordsAt({ start }: Settings, { at }: FlagPlace): Word[] {
  const words = (start ?? []).map(withoutOwnPlace);
  const placed = words.findIndex((one) => one.at !== null && at !== null && sameStart(one.at, at));
  const index = placed < 0 || words[placed]?.text?.startsWith('-') === true ? placed : placed - 1;
  const word = words[index];
  if (word?.text?.startsWith('-') !== true) return [];
  const next = words[index + 1];
  const takes = !word.text.includes('=') && next !== undefined && next.text?.startsWith('-') !== true;
  return takes ? [word, next] : [word];
}

/**
 * Adds a flag to the variable of extra flags: after its last word if that is quoted text, inside it if it is empty, else
 * on a new line at the end.
 */
export function addFlagInConf({ start, source, nodeKind }: NodeSettings, flag: string): Edits {
  const extra = nodeKind.launchers?.extraFlags;
  if (extra === undefined) return null;
  const last = (start ?? []).findLast(({ variable, at }) => variable === extra && at !== null)?.at;
  if (last != null && last.line === last.endLine) {
    const behind = lineAt(source, last)?.[last.endColumn - 1];
    const at = { ...last, line: last.endLine, column: last.endColumn };
    if (behind === '"' || behind === "'") return [{ at, text: ` --${flag}` }];
  }
  const nothing = `${extra}=""`;
  const empty = source.lines.findLastIndex(
    (line) => line.startsWith(nothing) && /^\s*(?:#.*)?$/.test(line.slice(nothing.length)),
  );
  if (empty >= 0) {
    const [line, column] = [empty + 1, extra.length + 2];
    const at = { file: source.path, line, column, endLine: line, endColumn: column + 2 };
    return [{ at, text: `"--${flag}"` }];
  }
  const line = source.lines.length;
  const column = (source.lines[line - 1] ?? '').length + 1;
  const at = { file: source.path, line, column, endLine: line, endColumn: column };
  return line === 0 ? null : [{ at, text: `\n${extra}="$${extra} --${flag}"` }];
}

/** A line with one assignment of plain text or variables, and nothing else. */
const plainLine =
  /^[ \t]*(?:export[ \t]+)?\w+=(?:"(?:[^"$`\\]|\$\w+)*"|'[^']*'|[\w./:,@%+-])*[ \t]*(?:#.*)?$/;

/** Deletes lines; null unless each is a comment or one assignment of plain text. */
export function removeLinesInConf({ source }: Settings, places: readonly Span[]): Edits {
  const plain = places.every((place) => {
    const text = lineAt(source, place);
    const alone = text !== undefined && (plainLine.test(text) || /^[ \t]*#/.test(text));
    return alone && place.line === place.endLine;
  });
  return plain ? withoutLines(source, places) : null;
}

/** Deletes whole lines, adjacent ones in one edit. The last line is deleted with the line end above it. */
export function withoutLines(source: Source, places: readonly Span[]): TextEdit[] {
  return [...groupBy(places, ({ file }) => file)].flatMap(([file, all]) =>
    withoutLinesOf(
      file,
      linesIn(source, file),
      all.map(({ line }) => line),
    ),
  );
}

function withoutLinesOf(file: string, lines: readonly string[], numbers: readonly number[]): TextEdit[] {
  const out = new Set(numbers);
  return [...out].flatMap((first) => {
    if (out.has(first - 1)) return [];
    let last = first;
    while (out.has(last + 1)) last += 1;
    const above = lines[first - 2];
    const at =
      last < lines.length || above === undefined
        ? { file, line: first, column: 1, endLine: last + 1, endColumn: 1 }
        : {
            file,
            line: first - 1,
            column: above.length + 1,
            endLine: last,
            endColumn: (lines[last - 1] ?? '').length + 1,
          };
    return [{ at, text: '' }];
  });
}

/** The first line of a place; undefined in a file that is not known. */
export function lineAt(source: Source, { file, line }: Span): string | undefined {
  return linesIn(source, file)[line - 1];
}

/** Inserts a line below a place, indented as the line there. */
function lineBelow(source: Source, { file, endLine }: Span, text: string): Edits {
  const line = linesIn(source, file)[endLine - 1] ?? '';
  if (line.endsWith('\\')) return null;
  const column = line.length + 1;
  const end = { file, line: endLine, column, endLine, endColumn: column };
  return [{ at: end, text: `\n${/^[ \t]*/.exec(line)?.[0] ?? ''}${text}` }];
}

function sameStart(a: Span, b: Span): boolean {
  return a.file === b.file && a.line === b.line && a.column === b.column;
}
