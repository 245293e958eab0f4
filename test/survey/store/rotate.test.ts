/** A rotation of the participants' secret: what was recorded under the old one still holds. */
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { joinBudgets } from '../../../src/survey/store/budget.js';
import {
  participantSecret,
  readParticipantSecret,
  rotatedPath,
  writeRotated,
} from '../../../src/survey/store/participant-secret.js';
import { Participants } from '../../../src/survey/store/participants.js';
import { Policies } from '../../../src/survey/store/policies.js';
import { rotate } from '../../../src/survey/store/rotate.js';
import { openSqlite } from '../../../src/survey/store/sqlite.js';
import { registerSurveys } from '../../../src/survey/store/survey-rows.js';
import { kaiactl } from '../command.js';
import { backends, secret, stopBackends } from './backends.js';

const survey = '0x6b6664134a7bf5A4519B95bC2331bC8405633d4f';
const other = '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A';
const nothing = { members: async () => [], underWay: async () => [] };
const added = Buffer.alloc(32, 9);
const by = { at: 5, actor: 'eve' };
const lax = { onePerUser: false, scheme: 'any' } as const;

afterAll(stopBackends);

describe.for(backends)('$name', ({ name, missing, make }) => {
  if (missing !== null) process.stderr.write(`SKIPPED: rotations in ${name}: ${missing}\n`);

  test.skipIf(missing !== null)(
    'keeps joins, erased users, lists and budgets, under the new key only',
    async () => {
      const { open, remove } = await make();
      onTestFinished(() => remove());
      let storage = await open();
      const old = new Participants(storage, secret);
      const reserve = (participants: Participants, userId: string, members: readonly string[] = []) =>
        participants.reserve(
          { survey, userId, commitment: 5n },
          { ...nothing, members: async () => members },
        );
      await (await reserve(old, 'anna')).confirm();
      await (await reserve(old, 'ben')).confirm();
      await old.forget(survey, 'ben', nothing, false);
      await reserve(old, 'cut off');
      await new Policies(storage, secret, lax).allow(survey, ['anna']);
      await joinBudgets(storage, secret, { perSurvey: 2, perUser: 1 }).spend(survey, 'anna');
      await storage.close();
      storage = await open();
      const before = JSON.stringify(await storage.all('SELECT person FROM participants'));
      await rotate(storage, added, by);
      expect(before).not.toContain(String(await storage.one('SELECT person FROM participants')));
      await storage.close();

      await expect(open()).rejects.toThrow('does not belong to this store');
      const keys = [secret, added];
      storage = await open(keys);
      const participants = new Participants(storage, keys);
      for (const userId of ['anna', 'ben'])
        await expect(reserve(participants, userId)).rejects.toMatchObject({ code: 'ALREADY_JOINED' });
      await expect(reserve(participants, 'cut off', ['5'])).rejects.toMatchObject({ code: 'ALREADY_JOINED' });
      await (await reserve(participants, 'cut off', ['6'])).confirm();
      await (await reserve(participants, 'cleo')).confirm();
      await expect(reserve(participants, 'cleo')).rejects.toMatchObject({ code: 'ALREADY_JOINED' });
      expect(await new Policies(storage, keys, lax).isAllowed(survey, ['anna'])).toBe(true);
      const budgets = joinBudgets(storage, keys, { perSurvey: 2, perUser: 1 });
      await expect(budgets.spend(survey, 'anna')).rejects.toMatchObject({
        reason: 'this user has used their budget',
      });
      await budgets.spend(survey, 'ben');
      await expect(budgets.spend(survey, 'cleo')).rejects.toMatchObject({
        reason: 'this survey has used its budget',
      });
      await storage.close();
    },
  );

  test.skipIf(missing !== null)(
    'drops former keys and all records once their surveys are closed',
    async () => {
      const { open, remove } = await make();
      onTestFinished(() => remove());
      let storage = await open();
      await registerSurveys(storage, [survey]);
      const anna = { survey, userId: 'anna', commitment: 5n };
      await (await new Participants(storage, secret).reserve(anna, nothing)).confirm();
      await joinBudgets(storage, secret, { perSurvey: 9, perUser: 1 }).spend(survey, 'anna');
      await expect(rotate(storage, added, by, true)).rejects.toMatchObject({
        reason: expect.stringContaining(`${survey} is open`),
      });
      expect(await storage.all('SELECT * FROM participants')).toHaveLength(1);
      await storage.run('UPDATE surveys SET closed = 1');
      await rotate(storage, added, by, true);
      expect(await storage.all('SELECT * FROM participants')).toEqual([]);
      // A later rotation keeps the mark.
      const later = Buffer.alloc(32, 11);
      await rotate(storage, later, by);
      await storage.close();

      const keys = [added, later];
      storage = await open(keys);
      const participants = new Participants(storage, keys);
      for (const userId of ['anna', 'ben'])
        await expect(participants.reserve({ ...anna, userId }, nothing)).rejects.toMatchObject({
          reason: 'Survey is finished',
        });
      await (await participants.reserve({ ...anna, survey: other }, nothing)).confirm();
      await joinBudgets(storage, keys, { perSurvey: 9, perUser: 1 }).spend(other, 'anna');
      expect(await storage.all("SELECT used FROM budgets WHERE purse LIKE 'survey %'")).toHaveLength(2);
      await storage.close();
    },
  );

  test.skipIf(missing !== null || name === 'sqlite')(
    'is refused while another process uses the database',
    async () => {
      const { open } = await make();
      const [server, admin] = [await open(), await open()];
      await expect(rotate(admin, added, by)).rejects.toMatchObject({ code: 'STORE_IN_USE' });
      await server.close();
      await expect
        .poll(() =>
          rotate(admin, added, by).then(
            () => 'rotated',
            () => 'in use',
          ),
        )
        .toBe('rotated');
      await admin.close();
    },
  );
});

test('the command adds a key to the file, and finishes a rotation that was cut off', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kaiactl-rotate-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const store = join(folder, 'survey.db');
  const path = `${store}.secret`;
  await (await openSqlite(store, participantSecret(path))).close();
  const rotateIt = (...words: string[]) =>
    kaiactl(['survey', 'admin', 'rotate-secret', '--store', store, ...words]);
  expect(await rotateIt()).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') });
  const ran = await rotateIt('--yes', '--format', 'json');
  expect([ran.code, ran.stdout]).toEqual([0, '{"keys":2}\n']);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readParticipantSecret(path)).toHaveLength(2);
  expect(existsSync(rotatedPath(path))).toBe(false);

  // The store has changed, the file has not.
  const storage = await openSqlite(store, readParticipantSecret(path));
  const former = join(folder, 'former');
  copyFileSync(path, former);
  const [, , key] = writeRotated(path, readParticipantSecret(path));
  await rotate(storage, key as Buffer, by);
  await storage.close();
  const listing = await kaiactl(['survey', 'admin', 'list', '--store', store]);
  expect(listing).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('finishes an interrupted rotation'),
  });
  expect((await rotateIt('--yes')).stdout).toContain('its file has 3 keys');
  expect(readFileSync(path, 'utf8').startsWith(readFileSync(former, 'utf8'))).toBe(true);

  // The file was written, the store has not changed.
  writeRotated(path, readParticipantSecret(path));
  expect((await rotateIt('--yes')).stdout).toContain('its file has 4 keys');
  expect((await rotateIt('--yes', '--drop-keys')).stdout).toContain('one new key, and no record');
  expect(readParticipantSecret(path)).toHaveLength(1);
  const trail = await kaiactl(['survey', 'admin', 'log', '--store', store]);
  expect(trail.stdout.match(/rotate-secret/g)).toHaveLength(4);
});
