/** What a survey allows, at servers: joins that its policy refuses, and starts that would weaken it. */
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { Policies } from '../../../src/survey/store/policies.js';
import type { Storage } from '../../../src/survey/store/storage.js';
import { backends, secret, stopBackends } from '../store/backends.js';
import { inner, joinBody, request, started, survey, typedBody, userId, wallet } from './support.js';

afterAll(stopBackends);

const lax = { onePerUser: false, scheme: 'any' } as const;

describe.for(backends)('$name', ({ name, missing, make }) => {
  if (missing !== null) process.stderr.write(`SKIPPED: policies at servers with ${name}: ${missing}\n`);
  async function place() {
    const made = await make();
    onTestFinished(() => made.remove());
    return made;
  }
  const set = async (open: () => Promise<Storage>, work: (policies: Policies) => Promise<unknown>) => {
    const storage = await open();
    await work(new Policies(storage, secret, lax));
    await storage.close();
  };

  test.skipIf(missing !== null)('a policy holds whatever the options of a server say', async () => {
    const { open } = await place();
    let now = Date.now();
    await (await started({ openStorage: () => open() })).close();
    await set(open, (policies) => policies.set(survey, { scheme: 'eip712', onePerUser: true }));
    const { url, notes, close } = await started({ openStorage: () => open(), now: () => now });
    expect(notes).toEqual([]);
    const join = async (body: object) => {
      const answer = await request(`${url}/api/group/join`, 'POST', body);
      return answer.status === 200 ? 200 : inner(answer, 'error').code;
    };
    expect(await join(joinBody('1'))).toBe('INVALID_ARGUMENT');
    expect(await join(await typedBody(1n))).toBe(200);
    expect(await join(await typedBody(2n))).toBe('ALREADY_JOINED');
    await close();

    await set(open, async (policies) => {
      await policies.set(survey, { scheme: 'any', onePerUser: false, closesAt: now + 1000, allowlist: true });
      await policies.allow(survey, ['someone else']);
    });
    const again = await started({ openStorage: () => open(), now: () => now });
    const joinAgain = async (commitment: string) => {
      const answer = await request(`${again.url}/api/group/join`, 'POST', joinBody(commitment));
      return answer.status === 200 ? 200 : inner(answer, 'error').code;
    };
    expect(await joinAgain('2')).toBe('NOT_ALLOWED');
    now += 1000;
    expect(await joinAgain('2')).toBe('CALL_EXCEPTION');
    await again.close();
  });

  test.skipIf(missing !== null)('users and accounts of the allowlist may join', async () => {
    const { open } = await place();
    await set(open, async (policies) => policies.set(survey, { allowlist: true }));
    for (const [at, names] of [['x'], [userId], [wallet.address.toLowerCase()]].entries()) {
      await set(open, (policies) => policies.allow(survey, names));
      const { url, close } = await started({ openStorage: () => open() });
      const { status } = await request(`${url}/api/group/join`, 'POST', joinBody(String(at + 1)));
      expect([names, status]).toEqual([names, at === 0 ? 400 : 200]);
      await close();
    }
  });

  test.skipIf(missing !== null)(
    'a start that would weaken a policy is refused with the difference',
    async () => {
      const { open } = await place();
      const strict = { onePerUser: true, scheme: 'eip712' } as const;
      await (await started({ openStorage: () => open(), policy: strict })).close();
      await expect(
        started({ openStorage: () => open(), policy: { ...strict, onePerUser: false } }),
      ).rejects.toMatchObject({
        exitCode: 2,
        message: `these options would weaken the policy of survey ${survey}: it demands one join per user (--one-per-user)`,
      });
      await (await started({ openStorage: () => open(), policy: strict })).close();
      await set(open, (policies) => policies.set(survey, lax));
      const { notes } = await started({ openStorage: () => open(), policy: strict });
      expect(notes).toEqual([
        `survey ${survey} does not demand one join per user (--one-per-user) or typed-data signatures (--scheme eip712): its policy is in the store, and “kaiactl survey admin set” changes it`,
      ]);
    },
  );
});
