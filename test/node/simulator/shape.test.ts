import { describe, expect, test } from 'vitest';
import type { Launcher } from '../../../src/node/kinds/kaia/names.js';
import { shapeOf } from '../../../src/node/simulator/shape.js';
import { readConf } from '../editables.js';

const open = `
NETWORK="mainnet"
RPC_ENABLE=1
RPC_API="klay,eth,net,web3"
RPC_PORT=8551
RPC_ADDR="0.0.0.0"
RPC_CORSDOMAIN="*"
RPC_VHOSTS="localhost,node.example"
RPC_EXECUTION_TIMEOUT=7
WS_ENABLE=1
WS_API="klay,debug"
WS_ADDR="127.0.0.1"
WS_PORT=8552
WS_ORIGINS="https://a.example"
METRICS=1
PROMETHEUS=1
DATA_DIR=/var/kend/data
`;

function shaped(text: string, launcher: Launcher = 'kend') {
  return shapeOf(readConf('a.conf', Buffer.from(text), { launcher, package: 'tar' }).settings);
}

test('a packaged conf yields its shape', async () => {
  const { answers, ...shape } = await shaped(open);
  expect(shape).toEqual({
    http: {
      host: '0.0.0.0',
      port: 8551,
      modules: ['eth', 'kaia', 'net', 'rpc', 'web3'],
      origins: ['*'],
      vhosts: ['localhost', 'node.example'],
    },
    ws: {
      host: '127.0.0.1',
      port: 8552,
      modules: ['debug', 'kaia', 'rpc'],
      origins: ['https://a.example'],
    },
    ipc: {
      path: '/var/kend/data/klay.ipc',
      modules: expect.arrayContaining(['admin', 'debug', 'eth', 'kaia', 'personal', 'txpool']),
    },
    authrpc: null,
    metrics: { host: '0.0.0.0', port: 61001 },
    pprof: null,
    notes: [],
  });
  expect(answers).toMatchObject({
    client: 'Klaytn/v2.2.1/linux-amd64/go1.25.3',
    chainId: 8217,
    accounts: [],
    limits: {
      httpBytes: 524_288,
      wsBytes: 524_288,
      executionMs: 7000,
      connections: 3000,
      subscriptions: 3000,
    },
    wire: { takesObjects: false },
  });
});

describe('one setting', () => {
  const account = `0x${'1'.repeat(40)}`;
  const rows: readonly (readonly [line: string, expected: object])[] = [
    ['RPC_ENABLE=0', { http: null }],
    ['RPC_ENABLE=true', { http: null }],
    ['WS_ENABLE=0', { ws: null }],
    ['RPC_API=""', { http: { modules: ['eth', 'kaia', 'net', 'rpc', 'web3'] } }],
    ['RPC_API=admin,Debug', { http: { modules: ['admin', 'rpc'] } }],
    ['RPC_VHOSTS="a, b"', { http: { vhosts: ['localhost'] } }],
    ['RPC_CORSDOMAIN=""', { http: { origins: [] } }],
    ['RPC_EXECUTION_TIMEOUT=0', { answers: { limits: { executionMs: 30_000 } } }],
    ['METRICS=0', { metrics: null }],
    ['NETWORK="kairos"', { answers: { chainId: 1001 } }],
    ['NETWORK_ID=1234', { answers: { chainId: 1234 } }],
    ['ADDITIONAL="--rpc.eth.noncompatible"', { answers: { aliases: { methods: { eth: 'kaia' } } } }],
    ['ADDITIONAL="--ipcdisable"', { ipc: null }],
    ['ADDITIONAL="--pprof --pprofport 6061"', { pprof: { host: '127.0.0.1', port: 6061 } }],
    [
      'ADDITIONAL="--maxRequestContentLength 1000"',
      { answers: { limits: { httpBytes: 1000, wsBytes: 1000 } } },
    ],
    [
      'ADDITIONAL="--wsmaxconnections 2 --wsmaxsubscriptionperconn 3"',
      { answers: { limits: { connections: 2, subscriptions: 3 } } },
    ],
    ['ADDITIONAL="--identity en-1"', { answers: { client: 'Klaytn/en-1/v2.2.1/linux-amd64/go1.25.3' } }],
    [`ADDITIONAL="--unlock ${account}"`, { answers: { accounts: [account] } }],
    ['ADDITIONAL="--grpc"', { notes: ['gRPC is on in this conf; the simulator does not serve it.'] }],
    ['ADDITIONAL="--rpcport 0"', { http: { port: 0 } }],
  ];
  test.each(rows)('%s', async (line, expected) => {
    expect(await shaped(open + line)).toMatchObject(expected);
  });
  test.each([
    ['', true],
    [' --rpc.unsafe-debug.disable=false', true],
    [' --rpc.unsafe-debug.disable', false],
  ])('the unsafe-debug switch, after "%s"', async (flags, isOffered) => {
    const { answers } = await shaped(`${open}ADDITIONAL="--nodiscover${flags}"`);
    const offers = (transport: 'http' | 'ipc') =>
      answers.services(transport, ['debug']).some(({ methods }) => Object.hasOwn(methods, 'chaindbProperty'));
    expect([offers('http'), offers('ipc')]).toEqual([isOffered, true]);
  });
  test('a boot node has the interfaces of its services only', async () => {
    const { answers, http } = await shaped(
      'KEY_PATH=/k\nDATA_DIR=/d\nADDITIONAL="--rpc --rpcapi bootnode,net"',
      'kbnd',
    );
    expect(http?.modules).toEqual(['bootnode', 'rpc']);
    expect(answers.services('ipc', ['debug', 'eth']).map(({ namespace }) => namespace)).not.toContain('eth');
  });
});

describe('what cannot be known', () => {
  test('an interface whose switch is indeterminate stays closed, with a note', async () => {
    const { http, notes } = await shaped(`${open}RPC_ENABLE=$(cat enabled)`);
    expect(http).toBeNull();
    expect(notes).toEqual([expect.stringMatching(/^http stays closed: /)]);
  });
  test.each([
    ['RPC_CORSDOMAIN', { http: { origins: [] } }, 'The origins of http cannot be resolved: none are used.'],
    ['WS_ORIGINS', { ws: { origins: [] } }, 'The origins of ws cannot be resolved: none are used.'],
    ['RPC_VHOSTS', { http: { vhosts: ['localhost'] } }, 'The vhosts cannot be resolved: localhost is used.'],
    ['WS_API', { ws: null }, 'ws stays closed: '],
  ])('an unknown %s is noted and opens nothing', async (variable, expected, note) => {
    const shape = await shaped(`${open}${variable}=$(cat value)`);
    expect(shape).toMatchObject(expected);
    expect(shape.notes).toEqual([expect.stringContaining(note)]);
  });
  test('an indeterminate port becomes a free one, with a note', async () => {
    const { http, notes } = await shaped(`${open}RPC_PORT=$(cat port)`);
    expect(http?.port).toBe(0);
    expect(notes).toContain('The port of http cannot be resolved: a free port is used.');
  });
});
