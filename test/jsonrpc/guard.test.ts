/** Limits hold before JSON becomes objects, and count nothing that stands in strings. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseGuarded } from '../../src/jsonrpc/guard.js';

const limits = { bytes: 1_000, depth: 2, values: 3 };
const deep = 'the answer is nested more than 2 levels deep';
const rich = 'the answer holds more than 3 values';

test.each<[string, string, unknown]>([
  ['as deep as allowed', '[[1]]', [[1]]],
  ['siblings', '[[],{}]', [[], {}]],
  ['as many values as allowed', '[1,2,3]', [1, 2, 3]],
  ['a bare value', '7', 7],
  ['brackets in a string', '"[[[{{{"', '[[[{{{'],
  ['commas in a string', '["a,,,,b"]', ['a,,,,b']],
  ['brackets behind an escaped quote', '"\\"[[[["', '"[[[['],
  ['commas behind an escaped quote', '{"a\\"":",,,,"}', { 'a"': ',,,,' }],
  ['an escaped backslash at the end of a string', '["\\\\",2]', ['\\', 2]],
  ['closing brackets in a string', '["]]]",["]"]]', [']]]', [']']]],
])('%s is parsed', (_, text, value) => {
  expect(parseGuarded(text, limits)).toEqual(value);
});

test.each<[string, string, string]>([
  ['too deep', '[[[1]]]', deep],
  ['objects too deep', '{"a":{"b":{}}}', deep],
  ['both kinds too deep', '[{"a":[]}]', deep],
  ['too deep and not closed', '[[[', deep],
  ['too many values', '[1,2,3,4]', rich],
  ['too many members', '{"a":1,"b":2,"c":3,"d":4}', rich],
  ['too deep behind a string', '["\\\\",[[1]]]', deep],
  ['too deep behind an escaped quote', '["\\"",[[1]]]', deep],
  ['too many values behind strings', '["\\\\","","\\"",4]', rich],
  ['a string without an end', '["a', 'the answer is not JSON: ["a'],
  ['an escape without an end', '["\\', 'the answer is not JSON: ["\\'],
  ['nothing', ' \n', 'the answer is empty'],
  ['something else', '<html>', 'the answer is not JSON: <html>'],
  ['something long', 'x'.repeat(60), `the answer is not JSON: ${'x'.repeat(40)}`],
])('%s is rejected', (_, text, reason) => {
  expect(() => parseGuarded(text, limits)).toThrow(
    expect.objectContaining({ code: 'unreadable', message: reason }),
  );
});

test('any value is read within its own depth and count, and refused with one less', () => {
  const measured = (value: unknown): { depth: number; values: number } => {
    if (typeof value !== 'object' || value === null) return { depth: 0, values: 0 };
    const inner = Object.values(value);
    const below = inner.map(measured);
    return {
      depth: 1 + Math.max(0, ...below.map(({ depth }) => depth)),
      values: Math.max(0, inner.length - 1) + below.reduce((sum, { values }) => sum + values, 0),
    };
  };
  fc.assert(
    fc.property(fc.json({ maxDepth: 4 }), (text) => {
      const value: unknown = JSON.parse(text);
      const own = measured(value);
      const allowed = { bytes: 1 << 20, depth: own.depth, values: own.values + 1 };
      expect(parseGuarded(text, allowed)).toEqual(value);
      expect(() => parseGuarded(text, { ...allowed, values: own.values })).toThrow('values');
      if (own.depth > 0)
        expect(() => parseGuarded(text, { ...allowed, depth: own.depth - 1 })).toThrow('deep');
    }),
  );
});
