import { expect, test } from 'vitest';
import { parseDuration } from '../../src/options/time.js';
import { closest, distance } from '../../src/util/closest.js';
import { groupBy } from '../../src/util/group-by.js';
import { shortHash } from '../../src/util/hash.js';
import { jsonOf, objectOf } from '../../src/util/json.js';
import { visible } from '../../src/util/visible.js';
import { count, groupDigits, joinFirst, joinWords, quoteValue, sentence } from '../../src/util/words.js';

test.each([
  ['wildcard-cor', 'wildcard-cors'],
  ['RPC_ENABEL', 'RPC_ENABLE'],
  ['rpc_enable', 'RPC_ENABLE'],
  ['nothing-like-it', null],
  ['RPC_AP', 'RPC_API'],
  ['RPC_API_LIST', null],
  ['WS_HOST', null],
  ['RPC_CORS', 'RPC_CORSDOMAIN'],
  ['RPC_ADDRESS', 'RPC_ADDR'],
  ['--inv', '--inventory'],
  ['--strict', null],
  ['RPC_PORTS', 'RPC_PORT'],
  ['rpcapii', 'rpcapi'],
  ['rpcfoo', null],
  ['x'.repeat(500), null],
])('closest to %s is %s', (word, nearest) => {
  const names = [
    'wildcard-cors',
    'RPC_ENABLE',
    'RPC_API',
    'RPC_PORT',
    'WS_PORT',
    'RPC_ADDR',
    'RPC_CORSDOMAIN',
  ];
  expect(closest(word, [...names, 'rpc', 'rpcapi', '--env', '--service', '--inventory'])).toBe(nearest);
});

test('a suggestion may differ in a third of the letters, in a short word in one; the first of equals wins', () => {
  expect(closest('abcdef', ['abcxyf'])).toBe('abcxyf');
  expect(closest('abcdef', ['abxxxf'])).toBeNull();
  expect(closest('ab', ['ax'])).toBe('ax');
  expect(closest('ab', ['xy'])).toBeNull();
  expect(closest('eth', ['etc', 'eta'])).toBe('etc');
  expect(closest('abcdef', ['abxxef', 'abcdxf', 'abxdef'])).toBe('abcdxf');
  const long = 'x'.repeat(64);
  expect(closest(long, [long])).toBe(long);
  expect(closest(`${long}x`, [`${long}x`])).toBeNull();
});

test.each([
  ['abc', 'acb', 1],
  ['abc', 'abc', 0],
  ['', 'ab', 2],
  ['ab', '', 2],
  ['kitten', 'sitting', 3],
  ['ab', 'ba', 1],
  ['abcd', 'badc', 2],
  ['ca', 'abc', 3],
  ['aab', 'abb', 1],
])('distance between %s and %s: %i', (from, to, steps) => {
  expect(distance(from, to)).toBe(steps);
});

test('hashes distinguish parts and are stable', () => {
  expect(shortHash('ab', 'c')).not.toBe(shortHash('a', 'bc'));
  expect(shortHash('a', '')).not.toBe(shortHash('a'));
  expect(shortHash('wildcard-cors', 'kend.conf')).toBe('1c026513f0475110');
  for (let at = 0; at < 100; at++) expect(shortHash(String(at))).toMatch(/^[0-9a-f]{16}$/);
});

test.each([0, 7, 999, 1_000, 12_345, 999_999, 1_000_000, 1_234_567_890])(
  '%i is written in groups of three digits',
  (number) => {
    expect(groupDigits(number)).toBe(number.toLocaleString('en-US'));
  },
);

test('lists, counts and sentences are formatted', () => {
  expect([[], ['a'], ['a', 'b'], ['a', 'b', 'c']].map(joinWords)).toEqual(['', 'a', 'a and b', 'a, b and c']);
  expect(joinFirst(['a', 'b', 'c'], 3)).toBe('a, b and c');
  expect(joinFirst(['a', 'b', 'c'], 2)).toBe('a, b and 1 more');
  expect([0, 1, 2].map((number) => count(number, 'finding'))).toEqual([
    '0 findings',
    '1 finding',
    '2 findings',
  ]);
  expect(sentence('the port is closed')).toBe('The port is closed.');
  expect(sentence('is it open?')).toBe('Is it open?');
  expect(sentence('Stop!')).toBe('Stop!');
  // Names keep their letters.
  for (const name of ['rpc_modules', 'kend.conf', 'port=1', 'RPC_API', '--rpc'])
    expect(sentence(`${name} is odd`)).toBe(`${name} is odd.`);
});

test('quoted values are cut after 60 characters', () => {
  expect(quoteValue('x'.repeat(60))).toBe(`"${'x'.repeat(60)}"`);
  expect(quoteValue('x'.repeat(61))).toBe(`"${'x'.repeat(59)}…"`);
});

test('text of unknown origin is shown on one line, cut after a limit', () => {
  expect(visible('a\nb\u0007\u202e\u{e0041}é漢')).toBe('a\\u{a}b\\u{7}\\u{202e}\\u{e0041}é漢');
  expect(visible('x'.repeat(300))).toBe('x'.repeat(300));
  expect(visible('x'.repeat(301))).toBe(`${'x'.repeat(300)}…`);
  expect(visible('abc', 2)).toBe('ab…');
});

test.each([
  ['500ms', 500],
  ['5s', 5_000],
  ['5', 5_000],
  ['2m', 120_000],
  ['1.5h', 5_400_000],
  [' 7s ', 7_000],
  ['0.0004s', null],
  ['0.0005', null],
  ['1.2345s', null],
  ['1.001ms', 1],
  ['0.6ms', 1],
  ['123456789', 123_456_789_000],
  ['1234567890', null],
  ['5d', null],
  ['s', null],
  ['-1s', null],
  ['1.s', null],
  ['x5s', null],
  ['5s x', null],
])('the duration %s is %s ms', (text, ms) => {
  expect(parseDuration(text)).toBe(ms);
});

test('groups keep the order of keys and items', () => {
  const groups = groupBy([3, 1, 4, 1, 5, 9], (number) => number % 2);
  expect([...groups]).toEqual([
    [1, [3, 1, 1, 5, 9]],
    [0, [4]],
  ]);
});

test('JSON of unknown origin is parsed or null', () => {
  expect(jsonOf('[1]')).toEqual([1]);
  expect(jsonOf('{')).toBeUndefined();
  expect(objectOf('{"a":1}')).toEqual({ a: 1 });
  for (const text of ['[1]', 'null', '1', '"a"', '{']) expect(objectOf(text)).toBeNull();
});
