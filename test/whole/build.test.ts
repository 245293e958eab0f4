/** A test run builds once and leaves nothing behind. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { ownTemporaryFolder } from '../build.js';

test('tests and the programs they start write below the folder of this run', () => {
  expect(basename(tmpdir())).toMatch(/^kaiactl-.{6}$/);
  const child = execFileSync(process.execPath, ['-p', 'os.tmpdir()'], { encoding: 'utf8' });
  expect(child).toBe(`${tmpdir()}\n`);
});

test('a run leaves nothing in the folder for temporary files', () => {
  const outer = tmpdir();
  const before = readdirSync(outer);
  const remove = ownTemporaryFolder();
  const inner = tmpdir();
  mkdirSync(join(inner, 'left/behind'), { recursive: true });
  writeFileSync(join(inner, 'left/behind/file'), '');
  expect(readdirSync(outer)).toEqual(expect.arrayContaining([basename(inner)]));
  remove();
  expect([tmpdir(), existsSync(inner)]).toEqual([outer, false]);
  expect(readdirSync(outer).filter((name) => name === basename(inner) && !before.includes(name))).toEqual([]);
});
