/** Variables as ports of addresses, and where files give them a value. */
import { expect, test } from 'vitest';
import { portsGiven, portVariableIn, valuesIn } from '../../../../src/node/deployment/forwards/variables.js';
import { LineIndex } from '../../../../src/node/sources/text/line-index.js';

test.each([
  ['server ${HOST}:${RPC_PORT}', 'RPC_PORT'],
  ['proxy_pass http://127.0.0.1:$rpc_port', 'rpc_port'],
  ['reverse_proxy {{ host }}:{{ rpc_port }}', 'rpc_port'],
  ['server en en:{{ .Values.rpc.port }} check', 'port'],
  ['to a:$ONE b:$TWO', 'TWO'],
  ['reverse_proxy {$HOST}:{$RPC_PORT}', 'RPC_PORT'],
  ['server en en:"${RPC_PORT}" check', 'RPC_PORT'],
  ['http://$backend', null],
  ['server en:8551', null],
])('%s', (words, expected) => {
  expect(portVariableIn(words)).toBe(expected);
});

test.each([
  ['RPC_PORT=8551\n', [8551]],
  ["export RPC_PORT='8551'\n", [8551]],
  ['environment: { RPC_PORT: 8551 }\n', [8551]],
  ['- RPC_PORT=${RPC_PORT:-8551}\n', [8551]],
  ['- name: RPC_PORT\n  value: "8551"\n', [8551]],
  ['RPC_PORT: ${PORT:-8551}\nPORT: 8545\n', [8551, 8545]],
  ['RPC_PORT={{ rpc_port }}\nrpc_port: 8551\n', [8551]],
  ['WS_RPC_PORT=8552\nx.RPC_PORT=8553\nRPC_PORT=\n', []],
  ['RPC_PORT=$A\nA=$B\nB=$C\nC=8551\n', []],
])('%j gives RPC_PORT %j', (text, expected) => {
  expect(portsGiven('RPC_PORT', [text])).toEqual(expected);
});

test('a variable of many values has no more than 64', () => {
  const text = Array.from({ length: 100 }, (_, at) => `P=${8000 + at}\n`).join('');
  expect(portsGiven('P', [text, text])).toHaveLength(64);
});

test.each([
  ['UNIX-CONNECT:$S', 'S=/d/geth.ipc\nsocat x', ['UNIX-CONNECT:/d/geth.ipc']],
  ['UNIX:${D}/geth.ipc', 'export D="/d"\nD=/e\n', ['UNIX:/d/geth.ipc', 'UNIX:/e/geth.ipc']],
  ['$B:${P:-9000}', 'B=127.0.0.1\n', ['127.0.0.1:9000']],
  ['${P:-9000}', 'P=9001\n', ['9001', '9000']],
  ['$A', 'A=$B\nB=9000\n', ['9000']],
  ['$P', 'P=9000\nP=$(port)\n', ['$P']],
  ['$P', 'P=$1\n', ['$1']],
  ['unix:$OTHER', 'ANOTHER=/d/geth.ipc\n', ['unix:$OTHER']],
  ['UNIX-CONNECT:/d/geth.ipc', 'S=/d/geth.ipc\n', ['UNIX-CONNECT:/d/geth.ipc']],
])('%s in %j is %j', (words, text, expected) => {
  expect(valuesIn(words, new LineIndex('run.sh', text))).toEqual(expected);
});

test('an address of several variables has no more than 64 values', () => {
  const values = ['A', 'B', 'C'].flatMap((name) => Array.from({ length: 60 }, (_, at) => `${name}=${at}\n`));
  expect(valuesIn('$A:$B:$C', new LineIndex('x.sh', values.join('')))).toHaveLength(64);
});
