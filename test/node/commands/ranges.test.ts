/** Ranges in the names of an inventory. */
import { expect, test } from 'vitest';
import { expandRange, fillIn } from '../../../src/node/commands/inventory.js';

test.each([
  ['en-1', ['en-1 ']],
  ['en-[1:3]', ['en-1 1', 'en-2 2', 'en-3 3']],
  ['[08:10].example', ['08.example 08', '09.example 09', '10.example 10']],
  ['en-[7:7]', ['en-7 7']],
  ['[1:2]-[a:b]', ['1-[a:b] 1', '2-[a:b] 2']],
  ['r[1:2]n[3:4]', ['r1n3 1', 'r1n4 1', 'r2n3 2', 'r2n4 2']],
])('%s is %j', (name, expected) => {
  expect(expandRange(name).map((one) => fillIn('{name} {n}', one))).toEqual(expected);
});

test('a value may hold the name and the number several times', () => {
  const [, second] = expandRange('en-[1:2]');
  expect(second === undefined ? '' : fillIn('{n}/{name}/{n}/{name}', second)).toBe('2/en-2/2/en-2');
});

test.each(['en-[3:1]', 'en-[0:100000]', 'a[1:2]b[2:1]'])('%s is not a range', (name) => {
  expect(() => expandRange(name)).toThrow(/^(?:en-|b)\[.*\]: \[.*\] is not a range$/);
});
