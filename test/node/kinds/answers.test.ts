import { expect, test } from 'vitest';
import type { Setting, SettingValue } from '../../../src/node/facts/settings.js';
import type { Answers } from '../../../src/node/kinds/answers.js';
import { bscFlavour, gethFlavour, opFlavour } from '../../../src/node/kinds/geth/flavours.js';
import { kindsOf } from '../../../src/node/kinds/geth/index.js';
import { kaia as ofKaia } from '../../../src/node/kinds/kaia/index.js';
import type { ReleaseId } from '../../../src/node/kinds/kaia/releases.js';
import { confOf } from '../judge/facts.js';

type Values = Readonly<Record<string, SettingValue>>;

function settingsOf(
  launcher: string,
  given: Values,
  origin: Setting['origin'] = { kind: 'flag', flag: 'x', at: null },
) {
  const values = Object.entries(given).map(([name, value]) => {
    return [name, { value, origin, shadowed: [], indeterminate: null }] as const;
  });
  return confOf([], { launcher, values: Object.fromEntries(values) }).settings;
}

const kaia = (given: Values, release: ReleaseId = 'kaia/v2.2.1', launcher = 'kend') =>
  ofKaia.at(release).answers(settingsOf(launcher, given));

function geth(given: Values, release = 'geth/v1.17.8', origin?: Setting['origin']): Promise<Answers> {
  const flavour = { bsc: bscFlavour, 'op-geth': opFlavour }[release.split('/')[0] as string] ?? gethFlavour;
  return kindsOf(flavour)
    .at(release)
    .answers(settingsOf('geth', given, origin));
}

const account = `0x${'aB'.repeat(20)}`;
const other = `0x${'1'.repeat(40)}`;

test.each<[Values, client: string, chain: number, accounts: readonly string[]]>([
  [{}, 'Klaytn/v2.2.1', 8217, []],
  [{ identity: 'en-1' }, 'Klaytn/en-1/v2.2.1', 8217, []],
  [{ networkid: 7 }, 'Klaytn/v2.2.1', 7, []],
  [{ networkid: 7, kairos: true }, 'Klaytn/v2.2.1', 1001, []],
  [{ networkid: -1, kairos: false }, 'Klaytn/v2.2.1', 8217, []],
  [{ networkid: 1.5 }, 'Klaytn/v2.2.1', 8217, []],
  [{ unlock: `${account},${other}` }, 'Klaytn/v2.2.1', 8217, [account, other]],
  [{ unlock: '0' }, 'Klaytn/v2.2.1', 8217, []],
])(
  'Kaia with %j answers as %s on the chain %d with the accounts %j',
  async (given, client, chainId, accounts) => {
    const answers = await kaia(given);
    expect(answers).toMatchObject({ client: `${client}/linux-amd64/go1.25.3`, chainId, accounts });
  },
);

test.each<[Values, limits: object]>([
  [{}, { httpBytes: 524_288, wsBytes: 524_288, executionMs: 30_000, connections: 3000, subscriptions: 3000 }],
  [
    { rpcexecutiontimeout: 0, wsmaxconnections: 0 },
    { executionMs: 30_000, connections: 0 },
  ],
  [
    { rpcexecutiontimeout: 2, maxRequestContentLength: 9 },
    { executionMs: 2000, httpBytes: 9, wsBytes: 9 },
  ],
  [
    { wsmaxconnections: -1, wsmaxsubscriptionperconn: 1 },
    { connections: 3000, subscriptions: 1 },
  ],
])('Kaia with %j has the limits %j', async (given, limits) => {
  expect((await kaia(given)).limits).toMatchObject(limits);
});

/** The methods of some services, joined. */
const methodsOf = (answers: Answers, ...query: Parameters<Answers['services']>) =>
  answers
    .services(...query)
    .flatMap(({ methods }) => Object.keys(methods))
    .join(' ');

test('Kaia serves the services of the listed modules, and hides what switches hide', async () => {
  const open = await kaia({});
  const namespaces = (answers: Answers, ...names: string[]) => [
    ...new Set(answers.services('http', names).map(({ namespace }) => namespace)),
  ];
  expect(namespaces(open, 'eth', 'kaia')).toEqual(['eth', 'kaia', 'rpc']);
  expect(namespaces(open)).toEqual(['rpc']);
  expect(namespaces(await kaia({}, 'klaytn/v1.9.1'), 'kaia')).toEqual(['klay', 'rpc']);
  expect(methodsOf(open, 'http', ['debug'])).toMatch(/setHead.*isGaslessTx/s);
  const gone = await kaia({ 'rpc.unsafe-debug.disable': true, 'gasless.disable': true });
  expect(methodsOf(gone, 'http', ['debug'])).not.toMatch(/setHead|isGaslessTx/);
  expect(methodsOf(gone, 'http', ['debug'])).toContain('getBlockRlp');
  expect(methodsOf(gone, 'ipc', ['debug'])).toContain('setHead');
  const older = await kaia({ 'rpc.unsafe-debug.disable': true }, 'klaytn/v1.12.0');
  expect(methodsOf(older, 'ipc', ['debug'])).not.toContain('setHead');
  const boot = await kaia({}, 'kaia/v2.2.1', 'kbnd');
  expect(methodsOf(boot, 'ipc', ['admin', 'kaia', 'bootnode'])).toMatch(/addPeer.*lookup/s);
  expect(methodsOf(boot, 'ipc', ['admin', 'kaia'])).not.toMatch(/exportChain|getBalance/);
});

test('Kaia looks names up under others, and answers of its accounts and wallets', async () => {
  const { aliases, results, wire } = await kaia({});
  expect(aliases).toEqual({ methods: { klay: 'kaia' }, subscriptions: { klay: 'kaia' } });
  expect((await kaia({ 'rpc.eth.noncompatible': true })).aliases.methods).toEqual({
    klay: 'kaia',
    eth: 'kaia',
  });
  expect((await kaia({}, 'klaytn/v1.9.1')).aliases.methods).toEqual({ klay: 'klay' });
  const node = { client: 'X', chainId: 10, accounts: [account, other], unlocked: [other] };
  const answer = (name: string) => results[name]?.(node);
  expect(
    ['kaia_chainID', 'klay_chainID', 'kaia_clientVersion', 'net_networkID', 'personal_listAccounts'].map(
      answer,
    ),
  ).toEqual(['0xa', '0xa', 'X', 10, [account, other]]);
  const url = (address: string) => `keystore:///var/kend/data/keystore/${address}`;
  expect(answer('personal_listWallets')).toEqual([
    { url: url(account), status: 'Locked', accounts: [{ address: account, url: url(account) }] },
    { url: url(other), status: 'Unlocked', accounts: [{ address: other, url: url(other) }] },
  ]);
  expect(wire).toMatchObject({
    takesObjects: false,
    ignoresParams: true,
    isCompact: false,
    needsVersion: false,
    preflight: 200,
    prefix: { http: null, ws: null },
    lowersHost: false,
    sharesPort: false,
    graphql: null,
    metrics: { profiler: true, metrics: { path: '/metrics' } },
  });
  expect([wire.allowsOrigin('a', 'a'), wire.allowsOrigin('a', 'b')]).toEqual([true, false]);
  expect((await kaia({}, 'klaytn/v1.9.1')).wire.takesObjects).toBe(true);
});

test.each<[release: string, Values, client: string, chain: number, accounts: readonly string[]]>([
  ['geth/v1.17.8', {}, 'Geth/v1.17.8-stable', 1, []],
  ['geth/v1.17.8', { identity: 'a' }, 'Geth/a/v1.17.8-stable', 1, []],
  ['geth/v1.17.8', { sepolia: true }, 'Geth/v1.17.8-stable', 11_155_111, []],
  ['geth/v1.17.8', { sepolia: true, networkid: 5 }, 'Geth/v1.17.8-stable', 5, []],
  [
    'geth/v1.17.8',
    { dev: true },
    'Geth/v1.17.8-stable',
    1337,
    ['0x71562b71999873db5b286df957af199ec94617f7'],
  ],
  ['geth/v1.9.0', { unlock: account }, 'Geth/v1.9.0-stable', 1, [account]],
  ['geth/v1.17.8', { unlock: account }, 'Geth/v1.17.8-stable', 1, []],
  ['bsc/v1.7.8', { unlock: account }, 'Geth/v1.7.8', 56, [account]],
  ['bsc/v1.7.8', { chapel: true }, 'Geth/v1.7.8', 97, []],
  ['op-geth/v1.101702.3', {}, 'Geth/v1.101702.3-stable', 1, []],
])(
  '%s with %j answers as %s on the chain %d with the accounts %j',
  async (release, given, client, chainId, accounts) => {
    const answers = await geth(given, release);
    expect(answers).toMatchObject({ client: `${client}/linux-amd64/go1.26.8`, chainId, accounts });
  },
);

test('geth serves its services, and its wire follows the release and the settings', async () => {
  const recent = await geth({});
  expect([...new Set(recent.services('http', ['eth', 'mev']).map(({ namespace }) => namespace))]).toEqual([
    'eth',
    'rpc',
  ]);
  expect(methodsOf(recent, 'http', ['eth'])).toContain('capabilities');
  const bsc = await geth({}, 'bsc/v1.7.8');
  expect(methodsOf(bsc, 'http', ['eth', 'mev'])).toMatch(/coinbase.*sendBid/s);
  expect(methodsOf(bsc, 'http', ['eth'])).not.toContain('capabilities');
  const wires = [recent, await geth({}, 'geth/v1.17.3'), bsc].map(({ wire }) =>
    [wire.isCompact, wire.lowersHost, wire.wrongPath, wire.preflight].join(' '),
  );
  expect(wires).toEqual(['true true 404 200', 'false false 200 200', 'false false 200 204']);
  expect(recent.limits).toMatchObject({ httpBytes: 5_242_880, wsBytes: 33_554_432, executionMs: 30_000 });
  expect(recent.wire).toMatchObject({
    takesObjects: false,
    ignoresParams: false,
    needsVersion: true,
    sharesPort: true,
  });
  expect((await geth({ 'http.rpcprefix': '/a' })).wire.prefix).toEqual({ http: '/a', ws: '' });
  expect([recent.wire.graphql, recent.wire.metrics.profiler, recent.wire.pprof.profiler]).toEqual([
    null,
    false,
    true,
  ]);
  const graphql = { graphql: true, 'graphql.vhosts': 'a, b', 'graphql.corsdomain': '*' };
  expect((await geth(graphql)).wire.graphql).toEqual({ vhosts: ['a', 'b'], origins: ['*'] });
  expect((await geth({ graphql: true })).wire.graphql).toEqual({ vhosts: [], origins: [] });
  const metrics = { path: '/debug/metrics/prometheus', type: 'text/plain', gauge: 'chain_head_block' };
  expect((await geth({ 'metrics.addr': 'x' })).wire.pprof.metrics).toBeNull();
  expect(
    (await geth({ 'metrics.addr': 'x' }, 'geth/v1.17.8', { kind: 'default' })).wire.pprof.metrics,
  ).toEqual(metrics);
});

test.each([
  ['https://app.example', 'https://app.example', true],
  ['https://app.example', 'http://app.example', false],
  ['app.example', 'https://app.example:8443', true],
  ['app.example:8443', 'https://app.example:8443', true],
  ['app.example:8443', 'https://app.example', false],
  ['https://', 'https://app.example', true],
  ['[::1]', 'http://[::1]:3000', true],
  ['[::1]:3001', 'http://[::1]:3000', false],
  ['app.example', 'https://other.example', false],
  ['chrome-extension://abc', 'chrome-extension://abc', true],
  ['', 'https://app.example', true],
])('geth allows by the entry %j the origin %s: %s', async (entry, origin, expected) => {
  expect((await geth({})).wire.allowsOrigin(entry, origin)).toBe(expected);
});
