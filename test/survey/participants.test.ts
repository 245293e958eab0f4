/** One join per person: what a crash between joining and remembering leaves behind. */
import { expect, test } from 'vitest';
import { reserve } from '../../src/survey/store/participants.js';
import { openSqlite } from '../../src/survey/store/sqlite.js';

const survey = '0x6b6664134a7bf5A4519B95bC2331bC8405633d4f';
const userId = `U${'a'.repeat(32)}`;
const ask = (commitment: bigint, now: number, who = userId) => ({ survey, userId: who, commitment, now });
const nobody = async () => false;
const everybody = async () => true;

test('a join cut off before its end counts when the group holds it', async () => {
  const file = openSqlite(':memory:');
  await reserve(file, ask(1n, 0), nobody);
  await expect(reserve(file, ask(2n, 1), everybody)).rejects.toMatchObject({ code: 'ALREADY_JOINED' });
  await expect(reserve(file, ask(2n, 1e9), nobody)).rejects.toMatchObject({ code: 'ALREADY_JOINED' });
});

test('a join cut off that never reached the group blocks its person for ten minutes', async () => {
  const file = openSqlite(':memory:');
  await reserve(file, ask(1n, 0), nobody);
  await expect(reserve(file, ask(2n, 599_999), nobody)).rejects.toMatchObject({ code: 'ALREADY_JOINING' });
  await reserve(file, ask(2n, 600_000), nobody);
});

test('a refused join frees its person at once; another person is not affected', async () => {
  const file = openSqlite(':memory:');
  const place = await reserve(file, ask(1n, 0), nobody);
  await reserve(file, ask(9n, 0, 'someone else'), nobody);
  place.release();
  (await reserve(file, ask(2n, 1), nobody)).confirm();
  await expect(reserve(file, ask(3n, 2), nobody)).rejects.toMatchObject({ code: 'ALREADY_JOINED' });
});

test('what is kept names neither the person nor, once joined, the commitment', async () => {
  const file = openSqlite(':memory:');
  (await reserve(file, ask(4711n, 0), nobody)).confirm();
  const kept = JSON.stringify(file.all('SELECT * FROM participants'));
  expect(kept).not.toContain(userId);
  expect(kept).not.toContain('4711');
});
