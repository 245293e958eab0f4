/** The node's flags: names, aliases, environment, defaults. */
import { once } from '../../../util/once.js';
import { oncePerKey } from '../../../util/once-per.js';
import { pairs } from '../../../util/pairs.js';
import { go } from '../../dialect/go/index.js';
import { flagSet, inCapitals, rowOf } from '../flags.js';
import type { Flag, FlagSet } from '../kind.js';
import { flagTable } from './flag-table.js';
import { type Binary, binaryOf, type Launcher, launchers } from './names.js';
import { holdsAt, type Period, type ReleaseId, releaseNamed, spanning, within } from './releases.js';

const letters = Object.fromEntries(pairs('kcn=c kpn=p ken=e kscn=C kspn=P ksen=E kbn=b')) as Readonly<
  Record<Binary, string>
>;

export interface FlagForm extends Flag, Period {
  readonly binaries: string;
}

/** urfave/cli v2 in place of v1: flags have second names, and lists of the command line replace those of the environment. */
export const secondLibrarySince: ReleaseId = 'klaytn/v1.11.0';

/** The first release that reads a variable of the environment; before, the environment sets no flag. */
export function environmentSince(name: string): ReleaseId {
  return name.startsWith('KAIA_') ? 'kaia/v0.9.0' : 'klaytn/v1.9.1';
}

/** The forms in the rows of a table. */
export function formsIn(table: string): readonly FlagForm[] {
  const lines = table.trim().split('\n');
  return lines.flatMap((line) => parse(line.split(' ')));
}

/** Every form that a flag had, with the releases it had it in. */
export const flagForms = once(() => formsIn(flagTable));

/** The flags of one release. */
export interface ReleaseFlags {
  /** The flags that the binary behind a launcher accepts. */
  of(launcher: Launcher): FlagSet;
  /** The node's own value of a flag, whichever binary has it. */
  fallback(name: string): string | null;
  /** A flag of that name or alias, whichever binary accepts it. */
  ofAnyBinary(name: string): Flag | null;
}

export function flagsAt(release: ReleaseId): ReleaseFlags {
  const isRead = (name: string) => holdsAt(release, { since: environmentSince(name) });
  const readsAll = isRead('KAIA_');
  const hasAliases = holdsAt(release, { since: secondLibrarySince });
  const asHere = (row: FlagForm): FlagForm => ({
    ...row,
    aliases: hasAliases ? row.aliases : [],
    environment: readsAll ? row.environment : row.environment.filter(isRead),
  });
  const rows = once(() =>
    flagForms()
      .filter((row) => holdsAt(release, row))
      .map(asHere),
  );
  const acceptedBy = (letter: string) => rows().filter(({ binaries }) => accepts(binaries, letter));
  const sets = new Map(
    launchers.map((one) => [one, once(() => flagSet(go, acceptedBy(letters[binaryOf(one)])))]),
  );
  const of = (launcher: Launcher) => (sets.get(launcher) as () => FlagSet)();
  return {
    of,
    fallback: (name) => rows().find((one) => one.name === name)?.fallback ?? null,
    ofAnyBinary(name) {
      for (const launcher of launchers) {
        const flag = of(launcher).byName.get(name);
        if (flag !== undefined) return flag;
      }
      return null;
    },
  };
}

const formsByName = once((): ReadonlyMap<string, readonly FlagForm[]> => {
  const found = new Map<string, FlagForm[]>();
  for (const form of flagForms())
    for (const name of [form.name, ...form.aliases, ...form.environment])
      found.set(name, [...(found.get(name) ?? []), form]);
  return found;
});

/** Every form of the flag of that name, alias or variable. */
export function formsNamed(name: string): readonly FlagForm[] {
  return formsByName().get(name) ?? [];
}

/** Every form of a flag of that name or alias that some binary has, or had. */
export function formsOf(name: string): readonly FlagForm[] {
  return formsNamed(name).filter(
    (form) => form.binaries !== '-' && (form.name === name || form.aliases.includes(name)),
  );
}

/** From the first to the last release in which some binary accepts a flag under that name; null: none does. */
export function periodOfFlag(name: string): Period | null {
  const periods = formsOf(name).flatMap(
    (form) => (form.name === name ? form : within(form, { since: secondLibrarySince })) ?? [],
  );
  return periods.reduce<Period | null>((all, period) => spanning(all ?? period, period), null);
}

function accepts(binaries: string, letter: string): boolean {
  return binaries === 'a' || (binaries === 'n' ? letter !== 'b' : binaries.includes(letter));
}

function parse(words: string[]): FlagForm[] {
  const period = words.at(-1)?.includes('..') ? words.pop() : '..';
  const [name = '', letter = '', binaries = '', ofAliases, ofDefault, variables = ''] = words;
  const { type, aliases, fallback } = rowOf(name, letter, ofAliases, ofDefault);
  const environment = environmentOf(name, variables);
  return binaries.split(',').map((one) => {
    const [accepted = '', own = period] = one.split(':');
    return { name, type, aliases, fallback, environment, binaries: accepted, ...periodIn(own as string) };
  });
}

/** `klaytn/v1.8.0..`: without an end where it is open. */
const periodIn = oncePerKey((text: string): Period => {
  const [since = '', until = ''] = text.split('..');
  return {
    ...(since === '' ? {} : { since: releaseNamed(since) }),
    ...(until === '' ? {} : { until: releaseNamed(until) }),
  };
});

function environmentOf(name: string, rule: string): readonly string[] {
  if (rule === '-') return [];
  if (rule.includes(',')) return rule.split(',');
  const suffix = rule === '' ? inCapitals(name) : rule;
  return [`KLAYTN_${suffix}`, `KAIA_${suffix}`];
}
