/** What the settings of a Kaia node open at a release: listeners, modules, ports for peers, and what keeps it from starting. */
import { expect, test } from 'vitest';
import type { Listener, Setting, SettingValue } from '../../../../src/node/facts/settings.js';
import { flagsAt, formsOf } from '../../../../src/node/kinds/kaia/flags.js';
import { kaia } from '../../../../src/node/kinds/kaia/index.js';
import type { ReleaseId } from '../../../../src/node/kinds/kaia/releases.js';
import type { Kind, Start } from '../../../../src/node/kinds/kind.js';
import { listener } from '../../judge/facts.js';

/** Values by flag; undefined: unknown. */
type Values = Readonly<Record<string, SettingValue | undefined>>;

const setting = (value: SettingValue | null | undefined): Setting => ({
  value: value ?? null,
  origin: { kind: 'flag', flag: '', at: null },
  shadowed: [],
  indeterminate: value === undefined ? 'why' : null,
});

function valuesOf(kind: Kind, launcher: string, given: Values): Start['values'] {
  const own = Object.entries(given).map(([name, value]) => [name, setting(value)] as const);
  return { ...kind.flags.of(kind.programOf(launcher)).defaults, ...Object.fromEntries(own) };
}

interface Node {
  readonly release?: ReleaseId;
  readonly launcher?: string;
  readonly words?: readonly (string | null)[];
  /** The flags that an unknown word may be; absent: each. */
  readonly maybe?: readonly string[];
}

function listenersOf(
  given: Values,
  { release = 'kaia/v2.2.1', launcher = 'kend', words = [], maybe }: Node = {},
): Readonly<Record<string, Listener>> {
  const kind = kaia.at(release);
  const start: Start = {
    dialect: kind.dialect,
    launcher,
    values: valuesOf(kind, launcher, given),
    locate: () => null,
    words: words.map((text) => ({
      text,
      maybe: text === null ? (maybe ?? null) : null,
      indeterminate: text === null ? 'unknown word' : null,
    })),
  };
  const all = kind.listeners(start);
  expect(all.map(({ kind: one }) => one)).toEqual([
    'http',
    'ws',
    'grpc',
    'metrics',
    'pprof',
    'mainbridge',
    'ipc',
  ]);
  return Object.fromEntries(all.map((one) => [one.kind, one]));
}

const open = { rpc: true, ws: true, grpc: true };

test('without a switch everything but ipc is off', () => {
  const all = Object.values(listenersOf({}));
  expect(all.map(({ kind, state }) => `${kind} ${state}`)).toEqual([
    'http off',
    'ws off',
    'grpc off',
    'metrics off',
    'pprof off',
    'mainbridge off',
    'ipc on',
  ]);
  expect(all.map(({ host, port }) => `${host} ${port}`)).toEqual([
    '127.0.0.1 8551',
    '127.0.0.1 8552',
    '127.0.0.1 8553',
    '0.0.0.0 61001',
    '127.0.0.1 6060',
    '0.0.0.0 50505',
    'null null',
  ]);
});

test('switches, addresses and lists open the interfaces', () => {
  const { http, ws, grpc, pprof, mainbridge } = listenersOf({
    ...open,
    pprof: true,
    mainbridge: true,
    rpcaddr: '0.0.0.0',
    wsaddr: '10.0.0.1',
    wsport: 9,
    rpccorsdomain: 'https://a.example, b',
    rpcvhosts: '*',
    wsorigins: '*',
    rpcapi: 'eth,klay',
  });
  expect(http).toMatchObject({
    state: 'on',
    host: '0.0.0.0',
    port: 8551,
    modules: ['eth', 'kaia', 'rpc'],
    vhosts: ['*'],
    origins: ['https://a.example', 'b'],
    builtInList: false,
    listed: [
      { name: 'eth', at: null },
      { name: 'klay', at: null },
    ],
    decidedBy: ['rpc', 'rpcaddr', 'rpcport', 'rpcapi'],
  });
  expect(ws).toMatchObject({
    state: 'on',
    host: '10.0.0.1',
    port: 9,
    modules: ['eth', 'kaia', 'net', 'rpc', 'web3'],
    origins: ['*'],
    vhosts: null,
    listed: null,
    builtInList: true,
  });
  expect(grpc).toMatchObject({ state: 'on', listed: null, modules: expect.arrayContaining(['admin']) });
  expect(grpc?.modules).not.toContain('personal');
  expect(pprof).toMatchObject({ state: 'on', modules: null });
  expect(mainbridge).toMatchObject({ state: 'on', modules: ['kaia'] });
});

const everyNode = 'admin debug eth governance istanbul kaia net personal rpc txpool web3'.split(' ');

test.each<[release: ReleaseId, launcher: string, given: Values, modules: readonly string[] | null]>([
  ['kaia/v2.2.1', 'kend', {}, everyNode],
  ['kaia/v2.2.1', 'kcnd', {}, ['admin', 'auction', ...everyNode.slice(1)]],
  ['kaia/v2.2.1', 'kscnd', { 'auction.disable': true }, everyNode],
  ['kaia/v2.2.1', 'kcnd', { 'auction.disable': undefined }, null],
  ['kaia/v2.0.3', 'kcnd', {}, everyNode],
  ['klaytn/v1.7.3', 'kend', {}, everyNode.filter((name) => name !== 'eth')],
  [
    'kaia/v2.2.1',
    'kend',
    { mainbridge: true, subbridge: true },
    [...everyNode, 'mainbridge', 'subbridge'].sort(),
  ],
  ['kaia/v2.2.1', 'kend', { chaindatafetcher: true }, [...everyNode, 'chaindatafetcher'].sort()],
  ['kaia/v2.2.1', 'kend', { subbridge: undefined }, null],
  ['kaia/v2.2.1', 'kbnd', { subbridge: undefined }, ['admin', 'bootnode', 'debug', 'kaia', 'rpc', 'web3']],
])('ipc of %s %s with %j offers %j', (release, launcher, given, modules) => {
  expect(listenersOf(given, { release, launcher }).ipc?.modules).toEqual(modules);
});

test.each<[release: ReleaseId, launcher: string, given: Values, modules: readonly string[] | null]>([
  ['kaia/v2.2.1', 'kend', {}, ['eth', 'kaia', 'net', 'rpc', 'web3']],
  ['klaytn/v1.7.3', 'kend', {}, ['kaia', 'net', 'rpc', 'web3']],
  ['kaia/v2.2.1', 'kbnd', {}, ['rpc']],
  ['kaia/v2.2.1', 'kend', { rpcapi: 'kaia' }, ['kaia', 'rpc']],
  ['kaia/v0.9.0', 'kend', { rpcapi: 'kaia' }, ['kaia', 'rpc']],
  ['kaia/v0.8.0', 'kend', { rpcapi: 'kaia' }, ['rpc']],
  ['kaia/v0.8.0', 'kend', { rpcapi: 'klay' }, ['kaia', 'rpc']],
  ['kaia/v2.2.1', 'kend', { rpcapi: 'miner,toString,' }, ['rpc']],
  ['kaia/v2.2.1', 'kend', { rpcapi: 'subbridge', subbridge: undefined }, null],
  ['kaia/v2.2.1', 'kend', { rpcapi: 'eth', subbridge: undefined }, ['eth', 'rpc']],
  ['kaia/v2.2.1', 'kend', { rpcapi: undefined }, null],
  ['kaia/v2.2.1', 'kcnd', { rpcapi: 'auction' }, ['auction', 'rpc']],
  ['kaia/v2.2.1', 'kend', { rpcapi: 'auction' }, ['rpc']],
])('http of %s %s with %j offers %j', (release, launcher, given, modules) => {
  expect(listenersOf({ rpc: true, ...given }, { release, launcher }).http?.modules).toEqual(modules);
});

test.each<[ReleaseId, debug: boolean]>([
  ['klaytn/v1.5.0', true],
  ['klaytn/v1.9.1', true],
  ['klaytn/v1.10.0', false],
  ['kaia/v1.0.3', false],
  ['kaia/v2.0.0', true],
])('gRPC of %s offers debug: %s', (release, debug) => {
  const { grpc } = listenersOf(open, { release, launcher: 'kcnd' });
  expect(grpc?.modules?.includes('debug')).toBe(debug);
  expect(grpc?.modules).not.toContain('auction');
});

test('gRPC has no modules that are known where a switch of one is not known', () => {
  expect(listenersOf({ ...open, subbridge: undefined }).grpc?.modules).toBeNull();
  const { grpc } = listenersOf({ ...open, 'auction.disable': undefined }, { launcher: 'kcnd' });
  expect(grpc?.modules).toContain('kaia');
});

const both = { metrics: true, prometheus: true };
const literal = 'the node looks for --metrics and --prometheus written exactly so';

test.each<[given: Values, words: Node['words'], maybe: Node['maybe'], state: string, reason: string | null]>([
  [both, ['--metrics', '--prometheus'], undefined, 'on', null],
  [both, ['-metrics', '-prometheus'], undefined, 'on', null],
  [both, ['--metrics', '-prometheus'], undefined, 'on', null],
  [both, ['--metrics=true', '--prometheus'], undefined, 'off', literal],
  [both, [], undefined, 'off', literal],
  [{ metrics: true }, [], undefined, 'off', null],
  [{ prometheus: true }, [], undefined, 'off', null],
  [{}, ['--metrics'], undefined, 'off', null],
  [both, ['--metrics', null], undefined, 'unknown', 'unknown word'],
  [both, ['--metrics', null], ['--metrics'], 'unknown', 'unknown word'],
  [both, ['--metrics', null], ['--prometheus'], 'unknown', 'unknown word'],
  [both, ['--metrics', null], ['--rpc'], 'off', literal],
  [both, ['--metrics', '--prometheus', null], undefined, 'on', null],
])(
  'metrics of %j with the words %j, of which one may be %j, are %s',
  (given, words, maybe, state, reason) => {
    const { metrics } = listenersOf(
      { ...given, prometheusport: 7 },
      { ...(words === undefined ? {} : { words }), ...(maybe === undefined ? {} : { maybe }) },
    );
    expect(metrics).toMatchObject({
      state,
      reason,
      host: '0.0.0.0',
      port: 7,
      path: null,
      modules: null,
      decidedBy: ['metrics', 'prometheus', 'prometheusport'],
    });
  },
);

test.each<[Values, state: string, path: string | null]>([
  [{ datadir: '/d' }, 'on', '/d/klay.ipc'],
  [{ datadir: '/d', ipcpath: 'x.ipc' }, 'on', '/d/x.ipc'],
  [{ datadir: '/d', ipcpath: '/run/x.ipc' }, 'on', '/run/x.ipc'],
  [{ datadir: '/d', ipcpath: '' }, 'on', '/d/klay.ipc'],
  [{ datadir: '' }, 'on', null],
  [{ datadir: undefined }, 'on', null],
  [{ datadir: '/d', ipcpath: undefined }, 'on', null],
  [{ datadir: '/d', ipcdisable: true }, 'off', '/d/klay.ipc'],
  [{ datadir: '/d', ipcdisable: undefined }, 'unknown', '/d/klay.ipc'],
])('ipc of %j is %s at %s', (given, state, path) => {
  expect(listenersOf(given).ipc).toMatchObject({
    state,
    path,
    host: null,
    port: null,
    reason: state === 'unknown' ? 'why' : null,
    decidedBy: ['ipcdisable', 'ipcpath', 'datadir'],
  });
});

test.each<[launcher: string, Values, ports: string]>([
  ['kend', {}, 'tcp 32323, udp 32323, (tcp 32324)'],
  ['kend', { port: 1, subport: 2, multichannel: true }, 'tcp 1, udp 1, tcp 2'],
  ['kend', { port: ':7', nodiscover: true }, 'tcp 7, (udp 7), (tcp 32324)'],
  ['kend', { port: undefined, nodiscover: undefined }, 'tcp null of 32323, udp null of 32323, (tcp 32324)'],
  ['kend', { port: 'x', multichannel: false }, 'tcp null of 32323, udp null of 32323, (tcp 32324)'],
  ['kbnd', {}, 'udp 32323'],
  ['kbnd', { bnaddr: '10.0.0.1:99' }, 'udp 99'],
  ['kbnd', { bnaddr: '10.0.0.1:99x' }, 'udp null of 32323'],
])('%s with %j has the ports for peers %s', (launcher, given, expected) => {
  const kind = kaia.at('kaia/v2.2.1');
  const ports = kind.peerPorts(launcher, valuesOf(kind, launcher, given)).map((one) => {
    const text = `${one.protocol} ${one.port}${one.port === null ? ` of ${one.fallback}` : ''}`;
    return one.isOpen ? text : `(${text})`;
  });
  expect(ports.join(', ')).toBe(expected);
});

test.each<[Values, string | null]>([
  [{}, 'networkid 8217'],
  [{ networkid: 7 }, 'networkid 7'],
  [{ networkid: 7, mainnet: true }, 'mainnet 8217'],
  [{ kairos: true, mainnet: true }, 'kairos 1001'],
  [{ kairos: false, networkid: 9 }, 'networkid 9'],
  [{ baobab: true }, 'baobab 1001'],
  [{ cypress: true }, 'cypress 8217'],
  [{ testnet: true }, 'testnet 1001'],
  [{ kairos: undefined }, null],
  [{ networkid: undefined, mainnet: true }, null],
])('the network of %j is %s', (given, expected) => {
  const { interfaces } = kaia.at('kaia/v2.2.1');
  const own = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, setting(value)]));
  const network = interfaces.networkId(own);
  expect(network === null ? null : `${network.flag} ${network.id}`).toBe(expected);
});

test.each<
  [launcher: string, Values, on: Readonly<Record<string, string | null>>, problems: readonly string[]]
>([
  ['kend', {}, { http: '0.0.0.0:8551', ws: '0.0.0.0:8552' }, []],
  ['kend', {}, { http: '0.0.0.0:8551', ws: '0.0.0.0:8551' }, ['rpcport wsport: are both 8551']],
  ['kend', {}, { http: '10.0.0.1:8551', ws: '10.0.0.2:8551' }, []],
  ['kend', {}, { http: '10.0.0.1:8551', ws: '10.0.0.1:8551' }, ['rpcport wsport: are both 8551']],
  ['kend', {}, { http: '10.0.0.1:8551', ws: '[::]:8551' }, ['rpcport wsport: are both 8551']],
  ['kend', {}, { http: '10.0.0.1:8551', grpc: '10.0.0.1:8551' }, []],
  ['kend', {}, { http: '10.0.0.1:32323' }, ['rpcport port: are both 32323']],
  ['kbnd', {}, { http: '10.0.0.1:32323' }, []],
  ['kend', { subport: 8551 }, { http: '10.0.0.1:8551' }, []],
  [
    'kend',
    { subport: 8551, multichannel: true },
    { http: '10.0.0.1:8551' },
    ['rpcport subport: are both 8551'],
  ],
  ['kend', { port: undefined }, { http: '10.0.0.1:32323' }, []],
  ['kend', {}, { http: null, ws: null }, []],
  ['kend', {}, { ws: '10.0.0.1:0' }, ['wsport? lets the system choose a port']],
  ['kend', {}, { ws: '10.0.0.1:65535' }, []],
  ['kend', {}, { ws: '10.0.0.1:65536' }, ['wsport: is not a port']],
  ['kend', {}, { grpc: '10.0.0.1:65536' }, []],
  ['kend', { rpc: true, rpcaddr: '10.0.0.1:1' }, {}, ['rpcaddr: cannot be bound']],
  ['kend', { rpc: false, rpcaddr: '10.0.0.1:1' }, {}, []],
  ['kend', { ws: true, wsaddr: '10.0.0.1:1' }, {}, ['wsaddr: cannot be bound']],
  ['kend', { ws: true, wsaddr: undefined }, {}, []],
  ['kcnd', { rewardbase: '0x0' }, {}, ['rewardbase: is neither an address nor an index']],
  ['kcnd', { rewardbase: `0X${'aB'.repeat(20)}` }, {}, []],
  ['kcnd', { rewardbase: 'a'.repeat(40) }, {}, []],
  ['kcnd', { rewardbase: 'a'.repeat(41) }, {}, ['rewardbase: is neither an address nor an index']],
  ['kcnd', { rewardbase: '12' }, {}, []],
  ['kcnd', { rewardbase: '' }, {}, []],
  ['kcnd', { rewardbase: '12x' }, {}, ['rewardbase: is neither an address nor an index']],
])('%s with %j that listens at %j does not start: %j', (launcher, given, on, expected) => {
  const kind = kaia.at('kaia/v2.2.1');
  const listeners = Object.entries(on).map(([name, address]) => {
    const [, host = null, port = null] = /^(.*):(\d+)$/.exec(address ?? '') ?? [];
    return listener(name as Listener['kind'], {
      state: 'on',
      host,
      port: port === null ? null : Number(port),
    });
  });
  const off = listener('http', { state: 'off', host: '0.0.0.0', port: 32323 });
  const problems = kind.startProblems(launcher, valuesOf(kind, launcher, given), [...listeners, off]);
  expect(problems).toHaveLength(expected.length);
  for (const [at, { flags, message, fatal, kind: type }] of problems.entries()) {
    const [, own = '', mark = '', said = ''] = /^([\w ]+)([:?]) (.*)$/.exec(expected[at] ?? '') ?? [];
    expect([flags.join(' '), fatal, type]).toEqual([own, mark === ':', 'bad-value']);
    expect(message).toContain(said);
  }
});

test.each<[words: string, starts: boolean]>([
  ['', true],
  ['--rpc', true],
  ['console', true],
  ['--datadir /d console', true],
  ['account list', false],
  ['attach', false],
  ['nonsense', false],
  ['--datadir /d init genesis.json', false],
  ['--datadir init', true],
  ['--rpc init', false],
  ['--rpc nonsense', true],
  ['help', false],
])('the words “%s” behind ken start a node: %s', (words, starts) => {
  expect(kaia.at('kaia/v2.2.1').startsNode(words.split(' ').filter(Boolean))).toBe(starts);
});

test.each<[ReleaseId, name: string, listed: string | null, names: readonly string[]]>([
  ['kaia/v2.2.1', 'klay', 'kaia', ['klay']],
  ['kaia/v2.2.1', 'kaia', 'kaia', ['kaia', 'klay']],
  ['kaia/v0.8.0', 'kaia', null, ['klay']],
  ['klaytn/v1.7.3', 'eth', null, []],
  ['klaytn/v1.8.0', 'eth', 'eth', ['eth']],
  ['kaia/v2.2.1', 'shh', null, []],
  ['kaia/v2.2.1', 'toString', null, []],
])('at %s the name %s means the module %s, which has the names %j', (release, name, listed, names) => {
  const { modules } = kaia.at(release);
  expect([modules.listed(name), modules.namesOf(name)]).toEqual([listed, names]);
});

test('modules of Kaia: who may call them, and what they are on other nodes', () => {
  const { modules } = kaia.at('kaia/v2.2.1');
  const names = ['debug', 'klay', 'eth', 'nonsense', 'toString'];
  expect(names.map(modules.isPrivileged)).toEqual([true, false, false, true, true]);
  expect(names.map(modules.isKnownPrivileged)).toEqual([true, false, false, false, false]);
  expect(['subbridge', 'eth', 'nonsense', 'toString'].map(modules.switchOf)).toEqual([
    'subbridge',
    null,
    null,
    null,
  ]);
  expect([modules.closest('klai'), modules.closest('amdin'), modules.closest('zzzzzz')]).toEqual([
    'klay',
    'admin',
    null,
  ]);
  expect(
    ['miner', 'unsafedebug', 'nonsense', 'toString'].map((name) => modules.foreign(name).severity),
  ).toEqual(['medium', 'critical', 'medium', 'medium']);
  expect(modules.inert.rpc).toMatch(/every interface/);
  const on = (launcher: string | null, name: string, by = 'name') =>
    modules.on({ launcher, by }, name)?.severity ?? null;
  expect([on('kcnd', 'governance'), on('kend', 'governance'), on('kend', 'governance', 'guess')]).toEqual([
    'critical',
    'medium',
    'critical',
  ]);
  expect([on('kend', 'klay'), on('kend', 'subbridge'), on('kend', 'shh'), on('kend', 'toString')]).toEqual([
    'low',
    'critical',
    null,
    null,
  ]);
  const likely = (launcher: string) => modules.likely({ launcher }, ['auction', 'eth', 'nonsense']);
  expect([likely('kcnd'), likely('kend')]).toEqual([['auction'], []]);
  expect([modules.usual, modules.builtIn]).toEqual([
    ['klay', 'eth', 'net', 'web3'],
    ['eth', 'kaia', 'net', 'web3'],
  ]);
  const older = kaia.at('klaytn/v1.7.3').modules;
  expect([older.usual, older.builtIn]).toEqual([
    ['klay', 'net', 'web3'],
    ['kaia', 'net', 'web3'],
  ]);
  expect([Object.keys(older.catalogue).length, Object.keys(modules.catalogue).length]).toEqual([14, 16]);
});

test('flags of Kaia: rules of a release', () => {
  const [old, today] = [kaia.at('klaytn/v1.10.2').flags, kaia.at('klaytn/v1.11.0').flags];
  expect([old.listsAddUp, today.listsAddUp]).toEqual([true, false]);
  expect([today.of('ken').byName.has('http-rpc.addr'), old.of('ken').byName.has('http-rpc.addr')]).toEqual([
    true,
    false,
  ]);
  expect(['rpcaddr', 'rpcapi', 'rpcvhosts', 'rpccorsdomain', 'rpc', 'rpcport'].map(today.decides)).toEqual([
    'addr',
    'api',
    'vhosts',
    'origins',
    null,
    null,
  ]);
  expect([today.opensMore('rpc'), today.opensMore('ipcdisable')]).toEqual([true, false]);
  expect([today.removedTogether, today.counting]).toEqual([false, null]);
  expect(today.keyFile).toEqual({ flag: 'nodekey', variable: 'KEY_PATH' });
  expect(today.literal.has('metrics') && today.literal.has('prometheus')).toBe(true);
  expect([today.fallback('rpcport'), today.fallback('bnaddr'), today.fallback('nonsense')]).toEqual([
    '8551',
    ':32323',
    null,
  ]);
  expect([today.ofAnyProgram('authorized-nodes')?.name, today.ofAnyProgram('nonsense')]).toEqual([
    'authorized-nodes',
    null,
  ]);
  expect([today.ofAnyRelease('testnet')?.name, today.ofAnyRelease('KAIA_RPC')]).toEqual(['testnet', null]);
  expect(formsOf('http-rpc.addr').map(({ name }) => name)).toEqual(['rpcaddr']);
  expect(formsOf('networktype')).toEqual([]);
});

test.each<[ReleaseId, name: string, flag: string | undefined]>([
  ['klaytn/v1.9.0', 'KLAYTN_RPC', undefined],
  ['klaytn/v1.9.1', 'KLAYTN_RPC', 'rpc'],
  ['kaia/v0.8.0', 'KAIA_RPC', undefined],
  ['kaia/v0.8.0', 'KLAYTN_RPC', 'rpc'],
  ['kaia/v0.9.0', 'KAIA_RPC', 'rpc'],
  ['kaia/v0.9.0', 'KLAYTN_RPC', 'rpc'],
])('%s sets by the variable %s the flag %s', (release, name, flag) => {
  expect(flagsAt(release).of('kend').byEnvironment.get(name)?.name).toBe(flag);
});

test('a kind at a release has its name, programs and answers', () => {
  const kind = kaia.at('klaytn/v1.9.1');
  expect(kind.release).toMatchObject({ id: 'klaytn/v1.9.1', product: 'klaytn', tag: 'v1.9.1' });
  expect(kind.programs).toEqual(['kcn', 'kpn', 'ken', 'kscn', 'kspn', 'ksen', 'kbn']);
  expect([kind.launcherOf('kscn'), kind.launcherOf('geth'), kind.programOf('kend')]).toEqual([
    'kscnd',
    null,
    'ken',
  ]);
  expect(() => kind.programOf('ken')).toThrow('ken is not a launcher');
  expect([kind.roleOf('kend'), kind.isForked, kind.consoles]).toEqual(['endpoint', false, ['console']]);
  expect(['ken', 'kbn'].map((program) => kind.configFile?.reads(program))).toEqual(['switches', 'all']);
  expect(kaia.at('klaytn/v1.9.0').configFile?.reads('ken')).toBe('nothing');
  expect(kind.secrets.map(({ inDataFolder }) => inDataFolder)).toEqual([
    null,
    'klay/nodekey',
    'keystore',
    'parent_bridge_account',
    'child_bridge_account',
  ]);
  expect([kind.identity.client.test('Klaytn/v1'), kind.identity.client.test('Geth/v1')]).toEqual([
    true,
    false,
  ]);
  expect(kind.identity.ownModules).toEqual(['kaia', 'klay']);
  expect(kind.roles).toEqual(expect.arrayContaining(['consensus', 'public-en']));
  expect(kind.interfaces.profilers).toEqual(['metrics', 'pprof']);
  expect(['http', 'mainbridge', 'authrpc'].map((one) => kind.interfaces.defaultPort(one as 'http'))).toEqual([
    8551, 50_505, 0,
  ]);
});

test.each<[ReleaseId, moved: readonly string[] | null, keepsIpc: boolean | undefined]>([
  ['klaytn/v1.9.1', null, undefined],
  ['klaytn/v1.10.0', ['setGCPercent', 'chaindbProperty', 'preimage'], false],
  ['klaytn/v1.12.1', ['setGCPercent', 'chaindbProperty', 'traceBlockFromFile', 'preimage'], true],
])('the probes of %s: the switch of debug moves %j', (release, moved, keepsIpc) => {
  const { probes } = kaia.at(release);
  expect(probes.unsafeDebug?.moved ?? null).toEqual(moved?.map((name) => `debug_${name}`) ?? null);
  expect(probes.unsafeDebug?.keepsIpc).toBe(keepsIpc);
  expect(probes.unsafeDebug?.stays).toBe(moved === null ? undefined : 'debug_getBlockRlp');
  expect(probes.accounts.map(({ method }) => method)).toEqual([
    'kaia_accounts',
    'klay_accounts',
    'eth_accounts',
  ]);
  expect(probes.namespaces).toContain('bootnode_lookup');
  expect([probes.logged, probes.otherHalf, probes.excludes]).toEqual([false, null, { bootnode: ['net'] }]);
});

test('settings that lack every flag open nothing but ipc, and are no problem', () => {
  const kind = kaia.at('kaia/v2.2.1');
  const start: Start = { dialect: kind.dialect, launcher: 'kend', values: {}, words: [], locate: () => null };
  expect(kind.listeners(start).map((one) => `${one.kind} ${one.state} ${one.port} ${one.path}`)).toEqual([
    'http off null null',
    'ws off null null',
    'grpc off null null',
    'metrics off null null',
    'pprof off null null',
    'mainbridge off null null',
    'ipc on null null',
  ]);
  expect(kind.startProblems('kend', {}, [])).toEqual([]);
  expect(kind.peerPorts('kend', {}).map(({ port, isOpen }) => `${port} ${isOpen}`)).toEqual([
    '32323 true',
    '32323 true',
    '32324 false',
  ]);
  expect(kind.startsNode(['--nonsense', 'console'])).toBe(true);
});

test('modules that may exist are sorted, and a list is offered by the kind', () => {
  const { modules } = kaia.at('kaia/v2.2.1');
  const unknown = {
    subbridge: setting(undefined),
    mainbridge: setting(undefined),
    'auction.disable': setting(undefined),
  };
  const existing = modules.existing('kcnd', unknown);
  expect(existing.maybe).toEqual(['auction', 'mainbridge', 'subbridge']);
  expect([modules.offered(existing, ['klay']), modules.offered(existing, ['auction'])]).toEqual([
    ['kaia', 'rpc'],
    null,
  ]);
  expect(kaia.at('kaia/v2.2.1').flags.exclusive).toEqual([['ipcdisable', 'ipcpath']]);
});
