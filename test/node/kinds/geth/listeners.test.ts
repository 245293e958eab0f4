/** What the settings of geth and its forks open at a release: listeners, modules, ports for peers, and what keeps them from starting. */
import { expect, test } from 'vitest';
import type { Listener, Setting, SettingValue } from '../../../../src/node/facts/settings.js';
import { bscFlavour, gethFlavour, opFlavour } from '../../../../src/node/kinds/geth/flavours.js';
import { kindsOf } from '../../../../src/node/kinds/geth/index.js';
import { countingUses } from '../../../../src/node/kinds/geth/names.js';
import type { Flag, Kind, Start } from '../../../../src/node/kinds/kind.js';
import { listener } from '../../judge/facts.js';

type Origin = Setting['origin'];
/** Values by flag; undefined: unknown. */
type Values = Readonly<Record<string, SettingValue | undefined>>;

const flag: Origin = { kind: 'flag', flag: 'x', at: null };
const environment: Origin = { kind: 'environment', variable: 'X', at: null };
const file: Origin = { kind: 'toml', path: 'x', key: 'x', at: null };

const setting = (value: SettingValue | undefined, origin: Origin = flag): Setting => ({
  value: value ?? null,
  origin,
  shadowed: [],
  indeterminate: value === undefined ? 'why' : null,
});
const settings = (given: Values, origin: Origin = flag): Start['values'] =>
  Object.fromEntries(Object.entries(given).map(([name, value]) => [name, setting(value, origin)]));

/** `v1.9.0`, `bsc/v1.7.8`, or a fork at its base: `v1.9.7 quorum`. */
function kindAt(text: string): Kind {
  const [release = '', fork] = text.split(' ');
  const [product, tag = product] = release.split('/');
  const flavour = { bsc: bscFlavour, 'op-geth': opFlavour }[product as string] ?? gethFlavour;
  return kindsOf(flavour).at(`${flavour.id}/${tag}`, fork);
}

function listenersOf(
  release: string,
  given: Values,
  words: readonly (string | null)[] = [],
  origins: Readonly<Record<string, Origin>> = {},
): Readonly<Record<string, Listener>> {
  const kind = kindAt(release);
  const own = Object.entries(given).map(([name, value]) => [name, setting(value, origins[name])]);
  const all = kind.listeners({
    dialect: kind.dialect,
    launcher: 'geth',
    locate: () => null,
    values: { ...kind.flags.of('geth').defaults, ...Object.fromEntries(own) },
    words: words.map((text) => ({ text, maybe: null, indeterminate: null })),
  });
  return Object.fromEntries(all.map((one) => [one.kind, one]));
}

const endpoint = (one: Listener | undefined) =>
  one === undefined ? null : `${one.state} ${one.host}:${one.port}`;
const recent = 'v1.17.8';

test.each([
  ['v1.5.0', 'http ws authrpc metrics pprof ipc'],
  ['v1.9.0', 'http ws authrpc graphql metrics pprof ipc'],
  ['v1.9.18', 'http ws authrpc graphql metrics pprof ipc'],
  ['v1.9.19', 'http ws authrpc metrics pprof ipc'],
  [recent, 'http ws authrpc metrics pprof ipc'],
])('%s has the listeners %s', (release, kinds) => {
  expect(Object.keys(listenersOf(release, {})).join(' ')).toBe(kinds);
});

test.each<[release: string, kind: Listener['kind'], Values, expected: string | null, decidedBy?: string]>([
  [recent, 'http', {}, 'off 127.0.0.1:8545', 'http http.addr http.port http.api'],
  [recent, 'http', { http: true, 'http.addr': '0.0.0.0', 'http.port': 9 }, 'on 0.0.0.0:9'],
  [
    recent,
    'ws',
    { ws: true, 'ws.addr': '0.0.0.0', 'ws.port': 9 },
    'on 0.0.0.0:9',
    'ws ws.addr ws.port ws.api',
  ],
  [
    'v1.9.13',
    'http',
    { rpc: true, rpcaddr: '0.0.0.0', rpcport: 9 },
    'on 0.0.0.0:9',
    'rpc rpcaddr rpcport rpcapi',
  ],
  ['v1.9.13', 'ws', { ws: true, wsport: 7 }, 'on 127.0.0.1:7', 'ws wsaddr wsport wsapi'],
  ['v1.10.16', 'authrpc', {}, 'off 0.0.0.0:null', ''],
  ['v1.10.17', 'authrpc', {}, 'on localhost:8551', 'authrpc.addr authrpc.port'],
  ['v1.12.0', 'authrpc', { dev: true }, 'on localhost:8551'],
  ['v1.12.1', 'authrpc', { dev: true }, 'off localhost:8551', 'authrpc.addr authrpc.port'],
  [recent, 'authrpc', { dev: undefined }, 'unknown localhost:8551', 'authrpc.addr authrpc.port dev'],
  [recent, 'authrpc', { 'authrpc.addr': '0.0.0.0', 'authrpc.port': 1 }, 'on 0.0.0.0:1'],
  [recent, 'authrpc', { 'beacon.api': 'https://x.example' }, 'off localhost:8551'],
  ['bsc/v1.7.8', 'authrpc', {}, 'off 0.0.0.0:null'],
  ['op-geth/v1.101702.3', 'authrpc', {}, 'on localhost:8551'],
  ['v1.9.18', 'graphql', { graphql: true }, 'on 127.0.0.1:8547', 'graphql graphql.addr graphql.port'],
  ['v1.9.19', 'graphql', { graphql: true }, null],
  [recent, 'pprof', { pprof: true }, 'on 127.0.0.1:6060', 'pprof pprof.addr pprof.port'],
  [
    'v1.9.13',
    'pprof',
    { pprof: true, pprofaddr: '10.0.0.1' },
    'on 10.0.0.1:6060',
    'pprof pprofaddr pprofport',
  ],
  [recent, 'ipc', {}, 'on null:null', 'ipcdisable ipcpath datadir'],
])('%s: %s of %j is %s', (release, kind, given, expected, decidedBy) => {
  const found = listenersOf(release, given)[kind];
  expect(endpoint(found)).toBe(expected);
  if (decidedBy !== undefined) expect(found?.decidedBy.join(' ')).toBe(decidedBy);
});

test.each<
  [
    release: string,
    Values,
    words: readonly (string | null)[],
    Origin | undefined,
    string,
    reason: string | null,
  ]
>([
  [recent, { metrics: true }, [], undefined, 'on 127.0.0.1:6060', null],
  [recent, {}, ['--metrics'], undefined, 'off 127.0.0.1:6060', null],
  [
    'v1.9.15',
    { metrics: true },
    ['--metrics'],
    undefined,
    'off null:null',
    'this release opens it only with --metrics.addr',
  ],
  [
    'v1.14.13',
    { metrics: true },
    ['--metrics'],
    undefined,
    'off 127.0.0.1:6060',
    'this release opens it only with --metrics.addr',
  ],
  ['v1.14.13', { metrics: true, 'metrics.addr': '0.0.0.0' }, ['--metrics'], flag, 'on 0.0.0.0:6060', null],
  [
    'v1.14.13',
    { metrics: true, 'metrics.addr': '0.0.0.0' },
    ['-metrics'],
    environment,
    'on 0.0.0.0:6060',
    null,
  ],
  [
    'v1.14.13',
    { metrics: true, 'metrics.addr': '0.0.0.0' },
    ['--metrics'],
    file,
    'off 0.0.0.0:6060',
    'this release opens it only with --metrics.addr',
  ],
  [
    'v1.14.13',
    { metrics: true, 'metrics.addr': '0.0.0.0' },
    ['--metrics=true'],
    flag,
    'off 0.0.0.0:6060',
    'the node looks for --metrics written exactly so',
  ],
  [
    'v1.14.13',
    { metrics: true, 'metrics.addr': '0.0.0.0' },
    ['x--metrics'],
    flag,
    'off 0.0.0.0:6060',
    'the node looks for --metrics written exactly so',
  ],
  ['v1.14.13', { metrics: true, 'metrics.addr': '0.0.0.0' }, [null], flag, 'on 0.0.0.0:6060', null],
  ['v1.15.0', { metrics: true, 'metrics.addr': '0.0.0.0' }, [], file, 'on 0.0.0.0:6060', null],
  [
    recent,
    { metrics: true, pprof: true },
    [],
    undefined,
    'off 127.0.0.1:6060',
    'pprof listens at this address',
  ],
  [recent, { metrics: true, pprof: true, 'pprof.port': 1 }, [], undefined, 'on 127.0.0.1:6060', null],
  [recent, { metrics: true, pprof: true, 'pprof.addr': '0.0.0.0' }, [], undefined, 'on 127.0.0.1:6060', null],
])(
  '%s: metrics of %j with the words %j and an address from %j are %s',
  (release, given, words, origin, expected, reason) => {
    const origins = origin === undefined ? {} : { 'metrics.addr': origin };
    const { metrics } = listenersOf(release, given, words, origins);
    expect([endpoint(metrics), metrics?.reason]).toEqual([expected, reason]);
  },
);

test('a variable switches the metrics on in a release that looks for the word', () => {
  const given = { metrics: true, 'metrics.addr': '0.0.0.0' };
  const { metrics } = listenersOf('v1.14.13', given, [], { metrics: environment });
  expect(metrics?.state).toBe('on');
});

test.each<[release: string, Values, http: string, ws: string]>([
  [
    'v1.9.19',
    { http: true, ws: true, 'ws.port': 8545, 'ws.addr': '0.0.0.0', 'http.api': 'eth', 'ws.api': 'net' },
    'on 0.0.0.0:8545 eth,rpc ws.addr',
    'on 0.0.0.0:8545 net,rpc',
  ],
  [
    recent,
    { http: true, ws: true, 'ws.addr': '0.0.0.0' },
    'on 127.0.0.1:8545 eth,net,rpc,web3',
    'on 0.0.0.0:8546 eth,net,rpc,web3',
  ],
  [
    recent,
    { http: false, ws: true, 'ws.port': 8545, 'ws.addr': '0.0.0.0' },
    'off 127.0.0.1:8545 eth,net,rpc,web3',
    'on 0.0.0.0:8545 eth,net,rpc,web3',
  ],
  [
    recent,
    { http: true, ws: false, 'ws.port': 8545, 'ws.addr': '0.0.0.0' },
    'on 127.0.0.1:8545 eth,net,rpc,web3',
    'off 0.0.0.0:8545 eth,net,rpc,web3',
  ],
  [
    recent,
    { http: true, ws: true, 'http.port': undefined, 'ws.port': undefined },
    'on 127.0.0.1:null eth,net,rpc,web3',
    'on 127.0.0.1:null eth,net,rpc,web3',
  ],
])('%s: of %j http is %s, and ws %s', (release, given, http, ws) => {
  const all = listenersOf(release, given);
  const shown = ['http', 'ws'].map((kind) => {
    const { modules, boundBy, decidedBy = [] } = all[kind] ?? {};
    expect(decidedBy.filter((name) => name === 'ws.addr').length).toBe(
      kind === 'ws' || boundBy !== undefined ? 1 : 0,
    );
    return [endpoint(all[kind]), modules?.join() ?? [], boundBy ?? []].flat().join(' ');
  });
  expect(shown).toEqual([http, ws]);
});

type Entries = readonly string[] | null;

test.each<[release: string, Values, hosts: Entries, origins: Entries, ofWs: Entries]>([
  [recent, {}, ['localhost'], [], []],
  [recent, { 'http.vhosts': 'a, ,b', 'http.corsdomain': '*', 'ws.origins': 'c' }, ['a', 'b'], ['*'], ['c']],
  [recent, { 'http.vhosts': '', 'http.corsdomain': '' }, [], [], []],
  [recent, { 'http.vhosts': undefined, 'ws.origins': undefined }, null, [], null],
  ['v1.7.3', {}, null, [], []],
  ['v1.8.0', {}, ['localhost'], [], []],
  ['v1.8.24', {}, null, null, []],
  ['v1.9.13', { rpcvhosts: 'a', rpccorsdomain: 'b', wsorigins: 'c' }, ['a'], ['b'], ['c']],
])(
  '%s: of %j http accepts the hosts %j and the origins %j, and ws the origins %j',
  (release, given, ...expected) => {
    const { http, ws } = listenersOf(release, given);
    expect([http?.vhosts, http?.origins, ws?.origins]).toEqual(expected);
    expect(ws?.vhosts).toBeNull();
  },
);

test('GraphQL with a server of its own has its own hosts and origins', () => {
  const { graphql } = listenersOf('v1.9.0', { 'graphql.vhosts': 'a,', 'graphql.corsdomain': 'b' });
  expect([graphql?.vhosts, graphql?.origins, graphql?.modules]).toEqual([['a'], ['b'], null]);
});

const first = ['admin', 'debug', 'eth', 'miner', 'net', 'personal', 'rpc', 'txpool', 'web3'];
const now = ['admin', 'debug', 'engine', 'eth', 'miner', 'net', 'rpc', 'testing', 'txpool', 'web3'];
const without = (all: readonly string[], ...names: string[]) => all.filter((name) => !names.includes(name));
const withSome = (all: readonly string[], ...names: string[]) => [...all, ...names].sort();

test.each<[release: string, Values, modules: readonly string[] | null]>([
  ['v1.5.0', {}, first],
  ['v1.5.0', { shh: true }, withSome(first, 'shh')],
  ['v1.9.20', { shh: true }, withSome(first, 'shh')],
  ['v1.9.21', { shh: true }, first],
  ['v1.8.27', { 'light.serve': 1 }, first],
  ['v1.9.0', { 'light.serve': 1 }, withSome(first, 'les')],
  ['v1.9.0', { 'light.serve': 0 }, first],
  ['v1.9.0', { lightserv: 5 }, withSome(first, 'les')],
  ['v1.9.0', { 'light.serve': undefined }, null],
  ['v1.9.0', { 'light.serve': undefined, lightserv: 5 }, withSome(first, 'les')],
  ['v1.10.13', { catalyst: true }, withSome(first, 'consensus')],
  ['v1.10.14', { catalyst: true }, first],
  ['v1.10.16', {}, first],
  ['v1.10.17', {}, withSome(first, 'engine')],
  ['v1.11.0', {}, withSome(without(first, 'personal'), 'engine')],
  ['v1.11.0', { 'rpc.enabledeprecatedpersonal': true }, withSome(first, 'engine')],
  ['v1.14.11', { 'rpc.enabledeprecatedpersonal': true }, withSome(first, 'engine')],
  ['v1.14.12', { 'rpc.enabledeprecatedpersonal': true }, withSome(without(first, 'personal'), 'engine')],
  [recent, {}, now],
  [recent, { dev: true }, withSome(without(now, 'engine'), 'dev')],
  [recent, { dev: undefined }, null],
  ['bsc/v1.2.15', {}, withSome(first, 'parlia')],
  ['bsc/v1.4.18', {}, withSome(without(first, 'personal'), 'parlia', 'mev')],
  ['bsc/v1.7.8', {}, withSome(without(first, 'personal'), 'parlia', 'mev')],
  ['op-geth/v1.101702.3', {}, now],
  ['v1.9.7 quorum', {}, withSome(first, 'istanbul', 'quorumExtension')],
  [
    'v1.9.7 quorum',
    { raft: true, permissioned: true },
    withSome(first, 'quorumExtension', 'quorumPermission', 'raft'),
  ],
  ['v1.8.12 quorum', { permissioned: true }, withSome(first, 'istanbul')],
  ['v1.9.10 l2geth', {}, withSome(first, 'rollup')],
  ['v1.9.10 celo-blockchain', { raft: true }, first],
])('ipc of %s with %j offers %j', (release, given, modules) => {
  expect(listenersOf(release, given).ipc?.modules).toEqual(modules);
});

test.each<
  [release: string, kind: 'http' | 'ws', Values, Origin | undefined, modules: readonly string[] | null]
>([
  ['v1.9.15', 'http', { 'http.api': '' }, undefined, ['rpc']],
  ['v1.9.16', 'http', { 'http.api': ',' }, undefined, ['eth', 'net', 'rpc', 'txpool', 'web3']],
  ['v1.10.19', 'http', { 'http.api': '' }, undefined, ['eth', 'net', 'rpc', 'txpool', 'web3']],
  ['v1.10.20', 'http', { 'http.api': '' }, undefined, first],
  ['v1.10.20', 'ws', { 'ws.api': '' }, undefined, withSome(first, 'engine')],
  ['v1.11.0', 'ws', { 'ws.api': '' }, undefined, first],
  ['v1.10.18', 'http', { 'http.api': 'engine', kiln: true }, undefined, ['engine', 'rpc']],
  ['v1.10.18', 'http', { 'http.api': 'engine' }, undefined, ['rpc']],
  ['v1.10.19', 'http', { 'http.api': 'engine' }, undefined, ['rpc']],
  ['v1.10.26', 'ws', { 'ws.api': 'engine' }, undefined, ['engine', 'rpc']],
  ['v1.11.0', 'ws', { 'ws.api': 'engine' }, undefined, ['rpc']],
  ['v1.10.15', 'http', { 'http.api': 'engine', catalyst: true }, undefined, ['engine', 'rpc']],
  ['v1.10.13', 'http', { 'http.api': 'engine', catalyst: true }, undefined, ['rpc']],
  ['v1.9.11', 'http', { shh: true }, undefined, ['eth', 'net', 'rpc', 'web3']],
  ['v1.6.6', 'http', { shh: true }, undefined, ['eth', 'net', 'rpc', 'web3']],
  ['v1.6.7', 'http', { shh: undefined, rpcapi: 'eth' }, undefined, ['eth', 'rpc']],
  ['v1.7.1', 'ws', { 'Node.WSExposeAll': true }, undefined, first],
  ['v1.7.1', 'ws', { 'Node.WSExposeAll': false }, undefined, ['eth', 'net', 'rpc', 'web3']],
  [recent, 'http', { 'http.api': undefined }, undefined, null],
  [recent, 'http', { 'http.api': 'ADMIN,personal,toString' }, undefined, ['rpc']],
  ['v1.11.0', 'http', { 'http.api': 'personal' }, undefined, ['personal', 'rpc']],
])('%s: %s with %j, from %j, offers %j', (release, kind, given, origin, modules) => {
  const origins = origin === undefined ? {} : { [`${kind}.api`]: origin };
  expect(listenersOf(release, given, [], origins)[kind]?.modules).toEqual(modules);
});

test.each<[Values, Readonly<Record<string, Origin>>, state: string, path: string | null]>([
  [{ datadir: '/d' }, {}, 'on', '/d/geth.ipc'],
  [{ datadir: '/d', ipcpath: 'x' }, {}, 'on', '/d/x'],
  [{ datadir: '/d', ipcpath: '/run/x' }, {}, 'on', '/run/x'],
  [{ datadir: '' }, {}, 'on', null],
  [{ datadir: undefined }, {}, 'on', null],
  [{ datadir: '/d', ipcpath: undefined }, {}, 'on', null],
  [{ datadir: '/d', ipcpath: '' }, {}, 'off', '/d/geth.ipc'],
  [{ datadir: '/d', ipcpath: '' }, { ipcpath: { kind: 'default' } }, 'on', '/d/geth.ipc'],
  [{ datadir: '/d', ipcdisable: true }, {}, 'off', '/d/geth.ipc'],
  [{ datadir: '/d', ipcdisable: undefined }, {}, 'unknown', '/d/geth.ipc'],
])('ipc of %j, from %j, is %s at %s', (given, origins, state, path) => {
  const { ipc } = listenersOf(recent, given, [], origins);
  expect(ipc).toMatchObject({
    state,
    path,
    host: null,
    port: null,
    reason: state === 'unknown' ? 'why' : null,
  });
});

test('settings that lack every flag open nothing but ipc, and are no problem', () => {
  const kind = kindAt(recent);
  const start: Start = { dialect: kind.dialect, launcher: 'geth', values: {}, words: [], locate: () => null };
  expect(kind.listeners(start).map((one) => `${one.kind} ${one.state} ${one.port} ${one.path}`)).toEqual([
    'http off null null',
    'ws off null null',
    'authrpc off null null',
    'metrics off null null',
    'pprof off null null',
    'ipc on null null',
  ]);
  expect(kind.startProblems('geth', {}, [])).toEqual([]);
  expect(
    kind.peerPorts('geth', {}).map(({ protocol, port, isOpen }) => `${protocol} ${port} ${isOpen}`),
  ).toEqual(['tcp 30303 true', 'udp 30303 true']);
});

test.each<[Values, Readonly<Record<string, Origin>>, ports: string]>([
  [{}, {}, 'tcp 30303, udp 30303'],
  [{ port: 1 }, {}, 'tcp 1, udp 1'],
  [{ port: 1, 'discovery.port': 2 }, {}, 'tcp 1, udp 2'],
  [{ port: 1, 'discovery.port': 2 }, { 'discovery.port': { kind: 'default' } }, 'tcp 1, udp 1'],
  [{ port: 1, nodiscover: true }, {}, 'tcp 1, (udp 1)'],
  [{ port: undefined, nodiscover: false }, {}, 'tcp null, udp null'],
  [{ dev: true }, {}, '(tcp 30303), (udp 30303)'],
])('with %j, from %j, peers find the ports %s', (given, origins, expected) => {
  const kind = kindAt(recent);
  const own = Object.entries(given).map(([name, value]) => [name, setting(value, origins[name])]);
  const values = { ...kind.flags.of('geth').defaults, ...Object.fromEntries(own) };
  const ports = kind.peerPorts('geth', values).map(({ protocol, port, isOpen, fallback }) => {
    expect(fallback).toBe(30_303);
    return isOpen ? `${protocol} ${port}` : `(${protocol} ${port})`;
  });
  expect(ports.join(', ')).toBe(expected);
});

const unlocks = 'unlocking an account beside';

test.each<
  [release: string, Values, on: Readonly<Record<string, number | null>>, problems: readonly string[]]
>([
  [recent, { 'http.rpcprefix': 'a' }, {}, ['http.rpcprefix: --http.rpcprefix a does not begin']],
  [recent, { 'ws.rpcprefix': '/a', 'http.rpcprefix': '' }, {}, []],
  [recent, { 'ws.rpcprefix': undefined }, {}, []],
  [recent, {}, { http: 65_535, ws: 0 }, []],
  [recent, {}, { http: 65_536 }, ['http.port: --http.port 65536 is not a port']],
  [recent, {}, { ws: -1 }, ['ws.port: --ws.port -1 is not a port']],
  [recent, {}, { ipc: -1, grpc: -1, authrpc: null }, []],
  ['v1.9.12', {}, { http: 65_536 }, ['rpcport: --rpcport 65536 is not a port']],
  ['v1.9.12', {}, { http: 1, ws: 1 }, ['rpcport wsport: --rpcport and --wsport are both 1']],
  ['v1.9.12', {}, { http: 1, ws: 2 }, []],
  ['v1.9.12', {}, { http: 1, grpc: 1 }, []],
  ['v1.9.12', {}, { http: 0, ws: 0 }, []],
  ['v1.9.12', {}, { http: null, ws: null }, []],
  ['v1.9.13', {}, { http: 1, ws: 1 }, []],
  ['v1.9.0', { unlock: '0', rpc: true }, {}, [`unlock rpc! ${unlocks} --rpc`]],
  ['v1.9.0', { unlock: '0', ws: true }, {}, [`unlock ws! ${unlocks} --ws`]],
  ['v1.9.0', { unlock: '0', graphql: true }, {}, [`unlock graphql! ${unlocks} --graphql`]],
  ['v1.9.19', { unlock: '0', graphql: true }, {}, []],
  ['v1.9.0', { unlock: '0' }, {}, []],
  ['v1.9.0', { unlock: ' , ', rpc: true }, {}, []],
  ['v1.9.0', { unlock: undefined, rpc: true }, {}, []],
  ['v1.9.0', { unlock: '0', rpc: true, 'allow-insecure-unlock': true }, {}, []],
  ['v1.9.0', { unlock: '0', rpc: true, 'allow-insecure-unlock': undefined }, {}, []],
  ['v1.9.0', { unlock: '0', rpc: true, 'allow-insecure-unlock': false }, {}, [`unlock rpc! ${unlocks}`]],
  ['v1.8.27', { unlock: '0', rpc: true }, {}, []],
  ['v1.14.11', { unlock: '0', http: true }, {}, [`unlock http! ${unlocks}`]],
  ['v1.14.12', { unlock: '0', http: true }, {}, []],
  ['bsc/v1.7.8', { unlock: '0', http: true }, {}, [`unlock http! ${unlocks}`]],
  ['op-geth/v1.101608.0', { unlock: '0', http: true }, {}, []],
])('%s with %j that listens at %j does not start: %j', (release, given, on, expected) => {
  const kind = kindAt(release);
  const listeners = Object.entries(on).map(([name, port]) =>
    listener(name as Listener['kind'], { state: 'on', host: '127.0.0.1', port }),
  );
  const off = (['http', 'ws'] as const).map((name) => listener(name, { state: 'off', port: 70_000 }));
  const values = { ...kind.flags.of('geth').defaults, ...settings(given) };
  const problems = kind.startProblems('geth', values, [...off, ...listeners]);
  expect(
    problems.map(({ flags, kind: type, fatal, message }) => {
      const text = `${flags.join(' ')}${type === 'conflicting-flags' ? '!' : ':'} ${message}`;
      expect(fatal).toBe(true);
      return expected.find((one) => text.startsWith(one)) ?? text;
    }),
  ).toEqual(expected);
});

test.each([
  ['', true],
  ['--http', true],
  ['console', true],
  ['--datadir /d console', true],
  ['--datadir console', true],
  ['attach', false],
  ['nonsense', false],
  ['--http nonsense', true],
  ['--http init', false],
  ['--nonsense init', true],
  ['js x.js', true],
])('the words “%s” behind geth start a node: %s', (words, starts) => {
  expect(kindAt(recent).startsNode(words.split(' ').filter(Boolean))).toBe(starts);
});

test('geth at a release: what it has and is called', () => {
  const [old, middle, today] = ['v1.9.13', 'v1.10.8', recent].map(kindAt) as [Kind, Kind, Kind];
  expect([old.release.id, old.flags.fallback('rpcport'), old.flags.fallback('http.port')]).toEqual([
    'geth/v1.9.13',
    '8545',
    null,
  ]);
  expect([old, middle, today].map(({ flags }) => flags.counting === null)).toEqual([true, false, true]);
  expect([kindAt('v1.14.13'), kindAt('v1.15.0')].map(({ flags }) => [...flags.literal])).toEqual([
    ['metrics'],
    [],
  ]);
  expect(
    [kindAt('v1.14.11'), kindAt('v1.14.12'), kindAt('bsc/v1.7.8')].map(({ flags }) => flags.unlock),
  ).toEqual(['unlock', null, 'unlock']);
  expect(
    ['http.addr', 'http.api', 'http.vhosts', 'ws.origins', 'http', 'rpcaddr'].map(today.flags.decides),
  ).toEqual(['addr', 'api', 'vhosts', 'origins', null, null]);
  expect(old.flags.decides('rpcaddr')).toBe('addr');
  expect([kindAt('v1.10.19'), kindAt('v1.10.20')].map(({ modules }) => modules.publicParts === null)).toEqual(
    [false, true],
  );
  expect([today.launcherOf('geth_linux'), today.launcherOf('bsc'), today.programOf('x')]).toEqual([
    'geth',
    null,
    'geth',
  ]);
  expect([today.probes.otherHalf, kindAt('bsc/v1.7.8').probes.otherHalf]).toEqual(['debug_preimage', null]);
  expect([today.flags.exclusive, today.isForked]).toEqual([[['ipcdisable', 'ipcpath']], true]);
  expect(['http', 'unlock', 'nonsense'].map((name) => today.flags.ofAnyRelease(name)?.type)).toEqual([
    'bool',
    'string',
    undefined,
  ]);
  expect([today.modules.signing, today.modules.signingMethods]).toEqual([
    ['eth', 'personal'],
    ['resend', 'sendTransaction', 'sign', 'signTransaction'],
  ]);
  expect([today.probes.namespaces, today.probes.logged]).toEqual([
    ['admin_nodeInfo', 'debug_getRawBlock', 'personal_ecRecover', 'txpool_status'],
    true,
  ]);
  expect([today.flags.ofAnyProgram('http'), today.launchers, today.probes.wallets]).toEqual([
    null,
    null,
    null,
  ]);
  expect([today.flags.keyFile, today.flags.variablePrefix, today.flags.removedTogether]).toEqual([
    { flag: 'nodekey', variable: null },
    'GETH_',
    true,
  ]);
  expect(today.flags.dependents.unlock?.need).toEqual(['mine', 'dev']);
  expect(today.flags.identity).toEqual(expect.arrayContaining(['sepolia', 'datadir', 'nodekeyhex']));
  expect(today.at('geth/v1.9.0')).toBe(today.at('geth/v1.9.0'));
  expect(() => today.at('geth/v0.0.1')).toThrow('not a release');
  expect(today.roleOf('geth')).toBeNull();
  expect(today.roles).toContain('rpc-node');
});

test('modules of geth: names, privileges, switches and reasons', () => {
  const { modules } = kindAt(recent);
  const names = ['admin', 'eth', 'nonsense', 'toString'];
  expect(names.map(modules.isPrivileged)).toEqual([true, false, true, true]);
  expect(names.map(modules.isKnownPrivileged)).toEqual([true, false, false, false]);
  expect(names.map(modules.listed)).toEqual(['admin', 'eth', null, null]);
  expect(names.map(modules.namesOf)).toEqual([['admin'], ['eth'], [], []]);
  expect(['dev', 'les', 'eth', 'toString'].map(modules.switchOf)).toEqual(['dev', null, null, null]);
  expect(['amdin', 'zzzzzz'].map(modules.closest)).toEqual(['admin', null]);
  const on = (name: string) => modules.on({ launcher: null }, name)?.severity ?? null;
  expect(['testing', 'personal', 'nonsense'].map(on)).toEqual(['medium', 'critical', null]);
  expect(Object.keys(modules.inert).sort()).toEqual([
    'clique',
    'db',
    'engine',
    'ethash',
    'les',
    'parity',
    'quorum',
    'rpc',
    'shh',
    'trace',
  ]);
  expect(Object.keys(kindAt('v1.9.0').modules.inert)).not.toEqual(expect.arrayContaining(['les']));
  expect(modules.foreign('x').severity).toBe('medium');
  expect([modules.canonical('klay'), modules.likely({ launcher: null }, ['eth'])]).toEqual(['klay', []]);
  const miner = (release: string) => kindAt(release).modules.catalogue.miner?.severity;
  expect(['v1.13.15', 'v1.14.0', 'bsc/v1.7.8', 'op-geth/v1.101702.3'].map(miner)).toEqual([
    'medium',
    'medium',
    'medium',
    'medium',
  ]);
  expect(kindAt('op-geth/v1.101702.3').modules.catalogue.miner?.does).toMatch(/batcher/);
});

test('a list without a name offers rpc alone up to v1.9.15, and modules of this kind are sorted', () => {
  const { modules } = kindAt('v1.9.15');
  const existing = modules.existing('geth', settings({ 'light.serve': true }));
  expect(existing).toEqual({ sure: withSome(first, 'les'), maybe: [] });
  expect([modules.offered(existing, ['']), modules.offered(existing, ['eth', ''])]).toEqual([
    ['rpc'],
    ['eth', 'rpc'],
  ]);
  expect(modules.existing('geth', settings({ 'light.serve': 'x' })).sure).not.toContain('les');
  const unknown = modules.existing('geth', settings({ 'light.serve': undefined }));
  expect([unknown.maybe, modules.offered(unknown, ['les']), modules.offered(unknown, ['eth'])]).toEqual([
    ['les'],
    null,
    ['eth', 'rpc'],
  ]);
});

test('interfaces of geth have the ports that its flags default to', () => {
  const { defaultPort, flags, networkId, socketName } = kindAt(recent).interfaces;
  expect(
    (['http', 'ws', 'authrpc', 'graphql', 'pprof', 'metrics', 'grpc'] as const).map(defaultPort),
  ).toEqual([8545, 8546, 8551, 0, 6060, 6060, 0]);
  expect(kindAt('v1.9.18').interfaces.defaultPort('graphql')).toBe(8547);
  expect([flags.http.prefix, flags.ws.prefix, flags.authrpc.enable, flags.graphql.port]).toEqual([
    'http.rpcprefix',
    'ws.rpcprefix',
    null,
    null,
  ]);
  expect([networkId({}), socketName]).toEqual([null, 'geth.ipc']);
});

/** `name=value`, `name` for true, each with the name that it is written with, and the flag in front of a slash. */
test.each([
  ['http.port/http.port=1 http.port/rpcport=2', 'http.port=1'],
  ['http.port/rpcport=2', 'rpcport=2'],
  ['http.port/rpcport=1 http.port/rpcport=2', 'rpcport=1 rpcport=2'],
  ['http.addr/http.addr=a http.addr/rpcaddr=b', 'http.addr=a'],
  ['http.addr/http.addr=a http.addr/rpcaddr=b http/http', 'http.addr=a http'],
  ['http.addr/http.addr=a http.addr/rpcaddr=b http/rpc', 'rpcaddr=b rpc'],
  ['http.addr/http.addr=a http.addr/rpcaddr=b http/rpc http/rpc=false', 'http.addr=a rpc rpc=false'],
  ['http.addr/http.addr=a http/rpc http/rpc=?', 'rpc'],
  ['http/rpc http/http=false', 'rpc'],
  ['http/rpc=false http/http', 'http'],
  ['http/rpc=false http/http=false', 'rpc=false http=false'],
  ['datadir/datadir=a', 'datadir=a'],
])('of the uses %s those count: %s', (text, expected) => {
  const uses = text.split(' ').map((one) => {
    const [, name = '', written = '', value = 'true'] = /^(.*)\/([^=]*)(?:=(.*))?$/.exec(one) ?? [];
    const flagOf = { name } as Flag;
    const known = { true: true, false: false, '?': null }[value];
    return { flag: flagOf, written, value: known === undefined ? value : known };
  });
  const counting = countingUses(uses).map(({ written, value }) =>
    value === true ? written : `${written}=${value}`,
  );
  expect(counting.join(' ')).toBe(expected);
});

test('a fork at its base has the flags, variables and modules of its own', () => {
  const l2geth = kindAt('v1.9.10 l2geth');
  const { byEnvironment } = l2geth.flags.of('geth');
  expect(['RPC_ENABLE', 'WS_PORT', 'GETH_HTTP'].map((name) => byEnvironment.get(name)?.name)).toEqual([
    'rpc',
    'wsport',
    undefined,
  ]);
  const quorum = kindAt('v1.9.7 quorum').flags.of('geth').byName;
  expect([quorum.has('raft'), kindAt('v1.9.7').flags.of('geth').byName.has('raft')]).toEqual([true, false]);
  expect(kindAt('v1.9.10 l2geth').modules.catalogue.rollup?.privileged).toBe(false);
  expect(l2geth.at('geth/v1.9.10')).toBe(l2geth);
  expect(l2geth.at('geth/v1.9.10', '')).not.toBe(l2geth);
});
