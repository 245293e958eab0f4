/** Names of files below a folder. */
import { expect, test } from 'vitest';
import { nameFrom } from '../../src/util/name-from.js';

test.each([
  ['/a', '/a/b/c.conf', 'b/c.conf'],
  ['/a', '/a', '.'],
  ['/a', '/b/c', '/b/c'],
  ['/a/b', '/a', '/a'],
  ['/a', '/a/..b', '..b'],
])('from %s, %s is %s', (folder, path, name) => {
  expect(nameFrom(folder, path)).toBe(name);
});
