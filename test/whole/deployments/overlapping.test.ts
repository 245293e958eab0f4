/** Paths that name the same files twice, folders that cannot be opened, and a working folder that is gone. */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { run } from '../../node/offline.js';

const program = resolve(import.meta.dirname, '../../../bin/kaiactl.js');
const unit = '[Service]\nExecStart=/usr/bin/ken --rpc --rpcaddr 0.0.0.0 --rpcapi eth,admin\n';

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'kaiactl-overlapping-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  chmodSync(folder, 0o755);
  mkdirSync(join(folder, 'dir/sub'), { recursive: true });
  writeFileSync(join(folder, 'dir/ken.service'), unit);
  writeFileSync(join(folder, 'dir/sub/ken.service'), unit);
  return folder;
}

test.each([
  ['dir', 'dir'],
  ['dir', './dir/'],
  ['dir', 'dir/sub'],
  ['dir/sub', 'dir'],
  ['dir', 'dir/sub/ken.service'],
])('lint of %s and %s is that of the wider folder', async (...paths) => {
  const cwd = newFolder();
  const lint = (...words: string[]) => run(['node', 'lint', ...words, '--format', 'concise'], { cwd });
  expect(await lint(...paths)).toEqual(await lint('dir'));
});

test('a folder below a named folder is read if a pattern excludes it there', async () => {
  const cwd = newFolder();
  const { out } = await run(['node', 'lint', 'dir', 'dir/sub', '--exclude', 'sub', '--format', 'concise'], {
    cwd,
  });
  expect(out).toContain('dir/sub/ken.service:');
});

test('a folder that cannot be opened is an open question beside a node', ({ skip }) => {
  const cwd = newFolder();
  writeFileSync(join(cwd, 'dir/ken.service'), unit.replace('0.0.0.0', '127.0.0.1').replace(',admin', ''));
  chmodSync(join(cwd, 'dir/sub'), process.getuid?.() === 0 ? 0o700 : 0);
  const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const ran = spawnSync(
    process.execPath,
    [program, 'node', 'lint', join(cwd, 'dir'), '--format', 'concise'],
    {
      ...user,
      cwd: '/',
      encoding: 'utf8',
    },
  );
  chmodSync(join(cwd, 'dir/sub'), 0o755);
  if (ran.error !== undefined || /Cannot find module|EACCES/.test(ran.stderr))
    skip('an ordinary user cannot run the program here');
  expect([ran.status, ran.stdout]).toEqual([
    3,
    expect.stringMatching(
      /^\S*\/dir\/sub:1:1 undetermined unfollowed-start cannot read .*permission denied/m,
    ),
  ]);
});

test('a working folder that is removed is an error in one sentence', () => {
  const cwd = newFolder();
  const script = 'cd "$1/dir/sub" && rm -r ../sub && exec "$2" "$3" --version';
  const { status, stderr } = spawnSync('sh', ['-c', script, 'sh', cwd, process.execPath, program], {
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([
    2,
    'kaiactl: the working folder does not exist: change to another folder\n',
  ]);
});
