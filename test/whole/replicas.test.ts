/** Several servers on one database: each sees the others' changes, and none waits for a server that is gone. */
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { EmbeddedStore } from '../../src/survey/store/embedded.js';
import { Participants } from '../../src/survey/store/participants.js';
import { openPostgres } from '../../src/survey/store/postgres.js';
import type { Storage } from '../../src/survey/store/storage.js';
import { registerSurveys } from '../../src/survey/store/survey-rows.js';
import { inner, joinBody, listed, request, started } from '../survey/server/support.js';
import { secret } from '../survey/store/backends.js';
import { type Cluster, noPostgres, startPostgres } from '../survey/store/postgres.js';

const survey = '0x6b6664134a7bf5A4519B95bC2331bC8405633d4f';
const nothing = { members: async () => [], underWay: async () => [] };

if (noPostgres !== null) process.stderr.write(`SKIPPED: servers on one database: ${noPostgres}\n`);
describe.skipIf(noPostgres !== null)('servers on one database', () => {
  let cluster: Cluster;
  let url: string;
  beforeAll(async () => {
    cluster = await startPostgres();
  });
  afterAll(() => cluster?.stop());
  beforeEach(() => {
    url = cluster.database();
  });

  /** A separate process for the database. */
  async function replica(): Promise<Storage & { gone(): Promise<void> }> {
    const storage = await openPostgres(url, secret);
    let open = true;
    const gone = async () => {
      if (open) await storage.close();
      open = false;
    };
    onTestFinished(gone);
    return Object.assign(storage, { gone });
  }

  test('joins at four servers at once: each is listed once, at every server', async () => {
    const count = 40;
    const servers = await Promise.all(
      Array.from({ length: 4 }, () =>
        started({ openStorage: () => openPostgres(url, secret), surveys: [survey] }),
      ),
    );
    const answers = await Promise.all(
      Array.from({ length: 2 * count }, (_, n) => {
        const commitment = String(Math.floor(n / 2) + 1);
        return request(`${servers[n % 4]?.url}/api/group/join`, 'POST', joinBody(commitment));
      }),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(count);
    const refused = answers.filter(({ status }) => status !== 200).map((one) => inner(one, 'error').reason);
    expect(new Set(refused)).toEqual(new Set(['LeafAlreadyExists']));
    for (const server of servers) await expect.poll(() => listed(server.url)).toHaveLength(count);
    const lists = await Promise.all(servers.map((server) => listed(server.url)));
    expect(new Set(lists.map(String)).size).toBe(1);
  });

  test('a server can be closed twice', async () => {
    const server = await started({ openStorage: () => openPostgres(url, secret), surveys: [survey] });
    await Promise.all([server.close(), server.close()]);
    await server.close();
  });

  test('a person joining at one cannot join at another, unless the first is gone', async () => {
    const [one, two] = [await replica(), await replica()];
    const ask = (commitment: bigint) => ({ survey, userId: 'a', commitment });
    await new Participants(one, secret).reserve(ask(1n), nothing);
    const other = new Participants(two, secret);
    await expect(other.reserve(ask(2n), nothing)).rejects.toMatchObject({ code: 'ALREADY_JOINING' });
    await one.gone();
    await (await other.reserve(ask(2n), nothing)).confirm();
    await expect(other.reserve(ask(3n), nothing)).rejects.toMatchObject({ code: 'ALREADY_JOINED' });
  });

  test('a server thought to be gone cannot join for a person who has joined elsewhere meanwhile', async () => {
    const [one, two] = [await replica(), await replica()];
    await registerSurveys(one, [survey]);
    const [first, second] = [new EmbeddedStore(one), new EmbeddedStore(two)];
    const traces = (store: EmbeddedStore) => ({
      members: async () => (await store.group(survey, true)).members,
      underWay: () => store.underWay(),
    });
    const slow = await new Participants(one, secret).reserve(
      { survey, userId: 'a', commitment: 1n },
      traces(first),
    );
    // Its heartbeat is lost for a moment, as after a restart of the database.
    const unaware = new Proxy(two, {
      get: (storage, name) => {
        const value = Reflect.get(storage, name);
        if (name === 'isAlive') return async () => false;
        return typeof value === 'function' ? value.bind(storage) : value;
      },
    });
    const other = new Participants(unaware, secret);
    const fast = await other.reserve({ survey, userId: 'a', commitment: 2n }, traces(second));
    await expect(first.join(survey, 1n, slow.held)).rejects.toMatchObject({ code: 'ALREADY_JOINING' });
    await second.join(survey, 2n, fast.held);
    expect((await first.group(survey, true)).members).toEqual(['2']);
  });

  test('who is left with an unknown end at one is settled at another', async () => {
    const [one, two] = [await replica(), await replica()];
    const ask = (commitment: bigint) => ({ survey, userId: 'a', commitment });
    (await new Participants(one, secret).reserve(ask(1n), nothing)).leave();
    const other = new Participants(two, secret);
    await expect.poll(() => other.reserve(ask(2n), nothing).then(() => 'joins', String)).toBe('joins');
  });

  test('one leads at a time, and the next one when it is gone', async () => {
    const [one, two] = [await replica(), await replica()];
    const leads: string[] = [];
    const lead = (name: string) => (signal: AbortSignal) => {
      leads.push(name);
      return new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    };
    one.lead('the manager', lead('one'));
    await expect.poll(() => leads).toEqual(['one']);
    two.lead('the manager', lead('two'));
    two.lead('another manager', lead('other'));
    await expect.poll(() => leads).toEqual(['one', 'other']);
    await one.gone();
    await expect.poll(() => leads).toEqual(['one', 'other', 'two']);
  });

  test('a database that is killed: joins are refused as an outage, and go on when it is back', async () => {
    const { url: api } = await started({ openStorage: () => openPostgres(url, secret), surveys: [survey] });
    const join = (n: number) => request(`${api}/api/group/join`, 'POST', joinBody(String(n)));
    const acknowledged: string[] = [];
    for (let n = 1; n <= 5; n++) if ((await join(n)).status === 200) acknowledged.push(String(n));
    expect(acknowledged).toHaveLength(5);
    await cluster.kill();
    const refused = await join(6);
    expect([refused.status, inner(refused, 'error').code]).toEqual([503, 'UNAVAILABLE']);
    expect(refused.body).not.toMatch(/ECONN|postgres:|\.s\.PGSQL/);
    expect((await request(`${api}/healthz`, 'GET')).status).toBe(503);
    await cluster.start();
    await expect.poll(async () => (await join(7)).status).toBe(200);
    await expect.poll(() => listed(api)).toEqual([...acknowledged, '7']);
  });

  test('a connection that dies within a transaction ends that, not the server', async () => {
    const [one, two] = [await replica(), await replica()];
    const cutOff = one.atomically('x', async (rows) => {
      const [pid] = (await rows.one<[number]>('SELECT pg_backend_pid()')) ?? [];
      await two.one('SELECT pg_terminate_backend(?)', pid);
      const lives = () => two.one('SELECT 1 FROM pg_stat_activity WHERE pid = ?', pid);
      await expect.poll(lives).toBeUndefined();
      await rows.one('SELECT 1');
    });
    await expect(cutOff).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(await one.atomically('x', async (rows) => rows.one('SELECT 1'))).toEqual([1]);
  });

  test('a store keeps its groups beside one that opens later', async () => {
    const [one, two] = [await replica(), await replica()];
    await registerSurveys(one, [survey]);
    const [first, second] = [new EmbeddedStore(one), new EmbeddedStore(two)];
    await second.group(survey);
    await first.join(survey, 5n);
    await expect.poll(async () => (await second.group(survey)).members).toEqual(['5']);
  });
});
