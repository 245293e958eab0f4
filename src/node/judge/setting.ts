/** Settings as rules speak of them: what decides one, where it stands, what to write instead. */

import type { Origin, Settings } from '../facts/settings.js';
import type { Span } from '../facts/span.js';
/** Where an origin stands in the file; null when it stands nowhere in it. */
export function originPlace(origin: Origin): Span | null {
  switch (origin.kind) {
    case 'assignment':
    case 'flag':
    case 'environment':
    case 'yaml':
      return origin.at;
    case 'launcher':
    case 'default':
      return null;
  }
}

/** Where the first of these flags that are in force stands, or else the key that keeps it off; else the start. */
export function placeOf(settings: Settings, ...flags: readonly string[]): Span {
  for (const flag of flags) {
    const setting = settings.values[flag];
    const at = setting === undefined ? null : originPlace(setting.origin);
    if (at !== null) return at;
  }
  for (const flag of flags) {
    const at = settings.keys[flag]?.at ?? null;
    if (at !== null) return at;
  }
  return fileStart(settings);
}

/** The place where nothing in particular stands: the file itself. */
export function fileStart({ source }: Settings): Span {
  return { file: source.path, line: 1, column: 1, endLine: 1, endColumn: 1 };
}

/** True when a place lies inside another. */
export function inside(inner: Span, outer: Span): boolean {
  const after = inner.line > outer.line || (inner.line === outer.line && inner.column >= outer.column);
  const before =
    inner.endLine < outer.endLine || (inner.endLine === outer.endLine && inner.endColumn <= outer.endColumn);
  return inner.file === outer.file && after && before;
}

/** What the reader calls a setting: the variable it comes from, else the flag. */
export function nameOf(settings: Settings, flag: string): string {
  const origin = settings.values[flag]?.origin;
  if (origin?.kind === 'assignment' || origin?.kind === 'environment') return origin.variable;
  return `--${flag}`;
}

/** The line that gives a setting another value where it is set now: `RPC_ADDR="127.0.0.1"`. */
export function assign(settings: Settings, flag: string, value: string): string {
  const setting = settings.values[flag];
  const hidden = setting?.indeterminate != null && setting.origin.kind === 'flag'; // by words nobody knows
  const origin = hidden ? setting.shadowed[0]?.origin : setting?.origin;
  if (origin?.kind === 'assignment') return `${origin.variable}="${value}"`;
  if (origin?.kind === 'flag') return additionalWith(settings, origin, value);
  if (origin?.kind === 'environment') return `export ${origin.variable}="${value}"`;
  const key = settings.keys[flag];
  return key === undefined ? `ADDITIONAL="$ADDITIONAL --${flag} ${value}"` : `${key.name}="${value}"`;
}

/** The line that gives a module list other names; an empty list would bring the built-in one. */
export function assignList(settings: Settings, flag: string, list: readonly string[]): string {
  const kept = list.filter((name) => name !== '');
  return assign(settings, flag, kept.length === 0 ? 'klay,eth,net,web3' : kept.join(','));
}

/** The line that switches a boolean setting off where it is on now. */
export function switchOff(settings: Settings, flag: string): string {
  const origin = settings.values[flag]?.origin;
  if (origin?.kind === 'flag') return additionalWith(settings, origin, null);
  if (origin?.kind === 'environment') return `unset ${origin.variable}`;
  return `${origin?.kind === 'assignment' ? origin.variable : (settings.keys[flag]?.name ?? flag)}=0`;
}

/** What an edit of ADDITIONAL is about: the place of the flag or of its value, and the flag's name where that is unknown. */
interface Target {
  readonly at: Span | null;
  readonly flag: string;
}

/** ADDITIONAL as it stands, with one flag's value replaced; `value` null takes the flag out. */
export function additionalWith(settings: Settings, { at, flag }: Target, value: string | null): string {
  const given = (settings.start ?? []).filter(({ variable }) => variable === 'ADDITIONAL');
  const words = given.map(({ text }) => text ?? '…');
  const placed = at === null ? -1 : given.findIndex((word) => word.at !== null && sameStart(word.at, at));
  const found =
    placed >= 0 ? placed : words.findLastIndex((word) => nameIn(word) === flag.replace(/^-+/, ''));
  const start = words[found]?.startsWith('-') === false ? found - 1 : found;
  const word = words[start];
  if (word !== undefined) {
    const inline = word.includes('=');
    const taken = !inline && words[start + 1]?.startsWith('-') === false ? 2 : 1;
    const name = word.split('=', 1)[0] ?? word;
    words.splice(start, taken, ...(value === null ? [] : inline ? [`${name}=${value}`] : [word, value]));
  }
  return `ADDITIONAL="${words.join(' ')}"`;
}

function sameStart(a: Span, b: Span): boolean {
  return a.line === b.line && a.column === b.column;
}

function nameIn(word: string): string | null {
  return word.startsWith('-') ? (word.replace(/^--?/, '').split('=', 1)[0] ?? null) : null;
}

/** A flag as people write it. */
export function dashed(flag: string): string {
  return flag.startsWith('-') ? flag : `--${flag}`;
}

/** Where a value comes from, as the subject of a sentence. */
export function whence(origin: Origin): string {
  switch (origin.kind) {
    case 'assignment':
      return origin.variable;
    case 'flag':
      return `${dashed(origin.flag)} in ADDITIONAL`;
    case 'environment':
      return `${origin.variable} in the environment`;
    case 'launcher':
      return `the launcher’s own ${dashed(origin.flag)}`;
    case 'yaml':
      return origin.path;
    case 'default':
      return 'the default';
  }
}
