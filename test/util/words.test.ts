import { expect, test } from 'vitest';
import { columns } from '../../src/terminal/wrap.js';
import { closest, distance } from '../../src/util/closest.js';
import { shortHash } from '../../src/util/hash.js';
import { grouped } from '../../src/util/words.js';

test.each([
  ['wildcard-cor', 'wildcard-cors'],
  ['RPC_ENABEL', 'RPC_ENABLE'],
  ['rpc_enable', 'RPC_ENABLE'],
  ['nothing-like-it', null],
  ['x'.repeat(500), null],
])('closest to %s is %s', (word, nearest) => {
  expect(closest(word, ['wildcard-cors', 'RPC_ENABLE', 'RPC_API'])).toBe(nearest);
});

test('distance counts a swap once', () => {
  expect([
    distance('abc', 'acb'),
    distance('abc', 'abc'),
    distance('', 'ab'),
    distance('kitten', 'sitting'),
  ]).toEqual([1, 0, 2, 3]);
});

test('hashes tell parts apart and stay what they were', () => {
  expect(shortHash('ab', 'c')).not.toBe(shortHash('a', 'bc'));
  expect(shortHash('a', '')).not.toBe(shortHash('a'));
  expect(shortHash('wildcard-cors', 'kend.conf')).toMatchInlineSnapshot(`"1c026513f0475110"`);
});

test('columns count what a terminal shows', () => {
  expect([columns('abc'), columns('漢字'), columns('e\u0301'), columns('🔒')]).toEqual([3, 4, 1, 2]);
});

test.each([0, 7, 999, 1_000, 12_345, 999_999, 1_000_000, 1_234_567_890])('%i in threes', (count) => {
  expect(grouped(count)).toBe(count.toLocaleString('en-US'));
});
