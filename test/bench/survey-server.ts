/** The survey server: members under load beside a bare HTTP server, and a join on a real chain. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Wallet } from 'ethers/wallet';
import { rootOf } from '../../src/survey/group/group.js';
import { groupDigits } from '../../src/util/words.js';
import { account, noAnvil, startChain } from '../survey/chain/anvil.js';
import { bodyOf, joiner, spawnServer, token } from '../survey/server/process.js';
import { type Bench, median, type Tell, time } from './bench.js';
import { fetchWhole, latencies, peakMegabytes, processorTime, requestsPerSecond } from './load.js';

export const survey = '0x6b6664134a7bf5A4519B95bC2331bC8405633d4f';
const path = `/api/group/members?id=${survey}`;

const insert = `
  const [file, count, peaks] = process.argv.slice(1);
  const store = new (require('libsql'))(file);
  const field = 21888242871839275222246405745257275088548364400416034343698204186575808495617n;
  const add = store.prepare('INSERT INTO members VALUES (0, ?, ?)');
  store.exec('BEGIN');
  store.prepare('UPDATE surveys SET frontier = ?').run(JSON.stringify({ size: Number(count), peaks: peaks.split(' ') }));
  for (let n = 0; n < Number(count); n++) add.run(n, String(field - BigInt(n) - 1n));
  // A server that was ended before it had closed leaves it.
  store.prepare("DELETE FROM settings WHERE name = 'open'").run();
  store.exec('COMMIT');`;

const field = 21888242871839275222246405745257275088548364400416034343698204186575808495617n;
const trees = new Map<number, string>();

/** The roots of the complete subtrees of this many members, which a server compares with them. */
function peaksOf(count: number): string {
  const leaves = Array.from({ length: count }, (_, n) => field - BigInt(n) - 1n);
  const bits = count.toString(2);
  const sizes = Array.from(bits, (bit, at) => (bit === '1' ? 2 ** (bits.length - 1 - at) : 0)).filter(
    (size) => size > 0,
  );
  const known = trees.get(count) ?? sizes.map((size) => rootOf(leaves.splice(0, size))).join(' ');
  trees.set(count, known);
  return known;
}

/** Resolves when the server has compared its members with their tree: that work would be measured, too. */
async function checked(url: string): Promise<void> {
  for (;;) {
    const health = (await (await fetch(`${url}/healthz`)).json()) as { treeCheckAgeSeconds: number | null };
    if (health.treeCheckAgeSeconds !== null) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** A store with this many members. */
export async function seed(file: string, count: number, checkout?: string): Promise<void> {
  const server = await spawnServer(['--store', file, '--survey', survey], [], checkout);
  server.child.kill('SIGTERM');
  await server.ended;
  const { status, stderr } = spawnSync(process.execPath, ['-e', insert, file, String(count), peaksOf(count)]);
  if (status !== 0) throw new Error(String(stderr));
}

/** Serves the bytes that another server answers, in a process of its own. */
const bareServer = `
  const [url] = process.argv.slice(1);
  fetch(url).then(async (answer) => {
    const body = Buffer.from(await answer.arrayBuffer());
    const head = { 'content-type': 'application/json', 'content-length': body.length };
    const server = require('node:http').createServer((_, response) => response.writeHead(200, head).end(body));
    server.listen(0, '127.0.0.1', () => console.log('http://127.0.0.1:' + server.address().port));
  });`;

/**
 * Interleaved rounds of requests to both servers: rates, and milliseconds of processor for each request. Before, both
 * answer thousands of requests without a body: code of a server that has just started is interpreted.
 */
async function compared(ours: Measured, bare: Measured, seconds: number) {
  const rounds: Record<'rate' | 'spent', [ours: number, bare: number]>[] = [];
  await requestsPerSecond(ours.url, 20, 3, { headers: { 'if-none-match': '*' } });
  await requestsPerSecond(bare.url, 20, 3, { method: 'HEAD' });
  for (let round = 0; round < 11; round++) {
    const measured: { rate: number; spent: number }[] = [];
    for (const { url, pid } of round % 2 === 0 ? [ours, bare] : [bare, ours]) {
      const before = processorTime(pid) ?? 0;
      const rate = await requestsPerSecond(url, 20, seconds);
      measured.push({ rate, spent: ((processorTime(pid) ?? 0) - before) / (rate * seconds) });
    }
    const [first, second] = round % 2 === 0 ? measured : measured.toReversed();
    if (round > 0 && first !== undefined && second !== undefined)
      rounds.push({ rate: [first.rate, second.rate], spent: [first.spent, second.spent] });
  }
  const medianOf = (of: 'rate' | 'spent', at: 0 | 1) => median(rounds.map((round) => round[of][at]));
  return {
    rates: [medianOf('rate', 0), medianOf('rate', 1)] as const,
    spent: [medianOf('spent', 0), medianOf('spent', 1)] as const,
  };
}

interface Measured {
  readonly url: string;
  readonly pid: number;
}

async function members(tell: Tell, folder: string): Promise<void> {
  for (const size of [1, 100, 10_000, 100_000]) {
    const file = join(folder, `${size}.db`);
    await seed(file, size);
    const server = await spawnServer(['--store', file, '--rate-limit', '0']);
    const url = server.url + path;
    await checked(server.url);
    await fetchWhole(url);
    const bare = spawn(process.execPath, ['-e', bareServer, url], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = (await once(bare.stdout, 'data')) as [Buffer];
    const other = { url: String(line).trim(), pid: bare.pid ?? 0 };
    const { rates, spent } = await compared({ url, pid: server.child.pid ?? 0 }, other, 1);
    bare.kill();
    const shown = ([rate, each]: [number, number]) =>
      `${rate.toFixed(0)} requests/s, ${each.toFixed(3)} ms of processor each`;
    const original = size === 100 ? 'the original app: 150–190 requests/s; ' : '';
    tell({
      what: `members of ${groupDigits(size)}, 20 requests at a time`,
      value: shown([rates[0], spent[0]]),
      instead: `${original}a bare node:http server that sends the same bytes: ${shown([rates[1], spent[1]])}`,
      ratio: `${(rates[0] / rates[1]).toFixed(2)} × the bare server's rate, ${(spent[0] / spent[1]).toFixed(2)} × its processor time`,
    });
    if (size === 100)
      tell({
        what: 'the server’s peak memory meanwhile',
        value: `${peakMegabytes(server.child.pid ?? 0)?.toFixed(0)} MB`,
        instead: 'the original app: 187 MB',
      });
    server.child.kill('SIGTERM');
    await server.ended;
  }
}

async function manyMembers(tell: Tell, folder: string): Promise<void> {
  // Filled by the comparison of sizes.
  const file = join(folder, '100000.db');
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
  await checked(server.url);
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
