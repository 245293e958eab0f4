/** What rules say of a live node, to the place: edges that no example shows. */
import { describe, expect, test } from 'vitest';
import type { Facts } from '../../../src/node/facts/facts.js';
import type { EndpointFacts, LiveFacts, Presence } from '../../../src/node/facts/live.js';
import { notSeen, type Seen, seen } from '../../../src/node/facts/seen.js';
import type { Settings } from '../../../src/node/facts/settings.js';
import type { Span } from '../../../src/node/facts/span.js';
import {
  badNode,
  closedSettings,
  quietEndpoint,
  quietSettings,
} from '../../../src/node/judge/rule/examples.js';
import { listener, processOf } from '../judge/facts.js';
import { alwaysPresent, unsafeDebugMethods } from '../kaia-methods.js';
import { formatOutcome, outcomeOf, sentencesOf } from './outcome.js';

const late = notSeen('timeout', 'no answer within 2 s');
const refused = notSeen('refused', 'nobody listens');
const leftOut = notSeen('left-out', 'not asked on purpose');
const ws = { kind: 'ws', url: 'ws://127.0.0.1:8552' } as const;
const addr = '0x71562b71999873db5b286df957af199ec94617f7';
const ipc = { kind: 'ipc', path: '/run/klay.ipc' } as const;

function shown(change: Partial<EndpointFacts>, settings?: Settings, live?: Partial<LiveFacts>): Facts {
  const example = badNode('', change, settings, live);
  if (!('facts' in example)) throw new Error('no facts');
  return example.facts;
}
/** Of these endpoints, each as it differs from the quiet one. */
const endpoints = (...changes: Partial<EndpointFacts>[]) => ({
  endpoints: changes.map((one) => ({ ...quietEndpoint, ...one })),
});
/** An http interface that lists an account, and what ipc tells of the unlocked ones. */
const withWallets = (unlocked: EndpointFacts['unlocked'], http: Partial<EndpointFacts> = {}) =>
  endpoints(
    { accounts: seen([addr]), ...http },
    { endpoint: ipc, accounts: notSeen('not-applicable', 'not asked over ipc'), unlocked },
  );
const none = { endpoints: [] };
const mods = (...names: string[]) => ({
  modules: seen(Object.fromEntries(names.map((name) => [name, '1.0']))),
});
const all = (presence: Seen<Presence>) =>
  Object.fromEntries(unsafeDebugMethods.map((name) => [name, presence]));
const silent = { modules: late, latencyMs: null } as const;
const closed = { modules: refused, latencyMs: null } as const;
const port = (over = {}) =>
  ({
    kind: 'metrics',
    url: 'http://127.0.0.1:61001',
    source: 'argument',
    metrics: seen('open'),
    profiler: seen('closed'),
    bind: seen(['127.0.0.1']),
    ...over,
  }) as LiveFacts['metrics'][number];
const grpcPort = (over = {}) =>
  ({
    url: 'http://10.0.0.1:8553',
    source: 'conf',
    listening: seen('open'),
    bind: seen(['10.0.0.1']),
    ...over,
  }) as NonNullable<LiveFacts['grpc']>[number];
const withListeners = (...listeners: Settings['listeners']): Settings => ({ ...quietSettings, listeners });
const http = quietSettings.listeners[0]!;
const settings = (over: Partial<Settings>): Settings => ({ ...quietSettings, ...over });
const at = { file: 'kend.conf', line: 2, column: 10, endLine: 2, endColumn: 27 };
const listedAdmin = [...(http.listed ?? []), { name: 'admin', at }, { name: 'klay', at }];

test.each<[string, string, Facts, string[]]>([
  ['unlocked-account', 'no account', shown({}), ['pass']],
  ['unlocked-account', 'no interface', shown({}, undefined, none), ['not-applicable']],
  [
    'unlocked-account',
    'an account of a release that unlocks none, and no ipc',
    {
      ...shown({
        ...mods('eth', 'net', 'web3'),
        accounts: seen([addr]),
        client: seen('Geth/v1.17.8-stable/linux-amd64/go1.25'),
      }),
      conf: null,
    },
    ['not-applicable'],
  ],
  [
    'unlocked-account',
    'an account of a geth that unlocks, and no ipc',
    {
      ...shown({
        ...mods('eth', 'net', 'web3'),
        accounts: seen([addr]),
        client: seen('Geth/v1.13.15-stable/linux-amd64/go1.21'),
      }),
      conf: null,
    },
    ['undetermined', '? not-asked null'],
  ],
  [
    'unlocked-account',
    'an account, and no ipc',
    shown({ accounts: seen([addr]) }),
    ['undetermined', '? not-asked null'],
  ],
  [
    'unlocked-account',
    'accounts that it did not tell, and no ipc',
    shown({ accounts: refused }),
    ['undetermined', '? not-asked null'],
  ],
  [
    'unlocked-account',
    'accounts that were not asked for, as no module told them, and no ipc',
    shown({ accounts: notSeen('not-applicable', 'no module that lists accounts is offered') }),
    ['undetermined', '? not-asked null'],
  ],
  [
    'unlocked-account',
    'an account that nothing signs with',
    shown({ ...mods('net', 'web3'), client: seen('Klaytn/v2.2.1'), accounts: late }),
    ['pass'],
  ],
  [
    'unlocked-account',
    'an option that leaves accounts out',
    shown({ accounts: leftOut }),
    ['not-applicable'],
  ],
  [
    'unlocked-account',
    'ipc that did not answer',
    shown({}, undefined, withWallets(late, { bind: seen(['0.0.0.0']) })),
    ['undetermined', '? timeout ipc:/run/klay.ipc'],
  ],
  ['unlocked-account', 'all locked', shown({}, undefined, withWallets(seen([]))), ['pass']],
  [
    'unlocked-account',
    'one that any address spends',
    shown({}, undefined, withWallets(seen([addr]), { bind: seen(['0.0.0.0']) })),
    [
      'fail',
      'critical unlocked accounts at http://127.0.0.1:8551',
      '  {"interfaces":["http"],"accounts":["0x71562b71999873db5b286df957af199ec94617f7"],"count":1,"reach":"any","proven":true}',
    ],
  ],
  [
    'unlocked-account',
    'one that the private network spends',
    shown({}, undefined, withWallets(seen([addr]), { bind: seen(['10.0.0.5']) })),
    [
      'fail',
      'high unlocked accounts at http://127.0.0.1:8551',
      '  {"interfaces":["http"],"accounts":["0x71562b71999873db5b286df957af199ec94617f7"],"count":1,"reach":"private","proven":true}',
    ],
  ],
  [
    'unlocked-account',
    'one, and http that does not tell its modules',
    shown({}, undefined, withWallets(seen([addr]), silent)),
    ['undetermined', '? timeout http://127.0.0.1:8551'],
  ],
  ['accounts-listed', 'none', shown({}), ['pass']],
  [
    'accounts-listed',
    'one',
    shown({ accounts: seen([addr]) }),
    [
      'fail',
      'info http accounts at http://127.0.0.1:8551',
      '  {"interface":"http","accounts":["0x71562b71999873db5b286df957af199ec94617f7"],"count":1,"reach":"loopback"}',
    ],
  ],
  [
    'accounts-listed',
    'three on a wide ws',
    shown({ endpoint: ws, accounts: seen([addr, addr, addr]), bind: seen(['0.0.0.0']) }),
    [
      'fail',
      'medium ws accounts at ws://127.0.0.1:8552',
      '  {"interface":"ws","accounts":["0x71562b71999873db5b286df957af199ec94617f7","0x71562b71999873db5b286df957af199ec94617f7","0x71562b71999873db5b286df957af199ec94617f7"],"count":3,"reach":"any"}',
    ],
  ],
  ...(
    [
      ['anvil/v1.2.3', '0.0.0.0', 'critical', 'any'],
      ['HardhatNetwork/2.22.18/@nomicfoundation/edr/0.8.0', '10.0.0.4', 'high', 'private'],
      ['Ganache/v7.9.2/EthereumJS TestRPC/v7.9.2/ethereum-js', '127.0.0.1', 'low', 'loopback'],
    ] as const
  ).map(([client, bind, severity, reach]): [string, string, Facts, string[]] => [
    'accounts-listed',
    `a development server on ${bind}, open to pages`,
    shown({
      accounts: seen([addr]),
      client: seen(client),
      bind: seen([bind]),
      foreignOrigin: seen('open'),
      modules: notSeen('rpc-error', 'no rpc_modules'),
    }),
    [
      'fail',
      `${severity} http accounts at http://127.0.0.1:8551`,
      `  {"interface":"http","accounts":["${addr}"],"count":1,"reach":"${reach}"}`,
    ],
  ]),
  [
    'accounts-listed',
    'not seen',
    shown({ accounts: late }),
    ['undetermined', '? timeout http://127.0.0.1:8551'],
  ],
  ['accounts-listed', 'nobody asked', shown({}, undefined, none), ['not-applicable']],
  [
    'foreign-node',
    'another client',
    shown({ client: seen('nethermind/v1.31'), ...mods('eth', 'net') }),
    [
      'fail',
      'medium http://127.0.0.1:8551 at http://127.0.0.1:8551',
      '  {"kind":"nethermind","client":"nethermind/v1.31"}',
    ],
  ],
  ['foreign-node', 'another client with kaia', shown({ client: seen('Geth/v1.13') }), ['pass']],
  [
    'foreign-node',
    'no client',
    shown({ client: late, ...mods('eth') }),
    ['undetermined', '? indeterminate http://127.0.0.1:8551'],
  ],
  [
    'foreign-node',
    'no client beside a known one',
    shown({}, undefined, endpoints({}, { endpoint: ws, client: late, ...mods('eth') })),
    ['pass'],
  ],
  [
    'foreign-node',
    'a known one that is closed',
    shown({}, undefined, endpoints(closed, { endpoint: ws, client: late, ...mods('eth') })),
    ['undetermined', '? refused http://127.0.0.1:8551', '? indeterminate ws://127.0.0.1:8552'],
  ],
  ['foreign-node', 'nobody answers', shown(silent), ['undetermined', '? timeout http://127.0.0.1:8551']],
  [
    'missing-interface',
    'refused beside one that answers',
    shown(
      {},
      withListeners(http, listener('ws', { state: 'on', port: 8552 })),
      endpoints({ source: 'conf' }, { ...closed, endpoint: ws, source: 'conf' }),
    ),
    ['fail', 'medium ws at 1:1', '  {"interface":"ws"}', '  beside ws://127.0.0.1:8552'],
  ],
  ['missing-interface', 'refused alone', shown(closed, quietSettings), ['pass']],
  [
    'missing-interface',
    'late beside one that answers',
    shown(
      {},
      withListeners(http, listener('ws', { state: 'on' })),
      endpoints({}, { ...silent, endpoint: ws }),
    ),
    ['pass'],
  ],
  ['missing-interface', 'off', shown(closed, closedSettings), ['not-applicable']],
  ['release-mismatch', 'no process', shown({}), ['not-applicable']],
  [
    'missing-module',
    'eth is not offered',
    shown(mods('kaia', 'net', 'rpc', 'web3'), quietSettings),
    [
      'fail',
      'low http eth at 2:10',
      '  {"interface":"http","module":"eth","modules":["eth"]}',
      '  beside http://127.0.0.1:8551',
    ],
  ],
  [
    'missing-module',
    'another list, as after admin.startHTTP',
    shown(mods('net', 'rpc'), quietSettings),
    [
      'fail',
      'low http modules at 2:10',
      '  {"interface":"http","module":"eth","modules":["eth","kaia","web3"]}',
      '  beside http://127.0.0.1:8551',
    ],
  ],
  [
    'missing-module',
    'late',
    shown({ modules: late }, quietSettings),
    ['undetermined', '? timeout http://127.0.0.1:8551'],
  ],
  [
    'undeclared-module',
    'some more',
    shown(mods('kaia', 'eth', 'net', 'web3', 'rpc', 'txpool', 'personal', 'debug'), quietSettings),
    [
      'fail',
      'low http debug at http://127.0.0.1:8551',
      '  {"interface":"http","module":"debug","reach":"loopback"}',
      '  beside 2:10',
      'low http personal at http://127.0.0.1:8551',
      '  {"interface":"http","module":"personal","reach":"loopback"}',
      '  beside 2:10',
      'info http txpool at http://127.0.0.1:8551',
      '  {"interface":"http","module":"txpool","reach":"loopback"}',
      '  beside 2:10',
    ],
  ],
  [
    'undeclared-module',
    'late',
    shown({ modules: late }, quietSettings),
    ['undetermined', '? timeout http://127.0.0.1:8551'],
  ],
  [
    'undeclared-interface',
    'closed in the conf',
    shown(mods('kaia', 'personal', 'rpc'), closedSettings),
    [
      'fail',
      'medium http at http://127.0.0.1:8551',
      '  {"interface":"http","reach":"loopback","source":"conf","modules":["kaia","personal"],"reachBy":"socket"}',
      '  beside 1:1',
    ],
  ],
  [
    'undeclared-interface',
    'closed in the conf and wide',
    shown({ ...mods('rpc'), bind: seen(['0.0.0.0']) }, closedSettings),
    [
      'fail',
      'medium http at http://127.0.0.1:8551',
      '  {"interface":"http","reach":"any","source":"conf","modules":[],"reachBy":"socket"}',
      '  beside 1:1',
    ],
  ],
  [
    'undeclared-interface',
    'closed, no list',
    shown({ modules: late }, closedSettings),
    [
      'fail',
      'info http at http://127.0.0.1:8551',
      '  {"interface":"http","reach":"loopback","source":"conf","modules":[],"reachBy":"socket"}',
      '  beside 1:1',
    ],
  ],
  [
    'undeclared-interface',
    'a socket of the process',
    shown({ source: 'process', endpoint: { kind: 'http', url: 'http://127.0.0.1:9999' } }),
    [
      'fail',
      'info http://127.0.0.1:9999 at http://127.0.0.1:9999',
      '  {"interface":"http","reach":"loopback","source":"process","modules":["eth","kaia","net","web3"],"reachBy":"socket"}',
    ],
  ],
  ['undeclared-interface', 'an argument without settings', shown({}), ['pass']],
  [
    'undeclared-interface',
    'a port',
    shown({}, withListeners(http, listener('metrics', { port: 61001 })), { metrics: [port()] }),
    [
      'fail',
      'info metrics at http://127.0.0.1:61001',
      '  {"interface":"metrics","reach":"loopback","reachBy":"socket"}',
      '  beside 1:1',
    ],
  ],
  [
    'undeclared-interface',
    'a port that does not serve',
    shown({}, withListeners(http, listener('metrics')), { metrics: [port({ metrics: seen('closed') })] }),
    ['pass'],
  ],
  [
    'undeclared-interface',
    'a port that is late',
    shown({}, withListeners(http, listener('metrics')), { metrics: [port({ metrics: late })] }),
    ['pass'],
  ],
  [
    'undeclared-interface',
    'a port that is on',
    shown({}, withListeners(http, listener('metrics', { state: 'on' })), { metrics: [port()] }),
    ['pass'],
  ],
  ['undeclared-interface', 'a port without settings', shown({}, undefined, { metrics: [port()] }), ['pass']],
  [
    'undeclared-interface',
    'sockets',
    shown({}, undefined, {
      sockets: [
        { address: '0.0.0.0', port: 9, use: 'unknown' },
        { address: '::', port: 32323, use: 'p2p' },
      ],
    }),
    ['undetermined', '? unreadable port 9'],
  ],
  ['undeclared-interface', 'nothing there', shown({}, undefined, none), ['not-applicable']],
  [
    'open-profiler',
    'open',
    shown({}, undefined, { metrics: [port({ profiler: seen('open') })] }),
    ['fail', 'low metrics at http://127.0.0.1:61001', '  {"reach":"loopback","proven":true}'],
  ],
  [
    'open-profiler',
    'open at one port that two settings name',
    shown({}, undefined, {
      metrics: [port({ profiler: seen('open') }), port({ kind: 'pprof', profiler: seen('open') })],
    }),
    ['fail', 'low pprof at http://127.0.0.1:61001', '  {"reach":"loopback","proven":true}'],
  ],
  [
    'open-profiler',
    'late',
    shown({}, undefined, { metrics: [port({ profiler: late })] }),
    ['undetermined', '? timeout http://127.0.0.1:61001'],
  ],
  [
    'open-profiler',
    'late where it is off',
    shown({}, withListeners(http, listener('metrics')), { metrics: [port({ profiler: late })] }),
    ['pass'],
  ],
  [
    'open-profiler',
    'left out',
    shown({}, undefined, { metrics: [port({ profiler: leftOut })] }),
    ['not-applicable'],
  ],
  [
    'open-profiler',
    'left out of one of two',
    shown({}, undefined, { metrics: [port({ profiler: leftOut }), port({ url: 'http://127.0.0.1:7' })] }),
    ['pass'],
  ],
  [
    'open-socket',
    'all write',
    shown({ endpoint: ipc, fileMode: seen(0o777) }),
    ['fail', 'high /run/klay.ipc at ipc:/run/klay.ipc', '  {"mode":"0777"}'],
  ],
  [
    'open-socket',
    'all write, behind a closed folder',
    shown({
      endpoint: ipc,
      fileMode: seen(0o777),
      openTo: seen({ everyone: false, some: [], lists: [] }),
    }),
    ['pass'],
  ],
  [
    'open-socket',
    'all write, behind a folder of another user',
    shown({
      endpoint: ipc,
      fileMode: seen(0o666),
      openTo: seen({ everyone: false, some: ['user 7, who owns /run,'], lists: [] }),
    }),
    ['fail', 'medium /run/klay.ipc at ipc:/run/klay.ipc', '  {"mode":"0666"}'],
  ],
  [
    'open-socket',
    'an access control list on the way',
    shown({
      endpoint: ipc,
      fileMode: seen(0o666),
      openTo: seen({ everyone: false, some: [], lists: ['/run'] }),
    }),
    ['undetermined', '? indeterminate ipc:/run/klay.ipc'],
  ],
  [
    'open-socket',
    'the group writes',
    shown({ endpoint: ipc, fileMode: seen(0o660) }),
    ['fail', 'medium /run/klay.ipc at ipc:/run/klay.ipc', '  {"mode":"0660"}'],
  ],
  ['open-socket', 'its user alone', shown({ endpoint: ipc, fileMode: seen(0o600) }), ['pass']],
  [
    'open-socket',
    'late',
    shown({ endpoint: ipc, fileMode: late }),
    ['undetermined', '? timeout ipc:/run/klay.ipc'],
  ],
  ['open-socket', 'no socket', shown({}), ['not-applicable']],
  ['open-socket', 'left out', shown({ endpoint: ipc, fileMode: leftOut }), ['not-applicable']],
  ['open-socket', 'nobody listens', shown({ endpoint: ipc, ...closed, fileMode: late }), ['not-applicable']],
  [
    'pending-restart',
    'another port',
    shown({}, quietSettings, {
      process: processOf(['--rpc', '--rpcapi', 'klay,eth,net,web3', '--rpcport', '9']),
    }),
    [
      'fail',
      'medium no rpcport for the process at 1:1',
      '  {"pid":812,"differences":[{"flag":"rpcport","conf":null,"process":"9"}]}',
    ],
  ],
  [
    'pending-restart',
    'another list',
    shown({}, quietSettings, { process: processOf(['--rpc', '--rpcapi', 'klay,eth,net,web3,debug']) }),
    [
      'fail',
      'medium rpcapi=klay,eth,net,web3 for the process at 1:1',
      '  {"pid":812,"differences":[{"flag":"rpcapi","conf":"klay,eth,net,web3","process":"klay,eth,net,web3,debug"}]}',
    ],
  ],
  [
    'pending-restart',
    'only a name',
    shown({}, quietSettings, { process: processOf(['--rpc', '--rpcapi', 'web3,kaia,net,eth']) }),
    [
      'fail',
      'low rpcapi=klay,eth,net,web3 for the process at 1:1',
      '  {"pid":812,"differences":[{"flag":"rpcapi","conf":"klay,eth,net,web3","process":"web3,kaia,net,eth"}]}',
    ],
  ],
  [
    'pending-restart',
    'only the log',
    shown({}, quietSettings, {
      process: processOf(['--rpc', '--rpcapi=klay,eth,net,web3', '-verbosity', '4', '--log.file', 'x']),
    }),
    [
      'fail',
      'low no verbosity for the process at 1:1',
      '  {"pid":812,"differences":[{"flag":"verbosity","conf":null,"process":"4"}]}',
    ],
  ],
  [
    'pending-restart',
    'nothing',
    shown({}, quietSettings, { process: processOf(['--rpc', '--rpcapi', 'klay,eth,net,web3']) }),
    ['pass'],
  ],
  [
    'pending-restart',
    'many',
    shown({}, quietSettings, { process: processOf(['--a', '--b', '1', '--c', '--d', '--e', '--f']) }),
    [
      'fail',
      'medium rpc=on, rpcapi=klay,eth,net,web3, no a, no b, no c and 3 more for the process at 1:1',
      '  {"pid":812,"differences":[{"flag":"rpc","conf":"on","process":null},{"flag":"rpcapi","conf":"klay,eth,net,web3","process":null},{"flag":"a","conf":null,"process":"on"},{"flag":"b","conf":null,"process":"1"},{"flag":"c","conf":null,"process":"on"},{"flag":"d","conf":null,"process":"on"},{"flag":"e","conf":null,"process":"on"},{"flag":"f","conf":null,"process":"on"}]}',
    ],
  ],
  [
    'pending-restart',
    'a command line that is not known',
    shown({}, { ...quietSettings, start: null }, { process: processOf([]) }),
    ['undetermined', '? indeterminate null'],
  ],
  [
    'pending-restart',
    'a word that is not known',
    shown(
      {},
      { ...quietSettings, start: [{ text: null, variable: null, at: null }] },
      { process: processOf([]) },
    ),
    ['undetermined', '? indeterminate null'],
  ],
  [
    'pending-restart',
    'no process asked for',
    shown({}, quietSettings, { process: notSeen('not-asked', 'x') }),
    ['not-applicable'],
  ],
  [
    'pending-restart',
    'no process to see',
    shown({}, quietSettings, { process: notSeen('not-applicable', 'x') }),
    ['not-applicable'],
  ],
  [
    'pending-restart',
    'a process that does not show',
    shown({}, quietSettings, { process: notSeen('not-permitted', 'x') }),
    ['undetermined', '? not-permitted null'],
  ],
  [
    'privileged-module',
    'listed',
    shown(mods('kaia', 'personal', 'debug', 'txpool', 'rpc')),
    [
      'fail',
      'medium http personal at http://127.0.0.1:8551',
      '  {"interface":"http","module":"personal","proven":true,"reach":"loopback"}',
      'info http txpool at http://127.0.0.1:8551',
      '  {"interface":"http","module":"txpool","proven":true,"reach":"loopback"}',
    ],
  ],
  [
    'privileged-module',
    'not listed',
    shown({
      ...mods('kaia', 'rpc'),
      methods: { admin_peers: seen('present'), txpool_status: seen('absent') },
    }),
    [
      'fail',
      'medium http admin at http://127.0.0.1:8551',
      '  {"interface":"http","module":"admin","proven":true,"unlisted":true,"reach":"loopback"}',
    ],
  ],
  [
    'privileged-module',
    'late',
    shown({ modules: late }),
    ['undetermined', '? timeout http://127.0.0.1:8551'],
  ],
  [
    'privileged-module',
    'methods late',
    shown({ methods: { admin_peers: late } }),
    ['undetermined', '? timeout http://127.0.0.1:8551'],
  ],
  [
    'privileged-module',
    'gRPC that listens',
    shown(
      {},
      withListeners(
        http,
        listener('grpc', { state: 'on', host: '10.0.0.1', port: 8553, modules: ['admin', 'eth', 'txpool'] }),
      ),
      { grpc: [grpcPort()] },
    ),
    [
      'fail',
      'info grpc admin at 1:1',
      '  {"interface":"grpc","module":"admin","reach":"private"}',
      '  beside grpc://10.0.0.1:8553',
      'low grpc txpool at 1:1',
      '  {"interface":"grpc","module":"txpool","reach":"private"}',
      '  beside grpc://10.0.0.1:8553',
    ],
  ],
  [
    'privileged-module',
    'gRPC that does not',
    shown({}, withListeners(listener('grpc', { state: 'on', modules: ['admin'] })), {
      endpoints: [],
      grpc: [grpcPort({ listening: refused })],
    }),
    [
      'fail',
      'low grpc admin at 1:1',
      '  {"interface":"grpc","module":"admin","reach":"any"}',
      '? refused grpc http://10.0.0.1:8553',
    ],
  ],
  [
    'privileged-module',
    'gRPC without settings',
    shown({}, undefined, { endpoints: [], grpc: [grpcPort()] }),
    ['pass'],
  ],
  ['privileged-module', 'nothing there', shown({}, undefined, none), ['not-applicable']],
  [
    'public-bind',
    'wide',
    shown({ bind: seen(['0.0.0.0', '127.0.0.1', '10.0.0.1']) }),
    [
      'fail',
      'medium http 0.0.0.0 at http://127.0.0.1:8551',
      '  {"interface":"http","bind":"0.0.0.0","reachBy":"socket","reach":"any"}',
      'medium http 10.0.0.1 at http://127.0.0.1:8551',
      '  {"interface":"http","bind":"10.0.0.1","reachBy":"socket","reach":"any"}',
    ],
  ],
  [
    'public-bind',
    'wide as the settings say',
    shown({ bind: seen(['0.0.0.0']) }, withListeners({ ...http, host: '10.0.0.5' })),
    [
      'fail',
      'medium http 10.0.0.5 at 1:1',
      '  {"interface":"http","host":"10.0.0.5","port":8551,"closes":true,"reach":"any","bind":"0.0.0.0","reachBy":"socket"}',
      '  beside http://127.0.0.1:8551',
    ],
  ],
  [
    'public-bind',
    'wide against the settings',
    shown({ bind: seen(['0.0.0.0']) }, quietSettings),
    [
      'fail',
      'medium http 0.0.0.0 at http://127.0.0.1:8551',
      '  {"interface":"http","bind":"0.0.0.0","reachBy":"socket","reach":"any"}',
    ],
  ],
  ['public-bind', 'not seen', shown({ bind: late }), ['undetermined', '? timeout http://127.0.0.1:8551']],
  [
    'public-bind',
    'not seen, of a public address',
    shown({ bind: late, endpoint: { kind: 'http', url: 'http://1.2.3.4:8551' } }),
    ['pass'],
  ],
  ['public-bind', 'nothing there', shown({}, undefined, none), ['not-applicable']],
  [
    'unknown-module',
    'of another node',
    shown(mods('kaia', 'clique', 'zzz', 'rpc')),
    [
      'fail',
      'info http clique at http://127.0.0.1:8551',
      '  {"interface":"http","module":"clique","proven":true,"reach":"loopback"}',
      'info http zzz at http://127.0.0.1:8551',
      '  {"interface":"http","module":"zzz","proven":true,"reach":"loopback"}',
      '? indeterminate http://127.0.0.1:8551',
    ],
  ],
  ['unknown-module', 'late', shown({ modules: late }), ['undetermined', '? timeout http://127.0.0.1:8551']],
  ['unknown-module', 'nothing there', shown({}, undefined, none), ['not-applicable']],
  [
    'unsafe-debug',
    'off',
    shown({ ...mods('debug'), methods: all(seen('present')) }),
    [
      'fail',
      'medium http debug at http://127.0.0.1:8551',
      '  {"interface":"http","switch":"off","present":["debug_setGCPercent","debug_chaindbProperty","debug_traceBlockFromFile","debug_preimage"],"reach":"loopback"}',
    ],
  ],
  [
    'unsafe-debug',
    'on',
    shown({
      ...mods('debug'),
      methods: { ...all(seen('absent')), [alwaysPresent]: seen<Presence>('present') },
    }),
    [
      'fail',
      'info http debug at http://127.0.0.1:8551',
      '  {"interface":"http","switch":"on","present":[],"reach":"loopback"}',
    ],
  ],
  [
    'unsafe-debug',
    'not proven',
    shown({ ...mods('debug'), methods: all(late) }),
    [
      'fail',
      'low http debug at http://127.0.0.1:8551',
      '  {"interface":"http","switch":"unproven","present":[],"reach":"loopback"}',
    ],
  ],
  ['unsafe-debug', 'not listed', shown({}), ['pass']],
  ['unsafe-debug', 'late', shown({ modules: late }), ['undetermined', '? timeout http://127.0.0.1:8551']],
  [
    'unsafe-debug',
    'late, but methods answer',
    shown({ modules: late, methods: all(seen('present')) }),
    [
      'fail',
      'medium http debug at http://127.0.0.1:8551',
      '  {"interface":"http","switch":"off","present":["debug_setGCPercent","debug_chaindbProperty","debug_traceBlockFromFile","debug_preimage"],"reach":"loopback"}',
    ],
  ],
  [
    'wildcard-cors',
    'let in',
    shown({ foreignOrigin: seen('open') }),
    [
      'fail',
      'medium RPC_CORSDOMAIN at http://127.0.0.1:8551',
      '  {"interface":"http","proven":true,"bound":"loopback"}',
    ],
  ],
  [
    'wildcard-cors',
    'late',
    shown({ foreignOrigin: late }),
    ['undetermined', '? timeout http://127.0.0.1:8551'],
  ],
  [
    'wildcard-vhosts',
    'let in',
    shown({ foreignHost: seen('open'), ...mods('personal') }),
    [
      'fail',
      'critical RPC_VHOSTS at http://127.0.0.1:8551',
      '  {"interface":"http","proven":true,"bound":"loopback"}',
    ],
  ],
  [
    'wildcard-vhosts',
    'late',
    shown({ foreignHost: late }),
    ['undetermined', '? timeout http://127.0.0.1:8551'],
  ],
  [
    'wildcard-origins',
    'let in',
    shown({ endpoint: ws, foreignOrigin: seen('open') }),
    [
      'fail',
      'medium WS_ORIGINS at ws://127.0.0.1:8552',
      '  {"interface":"ws","proven":true,"bound":"loopback"}',
    ],
  ],
  [
    'wildcard-origins',
    'late',
    shown({ endpoint: ws, foreignOrigin: late }),
    ['undetermined', '? timeout ws://127.0.0.1:8552'],
  ],
  [
    'plaintext-endpoint',
    'a name of a private address',
    shown({ endpoint: { kind: 'http', url: 'http://en:8551' } }, undefined, {
      names: { en: seen(['10.0.0.5']) },
    }),
    ['pass'],
  ],
  [
    'plaintext-endpoint',
    'a name that does not resolve',
    shown({ endpoint: { kind: 'http', url: 'http://en:8551' } }, undefined, { names: { en: late } }),
    ['undetermined', '? indeterminate http://en:8551'],
  ],
  [
    'plaintext-endpoint',
    'a name of a public address',
    shown({ endpoint: { kind: 'http', url: 'http://en:8551' } }, undefined, {
      names: { en: seen(['127.0.0.1', '203.0.113.7']) },
    }),
    ['fail', 'medium http://en:8551 at http://en:8551', '  {"interface":"http"}'],
  ],
  [
    'plaintext-endpoint',
    'over the internet',
    shown({ endpoint: { kind: 'http', url: 'http://1.2.3.4:8551' } }),
    ['fail', 'medium http://1.2.3.4:8551 at http://1.2.3.4:8551', '  {"interface":"http"}'],
  ],
  [
    'plaintext-endpoint',
    'ws over the internet',
    shown({ endpoint: { kind: 'ws', url: 'ws://1.2.3.4:8552' } }),
    ['fail', 'medium ws://1.2.3.4:8552 at ws://1.2.3.4:8552', '  {"interface":"ws"}'],
  ],
  [
    'plaintext-endpoint',
    'by TLS',
    shown({ endpoint: { kind: 'http', url: 'https://1.2.3.4:8551' } }),
    ['pass'],
  ],
  [
    'plaintext-endpoint',
    'in the house',
    shown({ endpoint: { kind: 'http', url: 'http://10.0.0.1:8551' } }),
    ['pass'],
  ],
  [
    'loose-permissions',
    'a key that all read',
    shown(
      {},
      settings({
        secretFiles: [{ path: '/d/nodekey', mode: 0o644, flag: 'nodekey', holds: 'the node’s key' }],
      }),
    ),
    ['fail', 'medium /d/nodekey at 1:1', '  {"path":"/d/nodekey","mode":"0644"}'],
  ],
  [
    'loose-permissions',
    'a key that the group writes',
    shown(
      {},
      settings({
        secretFiles: [{ path: '/d/nodekey', mode: 0o620, flag: 'nodekey', holds: 'the node’s key' }],
      }),
    ),
    ['fail', 'high /d/nodekey at 1:1', '  {"path":"/d/nodekey","mode":"0620"}'],
  ],
  [
    'loose-permissions',
    'a key of its user',
    shown(
      {},
      settings({
        secretFiles: [{ path: '/d/nodekey', mode: 0o600, flag: 'rpcapi', holds: 'the node’s key' }],
      }),
    ),
    ['pass'],
  ],
  [
    'latent-module',
    'listed and not offered',
    shown(
      mods('kaia', 'eth', 'net', 'web3'),
      settings({
        listeners: [
          { ...http, listed: listedAdmin, modules: ['admin', 'eth', 'kaia', 'net', 'rpc', 'web3'] },
        ],
      }),
    ),
    [
      'fail',
      'medium http admin at 2:10',
      '  {"interface":"http","module":"admin"}',
      '  beside http://127.0.0.1:8551',
    ],
  ],
  [
    'latent-module',
    'listed nowhere in particular',
    shown(
      mods('kaia', 'eth', 'net', 'web3'),
      settings({
        listeners: [{ ...http, listed: null, modules: ['admin', 'eth', 'kaia', 'net', 'rpc', 'web3'] }],
      }),
    ),
    ['pass'],
  ],
  ['latent-module', 'late', shown({ modules: late }, quietSettings), ['pass']],
  ['foreign-node', 'nobody asked', shown({}, undefined, { endpoints: [] }), ['not-applicable']],
  [
    'foreign-node',
    'a name within another',
    shown({ client: seen('NotKaia/v1'), ...mods('eth') }),
    [
      'fail',
      'medium http://127.0.0.1:8551 at http://127.0.0.1:8551',
      '  {"kind":"notkaia","client":"NotKaia/v1"}',
    ],
  ],
  ['missing-module', 'nothing there', shown({}, quietSettings, { endpoints: [] }), ['not-applicable']],
  ['undeclared-module', 'nothing there', shown({}, quietSettings, { endpoints: [] }), ['not-applicable']],
  ['accounts-listed', 'left out', shown({ accounts: notSeen('left-out', 'x') }), ['not-applicable']],
  ['second-source', 'no words', shown({}, settings({ start: null })), ['not-applicable']],
  [
    'privileged-module',
    'grpc alone',
    shown({}, settings({ listeners: [] }), {
      endpoints: [],
      grpc: [{ url: 'http://10.0.0.1:8553', source: 'conf', listening: late, bind: late }],
    }),
    ['undetermined', '? timeout grpc http://10.0.0.1:8553'],
  ],
  [
    'undeclared-interface',
    'open and unknown',
    shown({}, settings({ listeners: [{ ...http, state: 'unknown' }] })),
    ['pass'],
  ],
])('%s: %s', (rule, _, facts, outcome) => {
  expect(formatOutcome(outcomeOf(rule, facts))).toEqual(outcome);
});

const restarted = (...argv: string[]) => shown({}, quietSettings, { process: processOf(argv) });

/** What is said of the first and not of the other: a number, a name, a consequence. */
test.each<[string, RegExp, Facts, Facts]>([
  [
    'undeclared-interface',
    /and offers kaia\b/,
    shown(mods('kaia'), closedSettings),
    shown(mods('rpc'), closedSettings),
  ],
  ['undeclared-interface', /the settings close it/, shown({}, closedSettings), shown({ source: 'process' })],
  [
    'unsafe-debug',
    /add --rpc\.unsafe-debug\.disable/,
    shown({ ...mods('debug'), methods: all(seen('present')) }),
    shown({
      ...mods('debug'),
      methods: { ...all(seen('absent')), [alwaysPresent]: seen<Presence>('present') },
    }),
  ],
  [
    'accounts-listed',
    /\b2 more/,
    shown({ accounts: seen([addr, addr, addr]) }),
    shown({ accounts: seen([addr]) }),
  ],
  ['pending-restart', /\b1 more/, restarted('--a', '--b', '--c', '--d'), restarted('--a', '--b', '--c')],
  ['pending-restart', /no effect/, restarted('--rpc', '--rpcapi', 'kaia,eth,net,web3'), restarted('--rpc')],
  ['unknown-module', /kaiactl does not know/, shown(mods('zzz')), shown(mods('miner'))],
])('%s reports %s only where it holds', (id, words, facts, other) => {
  expect(sentencesOf(id, facts)).toMatch(words);
  expect(sentencesOf(id, other)).toMatch(/./);
  expect(sentencesOf(id, other)).not.toMatch(words);
});

test('an interface that does not answer is not judged by its socket', () => {
  expect(outcomeOf('public-bind', shown({ ...closed, bind: seen(['0.0.0.0']) }))).toEqual(['not-applicable']);
});

describe('another source', () => {
  const unknown = (kind: 'yaml' | 'default', indeterminate: string | null) => ({
    value: null,
    origin: kind === 'yaml' ? { kind, path: '/x', key: null, at: null } : { kind },
    shadowed: [],
    indeterminate,
  });
  const started = (text: string | null, values: Settings['values'], place: Span | null = at) =>
    outcomeOf(
      'second-source',
      shown(
        {},
        settings({
          start: [
            { text: '--a', variable: null, at },
            { text, variable: null, at: place },
            { text: '/x', variable: null, at },
          ],
          values,
        }),
      ),
    )[0];
  test.each<[string, string, string | null, Settings['values'], Span | null]>([
    ['fail', 'apart', '--conf', { ws: unknown('yaml', 'not read') }, at],
    ['fail', 'with one dash', '-conf', { ws: unknown('yaml', 'not read') }, at],
    ['not-applicable', 'that was read', '--conf', { ws: unknown('yaml', null) }, at],
    ['not-applicable', 'that leaves nothing open', '--conf', { ws: unknown('default', 'a word') }, at],
    ['not-applicable', 'of another name', '--config', { ws: unknown('yaml', 'not read') }, at],
    ['not-applicable', 'that nobody names', null, { ws: unknown('yaml', 'not read') }, at],
    ['not-applicable', 'that stands nowhere', '--conf', { ws: unknown('yaml', 'not read') }, null],
  ])('%s: one %s', (verdict, _, text, values, place) => {
    expect(started(text, values, place)).toBe(verdict);
  });
});

test('twenty of very many files with secrets are listed', () => {
  const secretFiles = Array.from({ length: 21 }, (_, at) => ({
    path: `/d/${at}`,
    mode: 0o604,
    flag: 'rpcapi',
    holds: 'k',
  }));
  expect(outcomeOf('loose-permissions', shown({}, settings({ secretFiles })))).toHaveLength(21);
});
