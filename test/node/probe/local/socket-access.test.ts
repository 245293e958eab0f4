/** Who may open a socket, against what the kernel lets other users do. */
import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { socketAccess } from '../../../../src/node/probe/local/socket-access.js';

let folder: string;
let server: Server;
let socket: string;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'kaiactl-access-'));
  chmodSync(folder, 0o755);
  socket = join(folder, 'a', 'b', 'klay.ipc');
  mkdirSync(dirname(socket), { recursive: true });
  server = createServer((one) => one.end());
  await new Promise<void>((done) => server.listen(socket, done));
});
afterEach(async () => {
  await new Promise((done) => server.close(done));
  rmSync(folder, { recursive: true, force: true });
});

const none = { everyone: false, some: [], lists: [] };
const everyone = { ...none, everyone: true };

test.each([
  [0o755, 0o666, true],
  [0o711, 0o602, true],
  [0o700, 0o666, false],
  [0o766, 0o666, false],
  [0o755, 0o604, false],
])('a folder with mode %o and a socket with mode %o are open: %s', async (folderMode, mode, isOpen) => {
  chmodSync(join(folder, 'a'), folderMode);
  chmodSync(socket, mode);
  expect((await socketAccess(socket)).everyone).toBe(isOpen);
  const link = join(folder, 'link.ipc');
  symlinkSync(socket, link);
  expect((await socketAccess(link)).everyone).toBe(isOpen);
});

const isRoot = process.platform === 'linux' && process.getuid?.() === 0;
const [user, group] = [65_533, 65_532];

/** Whether a user with these groups can connect. */
function connects(uid: number, groups: string): boolean {
  const code = `require('net').connect(${JSON.stringify(socket)}).on('connect',()=>process.exit(0)).on('error',()=>process.exit(1))`;
  const list = groups === '' ? ['--clear-groups'] : ['--groups', groups];
  const words = ['--reuid', `${uid}`, '--regid', '65531', ...list, process.execPath, '-e', code];
  return spawnSync('setpriv', words, { env: {} }).status === 0;
}
const canSwitch = isRoot && spawnSync('setpriv', ['--reuid', `${user}`, 'true']).status === 0;

describe.skipIf(!canSwitch)('as the kernel lets others in (skipped where root may not switch users)', () => {
  test.each([
    ['a closed folder', 0o700, 0, 0o666, none, false],
    ['a folder of another user', 0o700, user, 0o666, 'owner', true],
    ['a folder of another user, and a closed socket', 0o700, user, 0o600, none, false],
    ['an open way', 0o755, 0, 0o666, everyone, true],
  ])('%s', async (_name, mode, owner, socketMode, expected, connected) => {
    chmodSync(socket, socketMode);
    chownSync(join(folder, 'a'), owner, 0);
    chmodSync(join(folder, 'a'), mode);
    const access = await socketAccess(socket);
    const named = { ...none, some: [`user ${user}, who owns ${join(folder, 'a')},`] };
    expect(access).toEqual(expected === 'owner' ? named : expected);
    expect(connects(user, '')).toBe(connected);
  });

  test.each([
    [0o750, group, true],
    [0o700, group, false],
    [0o705, group, false],
    [0o750, 0, false],
  ])('members of a group with a folder of mode %o and group %i: %s', async (mode, folderGroup, isOpen) => {
    chownSync(socket, 0, group);
    chmodSync(socket, 0o660);
    chownSync(join(folder, 'a'), 0, folderGroup);
    chmodSync(join(folder, 'a'), mode);
    const { some } = await socketAccess(socket);
    expect(some).toEqual(
      isOpen
        ? [`every member of group ${group}`]
        : folderGroup === 0
          ? [`every member of the groups 0 and ${group}`]
          : [],
    );
    expect(connects(user, `${group}`)).toBe(isOpen);
  });

  /** Lets one user into the folder: the entries of an access control list, as the kernel stores them. */
  const setAcl = (path: string) => {
    const code = [
      'import os, struct, sys',
      'entries = [(1, 7, -1), (2, 7, int(sys.argv[2])), (4, 0, -1), (16, 7, -1), (32, 0, -1)]',
      "value = struct.pack('<I', 2) + b''.join(struct.pack('<HHi', *one) for one in entries)",
      "os.setxattr(sys.argv[1], 'system.posix_acl_access', value)",
    ].join('\n');
    return spawnSync('python3', ['-c', code, path, `${user}`]).status === 0;
  };
  const trial = mkdtempSync(join(tmpdir(), 'kaiactl-acl-'));
  const hasLists = isRoot && setAcl(trial);
  rmSync(trial, { recursive: true });

  test.skipIf(!hasLists)('an access control list is named (skipped without python3 or lists)', async () => {
    chmodSync(socket, 0o666);
    chmodSync(join(folder, 'a'), 0o700);
    expect(setAcl(join(folder, 'a'))).toBe(true);
    expect(await socketAccess(socket)).toEqual({ ...none, lists: [join(folder, 'a')] });
    expect(connects(user, '')).toBe(true);
    chmodSync(socket, 0o600);
    expect(await socketAccess(socket)).toEqual(none);
  });
});
