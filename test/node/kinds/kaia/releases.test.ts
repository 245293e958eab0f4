/** The tables by release, against what was read in the sources of each release, where those facts are at hand. */
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { kaia } from '../../../../src/node/kinds/kaia/index.js';
import { latest, type ReleaseId } from '../../../../src/node/kinds/kaia/releases.js';
import type { FlagType } from '../../../../src/node/kinds/kind.js';

interface Period {
  readonly since: string;
  readonly until: string | null;
}
interface Dated extends Period {
  readonly aliases: readonly string[];
  readonly env: readonly string[];
  readonly type: string;
  readonly binaries?: readonly (Period & { readonly names: readonly string[] })[];
  readonly aliasesException?: Readonly<Record<string, Period>>;
}
interface Read {
  readonly versions: readonly { readonly id: string; readonly product: string; readonly tag: string }[];
  readonly flags: Readonly<Record<string, Dated>>;
  readonly modules: Readonly<Record<string, Period>>;
  readonly launcherVariables: Readonly<
    Record<
      string,
      Period & {
        readonly launchers: readonly string[];
        readonly periods?: readonly (Period & { readonly launchers: readonly string[] })[];
      }
    >
  >;
  readonly launcherVariablesEverywhere: readonly string[];
  readonly defaults: readonly {
    readonly what: string;
    readonly values: readonly (Period & { readonly value: string | number })[];
  }[];
}

const file = new URL('../../../../../shared/facts/kaia-versions.json', import.meta.url);
const facts: Read | null = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null;
const read = facts as Read;
const order = facts?.versions.map(({ id }) => id) ?? [];
const holds = (release: string, { since, until }: Period) =>
  order.indexOf(since) <= order.indexOf(release) &&
  (until === null || order.indexOf(release) <= order.indexOf(until));
const everyRelease = kaia.releases.map(({ id }) => id);

test.skipIf(facts === null)('the releases are those of the sources', () => {
  expect(kaia.releases.map(({ id, product, tag }) => ({ id, product, tag }))).toEqual(
    read.versions.map(({ id, product, tag }) => ({ id, product, tag })),
  );
});

test.skipIf(facts === null).each(everyRelease)('every flag of every program: %s', (release) => {
  const { flags } = kaia.at(release);
  for (const program of kaia.programs) {
    const newestNames = new Set(kaia.flags.of(program).flags.map(({ name }) => name));
    const expected = Object.entries(read.flags)
      .filter(([name, flag]) => {
        const binaries = flag.binaries?.find((one) => holds(release, one));
        const has = binaries === undefined ? newestNames.has(name) : binaries.names.includes(program);
        return holds(release, flag) && has;
      })
      .map(([name, flag]) => [name, ...namesAt(release, flag)].join(' '))
      .sort();
    const actual = flags
      .of(program)
      .flags.map(({ name, type, aliases, environment }) =>
        [name, type, ...[...aliases].sort(), ...[...environment].sort()].join(' '),
      )
      .sort();
    expect(actual, program).toEqual(expected);
  }
});

const typeNames: Readonly<Record<string, FlagType>> = { float64: 'float' };

function namesAt(release: string, { type, aliases, env, aliasesException = {} }: Dated): string[] {
  const hasSecondNames = holds(release, { since: 'klaytn/v1.11.0', until: null });
  const isThere = (name: string) => holds(release, aliasesException[name] ?? { since: '', until: null });
  const isRead = (name: string) =>
    holds(release, { since: name.startsWith('KAIA_') ? 'kaia/v0.9.0' : 'klaytn/v1.9.1', until: null });
  return [
    typeNames[type] ?? type,
    ...(hasSecondNames ? aliases.filter(isThere).sort() : []),
    ...env.filter(isRead).sort(),
  ];
}

test.skipIf(facts === null).each(everyRelease)('modules, variables and defaults: %s', (release) => {
  const { modules, launchers, flags } = kaia.at(release);
  const inert = new Set(Object.keys(modules.inert));
  for (const [name, { since, until }] of Object.entries(read.modules)) {
    if (since === null || (inert.has(name) && name !== 'rpc')) continue;
    expect(modules.listed(name) !== null, name).toBe(holds(release, { since, until }));
  }
  if (launchers === null) throw new Error('a node of this kind is started by launchers');
  for (const [name, { launchers: readers, periods, ...period }] of Object.entries(read.launcherVariables)) {
    // Some launchers read it to warn that they ignore it.
    if (name === 'NETWORK') continue;
    const then = periods?.find((one) => holds(release, one));
    const expected = holds(release, period) ? (then?.launchers ?? readers) : [];
    const actual = launchers.names.flatMap((launcher) =>
      launchers.packages
        .filter((from) => launchers.readBy(launcher, from).includes(name))
        .map((from) => `${launcher}/${from}`),
    );
    expect(actual.sort(), name).toEqual([...expected].sort());
  }
  const everywhere = launchers.names.flatMap((launcher) => launchers.readBy(launcher, null));
  expect(everywhere).toEqual(expect.arrayContaining([...read.launcherVariablesEverywhere]));
  for (const { what, values } of read.defaults) {
    const expected = values.find((one) => holds(release, one))?.value;
    if (expected === undefined) continue;
    if (what.startsWith('built-in HTTP and WS'))
      expect([...modules.builtIn].sort(), what).toEqual(
        String(expected)
          .split(',')
          .flatMap((name) => modules.listed(name) ?? [])
          .sort(),
      );
    else if (/^(?:RPC|WS)_API in/.test(what))
      expect(launchers.packagedConf('kend', 'tar')[what.slice(0, what.indexOf(' '))]).toBe(expected);
    else if (what.startsWith('SERVER_TYPE'))
      expect(launchers.packagedConf('kend', 'tar').SERVER_TYPE).toBe(expected);
    else if (flags.period(what) !== null)
      expect(flags.fallback(what), what).toBe(expected === 'none in the flag' ? null : String(expected));
  }
});

test('a release has the interface of its kind and is the same object on each call', () => {
  expect(kaia.at('kaia/v1.0.3')).toBe(kaia.at('kaia/v1.0.3'));
  expect(kaia.at('kaia/v2.2.1')).toBe(kaia);
  expect(() => kaia.at('v1.0.0')).toThrow(/not a release/);
});

test('a flag exists from its first to its last release', () => {
  const { period } = kaia.flags;
  expect(period('rpc')).toEqual({});
  expect(period('rpc.unsafe-debug.disable')).toEqual({ since: 'klaytn/v1.10.0' });
  expect(period('http-rpc.addr')).toEqual({ since: 'klaytn/v1.11.0' });
  expect(period('overwrite-genesis')).toEqual({ since: 'klaytn/v1.5.2', until: 'kaia/v2.1.0' });
  expect(period('testnet')).toEqual({ since: 'kaia/v0.9.0', until: 'kaia/v1.0.0' });
  expect(period('no-such-flag')).toBeNull();
});

test('releases read the file of --conf as their sources do', () => {
  const reads = (release: string, program: string) => kaia.at(release).configFile?.reads(program);
  expect(['klaytn/v1.9.1', 'klaytn/v1.10.2', 'klaytn/v1.11.0'].map((one) => reads(one, 'ken'))).toEqual([
    'switches',
    'nothing',
    'all',
  ]);
  expect(reads('klaytn/v1.10.1', 'kbn')).toBe('all');
});

test('the unsafe-debug switch hides the methods of each release', () => {
  const at = (release: string) => kaia.at(release).probes.unsafeDebug;
  expect(at('klaytn/v1.9.1')).toBeNull();
  expect(at('klaytn/v1.12.0')).toMatchObject({ keepsIpc: false });
  expect(at('klaytn/v1.12.0')?.moved.join()).not.toContain('traceBlockFromFile');
  expect(at('klaytn/v1.12.1')?.moved.join()).toContain('traceBlockFromFile');
});

/** `NETWORK=kairos`, or a name alone. */
function uses(...names: string[]): ReadonlyMap<string, string> {
  return new Map(
    names.map((one) => one.split('=') as [string, string]).map(([name, text = '']) => [name, text]),
  );
}

test('the parts of a range in which nothing changes for some names', () => {
  const parts = (...names: string[]) =>
    kaia.parts('klaytn/v1.8.0', 'kaia/v2.2.1', uses(...names)).map(({ since, until }) => `${since} ${until}`);
  expect(parts('rpcaddr', 'no-such-flag')).toEqual(['klaytn/v1.8.0 kaia/v2.2.1']);
  expect(parts('rpc.unsafe-debug.disable')).toEqual([
    'klaytn/v1.8.0 klaytn/v1.9.1',
    'klaytn/v1.10.0 kaia/v2.2.1',
  ]);
  expect(parts('KAIA_RPC', 'testnet', 'grpc')).toEqual([
    'klaytn/v1.8.0 klaytn/v1.9.1',
    'klaytn/v1.10.0 kaia/v0.8.0',
    'kaia/v0.9.0 kaia/v0.9.0',
    'kaia/v0.9.2 kaia/v1.0.0',
    'kaia/v1.0.1 kaia/v1.0.3',
    'kaia/v2.0.0 kaia/v2.2.1',
  ]);
  expect(kaia.parts('kaia/v1.0.3', 'kaia/v1.0.3', uses('grpc'))).toHaveLength(1);
});

test('a value may keep a release from changing anything', () => {
  const count = (...names: string[]) => kaia.parts('klaytn/v1.5.0', 'kaia/v2.2.1', uses(...names)).length;
  expect([count('RPC_API=klay,net'), count('RPC_API=klay, net')]).toEqual([1, 2]);
  expect([count('NETWORK=cypress'), count('NETWORK=mainnet'), count('NETWORK=kairos')]).toEqual([1, 2, 3]);
  expect(count('NETWORK=kairos', 'NETWORK_ID=1001')).toBe(1);
  expect([count('rpm', 'TXPOOL_LIFE_TIME=5m'), count('rpm')]).toEqual([1, 2]);
});

/** The releases with which a new part begins; `NAME=?`: a value that is not known. */
test.each([
  ['rpcapi', ''],
  ['http-rpc.api', 'klaytn/v1.11.0'],
  ['KLAYTN_RPC', 'klaytn/v1.9.1'],
  ['KLAYTN_RPCAPI', 'klaytn/v1.9.1'],
  ['KAIA_RPC', 'kaia/v0.9.0'],
  ['statedb.cache.redis.endpoints', 'klaytn/v1.5.3 klaytn/v1.11.0'],
  ['conf', 'klaytn/v1.9.1 klaytn/v1.10.0 klaytn/v1.11.0'],
  ['grpc', 'klaytn/v1.10.0 kaia/v2.0.0'],
  ['rpm', 'klaytn/v1.8.3'],
  ['rpm TXPOOL_LIFE_TIME=1', ''],
  ['TXPOOL_LIFE_TIME=1', ''],
  ['RPC_API=a\tb', 'klaytn/v1.9.0'],
  ['WS_API=?', 'klaytn/v1.9.0'],
  ['WS_API=ab', ''],
  ['RPC_VHOSTS=?', ''],
  ['NETWORK=?', 'kaia/v0.9.0 kaia/v1.0.1'],
  ['NETWORK=cypress', ''],
  ['NETWORK=baobab', ''],
  ['NETWORK=mainnet', 'kaia/v0.9.0'],
  ['NETWORK=kairos', 'kaia/v0.9.0 kaia/v1.0.1'],
  ['NETWORK=kairos NETWORK_ID=1', ''],
  ['eth', 'klaytn/v1.8.0'],
  ['auction', 'kaia/v2.1.0'],
  ['chaindatafetcher', 'klaytn/v1.5.2 klaytn/v1.8.4 klaytn/v1.10.0'],
  ['overwrite-genesis', 'klaytn/v1.5.2 kaia/v2.2.0'],
  ['testnet', 'kaia/v0.9.0 kaia/v0.9.2 kaia/v1.0.1'],
  ['toString', ''],
])('settings with %s change their meaning with “%s”', (text, starts) => {
  const given = text.split(' ').map((one) => {
    const [name = '', value = ''] = one.split('=');
    return [name, value === '?' ? null : value] as const;
  });
  const parts = kaia.parts('klaytn/v1.5.0', 'kaia/v2.2.1', new Map(given));
  expect(parts.slice(1).map(({ since }) => since)).toEqual(starts.split(' ').filter(Boolean));
  expect([parts[0]?.since, parts.at(-1)?.until]).toEqual(['klaytn/v1.5.0', 'kaia/v2.2.1']);
});

test('a release at an end of a range begins no part of its own', () => {
  const parts = (since: string, until: string) =>
    kaia.parts(since, until, uses('grpc')).map((part) => `${part.since} ${part.until}`);
  expect(parts('klaytn/v1.10.0', 'kaia/v1.0.3')).toEqual(['klaytn/v1.10.0 kaia/v1.0.3']);
  expect(parts('klaytn/v1.9.1', 'klaytn/v1.10.0')).toEqual([
    'klaytn/v1.9.1 klaytn/v1.9.1',
    'klaytn/v1.10.0 klaytn/v1.10.0',
  ]);
});

test('of values that change, the one whose period began last holds', () => {
  const changes = [
    ['klaytn/v1.6.0', 1],
    ['kaia/v1.0.0', 2],
  ] as const;
  const at = (release: ReleaseId) => latest(release, changes);
  expect((['klaytn/v1.5.3', 'klaytn/v1.6.0', 'kaia/v0.9.2', 'kaia/v1.0.0'] as const).map(at)).toEqual([
    undefined,
    1,
    1,
    2,
  ]);
});

test('within a part every table is the same', () => {
  const names = [
    'rpc',
    'rpc.unsafe-debug.disable',
    'testnet',
    'cypress',
    'KAIA_RPC',
    'chaindatafetcher',
    'kaia',
  ];
  for (const { since, until } of kaia.parts('klaytn/v1.5.0', 'kaia/v2.2.1', uses(...names))) {
    const [first, ...others] = kaia.releases
      .slice(
        kaia.releases.findIndex(({ id }) => id === since),
        kaia.releases.findIndex(({ id }) => id === until) + 1,
      )
      .map(({ id }) => meaning(id, names));
    for (const other of others) expect(other).toEqual(first);
  }
});

function meaning(release: string, names: readonly string[]) {
  const { flags, modules } = kaia.at(release);
  return names.map((name) => ({
    flags: kaia.programs.map((program) => {
      const set = flags.of(program);
      return (set.byName.get(name) ?? set.byEnvironment.get(name))?.name;
    }),
    module: modules.listed(name),
  }));
}
