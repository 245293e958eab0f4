/** Small languages inside the sources: values of flags as Go reads them, ${NAME} of compose, instructions of a Dockerfile. */
import { describe, expect, test } from 'vitest';
import { parseValue } from '../../../src/node/kinds/flags.js';
import { environmentLines } from '../../../src/node/sources/environment/environment.js';
import { instructionsOf, jsonWords } from '../../../src/node/sources/image/instructions.js';
import { interpolate } from '../../../src/node/sources/text/interpolate.js';
import { LineIndex, type Range } from '../../../src/node/sources/text/line-index.js';
import { Placed } from '../../../src/node/sources/text/placed.js';
import { unfilled } from '../../../src/node/sources/text/placeholders.js';
import { wordsOf } from '../../../src/node/sources/text/words.js';
import { placeScalar } from '../../../src/node/sources/yaml/scalar.js';

const placed = (text: string) => Placed.at(new LineIndex('f', text));
const refused = { refused: expect.any(String) };

describe('values', () => {
  test.each([
    ['bool', ['1', 't', 'T', 'TRUE', 'true', 'True'], true],
    ['bool', ['0', 'f', 'F', 'FALSE', 'false', 'False'], false],
    ['int', ['10', '+10', '0xA', '0X_a', '0b1010', '0B_1010', '012', '0o12', '0O_12', '1_0'], 10],
    ['int', ['-10', '-0xa'], -10],
    ['int', ['0', '-0', '+0', '00', '0x0'], 0],
    ['uint', ['18446744073709551615'], '18446744073709551615'],
    ['int64', ['-9223372036854775808'], '-9223372036854775808'],
    ['int', ['9007199254740991'], 9007199254740991],
    ['int', ['9007199254740992'], '9007199254740992'],
    ['float', ['1.5', '+1.5', '1.5e0', '15e-1', '0.15E+1', '1_.5', '1.50'], 1.5],
    ['float', ['1.', '1', '1e0'], 1],
    ['float', ['.5', '0.5'], 0.5],
    ['float', ['.25', '25e-02', '2_5e-2'], 0.25],
    ['string', [''], ''],
    ['string', [' a '], ' a '],
  ] as const)('%s %j', (type, texts, value) => {
    for (const text of texts) {
      const parsed = parseValue(type, text);
      expect([text, 'value' in parsed ? parsed.value : parsed]).toEqual([
        text,
        value === 0 ? expect.closeTo(0) : value,
      ]);
    }
  });

  test.each([
    ['bool', ['', 'yes', 'tRUE', ' true', 'true ', '2', '01']],
    ['int', ['', 'a', '1a', ' 1', '1 ', '1__0', '1_', '0x', '0xg', '0b2', '08', '1.0', '--1']],
    ['int', ['9223372036854775808', '-9223372036854775809']],
    ['uint', ['-1', '+1', '18446744073709551616', '-0']],
    ['float', ['', '.', 'e5', '1e', '1.5x', 'x1.5', '1.5.1', ' 1']],
    ['duration', ['', '5', '5 s', 's', '1.s.', '5sx', 'x5s', '00', '1d']],
  ] as const)('no %s: %j', (type, texts) => {
    for (const text of texts) expect([text, parseValue(type, text)]).toEqual([text, refused]);
  });

  test.each([
    '0',
    '-0',
    '30s',
    '1h30m',
    '1.5h',
    '.5m',
    '.25m',
    '10.25h',
    '100ms',
    '1us',
    '1µs',
    '1ns',
    '-5s',
    '+5s',
    '1.s',
  ])('%s is a duration, kept as it stands', (text) =>
    expect(parseValue('duration', text)).toEqual({ value: text }),
  );
});

test.each([
  ['plain', 'plain'],
  ['a$$b', 'a$b'],
  ['$SET-$EMPTY-', 'v--'],
  ['${SET}x${EMPTY}', 'vx'],
  ['${SET:-d}', 'v'],
  ['${EMPTY:-d}', 'd'],
  ['${EMPTY-d}', ''],
  ['${NONE-d}', 'd'],
  ['${NONE:-}', ''],
  ['${NONE:-a${SET}b}', 'avb'],
  ['${NONE:-a${NONE-b}c}', 'abc'],
  ['${SET:+d}', 'd'],
  ['${SET+d}', 'd'],
  ['${SET:?d}', 'v'],
  ['${NONE}', unfilled],
  ['$NONE', unfilled],
  ['${NONE:?d}', unfilled],
  ['${NONE+d}', unfilled],
  ['a ${ b', 'a ${ b'],
  ['$1', '$1'],
])('compose makes of %s %s', (text, expected) => {
  const variables = new Map([
    ['SET', placed('v')],
    ['EMPTY', placed('')],
  ]);
  expect(interpolate(placed(text), variables).text).toBe(expected);
});

describe('a Dockerfile', () => {
  const read = (text: string) =>
    instructionsOf(new LineIndex('Dockerfile', text)).map(({ name, rest, documents }) => [
      name,
      rest.text,
      ...documents.map((one) => one.text),
    ]);
  test.each<[string, string, string[][]]>([
    [
      'names in capitals',
      'from a\n  Run b c',
      [
        ['FROM', 'a'],
        ['RUN', 'b c'],
      ],
    ],
    ['a mark in front', '\uFEFFFROM a', [['FROM', 'a']]],
    [
      'line ends of Windows',
      'FROM a\r\nRUN b\r\n',
      [
        ['FROM', 'a'],
        ['RUN', 'b'],
      ],
    ],
    ['a name alone', 'FROM', [['FROM', '']]],
    ['blanks behind a name', 'FROM \t a', [['FROM', 'a']]],
    ['a line that only goes on', 'RUN a\n\\', [['RUN', 'a']]],
    [
      'an escape that is no directive',
      'RUN a `\nb',
      [
        ['RUN', 'a `'],
        ['B', ''],
      ],
    ],
    [
      'comments and blank lines',
      '# x\n\nFROM a\n  # y\nRUN b',
      [
        ['FROM', 'a'],
        ['RUN', 'b'],
      ],
    ],
    [
      'continued lines',
      'RUN a \\\n  b \\  \n  c\nRUN d',
      [
        ['RUN', 'a    b    c'],
        ['RUN', 'd'],
      ],
    ],
    ['comments and blank lines within', 'RUN a \\\n# x\n\n  b', [['RUN', 'a    b']]],
    [
      'another escape',
      '# escape=`\nRUN a `\nb\nRUN c \\',
      [
        ['RUN', 'a  b'],
        ['RUN', 'c \\'],
      ],
    ],
    [
      'an escape further down',
      `# ${'x'.repeat(400)}\n# escape=\`\nRUN a \`\nb`,
      [
        ['RUN', 'a `'],
        ['B', ''],
      ],
    ],
    ['what is none', '1 a\n!\nRUN b', [['RUN', 'b']]],
    [
      'a here-document',
      'RUN <<E\na\nb\nE\nRUN c',
      [
        ['RUN', '<<E', 'a\nb\n'],
        ['RUN', 'c'],
      ],
    ],
    [
      'a quoted one',
      `RUN <<'E'\na\nE\nRUN c`,
      [
        ['RUN', "<<'E'", 'a\n'],
        ['RUN', 'c'],
      ],
    ],
    [
      'one with tabs',
      'RUN <<-E\n\ta\n\tE\nRUN c',
      [
        ['RUN', '<<-E', '\ta\n'],
        ['RUN', 'c'],
      ],
    ],
    [
      'one whose end is further in',
      'RUN <<E\n\tE\nE\nRUN c',
      [
        ['RUN', '<<E', '\tE\n'],
        ['RUN', 'c'],
      ],
    ],
    [
      'an empty one',
      'RUN <<E\nE\nRUN c',
      [
        ['RUN', '<<E', ''],
        ['RUN', 'c'],
      ],
    ],
    [
      'a line of blanks within',
      'RUN a \\\n  \t\nb\nRUN c',
      [
        ['RUN', 'a  b'],
        ['RUN', 'c'],
      ],
    ],
    [
      'two',
      'COPY <<A <<B /x\n1\nA\n2\nB\nRUN c',
      [
        ['COPY', '<<A <<B /x', '1\n', '2\n'],
        ['RUN', 'c'],
      ],
    ],
    [
      'one without end',
      'RUN <<E\na\n',
      [
        ['RUN', '<<E'],
        ['A', ''],
      ],
    ],
  ])('%s', (_, text, expected) => expect(read(text)).toEqual(expected));

  test.each([
    ['["a", "b c"]', ['a', 'b c']],
    [' [ "a" ,"b" ] ', ['a', 'b']],
    ['[]', []],
    ['["a\\"b", "\\u0041"]', ['a"b', 'A']],
    ['["a\\q"]', ['a\\q']],
    ['["a",]', null],
    ["['a']", null],
    ['["a"] b', null],
    ['x ["a"]', null],
    ['["a" "b"]', null],
    ['a b', null],
  ])('words of %s', (text, words) => {
    expect(jsonWords(placed(text))?.map((one) => one.text) ?? null).toEqual(words);
  });
});

type Place = readonly [line: number, column: number];
/** A piece of text and its place: from the first character to behind the last. */
type Piece = readonly [text: string, from: Place, to: Place];

function piece(text: string, placed: Placed, range?: Range): Piece {
  const { line, column, endLine, endColumn } = placed.span(range);
  return [text, [line, column], [endLine, endColumn]];
}

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
  expect(wordsOf(placed(text)).map((one) => piece(one.text, one))).toEqual(expected);
});

test('of ten thousand words and more the first are read', () => {
  expect(wordsOf(placed('a '.repeat(10_050)))).toHaveLength(10_000);
});

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
])('%j is %j, and its pieces stand where they are written', (raw, value, pieces) => {
  const scalar = placeScalar(value, new LineIndex('f', raw), 0, raw.length);
  expect(scalar.text).toBe(value);
  for (const [text, from, to] of pieces) {
    const start = value.indexOf(text);
    expect(piece(text, scalar, { start, end: start + text.length })).toEqual([text, from, to]);
  }
});

/** The variables of a line, and the columns of their values. */
test.each<[string, { name: string; value: string; from: number; to: number }[]]>([
  ['A=1', [{ name: 'A', value: '1', from: 3, to: 4 }]],
  ['export A=1', [{ name: 'A', value: '1', from: 10, to: 11 }]],
  ['export \t A = 1', [{ name: 'A', value: '1', from: 14, to: 15 }]],
  ['exportA=1', [{ name: 'exportA', value: '1', from: 9, to: 10 }]],
  ['export', []],
  ['# A=1', []],
  ['1A=1', []],
  ['A=', [{ name: 'A', value: '', from: 3, to: 3 }]],
  ['A=# b', [{ name: 'A', value: '', from: 3, to: 6 }]],
  ['A= # b', [{ name: 'A', value: '', from: 4, to: 7 }]],
  ['A=a#b', [{ name: 'A', value: 'a#b', from: 3, to: 6 }]],
  ['A=a b # c', [{ name: 'A', value: 'a b', from: 3, to: 6 }]],
  ['A=""', [{ name: 'A', value: '', from: 3, to: 5 }]],
  ["A='' # b", [{ name: 'A', value: '', from: 3, to: 5 }]],
  [`A="it's" # b`, [{ name: 'A', value: "it's", from: 4, to: 8 }]],
  [`A='"b"'`, [{ name: 'A', value: '"b"', from: 4, to: 7 }]],
  ['A="b', [{ name: 'A', value: '"b', from: 3, to: 5 }]],
  [' A=1 ', [{ name: 'A', value: '1', from: 4, to: 5 }]],
])('an environment file says of %j', (text, expected) => {
  const lines = environmentLines(new LineIndex('f', text)).map(({ name, value }) => {
    const { column, endColumn } = value.span();
    return { name, value: value.text, from: column, to: endColumn };
  });
  expect(lines).toEqual(expected);
});
