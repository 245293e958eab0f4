/** The node's flags: names, aliases, environment, defaults. */

import { go } from '../../dialect/go/index.js';
import type { Period } from '../../facts/release.js';
import { type FlagRow, flagForm, flagSet, inCapitals } from '../flags.js';
import { type History, historyOf, type Test, taggedReleases } from '../history.js';
import type { Flag, FlagSet } from '../kind.js';
import { flagTable } from './flag-table.js';
import { bscFlavour, type Flavour, gethFlavour, opFlavour, type Tag } from './flavours.js';
import { bscFlags, lackingInBsc, opFlags } from './fork-flags.js';
import { forkNamed } from './forks.js';
import { formerNames, laterNames } from './names.js';

/** The releases that read GETH_ variables (internal/flags/helpers.go, AutoEnvVars). */
export const readsEnvironment: Period<Tag> = { since: 'v1.13.1' };

/** A form of a flag, and which releases have it. */
type Form = Flag & { readonly has: Test<Tag> };

function formsIn<T extends string>(
  table: readonly FlagRow<T>[],
  has: (period: Period<T>, name: string) => Test<Tag>,
): readonly Form[] {
  return table.map((row) => {
    const { since: _, until: __, ...flag } = flagForm(row, variablesOf);
    return { ...flag, has: has(row[2] ?? {}, row[0]) };
  });
}

function variablesOf(name: string): readonly string[] {
  return /^(?:help|version)$/.test(name) ? [] : [`GETH_${inCapitals(name)}`];
}

/** The flags of geth by the release that a fork is based on, but for those it lacks, and its own ones by its own tags. */
function historyOfFork<T extends string>(
  { id: product, releases }: Flavour,
  own: readonly FlagRow<T>[] = [],
  lacking: readonly (readonly [name: string, period?: Period<T>])[] = [],
): History<Form, Tag> {
  const tags = releases.all.map(({ tag }) => tag);
  const byTag = taggedReleases<string>(product, tags);
  const within = (period: Period<T>): Test<Tag> => {
    return ({ id }) => byTag.holds(id, period);
  };
  const ofGeth = (period: Period<Tag>, name: string): Test<Tag> => {
    const has = releases.within(period);
    const lacks = lacking.flatMap(([one, other = {}]) => (one === name ? [within(other)] : []));
    return (release) => has(release) && !lacks.some((test) => test(release));
  };
  const read = () =>
    [...formsIn(flagTable, ofGeth), ...formsIn(own, within)].filter(({ has }) => releases.all.some(has));
  return historyOf(releases, read, ({ has }) => has);
}

/** What the releases of a flavour have, and had. */
export const flagsOf: Readonly<Record<Flavour['id'], History<Form, Tag>>> = {
  geth: historyOfFork(gethFlavour),
  bsc: historyOfFork(bscFlavour, bscFlags, lackingInBsc),
  'op-geth': historyOfFork(opFlavour, opFlags),
};

/**
 * The flags of one release of a flavour. A former name is an alias in the releases that have the newer one too. `fork`: one
 * that descends from it, and has variables of its own.
 */
export function flagsAt(flavour: Flavour, release: string, fork: string): FlagSet {
  const { id, releases } = flavour;
  const { environment: variables = {}, flags = [] } = forkNamed(flavour, fork);
  const reads = releases.holds(release, readsEnvironment);
  const own = flags.map((row): Flag => flagForm(row, variablesOf));
  const names = new Map([...own, ...flagsOf[id].at(release)].map((row) => [row.name, row]));
  const current = [...names.values()].filter(({ name }) => !names.has(laterNames.get(name) ?? ''));
  return flagSet(
    go,
    current.map((flag) => {
      const former = formerNames[flag.name] ?? '';
      const aliases = names.has(former) ? [...flag.aliases, former] : flag.aliases;
      const environment = [variables[flag.name] ?? [], reads ? flag.environment : []].flat();
      return { ...flag, aliases, environment };
    }),
  );
}

/** The flag of that name or alias in the last release that has it, under all its names; null if none has. */
export function flagOf({ id }: Flavour, name: string): Flag | null {
  const last = flagsOf[id].newest(name);
  const former = formerNames[last?.name ?? ''];
  return last === null || former === undefined ? last : { ...last, aliases: [...last.aliases, former] };
}
