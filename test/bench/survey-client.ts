/** The survey client: lists of 10,000 and 100,000 members, read, verified, and verified again. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { poseidon2 } from 'poseidon-lite/poseidon2';
import { data, type FakeGroup, serve, serveChain, survey } from '../survey/fake.js';
import { type Bench, median, type Tell, time } from './bench.js';

export const surveyClient: Bench = {
  name: 'survey-client',
  async run(tell) {
    for (const count of [10_000, 100_000]) await measure(count, tell);
  },
};

async function measure(count: number, tell: Tell): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'kaiactl-bench-'));
  const members = Array.from({ length: count }, (_, n) => leaf(n));
  const group: FakeGroup = { groupId: 0n, root: 0n, members };
  const [answer, chain] = [data({ members, groupId: '0' }), await serveChain(group)];
  const api = await serve(() => answer);
  const kaiactl = (cache: string, ...words: string[]) => run(api.url, join(folder, cache), words);
  const verify = ['--verify', '--rpc-url', chain.url, '--count'];
  try {
    let printed = '';
    const rooted = await time(async () => {
      printed = await kaiactl('once', '--format', 'json');
    });
    group.root = BigInt((JSON.parse(printed) as { root: string }).root);
    const list = await medianOf(3, () => kaiactl('once'));
    const lite = await hashTime();
    const first = await time(() => kaiactl('first', ...verify));
    const again = await medianOf(5, () => kaiactl('first', ...verify));
    const what = (does: string) => `\`kaiactl survey members\` of ${count.toLocaleString('en-US')}, ${does}`;
    const slow = lite * count;
    tell({ what: what('as text'), value: `${list.toFixed(0)} ms` });
    tell({
      what: what(`\`--verify\` for the first time, on ${availableParallelism()} processors`),
      value: `${(first / 1000).toFixed(2)} s`,
      instead: `poseidon-lite, which Semaphore's own group hashes with: ${(slow / 1000).toFixed(1)} s`,
      ratio: `${(first / slow).toFixed(2)} × the time`,
    });
    tell({
      what: what('as JSON with its root, for the first time'),
      value: `${(rooted / 1000).toFixed(2)} s`,
      instead: `\`--verify\` for the first time: ${(first / 1000).toFixed(2)} s`,
      ratio: `${(rooted / first).toFixed(2)} × the time`,
    });
    tell({
      what: what('`--verify` again'),
      value: `${again.toFixed(0)} ms`,
      instead: `the same: ${(slow / 1000).toFixed(1)} s`,
      ratio: `${(again / slow).toFixed(3)} × the time`,
    });
  } finally {
    await Promise.all([api.close(), chain.close()]);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Milliseconds poseidon-lite takes for one hash of two, on one processor. */
async function hashTime(): Promise<number> {
  const inputs = Array.from({ length: 300 }, (_, n) => [BigInt(leaf(n)), BigInt(leaf(n + 1))]);
  const slices: number[] = [];
  for (let slice = 0; slice < 8; slice++) {
    slices.push(await time(() => inputs.map((pair) => poseidon2(pair))));
  }
  return Math.min(...slices) / inputs.length;
}

function leaf(n: number): string {
  return BigInt(`0x${createHash('sha256').update(String(n)).digest('hex').slice(0, 62)}`).toString();
}

async function medianOf(rounds: number, work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) times.push(await time(work));
  return median(times);
}

/** One run of `survey members`; its stdout. */
function run(api: string, cache: string, words: readonly string[]): Promise<string> {
  const argv = ['bin/kaiactl.js', 'survey', 'members', survey, '--api-url', api, '--quiet', ...words];
  const env = { ...process.env, XDG_CACHE_HOME: cache };
  const child = spawn(process.execPath, argv, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.on('data', (chunk) => {
    text += String(chunk);
  });
  return new Promise((resolve, reject) => {
    child.once('close', (code) => (code === 0 ? resolve(text) : reject(new Error(`it ended with ${code}`))));
  });
}
