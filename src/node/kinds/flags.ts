/** The flags of a kind of node, and their values as Go's strconv and time packages parse them. */
import type { Period, ReleaseRange } from '../facts/release.js';
import type { Setting, SettingValue } from '../facts/settings.js';

export type FlagType =
  | 'bool'
  | 'string'
  | 'int'
  | 'int64'
  | 'uint'
  | 'uint64'
  | 'float'
  | 'duration'
  | 'path'
  | 'list'
  | 'text';

/** The types in the tables of flags. */
export const typesByLetter: Readonly<Record<string, FlagType>> = {
  b: 'bool',
  s: 'string',
  i: 'int',
  l: 'int64',
  n: 'uint',
  u: 'uint64',
  f: 'float',
  d: 'duration',
  p: 'path',
  S: 'list',
  t: 'text',
};

export interface Flag {
  /** First name, without dashes. */
  readonly name: string;
  readonly aliases: readonly string[];
  readonly type: FlagType;
  /** Environment variables; the first that is set is used. */
  readonly environment: readonly string[];
  /** The node's own default; null: none, or computed. */
  readonly fallback: string | null;
}

/** A flag on a command line. */
export interface FlagUse {
  readonly flag: Flag;
  /** The name it is written with, without dashes. */
  readonly written: string;
  /** null: it cannot be known. */
  readonly value: SettingValue | null;
}

/** The flags one program accepts. */
export interface FlagSet {
  readonly flags: readonly Flag[];
  /** By name and by alias. */
  readonly byName: ReadonlyMap<string, Flag>;
  /** By environment variable. */
  readonly byEnvironment: ReadonlyMap<string, Flag>;
  /** The setting of each flag where nothing sets it, by the flag's first name. */
  readonly defaults: Readonly<Record<string, Setting>>;
}

export interface Flags {
  /** The flags of one of `programs`; `fork`: as one that descends from the release has them. */
  of(program: string, fork?: string): FlagSet;
  /**
   * The switch of http or ws that a fork takes from a variable, where the node may be that fork: its release is not known,
   * or one that the fork reports too. null: none is known.
   */
  ofFork(variable: string, release: ReleaseRange): { readonly fork: string; readonly flag: string } | null;
  /** The node's own default of a flag, whichever program has it. */
  fallback(name: string): string | null;
  /** A flag of this name that another program of this kind has; null: none has. */
  ofAnyProgram(name: string): Flag | null;
  /** A flag of that name in the last release in which some program has it; null: none has. */
  ofAnyRelease(name: string): Flag | null;
  /** From the first to the last release in which some program has a flag of that name; null: none has. */
  period(name: string): Period | null;
  /** True where the values of a list in the environment and on the command line add up; false: the latter replaces. */
  readonly listsAddUp: boolean;
  /** True where the node ignores a word that is neither a flag nor a value, with every flag behind it; false: it refuses it. */
  readonly ignoresStray: boolean;
  /** The state of a switch that exposes more: false for a switch that disables something. */
  opensMore(name: string): boolean;
  /** The part of an interface that a flag decides; null: another part, or none. */
  decides(name: string): 'addr' | 'api' | 'origins' | 'vhosts' | null;
  /** Switches that the node searches its arguments for, as plain text, before it parses flags. */
  readonly literal: ReadonlySet<string>;
  /** The uses that count where flags are given under two of their names; null: the node refuses two names. */
  readonly counting: (<T extends FlagUse>(uses: readonly T[]) => readonly T[]) | null;
  /** A switch and a flag that the node refuses together. */
  readonly exclusive: readonly (readonly [string, string])[];
  /**
   * Flag → flags that are removed with it, since they do nothing without it, and flags that need it: beside one of these, no
   * fix removes it.
   */
  readonly dependents: Readonly<
    Record<string, { readonly removed: readonly string[]; readonly need: readonly string[] }>
  >;
  /** The flags of the node's network, data folder and key: no fix changes them. */
  readonly identity: readonly string[];
  /** The flag of the data folder; null: there is none. */
  readonly dataFolder: string | null;
  /** The flag that unlocks accounts; null: there is none. */
  readonly unlock: string | null;
  /** The flag of a key file, and the variable that a launcher passes for it even when it is empty. */
  readonly keyFile: { readonly flag: string; readonly variable: string | null } | null;
}

/** The state of a switch that exposes more: a switch with `disable` in its name exposes more when it is off. */
export function switchOpensMore(name: string): boolean {
  return !name.includes('disable');
}

/** The flags by each of their names. */
export function flagSet(flags: readonly Flag[]): FlagSet {
  return {
    flags,
    byName: new Map(flags.flatMap((flag) => [flag.name, ...flag.aliases].map((name) => [name, flag]))),
    byEnvironment: new Map(flags.flatMap((flag) => flag.environment.map((name) => [name, flag]))),
    // V8 copies an object that was built at once thirty times as fast.
    defaults: Object.fromEntries(flags.map((flag) => [flag.name, untouched(flag)])),
  };
}

function untouched(flag: Flag): Setting {
  return { value: defaultOf(flag), origin: { kind: 'default' }, shadowed: [], indeterminate: null };
}

function defaultOf(flag: Flag): SettingValue | null {
  if (flag.type === 'bool') return false;
  if (flag.fallback === null) return null;
  const parsed = parseValue(flag.type, flag.fallback);
  return 'value' in parsed ? parsed.value : null;
}

/** The value, or why the node refuses it. */
export type Parsed = { readonly value: SettingValue } | { readonly refused: string };

/** Parses the text given for a flag. */
export function parseValue(type: FlagType, text: string): Parsed {
  switch (type) {
    case 'bool':
      return parseBool(text);
    case 'int':
    case 'int64':
      return parseInteger(text, -(1n << 63n), (1n << 63n) - 1n, true);
    case 'uint':
    case 'uint64':
      return parseInteger(text, 0n, (1n << 64n) - 1n, false);
    case 'float':
      return /^[-+]?(?:\d[\d_]*(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?$|^[-+]?(?:inf|infinity|nan)$/i.test(text)
        ? { value: Number(text.replaceAll('_', '')) }
        : { refused: 'it is not a number' };
    case 'duration':
      return /^[-+]?(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+$|^[-+]?0$/.test(text)
        ? { value: text }
        : { refused: 'it is not a duration such as 30s' };
    default:
      return { value: text };
  }
}

function parseBool(text: string): Parsed {
  if (/^(?:1|t|T|TRUE|true|True)$/.test(text)) return { value: true };
  if (/^(?:0|f|F|FALSE|false|False)$/.test(text)) return { value: false };
  return { refused: 'it is neither true nor false' };
}

const whole =
  /^([-+]?)(0[xX]_?[0-9a-fA-F][0-9a-fA-F_]*|0[bB]_?[01][01_]*|0[oO]?_?[0-7][0-7_]*|0|[1-9][0-9_]*)$/;

/** Base 0 as in strconv: prefixes and underscores are allowed; a leading 0 means octal. */
function parseInteger(text: string, least: bigint, most: bigint, signed: boolean): Parsed {
  const match = whole.exec(text);
  const sign = match?.[1] ?? '';
  if (match === null || (sign !== '' && !signed) || /__|_$/.test(text))
    return { refused: 'it is not a whole number' };
  const digits = (match[2] as string).replaceAll('_', '').replace(/^0(?=[0-7])/, '0o');
  const value = BigInt(digits) * (sign === '-' ? -1n : 1n);
  if (value < least || value > most) return { refused: 'it is out of range' };
  const number = Number(value);
  return { value: Number.isSafeInteger(number) ? number : value.toString() };
}

/** The value of the first of these flags in a command line; names are without dashes. null: none is given. */
export function valueIn(argv: readonly string[], names: readonly string[]): string | null {
  for (const [at, word] of argv.entries()) {
    const [, name, given] = /^--?([^-=][^=]*)(?:=(.*))?$/s.exec(word) ?? [];
    if (name !== undefined && names.includes(name)) return given ?? argv[at + 1] ?? null;
  }
  return null;
}

/** The first word that is neither a flag nor the value of one. `takesValue`: by the name of a flag. null: there is none. */
export function commandIn(words: readonly string[], takesValue: (flag: string) => boolean): string | null {
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as string;
    const [, flag, value] = /^--?([A-Za-z][\w.-]*)(=.*)?$/s.exec(word) ?? [];
    if (flag === undefined) return word;
    if (value === undefined && takesValue(flag)) at += 1;
  }
  return null;
}
