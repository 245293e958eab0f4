/** Stores that cannot be opened or written, or that changed between two reads. */

import { copyFileSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from 'libsql';
import pg from 'pg';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { Refused } from '../../../src/survey/protocol/refused.js';
import { EmbeddedStore } from '../../../src/survey/store/embedded.js';
import { isShared, openStorage } from '../../../src/survey/store/open.js';
import { Participants } from '../../../src/survey/store/participants.js';
import { openPostgres } from '../../../src/survey/store/postgres.js';
import { rethrow, unavailable, unknownEnd } from '../../../src/survey/store/postgres-rows.js';
import { openSqlite } from '../../../src/survey/store/sqlite.js';
import { cannotOpen } from '../../../src/survey/store/sqlite-file.js';
import { unwritable } from '../../../src/survey/store/sqlite-rows.js';
import { type Storage, Topics } from '../../../src/survey/store/storage.js';
import { registerSurveys } from '../../../src/survey/store/survey-rows.js';
import { chore, Tidying } from '../../../src/survey/store/tidying.js';
import { bounded } from '../../peers/bounded.js';
import { secret } from './backends.js';
import { noPostgres, startPostgres } from './postgres.js';

const survey = '0x6b6664134a7bf5A4519B95bC2331bC8405633d4f';
const other = '0x0Bc34f96d8E99c6E2933e49e6f68DFB7B74b7aDB';

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'kaiactl-failing-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

async function memory(): Promise<Storage> {
  const storage = await openSqlite(':memory:', secret);
  onTestFinished(() => storage.close());
  return storage;
}

describe('the embedded store', () => {
  async function embedded() {
    const storage = await memory();
    await registerSurveys(storage, [survey, other]);
    const store = bounded(new EmbeddedStore(storage));
    onTestFinished(() => store.close());
    return { storage, store };
  }

  test('commits joins, and accounts have different participant keys', async () => {
    const { store } = await embedded();
    expect(await store.underWay()).toEqual([]);
    expect(await store.final()).toBe(true);
    expect(await store.health()).toEqual({ problem: null, facts: { treeCheckAgeSeconds: 0 } });
    expect((await store.accountKey(survey)).keys).toMatchObject([
      { address: survey.toLowerCase(), weight: 1 },
    ]);
  });

  test('counts the joins of all its groups, and a receipt has a filter of the size that libraries expect', async () => {
    const { store } = await embedded();
    const blocks = [];
    for (const [id, commitment] of [
      [survey, 5n],
      [other, 5n],
      [survey, 6n],
    ] as const)
      blocks.push((await store.join(id, commitment)).blockNumber);
    expect(blocks).toEqual([1, 2, 3]);
    const { logsBloom } = await store.join(survey, 7n);
    expect(logsBloom).toMatch(/^0x[0-9a-f]{512}$/);
  });

  test('is read again after its notification, or when all may have changed, and not otherwise', async () => {
    const { storage, store } = await embedded();
    const members = async () => (await store.group(survey)).members;
    expect(await members()).toEqual([]);
    await storage.run("INSERT INTO members VALUES (0, 0, '5')");
    await storage.notify('group', other);
    expect(await members()).toEqual([]);
    await storage.notify('group', survey);
    expect(await members()).toEqual(['5']);
    await storage.run("INSERT INTO members VALUES (0, 1, '6')");
    await storage.notify('group', '');
    expect(await members()).toEqual(['5', '6']);
  });

  test('that is not kept cannot be finished or joined', async () => {
    const { store } = await embedded();
    const none = survey.replace('6b', '6c');
    await expect(store.setClosed(none, true)).rejects.toMatchObject({ code: 'UNKNOWN_SURVEY' });
    await expect(store.join(none, 5n)).rejects.toMatchObject({ code: 'UNKNOWN_SURVEY' });
    await store.setClosed(survey, true);
    await expect(store.join(survey, 5n)).rejects.toMatchObject({
      code: 'CALL_EXCEPTION',
      reason: 'Survey is finished',
      facts: { action: 'estimateGas' },
    });
    expect((await store.surveys()).map(({ closed }) => closed)).toEqual([true, false]);
  });

  test('that cannot be written fails the waiting joins, and accepts the next', async () => {
    const { storage, store } = await embedded();
    const { atomically } = storage;
    Object.assign(storage, { atomically: () => Promise.reject(new Error('the disk is full')) });
    await expect(store.join(survey, 5n)).rejects.toThrow('the disk is full');
    Object.assign(storage, { atomically });
    expect((await store.join(survey, 5n)).status).toBe(1);
  });
});

describe('a file', () => {
  test('reports its free space; memory has no limit', async () => {
    const at = folder();
    const storage = await openSqlite(join(at, 'a.db'), secret);
    onTestFinished(() => storage.close());
    const { bsize, blocks } = statfsSync(at);
    const room = (await storage.room()) ?? 0;
    // Other programs write to the same disk: only its size is certain.
    expect(room).toBeGreaterThanOrEqual(bsize);
    expect(room).toBeLessThanOrEqual(blocks * bsize);
    expect(await (await memory()).room()).toBeNull();
  });

  test('that is open elsewhere, or is not a survey store, is reported', async () => {
    const busy = cannotOpen('a.db', Object.assign(new Error('locked'), { code: 'SQLITE_BUSY' }));
    expect(busy).toMatchObject({
      message: 'cannot open the store a.db: another process is using it',
      exitCode: 2,
      hint: expect.stringContaining('One server per file'),
    });
    expect(cannotOpen('a.db', new Error('odd'))).toMatchObject({
      message: 'cannot open the store a.db: odd',
      hint: 'Is it a kaiactl store?',
    });
    const path = join(folder(), 'text.db');
    writeFileSync(path, 'no database, but longer than the head of one would be: '.repeat(20));
    await expect(openSqlite(path, secret)).rejects.toMatchObject({
      exitCode: 2,
      hint: 'Is it a kaiactl store?',
    });
    await expect(openStorage('/nowhere/at/all.db', secret)).rejects.toMatchObject({ exitCode: 2 });
  });

  test('is not copied over another, and knows its own process alone', async () => {
    const storage = await memory();
    const there = join(folder(), 'there');
    writeFileSync(there, '');
    await expect(storage.copyTo(there)).rejects.toMatchObject({ code: 'BACKUP_FAILED' });
    await expect(storage.copyTo(join(there, '..', 'no', 'copy'))).rejects.toMatchObject({
      code: 'BACKUP_FAILED',
      reason: 'its folder does not exist',
    });
    expect([await storage.isAlive(storage.owner), await storage.isAlive('other')]).toEqual([true, false]);
  });

  test.each([
    ['SQLITE_FULL', true],
    ['SQLITE_IOERR', true],
    ['SQLITE_IOERR_WRITE', true],
    ['SQLITE_READONLY', true],
    ['SQLITE_CANTOPEN', true],
    ['EROFS', true],
    ['ENOSPC', true],
    ['SQLITE_BUSY', false],
    ['SQLITE_CONSTRAINT', false],
    [undefined, false],
  ])('that fails with %s is unavailable: %s', async (code, away) => {
    const error = Object.assign(new Error('x'), code === undefined ? {} : { code });
    if (away) expect(unwritable(error)).toMatchObject({ code: 'STORE_READ_ONLY' });
    else expect(unwritable(error)).toBe(error);
  });

  /** A store whose file may not grow, as on a full disk, until it is let. */
  async function full(path = join(folder(), 'survey.db')) {
    const storage = await openSqlite(path, secret);
    onTestFinished(() => storage.close());
    await registerSurveys(storage, [survey]);
    const limit = (pages: number) => storage.one(`PRAGMA max_page_count = ${pages}`);
    await limit(1);
    return { storage, store: bounded(new EmbeddedStore(storage)), free: () => limit(1 << 30) };
  }

  test('that may not grow refuses writes, is read, loses nothing, and is written again once it may', async () => {
    const { storage, store, free } = await full();
    const kept: string[] = [];
    let refused: unknown = null;
    for (let commitment = 1; refused === null; commitment += 1) {
      await store.join(survey, BigInt(commitment)).then(
        () => kept.push(String(commitment)),
        (error: unknown) => {
          refused = error;
        },
      );
    }
    expect(refused).toMatchObject({ code: 'STORE_READ_ONLY', message: 'the store cannot be written' });
    expect((await store.group(survey, true)).members).toEqual(kept);
    await free();
    expect(await storage.problem()).toBeNull();
    await store.join(survey, 99_999n);
    expect((await store.group(survey, true)).members).toEqual([...kept, '99999']);
  });

  test('whose log cannot be emptied says nothing and tries again later', () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const asked: string[] = [];
    const fail = (what: string) => {
      asked.push(what);
      throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
    };
    const tidying = new Tidying({ pragma: fail, exec: fail } as unknown as Database, 'a.db', () => false);
    tidying.later();
    vi.advanceTimersByTime(3_000);
    expect(asked).toEqual(Array(3).fill('wal_checkpoint(TRUNCATE)'));
    vi.advanceTimersByTime(117_000);
    expect(asked.filter((what) => what === 'VACUUM')).toHaveLength(2);
    tidying.end();
    asked.length = 0;
    vi.advanceTimersByTime(600_000);
    expect(asked).toEqual([]);
  });

  test('that a killed server left opens with its own secret after a try with another', async () => {
    const at = folder();
    const [path, left] = [join(at, 'survey.db'), join(at, 'left.db')];
    const storage = await openSqlite(path, secret);
    onTestFinished(() => storage.close());
    await registerSurveys(storage, [survey]);
    for (const end of ['', '-wal']) copyFileSync(`${path}${end}`, `${left}${end}`);
    await expect(openSqlite(left, Buffer.alloc(32, 8))).rejects.toThrow('does not belong to this store');
    const again = await openSqlite(left, secret);
    onTestFinished(() => again.close());
    expect(await again.all('SELECT address FROM surveys')).toEqual([[survey]]);
  });

  test('that is closed is not opened again by a late write', async () => {
    const path = join(folder(), 'survey.db');
    const storage = await openSqlite(path, secret);
    await storage.close();
    await expect(registerSurveys(storage, [survey])).rejects.toMatchObject({ code: 'STORE_READ_ONLY' });
    const again = await openSqlite(path, secret);
    await again.close();
  });

  test('an invalid statement is rejected', async () => {
    await expect((await memory()).run('INSERT INTO nowhere VALUES (1)')).rejects.toThrow(/no such table/);
  });
});

describe('a database', () => {
  test('is a place that servers may share', () => {
    const places = ['postgres://x', 'postgresql://x', 'postgres.db', './postgres://x', 'xpostgres://x'];
    expect(places.filter(isShared)).toEqual(['postgres://x', 'postgresql://x']);
  });

  test('that does not answer is named by its address, without its user', async () => {
    const refused = { exitCode: 3, hint: expect.stringContaining('PGPASSFILE') };
    for (const open of [openPostgres, openStorage]) {
      const opened = open('postgres://somebody@127.0.0.1:1/x', secret);
      await expect(opened).rejects.toMatchObject(refused);
      await expect(opened).rejects.toThrow('nothing listens on 127.0.0.1:1');
      await expect(opened).rejects.not.toThrow(/somebody/);
    }
  });

  test.skipIf(noPostgres !== null)(
    'without such a database, role or socket says which is missing',
    async () => {
      const cluster = await startPostgres();
      onTestFinished(() => cluster.stop());
      const url = cluster.database();
      const host = new URL(url.replace('@/', '@x/')).searchParams.get('host');
      const refused = (change: (one: string) => string) => expect(openStorage(change(url), secret)).rejects;
      await refused((one) => one.replace('survey_1', 'other')).toThrow(
        `there is no database “other” on ${host}`,
      );
      await refused((one) => one.replace('survey@', 'nobody@')).toThrow(
        `${host} does not let the role “nobody” in: it does not exist, or pg_hba.conf forbids it`,
      );
      await refused((one) => `${one}x`).toThrow(`there is no socket at ${host}x`);
    },
  );

  const error = (code: string) => Object.assign(new pg.DatabaseError('x', 1, 'error'), { code });
  test.each<[string, unknown, boolean]>([
    ['a connection that breaks', error('08006'), true],
    ['a server that shuts down', error('57P01'), true],
    ['a full disk', error('53100'), true],
    ['a failing disk', error('58030'), true],
    ['a deadlock', error('40P01'), true],
    ['a pipe', Object.assign(new Error('x'), { code: 'EPIPE' }), true],
    ['a statement that is wrong', error('42P01'), false],
    ['a key that is there', error('23505'), false],
    ['a refusal', new Refused('X', 'y', 'z'), false],
  ])('reconnects after %s', (_, failure, away) => {
    expect(() => rethrow(failure)).toThrow(
      away ? 'the store could not be reached' : (failure as Error).message,
    );
    expect(unavailable(failure) === failure).toBe(!away);
    expect(() => unknownEnd(failure)).toThrow(away ? 'not known whether' : (failure as Error).message);
  });
});

describe('telling', () => {
  test('reaches who listens to that topic, until they do not', () => {
    const topics = new Topics();
    const heard: string[] = [];
    const deaf = topics.listen('group', (text) => heard.push(text));
    topics.emitAll([
      ['group', 'a'],
      ['transaction', 'b'],
      ['group', 'c'],
    ]);
    deaf();
    topics.emit('group', 'd');
    expect(heard).toEqual(['a', 'c']);
  });

  test('in a file is the same, and a transaction’s lead ends with the store', async () => {
    const storage = await openSqlite(':memory:', secret);
    const heard: string[] = [];
    const deaf = storage.listen('group', (text) => heard.push(text));
    await storage.notify('group', 'a');
    deaf();
    await storage.notify('group', 'b');
    expect(heard).toEqual(['a']);
    let ended = false;
    storage.lead('x', async (signal) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      ended = true;
    });
    await storage.close();
    expect(ended).toBe(true);
  });
});

describe('a chore', () => {
  /** Timers that the test fires. */
  function timers() {
    const real = { setTimeout, clearTimeout };
    const waiting = new Map<object, { work: () => void; ms: number }>();
    Object.assign(globalThis, {
      setTimeout: (work: () => void, ms: number) => {
        const timer = { unref: () => timer };
        waiting.set(timer, { work, ms });
        return timer;
      },
      clearTimeout: (timer: object) => waiting.delete(timer),
    });
    onTestFinished(() => void Object.assign(globalThis, real));
    return () => {
      const due = [...waiting.values()];
      waiting.clear();
      for (const { work } of due) work();
      return due.map(({ ms }) => ms);
    };
  }

  test('is done once for all who ask meanwhile, later where it is busy, and not after it was called off', () => {
    const pass = timers();
    let [done, busy] = [0, false];
    const task = chore(
      () => {
        done += 1;
      },
      () => busy,
    );
    task.schedule(1000);
    task.schedule(5);
    expect([pass(), done]).toEqual([[1000], 1]);
    busy = true;
    task.schedule(7);
    expect([pass(), done]).toEqual([[7], 1]);
    busy = false;
    expect([pass(), done]).toEqual([[7], 2]);
    task.schedule(9);
    task.cancel();
    task.cancel();
    expect([pass(), done]).toEqual([[], 2]);
  });
});

test('a place is given up as soon as the store is there again', async () => {
  const storage = await memory();
  const participants = new Participants(storage, secret);
  const traces = { members: async () => [], underWay: async () => [] };
  const place = await participants.reserve({ survey, userId: 'x', commitment: 1n }, traces);
  const { run } = storage;
  let away = 2;
  const flaky: Storage['run'] = async (sql, ...values) => {
    if (sql.startsWith('UPDATE participants SET owner = NULL') && away-- > 0) throw new Error('away');
    return run.call(storage, sql, ...values);
  };
  Object.assign(storage, { run: flaky });
  place.leave();
  const owner = async () => (await storage.one<[string | null]>('SELECT owner FROM participants'))?.[0];
  expect(await owner()).toBe(storage.owner);
  await expect.poll(owner).toBeNull();
  expect(away).toBe(-1);
});

test('a reservation that cannot be confirmed or released is left, and the failure is reported', async () => {
  const storage = await memory();
  const participants = new Participants(storage, secret);
  const traces = { members: async () => [], underWay: async () => [] };
  const ask = { survey, userId: 'x', commitment: 1n };
  const place = await participants.reserve(ask, traces);
  const { run } = storage;
  Object.assign(storage, { run: () => Promise.reject(new Error('away')) });
  await expect(place.confirm()).rejects.toThrow('away');
  Object.assign(storage, { run });
  // Nobody joined with it, so the person may try again.
  await expect((await participants.reserve(ask, traces)).confirm()).resolves.toBeUndefined();
});
