/** Stores that format 5 wrote, a file and a database: an upgrade keeps joins, limits and payments. */
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Group } from '@semaphore-protocol/group';
import pg from 'pg';
import { afterAll, describe, expect, test } from 'vitest';
import { addedIn } from '../../../src/survey/protocol/events.js';
import { Payments } from '../../../src/survey/server/payments.js';
import { joinBudgets } from '../../../src/survey/store/budget.js';
import { EmbeddedStore } from '../../../src/survey/store/embedded.js';
import { Participants } from '../../../src/survey/store/participants.js';
import { openPostgres } from '../../../src/survey/store/postgres.js';
import { openSqlite } from '../../../src/survey/store/sqlite.js';
import { bounded } from '../../peers/bounded.js';
import { secret } from './backends.js';
import { type Cluster, noPostgres, startPostgres } from './postgres.js';

const [open, closed] = [
  '0x6b6664134a7bf5A4519B95bC2331bC8405633d4f',
  '0x0Bc34f96d8E99c6E2933e49e6f68DFB7B74b7aDB',
];
const onChain = '0x00000000000000000000000000000000c0ffee01';
const written = (name: string) => new URL(`version-5/${name}`, import.meta.url).pathname;

const folder = mkdtempSync(join(tmpdir(), 'kaiactl-upgrade-'));
let cluster: Cluster | null = null;
afterAll(async () => {
  await cluster?.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function restored(): Promise<string> {
  cluster ??= await startPostgres();
  const url = cluster.database();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(readFileSync(written('survey.sql'), 'utf8'));
  await client.end();
  return url;
}

const backends = [
  {
    name: 'sqlite',
    missing: null,
    async place() {
      const path = join(folder, 'survey.db');
      copyFileSync(written('survey.db'), path);
      return () => openSqlite(path, secret);
    },
  },
  {
    name: 'postgres',
    missing: noPostgres,
    async place() {
      const url = await restored();
      return () => openPostgres(url, secret);
    },
  },
];

describe.for(backends)('a store of $name that format 5 wrote', ({ name, missing, place }) => {
  if (missing !== null) process.stderr.write(`SKIPPED: the upgrade of ${name}: ${missing}\n`);
  test.skipIf(missing !== null)('keeps joins, limits and payments when it is upgraded', async () => {
    const openAgain = await place();
    await (await openAgain()).close();
    const storage = await openAgain();
    const store = bounded(new EmbeddedStore(storage));
    expect(await store.surveys()).toMatchObject([
      { survey: open, members: 4, closed: false },
      { survey: closed, members: 1, closed: true },
    ]);
    await expect(store.join(closed, 22n)).rejects.toMatchObject({ reason: 'Survey is finished' });
    await expect(store.join(open, 12n)).rejects.toMatchObject({ reason: 'LeafAlreadyExists' });

    const participants = new Participants(storage, secret);
    const traces = { members: async () => (await store.group(open)).members, underWay: async () => [] };
    const reserve = (userId: string) =>
      participants.reserve({ survey: open, userId, commitment: 15n }, traces);
    // The join of dora was cut off after it was written.
    for (const userId of ['anna', 'ben', 'cleo', 'dora'])
      await expect(reserve(userId)).rejects.toMatchObject({ code: 'ALREADY_JOINED' });
    const emil = await reserve('emil');
    const [added] = addedIn(await store.join(open, 15n, emil.held));
    await emil.confirm();
    expect(added?.root).toBe(new Group([11n, 12n, 13n, 14n, 15n]).root);

    const budgets = joinBudgets(storage, secret, { perSurvey: 9, perUser: 3 });
    await budgets.spend(onChain, 'anna');
    await expect(budgets.spend(onChain, 'anna')).rejects.toMatchObject({ code: 'BUDGET_SPENT' });
    expect(await storage.all('SELECT * FROM chain_surveys')).toEqual([[1001, onChain, 1]]);
    expect(await storage.all('SELECT survey, state FROM transactions')).toEqual([[onChain, 'queued']]);

    const payments = new Payments(storage, () => null, secret, Date.now);
    const unknown = { itemIdentifier: null, pgType: null, currencyCode: null, price: null, testMode: null };
    expect(await payments.list()).toMatchObject([
      { id: 'pay_3', status: 'STARTED', claimed: 'CONFIRMED', problem: null, ...unknown },
      { id: 'pay_2', status: 'FINALIZED', verified: true, claimed: null, ...unknown },
      { id: 'pay_1', status: 'CREATED', updatedAt: 1_700_000_000_000, ...unknown },
    ]);
    await store.close();
    await storage.close();
  });
});
