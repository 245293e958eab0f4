import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isInCheckout, isTracked, keptMode } from '../../../src/node/sources/checkout.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kaiactl-checkout-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(name: string, text = 'x'): string {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

function git(...words: string[]): void {
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@a.example', ...words], { cwd: folder });
}

test.each([
  [0o664, 0o640],
  [0o666, 0o640],
  [0o775, 0o751],
  [0o600, 0o600],
])('a checkout keeps %o of the mode %o', (mode, kept) => {
  expect(keptMode(mode)).toBe(kept);
});

test.each(['.git/HEAD', '.gitignore', '.github/dependabot.yml'])('a folder with %s is a checkout', (name) => {
  const below = dirname(write('a/b/c'));
  expect(isInCheckout(below)).toBe(false);
  write(name);
  expect(isInCheckout(below)).toBe(true);
});

test('a file is tracked in a checkout alone, also in one that came without its .git', () => {
  expect(isTracked(write('jwt.hex'))).toBe(false);
  write('.gitignore');
  expect(isTracked(join(folder, 'jwt.hex'))).toBe(true);
});

test('a file in a checkout is tracked unless a .gitignore excludes it', () => {
  git('init', '-q');
  const tracked = (name: string) => isTracked(write(name));
  write('.gitignore', '# secrets\n*.hex\n/keys/\n!keep.hex\ndeep/**/nodekey\n');
  write('data/.gitignore', 'jwt\n');
  expect(
    ['jwt.hex', 'a/jwt.hex', 'keys/k', 'deep/a/nodekey', 'data/jwt', 'data/a/jwt'].filter(tracked),
  ).toEqual([]);
  const names = ['keep.hex', 'jwt', 'a/keys/k', 'nodekey', 'data/nodekey'];
  expect(names.filter(tracked)).toEqual(names);
});

test('a file that the index names is tracked although a .gitignore excludes it', () => {
  git('init', '-q');
  write('.gitignore', '*.hex\n');
  const [own, other] = [write('a/jwt.hex'), write('b/jwt.hex'), write('b/a/jwt.hex')];
  git('add', '-f', 'b/a/jwt.hex');
  expect([own, other].map(isTracked)).toEqual([false, false]);
  expect(isTracked(join(folder, 'b/a/jwt.hex'))).toBe(true);
});
