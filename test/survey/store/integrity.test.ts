/** A damaged store: what opening it says, what is answered from it, and which backups are usable. */
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Libsql from 'libsql';
import { afterAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { append, noLeaves } from '../../../src/survey/group/group.js';
import { EmbeddedStore } from '../../../src/survey/store/embedded.js';
import { participantSecret } from '../../../src/survey/store/participant-secret.js';
import { Policies } from '../../../src/survey/store/policies.js';
import { openPostgres } from '../../../src/survey/store/postgres.js';
import { openSqlite } from '../../../src/survey/store/sqlite.js';
import { insertAll, type Storage } from '../../../src/survey/store/storage.js';
import { groupFaults, registerSurveys } from '../../../src/survey/store/survey-rows.js';
import { verifyCopy } from '../../../src/survey/store/verify-copy.js';
import { bounded } from '../../peers/bounded.js';
import { main } from '../program.js';
import { fakeHost } from '../server/fake-host.js';
import { inner, joinBody, request, started } from '../server/support.js';
import { backends, secret, stopBackends } from './backends.js';
import { notOnPostgres, startPostgres } from './postgres.js';

const survey = '0x6b6664134a7bf5A4519B95bC2331bC8405633d4f';
const other = '0x0Bc34f96d8E99c6E2933e49e6f68DFB7B74b7aDB';
const third = '0x5a9db0C5a41A3fb1c5D1C46d8f4E25a4B7fe1e57';

afterAll(stopBackends);

async function fill(storage: Storage, count = 5): Promise<void> {
  await registerSurveys(storage, [survey, other]);
  const store = bounded(new EmbeddedStore(storage));
  for (let n = 1; n <= count; n++) await store.join(survey, BigInt(n));
  await store.close();
}

const damages = [
  ['a member is missing', 'DELETE FROM members WHERE position = 2'],
  ['the last member is missing', 'DELETE FROM members WHERE position = 4'],
  ['a position has a gap', 'UPDATE members SET position = 9 WHERE position = 4'],
  ['a tree is behind', `UPDATE surveys SET frontier = '{"size":4,"peaks":["1"]}' WHERE group_id = 0`],
  [
    'a tree has a peak too many',
    `UPDATE surveys SET frontier = '{"size":5,"peaks":["1","2","3"]}' WHERE group_id = 0`,
  ],
  ['a tree cannot be read', "UPDATE surveys SET frontier = 'x' WHERE group_id = 0"],
  ['a commitment was changed', "UPDATE members SET commitment = '99' WHERE position = 3"],
  [
    'a member is no field element',
    "UPDATE members SET commitment = '1' || commitment || '00' WHERE position = 3",
  ],
  [
    'a tree has another peak',
    `UPDATE surveys SET frontier = '{"size":5,"peaks":["1","2"]}' WHERE group_id = 0`,
  ],
] as const;

describe.for(backends)('$name', ({ name, missing, make }) => {
  if (missing !== null) process.stderr.write(`SKIPPED: damage to the ${name} store: ${missing}\n`);
  describe.skipIf(missing !== null)('a damaged store', () => {
    let place: Awaited<ReturnType<typeof make>>;
    beforeEach(async () => {
      place = await make();
      const storage = await place.open();
      await fill(storage);
      expect(await groupFaults(storage)).toEqual([]);
      await storage.close();
    });

    test.each(damages)('%s: the start says so, health is 503, and the survey answers 503', async (_, sql) => {
      const storage = await place.open();
      await storage.run(sql);
      await storage.close();
      const running = await started({ openStorage: () => place.open() });
      onTestFinished(() => running.close().then(place.remove));
      const damage = running.about.slice(running.about.indexOf('; ') + 2);
      expect(damage).toMatch(/^the store is damaged: .*survey backup --verify FILE.*restore/);
      for (const path of ['/healthz', '/readyz']) {
        const health = await request(running.url + path, 'GET');
        expect([path, health.status, JSON.parse(health.body).problem]).toEqual([path, 503, damage]);
      }
      const list = await request(`${running.url}/api/group/members?id=${survey}`, 'GET');
      expect([list.status, inner(list, 'error').code]).toEqual([503, 'STORE_DAMAGED']);
      const joined = await request(`${running.url}/api/group/join`, 'POST', joinBody('77'));
      expect([joined.status, inner(joined, 'error').code]).toEqual([503, 'STORE_DAMAGED']);
      expect((await request(`${running.url}/api/group/members?id=${other}`, 'GET')).status).toBe(200);
    });

    test('backup --verify and serve --check find a changed commitment, and create and change nothing', async () => {
      const storage = await place.open();
      await storage.run("UPDATE members SET commitment = '99' WHERE position = 3");
      await storage.close();
      const file = join(folder(), 'secret');
      writeFileSync(file, `${secret.toString('base64url')}\n`, { mode: 0o600 });
      const words = ['--participant-secret-file', file];
      expect(await kaiactl('survey', 'backup', '--verify', place.place, ...words)).toMatchObject({
        code: 1,
        out: expect.stringMatching(/not usable: the tree of 0x6b66.* is not that of its members/),
      });
      const serve = ['survey', 'serve', '--check', '--channel-id', '1', '--survey', third, ...words];
      expect(await kaiactl(...serve, '--store', place.place)).toMatchObject({
        code: 2,
        out: '',
        err: expect.stringContaining('is not that of its members'),
      });
      const again = await place.open();
      await again.run("UPDATE members SET commitment = '4' WHERE position = 3");
      await again.close();
      expect(await kaiactl(...serve, '--store', place.place)).toMatchObject({ code: 0 });
      const after = await place.open();
      expect(await after.all('SELECT address FROM surveys ORDER BY group_id')).toEqual([[survey], [other]]);
      expect(await after.all('SELECT * FROM policies')).toEqual([]);
      await after.close();
      await place.remove();
    });

    test('a member that vanishes while servers run is never hidden by listing another twice', async () => {
      const storage = await place.open();
      const store = bounded(new EmbeddedStore(storage));
      expect((await store.group(survey)).members).toEqual(['1', '2', '3', '4', '5']);
      await storage.atomically('x', async (rows) => {
        await rows.run("INSERT INTO members VALUES (0, 6, '7')");
        await rows.notify('group', survey);
      });
      await expect(store.group(survey)).rejects.toMatchObject({ code: 'STORE_DAMAGED' });
      expect((await store.health()).problem).toMatch(/^the store is damaged/);
      await storage.close();
      await place.remove();
    });

    test('health sees within a minute what was damaged, and what was repaired', async () => {
      const storage = await place.open();
      const store = bounded(new EmbeddedStore(storage));
      expect((await store.health()).problem).toBeNull();
      const began = performance.now();
      const later = vi.spyOn(performance, 'now');
      onTestFinished(() => later.mockRestore());
      await storage.run('DELETE FROM members WHERE position = 2');
      later.mockReturnValue(began + 61_000);
      expect((await store.health()).problem).toMatch(/^the store is damaged: .*4 members.*5/);
      await storage.run("INSERT INTO members VALUES (0, 2, '3')");
      later.mockReturnValue(began + 122_000);
      expect((await store.health()).problem).toBeNull();
      expect((await store.group(survey)).members).toEqual(['1', '2', '3', '4', '5']);
      await storage.close();
      await place.remove();
    });

    test('a database that is restored beneath a running server is read from its start', async () => {
      const storage = await place.open();
      const store = bounded(new EmbeddedStore(storage));
      await store.group(survey);
      await storage.run('DELETE FROM members');
      await storage.run(`UPDATE surveys SET frontier = '{"size":0,"peaks":[]}'`);
      await store.join(survey, 9n);
      expect((await store.group(survey, true)).members).toEqual(['9']);
      await storage.close();
      await place.remove();
    });
  });
});

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'kaiactl-integrity-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** A closed store of many pages. */
async function filled(path: string): Promise<void> {
  const storage = await openSqlite(path, secret);
  await fill(storage, 40);
  await storage.atomically('fill', async (rows) => {
    for (let n = 0; n < 400; n++)
      await rows.run('INSERT INTO participants VALUES (?, ?, NULL, NULL)', survey, `${'p'.repeat(60)}${n}`);
  });
  await storage.close();
}

/** Overwrites the middle of the file. */
function scratch(path: string): void {
  const bytes = readFileSync(path);
  bytes.fill(0xff, bytes.length >> 1, (bytes.length >> 1) + 8192);
  writeFileSync(path, bytes);
}

async function kaiactl(...words: string[]) {
  const { host, texts } = fakeHost(words);
  return { code: await main(host), ...texts };
}

test('a file with damaged pages does not open, and the error names backup and restore', async () => {
  const path = join(folder(), 'survey.db');
  await filled(path);
  scratch(path);
  const before = readFileSync(path);
  await expect(openSqlite(path, secret)).rejects.toMatchObject({
    exitCode: 2,
    message: expect.stringContaining('is damaged'),
    hint: expect.stringMatching(/survey backup --verify FILE.*restore/),
  });
  expect(readFileSync(path).equals(before)).toBe(true);
});

test('pages that are damaged while the server runs: requests get 503, and health stays 503', async () => {
  const path = join(folder(), 'survey.db');
  await filled(path);
  const storage = await openSqlite(path, secret);
  onTestFinished(() => storage.close());
  const corrupt = Object.assign(new Error('database disk image is malformed'), { code: 'SQLITE_CORRUPT' });
  const prepare = vi.spyOn(Libsql.prototype, 'prepare').mockImplementation(() => {
    throw corrupt;
  });
  await expect(storage.all('SELECT 1 FROM payments')).rejects.toMatchObject({ code: 'STORE_DAMAGED' });
  prepare.mockRestore();
  expect(await storage.problem()).toMatchObject({ code: 'STORE_DAMAGED' });
  await expect(storage.run('DELETE FROM payments')).rejects.toMatchObject({ code: 'STORE_DAMAGED' });
});

test('serve --check ends with 2 for a store with a gap', async () => {
  const path = join(folder(), 'survey.db');
  writeFileSync(`${path}.secret`, `${secret.toString('base64url')}\n`, { mode: 0o600 });
  await filled(path);
  const check = (...words: string[]) =>
    kaiactl('survey', 'serve', '--check', '--store', path, '--channel-id', '1', '--one-per-user', ...words);
  expect(await check()).toMatchObject({ code: 0, out: expect.stringContaining('can serve') });
  let storage = await openSqlite(path, secret);
  await new Policies(storage, secret, { onePerUser: true, scheme: 'any' }).set(survey, { scheme: 'any' });
  await storage.close();
  expect(await check('--scheme', 'eip712')).toMatchObject({
    code: 0,
    err: expect.stringContaining('does not demand typed-data signatures'),
  });
  storage = await openSqlite(path, secret);
  await storage.run('DELETE FROM members WHERE position = 20');
  await storage.close();
  expect(await check()).toMatchObject({
    code: 2,
    out: '',
    err: expect.stringMatching(/the store is damaged: .*survey backup --verify/),
  });
});

test('serve --check creates neither store nor secret, and reads the file of a killed server without a change', async () => {
  const at = folder();
  const path = join(at, 'survey.db');
  const check = () => kaiactl('survey', 'serve', '--check', '--store', path, '--channel-id', '1');
  expect(await check()).toMatchObject({ code: 0, out: expect.stringContaining('can serve') });
  expect(readdirSync(at)).toEqual([]);
  writeFileSync(`${path}.secret`, `${secret.toString('base64url')}\n`, { mode: 0o600 });
  const storage = await openSqlite(path, secret);
  await fill(storage);
  expect(await check()).toMatchObject({
    code: 2,
    err: expect.stringContaining('another process is using it'),
  });
  await storage.close();
  const before = readFileSync(path);
  expect(await check()).toMatchObject({ code: 0 });
  expect(readFileSync(path).equals(before)).toBe(true);
  expect(readdirSync(at).toSorted()).toEqual(['survey.db', 'survey.db.secret']);
});

test('a large group is compared in the background, and its lists and joins end then', async () => {
  const storage = await openSqlite(':memory:', secret);
  await registerSurveys(storage, [survey, other]);
  const members = Array.from({ length: 3000 }, (_, n) => String(n + 1));
  const frontier = members.reduce((tree, one) => append(tree, BigInt(one)), noLeaves);
  await storage.run(
    'UPDATE surveys SET frontier = ? WHERE group_id = 0',
    JSON.stringify({ size: 3000, peaks: frontier.peaks.map(String) }),
  );
  await insertAll(
    storage,
    'members (group_id, position, commitment)',
    members.map((one, at) => [0, at, one]),
  );
  const store = bounded(new EmbeddedStore(storage));
  expect(await store.health()).toMatchObject({ problem: null, facts: { treeCheckAgeSeconds: null } });
  await store.verify();
  expect(await store.health()).toMatchObject({
    problem: null,
    facts: { treeCheckAgeSeconds: expect.any(Number) },
  });
  expect((await store.group(survey)).members).toHaveLength(3000);
  await storage.run("UPDATE members SET commitment = '9999' WHERE group_id = 0 AND position = 1234");
  await store.verify();
  expect((await store.health()).problem).toContain('is not that of its members');
  await expect(store.group(survey)).rejects.toMatchObject({ code: 'STORE_DAMAGED' });
  await expect(store.join(survey, 5n)).rejects.toMatchObject({ code: 'STORE_DAMAGED' });
  expect((await store.join(other, 5n)).status).toBe(1);
  await store.close();
  await storage.close();
});

test.each([
  ['beside the store', []],
  ['named', ['--participant-secret-file']],
])('a restored store without its secret, %s, is refused, and none is invented', async (_, words) => {
  const path = join(folder(), 'survey.db');
  await filled(path);
  const secrets = join(folder(), 'secret');
  const serve = () =>
    kaiactl(
      'survey',
      'serve',
      '--check',
      '--store',
      path,
      '--channel-id',
      '1',
      ...words.flatMap((word) => [word, secrets]),
    );
  expect(await serve()).toMatchObject({
    code: 2,
    err: expect.stringMatching(/secret .* is missing.*None was created/s),
  });
  expect([existsSync(`${path}.secret`), existsSync(secrets)]).toEqual([false, false]);
  scratch(path);
  expect(await serve()).toMatchObject({ code: 2 });
  expect([existsSync(`${path}.secret`), existsSync(secrets)]).toEqual([false, false]);
});

test.skipIf(notOnPostgres !== null)(
  'a second server without the secret of the database is refused, and invents none',
  async () => {
    const cluster = await startPostgres();
    onTestFinished(() => cluster.stop());
    const url = cluster.database();
    const [first, second] = [join(folder(), 'secret'), join(folder(), 'secret')];
    const check = (file: string) =>
      kaiactl(
        'survey',
        'serve',
        '--check',
        '--store',
        url,
        '--participant-secret-file',
        file,
        '--channel-id',
        '1',
      );
    expect(await check(first)).toMatchObject({ code: 0 });
    expect(existsSync(first)).toBe(false);
    await (await openPostgres(url, participantSecret(first))).close();
    expect(await check(second)).toMatchObject({
      code: 2,
      err: expect.stringMatching(/secret .* is missing/),
    });
    expect(existsSync(second)).toBe(false);
    await cluster.kill();
    expect(await check(second)).toMatchObject({ code: 3 });
  },
);

test('a secret that other users can read is refused, as the operator’s is', async () => {
  const path = join(folder(), 'survey.db');
  await filled(path);
  writeFileSync(`${path}.secret`, `${secret.toString('base64url')}\n`);
  chmodSync(`${path}.secret`, 0o640);
  const serve = () =>
    kaiactl('survey', 'serve', '--check', '--store', path, '--channel-id', '1', '--one-per-user');
  expect(await serve()).toMatchObject({
    code: 2,
    err: expect.stringMatching(/can be read by other users; it is not used.*chmod 600/s),
  });
  chmodSync(`${path}.secret`, 0o600);
  expect(await serve()).toMatchObject({ code: 0 });
});

describe('backup --verify', () => {
  test('a backup is usable: what it holds is counted, and the file does not change', async () => {
    const [path, backup] = [join(folder(), 'survey.db'), join(folder(), 'a #1?.db')];
    await filled(path);
    const storage = await openSqlite(path, secret);
    await storage.copyTo(backup);
    await storage.close();
    chmodSync(backup, 0o400);
    const before = readFileSync(backup);
    const { code, out } = await kaiactl('survey', 'backup', '--verify', backup);
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(/^usable: 2 surveys, 40 members, 400 participants/),
    ]);
    const json = await kaiactl('survey', 'backup', '--verify', backup, '--format', 'json');
    expect(JSON.parse(json.out)).toMatchObject({ problem: null, surveys: 2, members: 40, participants: 400 });
    expect(readFileSync(backup).equals(before)).toBe(true);
    expect(readdirSync(join(backup, '..'))).toEqual(['a #1?.db']);
    const own = join(folder(), 'own');
    const foreign = join(folder(), 'foreign');
    writeFileSync(own, `${secret.toString('base64url')}\n`, { mode: 0o600 });
    participantSecret(foreign);
    const verify = (file: string) =>
      kaiactl('survey', 'backup', '--verify', backup, '--participant-secret-file', file);
    expect(await verify(own)).toMatchObject({ code: 0, out: expect.stringContaining('its secret belongs') });
    expect(await verify(foreign)).toMatchObject({ code: 1, out: expect.stringContaining('does not belong') });
  });

  test.each([
    ...damages,
    [
      'two members changed places',
      `UPDATE members SET position = 9 WHERE position = 0; UPDATE members SET position = 0 WHERE position = 1;
       UPDATE members SET position = 1 WHERE position = 9`,
    ],
    ['a later version wrote it', 'PRAGMA user_version = 99'],
    ['it was copied from a file in use', "INSERT INTO settings VALUES ('open', '1')"],
  ] as const)('%s: not usable', async (_, sql) => {
    const path = join(folder(), 'survey.db');
    const storage = await openSqlite(path, secret);
    await fill(storage);
    await storage.close();
    expect(await verifyCopy(path, secret)).toMatchObject({ problem: null });
    const database = new Libsql(path);
    database.exec(sql);
    database.close();
    expect((await verifyCopy(path, secret)).problem).not.toBeNull();
  });

  test('damaged pages, other files and the file of a running server are not usable; a missing one is an error', async () => {
    const path = join(folder(), 'survey.db');
    await filled(path);
    const storage = await openSqlite(path, secret);
    expect((await verifyCopy(path, null)).problem).toMatch(/the file of a server/);
    await storage.close();
    const cut = join(folder(), 'cut.db');
    copyFileSync(path, cut);
    scratch(cut);
    expect(await verifyCopy(cut, null)).toMatchObject({
      problem: expect.stringMatching(/damaged/),
      members: null,
    });
    writeFileSync(cut, 'no database'.repeat(1000));
    expect((await verifyCopy(cut, null)).problem).toMatch(/not a kaiactl store/);
    writeFileSync(cut, '');
    expect((await verifyCopy(cut, null)).problem).not.toBeNull();
    expect(await kaiactl('survey', 'backup', '--verify', join(folder(), 'none'))).toMatchObject({ code: 2 });
  });
});
