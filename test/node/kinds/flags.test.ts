import { expect, test } from 'vitest';
import { go } from '../../../src/node/dialect/go/index.js';
import { flagSet, inCapitals, rowOf, switchOpensMore, valueIn } from '../../../src/node/kinds/flags.js';
import { namespaceOf, nonsenseMethod } from '../../../src/node/kinds/request.js';

test('a row of a table is a flag, where - and nothing say that it has no alias or no default', () => {
  expect(rowOf('rpc', 'b')).toEqual({ name: 'rpc', type: 'bool', aliases: [], fallback: null });
  expect(rowOf('rpcport', 'i', 'http.port,p', '8551')).toEqual({
    ...{ name: 'rpcport', type: 'int', aliases: ['http.port', 'p'], fallback: '8551' },
  });
  expect(rowOf('rpcapi', 'S', '-', '-')).toEqual({
    name: 'rpcapi',
    type: 'list',
    aliases: [],
    fallback: null,
  });
  expect(['s', 'l', 'n', 'u', 'f', 'd', 'p', 't'].map((type) => rowOf('x', type).type)).toEqual([
    ...['string', 'int64', 'uint', 'uint64', 'float', 'duration', 'path', 'text'],
  ]);
});

test('a set has its flags by every name and variable, with defaults as the dialect reads them', () => {
  const flags = [
    { ...rowOf('rpc', 'b', '-', 'true'), environment: ['A_RPC', 'B_RPC'] },
    { ...rowOf('rpcport', 'i', 'http.port', '8551'), environment: [] },
    { ...rowOf('rpcaddr', 's'), environment: [] },
    { ...rowOf('odd', 'i', '-', 'x'), environment: [] },
  ];
  const { byName, byEnvironment, defaults } = flagSet(go, flags);
  expect([...byName].map(([name, flag]) => `${name} ${flag.name}`)).toEqual([
    ...['rpc rpc', 'rpcport rpcport', 'http.port rpcport', 'rpcaddr rpcaddr', 'odd odd'],
  ]);
  expect([...byEnvironment].map(([name, flag]) => `${name} ${flag.name}`)).toEqual([
    'A_RPC rpc',
    'B_RPC rpc',
  ]);
  expect(Object.entries(defaults).map(([name, { value }]) => [name, value])).toEqual([
    ['rpc', true],
    ['rpcport', 8551],
    ['rpcaddr', null],
    ['odd', null],
  ]);
  expect(defaults.rpc).toMatchObject({ origin: { kind: 'default' }, shadowed: [], indeterminate: null });
});

test.each([
  ['', null],
  ['--port', null],
  ['--port 1', '1'],
  ['-port 1', '1'],
  ['--port=1 --port 2', '1'],
  ['--other 0 --p=', ''],
  ['--p=a=b', 'a=b'],
  ['---port 1', null],
  ['port 1', null],
  ['--ports 1', null],
])('in %j the value of --port or --p is %s', (words, value) => {
  expect(valueIn(words.split(' '), ['port', 'p'])).toBe(value);
});

test('names of variables, switches and modules', () => {
  expect(inCapitals('http.api-list')).toBe('HTTP_API_LIST');
  expect(['rpc', 'ipcdisable', 'rpc.unsafe-debug.disable'].map(switchOpensMore)).toEqual([
    true,
    false,
    false,
  ]);
  expect(namespaceOf('debug_traceCall_x')).toBe('debug');
  expect(nonsenseMethod()).toMatch(/^kaiactl_[0-9a-f]{16}$/);
  expect(nonsenseMethod()).not.toBe(nonsenseMethod());
});
