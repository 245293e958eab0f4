/** Instructions of a Dockerfile. */
import { describe, expect, test } from 'vitest';
import { instructionsOf, jsonWords } from '../../../../src/node/sources/image/instructions.js';
import { LineIndex } from '../../../../src/node/sources/text/line-index.js';
import { Placed } from '../../../../src/node/sources/text/placed.js';

const placed = (text: string) => Placed.at(new LineIndex('f', text));

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
