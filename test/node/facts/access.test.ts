import { expect, test } from 'vitest';
import { type AccessList, admits, matches } from '../../../src/node/facts/access.js';

test.each<[AccessList, string, 'everyone' | 'named' | 'nobody']>([
  ['cors', '*', 'everyone'],
  ['cors', 'https://*', 'everyone'],
  ['cors', 'http*', 'everyone'],
  ['cors', 'null', 'everyone'],
  ['cors', '*example.com', 'everyone'],
  ['cors', 'https://*example.com', 'everyone'],
  ['cors', 'https://*.com', 'everyone'],
  ['cors', 'https://*.co.kr', 'everyone'],
  ['cors', 'https://*.github.io', 'everyone'],
  ['cors', 'https://app.example.com*', 'everyone'],
  ['cors', 'http://localhost*', 'everyone'],
  ['cors', 'http://10.0.0.*', 'everyone'],
  ['cors', 'https://*:8080', 'everyone'],
  ['cors', 'http://localhost:*', 'named'],
  ['cors', 'https://*.example.com', 'named'],
  ['cors', 'https://*.example.com:8443', 'named'],
  ['cors', '*.example.com', 'named'],
  ['cors', '*://app.example.com', 'named'],
  ['cors', 'https://app.example.com', 'named'],
  ['cors', 'HTTPS://App.Example.com', 'named'],
  ['cors', 'app.example.com', 'nobody'],
  ['cors', 'https://app.example.com/', 'nobody'],
  ['cors', 'https://app.example.com/wallet', 'nobody'],
  ['cors', 'https://app.example.com:443', 'nobody'],
  ['cors', 'https://*.example.com/', 'nobody'],
  ['cors', 'https://*.*.example.com', 'nobody'],
  ['cors', 'app.*.example.com', 'nobody'],
  ['cors', '', 'named'],
  ['ws', '*', 'everyone'],
  ['ws', 'null', 'everyone'],
  ['ws', 'https://app.example.com', 'named'],
  ['ws', 'https://*.example.com', 'nobody'],
  ['ws', 'https://*', 'nobody'],
  ['ws', 'https://app.example.com/', 'nobody'],
  ['ws', 'app.example.com', 'nobody'],
  ['vhosts', '*', 'everyone'],
  ['vhosts', 'en.example.com', 'named'],
  ['vhosts', '10.0.0.5', 'named'],
  ['vhosts', '::1', 'named'],
  ['vhosts', '*.example.com', 'nobody'],
  ['vhosts', 'https://en.example.com', 'nobody'],
  ['vhosts', 'en.example.com:8551', 'nobody'],
  ['vhosts', 'en.example.com/', 'nobody'],
  ['vhosts', 'EN.example.com', 'nobody'],
])('%s: %s lets in %s', (list, entry, who) => {
  expect(admits(list, entry).who).toBe(who);
  expect(admits(list, entry).because === '').toBe(who === 'named');
});

test.each<[AccessList, string, string, boolean]>([
  ['cors', '*', 'https://a.example', true],
  ['cors', 'https://*.example', 'https://a.example', true],
  ['cors', 'https://a*a.example', 'https://a.example', false],
  ['cors', 'https://b.example', 'https://a.example', false],
  ['ws', 'https://*.example', 'https://a.example', false],
  ['ws', 'HTTPS://A.example', 'https://a.example', true],
  ['vhosts', '*', 'a.example', true],
  ['vhosts', '*.example', 'a.example', false],
])('%s: %s matches %s: %s', (list, entry, value, expected) => {
  expect(matches(list, entry, value)).toBe(expected);
});
