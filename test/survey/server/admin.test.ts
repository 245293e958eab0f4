/** The operator's socket: surveys added and closed without a restart, backups under load. */
import { closeSync, mkdtempSync, openSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { Outcomes } from '../../../src/survey/server/tallies.js';
import { openStorage } from '../../../src/survey/store/open.js';
import { clock } from '../chain/told.js';
import { main } from '../program.js';
import { fakeHost } from './fake-host.js';
import { inner, joinBody, listed, request, settings, started, survey } from './support.js';

const other = '0x0Bc34f96d8E99c6E2933e49e6f68DFB7B74b7aDB';

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'kaiactl-admin-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

async function serving() {
  const store = join(folder(), 'survey.db');
  const { secret } = await settings();
  const { url } = await started({
    openStorage: () => openStorage(store, secret),
    adminSocket: `${store}.admin`,
  });
  const admin = async (...words: string[]) => {
    const { host, texts } = fakeHost(['survey', ...words, '--store', store]);
    return { code: await main(host), ...texts };
  };
  const join_ = (commitment: number, id = survey) =>
    request(`${url}/api/group/join`, 'POST', joinBody(String(commitment), { id }));
  return { store, url, admin, join: join_, secret };
}

test('surveys are added, listed, closed and exported while the server runs', async () => {
  const { store, url, admin, join } = await serving();
  expect((statSync(`${store}.admin`).mode & 0o777).toString(8)).toBe('600');
  expect((await join(1, other)).status).toBe(400);
  expect((await admin('admin', 'add', other.toLowerCase())).code).toBe(0);
  expect((await join(1, other)).status).toBe(200);
  const asked = await admin('admin', 'close', other);
  expect([asked.code, asked.err]).toEqual([2, expect.stringContaining('--yes')]);
  const closed = await admin('admin', 'close', other, '--yes');
  expect(closed.out).toMatch(/^closed survey 0x0Bc3.* it refuses joins and keeps its 1 member\n/);
  expect(closed.out).toContain(
    `“kaiactl survey admin open ${other} --store ${store}” opens it again; after an export, that takes --not-moved`,
  );
  expect(inner(await join(2, other), 'error').reason).toBe('Survey is finished');
  expect(await listed(url, other)).toEqual(['1']);
  expect((await admin('admin', 'list')).out).toBe(
    `${survey}  0 members  any number per user, any scheme\n${other}  1 member  closed  any number per user, any scheme\n`,
  );
  const exported = JSON.parse((await admin('admin', 'export', other)).out);
  expect(exported).toMatchObject({ survey: other, groupId: '1', members: ['1'], closed: true });
  expect((await admin('admin', 'export', other, '--format', 'csv')).out).toBe('index,commitment\n0,1\n');
  expect((await admin('admin', 'export', other, '--format', 'text')).out).toBe('1\n');
  expect(await admin('admin', 'open', other)).toMatchObject({
    code: 2,
    err: expect.stringContaining('another store may have it'),
  });
  const opening = ['admin', 'open', other, '--not-moved', '--format', 'json'];
  const reopened = JSON.parse((await admin(...opening)).out);
  expect(reopened).toMatchObject({ survey: other, closed: false, members: 1 });
  expect((await join(2, other)).status).toBe(200);
  const trail = (await admin('admin', 'log', other, '--format', 'csv')).out.split('\n');
  expect(trail.map((line) => line.split(',')[3])).toEqual([
    'action',
    'policy',
    'add',
    'close',
    'export',
    'export',
    'export',
    'open',
    undefined,
  ]);
});

test('a file that an export or a backup is redirected to can be read by its owner alone', async () => {
  const { store } = await serving();
  const mode = async (...words: string[]) => {
    const path = join(folder(), 'out');
    const fd = openSync(path, 'w', 0o644);
    const { host } = fakeHost(['survey', ...words, '--store', store]);
    Object.assign(host.stdout, { fd });
    expect(await main(host)).toBe(0);
    closeSync(fd);
    return (statSync(path).mode & 0o777).toString(8);
  };
  expect(await mode('admin', 'export', survey)).toBe('600');
  expect(await mode('backup', '-')).toBe('600');
  // The list is public.
  expect(await mode('admin', 'export', survey, '--format', 'csv')).toBe('644');
});

test('the admin commands show payments, joins by outcome, and the server’s state, without personal data', async () => {
  const { admin, join } = await serving();
  for (const commitment of [1, 2, 2]) await join(commitment);
  const outcomes = await admin('admin', 'outcomes', '--format', 'csv');
  expect(outcomes.out).toBe('outcome,count\naccepted,2\nCALL_EXCEPTION,1\n');
  expect((await admin('admin', 'status')).out).toBe('problem: none\njoins per minute: 2\n');
  expect(JSON.parse((await admin('admin', 'payments', '--format', 'json')).out)).toEqual({ payments: [] });
});

test('accepted joins count for a minute', () => {
  const time = clock();
  const outcomes = new Outcomes();
  outcomes.add('accepted');
  outcomes.add('BUSY');
  time.now += 59_999;
  outcomes.add('accepted');
  expect(outcomes.perMinute()).toBe(2);
  time.now += 1;
  expect(outcomes.perMinute()).toBe(1);
  expect(outcomes.counts()).toEqual([
    { outcome: 'accepted', count: 2 },
    { outcome: 'BUSY', count: 1 },
  ]);
});

test('invalid actions are refused with a reason', async () => {
  const { admin } = await serving();
  const refused = async (...words: string[]) => {
    const { code, err } = await admin(...words);
    return `${code} ${err}`;
  };
  expect(await refused('admin', 'close', other, '--yes')).toMatch(/^2 .*no such survey/);
  expect(await refused('admin', 'add', '0x12')).toMatch(/^2 .*not a 0x address/);
  expect(await refused('admin', 'add')).toMatch(/^2 .*needs a survey/);
  for (const report of ['list', 'payments', 'outcomes', 'status'])
    expect(await refused('admin', report, 'extra')).toMatch(/^2 .*takes no argument, but got extra/);
  expect(await refused('backup', '/nowhere/at/all.db')).toMatch(/^2 .*cannot be written/);
  const { host, texts } = fakeHost(['survey', 'admin', 'list', '--store', join(folder(), 'none.db')]);
  expect(await main(host)).toBe(2);
  expect(texts.err).toContain('no server answers');
});

test('a backup under load holds every join acknowledged before it, and opens', async () => {
  const { url, admin, join, secret } = await serving();
  const backup = `${folder()}/backup.db`;
  const load = Array.from({ length: 60 }, (_, n) => join(n + 1));
  await Promise.all(load.slice(0, 20));
  const acknowledged = await listed(url);
  const { code, err } = await admin('backup', backup);
  expect([code, err]).toEqual([0, expect.stringContaining('does not hold the participant secret')]);
  await Promise.all(load);
  const restored = await started({ openStorage: () => openStorage(backup, secret) });
  const members = await listed(restored.url);
  expect(acknowledged.filter((one) => !members.includes(one))).toEqual([]);
  expect((await admin('backup', backup)).err).toContain('does not overwrite files');
});
