/** Whether a store with its member list tells who made which join: joins one at a time and in parallel. */
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { joinBudgets } from '../../src/survey/store/budget.js';
import { EmbeddedStore } from '../../src/survey/store/embedded.js';
import { Participants } from '../../src/survey/store/participants.js';
import { openPostgres } from '../../src/survey/store/postgres.js';
import { personOf } from '../../src/survey/store/schema.js';
import { openSqlite } from '../../src/survey/store/sqlite.js';
import type { Storage } from '../../src/survey/store/storage.js';
import { registerSurveys } from '../../src/survey/store/survey-rows.js';
import { isLong, shareOf } from '../seed.js';
import { secret } from '../survey/store/backends.js';
import { type Cluster, noPostgres, startPostgres } from '../survey/store/postgres.js';

const survey = '0x6b6664134a7bf5A4519B95bC2331bC8405633d4f';
const count = isLong ? 1000 : 300;
const nothing = { members: async () => [], underWay: async () => [] };
const hashOf = (text: string) => personOf(secret, createHash('sha256').update(text).digest('hex'));
const personNamed = (n: number) => hashOf(`${survey}\nuser ${n}`);
const purseOf = (n: number) => hashOf(`budget\nuser ${n}`);

/** Person n joins with the commitment n + 1, at one of the servers. Resolves with the persons in the order of the list. */
async function joinAll(servers: readonly Storage[], lanes: number): Promise<number[]> {
  await registerSurveys(servers[0] as Storage, [survey]);
  const all = servers.map((storage) => ({
    store: new EmbeddedStore(storage),
    participants: new Participants(storage, secret),
    budgets: joinBudgets(storage, secret, { perSurvey: 0, perUser: 9 }),
  }));
  let next = 0;
  const lane = async () => {
    for (let n = next++; n < count; n = next++) {
      const server = all[n % all.length];
      if (server === undefined) throw new Error('no server');
      const asked = { survey, userId: `user ${n}`, commitment: BigInt(n + 1) };
      const place = await server.participants.reserve(asked, nothing);
      await server.budgets.spend(survey, asked.userId);
      await server.store.join(survey, asked.commitment, place.held);
      await place.confirm();
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  const { members = [] } = (await all[0]?.store.group(survey, true)) ?? {};
  for (const { store } of all) await store.close();
  return members.map((commitment) => Number(commitment) - 1);
}

/** Spearman’s rank correlation of the persons’ order in the list with their order elsewhere. */
function correlation(listed: readonly number[], elsewhere: readonly number[]): number {
  expect(elsewhere.toSorted((a, b) => a - b)).toEqual(listed.toSorted((a, b) => a - b));
  const rank = new Map(elsewhere.map((person, at) => [person, at]));
  const squares = listed.reduce((sum, person, at) => sum + ((rank.get(person) ?? 0) - at) ** 2, 0);
  return 1 - (6 * squares) / (count * (count ** 2 - 1));
}

/** Four standard deviations of the correlation of two random orders: chance exceeds it once in 16,000 times. */
const chance = 4 / Math.sqrt(count - 1);

/** Persons by the places of their hashes in a text. */
function byPlace(text: string, hash: (n: number) => string): number[] {
  const places = Array.from({ length: count }, (_, n) => [n, text.indexOf(hash(n))] as const);
  return places.toSorted(([, a], [, b]) => a - b).map(([n]) => n);
}

if (noPostgres !== null) process.stderr.write(`SKIPPED: the order of joins in PostgreSQL: ${noPostgres}\n`);
describe.skipIf(noPostgres !== null)('PostgreSQL', () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await startPostgres();
  });
  afterAll(() => cluster?.stop());

  /** The persons in every order that SQL and a dump show. */
  async function orders(url: string): Promise<Record<string, number[]>> {
    const client = new pg.Client(url);
    await client.connect();
    const persons = new Map(Array.from({ length: count }, (_, n) => [personNamed(n), n]));
    const purses = new Map(Array.from({ length: count }, (_, n) => [purseOf(n), n]));
    const found: Record<string, number[]> = {};
    for (const [name, sql, known] of [
      ['xmin', 'SELECT person FROM participants ORDER BY xmin::text::bigint, ctid', persons],
      ['ctid', 'SELECT person FROM participants ORDER BY ctid', persons],
      ['xmin of budgets', 'SELECT purse FROM budgets ORDER BY xmin::text::bigint, ctid', purses],
    ] as const) {
      const { rows } = await client.query<[string]>({ text: sql, rowMode: 'array' } as never);
      found[name] = rows.flatMap(([hash]) => known.get(hash) ?? []);
    }
    await client.end();
    found.dump = byPlace(cluster.dump(url), personNamed);
    return found;
  }

  const ways: [string, number, number][] = [
    ['one at a time at one server', 1, 1],
    ['20 at a time at two servers', 2, 20],
  ];
  test.each(shareOf(2, ways))(
    'joins %s: once the servers end, no order correlates more than chance',
    async (_, replicas, lanes) => {
      const url = cluster.database();
      const servers = await Promise.all(Array.from({ length: replicas }, () => openPostgres(url, secret)));
      // No rewrite before the end, however long the joins take.
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      onTestFinished(() => void vi.useRealTimers());
      const listed = await joinAll(servers, lanes);
      vi.useRealTimers();
      expect(correlation(listed, (await orders(url)).xmin ?? [])).toBeGreaterThan(0.9);
      for (const one of servers) await one.close();
      for (const [name, order] of Object.entries(await orders(url))) {
        expect([name, Math.abs(correlation(listed, order)) < chance]).toEqual([name, true]);
        // By chance, one person has the same place in both orders.
        const same = order.filter((person, at) => listed[at] === person);
        expect([name, same.length < 10]).toEqual([name, true]);
      }
    },
  );

  /** The transactions that wrote the rows, live or dead. */
  async function writers(storage: Storage): Promise<number> {
    return (await storage.all('SELECT DISTINCT xmin::text FROM participants')).length;
  }

  async function joined(storage: Storage, from: number, to: number): Promise<void> {
    const participants = new Participants(storage, secret);
    for (let n = from; n < to; n++) {
      const place = await participants.reserve(
        { survey, userId: `user ${n}`, commitment: BigInt(n) },
        nothing,
      );
      await place.confirm();
    }
  }

  test('a minute after a join the rows of a running server have one writer; joins and limits go on', async () => {
    // Rewrites that take no time: after a slow one, the next waits longer than a minute.
    const clock = vi.spyOn(performance, 'now').mockReturnValue(0);
    onTestFinished(() => clock.mockRestore());
    const storage = await openPostgres(cluster.database(), secret);
    onTestFinished(() => storage.close());
    for (const round of [0, 1]) {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      onTestFinished(() => void vi.useRealTimers());
      await joined(storage, 10 * round, 10 * round + 10);
      expect(await writers(storage)).toBeGreaterThan(9);
      vi.advanceTimersByTime(60_000);
      vi.useRealTimers();
      await expect.poll(() => writers(storage)).toBe(1);
    }
    await expect(joined(storage, 3, 4)).rejects.toMatchObject({ code: 'ALREADY_JOINED' });
  });

  test('a start after a kill erases the order, while a dump and joins of another server are under way', async () => {
    const url = cluster.database();
    const other = await openPostgres(url, secret);
    onTestFinished(() => other.close());
    await joined(other, 0, 50);
    const dumping = new pg.Client(url);
    await dumping.connect();
    await dumping.query('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1');
    const [starting] = await Promise.all([openPostgres(url, secret), joined(other, 50, 100)]);
    const { rows } = await dumping.query('SELECT COUNT(*)::int AS dumped FROM participants');
    // The dump sees its moment: a table that is emptied and filled again would have no rows.
    expect(rows).toEqual([{ dumped: 50 }]);
    await dumping.end();
    await starting.close();
    expect(await other.all('SELECT 1 FROM participants')).toHaveLength(100);
    const next = await openPostgres(url, secret);
    onTestFinished(() => next.close());
    expect(await writers(next)).toBe(1);
  });

  test('a table that is locked by others is rewritten later, and the start does not fail', async () => {
    const url = cluster.database();
    const first = await openPostgres(url, secret);
    onTestFinished(() => first.close());
    await joined(first, 0, 10);
    const holder = new pg.Client(url);
    await holder.connect();
    await holder.query('BEGIN; LOCK TABLE participants IN SHARE UPDATE EXCLUSIVE MODE');
    const second = await openPostgres(url, secret);
    expect(await writers(second)).toBe(10);
    await holder.end();
    await second.close();
    expect(await writers(first)).toBe(1);
  });
});

test('SQLite: once the server ends, neither a query nor the bytes of the file correlate more than chance', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kaiactl-order-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'survey.db');
  const storage = await openSqlite(path, secret);
  const listed = await joinAll([storage], 1);
  const rows = await storage.all<[string]>('SELECT person FROM participants');
  await storage.close();
  const bytes = readFileSync(path, 'latin1');
  const found = {
    query: byPlace(rows.join('\n'), personNamed),
    file: byPlace(bytes, personNamed),
    'file, budgets': byPlace(bytes, purseOf),
  };
  for (const [name, order] of Object.entries(found))
    expect([name, Math.abs(correlation(listed, order)) < chance]).toEqual([name, true]);
});
