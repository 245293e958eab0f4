/** Text cut out of files, and where it stands there. */
import { describe, expect, test } from 'vitest';
import { LineIndex } from '../../../../src/node/sources/text/line-index.js';
import { Placed, PlacedIndex } from '../../../../src/node/sources/text/placed.js';

const file = new LineIndex('f', 'one two\nthree\r\nfour');
const other = new LineIndex('g', 'other');
const all = Placed.at(file);

type Place = readonly [line: number, column: number];

function told(placed: Placed, range?: { start: number; end: number }) {
  const { file: name, line, column, endLine, endColumn } = placed.span(range);
  return found(placed.text, [line, column], [endLine, endColumn], name);
}

/** A text and its place: from the first character to behind the last. */
function found(text: string, from: Place, to: Place, file = 'f') {
  return { text, from, to, file };
}

test('lines have no line ends, and a place converts back to its offsets', () => {
  expect(file.lines()).toEqual(['one two', 'three', 'four']);
  expect(new LineIndex('f', 'a\n').lines()).toEqual(['a']);
  expect(new LineIndex('f', '').lines()).toEqual(['']);
  for (const range of [
    { start: 0, end: 3 },
    { start: 4, end: 10 },
    { start: 7, end: 8 },
    { start: 15, end: 19 },
  ])
    expect(file.range(file.span(range))).toEqual(range);
});

test('a range keeps the place from which it was cut', () => {
  expect(told(all.slice(4, 10))).toEqual(found('two\nth', [1, 5], [2, 3]));
  expect(told(all.slice(4, 10).slice(1, 3))).toEqual(found('wo', [1, 6], [1, 8]));
  expect(told(all.slice(15))).toEqual(found('four', [3, 1], [3, 5]));
  expect(told(all, { start: 4, end: 7 })).toEqual(found(file.text, [1, 5], [1, 8]));
  expect(all.split(/\r?\n/).map((one) => told(one))).toEqual([
    found('one two', [1, 1], [1, 8]),
    found('three', [2, 1], [2, 6]),
    found('four', [3, 1], [3, 5]),
  ]);
});

test('surrounding blanks are trimmed, and blanks alone yield an empty text', () => {
  const text = Placed.at(new LineIndex('f', '  a b \n'));
  expect(told(text.trim())).toEqual(found('a b', [1, 3], [1, 6]));
  expect(told(Placed.at(new LineIndex('f', '   ')).trim())).toEqual(found('', [1, 4], [1, 4]));
});

test('each character of replaced text has the place of the whole span', () => {
  const two = all.slice(4, 7).as('another');
  expect(told(two)).toEqual(found('another', [1, 5], [1, 8]));
  expect(told(two.slice(2, 4))).toEqual(found('ot', [1, 5], [1, 8]));
  expect(two.as('another')).toBe(two);
  expect(told(all.slice(0, 3).as(''))).toEqual(found('', [1, 1], [1, 4]));
});

describe('put together', () => {
  const joined = Placed.join([all.slice(0, 3), all.slice(3, 4).as('---'), all.slice(8, 13)]);

  test('each piece keeps its place', () => {
    expect(told(joined)).toEqual(found('one---three', [1, 1], [2, 6]));
    expect(told(joined, { start: 1, end: 3 })).toEqual(found('one---three', [1, 2], [1, 4]));
    expect(told(joined, { start: 3, end: 4 })).toEqual(found('one---three', [1, 4], [1, 5]));
    expect(told(joined, { start: 5, end: 8 })).toEqual(found('one---three', [1, 4], [2, 3]));
    expect(told(joined.slice(2, 7))).toEqual(found('e---t', [1, 3], [2, 2]));
    expect(told(joined.slice(6, 8))).toEqual(found('th', [2, 1], [2, 3]));
    expect(told(joined.slice(3, 3))).toEqual(found('', [1, 4], [1, 5]));
    expect(told(joined.as('x'))).toEqual(found('x', [1, 1], [2, 6]));
  });

  test('a text of two files has the place where it begins', () => {
    const both = Placed.join([all.slice(4, 7), Placed.at(other)]);
    expect(told(both)).toEqual(found('twoother', [1, 5], [1, 8]));
    expect(told(both.slice(2, 5))).toEqual(found('oot', [1, 7], [1, 8]));
    expect(told(both.slice(3))).toEqual(found('other', [1, 1], [1, 6], 'g'));
    expect(told(both.as('x'))).toEqual(found('x', [1, 5], [1, 8]));
    expect(told(Placed.join([all.slice(0, 1), Placed.at(other), all.slice(4, 7)]).as('x'))).toEqual(
      found('x', [1, 1], [1, 8]),
    );
  });

  test('empty parts are removed, unless all are empty', () => {
    const empty = all.slice(4, 4);
    expect(told(Placed.join([empty, all.slice(8, 10)]))).toEqual(found('th', [2, 1], [2, 3]));
    expect(told(Placed.join([empty, all.slice(8, 8)]))).toEqual(found('', [1, 5], [1, 5]));
    expect(() => Placed.join([]).span()).toThrow('an empty text has no place');
    expect(told(Placed.nowhere('h'))).toEqual(found('', [1, 1], [1, 1], 'h'));
  });

  test('a place of the text converts back, a place of another text to the beginning', () => {
    const index = new PlacedIndex(joined);
    const span = index.span({ start: 6, end: 11 });
    expect([index.file, span.line, span.endColumn]).toEqual(['f', 2, 6]);
    expect(index.range(span)).toEqual({ start: 6, end: 11 });
    expect(index.range({ ...span })).toEqual({ start: 0, end: 0 });
  });
});
