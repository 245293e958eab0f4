/**
 * The fault table, what ends: client, servers and database killed with -9 at random points, and a disk that is full.
 * No acknowledged join is lost or doubled, and each user can join in the end.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { notBuilt, type Spawned, spawnServer, token } from '../../survey/server/process.js';
import { listed, survey } from '../../survey/server/support.js';
import { noPostgres, startPostgres } from '../../survey/store/postgres.js';
import { chance, faults, People, type Place, until, userOf } from './people.js';

const timeout = 300_000 + faults * 60_000;
const common = ['--survey', survey, '--rate-limit', '0', '--one-per-user'];

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'kaiactl-faults-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

async function spawned(words: readonly string[], through?: readonly string[]): Promise<Spawned> {
  const over = new AbortController();
  onTestFinished(() => over.abort());
  const server = await spawnServer(words, through);
  const end = () => void server.child.kill('SIGKILL');
  if (over.signal.aborted) end();
  over.signal.addEventListener('abort', end);
  return server;
}

/** At a server chosen by the seed, be it one that runs just now or not. */
function placeAt(servers: readonly Spawned[], random: () => number, together: number): Place {
  const server = () => servers[Math.floor(random() * servers.length)]?.url ?? '';
  return { server, token, together, codes: [null] };
}

const runs = ({ child }: Spawned) => !child.killed && child.exitCode === null;

/**
 * Servers as processes, ended with -9 while 200 at a time join. A fault does not wait for the end of the one before:
 * the others, if any are left, get the next one while the victim restarts.
 */
async function killed(count: number, words: readonly string[], others: readonly (() => Promise<void>)[]) {
  const random = chance();
  const servers = await Promise.all(Array.from({ length: count }, () => spawned(words)));
  const people = new People(placeAt(servers, chance(), 200));
  const tasks = [people.join(faults > 10 ? 200 : 20)];
  for (let fault = 0; fault < faults; fault++) {
    tasks.push(people.join(20));
    const wanted = (fault + random()) * 20;
    await until(() => people.joined >= wanted && servers.some(runs), people, Promise.all(tasks));
    expect(servers.map(({ child }) => child.exitCode)).toEqual(servers.map(() => null));
    const victims = [...servers.filter(runs), ...others];
    const victim = victims[Math.floor(random() * victims.length)];
    if (typeof victim === 'function') await victim();
    else if (victim !== undefined) tasks.push(again(victim));
  }
  await until(() => people.all, people, Promise.all(tasks));
  await Promise.all(tasks);
  const first = servers[0]?.url ?? '';
  await expect.poll(async () => (await listed(first)).length).toBe(people.came);
  people.check(await listed(first));

  async function again(victim: Spawned): Promise<void> {
    const at = servers.indexOf(victim);
    victim.child.kill('SIGKILL');
    await victim.ended;
    servers[at] = await persistently(words);
  }
}

/** Like a service manager: a server that ends because its database is down is started again. */
async function persistently(words: readonly string[]): Promise<Spawned> {
  return spawned(words).catch((error: Error) => {
    if (!/the database .* cannot be used|the store could not be reached/.test(error.message)) throw error;
    return persistently(words);
  });
}

describe.skipIf(notBuilt !== null)('killed with -9 at random points', () => {
  test(
    'a server and its file',
    () => killed(1, ['--store', join(folder(), 'survey.db'), ...common], []),
    timeout,
  );

  test.skipIf(noPostgres !== null).each(faults > 10 ? [2, 3, 4] : [2])(
    '%i servers and their database',
    async (count) => {
      const cluster = await startPostgres();
      onTestFinished(() => cluster.stop());
      const words = ['--store', cluster.database(), '--participant-secret-file', join(folder(), 'secret')];
      const database = async () => {
        await cluster.kill();
        await cluster.start();
      };
      await killed(count, [...words, ...common], [database]);
    },
    timeout,
  );

  test(
    'the client of a batch: the same command finishes it',
    async () => {
      const random = chance();
      const persons = 20 * faults;
      const server = await spawned(['--store', join(folder(), 'survey.db'), ...common]);
      const { words, commitments } = await batchOf(persons);
      const argv = ['survey', 'join', survey, '--api-url', server.url, ...words];
      let kills = 0;
      for (; kills < faults; kills++) {
        const before = (await listed(server.url)).length;
        if (before === persons) break;
        const client = kaiactl(argv);
        const wanted = before + Math.floor(random() * 20);
        await Promise.race([client.ended, reached(server.url, Math.min(wanted, persons))]);
        client.child.kill('SIGKILL');
        if ((await client.ended) !== null) break;
      }
      expect(kills).toBeGreaterThan(faults / 2);
      const codes = [await kaiactl(argv).ended, await finished(argv)];
      // What a kill caught between journal and network has no verdict, and it takes a word to send it again.
      expect([0, 3, 4]).toContain(codes[0]);
      expect(codes[1]).toBe(0);
      const members = await listed(server.url);
      expect(members.toSorted()).toEqual(commitments.toSorted());
    },
    timeout,
  );
});

test.skipIf(notBuilt !== null)(
  'the disk is full: joins are refused as an outage, and go on when it is not',
  async () => {
    const words = ['--store', join(folder(), 'survey.db'), ...common];
    // In KiB, for each file.
    const limited = ['bash', '-c', 'ulimit -f 400; exec "$0" "$@"'];
    const servers = [await spawned(words, limited)];
    const people = new People(placeAt(servers, chance(), 60));
    const done = people.join(200);
    await until(() => people.refused > 0, people, done);
    expect(servers[0]?.child.exitCode).toBeNull();
    servers[0]?.child.kill('SIGKILL');
    await servers[0]?.ended;
    servers[0] = await spawned(words);
    await done;
    people.check(await listed(servers[0].url));
  },
  timeout,
);

test.skipIf(notBuilt !== null || process.platform === 'win32')(
  'the disk of a journal is full: nothing is sent that it does not hold, and the same command goes on',
  async () => {
    const server = await spawned(['--store', join(folder(), 'survey.db'), ...common]);
    const { words, commitments } = await batchOf(60);
    const argv = ['survey', 'join', survey, '--api-url', server.url, ...words];
    // In KiB, for each file.
    const limited = kaiactl(argv, ['bash', '-c', 'ulimit -f 4; exec "$0" "$@"']);
    expect(await limited.ended).toBe(2);
    expect(limited.said()).toMatch(/the journal .* cannot be written: EFBIG/);
    const sent = await listed(server.url);
    expect(sent.length).toBeGreaterThan(0);
    expect(sent.length).toBeLessThan(60);
    const journal = readFileSync(words[words.indexOf('--journal') + 1] ?? '', 'utf8');
    expect(sent.filter((one) => !journal.includes(`"${one}"`))).toEqual([]);
    await kaiactl(argv).ended;
    expect(await finished(argv)).toBe(0);
    expect((await listed(server.url)).toSorted()).toEqual(commitments.toSorted());
  },
  timeout,
);

/** Submits the rest of a batch, and waits as long as a busy machine takes to list it. */
function finished(argv: readonly string[]): Promise<number | null> {
  return kaiactl([...argv, '--retry-unknown', '--timeout', '60s']).ended;
}

/** A batch of one person a line, each with a token of their own. */
async function batchOf(count: number): Promise<{ words: string[]; commitments: string[] }> {
  const at = folder();
  const file = (name: string, text: string) => {
    writeFileSync(join(at, name), text, { mode: 0o600 });
    return join(at, name);
  };
  const commitments = Array.from({ length: count }, (_, n) => String(1000 + n));
  const lines = await Promise.all(
    commitments.map(async (commitment, n) => {
      const userId = userOf(n);
      return `${JSON.stringify({ commitment, userId, idToken: await token(userId) })}\n`;
    }),
  );
  const files = ['--batch', file('batch', lines.join('')), '--journal', join(at, 'journal')];
  const waiting = ['--poll-interval', '20ms', '--timeout', '200ms', '--concurrency', '4'];
  return { words: [...files, '--key-file', file('key', '11'.repeat(32)), ...waiting], commitments };
}

interface Client {
  readonly child: ChildProcess;
  readonly ended: Promise<number | null>;
  /** Its stderr so far. */
  said(): string;
}

function kaiactl(argv: readonly string[], through: readonly string[] = []): Client {
  const cwd = new URL('../../..', import.meta.url).pathname;
  const [program = '', ...words] = [...through, process.execPath, 'bin/kaiactl.js', ...argv];
  const child = spawn(program, words, { cwd, stdio: ['ignore', 'ignore', 'pipe'] });
  let text = '';
  child.stderr?.on('data', (chunk) => {
    text += String(chunk);
  });
  return { child, ended: new Promise((resolve) => child.once('close', resolve)), said: () => text };
}

async function reached(url: string, count: number): Promise<void> {
  await expect
    .poll(async () => (await listed(url)).length, { interval: 5, timeout })
    .toBeGreaterThanOrEqual(count);
}
