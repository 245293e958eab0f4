/** What the verbs of the survey share: secrets, numbers, sentences about the API, what a join prints. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Host } from '../../../src/host.js';
import type { ClientError } from '../../../src/survey/client/client-error.js';
import {
  batchCode,
  batchReport,
  batchSummary,
  checkNow,
  dryRun,
  joinReporter,
  span,
  wallNote,
} from '../../../src/survey/commands/join-report.js';
import { listing, summary } from '../../../src/survey/commands/member-list.js';
import { readSecret, secrets } from '../../../src/survey/commands/secrets.js';
import {
  clientErrorOf,
  openSession,
  type Session,
  sentenceOf,
} from '../../../src/survey/commands/session.js';
import { fakeHost } from '../server/fake-host.js';

const survey = '0x6b6664134a7bf5A4519B95bC2331bC8405633d4f';

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'kaiactl-secrets-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

function file(text: string, mode = 0o600): string {
  const path = join(folder(), 'secret');
  writeFileSync(path, text);
  chmodSync(path, mode);
  return path;
}

const here = { cwd: '/' };

describe('a secret from a file', () => {
  test('is trimmed and limited in length', () => {
    expect(readSecret(file(' \n word \n'), 'key-file', here)).toEqual({ text: 'word', shared: false });
    expect(readSecret(file('x'.repeat(1 << 16)), 'key-file', here).text).toHaveLength(1 << 16);
    for (const mode of [0o640, 0o604, 0o620])
      expect(readSecret(file('x', mode), 'key-file', here).shared).toBe(true);
  });

  test.each<[string, () => string, string]>([
    ['empty', () => file(' \n '), 'it is empty'],
    ['too long', () => file('x'.repeat((1 << 16) + 1)), 'it is longer than 64 KiB'],
    ['without end', () => '/dev/zero', 'it is longer than 64 KiB'],
    ['not there', () => '/nowhere', 'there is no such file'],
    ['a folder', folder, 'it is a folder'],
  ])('that is %s is rejected', (_, path, why) => {
    const at = path();
    expect(() => readSecret(at, 'key-file', here)).toThrow(`cannot read the key from ${at}: ${why}`);
  });
});

test.each<[string, string]>([
  ['a key', `0x${'44'.repeat(32)}`],
  ['a key without 0x', '44'.repeat(32)],
  ['a channel secret', '0123456789abcdef0123456789abcdef'],
  ['a token', `${'aB3-'.repeat(10)}.${'x_'.repeat(400)}.${'y'.repeat(43)}`],
  ['a keystore', '{"version":3}'],
  ['credentials', 'client-id=1\nclient-secret=2'],
  ['PEM', '-----BEGIN PRIVATE KEY-----'],
  ['base64', 'Zm9vYmFyYmF6/Zm9vYmFyYmF6+1'],
])('%s instead of the path of its file is not shown', async (_, value) => {
  const message = '--key-file takes the path of a file, and got what looks like the secret itself';
  await expect(reading().read(value, 'key-file', 'key')).rejects.toMatchObject({ message });
});

test.each([
  'survey-manager-key-2026',
  'keys/0123456789abcdef0123456789abcdef/wallet',
  './Wallet.of.Member-7',
])('the path %s is shown when there is no such file', async (path) => {
  await expect(reading().read(path, 'key-file', 'key')).rejects.toThrow(
    `${path.replace('./', '')}: there is`,
  );
});

/** Secrets of a host with this on its stdin, and what is said about them. */
function reading(stdin: string[] = [], platform: Host['platform'] = 'linux') {
  const said: string[] = [];
  const { host } = fakeHost([]);
  const session = { say: async (line: string) => void said.push(line) } as unknown as Session;
  return { said, read: secrets({ ...host, platform, stdin: Readable.from(stdin) as never }, session).read };
}

describe('a secret of the command line', () => {
  test('is read from stdin once and returned each time it is needed', async () => {
    const { read } = reading([' wo', 'rd\n']);
    expect(await read('-', 'key-file', 'key')).toBe('word');
    expect(await read('-', 'key-file', 'key')).toBe('word');
    await expect(read('-', 'id-token-file', 'lesser')).rejects.toMatchObject({
      message: 'stdin cannot be both the key and the id token',
      hint: 'Put one in a file.',
    });
  });

  test('from stdin must not be empty or endless', async () => {
    await expect(reading([' \n']).read('-', 'key-file', 'key')).rejects.toThrow('stdin is empty');
    const most = 'x'.repeat(1 << 16);
    expect(await reading([most]).read('-', 'key-file', 'key')).toBe(most);
    await expect(reading([most, 'x']).read('-', 'key-file', 'key')).rejects.toThrow('too long to be the key');
  });

  test('that others may read is rejected, reported or accepted depending on its use', async () => {
    const shared = file('word', 0o640);
    const { read, said } = reading();
    await expect(read(shared, 'key-file', 'key')).rejects.toMatchObject({
      message: `the key in ${shared} can be read by other users; it is not used`,
      hint: `chmod 600 ${shared}`,
    });
    expect(await read(shared, 'identity-file', (text) => (text === 'word' ? 'none' : 'key'))).toBe('word');
    expect(said).toEqual([]);
    expect(await read(shared, 'id-token-file', 'lesser')).toBe('word');
    expect(said).toEqual([
      `warning: the id token in ${shared} can be read by other users; chmod 600 ${shared}`,
    ]);
    const windows = reading([], 'win32');
    expect(await windows.read(shared, 'key-file', 'key')).toBe('word');
    expect(windows.said).toEqual([expect.stringContaining('Windows has no file modes')]);
    expect(await reading().read(file('word'), 'key-file', 'key')).toBe('word');
  });
});

describe('a sentence about the API', () => {
  const session = { base: new URL('http://127.0.0.1:7/x') } as Session;
  const error = (change: object) =>
    ({ kind: 'refused', sentence: 'no', hint: null, ...change }) as unknown as ClientError;

  test.each([
    ['refused', 'the survey API refused: no', 1],
    ['unavailable', 'the survey API cannot do it now: no', 3],
    ['broken', 'the survey API at 127.0.0.1:7 gave no usable answer: no', 3],
    ['unreachable', 'the survey API at 127.0.0.1:7 could not be reached: no', 3],
  ])('that %s', (kind, sentence, exitCode) => {
    expect(sentenceOf(error({ kind }), session)).toBe(sentence);
    const told = clientErrorOf(error({ kind, hint: 'Look.' }), session, ['Nothing was sent.']);
    expect(told).toMatchObject({ message: sentence, exitCode, hint: 'Look.', notes: ['Nothing was sent.'] });
    expect(clientErrorOf(error({ kind }), session).hint ?? null).toBeNull();
  });

  test('a warning is printed once, other news each time, and nothing with --quiet', async () => {
    const said = async (quiet: boolean) => {
      const { host, texts } = fakeHost([]);
      const options = { apiUrl: 'http://127.0.0.1:7', requestTimeout: '1s', quiet } as never;
      const { say } = openSession(options, host);
      for (const line of ['warning: a', 'news', 'warning: a', 'warning: b', 'news']) await say(line);
      return texts.err;
    };
    expect(await said(false)).toBe('warning: a\nnews\nwarning: b\nnews\n');
    expect(await said(true)).toBe('');
  });
});

describe('the output of a join', () => {
  const request = { id: survey, commitment: '7', account: '0xa', signature: '0x1234', idToken: 'token' };
  const nothing = { index: null, tookMs: null };
  const told = async (news: object, format: 'text' | 'json' = 'text') => {
    const { host, texts } = fakeHost([]);
    const code = await joinReporter(request as never, format, host).end({ ...nothing, ...news });
    return [code, format === 'json' ? JSON.parse(texts.out) : texts.out];
  };

  test.each<[object, string]>([
    [{ status: 'listed', tookMs: 99, index: 0 }, 'listed     at once (member 1)\n'],
    [{ status: 'listed', tookMs: 100, index: 0 }, 'listed     after 0.1 s (member 1)\n'],
    [{ status: 'listed', tookMs: 2100, index: 9 }, 'listed     after 2.1 s (member 10)\n'],
    [{ status: 'listed', index: 9 }, 'listed     at once (member 10)\n'],
    [{ status: 'listed', tookMs: 1 }, 'listed     at once (in the contract, not in the API’s list)\n'],
    [{ status: 'already-listed', index: 2 }, 'listed     before this run (member 3); nothing was sent\n'],
    [{ status: 'submitted', transaction: '0x12', block: 5 }, 'submitted  0x12  block 5\n'],
    [
      { status: 'submitted', transaction: `0x${'12'.repeat(32)}`, block: null },
      'submitted  0x12121212…1212\n',
    ],
    [{ status: 'unknown' }, ''],
    [{ status: 'refused' }, ''],
  ])('%j', async (news, line) => {
    expect(await told(news)).toEqual([0, line]);
  });

  test('as JSON is one document, at the end', async () => {
    const [code, report] = await told({ status: 'listed', index: 4 }, 'json');
    expect([code, report]).toMatchObject([0, { survey, commitment: '7', account: '0xa', status: 'listed' }]);
  });

  test('of a failure is its document, then its sentence; interrupted it ends with 130', async () => {
    const { host, texts, abort } = fakeHost([]);
    const failure = clientErrorOf(
      { kind: 'broken', sentence: 'no', hint: null } as never,
      { base: new URL('http://x') } as Session,
    );
    const reporter = joinReporter(request as never, 'json', host);
    await expect(reporter.fail('unknown', failure)).rejects.toBe(failure);
    expect(JSON.parse(texts.out)).toMatchObject({ status: 'unknown', problem: failure.message });
    expect(texts.err).toBe('');
    abort.abort('SIGINT');
    expect(await reporter.fail('unknown', failure)).toBe(130);
    expect(texts.err).toContain(failure.message);
  });

  test('of a dry run holds no secret', () => {
    const base = new URL('http://127.0.0.1:7/x/');
    const both = { ...request, signature: ['0x12', '0x3456'] } as never;
    expect(JSON.parse(dryRun(both, base, 'json'))).toEqual({
      dryRun: true,
      to: 'http://127.0.0.1:7/x/api/group/join',
      request: {
        id: survey,
        commitment: '7',
        account: '0xa',
        idToken: '(5 characters, not shown)',
        signature: '(4 characters, not shown), (6 characters, not shown)',
      },
    });
    expect(dryRun(both, base, 'text')).toMatch(
      /^would POST http:\/\/127\.0\.0\.1:7\/x\/api\/group\/join\n( {2}\w+ +.*\n){5}$/,
    );
    expect(dryRun(both, base, 'text')).not.toMatch(/0x12|0x3456|token\n/);
  });

  test('names a list that ends at a full page, and how to look', () => {
    const notes = (size: number) => wallNote({ place: { size } } as never);
    expect([notes(100).length, notes(200).length]).toEqual([1, 1]);
    for (const size of [0, 99, 101]) expect(notes(size)).toEqual([]);
    expect(wallNote({ place: null } as never)).toEqual([]);
    expect(checkNow(request as never, new URL('http://127.0.0.1:7'))).toBe(
      `Check with: kaiactl survey members ${survey} --contains 7 --api-url http://127.0.0.1:7/`,
    );
    expect([span(2100), span(119_999), span(120_000), span(150_000)]).toEqual([
      '2.1 s',
      '120.0 s',
      '2 min',
      '2.5 min',
    ]);
  });
});

describe('a list', () => {
  const seen = (members: string[], verified: boolean | null = null) => ({
    subject: { survey },
    list: { groupId: '4', members },
    root: 9n,
    verified,
    disagreements: [],
  });

  test('is summed up in a line', () => {
    expect(summary(seen(['7']))).toBe('1 member, group 4');
    expect(summary(seen([]))).toBe('0 members, group 4');
    expect(summary(seen(['7', '0', '8'], true))).toBe(
      '2 members, group 4, 1 removed, root matches the contract',
    );
    expect(summary(seen(['7'], false))).toBe('1 member, group 4');
  });

  test('is counted in each format', () => {
    const count = (format: 'text' | 'json' | 'csv') =>
      listing(seen(['7', '0'], true), { format, count: true });
    expect([count('text'), count('csv')]).toEqual(['1\n', '1\n']);
    expect(JSON.parse(count('json'))).toEqual({ survey, groupId: '4', count: 1, verified: true });
  });
});

describe('a batch', () => {
  const states = [
    'listed',
    'accepted',
    'sent',
    'refused',
    'unknown',
    'submitting',
    'unsent',
    'failed',
  ] as const;
  const lines: string[] = [...states, 'none'];
  const latest = new Map(
    states.map((state, n) => [
      state as string,
      { commitment: state, state, at: 0, ...(n === 0 ? { index: 4 } : n === 3 ? { problem: 'why' } : {}) },
    ]),
  );
  const only = (state: string) => lines.filter((commitment) => commitment === state);

  test('is reported in the order of its file; a request without an answer is unknown', () => {
    expect([...batchReport(survey, lines, latest, new Map(), 'text')].join('').split('\n')).toEqual([
      'listed   listed  member 5',
      'accepted accepted',
      'sent     sent',
      'refused  refused  why',
      'unknown  unknown',
      'unknown  submitting',
      'open     unsent',
      'open     failed',
      'open     none',
      '',
    ]);
    expect(batchSummary(lines, latest, 0)).toMatch(
      /^9 joins: 1 listed, 1 accepted.*, 1 sent.*, 1 refused, 2 with an unknown outcome, 3 not submitted$/,
    );
    expect(batchSummary(only('listed'), latest, 1)).toBe('1 join: 1 listed; 1 fault');
    expect(JSON.parse([...batchReport(survey, only('listed'), latest, new Map(), 'json')].join(''))).toEqual({
      survey,
      joins: [{ commitment: 'listed', status: 'listed', transaction: null, index: 4, problem: null }],
    });
    const many = Array.from({ length: 2001 }, (_, n) => String(n));
    const parts = [...batchReport(survey, many, latest, new Map(), 'json')];
    expect(JSON.parse(parts.join('')).joins.map((one: { commitment: string }) => one.commitment)).toEqual(
      many,
    );
    expect(parts.length).toBeGreaterThan(3);
  });

  test.each<[string, boolean, number]>([
    ['listed', true, 0],
    ['accepted', true, 4],
    ['accepted', false, 0],
    ['sent', true, 4],
    ['sent', false, 0],
    ['refused', true, 1],
    ['unknown', true, 3],
    ['submitting', true, 3],
    ['failed', false, 3],
  ])('of one that is %s, waited for: %s, ends with %i', (state, waited, code) => {
    expect(batchCode(only(state), latest, waited, false)).toBe(code);
    expect(batchCode(only(state), latest, waited, true)).toBe(130);
  });

  test('exits with the code of its worst join', () => {
    expect(batchCode(lines, latest, true, false)).toBe(3);
    expect(batchCode([...only('refused'), ...only('accepted')], latest, true, false)).toBe(1);
  });
});
