/** What every store keeps, whatever database it is: groups, participants, payments, budgets, the chain's index. */
import { Group } from '@semaphore-protocol/group';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { storedMemory } from '../../../src/survey/chain/follow.js';
import { addedIn } from '../../../src/survey/protocol/events.js';
import { joinBudgets } from '../../../src/survey/store/budget.js';
import { EmbeddedStore } from '../../../src/survey/store/embedded.js';
import type { Traces } from '../../../src/survey/store/group-store.js';
import { Participants } from '../../../src/survey/store/participants.js';
import type { Storage } from '../../../src/survey/store/storage.js';
import { registerSurveys } from '../../../src/survey/store/survey-rows.js';
import { bounded } from '../../peers/bounded.js';
import { bothBackends, secret, stopBackends } from './backends.js';

const survey = '0x6b6664134a7bf5A4519B95bC2331bC8405633d4f';
const other = '0x0Bc34f96d8E99c6E2933e49e6f68DFB7B74b7aDB';
const userId = `U${'a'.repeat(32)}`;
const ask = (commitment: bigint, who = userId) => ({ survey, userId: who, commitment });
const traces = (members: readonly string[] = [], underWay: readonly string[] = []): Traces => ({
  members: async () => members,
  underWay: async () => underWay,
});

afterAll(stopBackends);

describe.for(bothBackends)('$name', ({ name, missing, make }) => {
  if (missing !== null) process.stderr.write(`SKIPPED: the ${name} store: ${missing}\n`);
  describe.skipIf(missing !== null)(`${missing === null ? 'the store' : `skipped: ${missing}`}`, () => {
    let place: Awaited<ReturnType<typeof make>>;
    let storage: Storage;
    beforeEach(async () => {
      place = await make();
      storage = await place.open();
    });
    afterEach(async () => {
      await storage.close();
      await place.remove();
    });
    const reopen = async () => {
      await storage.close();
      storage = await place.open();
    };

    test('surveys keep their group ids; groups outlive a restart, with the roots of Semaphore', async () => {
      await registerSurveys(storage, [other, survey]);
      await registerSurveys(storage, [survey]);
      let store = bounded(new EmbeddedStore(storage));
      for (const commitment of [5n, 6n, 7n]) await store.join(survey, commitment);
      expect(await store.group(survey)).toMatchObject({ groupId: '1', members: ['5', '6', '7'] });
      await store.close();
      await reopen();
      store = bounded(new EmbeddedStore(storage));
      expect((await store.surveys()).map((one) => one.survey)).toEqual([other, survey]);
      const [added] = addedIn(await store.join(survey, 8n));
      expect(added?.root).toBe(new Group(['5', '6', '7', '8']).root);
      await expect(store.join(survey, 8n)).rejects.toMatchObject({ reason: 'LeafAlreadyExists' });
      expect((await store.group(survey)).members).toEqual(['5', '6', '7', '8']);
      await expect(store.group(survey.replace('6b', '6c'))).rejects.toMatchObject({ code: 'UNKNOWN_SURVEY' });
      await store.close();
    });

    test('a hundred concurrent joins are a hundred members, and earlier members keep their places', async () => {
      await registerSurveys(storage, [survey]);
      const store = bounded(new EmbeddedStore(storage));
      const before = await store.group(survey);
      await Promise.all(Array.from({ length: 100 }, (_, n) => store.join(survey, BigInt(n + 1))));
      expect(before.members).toEqual([]);
      const { members } = await store.group(survey);
      expect(new Set(members).size).toBe(100);
      expect(await store.group(survey)).toBe(await store.group(survey));
      await store.close();
    });

    test('a throwing transaction leaves no trace, and others are not in it', async () => {
      const failed = storage.atomically('x', async (rows) => {
        await rows.run("INSERT INTO settings VALUES ('a', '1')");
        await new Promise((resolve) => setImmediate(resolve));
        throw new Error('no');
      });
      const beside = storage.run("INSERT INTO settings VALUES ('b', '1')");
      await expect(failed).rejects.toThrow('no');
      await beside;
      const rows = await storage.all<[string]>("SELECT name FROM settings WHERE name IN ('a', 'b')");
      expect(rows).toEqual([['b']]);
    });

    test('events of a transaction are sent after its commit, and not when it fails', async () => {
      const heard: string[] = [];
      const deaf = storage.listen('group', (text) => heard.push(text));
      const tell = (text: string, fails: boolean) =>
        storage.atomically('x', async (rows) => {
          await rows.notify('group', text);
          expect(heard).not.toContain(text);
          if (fails) throw new Error('no');
        });
      await tell('done', false);
      expect(heard).toContain('done');
      await expect(tell('failed', true)).rejects.toThrow('no');
      await storage.notify('group', 'last');
      deaf();
      expect(heard).not.toContain('failed');
    });

    test('another secret than the one it was made with is refused as such', async () => {
      await storage.close();
      await expect(place.open(Buffer.alloc(32, 8))).rejects.toMatchObject({
        exitCode: 2,
        message: expect.stringContaining('does not belong to this store'),
      });
      storage = await place.open();
    });

    test.runIf(name === 'postgres')('a database is backed up by its own means', async () => {
      await expect(storage.copyTo('/nowhere/copy')).rejects.toMatchObject({
        code: 'BACKUP_FAILED',
        reason: expect.stringContaining('pg_dump'),
      });
      expect(await storage.room()).toBeNull();
    });

    test('a fresh group holds members that no event announced', async () => {
      await registerSurveys(storage, [survey]);
      const store = bounded(new EmbeddedStore(storage));
      await store.group(survey);
      await storage.run("INSERT INTO members VALUES (0, 0, '5')");
      expect((await store.group(survey)).members).toEqual([]);
      expect((await store.group(survey, true)).members).toEqual(['5']);
      await store.close();
    });

    test('one join per person: refused ones free the place, confirmed ones never', async () => {
      const participants = new Participants(storage, secret);
      const place = await participants.reserve(ask(1n), traces());
      await expect(participants.reserve(ask(1n), traces())).rejects.toMatchObject({
        code: 'ALREADY_JOINING',
      });
      await participants.reserve(ask(9n, 'someone else'), traces());
      await place.release();
      await (await participants.reserve(ask(2n), traces())).confirm();
      await expect(participants.reserve(ask(3n), traces())).rejects.toMatchObject({ code: 'ALREADY_JOINED' });
    });

    test('a join whose process died is settled by the group, and the user can join again', async () => {
      await new Participants(storage, secret).reserve(ask(1n), traces());
      await reopen();
      const participants = new Participants(storage, secret);
      await expect(participants.reserve(ask(2n), traces([], ['1']))).rejects.toMatchObject({
        code: 'ALREADY_JOINING',
      });
      await expect(participants.reserve(ask(2n), traces(['7', '1']))).rejects.toMatchObject({
        code: 'ALREADY_JOINED',
      });
      await (await participants.reserve(ask(2n), traces(['7']))).confirm();
      await expect(participants.reserve(ask(3n), traces())).rejects.toMatchObject({ code: 'ALREADY_JOINED' });
    });

    test('a join of unknown end blocks its person only while it may yet be mined', async () => {
      const participants = new Participants(storage, secret);
      (await participants.reserve(ask(1n), traces())).leave();
      await expect(participants.reserve(ask(2n), traces([], ['1']))).rejects.toMatchObject({
        code: 'ALREADY_JOINING',
      });
      const tries = await Promise.allSettled(
        [2n, 3n, 4n].map((one) => participants.reserve(ask(one), traces())),
      );
      expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    });

    test('a late change does not undo a later one', async () => {
      const participants = new Participants(storage, secret);
      const late = await participants.reserve(ask(1n), traces());
      late.leave();
      await (await participants.reserve(ask(2n), traces())).confirm();
      await late.release();
      await expect(participants.reserve(ask(3n), traces())).rejects.toMatchObject({ code: 'ALREADY_JOINED' });
    });

    test('a stored join names neither person, commitment nor time', async () => {
      const participants = new Participants(storage, secret);
      await participants.reserve(ask(4711n), traces());
      await (await participants.reserve(ask(4712n, 'other'), traces())).confirm();
      const rows = await storage.all<string[]>('SELECT * FROM participants');
      expect(rows).toHaveLength(2);
      expect(rows.map((row) => row.length)).toEqual([4, 4]);
      expect(JSON.stringify(rows)).not.toMatch(/4711|4712|Uaaa|other/);
      expect(rows.filter(([, , claim, owner]) => claim === null && owner === null)).toHaveLength(1);
    });

    test('budgets limit each survey and each user, and unspent parts are returned', async () => {
      const budgets = joinBudgets(storage, secret, { perSurvey: 3, perUser: 2 });
      await budgets.spend(survey, 'a');
      const giveBack = await budgets.spend(survey, 'a');
      await expect(budgets.spend(survey, 'a')).rejects.toMatchObject({ code: 'BUDGET_SPENT' });
      await budgets.spend(survey, 'b');
      await expect(budgets.spend(survey, 'b')).rejects.toMatchObject({ code: 'BUDGET_SPENT' });
      await giveBack();
      const tries = await Promise.allSettled(['b', 'c', 'd'].map((one) => budgets.spend(survey, one)));
      expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      await joinBudgets(storage, secret, { perSurvey: 0, perUser: 0 }).spend(survey, 'a');
    });

    test('an index of the chain survives a restart', async () => {
      const group = { semaphore: other, groupId: 0n };
      const kept = { tip: { block: 7, hash: '0xab' }, leaves: ['1', '0', '3'] };
      expect(await storedMemory(storage, 1001, group).load()).toBeNull();
      await storedMemory(storage, 1001, group).save({ ...kept, leaves: [] });
      await storedMemory(storage, 1001, group).save(kept);
      await reopen();
      expect(await storedMemory(storage, 1001, group).load()).toEqual(kept);
      expect(await storedMemory(storage, 8217, group).load()).toBeNull();
    });
  });
});
