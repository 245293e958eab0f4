/**
 * A real file system of 48 MiB that runs full, or becomes read-only, under a running server, over a kill and over a
 * start: no acknowledged join is lost, lists are read, writes get 503, and all goes on by itself.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Wallet } from 'ethers/wallet';
import { describe, expect, onTestFinished, test } from 'vitest';
import { bodyOf, notBuilt, type Spawned, spawnServer, token } from '../../survey/server/process.js';
import { inner, listed, request, survey } from '../../survey/server/support.js';

/** Why there is no file system to fill, or null. */
const noMount =
  spawnSync('unshare', ['-m', 'sh', '-c', 'mount -t tmpfs tmpfs /tmp && command -v nsenter']).status === 0
    ? notBuilt
    : 'this user may not mount a file system (unshare -m, mount -t tmpfs, nsenter)';
if (noMount !== null) process.stderr.write(`SKIPPED: a full disk under the survey server: ${noMount}\n`);

/** A separate file system, in a mount namespace that ends with the test. */
async function disk() {
  const folder = mkdtempSync(join(tmpdir(), 'kaiactl-disk-'));
  const script = 'mount -t tmpfs -o size=48m tmpfs "$0" && echo up && exec cat';
  const holder = spawn('unshare', ['-m', 'sh', '-c', script, folder], { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(async () => {
    holder.stdin.end();
    await once(holder, 'exit');
    rmSync(folder, { recursive: true });
  });
  await once(holder.stdout, 'data');
  const through = ['nsenter', '-t', String(holder.pid), '-m', '--'];
  const filler = `/proc/${holder.pid}/root${folder}/filler`;
  return {
    async serve(): Promise<Spawned> {
      const store = ['--store', join(folder, 'survey.db'), '--survey', survey];
      const server = await spawnServer([...store, '--one-per-user', '--rate-limit', '0'], through);
      onTestFinished(() => void server.child.kill('SIGKILL'));
      return server;
    },
    fill(): void {
      const file = openSync(filler, 'w');
      const bytes = Buffer.alloc(4096);
      expect(() => {
        for (;;) writeSync(file, bytes);
      }).toThrow(/ENOSPC/);
      closeSync(file);
    },
    free: () => rmSync(filler),
    remount(how: 'ro' | 'rw'): void {
      const [program = '', ...words] = [...through, 'mount', '-o', `remount,${how}`, folder];
      expect(spawnSync(program, words, { encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
    },
  };
}

/** People who join one after another; each joins once. */
function people() {
  const wallet = new Wallet(`0x${'11'.repeat(32)}`);
  const acknowledged: string[] = [];
  let next = 0;
  const join_ = async ({ url }: Spawned) => {
    next += 1;
    const commitment = next;
    const userId = `U${String(commitment).padStart(32, '0')}`;
    const body = bodyOf(wallet, survey, await token(userId), userId)(commitment);
    const answer = await request(`${url}/api/group/join`, 'POST', body);
    if (answer.status === 200) acknowledged.push(String(commitment));
    return answer;
  };
  return {
    join: join_,
    async joins(server: Spawned, count: number): Promise<void> {
      for (let n = 0; n < count; n++) expect((await join_(server)).status).toBe(200);
    },
    /** Joins until the disk takes no more. */
    async refused(server: Spawned, shortMessage = 'the store cannot be written'): Promise<void> {
      let answer = await join_(server);
      while (answer.status === 200) answer = await join_(server);
      expect([answer.status, inner(answer, 'error')]).toEqual([
        503,
        {
          code: 'STORE_READ_ONLY',
          shortMessage,
          reason: 'its disk is full, read-only or failing: try again later',
        },
      ]);
    },
    async allThere({ url }: Spawned): Promise<void> {
      expect(await listed(url)).toEqual(acknowledged);
    },
  };
}

async function health({ url }: Spawned): Promise<[number, string | null]> {
  const { status, body } = await request(`${url}/healthz`, 'GET');
  return [status, JSON.parse(body).problem];
}

async function recovers(server: Spawned): Promise<void> {
  await expect.poll(() => health(server)).toEqual([200, null]);
}

async function ends({ child, ended }: Spawned, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  child.kill(signal);
  expect(await ended).toBe(signal === 'SIGTERM' ? 0 : null);
}

const full = [503, 'the disk of the store is full'];

describe.skipIf(noMount !== null)('the disk', () => {
  test('runs full under a server, which is killed, ended and started there', async () => {
    const { serve, fill, free } = await disk();
    const { joins, refused, allThere } = people();
    let server = await serve();
    await joins(server, 30);
    fill();
    await refused(server);
    expect(await health(server)).toEqual(full);
    await allThere(server);
    for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
      await ends(server, signal);
      server = await serve();
      await allThere(server);
      await refused(server);
      expect(await health(server)).toEqual(full);
    }
    free();
    await recovers(server);
    await joins(server, 5);
    await ends(server, 'SIGTERM');
    server = await serve();
    await allThere(server);
    await joins(server, 1);
  });

  test('is full when a server starts that had ended before', async () => {
    const { serve, fill, free } = await disk();
    const { joins, refused, allThere } = people();
    let server = await serve();
    await joins(server, 5);
    await ends(server, 'SIGTERM');
    fill();
    server = await serve();
    await allThere(server);
    await refused(server);
    free();
    await recovers(server);
    await joins(server, 5);
    await allThere(server);
  });

  test('is full when a server starts that was killed before anyone joined', async () => {
    const { serve, fill, free } = await disk();
    const { joins, allThere } = people();
    await ends(await serve(), 'SIGKILL');
    fill();
    const { url } = await serve();
    expect(await listed(url)).toEqual([]);
    free();
    const server = { url } as Spawned;
    await recovers(server);
    await joins(server, 1);
    await allThere(server);
  });

  test('is read-only when a server starts', async () => {
    const { serve, remount } = await disk();
    const { joins, refused, allThere } = people();
    let server = await serve();
    await joins(server, 5);
    await ends(server, 'SIGTERM');
    remount('ro');
    server = await serve();
    await allThere(server);
    await refused(server);
    expect(await health(server)).toEqual([503, 'the store cannot be written']);
    remount('rw');
    await recovers(server);
    await joins(server, 5);
    await ends(server, 'SIGKILL');
    remount('ro');
    server = await serve();
    // Its newest rows are in a log that cannot be read on a read-only disk.
    expect((await request(`${server.url}/api/group/members?id=${survey}`, 'GET')).status).toBe(503);
    await refused(server, 'the store cannot be read');
    remount('rw');
    await recovers(server);
    await allThere(server);
    await joins(server, 1);
  });
});
