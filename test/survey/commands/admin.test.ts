/** The operator's requests to a server, and the errors without a server or with another program. */
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { participantSecret } from '../../../src/survey/store/participant-secret.js';
import { openSqlite } from '../../../src/survey/store/sqlite.js';
import { bodyServer } from '../../peers/body-server.js';
import { kaiactl } from '../command.js';

const survey = '0x6b6664134a7bf5A4519B95bC2331bC8405633d4f';

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'kaiactl-admin-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** A server of some kind on a socket; it answers all requests so, and remembers them. */
async function listening(status: number, body: string) {
  const socket = join(folder(), 'admin');
  const heard: string[] = [];
  const server = bodyServer((request, response, text) => {
    heard.push(`${request.method} ${request.url} ${request.headers['content-type']} ${text}`);
    response.writeHead(status).end(body);
  });
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  onTestFinished(() => void server.close());
  const admin = (...words: string[]) => kaiactl(['survey', 'admin', ...words, '--admin-socket', socket]);
  return { heard, admin };
}

test('surveys are listed as text or JSON; members that cannot be read are unknown', async () => {
  const surveys = [
    { survey, members: 2, closed: true },
    { survey, members: null, closed: false },
  ];
  const { admin, heard } = await listening(200, JSON.stringify({ surveys, more: 1 }));
  expect(await admin('list')).toEqual({
    code: 0,
    stderr: '',
    stdout: `${survey}  2 members  closed\n${survey}  members unknown\n`,
  });
  const { stdout } = await admin('list', '--format', 'json');
  expect(stdout).toBe(`${JSON.stringify({ surveys })}\n`);
  expect(heard).toEqual(Array.from({ length: 2 }, () => 'GET /surveys undefined '));
});

test('the list shows the policy of each survey', async () => {
  const none = { onePerUser: false, scheme: 'any', closesAt: null, maxMembers: null, allowlist: false };
  const all = {
    onePerUser: true,
    scheme: 'eip712',
    closesAt: 1_798_743_600_000,
    maxMembers: 9,
    allowlist: true,
  };
  const surveys = [none, all].map((policy) => ({ survey, members: 1, closed: false, policy }));
  const { admin } = await listening(200, JSON.stringify({ surveys }));
  expect((await admin('list')).stdout.split('\n').slice(0, 2)).toEqual([
    `${survey}  1 member  any number per user, any scheme`,
    `${survey}  1 member  one per user, eip712, at most 9 members, closes 2026-12-31T19:00:00.000Z, allowlist`,
  ]);
});

test('requests are JSON, and an export names its survey', async () => {
  const exported = `{"survey":"${survey}","groupId":"4","members":["7"]}`;
  const { admin, heard } = await listening(200, exported);
  expect((await admin('add', survey)).code).toBe(0);
  expect((await admin('close', survey, '--yes')).code).toBe(0);
  expect(await admin('export', survey)).toMatchObject({
    stdout: `${exported}\n`,
  });
  expect(heard).toEqual([
    `POST /surveys application/json {"survey":"${survey}","policy":{}}`,
    `POST /surveys/close application/json {"survey":"${survey}"}`,
    `GET /export?survey=${survey} undefined `,
  ]);
});

test.each([
  [404, '{"message":"Route GET:/surveys not found","error":"Not Found"}', 'it is another version'],
  [200, '<html>', 'it is another version'],
  [200, 'null', 'it is another version'],
  [500, '', 'it is another version'],
  [400, '{"error":7}', 'it is another version'],
  [400, '{"error":"{oh"}', 'it is another version'],
  [400, JSON.stringify({ error: '{"shortMessage":"no","reason":"\\u001b[2J"}' }), 'no: \\u{1b}[2J'],
])('a server that answers %i %s is understood', async (status, body, sentence) => {
  const { admin } = await listening(status, body);
  const ran = await admin('list');
  expect([ran.code, ran.stdout]).toEqual([2, '']);
  expect(ran.stderr).toContain(sentence);
});

test.each<[string[], number, RegExp]>([
  [['admin', 'list'], 2, /--store or --admin-socket is missing/],
  [
    ['admin', 'list', '--store', 'postgres://u@127.0.0.1/x'],
    2,
    /--participant-secret-file is missing\n.*--admin-socket/,
  ],
  [
    ['admin', 'status', '--store', 'postgres://u@127.0.0.1/x'],
    3,
    /does not name the servers.*\n.*--admin-socket/,
  ],
  [
    ['admin', 'list', '--store', '/nowhere/x.db'],
    2,
    /there is no store \/nowhere\/x\.db, and no server answers on \/nowhere\/x\.db\.admin/,
  ],
  [
    ['admin', 'list', '--admin-socket', '/nowhere/admin'],
    3,
    /no server answers on \/nowhere\/admin\n.*Is it running/,
  ],
  [['admin', 'close', '--store', '/nowhere/x.db'], 2, /survey admin close needs a survey/],
  [['admin', 'export', '--store', '/nowhere/x.db'], 2, /survey admin export needs a survey/],
  [['admin', 'import', '--store', '/nowhere/x.db'], 2, /needs a file\n.*survey\.json/],
  [['admin', 'opened', '--store', '/nowhere/x.db'], 2, /list, add, set, show/],
  [
    ['admin', 'set', survey, '--closes-at', '2099-02-30T00:00Z', '--store', '/nowhere/x.db'],
    2,
    /2099-02-30T00:00Z is not a time/,
  ],
  [['backup', '/nowhere/copy.db'], 2, /--store or --admin-socket is missing/],
  [['backup', '/nowhere/copy.db', '--admin-socket', '/nowhere/admin'], 3, /no server answers/],
  [['backup', '/nowhere/copy.db', '--store', '/nowhere/x.db'], 2, /there is no store \/nowhere\/x\.db/],
])('survey %j is rejected', async (words, code, sentence) => {
  const ran = await kaiactl(['survey', ...words]);
  expect([ran.code, ran.stdout]).toEqual([code, '']);
  expect(ran.stderr).toMatch(sentence);
});

test('an allowlist with an account that is not an address is refused', async () => {
  const list = join(folder(), 'list.txt');
  writeFileSync(list, `U${'1'.repeat(32)}\n0x5a9d\n`);
  const { admin, heard } = await listening(200, '{}');
  const ran = await admin('set', survey, '--allowlist', list);
  expect([ran.code, heard]).toEqual([2, []]);
  expect(ran.stderr).toMatch(/an account of the allowlist .*list\.txt is not an address: 0x5a9d/);
});

test('a store that no server has open is copied from its file, with the secret it was made with', async () => {
  const path = folder();
  const [store, copy] = [join(path, 'survey.db'), join(path, 'copy.db')];
  const secret = participantSecret(`${store}.secret`);
  const storage = await openSqlite(store, secret);
  await storage.run("INSERT INTO settings VALUES ('kept', 'yes')");
  await storage.close();
  const ran = await kaiactl(['survey', 'backup', copy, '--store', store]);
  expect(ran).toMatchObject({ code: 0, stderr: expect.stringContaining('back that file up separately') });
  expect(statSync(copy).mode & 0o777).toBe(0o600);
  const opened = await openSqlite(copy, secret);
  expect(await opened.all("SELECT value FROM settings WHERE name = 'kept'")).toEqual([['yes']]);
  await opened.close();

  const streamed: Buffer[] = [];
  const stdout = new Writable({ write: (chunk, _encoding, done) => done(void streamed.push(chunk)) });
  expect((await kaiactl(['survey', 'backup', '-', '--store', store], { stdout })).code).toBe(0);
  const third = join(path, 'third.db');
  writeFileSync(third, Buffer.concat(streamed));
  const again = await openSqlite(third, secret);
  expect(await again.all("SELECT value FROM settings WHERE name = 'kept'")).toEqual([['yes']]);
  await again.close();
  expect(readdirSync(path).filter((name) => name.includes('backup'))).toEqual([]);
  const shown = await kaiactl(['survey', 'backup', '-', '--store', store], { tty: true });
  expect(shown).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining('stdout is a terminal'),
  });

  renameSync(`${store}.secret`, join(path, 'apart'));
  const without = await kaiactl(['survey', 'backup', join(path, 'b.db'), '--store', store]);
  expect(without).toMatchObject({ code: 2, stderr: expect.stringContaining('--participant-secret-file') });
  const named = ['--store', store, '--participant-secret-file', join(path, 'apart')];
  expect((await kaiactl(['survey', 'backup', join(path, 'b.db'), ...named])).code).toBe(0);
});

test('a backup overwrites nothing, and asks a server that is there to make it', async () => {
  const { heard, admin: _ } = await listening(200, '{}');
  expect(heard).toEqual([]);
  const there = join(folder(), 'there.db');
  writeFileSync(there, 'mine');
  const ran = await kaiactl(['survey', 'backup', there, '--store', '/nowhere/x.db']);
  expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining('does not overwrite files') });
  expect(readFileSync(there, 'utf8')).toBe('mine');
  expect(existsSync(`${there}.secret`)).toBe(false);
});

test('payments are text, JSON or CSV, in which no cell is a formula', async () => {
  const order = { itemIdentifier: 'sticker', price: '1.5', currencyCode: 'KAIA', pgType: 'CRYPTO' };
  const problem = 'the price is not that of the order';
  const payments = [
    {
      id: '=1+1,"x"',
      status: 'CREATED',
      state: 'pending',
      verified: true,
      problem: null,
      claimed: 'CONFIRMED',
      ...order,
      testMode: true,
      updatedAt: 1000,
    },
    {
      id: 'pay_3',
      status: 'CONFIRMED',
      state: 'disputed',
      verified: false,
      problem,
      claimed: null,
      ...order,
      testMode: false,
      updatedAt: 1000,
    },
  ];
  const { admin, heard } = await listening(200, JSON.stringify({ payments }));
  expect((await admin('payments')).stdout.split('\n')).toEqual([
    '=1+1,"x"  CREATED  pending  claimed CONFIRMED  1.5 KAIA (CRYPTO) for sticker, test  1970-01-01T00:00:01.000Z',
    'pay_3  CONFIRMED  disputed  not verified: the price is not that of the order  1.5 KAIA (CRYPTO) for sticker, real  1970-01-01T00:00:01.000Z',
    '',
  ]);
  expect((await admin('payments', '--format', 'csv')).stdout.split('\n')).toEqual([
    'id,status,state,verified,claimed,itemIdentifier,price,currencyCode,pgType,testMode,problem,updatedAt',
    '"\'=1+1,""x""",CREATED,pending,true,CONFIRMED,sticker,1.5,KAIA,CRYPTO,true,,1970-01-01T00:00:01.000Z',
    'pay_3,CONFIRMED,disputed,false,,sticker,1.5,KAIA,CRYPTO,false,the price is not that of the order,1970-01-01T00:00:01.000Z',
    '',
  ]);
  expect(JSON.parse((await admin('payments', '--format', 'json')).stdout)).toEqual({ payments });
  const filters = [
    '--status',
    'CONFIRMED',
    '--item',
    'a b',
    '--mode',
    'test',
    '--limit',
    '5',
    '--after',
    'x&y',
  ];
  await admin('payments', ...filters);
  expect(heard.slice(2)).toEqual([
    'GET /payments undefined ',
    'GET /payments?status=CONFIRMED&item=a+b&mode=test&limit=5&after=x%26y undefined ',
  ]);
  expect((await admin('payments', '--limit', '0')).stderr).toContain(
    '--limit 0 is not a whole number from 1 to',
  );
});

test('the status says what waits, what is left, which nodes answer, and what went wrong', async () => {
  const status = {
    problem: null,
    joinsPerMinute: 12,
    backlog: { queued: 3, sent: 4, oldestSeconds: 7 },
    joinsLeft: null,
    nodes: [{ node: 1, state: 'unreachable', block: null }],
    faults: [{ event: 'writer error', code: 'UNREACHABLE', count: 2 }],
  };
  const { admin } = await listening(200, JSON.stringify(status));
  expect((await admin('status')).stdout.split('\n')).toEqual([
    'problem: none',
    'joins per minute: 12',
    'transactions queued: 3',
    'transactions sent, not final: 4',
    'oldest queued: 7 s',
    'joins left: unknown',
    'node 1: unreachable, block unknown',
    'writer error UNREACHABLE: 2',
    '',
  ]);
  const rich = await listening(200, '{"joinsLeft":1000000}');
  expect((await rich.admin('status')).stdout).toContain('joins left: 1,000,000 or more\n');
  const embedded = await listening(200, '{"problem":"the disk is full","joinsPerMinute":0,"backlog":null}');
  expect((await embedded.admin('status', '--format', 'csv')).stdout).toBe(
    'name,value\nproblem,the disk is full\njoins per minute,0\n',
  );
});
