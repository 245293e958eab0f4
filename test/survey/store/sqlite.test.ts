/** The file itself: versions, secrets, modes, copies, and what its bytes hold. */

import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Libsql from 'libsql';
import { expect, onTestFinished, test, vi } from 'vitest';
import { joinBudgets } from '../../../src/survey/store/budget.js';
import { EmbeddedStore } from '../../../src/survey/store/embedded.js';
import { participantSecret } from '../../../src/survey/store/participant-secret.js';
import { Participants } from '../../../src/survey/store/participants.js';
import { claimOf, personOf } from '../../../src/survey/store/schema.js';
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

test('the secret is made once, for its owner alone, and nothing is left beside it', () => {
  const at = folder();
  const made = participantSecret(join(at, 'secret'));
  expect(made.map((key) => key.length)).toEqual([32]);
  expect(participantSecret(join(at, 'secret'))).toEqual(made);
  expect(readdirSync(at)).toEqual(['secret']);
  expect(statSync(join(at, 'secret')).mode & 0o777).toBe(0o600);
});

test('a file of another version is refused, and so is another secret', async () => {
  const path = join(folder(), 'survey.db');
  await (await openSqlite(path, secret)).close();
  await expect(openSqlite(path, Buffer.alloc(32, 8))).rejects.toThrow(/secret does not belong to this store/);
  const later = new Libsql(path);
  later.exec('PRAGMA user_version = 99');
  later.close();
  await expect(openSqlite(path, secret)).rejects.toThrow('another version');
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
