/** What a server on a chain keeps: transactions until they cannot be undone, and which surveys it serves. */
import { expect, onTestFinished, test } from 'vitest';
import { type ChainCall, Outbox } from '../../../src/survey/chain/outbox.js';
import { hasServed, servedSurveys } from '../../../src/survey/chain/served.js';
import { Refused } from '../../../src/survey/protocol/refused.js';
import { openSqlite } from '../../../src/survey/store/sqlite.js';
import type { Storage } from '../../../src/survey/store/storage.js';
import { bounded } from '../../peers/bounded.js';

const survey = '0x6b6664134a7bf5A4519B95bC2331bC8405633d4f';
const other = '0x0Bc34f96d8E99c6E2933e49e6f68DFB7B74b7aDB';
const manager = '1001:0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A';

async function memory(): Promise<Storage> {
  const storage = await openSqlite(':memory:', Buffer.alloc(32));
  onTestFinished(() => storage.close());
  return storage;
}

const call = (commitment: string, change: Partial<ChainCall> = {}): ChainCall => ({
  to: survey,
  data: '0x12',
  gas: { wanted: 400n, needed: 100n },
  commitment,
  ...change,
});
const signed = (nonce: number) => ({ nonce, raw: `0xf8${nonce}`, hash: `0xaa${nonce}`, gas: 300n });
const unmined = { earlier: [], minedIn: null, sentAt: expect.any(Number) };

test('a call changes from queued to sent to removed, and each change emits an event', async () => {
  const outbox = bounded(new Outbox(await memory(), manager));
  const [first, second] = [await outbox.add(call('1')), await outbox.add(call('2', { data: '0x34' }))];
  expect(await outbox.find(first)).toEqual({ id: first, state: 'queued' });
  expect(await outbox.queued()).toEqual([
    { id: first, ...call('1') },
    { id: second, ...call('2', { data: '0x34' }) },
  ]);
  expect(await outbox.markSent(second, signed(6))).toBe(true);
  expect(await outbox.markSent(first, signed(5))).toBe(true);
  expect(await outbox.queued()).toEqual([]);
  expect(await outbox.sent()).toEqual([
    { id: first, state: 'sent', ...signed(5), ...unmined },
    { id: second, state: 'sent', ...signed(6), ...unmined },
  ]);
  expect([await outbox.count(), await outbox.has('0xaa5'), await outbox.has('0xaa7')]).toEqual([
    2,
    true,
    false,
  ]);
  const heard = outbox.change(60_000);
  await outbox.remove(first);
  await heard;
  expect([await outbox.find(first), await outbox.count()]).toEqual([null, 1]);
  await outbox.requeue(second, 'another');
  expect(await outbox.queued()).toEqual([]);
  await outbox.requeue(second, '0xaa6');
  expect((await outbox.queued()).map(({ id }) => id)).toEqual([second]);
  expect(await outbox.has('0xaa6')).toBe(false);
});

test('an unsent join can be withdrawn and then not be sent; a sent join cannot be withdrawn', async () => {
  const outbox = bounded(new Outbox(await memory(), manager));
  const [first, second] = [await outbox.add(call('1')), await outbox.add(call('2'))];
  expect(await outbox.withdraw(first)).toBe(true);
  expect(await outbox.markSent(first, signed(5))).toBe(false);
  await outbox.markSent(second, signed(5));
  expect([await outbox.withdraw(second), await outbox.withdraw('none')]).toEqual([false, false]);
});

test('a refusal is stored completely, and its commitment is no longer pending', async () => {
  const outbox = bounded(new Outbox(await memory(), manager));
  const [first, second] = [await outbox.add(call('1')), await outbox.add(call('2'))];
  await outbox.add(call('3', { to: other }));
  await outbox.markSent(second, signed(5));
  expect(await outbox.commitments(survey)).toEqual(['1', '2']);
  const refused = new Refused('CALL_EXCEPTION', 'no', 'LeafAlreadyExists', { data: '0x258a195a' });
  await outbox.refuse(first, refused);
  expect(await outbox.commitments(survey)).toEqual(['2']);
  const found = await outbox.find(first);
  expect(found).toMatchObject({ state: 'refused' });
  expect(found?.state === 'refused' && found.refused).toEqual(refused);
  expect(await outbox.queued()).toHaveLength(1);
});

test('the transactions of two managers are separate', async () => {
  const storage = await memory();
  const [mine, theirs] = [
    bounded(new Outbox(storage, manager)),
    bounded(new Outbox(storage, '1001:0xother')),
  ];
  await mine.markSent(await mine.add(call('1')), signed(5));
  await mine.add(call('2'));
  expect([await theirs.count(), await theirs.has('0xaa5')]).toEqual([0, false]);
  expect([await theirs.sent(), await theirs.queued()]).toEqual([[], []]);
});

test('a join whose place was lost is not stored', async () => {
  const outbox = bounded(new Outbox(await memory(), manager));
  await expect(outbox.add(call('1', { held: async () => false }))).rejects.toMatchObject({
    code: 'ALREADY_JOINING',
  });
  expect(await outbox.count()).toBe(0);
  await outbox.add(call('1', { held: async () => true }));
  expect(await outbox.count()).toBe(1);
});

test('a waiter gets events of its manager, its transaction, a lost store and the shutdown', async () => {
  const storage = await memory();
  const outbox = bounded(new Outbox(storage, manager));
  const hears = async (tell: () => unknown, about: { id?: string; signal?: AbortSignal } = {}) => {
    let done = false;
    const heard = outbox.change(60_000, about).then(() => {
      done = true;
    });
    await tell();
    await new Promise((resolve) => setImmediate(resolve));
    const before = done;
    await outbox.notify('end');
    await heard;
    return before;
  };
  expect(await hears(() => storage.notify('transaction', '1001:0xother 7'))).toBe(false);
  expect(await hears(() => storage.notify('group', manager))).toBe(false);
  expect(await hears(() => storage.notify('transaction', ''))).toBe(true);
  expect(await hears(() => outbox.notify('7'))).toBe(true);
  const end = new AbortController();
  expect(await hears(() => end.abort(), { signal: end.signal })).toBe(true);
  expect(await hears(() => outbox.notify('7'), { id: 'end' })).toBe(false);
  expect(await hears(() => outbox.notify('end'), { id: 'end' })).toBe(true);
  await outbox.change(1);
});

test('named, added and created surveys are served; any survey where joins are off', async () => {
  const storage = await memory();
  const settings = { storage, chainId: 1001, any: false, surveys: [survey], isMade: async () => false };
  const served = servedSurveys(settings);
  expect([await served.has(survey), await served.has(other)]).toEqual([true, false]);
  expect(await servedSurveys({ ...settings, any: true }).has(other)).toBe(true);
  expect(await servedSurveys({ ...settings, isMade: async () => true }).has(other)).toBe(true);
  expect(await hasServed(storage)).toBe(false);
  await served.add(other);
  expect([await served.has(other), await hasServed(storage)]).toEqual([true, true]);
  expect(await served.list()).toEqual([
    { survey, closed: false },
    { survey: other, closed: false },
  ]);
  await expect(servedSurveys({ ...settings, any: true }).add(other)).rejects.toMatchObject({
    code: 'UNSUPPORTED_OPERATION',
  });
  const elsewhere = servedSurveys({ ...settings, chainId: 8217 });
  expect([await elsewhere.has(other), (await elsewhere.list()).length]).toEqual([false, 1]);
});

test('a closed survey stays closed, also when it is added again, and is listed once', async () => {
  const storage = await memory();
  const settings = { storage, chainId: 1001, any: false, surveys: [survey], isMade: async () => false };
  const served = servedSurveys(settings);
  expect(await served.isClosed(survey)).toBe(false);
  await served.add(other);
  await served.setClosed(other, true);
  await served.setClosed(survey, true);
  await served.add(other);
  expect([await served.isClosed(other), await served.isClosed(survey)]).toEqual([true, true]);
  expect(await served.list()).toEqual([
    { survey, closed: true },
    { survey: other, closed: true },
  ]);
});

test('a replaced transaction is known by both hashes, and a final one only for a reorganisation', async () => {
  const outbox = bounded(new Outbox(await memory(), manager));
  const id = await outbox.add(call('1'));
  await outbox.markSent(id, signed(5));
  const [before] = await outbox.sent();
  if (before === undefined) throw new Error('nothing was sent');
  await outbox.replace(before, { ...signed(5), raw: '0xf9', hash: '0xbb5' });
  expect(await outbox.sent()).toMatchObject([{ raw: '0xf9', hash: '0xbb5', earlier: ['0xaa5'], nonce: 5 }]);
  expect([await outbox.has('0xaa5'), await outbox.has('0xbb5')]).toEqual([true, true]);
  expect((await outbox.backlog()).unminedSeconds).toBe(0);
  await outbox.markMined(id, 17);
  expect((await outbox.backlog()).unminedSeconds).toBeNull();
  await outbox.settle(id);
  expect([await outbox.has('0xaa5'), await outbox.count(), await outbox.commitments(survey)]).toEqual([
    false,
    0,
    [],
  ]);
  expect(await outbox.lastFinal(17)).toBe(5);
  await outbox.revive(6);
  expect(await outbox.count()).toBe(0);
  await outbox.revive(5);
  expect(await outbox.sent()).toMatchObject([{ nonce: 5, minedIn: null }]);
  await outbox.markMined(id, 17);
  await outbox.settle(id);
  expect(await outbox.lastFinal(18)).toBeNull();
});
