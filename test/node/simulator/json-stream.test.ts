import { assert, constantFrom, integer, json, oneof, property, string, tuple } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { JsonStream } from '../../../src/node/simulator/json-stream.js';

/** JSON text, sometimes with one character replaced, dropped or doubled. */
const text = oneof(
  json(),
  string({ unit: constantFrom(...'{}[]",:\\ 0-1.eE+truefalsnu\t\n'), maxLength: 12 }),
  tuple(json(), integer({ min: 0 }), constantFrom(...'{}[]",:\\ 0-x', '')).map(([whole, at, put]) => {
    const cut = at % (whole.length + 1);
    return whole.slice(0, cut) + put + whole.slice(cut + (put === ' ' ? 0 : 1));
  }),
);

function parses(value: string): boolean {
  try {
    JSON.parse(value);
    return true;
  } catch {
    return false;
  }
}

describe('against JSON.parse', () => {
  test('a text is one value exactly when it parses', async () => {
    await assert(
      property(text, (given) => {
        const stream = new JsonStream();
        const { values, broken } = stream.push(Buffer.from(`${given} `));
        expect(values.length === 1 && !broken && !stream.isOpen).toBe(parses(given));
        if (parses(given)) expect(values).toEqual([JSON.parse(given)]);
      }),
      { numRuns: 3000 },
    );
  });
});

describe('a stream', () => {
  test('yields the same values for any chunks', async () => {
    await assert(
      property(json(), json(), integer({ min: 0 }), integer({ min: 0 }), (one, two, first, second) => {
        const bytes = Buffer.from(`${one}\n${two} `);
        const cuts = [first % bytes.length, second % bytes.length].sort((a, b) => a - b) as [number, number];
        const stream = new JsonStream();
        const values = [bytes.subarray(0, cuts[0]), bytes.subarray(...cuts), bytes.subarray(cuts[1])].flatMap(
          (part) => stream.push(part).values,
        );
        expect(values).toEqual([JSON.parse(one), JSON.parse(two)]);
      }),
      { numRuns: 500 },
    );
  });
  test.each([
    ['1[2]"a"{}null ', [1, [2], 'a', {}, null]],
    ['1"a"', [1, 'a']],
    ['true[', [true]],
  ])('values need nothing between them: %s', (text, values) => {
    expect(new JsonStream().push(Buffer.from(text))).toEqual({ values, broken: false });
  });
  test('a character split between chunks stays whole', () => {
    const stream = new JsonStream();
    const bytes = Buffer.from('"é"');
    expect([...bytes].flatMap((byte) => stream.push(Buffer.from([byte])).values)).toEqual(['é']);
  });
});
