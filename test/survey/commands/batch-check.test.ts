/** `--check`: lists the lines of a batch that cannot join, before anything is sent. */
import { createHmac } from 'node:crypto';
import { Wallet } from 'ethers/wallet';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { destatMessage, joinTypedData, klaytnHash } from '../../../src/survey/protocol/message.js';
import { batchFiles, type CountingApi, countingApi } from '../batch-api.js';
import { kaiactl } from '../command.js';
import { refuse, serve, survey } from '../fake.js';

let api: CountingApi;
beforeEach(async () => {
  api = await countingApi();
});
afterEach(() => api.close());

const wallet = new Wallet(`0x${'22'.repeat(32)}`);
const { address: account } = wallet;
const userId = `U${'b'.repeat(32)}`;
const inAnHour = Math.floor(Date.now() / 1000) + 3600;

function tokenOf(sub: string, exp: number): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const body = `${part({ alg: 'HS256' })}.${part({ sub, exp })}`;
  return `${body}.${createHmac('sha256', 'k').update(body).digest('base64url')}`;
}
const idToken = tokenOf(userId, inAnHour);
const signature = wallet.signMessageSync(destatMessage(userId, account));

async function check(lines: readonly object[], ...words: string[]) {
  const files = batchFiles(0, lines);
  const all = [
    'survey',
    'join',
    survey,
    '--api-url',
    api.url,
    '--batch',
    files.words[1] ?? '',
    '--check',
    ...words,
  ];
  const ran = await kaiactl([...all, '--format', 'json']);
  return { ran, all, report: ran.stdout === '' ? null : JSON.parse(ran.stdout) };
}

const good = { commitment: '7', idToken, account, signature };

test('a batch in which every line can join exits with 0, sends nothing and needs no journal', async () => {
  api.members.push('7');
  const { ran, report } = await check([good, { ...good, commitment: '8' }]);
  expect(ran).toMatchObject({ code: 0, stderr: '2 lines: 1 can join, 0 cannot, 1 listed already\n' });
  expect(report).toEqual({
    survey,
    lines: 2,
    listed: 1,
    problems: [],
    unchecked: 0,
    expiring: { tokens: 0, atPerSecond: 25 },
    minPerSecond: 0.1,
  });
  expect(api.submitted.size).toBe(0);
  expect(api.asked.map(({ method }) => method)).toEqual(['GET']);
});

test('a batch without a join cannot be used, as when it is sent: exit 2', async () => {
  const { ran, report } = await check([]);
  expect(ran).toMatchObject({ code: 2, stderr: expect.stringMatching(/ holds no joins\n$/) });
  expect(report).toBeNull();
});

test('a line that is already listed needs no valid token', async () => {
  api.members.push('7');
  const { ran } = await check([{ ...good, idToken: tokenOf(userId, 1000) }]);
  expect(ran).toMatchObject({ code: 0, stderr: '1 line: 0 can join, 0 cannot, 1 listed already\n' });
});

test('a token that only the platform can read is not checked: exit 3', async () => {
  const { ran, report } = await check([good, { ...good, commitment: '8', idToken: 'garbage' }]);
  expect(ran).toMatchObject({
    code: 3,
    stderr: `2 lines: 1 can join, 0 cannot, 1 not checked
warning: 1 token is not an ID token, so only the messaging platform can check it (the first is in line 2)\n`,
  });
  expect(report).toMatchObject({ unchecked: 1, problems: [] });
});

test('tokens that expire before their turn are counted, with the rate that the batch needs', async () => {
  const now = 1_800_000_000;
  const lines = Array.from({ length: 800 }, (_, n) => ({
    commitment: String(n + 10),
    account,
    signature,
    idToken: tokenOf(userId, now + (n < 400 ? 3600 : 20)),
  }));
  const { words } = batchFiles(0, lines);
  const all = ['survey', 'join', survey, '--api-url', api.url, '--batch', words[1] ?? '', '--check'];
  const ran = await kaiactl([...all, '--format', 'json'], { now: () => 1000 * now });
  expect(ran.code).toBe(0);
  // The 500th join is sent after 20 s.
  expect(JSON.parse(ran.stdout)).toMatchObject({
    expiring: { tokens: 300, atPerSecond: 25 },
    minPerSecond: 40,
  });
  expect(ran.stderr).toContain('300 tokens expire before their turn; the batch needs 40 joins a second\n');
});

const klaytn = wallet.signingKey.sign(klaytnHash(destatMessage(userId, account))).serialized;

test.each<[string, object, object | null]>([
  [
    'an expired token',
    { idToken: tokenOf(userId, 1000) },
    { code: 'expired-token', problem: 'the id token expired at 1970-01-01T00:16:40.000Z' },
  ],
  ['a token whose expiry is no valid date', { idToken: tokenOf(userId, 1e300) }, null],
  ['a signature for another user', { idToken: tokenOf('U1', inAnHour) }, { code: 'wrong-signature' }],
  ['a signature by another account', { account: `0x${'ab'.repeat(20)}` }, { code: 'wrong-signature' }],
  ['a signature of an old Klaytn wallet', { signature: klaytn }, null],
  ['several signatures, which only the chain can judge', { signature: `${signature} ${klaytn}` }, null],
  ['half a signature', { signature: '0x12' }, { code: 'unusable' }],
  ['no account', { account: undefined }, { code: 'unusable', problem: expect.stringContaining('--account') }],
  ['a commitment of zero', { commitment: '0' }, { code: 'malformed' }],
  [
    'an unknown field',
    { secret: 'x' },
    { code: 'malformed', problem: expect.stringContaining('unknown field') },
  ],
])('%s', async (_, change, problem) => {
  const { ran, report } = await check([
    { ...good, commitment: '6' },
    { ...good, ...change },
    { ...good, commitment: '9' },
  ]);
  expect(report).toMatchObject({ lines: 3, problems: problem === null ? [] : [{ line: 2, ...problem }] });
  expect([ran.code, api.submitted.size]).toEqual([problem === null ? 0 : 1, 0]);
});

test('every line with a problem is listed, a duplicate with the line it repeats', async () => {
  const { ran, all, report } = await check([good, good, { ...good, commitment: 'x' }, good]);
  const repeats = { code: 'duplicate', problem: expect.stringMatching(/^repeats the commitment of line 1/) };
  expect(report.problems).toMatchObject([
    { line: 2, ...repeats },
    { line: 3, code: 'malformed' },
    { line: 4, ...repeats },
  ]);
  expect(ran).toMatchObject({ code: 1, stderr: '4 lines: 1 can join, 3 cannot\n' });
  const text = await kaiactl(all);
  expect(text.stdout.split('\n')[0]).toMatch(/batch\.ndjson:2 {2}duplicate {9}repeats/);
});

test('a typed signature is checked for its statement and its expiry', async () => {
  const statement = { survey, commitment: 7n, userId, account, expiresAt: inAnHour, chainId: 1001 };
  const { domain, types, value } = joinTypedData(statement);
  const typed = await wallet.signTypedData(domain, types, value);
  const words = ['--scheme', 'eip712', '--chain-id', '1001'];
  const line = { ...good, signature: typed };
  const problemsOf = async (commitment: string, expiresAt: number) =>
    (await check([{ ...line, commitment }], ...words, '--expires-at', String(expiresAt))).report.problems;
  expect(await problemsOf('7', inAnHour)).toEqual([]);
  expect(await problemsOf('8', inAnHour)).toMatchObject([{ code: 'wrong-signature' }]);
  expect(await problemsOf('7', 1000)).toMatchObject([{ code: 'expired-signature' }]);
});

test('an unknown survey is a problem of the whole batch; an API that is away is exit 3', async () => {
  const refusing = await serve(() => refuse({ shortMessage: 'no such survey' }));
  const { words } = batchFiles(0, [good]);
  const all = (url: string) => [
    'survey',
    'join',
    survey,
    '--api-url',
    url,
    '--batch',
    words[1] ?? '',
    '--check',
  ];
  const ran = await kaiactl([...all(refusing.url), '--format', 'json']);
  expect(ran).toMatchObject({ code: 1, stderr: '1 line: 0 can join, 1 cannot\n' });
  expect(JSON.parse(ran.stdout)).toMatchObject({ problems: [{ line: null, code: 'unknown-survey' }] });
  await refusing.close();
  expect(await kaiactl(all(refusing.url))).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('The survey was not checked'),
  });
});

test('--check without a batch exits with 2 and sends nothing', async () => {
  const ran = await kaiactl(['survey', 'join', survey, '--api-url', api.url, '--commitment', '7', '--check']);
  expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining('--check reads a batch') });
  expect(api.asked).toHaveLength(0);
});
