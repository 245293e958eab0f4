/** The node's flags: names, aliases, environment, defaults. */
import { once } from '../../../util/once.js';
import { go } from '../../dialect/go/index.js';
import { type FlagRow, flagForm, flagSet } from '../flags.js';
import { historyOf } from '../history.js';
import type { Flag, FlagSet } from '../kind.js';
import { flagTable, type Own, variables } from './flag-table.js';
import { type Binary, binaryOf, type Launcher, launchers } from './names.js';
import { holdsAt, type Period, type ReleaseId, releases } from './releases.js';

export interface FlagForm extends Flag, Period {
  /** The binaries that accept it. */
  readonly binaries: readonly Binary[];
}

/** urfave/cli v2 in place of v1: flags have second names, and lists of the command line replace those of the environment. */
export const secondLibrary = { since: 'klaytn/v1.11.0' } as const;

/** The first release that reads a variable of the environment; before, the environment sets no flag. */
export function environmentSince(name: string): ReleaseId {
  return name.startsWith('KAIA_') ? 'kaia/v0.9.0' : 'klaytn/v1.9.1';
}

/** The forms of a row: one for each period in which other binaries accept the flag. */
function formsIn(row: FlagRow<ReleaseId, Own>): readonly FlagForm[] {
  const { of, ...form } = flagForm(row, variables);
  const [first] = of;
  if (first === undefined || typeof first === 'string')
    return [{ ...form, binaries: of as readonly Binary[] }];
  return (of as readonly (Period & { in: readonly Binary[] })[]).map(({ in: binaries, ...period }) => ({
    ...form,
    ...period,
    binaries,
  }));
}

/** Every form that a flag had, with the releases it had it in. */
export const flagHistory = historyOf(releases, () => flagTable.flatMap(formsIn));

/** The same by the names of their variables. */
export const variableHistory = historyOf(releases, () =>
  flagHistory
    .rows()
    .flatMap((form) => form.environment.map((variable) => ({ ...form, name: variable, aliases: [] }))),
);

export type ReleaseFlags = ReturnType<typeof flagsAt>;

/** The flags of one release. */
export function flagsAt(release: string) {
  const isRead = (name: string) => holdsAt(release, { since: environmentSince(name) });
  const hasAliases = holdsAt(release, secondLibrary);
  const rows = once(() =>
    flagHistory.at(release).map((form) => ({
      ...form,
      aliases: hasAliases ? form.aliases : [],
      environment: form.environment.filter(isRead),
    })),
  );
  const acceptedBy = (binary: Binary) => rows().filter(({ binaries }) => binaries.includes(binary));
  const sets = new Map(launchers.map((one) => [one, once(() => flagSet(go, acceptedBy(binaryOf(one))))]));
  /** The flags that the binary behind a launcher accepts. */
  const of = (launcher: Launcher) => (sets.get(launcher) as () => FlagSet)();
  return {
    of,
    /** The node's own value of a flag, whichever binary has it. */
    fallback: (name: string) => rows().find((one) => one.name === name)?.fallback ?? null,
    /** A flag of that name or alias, whichever binary accepts it. */
    ofAnyBinary(name: string): Flag | null {
      for (const launcher of launchers) {
        const flag = of(launcher).byName.get(name);
        if (flag !== undefined) return flag;
      }
      return null;
    },
  };
}

/** Every form of a flag of that name or alias that some binary has, or had. */
export function formsOf(name: string): readonly FlagForm[] {
  return flagHistory.named(name).filter(({ binaries }) => binaries.length > 0);
}

/** The last of them; null if there is none. */
export function newestFlag(name: string): FlagForm | null {
  return formsOf(name).at(-1) ?? null;
}

/** From the first to the last release in which some binary accepts a flag under that name; null if none does. */
export function periodOfFlag(name: string) {
  const forms = formsOf(name).map((form) => [form.name === name, releases.within(form)] as const);
  const hasAliases = releases.within(secondLibrary);
  return releases.span((release) =>
    forms.some(([isName, has]) => has(release) && (isName || hasAliases(release))),
  );
}
