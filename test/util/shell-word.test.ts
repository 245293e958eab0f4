import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { shellWord } from '../../src/util/shell-word.js';

test.each([
  ['/etc/kend/key.pem', '/etc/kend/key.pem'],
  ['my key', "'my key'"],
  ['$(id)', "'$(id)'"],
  ["it's", String.raw`'it'\''s'`],
  ['-rf', './-rf'],
])('%s', (path, word) => {
  expect(shellWord(path)).toBe(word);
});

test.each([
  [String.raw`C:\kend\kend.conf`, String.raw`C:\kend\kend.conf`],
  [String.raw`C:\Program Files\kend.conf`, String.raw`"C:\Program Files\kend.conf"`],
  ["it's", `"it's"`],
])('on Windows PowerShell and cmd read %s as %s', (path, word) => {
  expect(shellWord(path, 'win32')).toBe(word);
});

test('a shell reads back any file name', () => {
  for (const path of [
    'a b',
    '$(id)',
    '`id`',
    "'",
    '"',
    '\\',
    '$HOME',
    '*',
    '~',
    'a;b',
    'a\nb',
    '#',
    '!',
    '',
  ]) {
    const read = execFileSync('sh', ['-c', `printf %s ${shellWord(path)}`], { encoding: 'utf8' });
    expect(read).toBe(path);
  }
});
