/** What keeps a node from starting, and what only seems to have an effect: each line as it was met. */
import { describe, expect, test } from 'vitest';
import type { Launcher } from '../../../../src/node/kinds/kaia/names.js';
import { readConf } from '../../editables.js';

const read = (conf: string, launcher: Launcher = 'kend') =>
  readConf(`${launcher}.conf`, Buffer.from(`NETWORK=mainnet\nDATA_DIR=/d\n${conf}\n`)).settings;

test.each([
  ['RPC_ADDR="::"', /--rpcaddr :: cannot be bound \(.* in brackets: \[::\]\)/, '[::]'],
  ['RPC_ADDR=127.0.0.1:8551', /holds a port/, '127.0.0.1'],
  ['RPC_ADDR=:8551', /holds a port/, null],
  ['RPC_ADDR=“0.0.0.0”', /is not a host name/, '0.0.0.0'],
  ['RPC_ADDR=[::g]', /is not an IPv6 address/, null],
])('%s: the node does not start, and the intended settings are judged', (line, said, host) => {
  const conf = read(`RPC_ENABLE=1\n${line}`);
  expect(conf.listeners[0]).toMatchObject({
    kind: 'http',
    state: 'on',
    host,
    refused: true,
  });
  expect(conf.startable).toBe(false);
  expect(conf.problems).toMatchObject([
    { kind: 'bad-value', fatal: true, message: expect.stringMatching(said), at: { line: 4 } },
  ]);
});

test.each(['[::]', '[::1]', 'localhost', 'node-1.internal', '10.0.0.1'])('RPC_ADDR=%s listens', (host) => {
  const conf = read(`RPC_ENABLE=1\nRPC_ADDR=${host}`);
  expect([conf.listeners[0]?.state, conf.problems]).toEqual(['on', []]);
});

test.each<[Launcher, string, RegExp, boolean]>([
  ['kcnd', 'REWARDBASE="0x0"', /--rewardbase 0x0 is neither an address nor an index/, true],
  [
    'kend',
    'RPC_ENABLE=1\nWS_ENABLE=1\nRPC_PORT=8551\nWS_PORT=8551',
    /--rpcport and --wsport are both 8551/,
    true,
  ],
  ['kend', 'RPC_ENABLE=1\nRPC_PORT=32323', /--rpcport and --port are both 32323/, true],
  ['kend', 'WS_ENABLE=1\nWS_PORT=32324\nMULTICHANNEL=1', /--wsport and --subport are both 32324/, true],
  ['kend', 'MULTICHANNEL=1\nSUBPORT=32323', /--port and --subport are both 32323/, true],
  ['kend', 'RPC_ENABLE=1\nRPC_PORT=99999', /--rpcport 99999 is not a port/, true],
  ['kend', 'RPC_ENABLE=1\nRPC_PORT=65536', /--rpcport 65536 is not a port/, true],
  ['kend', 'RPC_ENABLE=1\nRPC_PORT=-1', /--rpcport -1 is not a port/, true],
  ['kend', 'RPC_ENABLE=1\nRPC_PORT=0', /lets the system choose a port/, false],
  ['kbnd', 'METRICS=1', /--nodekey takes the next word, --metrics/, true],
])('%s with %j: %s', (launcher, text, said, fatal) => {
  const { problems, startable } = read(text, launcher);
  expect(problems).toMatchObject([{ message: expect.stringMatching(said), fatal }]);
  expect(startable).toBe(!fatal);
});

const bridge = { SC_SUB_BRIDGE_PORT: 50506, SC_ANCHORING_PERIOD: 1, SC_TX_LIMIT: 100, SC_PARENT_CHAIN_ID: 1 };

test.each(Object.keys(bridge))(
  'a flag that lacks its value because of an empty %s is told of it',
  (lacking) => {
    const lines = Object.entries(bridge).map(([name, value]) => (name === lacking ? '' : `${name}=${value}`));
    const conf = ['SC_SUB_BRIDGE=1', ...lines].join('\n');
    const [at, own] = [{ line: 3 }, { line: lines.indexOf('') + 4 }];
    expect(read(conf, 'kscnd').problems).toMatchObject([{ variable: lacking, at }]);
    expect(read(`${conf}\n`.replace('\n\n', `\n${lacking}=\n`), 'kscnd').problems).toMatchObject([
      { variable: lacking, at: own },
    ]);
  },
);

test('two ports 0 do not clash: the system chooses each', () => {
  const { problems, startable } = read('RPC_ENABLE=1\nWS_ENABLE=1\nRPC_PORT=0\nWS_PORT=0');
  const message = expect.stringMatching(/port 0 lets the system choose a port/);
  expect(problems).toMatchObject([
    { message, fatal: false },
    { message, fatal: false },
  ]);
  expect([startable, problems.length]).toEqual([true, 2]);
});

test.each<[Launcher, string]>([
  ['kcnd', 'REWARDBASE=0x00000000000000000000000000000000000000aa'],
  ['kcnd', 'REWARDBASE=0'],
  ['kend', 'RPC_PORT=32323'],
  ['kend', 'RPC_ENABLE=1\nRPC_PORT=65535'],
  ['kend', 'RPC_ENABLE=1\nRPC_PORT=1'],
  ['kend', 'RPC_ENABLE=1\nWS_ENABLE=1\nRPC_ADDR=127.0.0.1\nWS_ADDR=10.0.0.1\nWS_PORT=8551'],
  ['kend', 'WS_ENABLE=1\nWS_PORT=32324'],
  ['kbnd', 'KEY_PATH=/k\nADDITIONAL="--rpc --rpcport 32323"'],
])('%s with %j starts', (launcher, text) => {
  expect(read(text, launcher).problems).toEqual([]);
});

describe('effective settings', () => {
  test('--prometheus=false behind --prometheus takes nothing back', () => {
    const conf = read('METRICS=1\nPROMETHEUS=1\nADDITIONAL="--prometheus=false"');
    expect(conf.values.prometheus).toMatchObject({
      value: true,
      origin: { variable: 'PROMETHEUS' },
      shadowed: [],
    });
    expect(conf.listeners.find(({ kind }) => kind === 'metrics')?.state).toBe('on');
    expect(read('METRICS=1\nADDITIONAL="--prometheus=false"').values.prometheus?.value).toBe(false);
  });

  test.each(['chaindatafetcher.kafka.brokers', 'statedb.cache.redis.endpoints', 'gasless.allowed-tokens'])(
    '--%s keeps every value',
    (flag) => {
      const conf = read(`ADDITIONAL="--${flag} a:1,b:2 --${flag}=c:3"`);
      expect(conf.values[flag]).toMatchObject({ value: 'a:1,b:2,c:3', shadowed: [] });
      expect(read(`ADDITIONAL="--${flag} a:1 --${flag} $(x)"`).values[flag]?.value).toBeNull();
    },
  );

  test('kbnd with --rpc offers only rpc', () => {
    const http = read('KEY_PATH=/k\nADDITIONAL="--rpc"', 'kbnd').listeners[0];
    expect(http).toMatchObject({ state: 'on', modules: ['rpc'] });
  });

  test.each([
    ['a[RPC_ENABLE=1]=2', 'on'],
    ['RPC_ENABLE=1\na[RPC_ENABLE=0]=2', 'off'],
    ['x=$(y)\na[RPC_ENABLE=x]=2', 'unknown'],
    ['a["RPC_ENABLE=1"]=2', 'on'],
    ['a[RPC_ENABLE==1]=2', 'off'],
  ])('the index of an array is arithmetic: %j', (text, state) => {
    expect(read(text).listeners[0]?.state).toBe(state);
  });

  test('a condition that cannot be known is named with its line', () => {
    const { listeners } = read('\nif [ -f /x ]; then\n  RPC_ENABLE=1\nfi');
    expect(listeners[0]).toMatchObject({ state: 'unknown', reason: expect.stringContaining('(line 4)') });
  });
});
