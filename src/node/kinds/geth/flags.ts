/** The node's flags: names, aliases, environment, defaults. */
import { once } from '../../../util/once.js';
import { go } from '../../dialect/go/index.js';
import { flagSet, inCapitals, rowOf } from '../flags.js';
import type { Flag, FlagSet, Period } from '../kind.js';
import { isWithin } from '../tags.js';
import { flagTable } from './flag-table.js';
import type { Flavour, FlavourRelease } from './flavours.js';
import { forkFlags } from './fork-flags.js';
import { environmentOfFork } from './forks.js';
import { exposeAll, exposesAll, formerNames, laterNames } from './names.js';
import { releaseNamed } from './releases.js';

/** The first release that reads GETH_ variables (internal/flags/helpers.go, AutoEnvVars). */
export const environmentSince = 'v1.13.1';

interface Row extends Flag, Period {
  readonly isLacking: boolean;
}

/** A form of a flag, and the releases that have it: the indexes of the first and the last one. */
export interface FlagForm extends Flag {
  readonly first: number;
  readonly last: number;
}

/** The rows of a table; `- name` for a flag that is lacking. */
function rowsIn(table: string): readonly Row[] {
  return table.split('\n').filter(Boolean).map(rowIn);
}

function rowIn(line: string): Row {
  const [, columns = line, since = '', until = ''] = /^(.*) (v[\d.]*\d)?\.\.(v[\d.]+)?$/.exec(line) ?? [];
  const [name = '', type = '', aliases, fallback] = columns.replace(/^- /, '').split(' ');
  return {
    ...rowOf(name, type, aliases, fallback),
    isLacking: columns.startsWith('- '),
    environment: /^(?:help|version)$/.test(name) ? [] : [`GETH_${inCapitals(name)}`],
    ...(since === '' ? {} : { since }),
    ...(until === '' ? {} : { until }),
  };
}

const gethRows = once(() => rowsIn(flagTable));

/** What is known of the flags of a flavour. */
interface Forms {
  /** Every form of every flag by its name. */
  readonly byName: ReadonlyMap<string, readonly FlagForm[]>;
  /** The names of which one is an alias. */
  readonly named: ReadonlyMap<string, string>;
}

const known = new Map<Flavour, Forms>();

/** The rows of a flavour, each with the releases that have it. */
function* rowsOf({ id }: Flavour): Generator<readonly [Row, (release: FlavourRelease) => boolean]> {
  const own = rowsIn(forkFlags[id] ?? '');
  const lacking = own.filter(({ isLacking }) => isLacking);
  for (const row of gethRows()) {
    const lacks = lacking.filter(({ name }) => name === row.name);
    yield [row, ({ tag, base }) => isWithin(base, row) && !lacks.some((one) => isWithin(tag, one))];
  }
  for (const row of own) if (!row.isLacking) yield [row, ({ tag }) => isWithin(tag, row)];
}

function formsOf(flavour: Flavour): Forms {
  const before = known.get(flavour);
  if (before !== undefined) return before;
  const forms = [...rowsOf(flavour)].flatMap(([row, has]) => spans(row, flavour, has));
  const byName = new Map<string, FlagForm[]>();
  for (const form of forms) byName.set(form.name, [...(byName.get(form.name) ?? []), form]);
  const named = new Map(forms.flatMap(({ name, aliases }) => aliases.map((alias) => [alias, name])));
  known.set(flavour, { byName, named });
  return { byName, named };
}

/** A form of the flag for each run of releases that have it. */
function spans(
  { isLacking: _, since: __, until: ___, ...flag }: Row,
  { releases }: Flavour,
  has: (release: FlavourRelease) => boolean,
): FlagForm[] {
  const runs: { readonly first: number; last: number }[] = [];
  for (const [at, release] of releases.entries()) {
    if (!has(release)) continue;
    const run = runs.at(-1);
    if (run?.last === at - 1) run.last = at;
    else runs.push({ first: at, last: at });
  }
  return runs.map((run) => ({ ...flag, ...run }));
}

/**
 * The flags of one release of a flavour. A former name is an alias in the releases that have the newer one too. `fork`: one
 * that descends from it, and has variables of its own.
 */
export function flagsAt(flavour: Flavour, release: string, fork: string): FlagSet {
  const own = releaseNamed(flavour, release);
  const forks = environmentOfFork(flavour, fork);
  const readsEnvironment = isWithin(own.base, { since: environmentSince });
  const rows = [...rowsOf(flavour)].flatMap(([row, has]) => (has(own) ? [row] : []));
  const names = new Map([...rowsIn(forkFlags[fork] ?? ''), ...rows].map((row) => [row.name, row]));
  const fields = isWithin(own.base, exposesAll) ? [fieldOf(exposeAll)] : [];
  return flagSet(go, [
    ...fields,
    ...[...names.values()]
      .filter(({ name }) => !names.has(laterNames.get(name) ?? ''))
      .map(({ isLacking: _, since: __, until: ___, ...flag }) => {
        const former = formerNames[flag.name] ?? '';
        return {
          ...flag,
          aliases: names.has(former) ? [...flag.aliases, former] : flag.aliases,
          environment: [forks[flag.name] ?? [], readsEnvironment ? flag.environment : []].flat(),
        };
      }),
  ]);
}

/** A switch of the file of settings alone. */
function fieldOf(name: string): Flag {
  return { name, type: 'bool', aliases: [], fallback: null, environment: [] };
}

/** The forms of the flag of that name or alias, oldest first. */
export function formsNamed(flavour: Flavour, name: string): readonly FlagForm[] {
  const { byName, named } = formsOf(flavour);
  return byName.get(name) ?? byName.get(named.get(name) ?? '') ?? [];
}

/** The flag of that name or alias in the last release that has it, under all its names; null: none has. */
export function flagOf(flavour: Flavour, name: string): Flag | null {
  const last = formsNamed(flavour, name).at(-1);
  if (last === undefined) return null;
  const former = formerNames[last.name];
  return former === undefined ? last : { ...last, aliases: [...last.aliases, former] };
}

/** From the first to the last release with a flag of that name, in ids; null: none has. */
export function periodOfFlag(flavour: Flavour, name: string): Period | null {
  const forms = formsNamed(flavour, name);
  if (forms.length === 0) return null;
  const [first, last] = [
    Math.min(...forms.map((form) => form.first)),
    Math.max(...forms.map((form) => form.last)),
  ];
  const { releases } = flavour;
  return {
    ...(first === 0 ? {} : { since: releases[first]?.id as string }),
    ...(last === releases.length - 1 ? {} : { until: releases[last]?.id as string }),
  };
}
