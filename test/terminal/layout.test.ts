/** Tables and wrapped text, as a terminal shows them. */
import { describe, expect, test } from 'vitest';
import { widthOf } from '../../src/terminal/capabilities.js';
import { table } from '../../src/terminal/table.js';
import { columns, cut, fold, wrap } from '../../src/terminal/wrap.js';

test('columns count what a terminal shows', () => {
  expect(['abc', '漢字', 'e\u0301', '🔒', 'é', '', '\u0301'].map(columns)).toEqual([3, 4, 1, 2, 1, 0, 0]);
  expect(['설정'.normalize('NFD'), '⚠️', '1️⃣', '🇰🇷', '👨‍👩‍👧', '👍🏽', '✅', '✔'].map(columns)).toEqual([
    4, 2, 2, 2, 2, 2, 2, 1,
  ]);
  const decomposed = '설정 파일'.normalize('NFD');
  expect([cut(decomposed, 6), cut('🇰🇷🇯🇵🇩🇪', 5)]).toEqual([`${decomposed.slice(0, 6)} …`, '🇰🇷🇯🇵…']);
});

test.each([
  [{ COLUMNS: '10' }, 20],
  [{ COLUMNS: '20' }, 20],
  [{ COLUMNS: '9999' }, 9999],
  [{ COLUMNS: '12345' }, 80],
  [{ COLUMNS: '80x' }, 80],
  [{ COLUMNS: 'x80' }, 80],
])('the width of a pipe with %j is %i', (env, width) => {
  expect(widthOf({} as never, { env })).toBe(width);
});

describe('wrap', () => {
  test('breaks at blanks when the next word does not fit, and indents', () => {
    expect(wrap('aa bb cc dd', 8, 0, 2)).toBe('aa bb cc\n  dd');
    expect(wrap('aa bb cc dd', 8, 3, 2)).toBe('   aa bb\n  cc dd');
    expect(wrap('aa bb', 5, 0, 0)).toBe('aa bb');
    expect(wrap('aa bb', 4, 0, 0)).toBe('aa\nbb');
  });

  test('keeps a long word whole, and one blank between words', () => {
    expect(wrap('abcdefgh ij', 4, 0, 1)).toBe('abcdefgh\n ij');
    expect(wrap('a   b', 9, 0, 0)).toBe('a b');
    expect(wrap('漢字 漢字 a', 9, 0, 0)).toBe('漢字 漢字\na');
  });
});

describe('fold', () => {
  test('keeps blanks within a line, and none at its end', () => {
    expect(fold('a   b', 9, 0)).toBe('a   b');
    expect(fold('  aa   bb cc ', 8, 4)).toBe('  aa\n    bb\n    cc');
    expect(fold('aa bb ', 5, 0)).toBe('aa bb');
  });

  test('keeps a word that is too long on its line', () => {
    expect(fold('abcdefgh ij', 4, 2)).toBe('abcdefgh\n  ij');
    expect(fold('  abcdefgh', 4, 2)).toBe('  abcdefgh');
  });
});

describe('table', () => {
  test('pads cells to the widest of a column, and ends no line with blanks', () => {
    const rows = [
      ['http', 'eth'],
      ['ws', ''],
      ['漢', 'x'],
    ];
    expect(table(['name', 'modules'], rows, 40)).toBe('name  modules\nhttp  eth\nws\n漢    x');
  });

  test('fits exactly, and narrows the widest column by one when it does not', () => {
    const rows = [['a', 'bb cc dd']];
    expect(table(['x', 'y'], rows, 11)).toBe('x  y\na  bb cc dd');
    expect(table(['x', 'y'], rows, 10)).toBe('x  y\na  bb cc\n   dd');
  });

  test('breaks after commas and inside a word longer than the column', () => {
    expect(table(['x', 'y'], [['a', 'eth,net,web3']], 11)).toBe('x  y\na  eth,net,\n   web3');
    const word = 'x'.repeat(30);
    expect(table(['a', 'b'], [['a', word]], 27)).toBe(`a  b\na  ${'x'.repeat(24)}\n   ${'x'.repeat(6)}`);
  });

  test('breaks no character in two', () => {
    expect(table(['a', 'b'], [['a', '漢'.repeat(14)]], 28)).toBe(`a  b\na  ${'漢'.repeat(12)}\n   漢漢`);
  });

  test('becomes a list where its columns cannot be narrow enough', () => {
    const rows = [
      ['RPC_API', 'x'.repeat(30), 'debug'],
      ['RPC_PORT', '', 'y'],
    ];
    expect(table(['setting', 'conf', 'node says'], rows, 20)).toBe(
      [
        'RPC_API',
        '  conf       xxxxxxx',
        '             xxxxxxx',
        '             xxxxxxx',
        '             xxxxxxx',
      ]
        .concat(['             xx', '  node says  debug', 'RPC_PORT', '  node says  y'])
        .join('\n'),
    );
  });
});

test('cut ends longer text in an ellipsis, measured in terminal columns', () => {
  expect([cut('abcd', 4), cut('abcde', 4), cut('漢字漢字', 6), cut('', 4)]).toEqual([
    'abcd',
    'abc…',
    '漢字…',
    '',
  ]);
});
