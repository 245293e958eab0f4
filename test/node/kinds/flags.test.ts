import { expect, test } from 'vitest';
import { go } from '../../../src/node/dialect/go/index.js';
import {
  type FlagRow,
  flagForm,
  flagSet,
  inCapitals,
  switchOpensMore,
  valueIn,
} from '../../../src/node/kinds/flags.js';
import { namespaceOf, nonsenseMethod } from '../../../src/node/kinds/request.js';

test('a row of a table is a form of a flag, with the variables of its name unless it has others', () => {
  const plain = { aliases: [], fallback: null, environment: [] };
  expect(flagForm(['rpc', 'bool'])).toEqual({ ...plain, name: 'rpc', type: 'bool' });
  const row: FlagRow<'v1', { readonly environment?: readonly string[] }> = [
    ...(['rpcport', 'int'] as const),
    { aliases: ['http.port', 'p'], fallback: '8551', since: 'v1' },
  ];
  const form = { name: 'rpcport', type: 'int', aliases: ['http.port', 'p'], fallback: '8551', since: 'v1' };
  const variablesOf = (name: string) => [`X_${name}`];
  expect(flagForm(row, variablesOf)).toEqual({ ...form, environment: ['X_rpcport'] });
  expect(flagForm(['rpcport', 'int', { ...row[2], environment: [] }], variablesOf)).toEqual({
    name: 'rpcport',
    type: 'int',
    aliases: ['http.port', 'p'],
    fallback: '8551',
    since: 'v1',
    environment: [],
  });
});

test('a set has its flags by every name and variable, with defaults as the dialect reads them', () => {
  const flags = [
    flagForm(['rpc', 'bool', { fallback: 'true' }], () => ['A_RPC', 'B_RPC']),
    flagForm(['rpcport', 'int', { aliases: ['http.port'], fallback: '8551' }]),
    flagForm(['rpcaddr', 'string']),
    { ...flagForm(['odd', 'int']), fallback: 'x' },
  ];
  const { byName, byEnvironment, defaults } = flagSet(go, flags);
  expect([...byName].map(([name, flag]) => `${name} ${flag.name}`)).toEqual([
    'rpc rpc',
    'rpcport rpcport',
    'http.port rpcport',
    'rpcaddr rpcaddr',
    'odd odd',
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
