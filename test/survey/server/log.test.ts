/** The log identifies no person: people join, each reads the list, and the lines are compared with its order. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hashMessage } from 'ethers/hash';
import { SignJWT } from 'jose';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { destatMessage } from '../../../src/survey/protocol/message.js';
import { openKey } from '../../../src/survey/protocol/secp256k1.js';
import type { LogEntry } from '../../../src/survey/server/log.js';
import { during } from '../../peers/during.js';
import { main } from '../program.js';
import { fakeHost } from './fake-host.js';
import { joinBody, listed, request, started, survey } from './support.js';

const secret = 'a channel secret for tests only!';

interface Person {
  readonly address: string;
  readonly body: Readonly<Record<string, string>>;
}

async function person(n: number): Promise<Person> {
  const { address: account, sign } = openKey(Buffer.from(String(n + 1).padStart(64, '0'), 'hex'));
  const userId = `U${String(n).padStart(32, '0')}`;
  const idToken = await new SignJWT({})
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuer('https://access.line.me')
    .setAudience('1234567890')
    .setSubject(userId)
    .setExpirationTime('2h')
    .sign(new TextEncoder().encode(secret));
  const signature = sign(hashMessage(destatMessage(userId, account)));
  const commitment = String(1_000_003 * (n + 1));
  return {
    address: `203.0.113.${n + 1}`,
    body: { id: survey, commitment, signature, idToken, account },
  };
}

/** Those whose address appears in the lines in an order that leads to their commitment. */
function linked(lines: readonly string[], people: readonly Person[], list: readonly string[]): number {
  const seen = people
    .map((one) => ({
      one,
      at: lines.findIndex((line) => line.includes(`${one.address}"`) || line.includes(`${one.address} `)),
    }))
    .filter(({ at }) => at !== -1)
    .toSorted((a, b) => a.at - b.at);
  return seen.filter(({ one }, place) => one.body.commitment === list[place]).length;
}

test('a log that holds addresses links them: the test can fail', async () => {
  const people = await Promise.all(Array.from({ length: 24 }, (_, n) => person(n)));
  const lines = people.map(({ address }) => `{"path":"/api/group/join","from":"${address}"}`);
  const list = people.map(({ body }) => body.commitment ?? '');
  expect(linked(lines, people, list)).toBe(people.length);
});

describe.each([
  [[], true],
  [[], false],
  [['-v', '--log', 'text', '--metrics-port', '0'], false],
  [['--quiet'], false],
])('with %j on a terminal: %s', (words, isTTY) => {
  test('no line leads from a person to a commitment', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const folder = mkdtempSync(join(tmpdir(), 'kaiactl-log-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const store = join(folder, 'survey.db');
    const { host, abort, texts, line } = fakeHost(
      [
        'survey',
        'serve',
        '--port',
        '0',
        '--store',
        store,
        '--survey',
        survey,
        '--one-per-user',
        '--channel-id',
        '1234567890',
        '--trust-proxy',
        '1',
        '--rate-limit',
        '0',
        ...words,
      ],
      { KAIACTL_CHANNEL_SECRET: secret },
    );
    Object.assign(host.stderr, { isTTY });
    const ended = main(host);
    const [url] = await during(ended, line(/^http:\S+/m));
    texts.err = '';
    const people = await Promise.all(Array.from({ length: 24 }, (_, n) => person(n)));
    for (const [n, { address, body }] of people.entries()) {
      const headers = { 'x-forwarded-for': address };
      const ask = (path: string, sent?: unknown) =>
        request(`${url}${path}`, sent === undefined ? 'GET' : 'POST', sent, headers);
      expect((await ask('/api/group/join', body)).status).toBe(200);
      // What people and programs do around a join: they look, try twice, and mistype.
      await ask(`/api/group/members?id=${survey}`);
      if (n > 5) continue;
      expect((await ask('/api/group/join', body)).status).toBe(400);
      await ask('/api/group/join', { ...body, signature: '0x' });
      await ask(`/api/group/join/${body.account}`);
      await ask(`/api/group/members/${body.commitment}`, body);
    }
    const list = await listed(`${url}`);
    vi.advanceTimersByTime(3_600_000);
    abort.abort();
    expect(await ended).toBe(0);

    const all = texts.err.split('\n').filter((one) => one !== '' && !one.startsWith('serving '));
    expect(linked(all, people, list)).toBe(0);
    // Refused joins make no members: they are counted by the minute.
    const refusals = /^\{"time":"[-\d]+T\d\d:\d\dZ","refusals":|^\d\d:\d\d {2}refused joins: /;
    const lines = all.filter((one) => !refusals.test(one));
    const told = people.flatMap(({ address, body }) => {
      const { commitment = '', signature = '', idToken = '', account = '' } = body;
      return [`${address}"`, `${address} `, commitment, signature, idToken, account, account.toLowerCase()];
    });
    expect(told.filter((text) => texts.err.includes(text))).toEqual([]);
    expect(lines.filter((one) => /\d\d:\d\d/.test(one))).toEqual([]);
    const counted = /POST \/api\/group\/join 200":24\b|\b24 × POST \/api\/group\/join 200/;
    expect(lines.filter((one) => counted.test(one))).toHaveLength(words.includes('--quiet') ? 0 : 1);
    expect(lines.length).toBeLessThanOrEqual(1);
  });
});

describe('requests about groups', () => {
  function hours() {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const entries: LogEntry[] = [];
    /** The counts up to the next full hour: an answer may be read before its request is counted. */
    const counted = () => {
      vi.advanceTimersByTime(3_600_000);
      const sum: Record<string, number> = {};
      for (const entry of entries)
        for (const [kind, count] of Object.entries('requests' in entry ? entry.requests : {}))
          sum[kind] = (sum[kind] ?? 0) + count;
      return sum;
    };
    return { entries, counted, log: (entry: LogEntry) => void entries.push(entry) };
  }

  test('are counted by outcome after each full hour; the last hour is not logged', async () => {
    const { entries, log, counted } = hours();
    const { url, close } = await started({ log });
    const submit = (commitment: string) => request(`${url}/api/group/join`, 'POST', joinBody(commitment));
    for (const commitment of ['1', '1', '2', 'x']) await submit(commitment);
    await request(`${url}/nowhere/0x12`, 'GET');
    expect(entries).toEqual([]);
    await expect.poll(counted).toEqual({
      'GET unknown 404 NOT_FOUND': 1,
      'POST /api/group/join 200': 2,
      'POST /api/group/join 400 CALL_EXCEPTION': 1,
      'POST /api/group/join 400 INVALID_ARGUMENT': 1,
    });
    entries.length = 0;
    vi.advanceTimersByTime(3_600_000);
    await submit('3');
    await close();
    vi.advanceTimersByTime(3_600_000);
    expect(entries).toEqual([]);
  });

  test('refused joins are counted by reason each minute, and when the server ends', async () => {
    const { entries, log } = hours();
    const { url, close } = await started({ log });
    const submit = (commitment: string) => request(`${url}/api/group/join`, 'POST', joinBody(commitment));
    for (const commitment of ['1', '1', 'x']) await submit(commitment);
    vi.advanceTimersByTime(60_000);
    vi.advanceTimersByTime(60_000);
    await submit('1');
    await close();
    expect(entries).toEqual([
      { refusals: { LeafAlreadyExists: 1, 'invalid commitment': 1 } },
      { refusals: { LeafAlreadyExists: 1 } },
    ]);
  });

  test('that hit a defect are logged by its kind and place, without its message', async () => {
    const { counted, log } = hours();
    let isBroken = false;
    const { url } = await started({
      log,
      now: () => {
        if (!isBroken) return Date.now();
        throw new TypeError('0xB7b7Be0b3DfC6a7baE8cBCf072DeACB616242664 at 12:34');
      },
    });
    isBroken = true;
    const body = joinBody('1', { scheme: 'eip712', expiresAt: 1 });
    expect((await request(`${url}/api/group/join`, 'POST', body)).status).toBe(500);
    await expect
      .poll(() => Object.keys(counted()))
      .toEqual([expect.stringMatching(/^POST \/api\/group\/join 500 INTERNAL TypeError in [\w.#]+$/)]);
  });

  test('leave others a line each, without an address', async () => {
    const { entries, log } = hours();
    const { url } = await started({ log });
    await request(`${url}/healthz`, 'GET', undefined, { 'x-forwarded-for': '203.0.113.9' });
    await request(`${url}/api/store`, 'POST', '{}');
    await expect
      .poll(() => entries)
      .toEqual([
        { method: 'GET', path: '/healthz', status: 200, ms: expect.any(Number) },
        {
          method: 'POST',
          path: '/api/store',
          status: 400,
          ms: expect.any(Number),
          note: 'buyerAddress is not an address',
        },
      ]);
  });
});
