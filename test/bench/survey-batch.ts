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
import { type Bench, median, type Tell, time } from './bench.js';
import { latencies, peakMegabytes, processorTime, requestsPerSecond } from './load.js';
import { seed } from './survey-server.js';

const checkouts = { now: process.cwd(), before: process.env.KAIACTL_TEST_CHECKOUT };
type Version = keyof typeof checkouts;
const versions = (Object.keys(checkouts) as Version[]).filter((version) => checkouts[version] !== undefined);
const checkoutOf = (version: Version) => resolve(checkouts[version] ?? '.');
const rounds = 3;

/** The speed of one run. */
interface Speed {
  /** Per second. */
  readonly rate: number;
  /** Processor time of all threads for one join or request, in milliseconds: it does not depend on other programs. */
  readonly processorMs: number;
}

/** Runs the work for each version in turn, and tells the medians. */
async function inTurn(
  tell: Tell,
  [what, unit]: readonly [what: string, unit: string],
  work: (version: Version, round: number) => Promise<Speed>,
): Promise<void> {
  const found: Record<Version, Speed[]> = { now: [], before: [] };
  for (let round = 0; round < rounds; round++)
    for (const version of versions) found[version].push(await work(version, round));
  const tellOne = (name: string, of: keyof Speed, digits: number, suffix: string, ofWhat: string) => {
    const [now, before] = [found.now, found.before].map((speeds) => median(speeds.map((one) => one[of])));
    const value = `${now?.toFixed(digits)} ${suffix}`;
    if (now === undefined || before === undefined || Number.isNaN(before)) return tell({ what: name, value });
    const instead = `the version before: ${before.toFixed(digits)}`;
    return tell({ what: name, value, instead, ratio: `${(now / before).toFixed(2)} × the ${ofWhat}` });
  };
  tellOne(what, 'rate', 0, `${unit} a second`, 'rate');
  tellOne(`${what}: processor time`, 'processorMs', 2, 'ms each', 'time');
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
  await inTurn(tell, [`a batch of ${count} joins, client and server`, 'joins'], async (version, round) => {
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
    const processorMs = (serverMs() + clientMs) / count;
    await end(server);
    return { rate: (count * 1000) / ms, processorMs };
  });
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
  await inTurn(tell, ['members of 100, 20 requests at a time', 'requests'], async (version) => {
    const server = await started(version, 100);
    const url = `${server.url}/api/group/members?id=${survey}`;
    await requestsPerSecond(url, 20, 0.5);
    const [processorMs, seconds] = [processorOf(server), 2];
    const rate = await requestsPerSecond(url, 20, seconds);
    const speed = { rate, processorMs: processorMs() / (rate * seconds) };
    await end(server);
    return speed;
  });
  const count = 1000;
  await inTurn(tell, ['joins of a group of 100,000, 20 at a time', 'joins'], async (version, round) => {
    const server = await started(version, 100_000);
    const bodies = Array.from({ length: count }, (_, n) => body(1 + count * round + n));
    const processorMs = processorOf(server);
    const ms = await time(() => latencies(`${server.url}/api/group/join`, bodies, 20));
    const speed = { rate: (count * 1000) / ms, processorMs: processorMs() / count };
    await end(server);
    return speed;
  });
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
