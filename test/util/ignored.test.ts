import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { ignoring } from '../../src/util/ignored.js';
import { seed } from '../seed.js';

test.each<[readonly string[], string, boolean, boolean]>([
  [['*.bak'], 'a/b/kend.conf.bak', false, true],
  [['examples/'], 'a/examples', true, true],
  [['examples/'], 'a/examples', false, false],
  [['/examples'], 'a/examples', true, false],
  [['/examples'], 'examples', true, true],
  [['a/*.yml'], 'a/x.yml', false, true],
  [['a/*.yml'], 'b/a/x.yml', false, false],
  [['a/**/x.yml'], 'a/b/c/x.yml', false, true],
  [['*.yml', '!keep.yml'], 'a/keep.yml', false, false],
  [['!keep.yml', '*.yml'], 'a/keep.yml', false, true],
  [['.env'], 'a/.env', false, true],
  [['a/**'], 'a', true, false],
  [['a/**'], 'a/b', true, true],
  [['**/b/*'], 'b/c', false, true],
  [['[!a]?[[:digit:]-]'], 'b.-', false, true],
  [['[!a]?[[:digit:]-]'], 'a.1', false, false],
  [['[]a]'], ']', false, true],
  [['\\[a]'], '[a]', false, true],
  [['\\*'], 'a', false, false],
  [['*(a|aa)'], 'aa', false, false],
])('%j excludes %s as git would', (patterns, path, isFolder, expected) => {
  const isExcluded = ignoring([{ folder: '/srv', patterns }]);
  expect(isExcluded(`/srv/${path}`, isFolder)).toBe(expected);
  expect(isExcluded(`/other/${path}`, isFolder)).toBe(false);
});

test.each([
  ['**/**/**/**/**/**/**/**/a', `${'c/'.repeat(5000)}b`],
  [`${'*a'.repeat(100)}b`, 'a'.repeat(5000)],
  [`${'*(a|aa)'.repeat(100)}b`, 'a'.repeat(5000)],
  [`${'[a-z]*'.repeat(100)}0`, 'a'.repeat(5000)],
])('the pattern %.30s is matched in linear time', (pattern, path) => {
  expect(ignoring([{ folder: '/srv', patterns: [pattern] }])(`/srv/${path}`, false)).toBe(false);
});

test('git check-ignore leaves out the same files, of generated patterns in several folders', () => {
  let state = seed;
  const below = (end: number) => {
    state = (state * 48271) % 2147483647;
    return state % end;
  };
  const pick = <T>(from: readonly T[]) => from[below(from.length)] as T;
  const times = <T>(count: number, make: () => T) => Array.from({ length: count }, make);
  const names = ['keys', 'data', 'nodekey', 'Nodekey', 'a.pem', 'b.hex', 'jwt', '.env', 'x[1]'];
  const words = ['*', '**', '*.pem', '[nN]odekey', '?.hex', 'k*s', '\\\\*', ...names];
  const folder = mkdtempSync(join(tmpdir(), 'kaiactl-ignored-'));
  const write = (name: string, text: string) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  };
  const path = (from: readonly string[]) => times(pick([1, 2, 3]), () => pick(from)).join('/');
  const line = () => `${pick(['', '', '!', '/'])}${path(words)}${pick(['', '', '/'])}`;
  try {
    execFileSync('git', ['init', '-q'], { cwd: folder });
    for (let round = 0; round < 60; round += 1) {
      const lists = ['', 'data', 'data/keys'].map((one) => [one, times(pick([0, 1, 3]), line)] as const);
      for (const [one, lines] of lists) write(join(one, '.gitignore'), `${lines.join('\n')}\n`);
      const files = [...new Set(times(12, () => path(names)))].filter(
        (one) => !/^data(?:\/keys)?$/.test(one),
      );
      const ignores = ignoring(lists.map(([one, patterns]) => ({ folder: join(folder, one), patterns })));
      const own = files.filter((name) => {
        const parts = name.split('/');
        return parts.some((_, at) => ignores(join(folder, ...parts.slice(0, at + 1)), at + 1 < parts.length));
      });
      expect(own, JSON.stringify(lists)).toEqual(ignoredBy(folder, files));
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

function ignoredBy(cwd: string, files: readonly string[]): string[] {
  try {
    const out = execFileSync('git', ['check-ignore', '--no-index', '-z', '--stdin'], {
      cwd,
      input: files.join('\0'),
    });
    return out.toString().split('\0').slice(0, -1);
  } catch {
    return []; // It ignores none.
  }
}
