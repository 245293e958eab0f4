/** The node's flags: names, aliases, environment, defaults. */
import { once } from '../../../util/once.js';
import { flagSet, typesByLetter } from '../flags.js';
import type { Flag, FlagSet, FlagType, Period } from '../kind.js';
import { flagTable } from './flag-table.js';
import type { Flavour } from './flavours.js';
import { holdsAt } from './releases.js';

interface Row extends Flag, Period {
  readonly flavours: string;
}

/** The first release that reads GETH_ variables (internal/flags/helpers.go, AutoEnvVars). */
export const environmentSince = 'v1.13.1';

const rows = once((): readonly Row[] => flagTable.trim().split('\n').map(parse));

function parse(line: string): Row {
  const [, columns = line, since = '', until = ''] = /^(.*) (v[\d.]*\d)?\.\.(v[\d.]+)?$/.exec(line) ?? [];
  const [name = '', type = '', flavours = '', aliases = '-', fallback = '-'] = columns.split(' ');
  return {
    name,
    type: typesByLetter[type] as FlagType,
    flavours,
    aliases: aliases === '-' ? [] : aliases.split(','),
    fallback: fallback === '-' ? null : fallback,
    environment: /^(?:help|version)$/.test(name)
      ? []
      : [`GETH_${name.replaceAll(/[.-]/g, '_').toUpperCase()}`],
    ...(since === '' ? {} : { since }),
    ...(until === '' ? {} : { until }),
  };
}

/** Every row of a flavour, whatever the release. */
export function rowsOf({ letter }: Flavour): readonly Row[] {
  return rows().filter(({ flavours }) => flavours === 'a' || flavours.includes(letter));
}

/** The flags of one release of a flavour. */
export function flagsAt(flavour: Flavour, release: string): FlagSet {
  const readsEnvironment = holdsAt(flavour, release, { since: environmentSince });
  return flagSet(
    rowsOf(flavour)
      .filter((row) => holdsAt(flavour, release, row))
      .map((row) => (readsEnvironment ? row : { ...row, environment: [] })),
  );
}

/** The flag of that name or alias in the last release that has it; null: none has. */
export function flagOf(flavour: Flavour, name: string): Row | null {
  return rowsOf(flavour).find((row) => row.name === name || row.aliases.includes(name)) ?? null;
}
