/** Where compiled code is kept: only in a folder that no other user can open. Which Node keeps it: supported.test.ts. */
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { privateFolder } from '../src/compile-cache.js';

const home = mkdtempSync(join(tmpdir(), 'kaiactl-compiled-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));
const cache = join(home, 'cache');
const folder = join(cache, 'kaiactl', 'compiled');
const env = { XDG_CACHE_HOME: cache };
beforeEach(() => rmSync(cache, { recursive: true, force: true }));
const isRoot = process.getuid?.() === 0;

test('the folder is made for this user alone, and found again', () => {
  expect(privateFolder(env)).toBe(folder);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(statSync(join(cache, 'kaiactl')).mode & 0o777).toBe(0o700);
  expect(privateFolder(env)).toBe(folder);
});

test.each([0o750, 0o707, 0o701, 0o777])('a folder of mode %o, open to others, is not used', (mode) => {
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, mode);
  expect(privateFolder(env)).toBeNull();
});

test('a link in its place is not followed', () => {
  const elsewhere = join(home, 'elsewhere');
  mkdirSync(elsewhere, { mode: 0o700 });
  mkdirSync(join(cache, 'kaiactl'), { recursive: true });
  symlinkSync(elsewhere, folder);
  expect(privateFolder(env)).toBeNull();
});

test.runIf(isRoot)('a folder that another user owns is not used', () => {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chownSync(folder, 65_534, 65_534);
  expect(privateFolder(env)).toBeNull();
});

test.runIf(isRoot)('no folder is created in another user’s home', () => {
  const other = join(home, 'other');
  mkdirSync(other);
  chownSync(other, 65_534, 65_534);
  expect(privateFolder({ HOME: other })).toBeNull();
  expect(readdirSync(other)).toEqual([]);
  chownSync(other, 0, 0);
  expect(privateFolder({ HOME: other })).toBe(join(other, '.cache/kaiactl/compiled'));
});

test('nothing is cached when the cache folder cannot be created', () => {
  writeFileSync(cache, '');
  expect(privateFolder(env)).toBeNull();
  expect(privateFolder({ XDG_CACHE_HOME: 'relative' })).toBeNull();
  expect(privateFolder({ HOME: join(home, 'missing') })).toBeNull();
  expect(privateFolder({})).toBeNull();
  expect(readdirSync(home)).not.toContain('relative');
});
