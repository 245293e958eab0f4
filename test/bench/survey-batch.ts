/**
 * Batches of joins. KAIACTL_TEST_CHECKOUT names a built checkout of an earlier version, which is then measured in turn with
 * this one.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { hashMessage } from 'ethers/hash';
import { Wallet } from 'ethers/wallet';
import { destatMessage } from '../../src/survey/protocol/message.js';
import { openKey } from '../../src/survey/protocol/secp256k1.js';
import { data, receipt, serve, survey } from '../survey/fake.js';
import { bodyOf, type Spawned, spawnServer, token } from '../survey/server/process.js';
import { type Bench, type Figure, median, type Tell, time } from './bench.js';
import { latencies, peakMegabytes, processorTime, requestsPerSecond } from './load.js';
import { seed } from './survey-server.js';

const checkouts = { now: process.cwd(), before: process.env.KAIACTL_TEST_CHECKOUT };
type Version = keyof typeof checkouts;
const versions = (Object.keys(checkouts) as Version[]).filter((version) => checkouts[version] !== undefined);
const checkoutOf = (version: Version) => resolve(checkouts[version] ?? '.');
const rounds = 5;

/** A figure of each version: medians of the rounds, in which the versions take turns. */
class Comparison {
  readonly #values: Record<Version, number[]> = { now: [], before: [] };
  readonly #unit: string;
  readonly #ratioOf: string;

  constructor(unit: string, ratioOf: 'rate' | 'time') {
    this.#unit = unit;
    this.#ratioOf = ratioOf;
  }

  add(version: Version, value: number): void {
    this.#values[version].push(value);
  }

  figure(what: string, digits: number): Figure {
    const { now, before } = { now: median(this.#values.now), before: median(this.#values.before) };
    const value = `${now.toFixed(digits)} ${this.#unit}`;
    if (Number.isNaN(before)) return { what, value };
    const ratio = `${(now / before).toFixed(2)} × the ${this.#ratioOf}`;
    return { what, value, instead: `the version before: ${before.toFixed(digits)}`, ratio };
  }
}

/** Processor time of all threads for one join or request: other programs hardly change it. */
const processorTimes = () => new Comparison('ms of processor each', 'time');

async function inTurn(work: (version: Version, round: number) => Promise<void>): Promise<void> {
  for (let round = 0; round < rounds; round++) for (const version of versions) await work(version, round);
}

/** Lines as a web app collects them: each person has a wallet, a token and a signature. */
async function writeBatch(folder: string, count: number): Promise<string> {
  const lines: string[] = [];
  for (let n = 0; n < count; n++) {
    const digest = (what: string) => createHash('sha256').update(`${what} ${n}`).digest('hex');
    const userId = `U${digest('user').slice(0, 32)}`;
    const { address: account, sign } = openKey(Buffer.from(digest('key'), 'hex'));
    const signature = sign(hashMessage(destatMessage(userId, account)));
    const commitment = String(BigInt(`0x${digest('commitment').slice(0, 62)}`));
    lines.push(`${JSON.stringify({ commitment, signature, account, idToken: await token(userId) })}\n`);
  }
  const path = join(folder, `${count}.ndjson`);
  writeFileSync(path, lines.join(''), { mode: 0o600 });
  return path;
}

function startBatch(version: Version, api: string, words: readonly string[]): ChildProcess {
  const command = ['bin/kaiactl.js', 'survey', 'join', survey, '--api-url', api, '--quiet', ...words];
  return spawn(process.execPath, command, {
    cwd: checkoutOf(version),
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise((fulfil, reject) => {
    child.once('exit', (code) => (code === 0 ? fulfil() : reject(new Error(`the batch ended with ${code}`))));
  });
}

async function endToEnd(tell: Tell, folder: string): Promise<void> {
  const count = 1500;
  const batch = await writeBatch(folder, count);
  const [rates, times] = [new Comparison('joins a second', 'rate'), processorTimes()];
  await inTurn(async (version, round) => {
    const file = join(folder, `${version}-${round}`);
    const server = await spawnServer(
      ['--store', `${file}.db`, '--survey', survey, '--rate-limit', '0'],
      [],
      checkoutOf(version),
    );
    const serverMs = processorOf(server);
    const client = startBatch(version, server.url, ['--batch', batch, '--journal', `${file}.journal`]);
    let clientMs = 0;
    const watch = setInterval(() => {
      clientMs = processorTime(client.pid ?? 0) ?? clientMs;
    }, 20);
    const ms = await time(() => ended(client)).finally(() => clearInterval(watch));
    rates.add(version, (count * 1000) / ms);
    times.add(version, (serverMs() + clientMs) / count);
    await end(server);
  });
  tell(rates.figure(`a batch of ${count} joins`, 0));
  tell(times.figure('its client and server', 2));
}

/** A function that returns the processor time of the server from now on, in milliseconds. */
function processorOf({ child: { pid = 0 } }: Spawned): () => number {
  const before = processorTime(pid) ?? 0;
  return () => (processorTime(pid) ?? Number.NaN) - before;
}

async function end(server: Spawned): Promise<void> {
  server.child.kill('SIGTERM');
  await server.ended;
}

/** The client alone, with an API that accepts each join at once. */
async function manyLines(tell: Tell, folder: string): Promise<void> {
  const count = 50_000;
  const batch = await writeBatch(folder, count);
  const members: string[] = [];
  const api = await serve(({ method, body }) => {
    if (method === 'GET') return data({ members, groupId: '0' });
    const { commitment } = JSON.parse(body) as { commitment: string };
    members.push(commitment);
    return receipt(0n, BigInt(members.length - 1), BigInt(commitment));
  });
  const words = ['--batch', batch, '--journal', join(folder, 'many.journal')];
  let peak = 0;
  const child = startBatch('now', api.url, words);
  const watch = setInterval(() => {
    peak = Math.max(peak, peakMegabytes(child.pid ?? 0) ?? 0);
  }, 50);
  const ms = await time(() => ended(child)).finally(() => clearInterval(watch));
  const again = await time(() => ended(startBatch('now', api.url, words)));
  await api.close();
  tell({
    what: 'a batch of 50,000 joins of an API that accepts all at once',
    value: `${((count * 1000) / ms).toFixed(0)} joins a second, ${peak.toFixed(0)} MB at most`,
  });
  tell({ what: 'the same command again, when all are listed', value: `${(again / 1000).toFixed(1)} s` });
}

/** The server alone, without the batch. */
async function servers(tell: Tell, folder: string): Promise<void> {
  const userId = `U${'a'.repeat(32)}`;
  const body = bodyOf(new Wallet(`0x${'11'.repeat(32)}`), survey, await token(userId), userId);
  for (const version of versions) {
    await seed(join(folder, `100-${version}.db`), 100, checkoutOf(version));
    await seed(join(folder, `100000-${version}.db`), 100_000, checkoutOf(version));
  }
  const started = (version: Version, size: number) =>
    spawnServer(
      ['--store', join(folder, `${size}-${version}.db`), '--rate-limit', '0'],
      [],
      checkoutOf(version),
    );
  const [listing, joining, count] = [processorTimes(), processorTimes(), 1000];
  await inTurn(async (version) => {
    const server = await started(version, 100);
    const url = `${server.url}/api/group/members?id=${survey}`;
    await requestsPerSecond(url, 20, 0.5);
    const [processorMs, seconds] = [processorOf(server), 2];
    const rate = await requestsPerSecond(url, 20, seconds);
    listing.add(version, processorMs() / (rate * seconds));
    await end(server);
  });
  await inTurn(async (version, round) => {
    const server = await started(version, 100_000);
    const bodies = Array.from({ length: count }, (_, n) => body(1 + count * round + n));
    const processorMs = processorOf(server);
    await latencies(`${server.url}/api/group/join`, bodies, 20);
    joining.add(version, processorMs() / count);
    await end(server);
  });
  tell(listing.figure('members of 100, 20 requests at a time', 2));
  tell(joining.figure('joins of a group of 100,000, 20 at a time', 2));
}

export const surveyBatch: Bench = {
  name: 'survey-batch',
  async run(tell) {
    const folder = mkdtempSync(join(tmpdir(), 'kaiactl-bench-'));
    try {
      await endToEnd(tell, folder);
      await manyLines(tell, folder);
      await servers(tell, folder);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
