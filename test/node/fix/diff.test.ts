/** Patches: their names and hunks, as `git apply` reads them. */
import { expect, test } from 'vitest';
import { patchOf } from '../../../src/node/fix/diff.js';

const head = (path: string) => patchOf(path, 'a\n', 'b\n').split('\n').slice(0, 2);

test('equal texts give no patch', () => {
  expect(patchOf('kend.conf', 'a\n', 'a\n')).toBe('');
});

test('a hunk has three lines of context and the right counts', () => {
  const lines = Array.from({ length: 12 }, (_, at) => `${at + 1}`);
  const before = `${lines.join('\n')}\n`;
  const after = before.replace('6\n', 'six\nand\n');
  expect(patchOf('kend.conf', before, after)).toBe(
    '--- a/kend.conf\n+++ b/kend.conf\n@@ -3,7 +3,8 @@\n 3\n 4\n 5\n-6\n+six\n+and\n 7\n 8\n 9\n',
  );
});

test('a last line without a newline is marked', () => {
  expect(patchOf('x', 'a', 'b')).toBe(
    '--- a/x\n+++ b/x\n@@ -1,1 +1,1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file\n',
  );
});

test.each([
  ['./conf/kend.conf', '--- a/conf/kend.conf'],
  ['/etc/kend/conf/kend.conf', '--- a/etc/kend/conf/kend.conf'],
  ['.//./kend.conf', '--- a/kend.conf'],
  ['a/./b.conf', '--- a/a/./b.conf'],
  ['.hidden.conf', '--- a/.hidden.conf'],
  ['my kend.conf', '--- a/my kend.conf\t'],
  ['a"b.conf', '--- "a/a\\"b.conf"'],
  ['a\\b.conf', '--- "a/a\\\\b.conf"'],
  ['a\tb c.conf', '--- "a/a\\011b c.conf"'],
  ['a\u0085b.conf', '--- "a/a\\302\\205b.conf"'],
  ['é.conf', '--- a/é.conf'],
])('%j', (path, named) => {
  expect(head(path)).toEqual([named, named.replace('--- ', '+++ ').replace('a/', 'b/')]);
});
