/** The file itself: versions, secrets, modes, copies, and what its bytes hold. */

import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Libsql from 'libsql';
import { expect, onTestFinished, test, vi } from 'vitest';
import { joinBudgets } from '../../../src/survey/store/budget.js';
import { EmbeddedStore } from '../../../src/survey/store/embedded.js';
import { claimOf, personOf } from '../../../src/survey/store/migrations.js';
import { participantSecret } from '../../../src/survey/store/participant-secret.js';
import { Participants } from '../../../src/survey/store/participants.js';
import { openSqlite } from '../../../src/survey/store/sqlite.js';
import { registerSurveys } from '../../../src/survey/store/survey-rows.js';
import { bounded } from '../../peers/bounded.js';
import { secret } from './backends.js';

const survey = '0x6b6664134a7bf5A4519B95bC2331bC8405633d4f';
const nothing = { members: async () => [], underWay: async () => [] };

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'kaiactl-sqlite-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** The tables as the first version made them. */
const firstSchema = `
CREATE TABLE IF NOT EXISTS surveys (group_id INTEGER PRIMARY KEY, address TEXT NOT NULL UNIQUE, frontier TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS members (
  group_id INTEGER NOT NULL, position INTEGER NOT NULL, commitment TEXT NOT NULL,
  PRIMARY KEY (group_id, position), UNIQUE (group_id, commitment)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS participants (survey TEXT NOT NULL, person TEXT NOT NULL, commitment TEXT, since INTEGER NOT NULL,
  PRIMARY KEY (survey, person)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS chain_groups (chain_group TEXT PRIMARY KEY, block INTEGER NOT NULL, hash TEXT NOT NULL,
  leaves TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS payments (id TEXT PRIMARY KEY, status TEXT NOT NULL, verified INTEGER NOT NULL, updated INTEGER NOT NULL);
`;

test('a file of the first version is migrated with its members, its joins and its payments', async () => {
  const path = join(folder(), 'survey.db');
  const hash = (user: string) => createHash('sha256').update(`${survey}\n${user}`).digest('hex');
  const old = new Libsql(path);
  old.exec(firstSchema);
  old.exec('PRAGMA user_version = 1');
  old.prepare('INSERT INTO surveys VALUES (0, ?, ?)').run(survey, '{"size":1,"peaks":["5"]}');
  old.prepare("INSERT INTO members VALUES (0, 0, '5')").run();
  old.prepare('INSERT INTO participants VALUES (?, ?, NULL, 17)').run(survey, hash('joined'));
  old.prepare("INSERT INTO participants VALUES (?, ?, '5', 17)").run(survey, hash('cut off, a member'));
  old.prepare("INSERT INTO participants VALUES (?, ?, '6', 17)").run(survey, hash('cut off, none'));
  old.prepare("INSERT INTO payments VALUES ('pay_1', 'CONFIRMED', 1, 17)").run();
  old.close();

  const storage = await openSqlite(path, secret);
  onTestFinished(() => storage.close());
  const store = bounded(new EmbeddedStore(storage));
  expect((await store.group(survey)).members).toEqual(['5']);
  const participants = new Participants(storage, secret);
  const traces = { ...nothing, members: async () => (await store.group(survey)).members };
  const reserve = (userId: string) =>
    participants.reserve({ survey, userId, commitment: 9n }, traces).then(
      () => 'free',
      (error: { code: string }) => error.code,
    );
  expect(await reserve('joined')).toBe('ALREADY_JOINED');
  expect(await reserve('cut off, a member')).toBe('ALREADY_JOINED');
  expect(await reserve('cut off, none')).toBe('free');
  expect(await reserve('new')).toBe('free');
  expect(await storage.all('SELECT id, status, verified, claimed FROM payments')).toEqual([
    ['pay_1', 'CONFIRMED', 1, null],
  ]);
  expect(JSON.stringify(await storage.all('SELECT * FROM participants'))).not.toContain(hash('joined'));
});

test('the secret is made once, for its owner alone, and nothing is left beside it', () => {
  const at = folder();
  const made = participantSecret(join(at, 'secret'));
  expect(made.map((key) => key.length)).toEqual([32]);
  expect(participantSecret(join(at, 'secret'))).toEqual(made);
  expect(readdirSync(at)).toEqual(['secret']);
  expect(statSync(join(at, 'secret')).mode & 0o777).toBe(0o600);
});

test('a file of a later version is refused, and so is another secret', async () => {
  const path = join(folder(), 'survey.db');
  await (await openSqlite(path, secret)).close();
  await expect(openSqlite(path, Buffer.alloc(32, 8))).rejects.toThrow(/secret does not belong to this store/);
  const later = new Libsql(path);
  later.exec('PRAGMA user_version = 99');
  later.close();
  await expect(openSqlite(path, secret)).rejects.toThrow('later version');
});

test('only the owner may read the file and its log', async () => {
  const path = join(folder(), 'survey.db');
  const storage = await openSqlite(path, secret);
  onTestFinished(() => storage.close());
  for (const one of [path, `${path}-wal`]) expect((statSync(one).mode & 0o777).toString(8)).toBe('600');
});

test('a copy of the file alone, taken while it is used, is refused; a backup is complete and opens', async () => {
  const [path, copy, backup] = ['survey.db', 'copy.db', 'backup.db'].map((name) => join(folder(), name)) as [
    string,
    string,
    string,
  ];
  const storage = await openSqlite(path, secret);
  await registerSurveys(storage, [survey]);
  const store = bounded(new EmbeddedStore(storage));
  const joins = Array.from({ length: 50 }, (_, n) => store.join(survey, BigInt(n + 1)));
  await Promise.all(joins.slice(0, 20));
  copyFileSync(path, copy);
  const acknowledged = (await store.group(survey)).members.length;
  await storage.copyTo(backup);
  await Promise.all(joins);
  await storage.close();
  await expect(openSqlite(copy, secret)).rejects.toThrow('copy of a file in use');
  const restored = await openSqlite(backup, secret);
  const { members } = await bounded(new EmbeddedStore(restored)).group(survey);
  expect(members.length).toBeGreaterThanOrEqual(acknowledged);
  await bounded(new EmbeddedStore(restored)).join(survey, 1000n);
  await restored.close();
  expect((statSync(backup).mode & 0o777).toString(8)).toBe('600');
  const moved = join(folder(), 'moved.db');
  copyFileSync(path, moved);
  await (await openSqlite(moved, secret)).close();
});

test('once a join is settled, no byte of the file or its log leads from person to commitment', async () => {
  const path = join(folder(), 'survey.db');
  const storage = await openSqlite(path, secret);
  const participants = new Participants(storage, secret);
  const claims: string[] = [];
  for (let n = 0; n < 40; n++) {
    const place = await participants.reserve({ survey, userId: `user ${n}`, commitment: BigInt(n) }, nothing);
    const hash = createHash('sha256').update(`${survey}\nuser ${n}`).digest('hex');
    claims.push(claimOf(secret, personOf(secret, hash), String(n)));
    await place.confirm();
  }
  await storage.close();
  expect(existsSync(`${path}-wal`)).toBe(false);
  const bytes = readFileSync(path, 'latin1');
  expect(claims.filter((claim) => bytes.includes(claim))).toEqual([]);
  const places = claims.map((_, n) => {
    const hash = createHash('sha256').update(`${survey}\nuser ${n}`).digest('hex');
    return bytes.indexOf(personOf(secret, hash));
  });
  expect(places.every((place) => place > 0)).toBe(true);
  expect(places).not.toEqual(places.toSorted((a, b) => a - b));
  expect(places).not.toEqual(places.toSorted((a, b) => b - a));
});

/** Where the file's bytes name each of 40 persons, who came in that order and left nothing but that they joined. */
async function placesAfter(order: readonly number[], killed: (path: string) => Promise<string>) {
  const path = join(folder(), 'survey.db');
  const storage = await openSqlite(path, secret);
  onTestFinished(() => storage.close());
  const [participants, budgets] = [
    new Participants(storage, secret),
    joinBudgets(storage, secret, { perSurvey: 0, perUser: 9 }),
  ];
  for (const n of order) {
    const userId = `user ${n}`;
    await (await participants.reserve({ survey, userId, commitment: BigInt(n) }, nothing)).confirm();
    await budgets.spend(survey, userId);
  }
  const bytes = readFileSync(await killed(path), 'latin1');
  const columns = await storage.all<[string]>(
    'SELECT person FROM participants UNION SELECT purse FROM budgets',
  );
  return columns.map(([text]) => bytes.indexOf(text));
}

const upwards = Array.from({ length: 40 }, (_, n) => n);
const otherwise = upwards.map((n) => (n * 7) % 40);

test('after a kill the file is rewritten when it is opened: it shows no order', async () => {
  const killed = async (path: string) => {
    const left = join(folder(), 'left.db');
    for (const end of ['', '-wal']) copyFileSync(`${path}${end}`, `${left}${end}`);
    const storage = await openSqlite(left, secret);
    onTestFinished(() => storage.close());
    return left;
  };
  const places = await placesAfter(upwards, killed);
  expect(Math.min(...places)).toBeGreaterThan(0);
  expect(await placesAfter(otherwise, killed)).toEqual(places);
});

test('a minute after a join its place in the file of a running server tells no order either', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const minuteLater = async (path: string) => {
    vi.advanceTimersByTime(60_000);
    return path;
  };
  const places = await placesAfter(upwards, minuteLater);
  expect(Math.min(...places)).toBeGreaterThan(0);
  expect(await placesAfter(otherwise, minuteLater)).toEqual(places);
});
