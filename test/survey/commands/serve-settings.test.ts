/** The settings of `survey serve` from its options, before anything is opened. */
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { describe, expect, onTestFinished, test } from 'vitest';
import { explain, type KaiactlError } from '../../../src/errors.js';
import type { Host } from '../../../src/host.js';
import { type ServeOptions, serveOptions } from '../../../src/survey/commands/options/serve.js';
import { requestLog } from '../../../src/survey/commands/serve-base.js';
import { serveSettings } from '../../../src/survey/commands/serve-settings.js';
import type { LogEntry } from '../../../src/survey/server/log.js';
import { participantSecret } from '../../../src/survey/store/participant-secret.js';
import { fakeHost } from '../server/fake-host.js';

const survey = '0x6b6664134a7bf5A4519B95bC2331bC8405633d4f';
const key = `0x${'42'.repeat(32)}`;

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'kaiactl-settings-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

interface Setting {
  readonly env?: Host['env'];
  readonly cwd?: string;
}

const optionsOf = (words: readonly string[]) =>
  serveOptions(new Command())
    .parse([...words], { from: 'user' })
    .opts() as ServeOptions;

function settled(words: readonly string[], { env = {}, cwd = '/' }: Setting = {}) {
  return serveSettings(optionsOf(words), { ...fakeHost([], env).host, cwd });
}

/** On chain, where no file is needed. */
const onChain = (words: readonly string[], setting: Setting = {}) =>
  settled(['--rpc-url', 'http://127.0.0.1:8551', ...words], setting);

/** The sentence and the hint of what is refused. */
async function refusal(work: () => Promise<unknown>): Promise<string> {
  try {
    await work();
  } catch (error) {
    return explain(error as KaiactlError).join('\n');
  }
  throw new Error('nothing was refused');
}

function file(name: string, text: string, mode = 0o600): string {
  const path = join(folder(), name);
  writeFileSync(path, text);
  chmodSync(path, mode);
  return path;
}

test.each([
  ['--manager-key-file', 'k'],
  ['--factory', survey],
  ['--max-fee', '25'],
  ['--chain-timeout', '2m'],
])('%s without a node is refused', async (...words) => {
  const said = await refusal(() => settled(['--store', 'survey.db', ...words], { cwd: folder() }));
  expect(said).toContain(`${words[0]} needs --rpc-url`);
});

describe('without more than a store', () => {
  test('every option has its documented default', async () => {
    const cwd = folder();
    const { settings, notes } = await settled(['--store', 'survey.db'], { cwd });
    expect(notes).toEqual(['joins are off: --channel-id is missing']);
    expect(settings).toMatchObject({
      host: '127.0.0.1',
      port: 8787,
      operations: null,
      origins: [],
      surveys: [],
      policy: { onePerUser: false, scheme: 'any' },
      chain: null,
      tokens: null,
      portal: null,
      tls: null,
      budget: { perSurvey: 100_000, perUser: 100 },
      limits: { perMinute: 1500, bodyBytes: 65_536, requestMs: 15_000, trustProxy: false },
      live: { secret: null, items: null, testPayments: true },
      adminSocket: join(cwd, 'survey.db.admin'),
    });
  });

  test('the secret of its participants is made beside it, and kept', async () => {
    const cwd = folder();
    const secretOf = async (...words: string[]) =>
      (await settled(['--store', 'survey.db', ...words], { cwd })).settings.secret;
    const first = await secretOf();
    expect(statSync(join(cwd, 'survey.db.secret')).mode & 0o777).toBe(0o600);
    expect(await secretOf()).toEqual(first);
    expect(await secretOf('--participant-secret-file', 'other')).not.toEqual(first);
    expect(existsSync(join(cwd, 'other'))).toBe(true);
  });

  test('the store opens where it was named, with that secret', async () => {
    const cwd = folder();
    const { settings } = await settled(['--store', 'survey.db'], { cwd });
    const storage = await settings.openStorage();
    expect(existsSync(join(cwd, 'survey.db'))).toBe(true);
    await storage.close();
  });
});

test('with a node alone nothing is stored, joins are off, no file is created', async () => {
  const cwd = folder();
  const { settings, notes } = await onChain([], { cwd });
  expect(notes).toEqual([
    'joins are off: --manager-key-file is missing',
    'joins are off: --channel-id is missing',
  ]);
  expect(settings.chain).toEqual({
    rpcUrls: ['http://127.0.0.1:8551'],
    managerKey: null,
    fromBlock: null,
    chainId: null,
    factories: [],
    spending: { maxGas: 3_000_000n, maxFee: 750_000_000_000n },
    rpcTimeoutMs: 20_000,
    minedMs: 60_000,
  });
  expect(settings.adminSocket).toBeNull();
  expect(settings.secret).toHaveLength(32);
  expect((await onChain([], { cwd })).settings.secret).not.toEqual(settings.secret);
});

test('chain options are accepted, addresses with their checksum', async () => {
  const words = ['--from-block', '12', '--chain-id', '1001', '--max-gas', '5', '--max-fee', '25'];
  const { settings, notes } = await onChain(
    [...words, '--factory', survey.toLowerCase(), '--survey', survey.toLowerCase(), '--chain-timeout', '2m'],
    { env: { KAIACTL_MANAGER_KEY: key } },
  );
  expect(settings.chain).toMatchObject({
    managerKey: key,
    fromBlock: 12,
    chainId: 1001,
    factories: [survey],
    minedMs: 120_000,
    spending: { maxGas: 5n, maxFee: 25_000_000_000n },
  });
  expect(settings.surveys).toEqual([survey]);
  expect(notes).not.toContain('joins are off: --manager-key-file is missing');
});

test('a database that servers share: one secret for all, and a socket only where one is named', async () => {
  const cwd = folder();
  const shared = ['--store', 'postgres://survey@127.0.0.1/x', '--participant-secret-file', 'secret'];
  participantSecret(join(cwd, 'secret'));
  const { settings } = await settled(shared, { cwd });
  expect(settings.adminSocket).toBeNull();
  expect((await settled(shared, { cwd })).settings.secret).toEqual(settings.secret);
  expect((await settled([...shared, '--admin-socket', 'here'], { cwd })).settings.adminSocket).toBe(
    join(cwd, 'here'),
  );
});

test.each([
  'postgres://survey:word@127.0.0.1/x',
  'postgres://:word@127.0.0.1/x',
  'postgres://127.0.0.1/x?password=word',
  'postgres://127.0.0.1/x?user=survey&password=word',
])('a password in %s is rejected because every user can read it', async (place) => {
  expect(await refusal(() => settled(['--store', place]))).toMatch(
    /--store holds a password.*\n.*PGPASSWORD/,
  );
});

test.each([
  ['127.0.0.1', true],
  ['127.1.2.3', true],
  ['localhost', true],
  ['::1', true],
  ['0.0.0.0', false],
  ['::', false],
  ['::12', false],
  ['10.127.0.1', false],
  ['localhost.example', false],
  ['my-localhost', false],
  ['127.0.0.1.example', false],
  ['127.example', false],
])('the address %s is loopback: %s', async (host, loopback) => {
  const { notes } = await onChain(['--host', host, '--port', '8080']);
  const exposed = notes.filter((note) => note.includes('unencrypted'));
  expect(exposed).toHaveLength(loopback ? 0 : 1);
  if (!loopback) expect(exposed[0]).toContain(`port 8080 of ${host} unencrypted`);
});

test.each<[string, unknown]>([
  ['1', 1],
  ['12', 12],
  ['10.0.0.0/8', ['10.0.0.0/8']],
  ['10.0.0.0/32, fd00::/128', ['10.0.0.0/32', 'fd00::/128']],
  ['192.0.2.7', ['192.0.2.7']],
])('--trust-proxy %s', async (text, expected) => {
  expect((await onChain(['--trust-proxy', text])).settings.limits.trustProxy).toEqual(expected);
});

test.each([
  '0',
  '123',
  '10.0.0.0/0',
  '10.0.0.0/08',
  '10.0.0.0/33',
  '10.0.0.0/x8',
  '10.0.0.0/8/8',
  '10.0.0.0/1234',
  'fd00::/129',
  'proxy.example',
  '10.0.0.0/8,',
  '10.0.0.0/8x',
  '',
])('--trust-proxy %j is neither a count nor networks', async (text) => {
  expect(await refusal(() => onChain(['--trust-proxy', text]))).toMatch(
    /--trust-proxy .* neither.*\n.*Write 1 /,
  );
});

test('integers have a limit and one spelling', async () => {
  expect((await onChain(['--port', '65535', '--metrics-port', '65535'])).settings).toMatchObject({
    port: 65_535,
    operations: { host: '127.0.0.1', port: 65_535, health: false },
  });
  const limits = ['--rate-limit', '1000000', '--body-limit', '10000000', '--receive-timeout', '1ms'];
  expect((await onChain(limits)).settings.limits).toMatchObject({
    perMinute: 1_000_000,
    bodyBytes: 10_000_000,
    requestMs: 1,
  });
  const budget = ['--joins-per-survey', '0', '--joins-per-user', '999999999'];
  expect((await onChain(budget)).settings.budget).toEqual({ perSurvey: 0, perUser: 999_999_999 });
  for (const text of ['65536', '-1', '1e3', '0x10', '', ' 1', '1 ', '1.0', '0000000001'])
    expect(await refusal(() => onChain(['--port', text]))).toBe(
      `kaiactl: --port ${text} is not a whole number from 0 to 65535`,
    );
});

test('times are positive, and at most the longest timer', async () => {
  for (const text of ['0s', 'soon', '-1s', '', '597h'])
    expect(await refusal(() => onChain(['--chain-timeout', text]))).toMatch(
      /--chain-timeout .* is not a time\n.*Write 500ms, 15s or 2m/,
    );
});

test('URLs are http, and end without slashes', async () => {
  const chainAt = async (text: string) => (await settled(['--rpc-url', text])).settings.chain?.rpcUrls;
  expect(await chainAt('https://node.example/path//')).toEqual(['https://node.example/path']);
  for (const text of ['ws://node.example', 'shttp://x', 'https', 'xhttps://x'])
    expect(await refusal(() => chainAt(text))).toBe('kaiactl: --rpc-url is not an http(s) URL');
});

test('origins are accepted only as browsers send them', async () => {
  const origins = ['https://app.example', 'http://localhost:3000'];
  expect((await onChain(origins.flatMap((one) => ['--cors-origin', one]))).settings.origins).toEqual(origins);
  for (const text of ['https://app.example/', 'https://APP.example', 'https://app.example:443', 'null'])
    expect(await refusal(() => onChain(['--cors-origin', text]))).toMatch(
      /is not an origin\n.*without a path/,
    );
});

test('a start says in a line each what it leaves open, and with which switch it is closed', async () => {
  const cwd = folder();
  const stored = ['--store', 'survey.db', '--channel-id', '123'];
  const notes = async (...more: string[]) => (await settled([...stored, ...more], { cwd })).notes.join('\n');
  const [repeated, replayed] = [
    /^a user may join any .*--one-per-user/m,
    /^signatures .* replayed.*--scheme eip712/m,
  ];
  const open = await notes();
  expect(open).toMatch(repeated);
  expect(open).toMatch(replayed);
  expect(await notes('--one-per-user')).not.toMatch(repeated);
  expect(await notes('--scheme', 'eip712')).not.toMatch(replayed);
});

describe('the platform', () => {
  test('is the documented one unless it is named', async () => {
    const { settings } = await onChain(['--channel-id', '123']);
    expect(settings.tokens).toEqual({
      channelId: '123',
      issuer: 'https://access.line.me',
      channelSecret: null,
      verifyUrl: null,
      jwksUrl: 'https://api.line.me/oauth2/v2.1/certs',
      accessVerifyUrl: 'https://api.line.me/oauth2/v2.1/verify',
      profileUrl: 'https://api.line.me/v2/profile',
      timeoutMs: 10_000,
    });
    const named = [
      '--token-issuer',
      'https://i',
      '--jwks-url',
      'https://j/',
      '--token-verify-url',
      'https://t',
    ];
    const others = ['--access-token-verify-url', 'https://a', '--profile-url', 'https://p'];
    const words = ['--channel-id', '123', ...named, ...others, '--upstream-timeout', '3s'];
    expect((await onChain(words, { env: { KAIACTL_CHANNEL_SECRET: 'word' } })).settings.tokens).toEqual({
      channelId: '123',
      issuer: 'https://i',
      channelSecret: 'word',
      verifyUrl: 'https://t',
      jwksUrl: 'https://j',
      accessVerifyUrl: 'https://a',
      profileUrl: 'https://p',
      timeoutMs: 3000,
    });
  });

  test('a warning names a secret file that others can read; the environment overrides it', async () => {
    const shared = file('channel secret', 'word\n', 0o640);
    const words = ['--channel-id', '123', '--channel-secret-file', shared];
    const { settings, notes } = await onChain(words);
    expect(settings.tokens?.channelSecret).toBe('word');
    expect(notes).toContain(
      `the channel secret in ${shared} can be read by other users; chmod 600 '${shared}'`,
    );
    const env = async (KAIACTL_CHANNEL_SECRET: string) =>
      (await onChain(words, { env: { KAIACTL_CHANNEL_SECRET } })).settings.tokens?.channelSecret;
    expect([await env('other'), await env('')]).toEqual(['other', 'word']);
    chmodSync(shared, 0o600);
    expect((await onChain(words)).notes.join()).not.toContain('channel secret');
  });
});

describe('the portal', () => {
  const words = ['--payment-url', 'https://portal.example/', '--public-url', 'https://api.example/survey/'];
  const settingsOf = async (more: readonly string[], env: Host['env'] = {}) =>
    (await onChain([...words, ...more], { env })).settings.portal?.('http://127.0.0.1:1');

  test('with test payments, a note says that they cost nothing', async () => {
    const env = { KAIACTL_PAYMENT_CLIENT_ID: 'id', KAIACTL_PAYMENT_CLIENT_SECRET: 'word' };
    const notes = async (...more: string[]) => (await onChain([...words, ...more], { env })).notes.join();
    expect(await notes()).toContain('--no-test-payments refuses them');
    expect(await notes('--no-test-payments')).not.toContain('test payments');
  });

  test('calls back below the public URL', async () => {
    const env = { KAIACTL_PAYMENT_CLIENT_ID: 'id', KAIACTL_PAYMENT_CLIENT_SECRET: 'word' };
    expect(await settingsOf([], env)).toEqual({
      clientId: 'id',
      clientSecret: 'word',
      callbackField: 'confirmCallbackUrl',
      timeoutMs: 10_000,
      url: 'https://portal.example',
      confirmUrl: 'https://api.example/survey/api/store/callback',
      lockUrl: 'https://api.example/survey/api/store/lock',
      unlockUrl: 'https://api.example/survey/api/store/unlock',
    });
  });

  test('knows the server by a file or by the environment, which may not differ', async () => {
    const both = [
      '--payment-credentials-file',
      file('both', '# portal\n client-id = id \nclient-secret=word\n'),
    ];
    expect(await settingsOf(both)).toMatchObject({ clientId: 'id', clientSecret: 'word' });
    const empty = { KAIACTL_PAYMENT_CLIENT_ID: '', KAIACTL_PAYMENT_CLIENT_SECRET: 'word' };
    expect(await settingsOf(both, empty)).toMatchObject({ clientId: 'id', clientSecret: 'word' });
    expect(await refusal(() => settingsOf(both, { KAIACTL_PAYMENT_CLIENT_SECRET: 'other' }))).toMatch(
      /KAIACTL_PAYMENT_CLIENT_SECRET and client-secret of --payment-credentials-file differ/,
    );
    for (const text of ['client-id=id', 'client-secret=word', 'client-id=\nclient-secret=word', 'id word'])
      expect(await refusal(() => settingsOf(['--payment-credentials-file', file('half', text)]))).toMatch(
        /needs the portal’s client id and secret\n.*--payment-credentials-file/,
      );
  });

  test('real payments: who may ask, and for what', async () => {
    const items = file(
      'items.ini',
      '[sticker]\nprice = 1.5\npg-type = CRYPTO\ncurrency-code = KAIA\n[gem]\nprice=750\ncurrency-code=KRW\npg-type=STRIPE\n',
    );
    const { settings } = await onChain([
      '--items',
      items,
      '--operator-secret-file',
      file('operator', 'word'),
    ]);
    expect(settings.live).toMatchObject({ secret: 'word', testPayments: true });
    expect((await onChain(['--no-test-payments'])).settings.live.testPayments).toBe(false);
    expect([...(settings.live.items ?? [])]).toEqual([
      ['sticker', { pgType: 'CRYPTO', currencyCode: 'KAIA', price: '1.5' }],
      ['gem', { pgType: 'STRIPE', currencyCode: 'KRW', price: '750' }],
    ]);
    const shared = file('operator', 'word', 0o604);
    expect(await refusal(() => onChain(['--operator-secret-file', shared]))).toMatch(
      /the operator’s secret in .* is not used\n.*chmod 600 /,
    );
    expect((await onChain([], { env: { KAIACTL_OPERATOR_SECRET: 'word' } })).settings.live.secret).toBe(
      'word',
    );
  });
});

test('a certificate goes with its key, which is for its owner alone', async () => {
  const [cert, own, shared] = [file('cert', 'CERT', 0o644), file('key', 'KEY'), file('key', 'KEY', 0o640)];
  const exposed = ['--host', '0.0.0.0'];
  const { settings, notes } = await onChain([...exposed, '--tls-cert', cert, '--tls-key', own]);
  expect(settings.tls).toEqual({ cert: 'CERT', key: 'KEY' });
  expect(notes.join()).not.toMatch(/unencrypted|certificate/);
  for (const words of [
    ['--tls-cert', cert],
    ['--tls-key', own],
  ])
    expect(await refusal(() => onChain(words))).toContain('--tls-cert and --tls-key go together');
  expect(await refusal(() => onChain(['--tls-cert', cert, '--tls-key', shared]))).toContain('is not used');
});

test('options that keep state need a store', async () => {
  expect(await refusal(() => settled([]))).toMatch(/needs a store for its groups\n.*--sandbox/);
  expect(await refusal(() => onChain(['--one-per-user']))).toContain('--one-per-user needs --store');
  const cwd = folder();
  const { settings } = await onChain(['--one-per-user', '--store', 'a.db', '--scheme', 'eip712'], {
    cwd,
  });
  expect(settings).toMatchObject({ policy: { onePerUser: true, scheme: 'eip712' } });
  expect(await refusal(() => settled(['--store', 'postgres://u@127.0.0.1/x']))).toMatch(
    /needs a shared participant secret\n.*--participant-secret-file/,
  );
});

describe('the log of requests', () => {
  const entry = { status: 200, method: 'GET', path: '/x', ms: 3 };
  const logged = (words: readonly string[], isTTY: boolean, one: LogEntry) => {
    const { host, texts } = fakeHost([]);
    Object.assign(host.stderr, { isTTY });
    requestLog(optionsOf(words), { ...host, now: () => Date.UTC(2026, 0, 2, 3, 4, 5, 678) })(one);
    return texts.err;
  };
  const json = `${JSON.stringify({ time: '2026-01-02T03:04:05.678Z', ...entry })}\n`;
  const text = '03:04:05  200  GET /x  3 ms\n';

  test.each<[string[], boolean, string]>([
    [[], false, json],
    [[], true, text],
    [['--log', 'json'], true, json],
    [['--log', 'text'], false, text],
    [['--log', 'off'], true, ''],
    [['--quiet'], true, ''],
    [['--quiet', '--log', 'text'], false, text],
  ])('%j on a terminal: %s', async (words, isTTY, expected) => {
    expect(logged(words, isTTY, entry)).toBe(expected);
  });

  test('the server’s events have names and codes', async () => {
    const event = { event: 'writer error', code: 'UNREACHABLE' };
    expect(logged([], true, event)).toBe('03:04:05  writer error  UNREACHABLE\n');
    expect(JSON.parse(logged([], false, event))).toMatchObject(event);
  });

  test('counts are logged by the hour', () => {
    const counts = { requests: { 'POST /api/group/join 200': 57, 'GET unknown 404': 1 } };
    expect(logged([], false, counts)).toBe(`${JSON.stringify({ time: '2026-01-02T03Z', ...counts })}\n`);
    expect(logged([], true, counts)).toBe(
      '03h  in an hour: 57 × POST /api/group/join 200, 1 × GET unknown 404\n',
    );
  });

  test('a note comes last; control characters are made visible', async () => {
    expect(logged([], true, { ...entry, note: 'late' })).toBe(text.replace('\n', '  late\n'));
    expect(logged([], true, { ...entry, path: '/\u001b[2J\n' })).toContain('/\\u{1b}[2J\\u{a}');
  });
});

test('a secret is not created over an existing one', async () => {
  const cwd = folder();
  const path = join(cwd, 'survey.db.secret');
  const { secret } = (await settled(['--store', 'survey.db'], { cwd })).settings;
  const before = readFileSync(path);
  expect((await settled(['--store', 'survey.db'], { cwd })).settings.secret).toEqual(secret);
  expect(readFileSync(path)).toEqual(before);
});

test.each(['abc', '', '12 34', '0x12', '-1', '1234567890 '])(
  'the channel “%s” is refused: no token could be for it',
  async (id) => {
    const words = ['--store', 'survey.db', '--channel-id', id];
    expect(await refusal(() => settled(words, { cwd: folder() }))).toMatch(
      /--channel-id .* is not a channel id/,
    );
  },
);

test('the operations address is a host with a port, and replaces the metrics port', async () => {
  const at = async (...words: string[]) =>
    (await settled(['--store', 'survey.db', ...words], { cwd: folder() })).settings.operations;
  const address = (host: string, port: number) => ({ host, port, health: true });
  expect(await at('--operations-address', '127.0.0.1:9464')).toEqual(address('127.0.0.1', 9464));
  expect(await at('--operations-address', '[::1]:0')).toEqual(address('::1', 0));
  expect(await at('--operations-address', 'ops.internal:80')).toEqual(address('ops.internal', 80));
  for (const wrong of ['9464', ':9464', '127.0.0.1', '::1:80', '[::1]', 'a b:1', '127.0.0.1:65536'])
    expect(await refusal(() => at('--operations-address', wrong))).toMatch(/--operations-address/);
  const both = ['--operations-address', '127.0.0.1:1', '--metrics-port', '2'];
  expect(await refusal(() => at(...both))).toMatch(/leave --metrics-port out/);
});
