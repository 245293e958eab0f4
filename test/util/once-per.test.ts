import { expect, test } from 'vitest';
import { oncePer, oncePerKey } from '../../src/util/once-per.js';

test('derives a result once for each object, also one that is undefined', () => {
  const asked: object[] = [];
  const derive = oncePer((one: object) => {
    asked.push(one);
    return asked.length === 1 ? undefined : asked.length;
  });
  const [a, b] = [{}, {}];
  expect([derive(a), derive(a), derive(b), derive(b)]).toEqual([undefined, undefined, 2, 2]);
  expect(asked).toEqual([a, b]);
});

test('keeps the newest results of a function of keys, at most so many', () => {
  const asked: string[] = [];
  const derive = oncePerKey((key: string) => asked.push(key), 2);
  for (const key of ['a', 'b', 'a', 'c', 'b', 'a']) derive(key);
  expect(asked).toEqual(['a', 'b', 'c', 'a']);
});
