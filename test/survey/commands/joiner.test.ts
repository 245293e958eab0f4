/** The parts of a join: signer, token and commitment; and the errors for missing parts. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join as path } from 'node:path';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import type { JoinRequest } from '../../../src/survey/protocol/wire.js';
import { kaiactl, type Setting } from '../command.js';
import { data, receipt, serve, survey } from '../fake.js';

const folder = mkdtempSync(path(tmpdir(), 'kaiactl-joiner-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const account = '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A';
const userId = `U${'a'.repeat(32)}`;
const signature = `0x${'12'.repeat(65)}`;

function file(name: string, text: string, mode = 0o600): string {
  const at = path(folder, name);
  writeFileSync(at, text);
  chmodSync(at, mode);
  return at;
}
const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const token = `${part({ alg: 'none' })}.${part({ sub: userId })}.`;
const [keyFile, tokenFile] = [file('key', '11'.repeat(32)), file('token', token)];
const keystore = file('keystore', '{}');
const signing = ['--key-file', keyFile, '--id-token-file', tokenFile];
const ready = ['--id-token-file', tokenFile, '--signature', signature];

const join = (words: readonly string[], setting: Setting = {}) =>
  kaiactl(['survey', 'join', survey, '--api-url', 'http://127.0.0.1:1', ...words], setting);

test.each<[string, string[], RegExp]>([
  ['no commitment', signing, /no commitment given\n.*--derive-commitment/],
  ['no number', ['--commitment', 'x', ...signing], /invalid commitment: .*\n.*field’s size/],
  ['no signer', ['--commitment', '7', '--id-token-file', tokenFile], /nothing to sign with\n.*--key-file/],
  ['no token', ['--commitment', '7', '--key-file', keyFile], /no id token given\n.*--id-token-file/],
  [
    'two signers',
    ['--commitment', '7', ...signing, '--keystore', keystore],
    /both a key file and a keystore.*\n.*Leave one of them out/,
  ],
  [
    'a keystore without its password',
    ['--commitment', '7', '--id-token-file', tokenFile, '--keystore', keystore],
    /no password for the keystore\n.*--keystore-password-file/,
  ],
  [
    'two signatures',
    [...ready, '--commitment', '7', '--signature-file', keyFile],
    /--signature-file are given\n.*Leave one/,
  ],
  ['a batch without a journal', ['--batch', keyFile, ...signing], /needs a journal.*\n.*--journal/],
  [
    'a batch of one member',
    ['--batch', keyFile, '--journal', '/nowhere/journal', '--identity-file', keyFile, ...signing],
    /--identity-file is for one join, --batch for many\n.*file’s lines/,
  ],
  [
    'two commitments',
    ['--commitment', '8', '--identity-file', file('me', '{"commitment":"7"}'), ...signing],
    /differs from the commitment of --identity-file\n.*Leave one of them out/,
  ],
  ['a signature without an account', [...ready, '--commitment', '7'], /needs its account.*\n.*--account/],
  [
    'a signature that never ends',
    [...ready, '--commitment', '7', '--account', account, '--scheme', 'eip712'],
    /needs its expiry\n.*--expires-at/,
  ],
  [
    'a user id with blanks',
    ['--commitment', '7', ...signing, '--user-id', 'a b'],
    /user id is invalid\n.*Like U/,
  ],
  ['an invalid account', ['--commitment', '7', ...ready, '--account', '0x12'], /the account/],
  [
    'a commitment from a signature of another scheme',
    [
      ...ready,
      '--derive-commitment',
      '--account',
      account,
      '--scheme',
      'eip712',
      '--expires-at',
      '9999999999',
    ],
    /derives no commitment from a signature of eip712\n.*--commitment/,
  ],
  [
    'an invalid time',
    ['--commitment', '7', ...signing, '--timeout', 'soon'],
    /--timeout .* is not a time\n.*Write 500ms/,
  ],
  [
    'an invalid chain id',
    ['--commitment', '7', ...signing, '--chain-id', '0'],
    /--chain-id .* is not a whole number from 1 on/,
  ],
])('%s: exit 2', async (_, words, sentence) => {
  const ran = await join(words);
  expect([ran.code, ran.stdout]).toEqual([2, '']);
  expect(ran.stderr).toMatch(sentence);
});

test.each([
  'x'.repeat(130),
  `x${signature}`,
  `${signature}1`,
  `0x${'12'.repeat(63)}`,
  `0x${'1g'.repeat(65)}`,
  `${signature} 0x12`,
  ',',
])('an invalid signature, %s', async (text) => {
  const made = file('signature', text);
  const words = ['--commitment', '7', '--id-token-file', tokenFile, '--signature-file', made];
  const ran = await join([...words, '--account', account]);
  expect([ran.code, ran.stderr]).toEqual([
    2,
    expect.stringMatching(/not 64 or more bytes.*\n.*Nothing was sent/),
  ]);
});

test.each<[Record<string, string>, RegExp]>([
  [{ KAIACTL_ID_TOKEN: ' ' }, /no id token given/],
  [{ KAIACTL_ID_TOKEN: '' }, /no id token given/],
  [{ KAIACTL_ID_TOKEN: 'opaque' }, /names no user.*\n.*--user-id/],
  [{ KAIACTL_ID_TOKEN: 'a b' }, /contains blanks or more than one line/],
  [{ KAIACTL_ID_TOKEN: 'x'.repeat(16_385) }, /is invalid/],
])('a token from the environment, %j', async (env, sentence) => {
  const ran = await join(['--commitment', '7', '--key-file', keyFile], { env });
  expect([ran.code, ran.stderr]).toEqual([2, expect.stringMatching(sentence)]);
});

describe('the request', () => {
  async function sent(words: readonly string[], setting: Setting = {}): Promise<[JoinRequest, string]> {
    const requests: JoinRequest[] = [];
    const members: string[] = [];
    const api = await serve(({ method, body }) => {
      if (method === 'GET') return data({ members, groupId: '0' });
      const request = JSON.parse(body) as JoinRequest;
      requests.push(request);
      members.push(request.commitment);
      return receipt(0n, 0n, BigInt(request.commitment));
    });
    onTestFinished(() => api.close());
    const all = ['survey', 'join', survey, '--api-url', api.url, '--poll-interval', '5ms', ...words];
    const ran = await kaiactl(all, setting);
    expect([ran.code, requests.length]).toEqual([0, 1]);
    return [requests[0] as JoinRequest, ran.stderr];
  }
  const fields = (request: JoinRequest) => Object.keys(request).sort();
  const plain = ['account', 'commitment', 'id', 'idToken', 'signature'];

  test('of the original scheme has exactly the fields that the original app sends', async () => {
    const [request] = await sent(['--commitment', '7', ...signing, '--chain-id', '1001']);
    expect(fields(request)).toEqual(plain);
    expect(request).toMatchObject({ id: survey, commitment: '7', account, idToken: token });
  });

  test('of the EIP-712 scheme adds the scheme, the expiry, and the chain if it is given', async () => {
    const seconds = () => Math.floor(Date.now() / 1000);
    const before = seconds();
    const [request] = await sent(['--commitment', '7', ...signing, '--scheme', 'eip712']);
    expect(fields(request)).toEqual([...plain, 'expiresAt', 'scheme'].sort());
    expect(request.expiresAt).toBeGreaterThanOrEqual(before + 3600);
    expect(request.expiresAt).toBeLessThanOrEqual(seconds() + 3600);
    const [bound] = await sent(['--commitment', '7', ...signing, '--scheme', 'eip712', '--chain-id', '1001']);
    expect(bound).toMatchObject({ chainId: 1001, scheme: 'eip712' });
    const made = [...ready, '--account', account, '--scheme', 'eip712', '--expires-at', '4000000000'];
    expect((await sent(['--commitment', '7', ...made]))[0]).toMatchObject({
      expiresAt: 4_000_000_000,
      signature,
    });
  });

  test('is reported for an account of another key and a token of another user', async () => {
    const other = '0x0Bc34f96d8E99c6E2933e49e6f68DFB7B74b7aDB';
    const [request, said] = await sent(['--commitment', '7', ...signing, '--account', other]);
    expect([request.account, said]).toEqual([
      other,
      expect.stringContaining(`the key belongs to ${account}`),
    ]);
    const [, alone] = await sent(['--commitment', '7', ...signing, '--account', account.toLowerCase()]);
    expect(alone).not.toContain('warning');
    const [, foreign] = await sent(['--commitment', '7', ...signing, '--user-id', 'Uother']);
    expect(foreign).toContain('names another user than --user-id');
    const [, own] = await sent(['--commitment', '7', ...signing, '--user-id', userId]);
    expect(own).not.toContain('warning');
  });

  test('a warning names an expired token, not a valid one', async () => {
    const until = (exp: unknown) => file('exp', `${part({ alg: 'none' })}.${part({ sub: userId, exp })}.`);
    const said = async (exp: unknown) =>
      (await sent(['--commitment', '7', '--key-file', keyFile, '--id-token-file', until(exp)]))[1];
    expect(await said(1)).toContain('the id token has expired');
    expect(await said(4_000_000_000)).not.toContain('expired');
  });

  test('by several keys are all their signatures, unjudged', async () => {
    const made = file('several', `${signature}\n${signature}, ${signature}\n`);
    const words = ['--commitment', '7', '--id-token-file', tokenFile, '--signature-file', made];
    const [request, said] = await sent([...words, '--account', account]);
    expect([request.signature, said]).toEqual([
      [signature, signature, signature],
      expect.not.stringContaining('warning'),
    ]);
    const [one, doubted] = await sent(['--commitment', '7', ...ready, '--account', account]);
    expect([one.signature, doubted]).toEqual([
      signature,
      expect.stringContaining('the API refuses it unless'),
    ]);
  });
});
