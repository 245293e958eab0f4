/** The admin's actions on a store without its server: policies, moves between stores, and erased records. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join as joinPath } from 'node:path';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { type Offline, offline } from '../../../src/survey/server/admin.js';
import { joinBudgets } from '../../../src/survey/store/budget.js';
import { EmbeddedStore } from '../../../src/survey/store/embedded.js';
import { JoinCounts } from '../../../src/survey/store/join-counts.js';
import type { SurveyDocument } from '../../../src/survey/store/moved.js';
import { Participants } from '../../../src/survey/store/participants.js';
import { Policies } from '../../../src/survey/store/policies.js';
import type { Storage } from '../../../src/survey/store/storage.js';
import { registerSurveys } from '../../../src/survey/store/survey-rows.js';
import { type Backend, backends, secret, stopBackends } from '../store/backends.js';

const survey = '0x6b6664134a7bf5A4519B95bC2331bC8405633d4f';
const other = '0x0Bc34f96d8E99c6E2933e49e6f68DFB7B74b7aDB';
const now = () => 1_700_000_000_000;
const available = backends.filter(({ missing }) => missing === null);

afterAll(stopBackends);

async function made(backend: Backend | undefined, own = secret) {
  const place = await backend?.make();
  if (place === undefined) throw new Error('no such store');
  onTestFinished(() => place.remove());
  return () => place.open(own);
}

/** The path of a new file of decisions. */
function decisions(): string {
  const folder = mkdtempSync(joinPath(tmpdir(), 'kaiactl-offline-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return joinPath(folder, 'decisions');
}

async function join(storage: Storage, userId: string, commitment: bigint) {
  const store = new EmbeddedStore(storage);
  const traces = { members: async () => (await store.group(survey)).members, underWay: async () => [] };
  const place = await new Participants(storage, secret).reserve({ survey, userId, commitment }, traces);
  try {
    await store.join(survey, commitment, place.held);
  } catch (error) {
    await place.release();
    throw error;
  }
  await place.confirm();
  await store.close();
}

/** A store with three members of one policy, and its admin. */
async function filled(open: () => Promise<Storage>) {
  const storage = await open();
  await registerSurveys(storage, [other, survey]);
  await new Policies(storage, secret, { onePerUser: true, scheme: 'eip712' }).adoptAll(now());
  for (const [at, userId] of ['anna', 'ben', 'cleo'].entries()) await join(storage, userId, BigInt(at + 5));
  await joinBudgets(storage, secret, { perSurvey: 9, perUser: 9 }).spend(survey, 'anna');
  const counts = new JoinCounts(storage, now);
  counts.add(survey, 'accepted');
  counts.add(survey, 'ALREADY_JOINED');
  await counts.close();
  return storage;
}

async function ask(
  admin: Offline,
  method: 'GET' | 'POST',
  url: string,
  body?: object,
): Promise<Record<string, unknown>> {
  const headers: Record<string, string> = { 'x-kaiactl-actor': 'eve', 'content-type': 'application/json' };
  const payload = body === undefined ? {} : { payload: JSON.stringify(body) };
  const answer = await admin.ask({ method, url, headers, ...payload });
  const read = JSON.parse(answer.body) as Record<string, unknown>;
  return answer.status === 200 ? read : (JSON.parse(String(read.error)) as Record<string, unknown>);
}

const pairs = available.flatMap((from) =>
  available.map((to) => ({ from, to, pair: `${from.name} to ${to.name}` })),
);

describe.for(pairs)('a survey moved from $pair', ({ from, to }) => {
  test('keeps its joins, its limits, its counts and its trail', async () => {
    const source = offline(await filled(await made(from)), secret, decisions(), now);
    const names = ['ben', `0x${'ab'.repeat(20)}`, 'anna', 'cleo', 'dora'];
    const policy = { maxMembers: 4, closesAt: now() + 1000, allowlist: true };
    await ask(source, 'POST', '/surveys/policy', { survey, policy, allowlist: names });
    await ask(source, 'POST', '/forget', { survey, userId: 'ben' });
    await ask(source, 'POST', '/surveys/close', { survey });
    const document = (await ask(source, 'GET', `/export?survey=${survey}`)) as unknown as SurveyDocument;
    await source.close();
    expect(JSON.stringify(document)).not.toMatch(/\b(?:anna|ben|cleo|dora)\b|(?:ab){8}/);

    const open = await made(to);
    const target = offline(await open(), secret, decisions(), now);
    const moved = await ask(target, 'POST', '/import', { document });
    expect(moved).toEqual({ survey, groupId: '1', members: 3, participants: 2, closed: true });
    const again = await ask(target, 'POST', '/import', { document });
    expect(again).toMatchObject({ reason: 'this store keeps joins of it already' });
    const shown = await ask(target, 'GET', `/surveys/show?survey=${survey}`);
    expect(shown).toMatchObject({
      members: 3,
      closed: true,
      joinsCounted: 1,
      lastJoin: '2023-11-14T22Z',
      policy: { onePerUser: true, scheme: 'eip712', ...policy },
      refusals: [{ reason: 'ALREADY_JOINED', count: 1 }],
    });
    expect(await ask(target, 'POST', '/surveys/open', { survey })).toMatchObject({ closed: false });
    const { entries } = (await ask(target, 'GET', `/audit?survey=${survey}`)) as {
      entries: { action: string }[];
    };
    expect(entries.map(({ action }) => action)).toEqual([
      'policy',
      'set',
      'forget',
      'close',
      'import',
      'open',
    ]);
    await target.close();

    const storage = await open();
    for (const userId of ['anna', 'ben', 'cleo'])
      await expect(join(storage, userId, 20n)).rejects.toMatchObject({ code: 'ALREADY_JOINED' });
    const policies = new Policies(storage, secret, { onePerUser: false, scheme: 'any' });
    expect(await policies.isAllowed(survey, ['dora'])).toBe(true);
    expect(await policies.isAllowed(survey, ['ben'])).toBe(false);
    await join(storage, 'dora', 8n);
    await expect(join(storage, 'emil', 9n)).rejects.toMatchObject({ code: 'SURVEY_FULL' });
    const budgets = joinBudgets(storage, secret, { perSurvey: 2, perUser: 9 });
    await budgets.spend(survey, 'ben');
    await expect(budgets.spend(survey, 'ben')).rejects.toMatchObject({ code: 'BUDGET_SPENT' });
    await storage.close();
  });
});

test('a document that version 1 wrote is that of every store now, and is imported', async () => {
  const golden = new URL('../store/version-1/survey.json', import.meta.url).pathname;
  for (const backend of available) {
    const source = offline(await filled(await made(backend)), secret, decisions(), now);
    await ask(source, 'POST', '/forget', { survey, userId: 'ben' });
    await ask(source, 'POST', '/surveys/close', { survey });
    const written = await ask(source, 'GET', `/export?survey=${survey}`);
    // Only before a release, which fixes it.
    if (process.env.KAIACTL_TEST_WRITE !== undefined && !existsSync(golden))
      writeFileSync(golden, `${JSON.stringify(written)}\n`);
    const document = JSON.parse(readFileSync(golden, 'utf8'));
    expect(written).toEqual(document);
    await source.close();

    const open = await made(backend);
    const target = offline(await open(), secret, decisions(), now);
    const moved = { survey, groupId: '1', members: 3, participants: 2, closed: true };
    expect(await ask(target, 'POST', '/import', { document })).toEqual(moved);
    await target.close();
    const storage = await open();
    for (const userId of ['anna', 'ben', 'cleo'])
      await expect(join(storage, userId, 20n)).rejects.toMatchObject({ code: 'ALREADY_JOINED' });
    await storage.close();
  }
});

test('only a running server lists and changes surveys on a chain', async () => {
  const traces = [
    `INSERT INTO chain_surveys VALUES (1001, '${survey}', 0)`,
    `INSERT INTO policies VALUES ('${survey}', 1, 'any', NULL, NULL, 0, 0)`,
    `INSERT INTO chain_groups VALUES ('1001 0x1 0', 1, '0x1', '')`,
  ];
  for (const trace of traces) {
    const storage = await (await made(available[0]))();
    await storage.run(trace);
    const admin = offline(storage, secret, decisions(), now);
    const stopped = { exitCode: 3, message: expect.stringMatching(/on a chain, and no server/) };
    await expect(ask(admin, 'GET', '/surveys')).rejects.toMatchObject(stopped);
    for (const path of ['/surveys', '/surveys/close', '/surveys/open', '/surveys/policy'])
      await expect(ask(admin, 'POST', path, { survey })).rejects.toMatchObject(stopped);
    await expect(ask(admin, 'GET', `/export?survey=${survey}`)).rejects.toMatchObject(stopped);
    expect(await ask(admin, 'GET', '/payments')).toEqual({ payments: [] });
    await admin.close();
  }
});

test('an import refuses another secret, a damaged document and other files, and changes nothing', async () => {
  const [backend] = available;
  const source = offline(await filled(await made(backend)), secret, decisions(), now);
  const document = (await ask(source, 'GET', `/export?survey=${survey}`)) as unknown as SurveyDocument;
  await source.close();
  const other = Buffer.alloc(32, 8);
  const stranger = offline(await (await made(backend, other))(), other, decisions(), now);
  const refused = async (admin: Offline, change: object) =>
    (await ask(admin, 'POST', '/import', { document: { ...document, ...change } })).reason;
  expect(await refused(stranger, {})).toMatch(/secret of this store is another/);
  await stranger.close();
  const target = offline(await (await made(backend))(), secret, decisions(), now);
  expect(await refused(target, { members: ['5', '6'] })).toMatch(/do not have its root/);
  expect(await refused(target, { members: ['5', '6', 'x'] })).toMatch(/no commitment/);
  expect(await refused(target, { schema: 'kaiactl/report-1' })).toMatch(/survey admin export/);
  expect(await refused(target, { participants: undefined })).toMatch(/incomplete/);
  expect(await refused(target, { survey: 'x' })).toMatch(/not a 0x address/);
  expect(await ask(target, 'GET', '/surveys')).toEqual({ surveys: [] });
  await target.close();
});

describe.for(available)('in $name', (backend) => {
  test('an erased user cannot join again, unless that is erased too', async () => {
    const open = await made(backend);
    const forget = async (body: object) => {
      const admin = offline(await open(), secret, decisions(), now);
      const answer = await ask(admin, 'POST', '/forget', { survey, ...body });
      await admin.close();
      return answer;
    };
    await (await filled(open)).close();
    expect(await forget({ userId: 'nobody' })).toMatchObject({ wasRecorded: false });
    expect(await forget({ userId: 'anna' })).toMatchObject({ wasRecorded: true, mayRejoin: false });
    let storage = await open();
    expect(await storage.all('SELECT * FROM participants')).toHaveLength(2);
    await expect(join(storage, 'anna', 30n)).rejects.toMatchObject({ code: 'ALREADY_JOINED' });
    expect((await new EmbeddedStore(storage).group(survey)).members).toEqual(['5', '6', '7']);
    await storage.close();
    expect(await forget({ userId: 'anna', mayRejoin: true })).toMatchObject({ wasRecorded: true });
    storage = await open();
    await join(storage, 'anna', 30n);
    await storage.close();
  });

  test('closing, opening and changes name who made them, and an opened survey has time left', async () => {
    const admin = offline(await filled(await made(backend)), secret, decisions(), now);
    expect(await ask(admin, 'POST', '/surveys/close', { survey })).toMatchObject({
      closed: true,
      members: 3,
    });
    await ask(admin, 'POST', '/surveys/policy', { survey, policy: { closesAt: now() } });
    expect(await ask(admin, 'POST', '/surveys/open', { survey })).toMatchObject({
      reason: expect.stringContaining('closing time has passed'),
    });
    await ask(admin, 'POST', '/surveys/policy', { survey, policy: { closesAt: null } });
    expect(await ask(admin, 'POST', '/surveys/open', { survey })).toMatchObject({ closed: false });
    const { entries } = (await ask(admin, 'GET', `/audit?survey=${survey}`)) as { entries: object[] };
    expect(entries.slice(1)).toMatchObject([
      { action: 'close', actor: 'eve', at: now() },
      { action: 'set', actor: 'eve', detail: { before: { closesAt: null }, after: { closesAt: now() } } },
      { action: 'set' },
      { action: 'open' },
    ]);
    await ask(admin, 'POST', '/surveys', { survey: `0x${'12'.repeat(20)}` });
    const set = { survey: `0x${'12'.repeat(20)}`, policy: { maxMembers: 1 } };
    expect(await ask(admin, 'POST', '/surveys/policy', set)).toMatchObject({
      reason: expect.stringContaining('start the server once'),
    });
    await admin.close();
  });
});
