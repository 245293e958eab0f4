import { describe, expect, test } from 'vitest';
import type { Launcher } from '../../../src/node/kinds/kaia/names.js';
import { readConf } from '../../../src/node/read-conf.js';
import { shapeOf } from '../../../src/node/simulator/shape.js';

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

test('a conf like those shipped', () => {
  expect(shaped(open)).toEqual({
    http: {
      ...{ host: '0.0.0.0', port: 8551, modules: ['eth', 'kaia', 'net', 'rpc', 'web3'], origins: ['*'] },
      ...{ vhosts: ['localhost', 'node.example'], executionMs: 7000 },
    },
    ws: {
      ...{ host: '127.0.0.1', port: 8552, modules: ['debug', 'kaia', 'rpc'], origins: ['https://a.example'] },
      maxConnections: 3000,
    },
    ipc: {
      path: '/var/kend/data/klay.ipc',
      modules: expect.arrayContaining(['admin', 'debug', 'eth', 'kaia', 'personal', 'txpool']),
    },
    metrics: { host: '0.0.0.0', port: 61001 },
    pprof: null,
    maxSubscriptions: 3000,
    maxBytes: 524_288,
    unsafeDebugGone: false,
    ethIsKaia: false,
    noGasless: false,
    release: { tag: 'v2.2.1', keepsIpc: true, klay: false, takesObjects: false },
    bootNode: false,
    identity: '',
    chainId: 8217,
    accounts: [],
    notes: [],
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
    ['RPC_EXECUTION_TIMEOUT=0', { http: { executionMs: 30_000 } }],
    ['METRICS=0', { metrics: null }],
    ['NETWORK="kairos"', { chainId: 1001 }],
    ['NETWORK_ID=1234', { chainId: 1234 }],
    ['ADDITIONAL="--rpc.unsafe-debug.disable"', { unsafeDebugGone: true }],
    ['ADDITIONAL="--rpc.unsafe-debug.disable --rpc.unsafe-debug.disable=false"', { unsafeDebugGone: false }],
    ['ADDITIONAL="--rpc.eth.noncompatible"', { ethIsKaia: true }],
    ['ADDITIONAL="--ipcdisable"', { ipc: null }],
    ['ADDITIONAL="--pprof --pprofport 6061"', { pprof: { host: '127.0.0.1', port: 6061 } }],
    ['ADDITIONAL="--maxRequestContentLength 1000"', { maxBytes: 1000 }],
    [
      'ADDITIONAL="--wsmaxconnections 2 --wsmaxsubscriptionperconn 3"',
      { ws: { maxConnections: 2 }, maxSubscriptions: 3 },
    ],
    ['ADDITIONAL="--identity en-1"', { identity: 'en-1' }],
    [`ADDITIONAL="--unlock ${account}"`, { accounts: [account] }],
    ['ADDITIONAL="--grpc"', { notes: ['gRPC is on in this conf; the simulator does not serve it.'] }],
    ['ADDITIONAL="--rpcport 0"', { http: { port: 0 } }],
  ];
  test.each(rows)('%s', (line, expected) => {
    expect(shaped(open + line)).toMatchObject(expected);
  });
  test('a boot node', () => {
    const shape = shaped('KEY_PATH=/k\nDATA_DIR=/d\nADDITIONAL="--rpc --rpcapi bootnode,net"', 'kbnd');
    expect(shape).toMatchObject({ bootNode: true, http: { modules: ['bootnode', 'rpc'] } });
  });
});

describe('what cannot be known', () => {
  test('an interface whose switch is indeterminate stays closed, with a note', () => {
    const { http, notes } = shaped(`${open}RPC_ENABLE=$(cat enabled)`);
    expect(http).toBeNull();
    expect(notes).toEqual([expect.stringMatching(/^http stays closed: /)]);
  });
  test('an indeterminate port becomes a free one, with a note', () => {
    const { http, notes } = shaped(`${open}RPC_PORT=$(cat port)`);
    expect(http?.port).toBe(0);
    expect(notes).toContain('The port of http cannot be resolved: a free port is used.');
  });
});
