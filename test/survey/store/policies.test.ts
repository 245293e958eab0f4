/** The policies of surveys in every store: defaults, changes, and options that would weaken them. */
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { auditTrail } from '../../../src/survey/store/audit.js';
import { EmbeddedStore } from '../../../src/survey/store/embedded.js';
import { countsOf, JoinCounts } from '../../../src/survey/store/join-counts.js';
import { Participants } from '../../../src/survey/store/participants.js';
import { Policies } from '../../../src/survey/store/policies.js';
import type { Storage } from '../../../src/survey/store/storage.js';
import { registerSurveys } from '../../../src/survey/store/survey-rows.js';
import { bounded } from '../../peers/bounded.js';
import { backends, secret, stopBackends } from './backends.js';

const survey = '0x6b6664134a7bf5A4519B95bC2331bC8405633d4f';
const other = '0x0Bc34f96d8E99c6E2933e49e6f68DFB7B74b7aDB';
const lax = { onePerUser: false, scheme: 'any' } as const;
const strict = { onePerUser: true, scheme: 'eip712' } as const;

afterAll(stopBackends);

describe.for(backends)('$name', ({ name, missing, make }) => {
  if (missing !== null) process.stderr.write(`SKIPPED: policies in ${name}: ${missing}\n`);
  describe.skipIf(missing !== null)(`${missing === null ? 'the store' : `skipped: ${missing}`}`, () => {
    let place: Awaited<ReturnType<typeof make>>;
    let storage: Storage;
    beforeEach(async () => {
      place = await make();
      storage = await place.open();
      await registerSurveys(storage, [survey]);
    });
    afterEach(async () => {
      await storage.close();
      await place.remove();
    });

    test('a survey keeps the policy of the options it was first served with', async () => {
      const first = new Policies(storage, secret, strict);
      await first.adoptAll(5);
      expect(await auditTrail(storage, survey)).toMatchObject([
        { entry: 1, at: 5, action: 'policy', actor: null, detail: strict },
      ]);
      const second = new Policies(storage, secret, lax);
      await second.adoptAll(6, [other]);
      expect(await second.of(survey)).toMatchObject(strict);
      expect(await second.of(other)).toMatchObject(lax);
      expect(await second.weakened()).toEqual([
        {
          survey,
          differences: ['one join per user (--one-per-user)', 'typed-data signatures (--scheme eip712)'],
        },
      ]);
      expect(await first.weakened()).toEqual([]);
      expect(await first.laxer()).toMatchObject([{ survey: other }]);
    });

    test('a policy that an admin set does not follow the options of a start', async () => {
      const policies = new Policies(storage, secret, lax);
      await policies.adoptAll(5);
      const { before, after } = await policies.set(survey, { ...strict, maxMembers: 3, closesAt: 9 });
      expect(before).toMatchObject(lax);
      expect(after).toEqual({ ...strict, maxMembers: 3, closesAt: 9, allowlist: false });
      expect(await policies.of(survey)).toEqual(after);
      expect(await policies.weakened()).toEqual([]);
    });

    test('a survey without a policy whose users are recorded takes one join per user', async () => {
      const nothing = { members: async () => [], underWay: async () => [] };
      const reserved = { survey, userId: 'anna', commitment: 5n };
      await (await new Participants(storage, secret).reserve(reserved, nothing)).confirm();
      const policies = new Policies(storage, secret, lax);
      await policies.adoptAll(5);
      expect(await policies.of(survey)).toMatchObject({ onePerUser: true, scheme: 'any' });
      expect(await policies.weakened()).toHaveLength(1);
    });

    test('concurrent joins never exceed the limit of members', async () => {
      await new Policies(storage, secret, lax).set(survey, { maxMembers: 10 });
      const stores = [bounded(new EmbeddedStore(storage)), bounded(new EmbeddedStore(storage))];
      const joins = Array.from({ length: 40 }, (_, n) => stores[n % 2]?.join(survey, BigInt(n + 1)));
      const refused = (await Promise.allSettled(joins)).filter(({ status }) => status === 'rejected');
      expect(refused).toHaveLength(30);
      expect(refused[0]).toMatchObject({ reason: { code: 'SURVEY_FULL', reason: 'it takes 10 members' } });
      expect((await stores[0]?.group(survey, true))?.members).toHaveLength(10);
      for (const store of stores) await store.close();
    });

    test('an allowlist holds hashes, and accounts in any spelling', async () => {
      const policies = new Policies(storage, secret, lax);
      const account = `0x${'aB'.repeat(20)}`;
      await policies.allow(survey, [
        'anna',
        account,
        'anna',
        ...Array.from({ length: 500 }, (_, n) => `u${n}`),
      ]);
      const allowed = (...names: string[]) => policies.isAllowed(survey, names);
      expect(await Promise.all([allowed('anna'), allowed('x', account.toLowerCase())])).toEqual([true, true]);
      expect(await Promise.all([allowed('ben'), policies.isAllowed(other, ['anna'])])).toEqual([
        false,
        false,
      ]);
      const rows = await storage.all('SELECT * FROM allowed');
      expect(rows).toHaveLength(502);
      expect(JSON.stringify(rows)).not.toMatch(/\banna\b|(?:ab){8}/i);
      expect(await policies.disallow(survey, 'anna')).toBe(true);
      expect(await allowed('anna')).toBe(false);
      await policies.allow(survey, []);
      expect(await allowed(account)).toBe(false);
    });

    test('counts of two servers add up by hour, and a failed write is repeated', async () => {
      await new Policies(storage, secret, lax).adoptAll(5);
      let now = 3_600_000 * 7;
      const [one, two] = [new JoinCounts(storage, () => now), new JoinCounts(storage, () => now)];
      for (const counts of [one, two]) for (let n = 0; n < 3; n++) counts.add(survey, 'accepted');
      one.add('0x0000000000000000000000000000000000000001', 'INVALID_TOKEN');
      one.add(null, 'INVALID_TOKEN');
      one.add(survey, 'ALREADY_JOINED');
      const { atomically } = storage;
      Object.assign(storage, { atomically: () => Promise.reject(new Error('down')) });
      await expect(one.flush()).rejects.toThrow('down');
      Object.assign(storage, { atomically });
      now *= 2;
      two.add(survey, 'accepted');
      await one.close();
      await two.close();
      expect(await countsOf(storage, survey)).toEqual([
        { hour: 7, outcome: 'ALREADY_JOINED', count: 1 },
        { hour: 7, outcome: 'accepted', count: 6 },
        { hour: 14, outcome: 'accepted', count: 1 },
      ]);
      expect(await countsOf(storage, '')).toEqual([{ hour: 7, outcome: 'INVALID_TOKEN', count: 2 }]);
      expect(one.takeRefusals()).toEqual({ ALREADY_JOINED: 1, INVALID_TOKEN: 2 });
      expect(one.takeRefusals()).toEqual({});
    });
  });
});
