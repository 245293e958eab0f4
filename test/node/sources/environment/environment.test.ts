import { expect, test } from 'vitest';
import { environmentLines, readEnvironment } from '../../../../src/node/sources/environment/environment.js';
import { LineIndex } from '../../../../src/node/sources/text/line-index.js';
import { contextOf } from '../context.js';

/** The variables of a line, and the columns of their values. */
test.each<[string, { name: string; value: string; from: number; to: number }[]]>([
  ['A=1', [{ name: 'A', value: '1', from: 3, to: 4 }]],
  ['export A=1', [{ name: 'A', value: '1', from: 10, to: 11 }]],
  ['export \t A = 1', [{ name: 'A', value: '1', from: 14, to: 15 }]],
  ['exportA=1', [{ name: 'exportA', value: '1', from: 9, to: 10 }]],
  ['export', []],
  ['# A=1', []],
  ['1A=1', []],
  ['A: b', [{ name: 'A', value: 'b', from: 4, to: 5 }]],
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

test('a file without a variable that a node reads yields no launch', () => {
  const read = readEnvironment(new LineIndex('f.env', 'OTHER=1\n'), contextOf());
  expect(read).toEqual({ launches: [], problems: [], notes: [] });
});
