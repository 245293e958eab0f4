/** Words, hosts and values as programs on clap 4 take them. */
import { expect, test } from 'vitest';
import { clap } from '../../../../src/node/dialect/clap/index.js';
import type { FlagType } from '../../../../src/node/dialect/flag.js';

test.each([
  ['--http', 'http'],
  ['--http.addr=::', 'http.addr'],
  ['-d', 'd'],
  ['-vvv', 'v'],
  ['http', null],
  ['---http', null],
  ['--', null],
  ['-', null],
  ['-1', null],
])('the flag in %s is %s', (word, flag) => {
  expect(clap.flagIn(word)).toBe(flag);
});

test.each([
  ['', null],
  ['node', 'node'],
  ['node --http', 'node'],
  ['--http node', 'node'],
  ['--port 8551 node', 'node'],
  ['--port=8551 node', 'node'],
  ['--port --http node', 'node'],
  ['--port', null],
  ['-d node', 'node'],
  ['-- node', '--'],
])('the command in "%s" is %s', (words, command) => {
  const takesValue = (flag: string) => flag === 'port';
  expect(clap.commandIn(words === '' ? [] : words.split(' '), takesValue)).toBe(command);
});

test.each([
  ['0.0.0.0', null],
  ['::', null],
  ['[::]', '[::] is not an IP address'],
  ['localhost', 'localhost is not an IP address'],
  ['fe80::1%eth0', 'fe80::1%eth0 is not an IP address'],
  ['', ' is not an IP address'],
])('the host "%s" cannot be bound: %s', (host, why) => {
  expect(clap.unbindable(host)).toBe(why);
});

test.each([
  ['9001', { host: '127.0.0.1', port: 9001 }],
  [':9001', { host: '127.0.0.1', port: 9001 }],
  ['localhost:9001', { host: '127.0.0.1', port: 9001 }],
  ['0.0.0.0:9001', { host: '0.0.0.0', port: 9001 }],
  ['[::]:9001', { host: '[::]', port: 9001 }],
  ['reth-1.example:9001', { host: 'reth-1.example', port: 9001 }],
  ['', null],
  ['0.0.0.0', null],
  ['::1:9001', null],
  ['[x]:9001', null],
  ['0.0.0.0:65536', null],
  ['a b:1', null],
])('the socket address %j is %j', (text, address) => {
  expect(clap.addressIn(text)).toEqual(address);
});

test.each<[FlagType, string, unknown]>([
  ['string', '', { value: '' }],
  ['list', 'a,b', { value: 'a,b' }],
  ['path', '', { refused: 'it is empty' }],
  ['path', '/a', { value: '/a' }],
  ['bool', 'true', { value: true }],
  ['bool', 'false', { value: false }],
  ['bool', '1', { refused: 'it takes no value' }],
  ['uint64', '+5', { value: 5 }],
  ['uint64', '18446744073709551615', { value: '18446744073709551615' }],
  ['uint64', '18446744073709551616', { refused: 'it is out of range' }],
  ['uint64', '-1', { refused: 'it is not a whole number' }],
  ['uint64', '0x10', { refused: 'it is not a whole number' }],
  ['uint64', '1_000', { refused: 'it is not a whole number' }],
  ['int64', '-1', { value: -1 }],
  ['port', '65535', { value: 65_535 }],
  ['port', '65536', { refused: 'it is out of range' }],
  ['port', '', { refused: 'it is not a whole number' }],
  ['max', 'max', { value: 'max' }],
  ['max', '7', { value: 7 }],
  ['max', 'MAX', { refused: 'it is not a whole number' }],
  ['float', '1.5e3', { value: 1500 }],
  ['float', '1,5', { refused: 'it is not a number' }],
  ['ip', '10.0.0.1', { value: '10.0.0.1' }],
  ['ip', '[::]', { refused: 'it is not an IP address' }],
  ['socket', ':9001', { value: ':9001' }],
  ['socket', 'x', { refused: 'it is not an address with a port' }],
])('%s takes %j as %j', (type, text, parsed) => {
  expect(clap.value(type, text)).toEqual(parsed);
  expect(clap.variable(type, text)).toEqual(parsed);
});
