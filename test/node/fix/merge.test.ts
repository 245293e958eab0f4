/** Edits of several findings, as one change of a file. */
import { expect, test } from 'vitest';
import type { Edit } from '../../../src/node/facts/report.js';
import { apply, merge } from '../../../src/node/fix/edits.js';

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

test('equal edits are applied once', () => {
  const one = { edits: [edit(1, 1, 4, 'x')] };
  expect(merge([one, { edits: [edit(1, 1, 4, 'x'), edit(2, 1, 2, '')] }])).toMatchObject({
    edits: [edit(1, 1, 4, 'x'), edit(2, 1, 2, '')],
    left: [],
  });
});

test('two removed words take the blank between them along', () => {
  const { edits, left } = merge([{ edits: [edit(1, 1, 5, '')] }, { edits: [edit(1, 4, 8, '')] }]);
  expect(edits).toEqual([edit(1, 1, 8, '')]);
  expect(left).toEqual([]);
});

test('lines inserted at one place follow each other', () => {
  const { edits } = merge([{ edits: [edit(1, 4, 4, '\nB=2')] }, { edits: [edit(1, 4, 4, '\nC=3')] }]);
  expect(apply('A=1\n', edits)).toBe('A=1\nB=2\nC=3\n');
});

test.each<[string, Edit, Edit]>([
  ['another word in the same place', edit(1, 1, 4, 'x'), edit(1, 1, 4, 'y')],
  ['a word in a stretch that goes', edit(1, 1, 9, ''), edit(1, 3, 4, 'y')],
  ['a place to insert at in a stretch that goes', edit(1, 1, 9, ''), edit(1, 3, 3, 'y')],
  ['the same word, from further on', edit(1, 1, 4, 'x'), edit(1, 2, 4, 'x')],
  ['the same word, not as far', edit(1, 1, 4, 'x'), edit(1, 1, 3, 'x')],
])('the first of two colliding edits is applied: %s', (_what, a, b) => {
  const [first, second] = [{ edits: [a] }, { edits: [edit(2, 1, 2, 'z'), b] }];
  expect(merge([first, second])).toEqual({ edits: [a], taken: [first], left: [second] });
  expect(merge([second, first])).toMatchObject({ taken: [second], left: [first] });
});

test('edits are sorted by their place in the file', () => {
  const [a, b, c] = [edit(1, 1, 2, 'a'), edit(1, 3, 4, 'b'), edit(2, 1, 2, 'c')];
  expect(merge([{ edits: [c, b] }, { edits: [a] }]).edits).toEqual([a, b, c]);
  const [short, long] = [edit(1, 3, 3, 'x'), edit(1, 3, 5, 'y')];
  expect(merge([{ edits: [long] }, { edits: [short] }]).edits).toEqual([short, long]);
});

test('adjacent edits do not collide', () => {
  const [a, b] = [edit(1, 1, 4, 'x'), edit(1, 4, 6, 'y')];
  expect(merge([{ edits: [b] }, { edits: [a] }])).toMatchObject({ edits: [a, b], left: [] });
  expect(merge([{ edits: [a] }, { edits: [edit(1, 4, 4, 'z')] }]).left).toEqual([]);
});

test('a deletion absorbs the deletions inside it, and deletions that touch are merged', () => {
  const [inner, outer] = [edit(1, 3, 5, ''), edit(1, 1, 9, '')];
  for (const order of [
    [inner, outer],
    [outer, inner],
  ])
    expect(merge(order.map((one) => ({ edits: [one] }))).edits).toEqual([outer]);
  const parts = [edit(1, 1, 4, ''), edit(1, 6, 9, ''), edit(1, 3, 7, '')];
  expect(merge(parts.map((one) => ({ edits: [one] }))).edits).toEqual([edit(1, 1, 9, '')]);
  const lines = { ...edit(1, 5, 0, ''), endLine: 3, endColumn: 2 };
  expect(merge([{ edits: [lines] }, { edits: [edit(3, 1, 9, '')] }]).edits).toEqual([
    { ...lines, endColumn: 9 },
  ]);
});

test('equal spans in two files are different places', () => {
  const other = { ...edit(1, 1, 4, 'y'), file: 'kcnd.conf' };
  expect(merge([{ edits: [edit(1, 1, 4, 'x')] }, { edits: [other] }]).edits).toHaveLength(2);
  const same = { ...edit(1, 1, 4, 'x'), file: 'kcnd.conf' };
  expect(merge([{ edits: [edit(1, 1, 4, 'x')] }, { edits: [same] }]).edits).toHaveLength(2);
});

test('no part of a skipped fix is applied', () => {
  const first = { edits: [edit(1, 1, 4, 'x')] };
  const second = { edits: [edit(3, 1, 1, 'new'), edit(1, 2, 3, 'y'), edit(4, 1, 1, 'more')] };
  expect(merge([first, second])).toEqual({ edits: first.edits, taken: [first], left: [second] });
});

test.each<[string, string, Edit[], string | null]>([
  ['at the very start', 'A=1\n', [edit(1, 1, 1, 'X')], 'XA=1\n'],
  ['up to the end of a line', 'AB\nC\n', [edit(1, 1, 3, 'x')], 'x\nC\n'],
  ['a column before the line', 'AB\n', [edit(1, 0, 1, 'x')], null],
  ['a line before the first', 'AB\n', [{ ...edit(0, 1, 1, 'x'), endLine: 1 }], null],
  ['an end behind the text', 'AB', [edit(1, 1, 4, 'x')], null],
  ['two insertions at one place', 'AB', [edit(1, 2, 2, 'x'), edit(1, 2, 2, 'y')], 'AxyB'],
  ['an insertion ahead of what goes there', 'AB', [edit(1, 2, 3, ''), edit(1, 2, 2, 'y')], 'Ay'],
  ['side by side', 'AB', [edit(1, 2, 3, 'y'), edit(1, 1, 2, 'x')], 'xy'],
  ['new lines behind the last of a file with other line ends', 'A\r\nB', [edit(2, 2, 2, '\nC')], 'A\r\nB\nC'],
  [
    'new lines in the last line, which ends as the others',
    'A\r\nB\r\n',
    [edit(3, 1, 1, 'C\n')],
    'A\r\nB\r\nC\r\n',
  ],
  ['line ends that come with the text', 'A\nB\n', [edit(1, 2, 2, '\r\nC')], 'A\nC\nB\n'],
  ['of lines that end in both ways, as that line does', 'A\nB\r\n', [edit(1, 2, 2, '\nC')], 'A\nC\nB\r\n'],
  ['nothing at all', 'A\n', [], 'A\n'],
  ['behind an empty first line', '\nA', [edit(2, 1, 2, 'b')], '\nb'],
  ['a column before a later line', 'A\nB\n', [edit(2, 0, 1, 'x')], null],
  ['new lines in an empty first line', '\nA\r\n', [edit(1, 1, 1, 'X\n')], 'X\n\nA\r\n'],
])('edits applied: %s', (_what, text, edits, expected) => {
  expect(apply(text, edits)).toBe(expected);
});
