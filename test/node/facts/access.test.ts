import { expect, test } from 'vitest';
import {
  type AccessList,
  entryMatch,
  isBoundTo,
  matches,
  originsOf,
} from '../../../src/node/facts/access.js';

test.each<[AccessList, string, 'any' | 'named' | 'none']>([
  ['cors', '*', 'any'],
  ['cors', 'https://*', 'any'],
  ['cors', 'http*', 'any'],
  ['cors', 'null', 'any'],
  ['cors', '*example.com', 'any'],
  ['cors', 'https://*example.com', 'any'],
  ['cors', 'https://*.com', 'any'],
  ['cors', 'https://*.co.kr', 'any'],
  ['cors', 'https://*.github.io', 'any'],
  ['cors', 'https://app.example.com*', 'any'],
  ['cors', 'http://localhost*', 'any'],
  ['cors', 'http://10.0.0.*', 'any'],
  ['cors', 'https://*:8080', 'any'],
  ['cors', 'http://localhost:*', 'named'],
  ['cors', 'https://*.example.com', 'named'],
  ['cors', 'https://*.example.com:8443', 'named'],
  ['cors', '*.example.com', 'named'],
  ['cors', '*://app.example.com', 'named'],
  ['cors', 'https://app.example.com', 'named'],
  ['cors', 'HTTPS://App.Example.com', 'named'],
  ['cors', 'app.example.com', 'none'],
  ['cors', 'https://app.example.com/', 'none'],
  ['cors', 'https://app.example.com/wallet', 'none'],
  ['cors', 'https://app.example.com:443', 'none'],
  ['cors', 'https://*.example.com/', 'none'],
  ['cors', 'https://*.*.example.com', 'none'],
  ['cors', 'app.*.example.com', 'none'],
  ['cors', '', 'named'],
  ['ws', '*', 'any'],
  ['ws', 'null', 'any'],
  ['ws', 'https://app.example.com', 'named'],
  ['ws', 'https://*.example.com', 'none'],
  ['ws', 'https://*', 'none'],
  ['ws', 'https://app.example.com/', 'none'],
  ['ws', 'app.example.com', 'none'],
  ['cors', 'https://api.com.kr', 'named'],
  ['cors', 'https://*.telecom.kr', 'named'],
  ['cors', 'x://*:*', 'none'],
  ['cors', 'moz-extension://*', 'any'],
  ['cors', 'moz-extension://app:80', 'named'],
  ['cors', 'http://app.example.com:443', 'named'],
  ['cors', 'https://*example.com:8443', 'any'],
  ['cors', 'https://app.example.com:8*', 'any'],
  ['vhosts', '*', 'any'],
  ['vhosts', 'en.example.com', 'named'],
  ['vhosts', '10.0.0.5', 'named'],
  ['vhosts', '::1', 'named'],
  ['vhosts', '*.example.com', 'none'],
  ['vhosts', 'https://en.example.com', 'none'],
  ['vhosts', 'en.example.com:8551', 'none'],
  ['vhosts', 'en.example.com/', 'none'],
  ['vhosts', 'EN.example.com', 'none'],
])('%s: %s matches %s', (list, entry, expected) => {
  expect(entryMatch(list, entry).matches).toBe(expected);
  expect(entryMatch(list, entry).because === '').toBe(expected === 'named');
});

test.each<[AccessList, string, because: RegExp]>([
  ['vhosts', 'HTTPS://en.example.com', /no scheme/],
  ['vhosts', 'en.example.com/a', /no path/],
  ['vhosts', 'a://en.example.com/', /no scheme/],
  ['vhosts', 'en/a://b', /no path/],
  ['vhosts', 'en.example.com:8551', /removes the port/],
  ['vhosts', '::1:8551', /^$/],
  ['vhosts', '*.example.com', /whole Host names/],
  ['vhosts', 'EN.example.com', /write en\.example\.com$/],
  ['cors', 'app.example.com', /begins with its scheme/],
  ['cors', 'https://app.example.com/', /no slash and no path/],
  ['cors', 'https://*.example.com/', /no slash follows/],
  ['cors', 'https://app.example.com:443', /default port/],
  ['cors', 'https://*example.com:8443', /ends with example\.com$/],
  ['cors', 'https://*.com', /under \.com$/],
  ['cors', 'https://app.*', /begins with https:\/\/app\.$/],
  ['cors', '*.*', /first \*/],
  ['ws', 'https://*.example.com', /whole origins/],
])('%s: the reason of %s is %s', (list, entry, because) => {
  expect(entryMatch(list, entry).because).toMatch(because);
});

test.each<[AccessList, string, string, boolean]>([
  ['cors', '*', 'https://a.example', true],
  ['cors', 'https://*.example', 'https://a.example', true],
  ['cors', 'https://a*a.example', 'https://a.example', false],
  ['cors', 'https://a*.example', 'https://a.example', true],
  ['cors', 'https://*.a*.example', 'https://x.a*.example', true],
  ['cors', 'https://a.example', 'http://a.example', false],
  ['cors', 'https://b.example', 'https://a.example', false],
  ['ws', 'https://*.example', 'https://a.example', false],
  ['ws', 'HTTPS://A.example', 'https://a.example', true],
  ['vhosts', '*', 'a.example', true],
  ['vhosts', '*.example', 'a.example', false],
])('%s: %s matches %s: %s', (list, entry, value, expected) => {
  expect(matches(list, entry, value)).toBe(expected);
});

test('ws has a list of origins of its own', () => {
  expect((['http', 'ws', 'grpc'] as const).map((kind) => originsOf({ kind }))).toEqual([
    'cors',
    'ws',
    'cors',
  ]);
});

test.each<[host: string | null, addresses: string]>([
  [null, '0.0.0.0 :: 127.0.0.1 ::1 10.0.0.5'],
  ['', '0.0.0.0 ::'],
  ['*', '0.0.0.0 ::'],
  ['0.0.0.0', '0.0.0.0 ::'],
  ['[::]', '0.0.0.0 ::'],
  ['localhost', '127.0.0.1 ::1'],
  ['127.0.0.1', '127.0.0.1'],
  ['[::1]', '::1'],
  ['10.0.0.5', '10.0.0.5'],
  ['192.168.1.1', ''],
  ['node.example', '0.0.0.0 :: 127.0.0.1 ::1 10.0.0.5'],
])('a listener with the host %s may bind %s', (host, addresses) => {
  const all = ['0.0.0.0', '::', '127.0.0.1', '::1', '10.0.0.5'];
  expect(all.filter((address) => isBoundTo(host, address)).join(' ')).toBe(addresses);
});
