import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Check } from '../../../src/node/facts/report.js';
import { isInCheckout, isTracked } from '../../../src/node/sources/checkout.js';
import { run } from '../../cli/run.js';

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
  ['a machine', 'README', 'fail'],
  ['a checkout, where a umask decides the modes', '.gitignore', 'not-applicable'],
])('loose-permissions of a conf on %s', async (_, beside, verdict) => {
  write(beside);
  const conf = write('kend.conf', 'NETWORK=mainnet\nDATA_DIR=/srv/kend\nRPC_ENABLE=0\n');
  chmodSync(conf, 0o666);
  const { out } = await run(['node', 'lint', conf, '--format', 'json']);
  const checks: readonly Check[] = JSON.parse(out).targets[0].checks;
  expect(checks.find(({ rule }) => rule === 'loose-permissions')?.verdict).toBe(verdict);
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
