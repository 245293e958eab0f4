import { expect, test } from 'vitest';
import { excluding } from '../../../src/node/deployment/exclude.js';

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
  const isExcluded = excluding([{ folder: '/srv', patterns }]);
  expect(isExcluded(`/srv/${path}`, isFolder)).toBe(expected);
  expect(isExcluded(`/other/${path}`, isFolder)).toBe(false);
});

test.each([
  ['**/**/**/**/**/**/**/**/a', `${'a/'.repeat(5000)}b`],
  [`${'*a'.repeat(100)}b`, 'a'.repeat(5000)],
  [`${'*(a|aa)'.repeat(100)}b`, 'a'.repeat(5000)],
  [`${'[a-z]*'.repeat(100)}0`, 'a'.repeat(5000)],
])('the pattern %.30s is matched in linear time', (pattern, path) => {
  expect(excluding([{ folder: '/srv', patterns: [pattern] }])(`/srv/${path}`, false)).toBe(false);
});
