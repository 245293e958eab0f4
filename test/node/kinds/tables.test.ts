/** The tables of kinds as they are written: services, modules, limits and other clients; and how limits and requests are read. */
import { expect, test } from 'vitest';
import { go } from '../../../src/node/dialect/go/index.js';
import { commonResults, type NodeState } from '../../../src/node/kinds/answers.js';
import { amountOf } from '../../../src/node/kinds/caps.js';
import { type ClientRow, clientOf, type OtherClient } from '../../../src/node/kinds/client.js';
import { commonModule } from '../../../src/node/kinds/common-modules.js';
import type { FlagType } from '../../../src/node/kinds/flags.js';
import { describe as describeClient, summary } from '../../../src/node/kinds/others.js';
import {
  existenceProbe,
  namespaceOf,
  nonsenseMethod,
  read,
  readMethod,
} from '../../../src/node/kinds/request.js';

test('readers answer what every kind of node does', () => {
  const node: NodeState = { client: 'X/v1', chainId: 8217, accounts: ['0x1'], unlocked: [] };
  const answers = Object.entries(commonResults).map(([name, result]) => [name, result(node)]);
  expect(Object.fromEntries(answers)).toEqual({
    eth_chainId: '0x2019',
    eth_accounts: ['0x1'],
    eth_blockNumber: '0xbebc200',
    eth_syncing: false,
    eth_gasPrice: '0x5d21dba00',
    web3_clientVersion: 'X/v1',
    net_version: '8217',
    net_listening: true,
    net_peerCount: '0x0',
    eth_mining: false,
    txpool_status: { pending: '0x0', queued: '0x0' },
  });
});

test('modules that mean the same everywhere are private, or open to every client', () => {
  expect(commonModule('debug')).toEqual({
    severity: 'critical',
    privileged: true,
    does: 'rewind the chain and overwrite files',
  });
  expect(commonModule('net')).toEqual({
    severity: 'info',
    privileged: false,
    does: 'read the network status',
  });
  expect([commonModule('nonsense'), commonModule('toString')]).toEqual([null, null]);
});

test.each<[FlagType, unknown, number | null]>([
  ['int', 5, 5],
  ['int', '5', 5],
  ['int', 'x', null],
  ['int', true, null],
  ['int', null, null],
  ['duration', '5s', 5],
  ['duration', '1h30m', 5400],
  ['duration', '1.5m', 90],
  ['duration', '250ms', 0.25],
  ['duration', '2us', 2e-6],
  ['duration', '10ns', 1e-8],
  ['duration', '-2s', -2],
  ['duration', '2', null],
  ['duration', 'x', null],
])('the limit %s %j amounts to %s', (type, value, amount) => {
  expect(amountOf(go, type, value)).toBe(amount);
});

test('requests have no parameters that run anything', () => {
  const reader = readMethod('net_version');
  expect(read(reader)).toEqual({ method: 'net_version', params: [] });
  const nonsense = nonsenseMethod();
  expect(existenceProbe(nonsense)).toEqual({ method: nonsense, params: {} });
  expect(namespaceOf(reader)).toBe('net');
});

const base = {
  serving: ['run', 'start'],
  idle: ['init'],
  interfaces: {
    http: {
      enable: '--http',
      addr: '--addr',
      port: '--port',
      api: '--api',
      usual: ['127.0.0.1', 8545],
      usualModules: 'eth',
      switches: { '--admin': 'admin open', '--level=all': 'everything open' },
    },
  },
} as const satisfies Partial<ClientRow>;
const admin = {
  enable: '--admin-api',
  off: /^none$/,
  addr: '--admin-addr',
  hostOfPort: '127.0.0.1',
  usual: [null, 9000],
} as const;
const rows: readonly ClientRow[] = [
  {
    ...base,
    name: 'plain',
    role: 'execution',
    programs: ['plain', /^x-plain$/i],
    images: null,
    interfaces: { ...base.interfaces, admin },
  },
  {
    ...base,
    name: 'variables',
    role: 'execution',
    sharedPrograms: ['other'],
    variables: { prefix: 'APP_' },
    takesSeparateBooleans: true,
    configFiles: ['--config'],
  },
  {
    name: 'dashes',
    role: 'proxy',
    variables: { prefix: 'P', dot: '-' },
    own: ['a.b', 'c*'],
    isToolbox: true,
    isConfigured: true,
    clientName: /^Dashes\//i,
    interfaces: {
      ws: { isOn: null, addr: '--bind.a', port: '--x', disable: '--no-ws' },
      always: { isOn: true, addr: '--bind.a', usual: ['', 1], isOtherInContainer: true },
    },
  },
  {
    name: 'lists',
    role: 'proxy',
    variables: { prefix: 'L_' },
    blankIsUnset: true,
    hasDashes: true,
    configFiles: ['--config'],
    interfaces: {
      http: {
        isOn: true,
        enable: '--a.on',
        addr: '--a.host',
        origins: '--a.cors',
        hosts: '--a.hosts',
        usual: ['127.0.0.1', 1],
        usualOrigins: '*',
      },
      more: {
        isOn: true,
        needs: '--a.on',
        addr: '--a.more',
        isPacked: true,
        origins: '--a.cors',
        hostOfPort: '127.0.0.1',
        usual: ['[::1]', 2],
        switches: { '--a.open': 'no login' },
      },
    },
  },
];
const clients = rows.map(clientOf);
const made = (name: string) => clients.find((client) => client.name === name) as OtherClient;

test('a row of a client has the facts that it states, with each name of a setting', () => {
  const [plain, variables, dashes, lists] = clients as [OtherClient, OtherClient, OtherClient, OtherClient];
  const off = /^(?:false|0|no|off)$/i;
  const lone = { isPacked: false, isOtherInContainer: false, usualOrigins: null };
  const none = { disable: [], needs: [], origins: [], hosts: [] };
  expect(plain).toEqual({
    name: 'plain',
    role: 'execution',
    programs: ['plain', /^x-plain$/i],
    sharedPrograms: [],
    serving: ['run', 'start'],
    idle: ['init'],
    images: null,
    isToolbox: false,
    own: [],
    beside: [],
    clientName: null,
    configFiles: [],
    isConfigured: false,
    takesSeparateBooleans: false,
    blankIsUnset: false,
    interfaces: [
      {
        ...none,
        ...lone,
        name: 'http',
        isOn: false,
        enable: ['--http'],
        off,
        addr: ['--addr'],
        port: ['--port'],
        api: ['--api'],
        usual: ['127.0.0.1', 8545],
        usualModules: 'eth',
        switches: base.interfaces.http.switches,
        hostOfPort: '0.0.0.0',
      },
      {
        ...none,
        ...lone,
        name: 'admin',
        isOn: false,
        enable: ['--admin-api'],
        off: /^none$/,
        addr: ['--admin-addr'],
        port: [],
        api: [],
        usual: [null, 9000],
        usualModules: null,
        switches: {},
        hostOfPort: '127.0.0.1',
      },
    ],
  });
  expect(variables).toMatchObject({
    programs: ['variables'],
    sharedPrograms: ['other'],
    images: /(?:^|\/)variables$/,
    configFiles: ['--config', '$APP_CONFIG'],
    takesSeparateBooleans: true,
    interfaces: [
      {
        enable: ['--http', '$APP_HTTP'],
        addr: ['--addr', '$APP_ADDR'],
        switches: {
          '--admin': 'admin open',
          $APP_ADMIN: 'admin open',
          '--level=all': 'everything open',
          '$APP_LEVEL=all': 'everything open',
        },
      },
    ],
  });
  expect(dashes).toMatchObject({
    isToolbox: true,
    isConfigured: true,
    own: ['a.b', 'c*'],
    clientName: /^Dashes\//i,
    interfaces: [
      {
        isOn: null,
        addr: ['--bind.a', '$PBIND-A'],
        usual: [null, null],
        disable: ['--no-ws', '$PNO-WS'],
      },
      { isOn: true, usual: ['', 1], isOtherInContainer: true },
    ],
  });
  expect(lists).toMatchObject({
    blankIsUnset: true,
    configFiles: ['--config', '$L_CONFIG', '--config'],
    interfaces: [
      {
        enable: ['--a.on', '$L_A_ON', '--a-on'],
        needs: [],
        isPacked: false,
        usualOrigins: '*',
        origins: ['--a.cors', '$L_A_CORS', '--a-cors'],
        hosts: ['--a.hosts', '$L_A_HOSTS', '--a-hosts'],
      },
      {
        needs: ['--a.on', '$L_A_ON', '--a-on'],
        isPacked: true,
        usualOrigins: null,
        switches: { '--a.open': 'no login', $L_A_OPEN: 'no login', '--a-open': 'no login' },
      },
    ],
  });
});

/** `?`: a word that cannot be known, '' an empty one. */
const opens = (
  name: string,
  line: string,
  environment: Readonly<Record<string, string | null>> = {},
  isContainer = false,
) => {
  const words = line
    .split(' ')
    .filter(Boolean)
    .map((word) => (word === '?' ? null : word === "''" ? '' : word));
  return summary(
    made(name),
    describeClient(made(name), words, new Map(Object.entries(environment)), isContainer),
  )
    .replace(`${name} · `, '')
    .replace(' · not judged', '');
};

test.each([
  ['--http', 'http on 127.0.0.1:8545, modules eth'],
  ['--http --addr 0.0.0.0 --port 9 --api a,b', 'http on 0.0.0.0:9, modules a,b'],
  ['--http --addr 0.0.0.0 --port :9', 'http on 0.0.0.0:9, modules eth'],
  ['--http --addr 0.0.0.0 --port x', 'http on 0.0.0.0, modules eth'],
  ['--http --addr 0.0.0.0 --port $P', 'http on 0.0.0.0, modules eth'],
  ['--http --addr 0.0.0.0:7', 'http on 0.0.0.0:7, modules eth'],
  ['--http --addr :7', 'http on 0.0.0.0:7, modules eth'],
  ['--http --addr 7', 'http on 0.0.0.0:7, modules eth'],
  ['--http --addr [::]:7', 'http on [::]:7, modules eth'],
  ['--http --addr ::', 'http on [::]:8545, modules eth'],
  ['--http --addr=a,b:7', 'http on a,b:8545, modules eth'],
  ['--http --addr http://a:7/x,ws://b:8', 'http on a,b:7, modules eth'],
  ['--http --addr unix:/run/x', 'http on unix:/run/x, modules eth'],
  ['--http --addr /run/x', 'http on /run/x, modules eth'],
  ["--http --addr ''", 'http on every address, port 8545, modules eth'],
  ["--http --addr '' --port x", 'http on every address, modules eth'],
  ["--http --api ''", 'http on 127.0.0.1:8545, an empty module list'],
  ['--http --addr $A', 'http on an unknown address, port 8545, modules eth'],
  ['--http --addr $A --port $P', 'http on an unknown address, modules eth'],
  ['--http ?', 'http on an unknown address, port 8545'],
  ['--http --addr ?', 'http on an unknown address, port 8545, modules eth'],
  ['--HTTP --ADDR 10.0.0.1', 'http on 10.0.0.1:8545, modules eth'],
  ['--http=false', 'no interface'],
  ['--http=off', 'no interface'],
  ['--http=False', 'no interface'],
  ['--http=falsey', 'http on 127.0.0.1:8545, modules eth'],
  ['--http false', 'http on 127.0.0.1:8545, modules eth'],
  ['--http=$X', 'http on 127.0.0.1:8545, modules eth'],
  ['--admin-api', 'without --http · admin on an unknown address, port 9000'],
  ['--admin-api=none', 'no interface'],
  ['--admin-api=false --admin-addr 5', 'without --http · admin on 127.0.0.1:5'],
  ['--http --admin', 'http on 127.0.0.1:8545, modules eth, admin open'],
  ['--http --admin=0', 'http on 127.0.0.1:8545, modules eth'],
  ['--http --admin=00', 'http on 127.0.0.1:8545, modules eth, admin open'],
  ['--http --admin=xfalse', 'http on 127.0.0.1:8545, modules eth, admin open'],
  ['--http --level all', 'http on 127.0.0.1:8545, modules eth, everything open'],
  ['--http --level $L', 'http on 127.0.0.1:8545, modules eth, everything open'],
  ['--http --level some', 'http on 127.0.0.1:8545, modules eth'],
  ['', 'no interface'],
  ['?', 'http on an unknown address, port 8545'],
])('plain with “%s” opens %s', (line, expected) => {
  expect(opens('plain', line).replace('plain without', 'without')).toBe(expected);
});

test.each<[line: string, Readonly<Record<string, string | null>>, expected: string]>([
  ['', { APP_HTTP: 'true', APP_ADDR: '0.0.0.0' }, 'http on 0.0.0.0:8545, modules eth'],
  ['', { APP_HTTP: 'false' }, 'no interface'],
  ['', { APP_HTTP: null, APP_ADDR: null }, 'http on an unknown address, port 8545, modules eth'],
  ['', { APP_HTTP: '$X' }, 'http on 127.0.0.1:8545, modules eth'],
  ['--http false', {}, 'no interface'],
  ['--http --addr 10.0.0.1', { APP_ADDR: '0.0.0.0' }, 'http on 10.0.0.1:8545, modules eth'],
  ['--http --config mainnet', {}, 'http on 127.0.0.1:8545, modules eth'],
  ['--http --config a.toml', {}, 'http on an unknown address, port 8545'],
  ['--http --config $C', {}, 'http on an unknown address, port 8545'],
  ['--config a.toml', {}, 'http on an unknown address, port 8545'],
  [
    '--http',
    { APP_LEVEL: 'all', APP_ADMIN: '1' },
    'http on 127.0.0.1:8545, modules eth, admin open, everything open',
  ],
])('variables with “%s” and %j opens %s', (line, environment, expected) => {
  expect(opens('variables', line, environment)).toBe(expected);
});

test.each([
  ['', false, 'ws on an unknown address; always on an unknown address, port 1'],
  ['--no-ws', false, 'always on an unknown address, port 1'],
  ['--no-ws=false', false, 'ws on an unknown address; always on an unknown address, port 1'],
  ['--no-ws=0x', false, 'always on an unknown address, port 1'],
  ['--no-ws --bind.a 10.0.0.1', false, 'always on 10.0.0.1:1'],
])('dashes with “%s”, in a container: %s, opens %s', (line, isContainer, expected) => {
  expect(opens('dashes', line, {}, isContainer)).toBe(expected);
});

test.each<[line: string, Readonly<Record<string, string>>, expected: string]>([
  ['--a.more 0.0.0.0:2|http|x;y', {}, 'more on 0.0.0.0:2, modules x,y'],
  [
    '--a-more=:2|http|x|no-auth',
    {},
    'http on 127.0.0.1:1, any origin; more on 127.0.0.1:2, modules x, no login',
  ],
  ['--a.more=0.0.0.0:2|http|x|auth', {}, 'more on 0.0.0.0:2, modules x'],
  ['--a.more=0.0.0.0:2|http|x|no-auth --a-open', {}, 'more on 0.0.0.0:2, modules x, no login'],
  ['--a.more=0.0.0.0:2 --a.cors=all', {}, 'more on 0.0.0.0:2, any origin'],
  [
    "--a.more ['0.0.0.0:2|http|x',,0.0.0.0:3|http|y]",
    {},
    'more on 0.0.0.0:2, modules x; more on 0.0.0.0:3, modules y',
  ],
  ['--a.on=0 --a.more=0.0.0.0:2', {}, 'no interface'],
  ['--a.on=off --a.more=0.0.0.0:2', {}, 'more on 0.0.0.0:2'],
  ['--a.host=:: --a.cors=x,allow', {}, 'http on [::]:1'],
  ['--a.host=:: --a.cors=["*"]', {}, 'http on [::]:1, any origin'],
  ['--a.host=:: --a.cors=*.x --a.hosts=ALL', {}, 'http on [::]:1, any Host'],
  ['--a.host=:: --a.cors= ', { L_A_CORS: '*' }, 'http on [::]:1'],
  ['--a.host=:: --a.cors=$X ', {}, 'http on [::]:1'],
  ['--a.host=::', { L_A_CORS: ' ', L_A_HOSTS: '' }, 'http on [::]:1, any origin'],
  ['--a.host=:: --config x.toml', {}, 'http on [::]:1; more on an unknown address, port 2'],
  [
    '--a.host=:: --config x --a.more=0.0.0.0:2',
    { L_CONFIG: 'x' },
    'http on [::]:1, any origin; more on 0.0.0.0:2',
  ],
  ['--a.host=:: --config x --a.more=0.0.0.0:2', { L_CONFIG: '/x' }, 'http on [::]:1; more on 0.0.0.0:2'],
])('lists with “%s” and %j opens %s', (line, environment, expected) => {
  expect(opens('lists', line, environment)).toBe(expected);
});
