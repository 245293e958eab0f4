/** Stores of version 1, a file and a database, as released: every later version opens them with all that they hold. */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, describe, expect, test } from 'vitest';
import { Payments } from '../../../src/survey/server/payments.js';
import { joinBudgets } from '../../../src/survey/store/budget.js';
import { EmbeddedStore } from '../../../src/survey/store/embedded.js';
import { Participants } from '../../../src/survey/store/participants.js';
import { openPostgres } from '../../../src/survey/store/postgres.js';
import { openSqlite } from '../../../src/survey/store/sqlite.js';
import type { Storage } from '../../../src/survey/store/storage.js';
import { registerSurveys } from '../../../src/survey/store/survey-rows.js';
import { bounded } from '../../peers/bounded.js';
import { isLong } from '../../seed.js';
import { secret } from './backends.js';
import { type Cluster, noPostgres, notOnPostgres, startPostgres } from './postgres.js';

const [open, closed] = [
  '0x6b6664134a7bf5A4519B95bC2331bC8405633d4f',
  '0x0Bc34f96d8E99c6E2933e49e6f68DFB7B74b7aDB',
];
const folder = mkdtempSync(join(tmpdir(), 'kaiactl-written-'));
const written = (name: string) => new URL(`version-1/${name}`, import.meta.url).pathname;
let cluster: Cluster | null = null;
afterAll(async () => {
  await cluster?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const nobody = { members: async () => [], underWay: async () => [] };

/** Writes what the golden files hold. */
async function fill(storage: Storage): Promise<void> {
  await registerSurveys(storage, [open, closed]);
  const store = bounded(new EmbeddedStore(storage));
  const participants = new Participants(storage, secret);
  for (const [at, userId] of ['anna', 'ben', 'cleo'].entries()) {
    const reserved = await participants.reserve(
      { survey: open, userId, commitment: BigInt(11 + at) },
      nobody,
    );
    await store.join(open, BigInt(11 + at), reserved.held);
    await reserved.confirm();
  }
  await participants.forget(open, 'cleo', nobody, false);
  await store.join(closed, 21n);
  await store.setClosed(closed, true);
  await joinBudgets(storage, secret, { perSurvey: 9, perUser: 1 }).spend(open, 'anna');
  await storage.run(
    `INSERT INTO payments (id, status, claimed, updated, item, gateway, currency, price, test)
     VALUES ('pay_1', 'FINALIZED', 'CHARGEBACK', 17, 'sticker', 'CRYPTO', 'KAIA', '1.5', 0)`,
  );
  await storage.run("INSERT INTO payment_history VALUES ('pay_1', 'CHARGEBACK', 'callback', 17)");
  await store.close();
}

/** With KAIACTL_TEST_WRITE, the golden files are written anew: only before a release, which fixes them. */
const isWriting = process.env.KAIACTL_TEST_WRITE !== undefined;

/** A dump as statements that a client can send: rows as INSERT, and no commands of psql. */
function withoutCopy(dump: string): string {
  const inserted = dump.replace(
    /^COPY (.*) FROM stdin;\n([\s\S]*?)^\\\.\n/gm,
    (_, into: string, rows: string) => {
      const value = (one: string) => (one === '\\N' ? 'NULL' : `'${one}'`);
      const lines = rows.split('\n').filter((line) => line !== '');
      return lines
        .map((line) => `INSERT INTO ${into} VALUES (${line.split('\t').map(value).join(', ')});\n`)
        .join('');
    },
  );
  return inserted.replace(/^\\.*$/gm, '');
}

const backends = [
  {
    name: 'sqlite',
    missing: null,
    async place() {
      if (isWriting && !existsSync(written('survey.db'))) {
        mkdirSync(written('.'), { recursive: true });
        const storage = await openSqlite(written('survey.db'), secret);
        await fill(storage);
        await storage.close();
      }
      const path = join(folder, 'survey.db');
      copyFileSync(written('survey.db'), path);
      return () => openSqlite(path, secret);
    },
  },
  {
    name: 'postgres',
    missing: noPostgres,
    async place() {
      cluster ??= await startPostgres();
      if (isWriting && !existsSync(written('survey.sql'))) {
        const made = cluster.database();
        const storage = await openPostgres(made, secret);
        await fill(storage);
        await storage.close();
        writeFileSync(written('survey.sql'), withoutCopy(cluster.dump(made)));
      }
      const url = cluster.database();
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      await client.query(readFileSync(written('survey.sql'), 'utf8'));
      await client.end();
      return () => openPostgres(url, secret);
    },
  },
];

describe.for(backends)('a store of $name that version 1 wrote', ({ missing, place }) => {
  test.skipIf(missing !== null)('opens with its groups, persons, limits and payments', async () => {
    const again = await place();
    await (await again()).close();
    const storage = await again();
    const store = bounded(new EmbeddedStore(storage));
    expect(await store.surveys()).toEqual([
      { survey: open, members: 3, closed: false },
      { survey: closed, members: 1, closed: true },
    ]);
    await store.verify();
    expect((await store.health()).problem).toBeNull();
    const participants = new Participants(storage, secret);
    for (const userId of ['anna', 'ben', 'cleo'])
      await expect(
        participants.reserve({ survey: open, userId, commitment: 15n }, nobody),
      ).rejects.toMatchObject({ code: 'ALREADY_JOINED' });
    const budgets = joinBudgets(storage, secret, { perSurvey: 9, perUser: 1 });
    await expect(budgets.spend(open, 'anna')).rejects.toMatchObject({ code: 'BUDGET_SPENT' });
    expect(await new Payments({ storage, portal: () => null, secret, now: Date.now }).list()).toMatchObject([
      {
        id: 'pay_1',
        status: 'FINALIZED',
        state: 'disputed',
        claimed: 'CHARGEBACK',
        price: '1.5',
        history: [{ status: 'CHARGEBACK', source: 'callback', at: 17 }],
      },
    ]);
    await store.close();
    await storage.close();
  });
});

test.skipIf(noPostgres !== null)(
  'after the window, the bytes of a table of persons are in the order of their hashes',
  async () => {
    cluster ??= await startPostgres();
    const url = cluster.database();
    const storage = await openPostgres(url, secret);
    const persons = Array.from(
      { length: 400 },
      (_, n) => `p${String((n * 7919) % 400).padStart(4, '0')}-person`,
    );
    for (const person of persons)
      await storage.run('INSERT INTO participants VALUES (?, ?, NULL, NULL)', open, person);
    // Closing does what is still to do.
    await storage.close();
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query('CHECKPOINT');
    const { rows } = await client.query(
      "SELECT current_setting('data_directory') || '/' || pg_relation_filepath('participants') AS path",
    );
    await client.end();
    const bytes = readFileSync(rows[0].path, 'latin1');
    const found: string[] = bytes.match(/p\d{4}-person/g) ?? [];
    expect(found.toSorted()).toEqual(persons.toSorted());
    // Rows fill a page from its end.
    const pages = Array.from({ length: bytes.length / 8192 }, (_, at) =>
      bytes.slice(at * 8192, (at + 1) * 8192),
    );
    const inOrder = pages.flatMap((page) => (page.match(/p\d{4}-person/g) ?? []).toReversed());
    expect(inOrder).toEqual(persons.toSorted());
  },
);

/** Spearman's rank correlation of two orders of the same names. */
function rankCorrelation(one: readonly string[], other: readonly string[]): number {
  const place = new Map(other.map((name, at) => [name, at]));
  const squares = one.reduce((sum, name, at) => sum + (at - (place.get(name) ?? Number.NaN)) ** 2, 0);
  return 1 - (6 * squares) / (one.length * (one.length ** 2 - 1));
}

test.skipIf(notOnPostgres !== null)(
  'after the window, the bytes of the persons do not tell the order of many joins, which they did before',
  async () => {
    cluster ??= await startPostgres();
    const url = cluster.database();
    const storage = await openPostgres(url, secret);
    await registerSurveys(storage, [open]);
    const store = bounded(new EmbeddedStore(storage));
    const participants = new Participants(storage, secret);
    const count = isLong ? 2_000 : 800;
    const users = Array.from({ length: count }, (_, n) => `user ${n}`);
    const joinOne = async (userId: string, n: number) => {
      const reserved = await participants.reserve(
        { survey: open, userId, commitment: BigInt(n + 1) },
        nobody,
      );
      await store.join(open, BigInt(n + 1), reserved.held);
      await reserved.confirm();
    };
    // Sixteen at a time, as people come.
    for (let at = 0; at < count; at += 16)
      await Promise.all(users.slice(at, at + 16).map((userId, n) => joinOne(userId, at + n)));
    const { members } = await store.group(open, true);
    const pseudonyms = members.map(
      (commitment) => participants.hashesOf(open, users[Number(commitment) - 1] ?? '')[0],
    );
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    /** The live and dead rows in the order of their bytes. */
    const inBytes = async () => {
      await client.query('CHECKPOINT');
      const { rows } = await client.query(
        "SELECT current_setting('data_directory') || '/' || pg_relation_filepath('participants') AS path",
      );
      const bytes = readFileSync(rows[0].path, 'latin1');
      const pages = Array.from({ length: bytes.length / 8192 }, (_, at) =>
        bytes.slice(at * 8192, (at + 1) * 8192),
      );
      const found = pages.flatMap((page) => (page.match(/0x6b66\w{36}.([\w-]{43})/g) ?? []).toReversed());
      return found.map((row) => row.slice(-43));
    };
    const once = (rows: readonly string[]) => [...new Set(rows)];
    // Chance alone stays within four standard deviations.
    const chance = 4 / Math.sqrt(count - 1);
    expect(Math.abs(rankCorrelation(once(await inBytes()), pseudonyms))).toBeGreaterThan(chance);
    await store.close();
    // Closing does what is still to do.
    await storage.close();
    const after = await inBytes();
    await client.end();
    expect(after).toHaveLength(count);
    expect(Math.abs(rankCorrelation(after, pseudonyms))).toBeLessThan(chance);
  },
);
