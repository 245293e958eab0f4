/** Every row of every table that kinds are made of: the order of forms, overlaps, gaps, defaults and names. */
import { describe, expect, test } from 'vitest';
import type { Dialect } from '../../../src/node/dialect/dialect.js';
import type { Period } from '../../../src/node/facts/release.js';
import { amountOf } from '../../../src/node/kinds/caps.js';
import { flagsOf as erigonFlags } from '../../../src/node/kinds/erigon/flags.js';
import { services as erigonServices } from '../../../src/node/kinds/erigon/methods.js';
import { moduleHistory as erigonModules } from '../../../src/node/kinds/erigon/modules.js';
import { releases as erigonReleases } from '../../../src/node/kinds/erigon/releases.js';
import { keyHistory } from '../../../src/node/kinds/geth/config-file.js';
import { forkKeys } from '../../../src/node/kinds/geth/config-keys.js';
import { flagTable } from '../../../src/node/kinds/geth/flag-table.js';
import { flagsOf as gethFlags } from '../../../src/node/kinds/geth/flags.js';
import { bscFlavour, gethFlavour, opFlavour } from '../../../src/node/kinds/geth/flavours.js';
import {
  bscFlags,
  celoFlags,
  lackingInBsc,
  opFlags,
  quorumFlags,
} from '../../../src/node/kinds/geth/fork-flags.js';
import { services as gethServices } from '../../../src/node/kinds/geth/methods.js';
import { moduleHistory as gethModules } from '../../../src/node/kinds/geth/modules.js';
import type { History, Releases } from '../../../src/node/kinds/history.js';
import { kinds } from '../../../src/node/kinds/index.js';
import { flagHistory as kaiaFlags } from '../../../src/node/kinds/kaia/flags.js';
import { services as kaiaServices } from '../../../src/node/kinds/kaia/methods.js';
import { moduleHistory as kaiaModules } from '../../../src/node/kinds/kaia/modules.js';
import { binaryOf, launchers } from '../../../src/node/kinds/kaia/names.js';
import { releases as kaiaReleases } from '../../../src/node/kinds/kaia/releases.js';
import { knownVariables, readersAt } from '../../../src/node/kinds/kaia/variables.js';
import type { Flag, Kind } from '../../../src/node/kinds/kind.js';
import { others } from '../../../src/node/kinds/others.js';
import { services as rethServices } from '../../../src/node/kinds/reth/answers.js';
import { flagsOf as rethFlags } from '../../../src/node/kinds/reth/flag-table.js';
import { opFlavour as opReth, rethFlavour } from '../../../src/node/kinds/reth/flavours.js';
import { modulesOf as rethModules } from '../../../src/node/kinds/reth/modules.js';

type Row = Period & { readonly name: string; readonly aliases?: readonly string[] };

/** The rows of a history that some program has, and its releases. */
interface Table {
  readonly name: string;
  readonly releases: Pick<Releases, 'all' | 'whole'>;
  readonly history: Pick<History<Row>, 'rows' | 'at'>;
}

function table<R extends Row>(
  name: string,
  releases: Table['releases'],
  history: Pick<History<R>, 'rows' | 'at'>,
  of: (row: R) => boolean = () => true,
): Table {
  const rows = (some: readonly R[]) => some.filter(of);
  return { name, releases, history: { rows: () => rows(history.rows()), at: (id) => rows(history.at(id)) } };
}

const flagTables: readonly (Table & { readonly dialect: Dialect })[] = [
  ...launchers.map(binaryOf).map((one) => ({
    ...table(`flags of ${one}`, kaiaReleases, kaiaFlags, ({ binaries }) => binaries.includes(one)),
    dialect: dialectOf('kaia'),
  })),
  { ...table('flags of geth', gethFlavour.releases, gethFlags.geth), dialect: dialectOf('geth') },
  { ...table('flags of bsc', bscFlavour.releases, gethFlags.bsc), dialect: dialectOf('bsc') },
  { ...table('flags of op-geth', opFlavour.releases, gethFlags['op-geth']), dialect: dialectOf('op-geth') },
  { ...table('flags of erigon', erigonReleases, erigonFlags.erigon), dialect: dialectOf('erigon') },
  { ...table('flags of rpcdaemon', erigonReleases, erigonFlags.rpcdaemon), dialect: dialectOf('erigon') },
  { ...table('flags of reth', rethFlavour.releases, rethFlags.reth), dialect: dialectOf('reth') },
  { ...table('flags of op-reth', opReth.releases, rethFlags['op-reth']), dialect: dialectOf('op-reth') },
];

const moduleTables: readonly Table[] = [
  table('modules of kaia', kaiaReleases, kaiaModules),
  ...([gethFlavour, bscFlavour, opFlavour] as const).map(({ id, releases }) =>
    table(
      `modules of ${id}`,
      releases,
      {
        rows: gethModules.rows,
        at: (release) => gethModules.rows().filter((row) => releases.holds(release, row)),
      },
      (row) => (row.flavours ?? [id]).includes(id),
    ),
  ),
  table('modules of erigon', erigonReleases, erigonModules),
  table('modules of reth', rethFlavour.releases, rethModules.reth),
  table('modules of op-reth', opReth.releases, rethModules['op-reth']),
];

function dialectOf(id: string): Dialect {
  return kinds.find((kind) => kind.id === id)?.dialect as Dialect;
}

/** Flags and modules that sources had, lost and had again. */
const gaps: ReadonlySet<string> = new Set([
  'flags of geth: rpccorsdomain',
  'flags of geth: rpcvhosts',
  'flags of reth: engine.precompile-cache',
  'flags of reth: prune.receiptslogfilter',
]);

const walked = [...flagTables, ...moduleTables].map((one) => [one.name, one] as const);
/** Forks have rows of the program that they descend from, whose releases lie between theirs. */
const own = walked.filter(([name]) => !/ (?:bsc|op-\w+)$/.test(name));

/** Whether a period ends before it begins: its tags are those of the releases, or the ends of their ids. */
function isReversed({ all }: Pick<Releases, 'all'>, { since, until }: Period): boolean {
  const placeOf = (tag: string) => all.findIndex(({ id }) => id === tag || id.endsWith(`/${tag}`));
  // Rows of forks also name releases of the program that they descend from, whose own table is walked too.
  return until !== undefined && placeOf(until) >= 0 && placeOf(since ?? '') > placeOf(until);
}

const formsOf = ({ releases, history }: Table) => releases.all.map(({ id }) => history.at(id));

describe.each(walked)('%s', (_, one) => {
  test('no release has two rows of one name or alias', () => {
    for (const [at, rows] of formsOf(one).entries()) {
      const names = rows.flatMap(({ name, aliases = [] }) => [name, ...aliases]);
      const twice = names.filter((name, index) => names.indexOf(name) !== index);
      expect(twice, one.releases.all[at]?.id).toEqual([]);
    }
  });

  test('no period of a row ends before it begins', () => {
    const reversed = one.history.rows().filter((row) => isReversed(one.releases, row));
    expect(reversed.map(({ name }) => name)).toEqual([]);
  });

  test('names are words', () => {
    for (const { name, aliases = [] } of one.history.rows()) {
      expect([name, ...aliases].filter((word) => !/^[A-Za-z][\w.-]*$/.test(word))).toEqual([]);
      expect(aliases).not.toContain(name);
    }
  });
});

describe.each(own)('%s', (_, one) => {
  test('the rows of a name are in the order of their releases, without a gap, and say something new', () => {
    const names = new Set(one.history.rows().map(({ name }) => name));
    const forms = formsOf(one).map((rows) => new Map(rows.map((row) => [row.name, row])));
    for (const name of names) {
      const has = forms.map((rows) => rows.get(name));
      const first = has.findIndex((row) => row !== undefined);
      const last = has.findLastIndex((row) => row !== undefined);
      const within = has.slice(first, last + 1);
      expect(within.includes(undefined), `a gap of ${name}`).toBe(gaps.has(`${one.name}: ${name}`));
      const different = within.filter((row, at) => row !== undefined && row !== within[at - 1]);
      const rows = one.history.rows().filter((row) => row.name === name && has.includes(row));
      expect(different, name).toEqual(rows);
      for (const [at, form] of different.entries())
        if (!within.includes(undefined)) expect(said(form), name).not.toBe(said(different[at + 1]));
    }
  });

  test('an open end is not written', () => {
    const { since: first, until: last } = one.releases.whole;
    const ends = one.history
      .rows()
      .flatMap(({ name, since, until }) => [
        ...(first.endsWith(`/${since}`) || first === since ? [`${name} since`] : []),
        ...(last.endsWith(`/${until}`) || last === until ? [`${name} until`] : []),
      ]);
    expect(ends).toEqual([]);
  });
});

/** What a row says, but for its period. */
function said(row: Row | undefined): string {
  const { since: _, until: __, ...rest } = row ?? { name: '' };
  return JSON.stringify(rest);
}

test.each(flagTables.map((one) => [one.name, one] as const))(
  'the defaults of the %s are values',
  (_, one) => {
    const flags = one.history.rows() as readonly (Row & Flag)[];
    const bad = flags.filter(
      ({ type, fallback }) => fallback !== null && !('value' in one.dialect.value(type, fallback)),
    );
    expect(bad.map(({ name, fallback }) => `${name} ${fallback}`)).toEqual([]);
  },
);

test.each(['quorum', 'celo-blockchain'])('the flags of %s are once each', (fork) => {
  const names = { quorum: quorumFlags, 'celo-blockchain': celoFlags }[fork]?.map(([name]) => name) ?? [];
  expect(names).toEqual([...new Set(names)].sort((a, b) => (a < b ? -1 : 1)));
});

test('an open end of a flag of geth is not written', () => {
  const { since: first, until: last } = gethFlavour.releases.whole;
  const ends = flagTable.filter(
    ([, , { since, until } = {}]) => first === `geth/${since}` || last === `geth/${until}`,
  );
  expect(ends).toEqual([]);
});

test.each([
  ['geth', gethFlavour, flagTable],
  ['bsc', bscFlavour, bscFlags],
  ['op-geth', opFlavour, opFlags],
] as const)('no period of a flag in the table of %s ends before it begins', (_, { releases }, rows) => {
  const reversed = rows.filter(([, , period = {}]) => isReversed(releases, period));
  expect(reversed.map(([name]) => name)).toEqual([]);
});

test('a period that ends before it begins is found by tags and by ids', () => {
  const { releases } = gethFlavour;
  expect(isReversed(releases, { since: 'v1.10.0', until: 'v1.9.0' })).toBe(true);
  expect(isReversed(releases, { since: 'geth/v1.9.10', until: 'geth/v1.9.9' })).toBe(true);
  expect(isReversed(releases, { since: 'v1.9.9', until: 'v1.9.10' })).toBe(false);
  expect(isReversed(releases, { since: 'v1.9.9' })).toBe(false);
});

test('bsc lacks flags that geth has', () => {
  const has = new Set(gethFlags.geth.rows().map(({ name }) => name));
  expect(lackingInBsc.filter(([name]) => !has.has(name))).toEqual([]);
});

/** True for a flag that some program of the kind has in some release. */
const isFlag = (id: string, name: string) =>
  kinds.find((kind) => kind.id === id)?.flags.ofAnyRelease(name) != null;

test.each(kinds.map((kind) => [kind.id, kind] as const))(
  'what %s says of flags is said of flags',
  (id, kind) => {
    const { caps, flags } = kind.interfaces;
    const named = [
      ...caps.map(({ flag }) => flag),
      ...Object.values(flags).flatMap((part) =>
        Object.values<string | null>(part).flatMap((flag) => flag ?? []),
      ),
      ...kind.secrets.map(({ flag }) => flag),
      ...kind.flags.exclusive.flat(),
      ...Object.entries(kind.flags.dependents).flatMap(([flag, { removed, need }]) => [
        flag,
        ...removed,
        ...need,
      ]),
      ...[kind.flags.development, kind.flags.dataFolder, kind.flags.unlock].filter((flag) => flag !== null),
      ...(kind.configFile === null ? [] : [kind.configFile.flag]),
    ];
    // Forks lack some that geth has.
    expect(named.filter((name) => !isFlag(id, name) && !isFlag('geth', name))).toEqual([]);
    for (const { flag, usual, instead } of caps) {
      const { type } = kind.flags.ofAnyRelease(flag) ?? { type: 'string' };
      for (const value of [usual, instead])
        if (value !== undefined) expect(amountOf(kind.dialect, type, value), flag).not.toBeNull();
    }
  },
);

test('the modules that a switch registers name flags', () => {
  const forks = new Set(quorumFlags.map(([name]) => name));
  const names = gethModules
    .rows()
    .flatMap(({ bySwitch = [], unlessSwitch = [] }) => [bySwitch, unlessSwitch].flat());
  expect(names.filter((name) => !isFlag('geth', name) && !forks.has(name))).toEqual([]);
  const ofKaia = kaiaModules
    .rows()
    .flatMap(({ bySwitch = [], unlessSwitch = [] }) => [bySwitch, unlessSwitch].flat());
  expect(ofKaia.filter((name) => !isFlag('kaia', name))).toEqual([]);
});

test('no release has a key of the file twice, and each names a flag or none', () => {
  for (const { id } of gethFlavour.releases.all) {
    const names = keyHistory.at(id).map(({ name }) => name);
    expect(
      names.filter((name, at) => names.indexOf(name) !== at),
      id,
    ).toEqual([]);
  }
  const field = 'Node.WSExposeAll';
  const flags = keyHistory.rows().flatMap(({ flag }) => flag ?? []);
  expect(flags.filter((flag) => flag !== field && !isFlag('geth', flag))).toEqual([]);
  for (const [fork, rows] of Object.entries(forkKeys))
    for (const [, keys, { flag } = {}] of rows) {
      expect(keys.filter((key) => !/^[A-Z]\w*$/.test(key))).toEqual([]);
      if (flag !== undefined) expect(isFlag(fork, flag), flag).toBe(true);
    }
});

test.each([
  ['kaia', kaiaServices],
  ['geth', gethServices],
  ['erigon', erigonServices],
  ['reth', rethServices],
] as const)('the methods of %s are words with numbers of parameters', (id, services) => {
  const kind = kinds.find((one) => one.id === id) as Kind;
  const namespaces = new Set(
    kinds.flatMap(({ releases, at }) => releases.flatMap((one) => Object.keys(at(one.id).modules.catalogue))),
  );
  for (const { namespace, methods, subscriptions = {} } of services) {
    expect(namespaces, kind.id).toContain(namespace);
    for (const [name, arity] of Object.entries({ ...methods, ...subscriptions })) {
      const [required, most] = typeof arity === 'number' ? [arity, arity] : arity;
      const isSound = /^[a-z]\w*$/.test(name) && required >= 0 && most < 10;
      expect(isSound && (typeof arity === 'number' || required < most), `${namespace}_${name}`).toBe(true);
    }
  }
});

test('no launcher reads a variable by two rows at a release', () => {
  for (const { id } of kaiaReleases.all) {
    const { readersByName } = readersAt(id);
    for (const name of knownVariables()) {
      const readers = readersByName(name) ?? [];
      expect(
        readers.filter((one, at) => readers.indexOf(one) !== at),
        `${name} ${id}`,
      ).toEqual([]);
    }
  }
});

const settingName = /^(?:--?[A-Za-z][\w.-]*|\$[A-Z][A-Z0-9_]*|[a-z][\w-]*(?:\.[\w-]+)*)$/;

describe('other clients', () => {
  const clients = others();

  test('each has a name of its own, and what says so', () => {
    const names = clients.map(({ name }) => name);
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
    const unknown = clients.filter(
      ({ programs, sharedPrograms, images }) =>
        programs.length + sharedPrograms.length === 0 && images === null,
    );
    expect(unknown.map(({ name }) => name)).toEqual([]);
    expect(clients.filter(({ serving, idle }) => serving.some((one) => idle.includes(one)))).toEqual([]);
  });

  test('their settings are flags, variables or keys, and their addresses are addresses', () => {
    for (const { name, own, beside, configFiles, interfaces } of clients) {
      for (const flag of [...own, ...beside]) expect(flag, name).toMatch(/^[A-Za-z0-9][\w.-]*\*?$/);
      for (const setting of configFiles) expect(setting, name).toMatch(settingName);
      for (const one of interfaces) {
        const { enable, disable, needs, addr, port, api, origins, hosts, switches } = one;
        const named = [enable, disable, needs, addr, port, api, origins, hosts].flat();
        for (const setting of named) expect(setting, `${name} ${one.name}`).toMatch(settingName);
        for (const setting of Object.keys(switches)) expect(setting.replace(/=.*/, '')).toMatch(settingName);
        const [host, number] = one.usual;
        expect(number === null || (Number.isInteger(number) && number > 0 && number < 65_536), name).toBe(
          true,
        );
        expect(host === null || /^(?:[a-z][\w.-]*|\d+(?:\.\d+){3}|\[[\da-f:]+\]|)$/.test(host), name).toBe(
          true,
        );
      }
    }
  });
});
