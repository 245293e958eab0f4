/** Decisions of admins outlive a restore: they are beside the secret, and a store that lacks some is not served. */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { offline } from '../../../src/survey/server/admin.js';
import { keepDecisions, lostDecisions, newestOnly } from '../../../src/survey/store/decisions.js';
import { participantSecret } from '../../../src/survey/store/participant-secret.js';
import { Participants } from '../../../src/survey/store/participants.js';
import { Policies } from '../../../src/survey/store/policies.js';
import { openPostgres } from '../../../src/survey/store/postgres.js';
import { settleDecisions } from '../../../src/survey/store/restore.js';
import type { Secret } from '../../../src/survey/store/schema.js';
import { openSqlite } from '../../../src/survey/store/sqlite.js';
import type { Storage } from '../../../src/survey/store/storage.js';
import { kaiactl } from '../command.js';
import { type Cluster, notOnPostgres, startPostgres } from './postgres.js';

const survey = '0x6b6664134a7bf5A4519B95bC2331bC8405633d4f';
const added = '0x0Bc34f96d8E99c6E2933e49e6f68DFB7B74b7aDB';
const lax = { onePerUser: true, scheme: 'any' } as const;
const nobody = { members: async () => [], underWay: async () => [] };

let cluster: Cluster | null = null;
afterAll(async () => {
  await cluster?.stop();
});

interface Place {
  readonly store: string;
  readonly secretFile: string;
  open(secret: Secret): Promise<Storage>;
  /** Keeps the store as it is now; returns what brings it back. */
  copy(): Promise<() => Promise<void>>;
}

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'kaiactl-decisions-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

async function onSqlite(): Promise<Place> {
  const own = folder();
  const store = join(own, 'survey.db');
  return {
    store,
    secretFile: `${store}.secret`,
    open: (secret) => openSqlite(store, secret),
    async copy() {
      copyFileSync(store, `${store}.copy`);
      return async () => {
        for (const suffix of ['', '-wal', '-shm']) rmSync(store + suffix, { force: true });
        copyFileSync(`${store}.copy`, store);
      };
    },
  };
}

async function query(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(sql).finally(() => client.end());
}

async function onPostgres(): Promise<Place> {
  cluster ??= await startPostgres();
  const dumps = cluster;
  const store = dumps.database();
  return {
    store,
    secretFile: join(folder(), 'participants.secret'),
    open: (secret) => openPostgres(store, secret),
    /** As the page on PostgreSQL's restore says: pg_dump, an empty schema, psql. */
    async copy() {
      const dump = dumps.dump(store);
      return async () => {
        await query(store, 'DROP SCHEMA public CASCADE; CREATE SCHEMA public');
        dumps.restore(store, dump);
      };
    },
  };
}

const backends = [
  { name: 'sqlite', missing: null, make: onSqlite },
  { name: 'postgres', missing: notOnPostgres, make: onPostgres },
];

/** A store with a survey that anna and ben joined, and its admin's commands. */
async function opened(make: () => Promise<Place>) {
  const place = await make();
  const { store, secretFile } = place;
  const secret = participantSecret(secretFile);
  const at = ['--store', store, '--participant-secret-file', secretFile];
  const admin = async (...words: string[]) => {
    const ran = await kaiactl(['survey', 'admin', ...words, ...at]);
    expect(ran, `${words}\n${ran.stderr}`).toMatchObject({ code: 0 });
  };
  const restore = (...words: string[]) => kaiactl(['survey', 'restore', ...words, ...at]);
  const check = () => kaiactl(['survey', 'serve', '--check', '--one-per-user', '--scheme', 'eip712', ...at]);
  const within = async <T>(work: (storage: Storage) => Promise<T>): Promise<T> => {
    const storage = await place.open(secret);
    return work(storage).finally(() => storage.close());
  };
  await (await place.open(secret)).close();
  await admin('add', survey, '--one-per-user');
  for (const [n, userId] of ['anna', 'ben'].entries())
    await within(async (storage) => {
      const people = new Participants(storage, secret);
      await (await people.reserve({ survey, userId, commitment: BigInt(n + 5) }, nobody)).confirm();
    });
  return { ...place, secret, admin, restore, check, within, file: `${secretFile}.decisions` };
}

describe.for(backends)('$name', ({ name, missing, make }) => {
  if (missing !== null) process.stderr.write(`SKIPPED: decisions in ${name}: ${missing}\n`);

  test.skipIf(missing !== null)('an older store is refused, and --apply repeats each decision', async () => {
    const { admin, restore, check, within, copy, secret, file } = await opened(make);
    const back = await copy();
    await admin('forget', survey, '--user-id', 'anna', '--yes');
    await admin('set', survey, '--scheme', 'eip712', '--max-members', '7');
    await admin('add', added, '--max-members', '3', '--one-per-user', '--scheme', 'eip712');
    await admin('close', added, '--yes');
    await admin('close', survey, '--yes');
    expect(await check()).toMatchObject({ code: 0 });
    await back();

    const refused = await check();
    expect(refused).toMatchObject({ code: 2 });
    expect(refused.stderr).toMatch(/the store is older than the decisions in .*: it lacks 5 decisions\n/);
    expect(refused.stderr).toMatch(/close 0x0Bc3.*kaiactl survey restore/s);
    const listed = await restore();
    expect(listed).toMatchObject({ code: 1, stderr: expect.stringContaining('5 decisions missing') });
    expect(listed.stdout.match(/: missing$/gm)).toHaveLength(5);
    const applied = await restore('--apply');
    expect(applied).toMatchObject({ code: 0 });
    expect(applied.stdout.split('\n').map((line) => line.replace(/ at .*: /, ' '))).toEqual([
      `forget ${survey} repeated`,
      `set ${survey} repeated`,
      `add ${added} repeated`,
      `close ${added} repeated`,
      `close ${survey} repeated`,
      '',
    ]);

    expect(await restore()).toMatchObject({ code: 0, stdout: 'no decision is missing\n' });
    expect(await check()).toMatchObject({ code: 0 });
    await within(async (storage) => {
      const policies = new Policies(storage, secret, lax);
      expect(await policies.of(survey)).toMatchObject({ scheme: 'eip712', maxMembers: 7 });
      expect(await policies.of(added)).toMatchObject({ onePerUser: true, maxMembers: 3 });
      expect(await storage.all('SELECT address, closed FROM surveys ORDER BY address')).toEqual([
        [added, 1],
        [survey, 1],
      ]);
      expect(await storage.all('SELECT person FROM participants')).toHaveLength(1);
      await expect(
        new Participants(storage, secret).reserve({ survey, userId: 'anna', commitment: 9n }, nobody),
      ).rejects.toMatchObject({ code: 'ALREADY_JOINED' });
    });
    // The next restore of the same copy finds the same decisions, and the first restore.
    await admin('log');
    await back();
    expect((await restore('--format', 'json')).stdout.match(/"outcome":"missing"/g)).toHaveLength(6);
    expect(await restore('--apply')).toMatchObject({ code: 0 });
    expect(await check()).toMatchObject({ code: 0 });
    expect(readFileSync(file, 'utf8')).not.toMatch(/\b(?:anna|ben)\b/);
  });

  test.skipIf(missing !== null)('--accept-older discards them, for good', async () => {
    const { admin, restore, check, within, copy } = await opened(make);
    const back = await copy();
    await admin('close', survey, '--yes');
    await back();
    expect(await check()).toMatchObject({ code: 2 });
    expect(await restore('--accept-older')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^close 0x6b66.* by .*: discarded\n$/),
    });
    expect(await check()).toMatchObject({ code: 0 });
    await within(async (storage) => {
      expect(await storage.one('SELECT closed FROM surveys')).toEqual([0]);
    });
    await admin('set', survey, '--scheme', 'eip712');
    expect(await check()).toMatchObject({ code: 0 });
    // The copy again: the restore and what came after it are missing, the discarded decision is not.
    await back();
    const { stdout } = await restore();
    expect(stdout.split('\n').map((line) => line.split(' ')[0])).toEqual(['restore', 'set', '']);
  });

  test.skipIf(missing !== null)(
    'a file that cannot be written is tried again half a minute later',
    async () => {
      const { secret, within } = await opened(make);
      const later = join(folder(), 'later');
      await within(async (storage) => {
        vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
        onTestFinished(() => void vi.useRealTimers());
        const errors: unknown[] = [];
        const kept = keepDecisions(storage, secret, join(later, 'decisions'), (error) => errors.push(error));
        await kept.written();
        expect([kept.isWritten(), errors]).toEqual([false, [expect.objectContaining({ code: 'ENOENT' })]]);
        mkdirSync(later);
        vi.advanceTimersByTime(30_000);
        await kept.written();
        expect([kept.isWritten(), errors.length]).toEqual([true, 1]);
        expect(readFileSync(join(later, 'decisions'), 'utf8')).toContain('"action":"add"');
        await kept.close();
        vi.useRealTimers();
      });
    },
  );

  test.skipIf(missing !== null)(
    'a replica writes what another one decided, beside its own secret',
    async () => {
      const { admin, open, secret, file, within } = await opened(make);
      const own = join(folder(), 'replica.decisions');
      const errors: unknown[] = [];
      await within(async (storage) => {
        const kept = keepDecisions(storage, secret, own, (error) => errors.push(error));
        await kept.written();
        expect(readFileSync(own, 'utf8')).toBe(readFileSync(file, 'utf8'));
        if (name === 'sqlite') return kept.close();
        const other = offline(await open(secret), secret, file, Date.now);
        const heard = new Promise<void>((resolve) => {
          const unlisten = storage.listen('decision', () => {
            unlisten();
            resolve();
          });
        });
        const headers = { 'content-type': 'application/json' };
        const payload = JSON.stringify({ survey });
        await other.ask({ method: 'POST', url: '/surveys/close', headers, payload });
        await heard;
        await kept.close();
        await other.close();
        expect(readFileSync(own, 'utf8')).toMatch(/"action":"close".*$/);
      });
      await admin('open', survey);
      expect(errors).toEqual([]);
    },
  );

  test.skipIf(missing !== null)(
    'a line that a crash cut off is ignored, and the file is private',
    async () => {
      const { admin, within, file } = await opened(make);
      writeFileSync(file, `${readFileSync(file, 'utf8')}\n{"store":"cut`);
      await admin('close', survey, '--yes');
      expect(readFileSync(file, 'utf8')).toMatch(/cut\n\{.*"action":"close".*\}$/);
      expect(statSync(file).mode & 0o777).toBe(0o600);
      expect(await within((storage) => lostDecisions(storage, file))).toEqual([]);
    },
  );

  test.skipIf(missing !== null)('the decisions of another store do not count', async () => {
    const { file } = await opened(make);
    const { within } = await opened(make);
    await within(async (storage) => expect(await newestOnly(storage, file)).toBe(storage));
    expect(existsSync(file)).toBe(true);
  });
});

test('a survey that was exported after it was closed does not open again, unless the admin says that none has it', async () => {
  const { admin, restore, copy, store, secretFile } = await opened(onSqlite);
  const open = (...words: string[]) =>
    kaiactl([
      'survey',
      'admin',
      'open',
      survey,
      '--store',
      store,
      '--participant-secret-file',
      secretFile,
      ...words,
    ]);
  await admin('export', survey);
  await admin('close', survey, '--yes');
  await admin('export', survey, '--format', 'csv');
  expect(await open()).toMatchObject({ code: 0 });
  const back = await copy();
  await admin('close', survey, '--yes');
  await admin('export', survey);
  const refused = {
    code: 2,
    stderr: expect.stringContaining('another store may have it (--not-moved: none has)'),
  };
  expect(await open()).toMatchObject(refused);
  await back();
  expect(await restore('--apply')).toMatchObject({ code: 0 });
  expect(await open()).toMatchObject(refused);
  expect(await open('--not-moved')).toMatchObject({ code: 0 });
  await admin('close', survey, '--yes');
  expect(await open()).toMatchObject({ code: 0 });
});

test('decisions that version 1 wrote are read and repeated', async () => {
  const golden = new URL('version-1/decisions', import.meta.url).pathname;
  const secret = Buffer.alloc(32, 7);
  const storage = await openSqlite(':memory:', secret);
  await storage.run("UPDATE settings SET value = 'golden' WHERE name = 'store'");
  const lost = await lostDecisions(storage, golden);
  expect(lost.map(({ action }) => action).join(' ')).toBe(
    'policy policy add set forget close export open close',
  );
  const settled = await settleDecisions(storage, lost, { at: 1, actor: 'eve', secret, repeats: true });
  expect(settled.filter(({ problem }) => problem !== null)).toEqual([]);
  expect(await storage.all('SELECT address, closed FROM surveys ORDER BY address')).toEqual([
    ['0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A', 1],
    ['0x5a9db0C5a41A3fb1c5D1C46d8f4E25a4B7fe1e57', 0],
  ]);
  expect(await storage.all('SELECT max_members, allowlist FROM policies ORDER BY survey')).toEqual([
    [null, 0],
    [500, 1],
  ]);
  expect(await lostDecisions(storage, golden)).toEqual([]);
  await storage.close();
});
