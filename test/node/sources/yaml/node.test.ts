import { expect, test } from 'vitest';
import { LineIndex } from '../../../../src/node/sources/text/line-index.js';
import { placeScalar } from '../../../../src/node/sources/yaml/node.js';
import { type Piece, piece } from '../piece.js';

/** A scalar as it is written, its value, and pieces of the value with their places. */
test.each<[string, string, Piece[]]>([
  ['plain', 'plain', [['lai', [1, 2], [1, 5]]]],
  ['"in quotes"', 'in quotes', [['quotes', [1, 5], [1, 11]]]],
  ["'in quotes'", 'in quotes', [['in', [1, 2], [1, 4]]]],
  [
    "'it''s so'",
    "it's so",
    [
      ['it', [1, 2], [1, 4]],
      ["'", [1, 4], [1, 6]],
      ['s', [1, 6], [1, 7]],
      ['so', [1, 8], [1, 10]],
    ],
  ],
  [
    "'a''b''c'",
    "a'b'c",
    [
      ['b', [1, 5], [1, 6]],
      ['c', [1, 8], [1, 9]],
    ],
  ],
  [
    '"a\\tb\\x41c\\u0042d\\U00000043e"',
    'a\tbAcBdCe',
    [
      ['b', [1, 5], [1, 6]],
      ['A', [1, 6], [1, 10]],
      ['c', [1, 10], [1, 11]],
      ['B', [1, 11], [1, 17]],
      ['d', [1, 17], [1, 18]],
      ['C', [1, 18], [1, 28]],
      ['e', [1, 28], [1, 29]],
    ],
  ],
  [
    '"a\\\\b\\"c"',
    'a\\b"c',
    [
      ['\\', [1, 3], [1, 5]],
      ['b', [1, 5], [1, 6]],
      ['"', [1, 6], [1, 8]],
      ['c', [1, 8], [1, 9]],
    ],
  ],
  [
    'a b\n  c  d',
    'a b c  d',
    [
      ['b', [1, 3], [1, 4]],
      ['c', [2, 3], [2, 4]],
      ['d', [2, 6], [2, 7]],
    ],
  ],
  [
    '"a\n  b"',
    'a b',
    [
      ['a', [1, 2], [1, 3]],
      ['b', [2, 3], [2, 4]],
    ],
  ],
  [
    '"a\nb c"',
    'a b c',
    [
      ['a', [1, 2], [1, 3]],
      [' ', [1, 3], [2, 1]],
      ['b', [2, 1], [2, 2]],
      ['c', [2, 3], [2, 4]],
    ],
  ],
  [
    '"a\\\n   b c"',
    'ab c',
    [
      ['b', [2, 4], [2, 5]],
      ['c', [2, 6], [2, 7]],
    ],
  ],
  ['"a\n\n  b"', 'a\nb', [['b', [3, 3], [3, 4]]]],
  [
    '|\n  a b\n   c\n  d\n',
    'a b\n c\nd\n',
    [
      ['b', [2, 5], [2, 6]],
      [' c', [3, 3], [3, 5]],
      ['d', [4, 3], [4, 4]],
    ],
  ],
  [
    '|-\n    a\n\n    b',
    'a\n\nb',
    [
      ['a', [2, 5], [2, 6]],
      ['b', [4, 5], [4, 6]],
    ],
  ],
  [
    '>-\n  a\n  b\n',
    'a b',
    [
      ['a', [2, 3], [2, 4]],
      ['b', [3, 3], [3, 4]],
    ],
  ],
  ['>\n  a\n\n  b\n', 'a\nb\n', [['b', [4, 3], [4, 4]]]],
  [
    '|2\n   a\n  b\n',
    ' a\nb\n',
    [
      [' a', [2, 3], [2, 5]],
      ['b', [3, 3], [3, 4]],
    ],
  ],
  ['""', '', [['', [1, 2], [1, 2]]]],
  [
    'ab',
    'xy',
    [
      ['x', [1, 1], [1, 2]],
      ['y', [1, 2], [1, 3]],
    ],
  ],
  [
    'ab',
    'abc',
    [
      ['b', [1, 2], [1, 3]],
      ['c', [1, 2], [1, 3]],
    ],
  ],
  [
    'abx',
    'aby',
    [
      ['a', [1, 1], [1, 2]],
      ['y', [1, 3], [1, 4]],
    ],
  ],
])('%j is %j, and its pieces have their places in the file', (raw, value, pieces) => {
  const scalar = placeScalar(value, new LineIndex('f', raw), 0, raw.length);
  expect(scalar.text).toBe(value);
  for (const [text, from, to] of pieces) {
    const start = value.indexOf(text);
    expect(piece(text, scalar, { start, end: start + text.length })).toEqual([text, from, to]);
  }
});
