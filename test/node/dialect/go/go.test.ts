/** Words and hosts as programs on urfave/cli and Go's net package take them. */
import { expect, test } from 'vitest';
import { go } from '../../../../src/node/dialect/go/index.js';

test.each([
  ['--rpc', 'rpc'],
  ['-rpc', 'rpc'],
  ['--rpc.port=8551', 'rpc.port'],
  ['--rpc=--ws', 'rpc'],
  ['rpc', null],
  ['x--rpc', null],
  ['---rpc', null],
  ['--', null],
  ['--1', null],
])('the flag in %s is %s', (word, flag) => {
  expect(go.flagIn(word)).toBe(flag);
});

test.each([
  ['', null],
  ['init', 'init'],
  ['--rpc init', 'init'],
  ['--port 8551 init', 'init'],
  ['-port 8551 init x', 'init'],
  ['--port=8551 init', 'init'],
  ['--port= init', 'init'],
  ['--port', null],
  ['--port 8551', null],
  ['--p 8551 init', '8551'],
  ['--ws.port 8551 init', 'init'],
  ['---rpc init', '---rpc'],
  ['x--rpc init', 'x--rpc'],
  ['- init', '-'],
  ['--rpc \uFDD0 init', 'init'],
  ['\uFDD0 --rpc', null],
])('the command in "%s" is %s', (words, command) => {
  const takesValue = (flag: string) => flag.endsWith('port');
  expect(go.commandIn(words === '' ? [] : words.split(' '), takesValue)).toBe(command);
});

test.each([
  ['0.0.0.0', null],
  ['', null],
  ['node_1.example-2', null],
  ['[::1]', null],
  ['[::1', '[::1 holds a port, which another setting names'],
  ['[127.0.0.1]', '[127.0.0.1] is not an IPv6 address'],
  ['::1', 'an IPv6 address must be in brackets: [::1]'],
  ['127.0.0.1:8551', '127.0.0.1:8551 holds a port, which another setting names'],
  ['10.0.0.5/8', '10.0.0.5/8 is not a host name'],
  ['a b', 'a b is not a host name'],
  ['*', '* is not a host name'],
])('the host "%s" cannot be bound: %s', (host, why) => {
  expect(go.unbindable(host)).toBe(why);
});

test.each([
  ['string', '', { value: '' }],
  ['list', '', { value: '' }],
  ['path', '', { value: '' }],
  ['text', '', { value: '' }],
  ['bool', '', { value: false }],
  ['int', '', null],
  ['duration', '', null],
  ['int', '7', { value: 7 }],
  ['bool', 'true', { value: true }],
] as const)('a variable of a flag of type %s that holds "%s" sets %j', (type, text, parsed) => {
  expect(go.variable(type, text)).toEqual(parsed);
});
