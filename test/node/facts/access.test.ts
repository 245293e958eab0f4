import { expect, test } from 'vitest';
import { type AccessList, entryMatch, matches } from '../../../src/node/facts/access.js';

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
