/** A server killed in the middle of joins loses none it has acknowledged. `npm run test:kill -- 30` has more kills. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Group } from '@semaphore-protocol/group';
import { expect, onTestFinished, test } from 'vitest';
import { addedIn } from '../../../src/survey/protocol/events.js';
import type { Receipt } from '../../../src/survey/protocol/wire.js';
import { Random } from '../../node/sources/random.js';
import { seed } from '../../seed.js';
import { joiner, notBuilt, spawnServer, token } from './process.js';
import { inner, joinBody, listed, request, survey, userId, wallet } from './support.js';

const kills = Number(process.env.KAIACTL_TEST_KILLS);

test.skipIf(notBuilt !== null)(
  `killed ${kills} times under joins: nothing acknowledged is lost`,
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'kaiactl-kill-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const words = ['--store', join(folder, 'survey.db'), '--survey', survey, '--rate-limit', '0'];
    const idToken = await token(userId);
    const send = joiner(wallet, survey, idToken, userId);
    const acknowledged = new Set<string>();
    const random = new Random(seed);
    let next = 1;
    for (let kill = 0; kill < kills; kill++) {
      const server = await spawnServer(words);
      const fatal = acknowledged.size + 1 + random.below(40);
      const worker = async () => {
        while (server.child.exitCode === null && server.child.signalCode === null) {
          const commitment = next++;
          if ((await send(server.url, commitment)) === 200) acknowledged.add(String(commitment));
          if (acknowledged.size >= fatal) server.child.kill('SIGKILL');
        }
      };
      await Promise.all(Array.from({ length: 8 }, worker));
      await server.ended;
    }
    const server = await spawnServer(words);
    onTestFinished(() => void server.child.kill('SIGKILL'));
    const members = await listed(server.url);
    expect([...acknowledged].filter((one) => !members.includes(one))).toEqual([]);
    expect(new Set(members).size).toBe(members.length);
    const last = await request(`${server.url}/api/group/join`, 'POST', joinBody(String(next), { idToken }));
    const [added] = addedIn(inner(last, 'data') as unknown as Receipt);
    expect(added?.root).toBe(new Group([...members, String(next)]).root);
    server.child.kill('SIGTERM');
    expect(await server.ended).toBe(0);
  },
  (kills + 5) * 60_000,
);

test.skipIf(notBuilt !== null)('one server per file: a second server ends with an error', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kaiactl-lock-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const words = ['--store', join(folder, 'survey.db'), '--survey', survey];
  const first = await spawnServer(words);
  onTestFinished(() => void first.child.kill('SIGKILL'));
  await expect(spawnServer(words)).rejects.toThrow('another process is using it');
});
