/** Starting `survey serve`: what it needs, what it refuses, what its first line is. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { during } from '../../peers/during.js';
import { main } from '../program.js';
import { fakeHost } from './fake-host.js';
import { request, rpcAnswer, stub, survey } from './support.js';

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'kaiactl-serve-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

function file(path: string, text: string, mode = 0o600): string {
  writeFileSync(path, text);
  chmodSync(path, mode);
  return path;
}

const store = (path: string) => ['--store', join(path, 'survey.db'), '--port', '0'];
const start = (words: readonly string[], env = {}) => fakeHost(['survey', 'serve', ...words], env);

test.each([
  [[], /needs a store for its groups\n.*--store FILE/],
  [['--store', '/nowhere/at/all.db'], /cannot open the store/],
  [['--store', ':', '--survey', '0x12'], /--survey is not an address: 0x12/],
  [['--store', ':', '--survey', survey.replace('5A', '5a')], /--survey has a wrong checksum/],
  [['--store', ':', '--port', '70000'], /--port 70000 is not a whole number/],
  [['--store', ':', '--rate-limit', '-1'], /--rate-limit/],
  [['--store', ':', '--receive-timeout', 'soon'], /--receive-timeout soon is not a time/],
  [['--store', 'postgres://u:p@127.0.0.1/x'], /--store holds a password/],
  [['--store', 'postgres://u@127.0.0.1/x'], /needs a shared participant secret/],
  [['--store', ':', '--cors-origin', '*'], /--cors-origin \* is not an origin/],
  [['--store', ':', '--cors-origin', 'https://a.example/x'], /is not an origin/],
  [['--store', ':', '--tls-cert', '/x'], /go together/],
  [['--store', ':', '--trust-proxy', '0'], /--trust-proxy 0 is neither a count/],
  [['--store', ':', '--trust-proxy', '10.0.0.0/33'], /neither a count of proxies nor a list of networks/],
  [['--store', ':', '--items', '/nowhere.ini'], /cannot read the price list/],
  [['--store', ':', '--payment-url', 'http://x'], /needs --public-url/],
  [['--store', ':', '--payment-url', 'http://x', '--public-url', 'https://y'], /client id and secret/],
  [['--store', ':', '--channel-id', '1', '--jwks-url', 'ftp://x'], /--jwks-url is not an http/],
  [
    ['--store', ':', '--channel-id', '1', '--channel-secret-file', '/nowhere'],
    /cannot read the channel secret/,
  ],
  [['--store', ':', '--scheme', 'destat'], /Allowed choices are eip712/],
  [['--rpc-url', 'http://127.0.0.1:1', '--one-per-user'], /--one-per-user needs --store/],
  [['--rpc-url', 'http://127.0.0.1:1', '--max-fee', 'all'], /--max-fee all is not a whole number/],
])('%j is refused', async (words, sentence) => {
  const { host, texts } = start(words);
  expect([await main(host), texts.out]).toEqual([2, '']);
  expect(texts.err).toMatch(sentence);
});

test('a node that does not answer ends with 3, one on another chain with 2, without its address', async () => {
  const gone = start(['--rpc-url', 'http://127.0.0.1:1', '-q']);
  expect(await main(gone.host)).toBe(3);
  expect(gone.texts.err).not.toContain('127.0.0.1');
  const node = await stub((heard) => rpcAnswer(heard, '"result":"0x2019"'));
  const foreign = start(['--rpc-url', node.url, '--chain-id', '1001']);
  expect(await main(foreign.host)).toBe(2);
  expect(foreign.texts.err).toContain('the node is on chain 8217, not on 1001');
});

test('with a manager’s key and no survey named it does not start', async () => {
  const { host, texts } = start(['--rpc-url', 'http://127.0.0.1:1'], {
    KAIACTL_MANAGER_KEY: `0x${'42'.repeat(32)}`,
  });
  expect(await main(host)).toBe(2);
  expect(texts.err).toMatch(/needs --survey or --factory.*\n.*--survey.*--factory/);
});

test('a manager’s key that others can read, or an invalid key, is rejected and not shown', async () => {
  const key = `0x${'42'.repeat(32)}`;
  const node = await stub((heard) => rpcAnswer(heard, '"result":"0x3e9"'));
  const path = folder();
  const open = start(['--rpc-url', node.url, '--manager-key-file', file(join(path, 'open'), key, 0o644)]);
  expect(await main(open.host)).toBe(2);
  expect(open.texts.err).toContain('can be read by other users');
  const wrong = start(['--rpc-url', node.url, '--survey', survey], { KAIACTL_MANAGER_KEY: `${key}42` });
  expect(await main(wrong.host)).toBe(2);
  expect(wrong.texts.err).toContain('not a private key');
  expect(open.texts.err + wrong.texts.err).not.toContain('4242');
});

test('the first line is the URL, as text or JSON; group ids follow the order of registration', async () => {
  const path = folder();
  const other = '0x0Bc34f96d8E99c6E2933e49e6f68DFB7B74b7aDB';
  const { host, abort, texts, line } = start([
    ...store(path),
    '--format',
    'json',
    '--log',
    'json',
    '--survey',
    other,
    '--survey',
    survey.toLowerCase(),
  ]);
  const first = line(/^(.*)\n/);
  const ended = main(host);
  const { url } = JSON.parse((await during(ended, first))[1] ?? '') as { url: string };
  const group = async (id: string) =>
    JSON.parse((await request(`${url}/api/group/members?id=${id}`, 'GET')).body);
  expect(JSON.parse((await group(other)).data)).toEqual({ members: [], groupId: '0' });
  expect(JSON.parse((await group(survey)).data)).toEqual({ members: [], groupId: '1' });
  expect((await request(`${url}/healthz`, 'GET')).status).toBe(200);
  const closed = await request(`${url}/api/group/join`, 'POST', {
    id: survey,
    commitment: '1',
    account: other,
  });
  expect(closed.body).toContain('accepts no joins');
  abort.abort('SIGINT');
  expect(await ended).toBe(0);
  expect(texts.err).toContain('note: joins are off: --channel-id is missing');
  expect(texts.err).toContain('serving embedded store, 2 surveys');
  const logged = texts.err.split('\n').filter((one) => one.startsWith('{'));
  expect(logged.map((one) => JSON.parse(one))).toMatchObject([
    { method: 'GET', path: '/healthz', status: 200 },
    { refusals: { UNAVAILABLE: 1 } },
  ]);
});

test.each([
  ['price = 1', /:1: price is outside a section/],
  [
    '[sticker]\npg-type = CRYPTO\ncurrency-code = KAIA\nprice = free',
    /\[sticker\] cannot be charged: .*decimal/,
  ],
  ['[sticker]\nprice = 1\ncolour = red', /\[sticker\] has an unknown key colour/],
  [
    '[sticker]\nprice = 1\ncurrency-code = KAIA\npg-type = CASH',
    /\[sticker\] has an unknown pg-type; known: CRYPTO, STRIPE, LINE_IAP/,
  ],
  [
    '[sticker]\nprice = 1.5',
    /\[sticker\] has no pg-type\n.*pg-type = CRYPTO, currency-code = KAIA and price = 1\.5/,
  ],
  ['[sticker]\nprice = 500\ncurrency-code = USD', /\[sticker\] has no pg-type/],
  ['[sticker]\nprice = 500\npg-type = LINE_IAP', /\[sticker\] has no currency-code/],
  ['[sticker]\npg-type = STRIPE\ncurrency-code = USD', /\[sticker\] has no price/],
  [
    '[x]\npg-type = CRYPTO\ncurrency-code = KAIA\nprice = 50\n[ x ]\n[x]\nprice = 1',
    /:5: \[x\] appears twice\n.*one price/,
  ],
  ['[x]\npg-type = CRYPTO\ncurrency-code = KAIA\nprice = 50\nprice=1', /:5: price of \[x\] appears twice/],
])('a price list that says %j is refused', async (text, sentence) => {
  const items = file(join(folder(), 'items.ini'), text);
  const { host, texts } = start(['--store', ':', '--items', items]);
  expect(await main(host)).toBe(2);
  expect(texts.err).toMatch(sentence);
});

test.skipIf(process.platform === 'win32')('an endless price list is rejected', async () => {
  const { host, texts } = start(['--store', ':', '--items', '/dev/zero']);
  expect(await main(host)).toBe(2);
  expect(texts.err).toContain('cannot read the price list /dev/zero: larger than 16 MiB');
});

test.each([
  [['--host', '203.0.113.9'], /cannot listen on 203.0.113.9:8787: .*\n {2}Choose another --host\.\n/],
  [
    ['--port', '9002', '--metrics-port', '9002'],
    /127.0.0.1:9002 for \/metrics: another.*\n.*--metrics-port or/,
  ],
  [['--admin-socket', 'nodir/x'], /admin socket \S*nodir\/x: its folder does not exist\n/],
])('--check refuses %j, as a start does', async (words, sentence) => {
  for (const check of [['--check'], []]) {
    const { host, texts } = start(['--store', join(folder(), 'a.db'), ...check, ...words]);
    expect(await main(host)).toBe(2);
    expect(texts.err).toMatch(sentence);
  }
});

test('a port that is taken', async () => {
  const taken = await stub(() => ({ body: '' }));
  const port = new URL(taken.url).port;
  const { host, texts } = start(['--store', join(folder(), 'a.db'), '--port', port]);
  expect(await main(host)).toBe(2);
  expect(texts.err).toContain(`cannot listen on 127.0.0.1:${port}`);
  expect(texts.err).toContain('Choose another --port');
  // The server that is checked may run.
  const check = start(['--store', join(folder(), 'b.db'), '--port', port, '--check']);
  expect(await main(check.host)).toBe(0);
});
