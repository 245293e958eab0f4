/** What is kept of a start for the next one: only ever this user's own, and never needed. */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';

const root = new URL('..', import.meta.url).pathname;
const home = mkdtempSync(join(tmpdir(), 'kaiactl-compiled-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));
for (const name of ['bin', 'dist', 'package.json'])
  cpSync(join(root, name), join(home, name), { recursive: true });

const noLibsql = !existsSync(join(root, 'node_modules/libsql'));
const cache = join(home, 'cache');
const folder = join(cache, 'kaiactl');
beforeEach(() => rmSync(cache, { recursive: true, force: true }));

/** One start; the files that are there afterwards, and the one of what runs offline. */
function start(env: NodeJS.ProcessEnv = { XDG_CACHE_HOME: cache }) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['bin/kaiactl.js', 'node', 'explain', 'public-bind'],
    {
      cwd: home,
      env,
      encoding: 'utf8',
    },
  );
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toContain('public-bind');
}
const kept = () => readdirSync(folder).filter((name) => name.startsWith('offline-'));
function offline(): string {
  const [name, ...others] = kept();
  expect(others).toEqual([]);
  return join(folder, `${name}`);
}
const unchanged = { atimeMs: expect.any(Number), atime: expect.any(Date) };

test.skipIf(noLibsql)('what is loaded when needed is found with and without it, and nothing is said', () => {
  const store = join(home, 'no-store');
  writeFileSync(store, 'this is no database '.repeat(100));
  const serve = ['bin/kaiactl.js', 'survey', 'serve', '--store', store, '--survey', `0x${'1'.repeat(40)}`];
  const env = { XDG_CACHE_HOME: cache };
  const serving = () => spawnSync(process.execPath, serve, { cwd: root, env, encoding: 'utf8' });
  const first = serving();
  expect([first.status, first.stderr]).toEqual([2, expect.stringContaining('not a database')]);
  expect(first.stderr).not.toContain('Warning');
  expect(serving().stderr).toBe(first.stderr);
});

test('what was compiled is kept for this user alone, and used', () => {
  start();
  const [before, around] = [statSync(offline()), statSync(folder)];
  expect([before.mode & 0o777, around.mode & 0o777]).toEqual([0o600, 0o700]);
  start();
  expect(statSync(offline())).toEqual({ ...before, ...unchanged });
});

test('--version keeps nothing, for it loads nothing', () => {
  spawnSync(process.execPath, ['bin/kaiactl.js', '--version'], { cwd: home, env: { XDG_CACHE_HOME: cache } });
  expect(() => statSync(cache)).toThrow('ENOENT');
});

test.each<[string, (path: string) => void]>([
  ['is something else', (path) => writeFileSync(path, 'not what V8 wrote')],
  ['others may write to', (path) => chmodSync(path, 0o666)],
  [
    'is a link',
    (path) => {
      renameSync(path, `${home}/elsewhere`);
      symlinkSync(`${home}/elsewhere`, path);
    },
  ],
  ['is older than the program', (path) => utimesSync(path, 1, 1)],
  [
    'is a folder of its own',
    (path) => {
      rmSync(path);
      mkdirSync(path);
    },
  ],
])('what %s is not read', (_, spoil) => {
  start();
  const path = offline();
  spoil(path);
  const { ino, mtimeMs } = statSync(path);
  start();
  // It is made anew where that can be.
  const now = statSync(path);
  expect(now.isDirectory() || now.ino !== ino || now.mtimeMs > mtimeMs).toBe(true);
});

test('what other versions left goes after a month, and what is newer stays', () => {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const left = (name: string, days: number) => {
    writeFileSync(join(folder, name), '');
    const at = Date.now() / 1_000 - days * 24 * 60 * 60;
    utimesSync(join(folder, name), at, at);
  };
  left('cli-old.cjs.1', 31);
  left('cli-newer.cjs.1', 29);
  left('notes.txt', 31);
  start();
  const names = readdirSync(folder);
  expect(names).not.toContain('cli-old.cjs.1');
  expect(names).toContain('cli-newer.cjs.1');
  // Not a name of ours.
  expect(names).toContain('notes.txt');
});

test('a folder that others may write to, or own, is left alone', () => {
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o777);
  start();
  expect(kept()).toEqual([]);
  if (process.getuid?.() !== 0) return;
  chmodSync(folder, 0o700);
  chownSync(folder, 65_534, 65_534);
  start();
  expect(kept()).toEqual([]);
});

test.runIf(process.getuid?.() === 0)('nothing is made in a home that is somebody else’s', () => {
  const other = join(home, 'other');
  mkdirSync(other);
  chownSync(other, 65_534, 65_534);
  start({ HOME: other });
  expect(readdirSync(other)).toEqual([]);
  chownSync(other, 0, 0);
  start({ HOME: other });
  expect(readdirSync(join(other, '.cache/kaiactl'))).not.toEqual([]);
});

test('where nothing can be kept, nothing is said', () => {
  writeFileSync(cache, '');
  start();
  start({ XDG_CACHE_HOME: 'relative' });
  start({});
  expect(readdirSync(home)).not.toContain('relative');
});
