/** The node's flags: names, aliases, environment, defaults. */
import { flagSet } from '../flags.js';
import type { Flag, FlagSet, FlagType } from '../kind.js';
import { flagTable } from './flag-table.js';
import { type Binary, binaryOf, type Launcher, launchers } from './names.js';

const types: Readonly<Record<string, FlagType>> = {
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
const letters: Readonly<Record<Binary, string>> = {
  kcn: 'c',
  kpn: 'p',
  ken: 'e',
  kscn: 'C',
  kspn: 'P',
  ksen: 'E',
  kbn: 'b',
};

/** Each row as a flag, with the binaries that have it. */
const rows = flagTable
  .trim()
  .split('\n')
  .map((line) => line.split(' '))
  .map((row) => ({ flag: parse(row), binaries: row[2] ?? '' }));

const sets: ReadonlyMap<Launcher, FlagSet> = new Map(
  launchers.map((launcher) => {
    const letter = letters[binaryOf(launcher)];
    const accepted = rows.filter(({ binaries }) => accepts(binaries, letter));
    return [launcher, flagSet(accepted.map(({ flag }) => flag))];
  }),
);

/** The flags that the binary behind a launcher accepts. */
export function flagsOf(launcher: Launcher): FlagSet {
  return sets.get(launcher) as FlagSet;
}

/** A flag of that name that another binary accepts. */
export function flagOfAnyBinary(name: string): Flag | null {
  for (const launcher of launchers) {
    const flag = flagsOf(launcher).byName.get(name);
    if (flag !== undefined) return flag;
  }
  return null;
}

/** The node's own default of a flag, whichever binary has it. */
export function fallbackOf(name: string): string | null {
  return rows.find(({ flag }) => flag.name === name)?.flag.fallback ?? null;
}

function accepts(binaries: string, letter: string): boolean {
  return (
    binaries === 'a' ||
    (binaries === 'n' && letter !== 'b') ||
    (binaries.includes(letter, 0) && binaries !== 'n')
  );
}

function parse([name = '', type = '', , aliases = '-', fallback = '-', environment = '']: string[]): Flag {
  return {
    name,
    type: types[type] as FlagType,
    aliases: aliases === '-' ? [] : aliases.split(','),
    fallback: fallback === '-' ? null : fallback,
    environment: environmentOf(name, environment),
  };
}

function environmentOf(name: string, rule: string): readonly string[] {
  if (rule === '-') return [];
  if (rule.includes(',')) return rule.split(',');
  const suffix = rule === '' ? name.replaceAll(/[.-]/g, '_').toUpperCase() : rule;
  return [`KLAYTN_${suffix}`, `KAIA_${suffix}`];
}
