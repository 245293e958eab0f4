/** Edits of several findings, as one change of a file. */
import { expect, test } from 'vitest';
import type { Edit } from '../../../src/node/facts/report.js';
import { apply } from '../../../src/node/fix/apply.js';
import { merge } from '../../../src/node/fix/merge.js';

/** An edit on one line: columns count from 1, the end is exclusive. */
function edit(line: number, column: number, endColumn: number, text: string): Edit {
  return { file: 'kend.conf', line, column, endLine: line, endColumn, text };
}

test.each<[string, string, Edit[], string | null]>([
  ['a word', 'A=1\nB=2\n', [edit(2, 3, 4, '33')], 'A=1\nB=33\n'],
  ['several, in any order', 'A=1\nB=2', [edit(2, 3, 4, '3'), edit(1, 3, 4, '4')], 'A=4\nB=3'],
  ['behind the last line, which has no end', 'A=1', [edit(1, 4, 4, '\nB=2')], 'A=1\nB=2'],
  ['a line end as the file has it', 'A=1\r\nC=3\r\n', [edit(1, 4, 4, '\nB=2')], 'A=1\r\nB=2\r\nC=3\r\n'],
  ['behind a byte order mark', '\uFEFFA=1\n', [edit(1, 4, 5, '2')], '\uFEFFA=2\n'],
  ['a whole line', 'A=1\nB=2\n', [{ ...edit(1, 1, 1, ''), endLine: 2 }], 'B=2\n'],
  ['columns in UTF-16 units', '# é😀 "x"\n', [edit(1, 8, 9, 'y')], '# é😀 "y"\n'],
  ['overlapping edits', 'ABC\n', [edit(1, 1, 3, 'x'), edit(1, 2, 4, 'y')], null],
  ['a column behind the end of its line', 'A\nB\n', [edit(1, 4, 4, 'x')], null],
  ['a line that is not there', 'A\n', [edit(5, 1, 1, 'x')], null],
  ['an end before its start', 'ABC\n', [edit(1, 3, 2, 'x')], null],
])('%s', (_what, text, edits, expected) => {
  expect(apply(text, edits)).toBe(expected);
});

test('what is meant twice is done once', () => {
  const one = { edits: [edit(1, 1, 4, 'x')] };
  expect(merge([one, { edits: [edit(1, 1, 4, 'x'), edit(2, 1, 2, '')] }])).toMatchObject({
    edits: [edit(1, 1, 4, 'x'), edit(2, 1, 2, '')],
    left: [],
  });
});

test('two words taken out, each with the blank between them', () => {
  const { edits, left } = merge([{ edits: [edit(1, 1, 5, '')] }, { edits: [edit(1, 4, 8, '')] }]);
  expect(edits).toEqual([edit(1, 1, 8, '')]);
  expect(left).toEqual([]);
});

test('lines put in at one place stand one behind the other', () => {
  const { edits } = merge([{ edits: [edit(1, 4, 4, '\nB=2')] }, { edits: [edit(1, 4, 4, '\nC=3')] }]);
  expect(apply('A=1\n', edits)).toBe('A=1\nB=2\nC=3\n');
});

test.each<[string, Edit, Edit]>([
  ['another word in the same place', edit(1, 1, 4, 'x'), edit(1, 1, 4, 'y')],
  ['a word in a stretch that goes', edit(1, 1, 9, ''), edit(1, 3, 4, 'y')],
  ['a place to insert at in a stretch that goes', edit(1, 1, 9, ''), edit(1, 3, 3, 'y')],
])('of two that collide the first is taken: %s', (_what, a, b) => {
  const [first, second] = [{ edits: [a] }, { edits: [edit(2, 1, 2, 'z'), b] }];
  expect(merge([first, second])).toEqual({ edits: [a], taken: [first], left: [second] });
  expect(merge([second, first])).toMatchObject({ taken: [second], left: [first] });
});
