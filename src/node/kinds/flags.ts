/** The flags of a kind of node. */
import type { Dialect } from '../dialect/dialect.js';
import type { Flag, FlagRules, FlagSet, FlagType } from '../dialect/flag.js';
import type { Period } from '../facts/release.js';
import type { Setting, SettingValue } from '../facts/settings.js';

export type { Flag, FlagSet, FlagType, FlagUse } from '../dialect/flag.js';

interface Form<Tag extends string, Fallback extends string> extends Period<Tag> {
  readonly aliases?: readonly [string, ...string[]];
  readonly fallback?: Fallback;
}

/** What a row says of the form, where it says more than the name and the type. */
type Rest<Tag extends string, More, Fallback extends string> = unknown extends More
  ? readonly [form?: Form<Tag, Fallback>]
  : readonly [form: Form<Tag, Fallback> & More];

type Digits = 'int' | 'int64' | 'uint' | 'uint64' | 'float' | 'count' | 'port';
interface Fallbacks extends Record<Digits, `${number}`> {
  readonly bool: 'true' | 'false';
  readonly max: `${number}` | 'max';
  readonly duration: `${number}${'h' | 'm' | 's' | 'ms' | 'ns'}${string}` | '0';
}

/** A row of a table of flags, with a default that its type allows. */
export type FlagRow<Tag extends string, More = unknown> = {
  [Type in FlagType]: readonly [
    name: string,
    type: Type,
    ...Rest<Tag, More, Type extends keyof Fallbacks ? Fallbacks[Type] : string>,
  ];
}[FlagType];

/** A form of a flag, and the releases that have it. */
export interface FlagForm<Tag extends string = string> extends Flag, Period<Tag> {}

/** The form in a row, which has the variables of its name if the row names no other. */
export function flagForm<Tag extends string, More = unknown>(
  [name, type, form]: FlagRow<Tag, More>,
  variablesOf: (name: string) => readonly string[] = () => [],
): FlagForm<Tag> & More {
  const plain = { name, type, aliases: [], fallback: null, environment: variablesOf(name) };
  return { ...plain, ...(form as Form<Tag, string> & More) };
}

/** The variable's name that flags have behind a prefix. */
export function inCapitals(flag: string): string {
  return flag.replaceAll(/[.-]/g, '_').toUpperCase();
}

export interface Flags extends FlagRules {
  /** The flags of one of `programs`. */
  of(program: string): FlagSet;
  /** The node's own default of a flag, whichever program has it. */
  fallback(name: string): string | null;
  /** A flag of this name that another program of this kind has; null if none has. */
  ofAnyProgram(name: string): Flag | null;
  /** From the first to the last release in which some program has a flag of that name; null if none has. */
  period(name: string): Period | null;
  /** Whether the values of a list in the environment and on the command line add up; false if the latter replaces. */
  readonly listsAddUp: boolean;
  /** The prefix of the variables that set flags, which older releases do not read; null if they have several. */
  readonly variablePrefix: string | null;
  /** Whether one release removed many flags, so that they are reported together. */
  readonly removedTogether: boolean;
  /** The switch of a chain for development, which signs with published keys; null if there is none. */
  readonly development: string | null;
  /** Its accounts, where they are not one: `the 20 accounts of --dev, whose mnemonic is public`. */
  readonly developmentAccounts?: string;
  /** A switch and a flag that the node refuses together. */
  readonly exclusive: readonly (readonly [string, string])[];
  /**
   * Flag → flags that are removed with it, since they do nothing without it, and flags that need it: beside one of these, no
   * fix removes it.
   */
  readonly dependents: Readonly<
    Record<string, { readonly removed: readonly string[]; readonly need: readonly string[] }>
  >;
  /** Switches that open an interface once they are given, whatever their value; absent if there are none. */
  readonly onceGiven?: ReadonlySet<string>;
  /** The flags of the node's network, data folder and key: no fix changes them. */
  readonly identity: readonly string[];
  /** The flag of the data folder; null if there is none. */
  readonly dataFolder: string | null;
}

/** The answers of a kind whose flags have nothing of their own: no unlocking, no variables, no pairs that exclude each other. */
export const plainFlags = {
  ofAnyProgram: () => null,
  listsAddUp: false,
  counting: null,
  opensMore: switchOpensMore,
  literal: new Set<string>(),
  variablePrefix: null,
  removedTogether: false,
  development: null,
  exclusive: [],
  dependents: {},
  unlock: null,
  keyFile: null,
  identity: [],
  dataFolder: null,
} satisfies Partial<Flags>;

/** The state of a switch that exposes more: a switch with `disable` in its name exposes more when it is off. */
export function switchOpensMore(name: string): boolean {
  return !name.includes('disable');
}

/** The flags by each of their names, with their defaults as a dialect reads them. */
export function flagSet(dialect: Dialect, flags: readonly Flag[]): FlagSet {
  const byName = new Map<string, Flag>();
  const byEnvironment = new Map<string, Flag>();
  for (const flag of flags) {
    byName.set(flag.name, flag);
    for (const alias of flag.aliases) byName.set(alias, flag);
    for (const variable of flag.environment) byEnvironment.set(variable, flag);
  }
  // V8 copies an object that was built at once thirty times as fast.
  const defaults = Object.fromEntries(flags.map((flag) => [flag.name, untouched(dialect, flag)]));
  return { flags, byName, byEnvironment, defaults };
}

function untouched(dialect: Dialect, flag: Flag): Setting {
  return { value: defaultOf(dialect, flag), origin: { kind: 'default' }, shadowed: [], indeterminate: null };
}

function defaultOf(dialect: Dialect, flag: Flag): SettingValue | null {
  if (flag.type === 'bool') return flag.fallback === 'true';
  if (flag.fallback === null) return null;
  const parsed = dialect.value(flag.type, flag.fallback);
  return 'value' in parsed ? parsed.value : null;
}

/** The value of the first of these flags in a command line; names are without dashes. Returns null if none is given. */
export function valueIn(argv: readonly string[], names: readonly string[]): string | null {
  for (const [at, word] of argv.entries()) {
    const [, name, given] = /^--?([^-=][^=]*)(?:=(.*))?$/s.exec(word) ?? [];
    if (name !== undefined && names.includes(name)) return given ?? argv[at + 1] ?? null;
  }
  return null;
}
