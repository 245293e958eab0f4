/** Which sockets listen, in a made-up /proc and by what other programs print. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { seen } from '../../../../src/node/facts/seen.js';
import { kinds } from '../../../../src/node/kinds/index.js';
import { machineOf } from '../../../../src/node/probe/local/machine.js';
import { readCapped, readPids } from '../../../../src/node/probe/local/proc.js';
import { machineSockets, socketsOf } from '../../../../src/node/probe/local/sockets.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kaiactl-sockets-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const row = (local: string, inode: number) =>
  `   0: ${local} 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 ${inode} 1 0 100 0 0 10 0\n`;

/** The tables of a process: IPv4, and IPv6 where there is any. */
function tables(process: string, tcp: string, tcp6?: string): void {
  mkdirSync(join(folder, process, 'net'), { recursive: true });
  writeFileSync(join(folder, process, 'net', 'tcp'), tcp);
  if (tcp6 !== undefined) writeFileSync(join(folder, process, 'net', 'tcp6'), tcp6);
}

function open(process: string, ...links: string[]): void {
  mkdirSync(join(folder, process, 'fd'), { recursive: true });
  for (const [at, link] of links.entries()) symlinkSync(link, join(folder, process, 'fd', String(at)));
}

describe.skipIf(process.platform === 'win32')('the sockets of a process', () => {
  test('are those of its tables that it holds open', () => {
    const v6 = '00000000000000000000000001000000';
    tables('7', row('0100007F:2167', 345) + row('0100007F:2168', 3), row(`${v6}:2169`, 99));
    open('7', '/dev/null', 'socket:[345]', 'socket:[99]', 'xsocket:[3]', 'socket:[3]x', 'pipe:[3]');
    expect(socketsOf(7, { proc: folder, platform: 'linux' })).toEqual(
      seen([
        { address: '127.0.0.1', port: 8551 },
        { address: '::1', port: 8553 },
      ]),
    );
  });

  test('are not seen without its folder, or without a table', () => {
    expect(socketsOf(7, { proc: folder, platform: 'linux' })).toMatchObject({ state: 'not-seen' });
    open('7', 'socket:[345]');
    expect(socketsOf(7, { proc: folder, platform: 'linux' })).toMatchObject({ state: 'not-seen' });
  });

  test('flags alone make a process a node where it listens, or may', () => {
    for (const pid of ['7', '8', '9']) {
      mkdirSync(join(folder, pid));
      writeFileSync(join(folder, pid, 'cmdline'), 'docker\0--private.api.addr=0.0.0.0:9090\0');
    }
    tables('7', row('0100007F:2167', 345));
    open('7', 'socket:[345]');
    tables('8', '');
    open('8', '/dev/null');
    const found = machineOf({ proc: folder, platform: 'linux', kinds }).processes();
    expect(found.state === 'seen' && found.value.map(({ pid }) => pid)).toEqual([7, 9]);
  });

  test('processes are listed by ascending pid', () => {
    for (const pid of ['100', '9', '10', 'self', '12x']) {
      mkdirSync(join(folder, pid));
      writeFileSync(join(folder, pid, 'cmdline'), 'ken\0');
    }
    const found = machineOf({ proc: folder, platform: 'linux', kinds }).processes();
    expect(found.state === 'seen' && found.value.map(({ pid }) => pid)).toEqual([9, 10, 100]);
  });
});

test('a file is read up to the limit, and so is the list of processes', () => {
  const path = join(folder, 'file');
  writeFileSync(path, Buffer.alloc(70_000, 'x'));
  const length = (most: number) => {
    const read = readCapped(path, most);
    return read.state === 'seen' ? read.value.length : -1;
  };
  expect([4, 65_536, 65_540, 70_000, 1 << 20].map(length)).toEqual([4, 65_536, 65_540, 70_000, 70_000]);
  for (const pid of ['30', '4', '200']) mkdirSync(join(folder, pid));
  expect(readPids(folder, 2)).toEqual(seen([4, 30]));
});

describe.skipIf(process.platform === 'win32')('the sockets of this machine', () => {
  const path = process.env.PATH;
  afterEach(() => {
    process.env.PATH = path;
  });

  /** A program in place of all others, which says how it was called before what it prints. */
  function program(name: string, text: string, words: string): void {
    const bin = join(folder, 'bin');
    mkdirSync(bin);
    const script = `#!/bin/sh\n[ "$*" = '${words}' ] || exit 1\nprintf '${text}'\n`;
    writeFileSync(join(bin, name), script);
    chmodSync(join(bin, name), 0o755);
    process.env.PATH = bin;
  }
  const ss = (text: string) => program('ss', text, '-Htln');
  const lsof = (text: string) => program('lsof', text, '-nP -iTCP -sTCP:LISTEN -Fpn');

  test('are the kernel’s for both address families, whatever process holds them', async () => {
    tables('self', row('00000000:2167', 1), row('00000000000000000000000000000000:2168', 2));
    expect(await machineSockets({ proc: folder, platform: 'linux' })).toEqual(
      seen([
        { address: '0.0.0.0', port: 8551 },
        { address: '::', port: 8552 },
      ]),
    );
  });

  test('are those of one address family if the machine lacks the other', async () => {
    tables('self', row('0100007F:2167', 1));
    expect(await machineSockets({ proc: folder, platform: 'linux' })).toEqual(
      seen([{ address: '127.0.0.1', port: 8551 }]),
    );
  });

  test('come from ss where the tables cannot be read; empty output is not evidence', async () => {
    ss('LISTEN 0 4096 127.0.0.1:8551 0.0.0.0:*\\n');
    expect(await machineSockets({ proc: folder, platform: 'linux' })).toEqual(
      seen([{ address: '127.0.0.1', port: 8551 }]),
    );
    rmSync(join(folder, 'bin'), { recursive: true });
    ss('');
    expect(await machineSockets({ proc: folder, platform: 'linux' })).toMatchObject({
      state: 'not-seen',
      code: 'not-found',
    });
  });

  test('come from lsof on other systems', async () => {
    lsof('p812\\nn*:8551\\n');
    expect(await machineSockets({ proc: folder, platform: 'darwin' })).toEqual(
      seen([{ address: '::', port: 8551 }]),
    );
    rmSync(join(folder, 'bin'), { recursive: true });
    lsof('');
    expect(await machineSockets({ proc: folder, platform: 'darwin' })).toMatchObject({ code: 'not-found' });
  });

  test('are not read where local checks are off', async () => {
    tables('self', row('00000000:2167', 1));
    expect(await machineSockets({ proc: folder, platform: 'none' })).toMatchObject({
      code: 'not-applicable',
    });
  });
});
