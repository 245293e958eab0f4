/** Settings as rules speak of them: what decides one, where it stands, what to write instead. */
import type { ConfFacts, Origin } from '../facts/conf.js';
import type { Span } from '../facts/span.js';
import { settingsOf } from '../kinds/kaia/interfaces.js';
import { effectiveAssignment, fileStart } from './conf.js';

export { settingsOf };

/** Flag → the conf variable that carries it. */
const variables = new Map(
  Object.values(settingsOf).flatMap((pairs) =>
    Object.values(pairs).flatMap(([flag, variable]) =>
      variable === null ? [] : [[flag, variable] as const],
    ),
  ),
);

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

/** Where the first of these flags that the file sets stands, or else the variable that keeps it off; else the start. */
export function placeOf(conf: ConfFacts, ...flags: readonly string[]): Span {
  for (const flag of flags) {
    const setting = conf.settings[flag];
    const at = setting === undefined ? null : originPlace(setting.origin);
    if (at !== null) return at;
  }
  for (const flag of flags) {
    const variable = variables.get(flag);
    const assignment = variable === undefined ? undefined : effectiveAssignment(conf, variable);
    if (assignment !== undefined) return assignment.valueAt;
  }
  return fileStart(conf);
}

/** What the reader calls a setting: the variable it comes from, else the flag. */
export function nameOf(conf: ConfFacts, flag: string): string {
  const origin = conf.settings[flag]?.origin;
  if (origin?.kind === 'assignment' || origin?.kind === 'environment') return origin.variable;
  return `--${flag}`;
}

/** The line that gives a setting another value where it is set now: `RPC_ADDR="127.0.0.1"`. */
export function assign(
  conf: ConfFacts,
  [flag, variable]: readonly [string, string | null],
  value: string,
): string {
  const setting = conf.settings[flag];
  const hidden = setting?.indeterminate != null && setting.origin.kind === 'flag'; // by words nobody knows
  const origin = hidden ? setting.shadowed[0]?.origin : setting?.origin;
  if (origin?.kind === 'assignment') return `${origin.variable}="${value}"`;
  if (origin?.kind === 'flag') return additionalWith(conf, origin, value);
  if (origin?.kind === 'environment') return `export ${origin.variable}="${value}"`;
  if (variable !== null && conf.reads.includes(variable)) return `${variable}="${value}"`;
  return `ADDITIONAL="$ADDITIONAL --${flag} ${value}"`;
}

/** The line that gives a module list other names; an empty list would bring the built-in one. */
export function assignList(
  conf: ConfFacts,
  names: readonly [string, string | null],
  list: readonly string[],
): string {
  const kept = list.filter((name) => name !== '');
  return assign(conf, names, kept.length === 0 ? 'klay,eth,net,web3' : kept.join(','));
}

/** The line that switches a boolean setting off where it is on now. */
export function switchOff(conf: ConfFacts, [flag, variable]: readonly [string, string | null]): string {
  const origin = conf.settings[flag]?.origin;
  if (origin?.kind === 'flag') return additionalWith(conf, origin, null);
  if (origin?.kind === 'environment') return `unset ${origin.variable}`;
  return `${origin?.kind === 'assignment' ? origin.variable : (variable ?? flag)}=0`;
}

/** What an edit of ADDITIONAL is about: the place of the flag or of its value, and the flag's name where that is unknown. */
interface Target {
  readonly at: Span | null;
  readonly flag: string;
}

/** ADDITIONAL as it stands, with one flag's value replaced; `value` null takes the flag out. */
export function additionalWith(conf: ConfFacts, { at, flag }: Target, value: string | null): string {
  const given = conf.words.filter(({ variable }) => variable === 'ADDITIONAL');
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
