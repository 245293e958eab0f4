/** Words of a command line, as a reader of words alone splits them. */
import { expect, test } from 'vitest';
import { LineIndex } from '../../../../src/node/sources/text/line-index.js';
import { Placed } from '../../../../src/node/sources/text/placed.js';
import { splitWords } from '../../../../src/node/sources/text/words.js';
import { type Piece, piece } from '../piece.js';

const placed = (text: string) => Placed.at(new LineIndex('f', text));

test.each<[string, Piece[]]>([
  ['', []],
  [' \t\n ', []],
  [
    ' a  b ',
    [
      ['a', [1, 2], [1, 3]],
      ['b', [1, 5], [1, 6]],
    ],
  ],
  ['a"b c"d', [['ab cd', [1, 1], [1, 8]]]],
  [`"a"'b'`, [['ab', [1, 2], [1, 6]]]],
  [
    '"" x',
    [
      ['', [1, 1], [1, 3]],
      ['x', [1, 4], [1, 5]],
    ],
  ],
  [
    `'a"b' "c'd"`,
    [
      ['a"b', [1, 2], [1, 5]],
      ["c'd", [1, 8], [1, 11]],
    ],
  ],
  ['"a b', [['a b', [1, 2], [1, 5]]]],
  ["'a b", [['a b', [1, 2], [1, 5]]]],
  [
    'a\\ b c',
    [
      ['a b', [1, 1], [1, 5]],
      ['c', [1, 6], [1, 7]],
    ],
  ],
  ['\\"a\\"', [['"a"', [1, 2], [1, 6]]]],
  ['"a\\"b"', [['a"b', [1, 2], [1, 6]]]],
  [
    "'a\\' b",
    [
      ['a\\', [1, 2], [1, 4]],
      ['b', [1, 6], [1, 7]],
    ],
  ],
  ['a\\\\b', [['a\\b', [1, 1], [1, 5]]]],
  [
    'a\\\\ b',
    [
      ['a\\', [1, 1], [1, 4]],
      ['b', [1, 5], [1, 6]],
    ],
  ],
  [
    '\\\\ b',
    [
      ['\\', [1, 2], [1, 3]],
      ['b', [1, 4], [1, 5]],
    ],
  ],
  ['a\\', [['a\\', [1, 1], [1, 3]]]],
  ['\\', [['\\', [1, 1], [1, 2]]]],
  ['a\\\nb', [['ab', [1, 1], [2, 2]]]],
  [
    'a \\\n b',
    [
      ['a', [1, 1], [1, 2]],
      ['b', [2, 2], [2, 3]],
    ],
  ],
  ['\\\na', [['a', [2, 1], [2, 2]]]],
])('the words of %j', (text, expected) => {
  expect(splitWords(placed(text)).map((one) => piece(one.text, one))).toEqual(expected);
});

test('only the first ten thousand words are read', () => {
  expect(splitWords(placed('a '.repeat(10_050)))).toHaveLength(10_000);
});
