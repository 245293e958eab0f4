/** The survey server: members under load beside a bare HTTP server, and a join on a real chain. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Wallet } from 'ethers/wallet';
import { account, noAnvil, startChain } from '../survey/chain/anvil.js';
import { bodyOf, joiner, spawnServer, token } from '../survey/server/process.js';
import { type Bench, median, type Tell, time } from './bench.js';
import { fetchWhole, latencies, peakMegabytes, processorTime, requestsPerSecond } from './load.js';

export const survey = '0x6b6664134a7bf5A4519B95bC2331bC8405633d4f';
const path = `/api/group/members?id=${survey}`;

const insert = `
  const [file, count] = process.argv.slice(1);
  const store = new (require('libsql'))(file);
  const field = 21888242871839275222246405745257275088548364400416034343698204186575808495617n;
  const add = store.prepare('INSERT INTO members VALUES (0, ?, ?)');
  const peaks = Number(count).toString(2).replaceAll('0', '').split('');
  store.exec('BEGIN');
  store.prepare('UPDATE surveys SET frontier = ?').run(JSON.stringify({ size: Number(count), peaks }));
  for (let n = 0; n < Number(count); n++) add.run(n, String(field - BigInt(n) - 1n));
  // A server that was ended before it had closed leaves it.
  store.prepare("DELETE FROM settings WHERE name = 'open'").run();
  store.exec('COMMIT');`;

/** A store with this many members. The nodes of its tree are invented; a join costs as much as with real ones. */
export async function seed(file: string, count: number, checkout?: string): Promise<void> {
  const server = await spawnServer(['--store', file, '--survey', survey], [], checkout);
  server.child.kill('SIGTERM');
  await server.ended;
  const { status, stderr } = spawnSync(process.execPath, ['-e', insert, file, String(count)]);
  if (status !== 0) throw new Error(String(stderr));
}

async function members(tell: Tell, folder: string): Promise<void> {
  const file = join(folder, '100.db');
  await seed(file, 100);
  const server = await spawnServer(['--store', file, '--rate-limit', '0']);
  const body = Buffer.from(await (await fetch(server.url + path)).arrayBuffer());
  const bare = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body);
  });
  await new Promise<void>((resolve) => bare.listen(0, '127.0.0.1', resolve));
  const bareUrl = `http://127.0.0.1:${(bare.address() as AddressInfo).port}`;
  const rates = { ours: [] as number[], bare: [] as number[] };
  for (let round = 0; round < 4; round++) {
    const [ours, reference] = [
      await requestsPerSecond(server.url + path, 20, 1.5),
      await requestsPerSecond(bareUrl, 20, 1.5),
    ];
    if (round > 0) rates.ours.push(ours);
    if (round > 0) rates.bare.push(reference);
  }
  bare.close();
  const [ours, reference] = [median(rates.ours), median(rates.bare)];
  tell({
    what: 'members of 100, 20 requests at a time',
    value: `${ours.toFixed(0)} requests/s`,
    instead: `the original app: 150–190 requests/s; a bare node:http server here: ${reference.toFixed(0)}`,
    ratio: `${(ours / reference).toFixed(2)} × the bare server's rate`,
  });
  tell({
    what: 'the server’s peak memory meanwhile',
    value: `${peakMegabytes(server.child.pid ?? 0)?.toFixed(0)} MB`,
    instead: 'the original app: 187 MB',
  });
  server.child.kill('SIGTERM');
  await server.ended;
}

async function manyMembers(tell: Tell, folder: string): Promise<void> {
  const file = join(folder, '100000.db');
  await seed(file, 100_000);
  const server = await spawnServer(['--store', file, '--rate-limit', '0']);
  let bytes = 0;
  const first = await time(async () => {
    bytes = await fetchWhole(server.url + path);
  });
  const later: number[] = [];
  for (let n = 0; n < 15; n++) later.push(await time(() => fetchWhole(server.url + path)));
  const size = (bytes / 1e6).toFixed(1);
  tell({
    what: `members of 100,000 (${size} MB), read again`,
    value: `${median(later).toFixed(1)} ms`,
    instead: `its own first answer: ${first.toFixed(0)} ms; the original app ends at 100 members`,
  });
  tell({
    what: 'the server’s peak memory meanwhile',
    value: `${peakMegabytes(server.child.pid ?? 0)?.toFixed(0)} MB`,
  });
  server.child.kill('SIGTERM');
  await server.ended;
}

/** Joins alone, then each followed by a reading of the list. */
async function manyJoins(tell: Tell, folder: string): Promise<void> {
  const file = join(folder, 'joins.db');
  await seed(file, 100_000);
  const server = await spawnServer(['--store', file, '--rate-limit', '0']);
  const pid = server.child.pid ?? 0;
  const userId = `U${'a'.repeat(32)}`;
  const body = bodyOf(new Wallet(`0x${'11'.repeat(32)}`), survey, await token(userId), userId);
  const bodies = (from: number, count: number) => Array.from({ length: count }, (_, n) => body(from + n));
  const url = `${server.url}/api/group/join`;
  await latencies(url, bodies(1, 200), 20);
  let took: number[] = [];
  const before = processorTime(pid) ?? 0;
  const all = await time(async () => {
    took = await latencies(url, bodies(1000, 2000), 20);
  });
  const spent = ((processorTime(pid) ?? 0) - before) / 2000;
  const p99 = took.toSorted((a, b) => a - b)[Math.floor(took.length * 0.99)];
  tell({
    what: 'joins of a group of 100,000 in the embedded store, 20 at a time',
    value: `${((2000 / all) * 1000).toFixed(0)} a second, 99 % within ${p99?.toFixed(0)} ms, ${spent.toFixed(2)} ms of processor each`,
    instead: 'the original app, one after another on a chain: 0.2 a second',
  });
  const reading = processorTime(pid) ?? 0;
  for (let n = 0; n < 100; n++) {
    await latencies(url, bodies(10_000 + n, 1), 1);
    await fetchWhole(server.url + path);
  }
  const each = ((processorTime(pid) ?? 0) - reading) / 100;
  tell({ what: 'a join and a reading of all 100,000', value: `${each.toFixed(1)} ms of processor` });
  server.child.kill('SIGTERM');
  await server.ended;
}

async function joins(tell: Tell, folder: string): Promise<void> {
  if (noAnvil !== null) return tell({ what: 'a join on a chain', value: `not measured: ${noAnvil}` });
  const chain = await startChain();
  try {
    const contract = await chain.survey('Survey', 1);
    const key = join(folder, 'manager.key');
    writeFileSync(key, account(1).privateKey, { mode: 0o600 });
    const words = ['--rpc-url', chain.url, '--manager-key-file', key, '--survey', String(contract.target)];
    const server = await spawnServer([...words, '--rate-limit', '0']);
    const userId = `U${'a'.repeat(32)}`;
    const send = joiner(
      new Wallet(`0x${'11'.repeat(32)}`),
      String(contract.target),
      await token(userId),
      userId,
    );
    const took: number[] = [];
    for (let n = 1; n <= 21; n++) {
      took.push(
        await time(async () => {
          if ((await send(server.url, n)) !== 200) throw new Error('a join failed');
        }),
      );
    }
    const one = median(took.slice(1));
    tell({
      what: 'a join on a chain (anvil)',
      value: `${one.toFixed(0)} ms, the first ${took[0]?.toFixed(0)} ms`,
      instead: 'the original app: 3600–6000 ms',
    });
    const burst = await time(() =>
      Promise.all(Array.from({ length: 100 }, (_, n) => send(server.url, 1000 + n))),
    );
    tell({
      what: '100 joins on a chain at once',
      value: `${(burst / 1000).toFixed(2)} s, all of them`,
      instead: 'the original app: of 5 at once one joins',
    });
    server.child.kill('SIGTERM');
    await server.ended;
  } finally {
    chain.stop();
  }
}

export const surveyServer: Bench = {
  name: 'survey-server',
  async run(tell) {
    const folder = mkdtempSync(join(tmpdir(), 'kaiactl-bench-'));
    try {
      await members(tell, folder);
      await manyMembers(tell, folder);
      await manyJoins(tell, folder);
      await joins(tell, folder);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
