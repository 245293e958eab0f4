import { expect, test } from 'vitest';
import { rangeOf, textEdits, touch } from '../../../src/node/lsp/place.js';

const span = (column: number, endColumn: number, line = 1) => ({
  file: 'kend.conf',
  line,
  column,
  endLine: line,
  endColumn,
});
const range = (line: number, from: number, to: number) => ({
  start: { line, character: from },
  end: { line, character: to },
});

test.each([
  ['columns count from 0', span(3, 5, 2), 'X=1', range(1, 2, 4)],
  ['a byte order mark is no column', span(2, 4), '\uFEFFX=1', range(0, 0, 2)],
  ['the mark itself is at the start', span(1, 2), '\uFEFFX=1', range(0, 0, 0)],
  ['it is on the first line only', span(2, 4, 2), '\uFEFFX=1', range(1, 1, 3)],
])('%s', (_what, at, source, expected) => {
  expect(rangeOf(at, source)).toEqual(expected);
});

test.each([
  ['a carriage return', { ...span(4, 5), text: '', source: 'X=1' }, null],
  ['a byte order mark', { ...span(1, 2), text: '', source: '\uFEFFX=1' }, null],
  ['a whole line', { ...span(1, 1), endLine: 2, text: '', source: 'X=1' }, 1],
  ['text at the end of a line', { ...span(4, 4), text: '0', source: 'X=1' }, 1],
  ['text of an unknown line', { ...span(9, 12), text: '', source: null }, 1],
])('an edit of %s is made in an editor, or not', (_what, edit, expected) => {
  expect(textEdits([edit])?.length ?? null).toBe(expected);
});

test.each([
  [range(0, 1, 3), range(0, 3, 5), true],
  [range(0, 1, 3), range(0, 4, 5), false],
  [range(1, 0, 0), range(0, 0, 9), false],
  [range(0, 2, 2), range(0, 1, 3), true],
])('%j and %j touch: %s', (a, b, expected) => {
  expect([touch(a, b), touch(b, a)]).toEqual([expected, expected]);
});
