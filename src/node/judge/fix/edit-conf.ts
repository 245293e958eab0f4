/** Edits of a conf, in bash's own syntax: only of what stands there literally, and quoted as bash needs it. */

import type { Settings, Source, Word } from '../../facts/settings.js';
import type { Span } from '../../facts/span.js';
import { originOf } from '../settings/setting.js';
/** Text that replaces a stretch of a source; an empty stretch is a place to insert at. */
export interface TextEdit {
  readonly at: Span;
  readonly text: string;
}

/** Edits, or null where nobody can say what to write where. */
export type Edits = readonly TextEdit[] | null;

/** Where a flag, or its value, stands among the words. */
export interface FlagPlace {
  readonly at: Span | null;
}

/** A value as bash reads it back: a number, or in double quotes with nothing in it live. null: it holds a control character. */
export function quoteBash(value: string): string | null {
  if (/^\d+$/.test(value)) return value;
  return /\p{Cc}/u.test(value) ? null : `"${value.replace(/["$`\\]/g, '\\$&')}"`;
}

/** Gives a setting another value where it is set; where the file does not set it, behind the line of `beside`. */
export function assignInConf(settings: Settings, flag: string, value: string, beside: string): Edits {
  const origin = originOf(settings, flag);
  if (origin.kind === 'flag') return replaceFlag(settings, origin, value);
  const quoted = quoteBash(value);
  const key = settings.keys[flag];
  if (quoted === null || key === undefined) return null;
  if (origin.kind !== 'assignment' && origin.kind !== 'default') return null;
  if (key.at !== null) return key.alone ? [{ at: key.at, text: quoted }] : null;
  const line = settings.keys[beside];
  return line?.alone === true && line.at !== null ? behind(settings, line.at, `${key.name}=${quoted}`) : null;
}

/** Takes the flag of an origin, and its value, out of the words it stands among. */
export function removeFlagInConf(settings: Settings, origin: FlagPlace): Edits {
  const words = wordsOf(settings, origin);
  const [first] = words;
  const last = words.at(-1);
  if (first?.at == null || last?.at == null || first.at.line !== last.at.endLine) return null;
  const line = settings.source.lines[first.at.line - 1] ?? '';
  const blank = line[first.at.column - 2] === ' ' ? 1 : 0;
  const behind = blank === 0 && line[last.at.endColumn - 1] === ' ' ? 1 : 0;
  const at = { ...first.at, column: first.at.column - blank, endColumn: last.at.endColumn + behind };
  return [{ at, text: '' }];
}

/** Another value for a flag that stands among words; it is split at blanks and matched against files, so only plain text. */
function replaceFlag(settings: Settings, origin: FlagPlace, value: string): Edits {
  if (!/^[\w.,:/@%+-]+$/.test(value)) return null;
  const [first, second] = wordsOf(settings, origin);
  if (first?.at == null || first.text === null) return null;
  if (second !== undefined) return second.at === null ? null : [{ at: second.at, text: value }];
  return first.text.includes('=')
    ? [{ at: first.at, text: `${first.text.split('=', 1)[0]}=${value}` }]
    : null;
}

/** The flag's word and the one that holds its value; empty unless both stand in the file letter by letter. */
export function wordsOf({ start, source }: Settings, { at }: FlagPlace): Word[] {
  const words = start ?? [];
  const literal = ({ at, text }: Word): boolean =>
    at !== null &&
    at.file === source.path &&
    at.line === at.endLine &&
    source.lines[at.line - 1]?.slice(at.column - 1, at.endColumn - 1) === text;
  const placed = words.findIndex((one) => one.at !== null && at !== null && sameStart(one.at, at));
  const index = placed < 0 || words[placed]?.text?.startsWith('-') === true ? placed : placed - 1;
  const word = words[index];
  if (word?.text?.startsWith('-') !== true) return [];
  const next = words[index + 1];
  const takes = !word.text.includes('=') && next !== undefined && next.text?.startsWith('-') !== true;
  const found = takes ? [word, next] : [word];
  return found.every(literal) ? found : [];
}

/**
 * A flag more among the words: behind the last of ADDITIONAL where that is quoted text, in it where it is empty, and else
 * on a line of its own at the end.
 */
export function addFlagInConf({ start, source }: Settings, flag: string): Edits {
  const last = (start ?? []).findLast(({ variable, at }) => variable === 'ADDITIONAL' && at !== null)?.at;
  if (last != null && last.line === last.endLine && last.file === source.path) {
    const behind = source.lines[last.endLine - 1]?.[last.endColumn - 1];
    const at = { ...last, line: last.endLine, column: last.endColumn };
    if (behind === '"' || behind === "'") return [{ at, text: ` --${flag}` }];
  }
  const empty = source.lines.findLastIndex((line) => /^ADDITIONAL=""\s*(?:#.*)?$/.test(line));
  if (empty >= 0) {
    const [line, column] = [empty + 1, 'ADDITIONAL='.length + 1];
    const at = { file: source.path, line, column, endLine: line, endColumn: column + 2 };
    return [{ at, text: `"--${flag}"` }];
  }
  const line = source.lines.length;
  const column = (source.lines[line - 1] ?? '').length + 1;
  const at = { file: source.path, line, column, endLine: line, endColumn: column };
  return line === 0 ? null : [{ at, text: `\nADDITIONAL="$ADDITIONAL --${flag}"` }];
}

/** One assignment of plain text, or of a variable's text and more of it, and nothing else. */
const plainLine =
  /^[ \t]*(?:export[ \t]+)?\w+=(?:"(?:[^"$`\\]|\$\w+)*"|'[^']*'|[\w./:,@%+-])*[ \t]*(?:#.*)?$/;

/** Takes lines out, each an assignment of plain text (or a comment) and nothing else; null where one is more than that. */
export function removeLinesInConf({ source }: Settings, places: readonly Span[]): Edits {
  const plain = places.every(({ file, line, endLine }) => {
    const text = source.lines[line - 1];
    const alone = text !== undefined && (plainLine.test(text) || /^[ \t]*#/.test(text));
    return alone && file === source.path && line === endLine;
  });
  const lines = places.map(({ line }) => line);
  return plain ? linesOut(source, lines) : null;
}

/** Whole lines go, those that follow one another as one; with the end of each or, where the last goes, of the one above. */
export function linesOut({ path: file, lines }: Source, numbers: readonly number[]): TextEdit[] {
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

/** A line of its own behind the one where something stands. */
function behind({ source }: Settings, { endLine }: Span, text: string): Edits {
  const line = source.lines[endLine - 1] ?? '';
  if (line.endsWith('\\')) return null;
  const end = {
    file: source.path,
    line: endLine,
    column: line.length + 1,
    endLine,
    endColumn: line.length + 1,
  };
  return [{ at: end, text: `\n${text}` }];
}

function sameStart(a: Span, b: Span): boolean {
  return a.line === b.line && a.column === b.column;
}
