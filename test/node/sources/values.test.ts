/** Small languages inside the sources: values of flags as Go reads them, ${NAME} of compose, instructions of a Dockerfile. */
import { describe, expect, test } from 'vitest';
import { parseValue } from '../../../src/node/sources/argv/values.js';
import { interpolate } from '../../../src/node/sources/compose/interpolate.js';
import { instructionsOf, jsonWords } from '../../../src/node/sources/dockerfile/instructions.js';
import { LineIndex } from '../../../src/node/sources/line-index.js';
import { Placed } from '../../../src/node/sources/placed.js';
import { unfilled } from '../../../src/node/sources/placeholders.js';

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

  test.each(['0', '-0', '30s', '1h30m', '1.5h', '.5m', '100ms', '1us', '1µs', '1ns', '-5s', '+5s', '1.s'])(
    '%s is a duration, kept as it stands',
    (text) => expect(parseValue('duration', text)).toEqual({ value: text }),
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
    ['SET', 'v'],
    ['EMPTY', ''],
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
