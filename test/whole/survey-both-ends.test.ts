/** The client against the server of the same project: what one says the other understands. */
import { chmodSync, writeFileSync } from 'node:fs';
import { join as path } from 'node:path';
import { expect, test } from 'vitest';
import { home, kaiactl, type Ran } from '../survey/command.js';
import { settings, started, survey, userId } from '../survey/server/support.js';

function file(name: string, text: string): string {
  const at = path(home, name);
  writeFileSync(at, text);
  chmodSync(at, 0o600);
  return at;
}
const wallet = file('wallet', '11'.repeat(32));
const token = file('access-token', 'good');
const signing = [
  '--key-file',
  wallet,
  '--id-token-file',
  token,
  '--user-id',
  userId,
  '--poll-interval',
  '5ms',
];

type Kaiactl = (...words: string[]) => Promise<Ran>;
async function server(
  change: Parameters<typeof settings>[0] = {},
): Promise<{ url: string; join: Kaiactl; members: Kaiactl }> {
  const { url } = await started(change);
  return {
    url,
    join: (...words) => kaiactl(['survey', 'join', survey, '--api-url', url, ...signing, ...words]),
    members: (...words) => kaiactl(['survey', 'members', survey, '--api-url', url, ...words]),
  };
}

test('a part of the list is sent only for a numeric range', async () => {
  const { url, join } = await server();
  for (const commitment of ['31', '32', '33']) await join('--commitment', commitment);
  const ask = async (query: string) => {
    const answer = await fetch(`${url}/api/group/members?id=${survey}${query}`);
    const body = (await answer.json()) as { data?: string; error?: string };
    return JSON.parse(body.data ?? body.error ?? '');
  };
  expect(await ask('&after=0&limit=1')).toEqual({ members: ['32'], groupId: '0', from: 1 });
  expect(await ask('&after=1')).toEqual({ members: ['33'], groupId: '0', from: 2 });
  expect(await ask('&after=7')).toEqual({ members: [], groupId: '0', from: 8 });
  expect(await ask('')).toEqual({ members: ['31', '32', '33'], groupId: '0' });
  expect(await ask('&after=-1')).toMatchObject({ shortMessage: 'invalid after' });
});

test('members who join while the list is followed are reported', async () => {
  const { url, join } = await server();
  await join('--commitment', '31');
  await join('--commitment', '32');
  const abort = new AbortController();
  const heard = (stream: string, text: string) => {
    if (text.includes('waiting')) void join('--commitment', '33');
    if (stream === 'stdout' && text.includes('33')) abort.abort();
  };
  const argv = ['survey', 'members', survey, '--api-url', url, '--follow', '--poll-interval', '3ms'];
  expect((await kaiactl(argv, { abort, heard })).stdout).toBe('31\n32\n33\n');
});

test('a join by either scheme is listed, once', async () => {
  const { join, members } = await server();
  expect(await join('--commitment', '31')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('(member 1)'),
  });
  expect(await join('--commitment', '31')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('nothing was sent'),
  });
  expect((await join('--commitment', '32', '--scheme', 'eip712')).code).toBe(0);
  const list = await members('--format', 'json');
  expect(JSON.parse(list.stdout)).toMatchObject({ groupId: '0', members: ['31', '32'], count: 2 });
});

test('the client reports the server’s refusals', async () => {
  const { join } = await server({ policy: { onePerUser: false, scheme: 'eip712' } });
  const old = await join('--commitment', '31');
  expect(old).toMatchObject({ code: 1, stderr: expect.stringMatching(/refused: .*eip712/) });
  const foreign = await join('--commitment', '31', '--scheme', 'eip712', '--user-id', 'U2');
  expect(foreign).toMatchObject({ code: 1, stderr: expect.stringContaining('Nothing was joined') });
  const chain = await join('--commitment', '31', '--scheme', 'eip712', '--chain-id', '5');
  expect(chain).toMatchObject({ code: 1, stderr: expect.stringContaining('another chain') });
  const stale = await join('--commitment', '31', '--scheme', 'eip712', '--expires-at', '1000');
  expect(stale).toMatchObject({ code: 1, stderr: expect.stringContaining('expired') });
});

test('one join for each user, and an unknown survey', async () => {
  const { join } = await server({ policy: { onePerUser: true, scheme: 'any' } });
  expect((await join('--commitment', '31')).code).toBe(0);
  expect(await join('--commitment', '32')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('refused'),
  });
  const { url } = await started();
  const unknown = `0x${'ab'.repeat(20)}`;
  const other = await kaiactl(['survey', 'members', unknown, '--api-url', url]);
  expect(other).toMatchObject({ code: 1, stderr: expect.stringContaining('no such survey') });
  const words = ['survey', 'join', unknown, '--api-url', url, ...signing, '--commitment', '33'];
  expect(await kaiactl(words)).toMatchObject({ code: 1, stderr: expect.stringContaining('no such survey') });
});

test('a server that limits its callers slows a batch down, and loses nothing of it', async () => {
  const limits = { ...(await settings()).limits, perMinute: 6 };
  const { join } = await server({ limits });
  const batch = file('batch', Array.from({ length: 9 }, (_, n) => `{"commitment":"${n + 50}"}\n`).join(''));
  const words = [
    '--batch',
    batch,
    '--journal',
    path(home, 'journal'),
    '--timeout',
    '20ms',
    '--max-outage',
    '5s',
    '--format',
    'json',
  ];
  const ran = await join(...words);
  expect(ran).toMatchObject({ code: 3, stderr: expect.stringContaining('too many requests') });
  const { joins } = JSON.parse(ran.stdout) as { joins: { status: string }[] };
  expect(joins.map(({ status }) => status)).toContain('open');
  expect(joins.map(({ status }) => status)).not.toContain('refused');
});
