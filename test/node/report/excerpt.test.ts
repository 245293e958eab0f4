/** A source line with carets below a span. */
import { expect, test } from 'vitest';
import { excerpt } from '../../../src/node/report/text-finding.js';

test.each<[string, string, number, number, number, string, string]>([
  ['a plain line', 'RPC_API="*"', 9, 12, 40, 'RPC_API="*"', '        ^^^'],
  ['an empty mark', 'RPC_API=', 9, 9, 40, 'RPC_API=', '        ^'],
  ['a mark to the end', 'X="a', 3, Number.POSITIVE_INFINITY, 40, 'X="a', '  ^^'],
  ['a tab before', '\tX=1', 4, 5, 40, '    X=1', '      ^'],
  ['control characters', 'X=\u001b[31m', 3, 4, 40, 'X=\\u{1b}[31m', '  ^^^^^^'],
  ['a right-to-left mark', 'X=\u202eab', 4, 5, 40, 'X=\\u{202e}ab', '          ^'],
  ['wide characters', '# 漢字 X=1', 8, 9, 40, '# 漢字 X=1', '         ^'],
  ['an emoji before', '# 🔒 X=1', 8, 9, 40, '# 🔒 X=1', '       ^'],
  ['a combining mark', 'e\u0301=1', 4, 5, 40, 'e\u0301=1', '  ^'],
  [
    'a long line cut on both sides',
    `${'a'.repeat(100)}HERE${'b'.repeat(100)}`,
    101,
    105,
    20,
    '…aaaaaaHEREbbbbbbbb…',
    '       ^^^^',
  ],
  [
    'a long line cut at its start',
    `${'a'.repeat(100)}HERE`,
    101,
    105,
    20,
    '…aaaaaaaaaaaaaaHERE',
    '               ^^^^',
  ],
  ['a mark longer than the room', 'X'.repeat(100), 1, 101, 20, `${'X'.repeat(18)}…`, '^'.repeat(18)],
])('%s', (_name, line, from, to, width, text, caret) => {
  expect(excerpt(line, from, to, width)).toEqual({ text, caret });
});
