/** Kills a batch repeatedly at random moments, then continues it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Random } from '../../node/sources/random.js';
import { seed } from '../../seed.js';
import { batchFiles, type CountingApi, countingApi } from '../batch-api.js';
import { kaiactl } from '../command.js';
import { survey } from '../fake.js';

/** Number of kills: `npm run test:kill -- 30` has more. */
const kills = Number(process.env.KAIACTL_TEST_KILLS);
const concurrency = 4;
const joins = kills * 5 * concurrency;

const program = join(import.meta.dirname, '../../../bin/kaiactl.js');
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
  const random = new Random(seed);
  let killed = 0;
  for (let run = 0; run < kills; run++) {
    const child = spawn(process.execPath, [program, ...argv], { stdio: 'ignore' });
    // Armed by the first join of this run, then a random moment: before, in and after the requests that follow.
    let armed = true;
    api.decide = async () => {
      if (armed) setTimeout(() => child.kill('SIGKILL'), random.next() * 12);
      armed = false;
      // The server is slow at times, before or after it lists the member.
      if (random.chance(0.5)) await new Promise((resolve) => setTimeout(resolve, random.next() * 8));
      return null;
    };
    if ((await ended(child)) === null) killed++;
  }
  // The server may still process the last requests.
  await api.idle();
  api.decide = () => null;
  // Joins that a kill caught between journal and network are sent now: faults are retried by default.
  const rest = await kaiactl(argv);
  expect(rest.code, rest.stderr).toBe(0);
  expect(Object.fromEntries(api.submitted)).toEqual(Object.fromEntries(commitments.map((one) => [one, 1])));
  expect(api.members.slice(1).toSorted()).toEqual(commitments.toSorted());
  expect(killed, 'runs that were killed before they ended').toBeGreaterThan(kills / 4);
  const lines = readFileSync(journal, 'utf8').trimEnd().split('\n');
  expect(lines.every((line) => typeof JSON.parse(line) === 'object')).toBe(true);
});
