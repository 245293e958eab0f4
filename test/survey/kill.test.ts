/** Kills a batch again and again, at moments nobody chose, and takes it up again. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { batchFiles, type CountingApi, countingApi } from './batch-api.js';
import { kaiactl } from './command.js';
import { survey } from './fake.js';

/** How often a batch is killed; `npm run test:kill -- 30` does it more. */
const kills = Number(process.env.KAIACTL_TEST_KILLS ?? 8);
const concurrency = 4;
const joins = kills * 5 * concurrency;

const program = join(import.meta.dirname, '../../bin/kaiactl.js');
let api: CountingApi;

beforeAll(async () => {
  api = await countingApi();
});
afterAll(() => api?.close());

/** Resolves with the exit code, or null after a kill. */
function ended(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => child.once('exit', resolve));
}

test(`${kills} kills: no join is submitted twice, none is lost`, {
  timeout: (kills + 5) * 60_000,
}, async () => {
  const { words, commitments, journal } = batchFiles(joins);
  const argv = ['survey', 'join', survey, '--api-url', api.url, ...words, '--concurrency', `${concurrency}`];
  let killed = 0;
  for (let run = 0; run < kills; run++) {
    const child = spawn(process.execPath, [program, ...argv], { stdio: 'ignore' });
    // Armed by the first join of this run, then a random moment: before, in and after the requests that follow.
    let armed = true;
    api.decide = async () => {
      if (armed) setTimeout(() => child.kill('SIGKILL'), Math.random() * 12);
      armed = false;
      // The server, too, takes a while now and then, before or after it has listed the member.
      if (Math.random() < 0.5) await new Promise((resolve) => setTimeout(resolve, Math.random() * 8));
      return null;
    };
    if ((await ended(child)) === null) killed++;
  }
  // The last requests may still be in the server: what it accepted counts.
  await api.idle();
  api.decide = () => null;
  const rest = await kaiactl(argv);
  const once = [...api.submitted.values()].every((count) => count === 1);
  expect(once, 'after the kills and one whole run').toBe(true);
  expect([0, 3, 4], rest.stderr).toContain(rest.code);

  // What a kill caught between journal and network is the only thing left; it takes a word to submit it.
  const never = commitments.filter((commitment) => !api.members.includes(commitment));
  const last = await kaiactl([...argv, '--retry-unknown', '--timeout', '60s']);
  expect(last.code, last.stderr).toBe(0);
  expect([...api.submitted.values()].every((count) => count === 1)).toBe(true);
  expect(
    commitments.every((commitment) => api.members.filter((one) => one === commitment).length === 1),
  ).toBe(true);
  expect(never.length).toBeLessThanOrEqual(killed * concurrency);
  expect(killed, 'how many runs were killed before they ended').toBeGreaterThan(kills / 4);
  const lines = readFileSync(journal, 'utf8').trimEnd().split('\n');
  expect(lines.every((line) => typeof JSON.parse(line) === 'object')).toBe(true);
});
