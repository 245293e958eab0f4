import { chmodSync, writeFileSync } from 'node:fs';
import { join as path } from 'node:path';
import { Identity } from '@semaphore-protocol/identity';
import { encryptKeystoreJson, verifyTypedData } from 'ethers';
import { afterEach, describe, expect, test } from 'vitest';
import { joinTypedData } from '../../../src/survey/protocol/message.js';
import type { JoinRequest } from '../../../src/survey/protocol/wire.js';
import { home, kaiactl, type Ran, type Setting } from '../command.js';
import {
  type Answer,
  type Asked,
  data,
  receipt,
  refuse,
  type Served,
  serve,
  serveChain,
  survey,
} from '../fake.js';

// The key 0x11…11 and what it signs for this user: known from elsewhere, not computed here.
const key = '11'.repeat(32);
const account = '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A';
const userId = `U${'a'.repeat(32)}`;
const signature =
  '0x7d47aae6e0bca8645411e71b54b47eb3a3a48100e55ae38fa729bdab326f18371fdfbf16d2005d7d86b74f0afc46ea3a0ac4523d69ae0f5ce28184cf1e559c621c';
const commitment = '11856017177257578701570427387139727239673174017065871315445535649914299936467';

function file(name: string, text: string, mode = 0o600): string {
  const at = path(home, name);
  writeFileSync(at, text);
  chmodSync(at, mode);
  return at;
}
const jwt = (claims: object) =>
  `${btoa('{"alg":"none"}')}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.`.replaceAll(
    '=',
    '',
  );
const keyFile = file('key', `0x${key}\n`);
const tokenFile = file('token', jwt({ sub: userId }));

const open: Served[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

interface Group {
  members: string[];
  answer: (request: JoinRequest) => Answer;
}
/** An API with one group; `answer` decides what a join does. */
async function api(group: Partial<Group> = {}): Promise<Served & { joins: JoinRequest[]; group: Group }> {
  const state: Group = {
    members: ['1', '2'],
    answer: (request) => {
      state.members.push(request.commitment);
      return receipt(0n, BigInt(state.members.length - 1), BigInt(request.commitment));
    },
    ...group,
  };
  const joins: JoinRequest[] = [];
  const server = await serve(({ method, body }: Asked) => {
    if (method === 'GET') return data({ members: state.members, groupId: '0' });
    const request = JSON.parse(body) as JoinRequest;
    joins.push(request);
    return state.answer(request);
  });
  open.push(server);
  return { ...server, joins, group: state };
}

const signing = ['--key-file', keyFile, '--id-token-file', tokenFile];
const join = (server: Served, words: string[], setting: Setting = {}): Promise<Ran> =>
  kaiactl(['survey', 'join', survey, '--api-url', server.url, '--poll-interval', '5ms', ...words], setting);

describe('a join', () => {
  test('looks up the survey, signs as the original app, sends and waits', async () => {
    const server = await api();
    const ran = await join(server, ['--commitment', commitment, ...signing]);
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(ran.stdout).toMatch(
      /^submitted {2}0x00000000…0003 {2}block 12\nlisted {5}(at once|after \d\.\d s) \(member 3\)\n$/,
    );
    expect(server.joins).toEqual([
      { id: survey, commitment, signature, idToken: jwt({ sub: userId }), account },
    ]);
    expect(server.asked.map(({ method }) => method)).toEqual(['GET', 'POST', 'GET']);
  });

  test('prints one document as JSON', async () => {
    const server = await api();
    const ran = await join(server, ['--commitment', '0x1f', ...signing, '--format', 'json']);
    expect(JSON.parse(ran.stdout)).toMatchObject({
      survey,
      groupId: '0',
      commitment: '31',
      account,
      status: 'listed',
      index: 2,
      block: 12,
      problem: null,
    });
  });

  test('sends nothing for a member', async () => {
    const server = await api({ members: ['5', '31'] });
    const ran = await join(server, ['--commitment', '31', ...signing]);
    expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining('before this run (member 2)') });
    expect(server.joins).toEqual([]);
  });

  test('--dry-run shows the request without its secrets and sends nothing', async () => {
    const server = await api();
    const ran = await join(server, ['--commitment', '31', ...signing, '--dry-run']);
    expect(ran.code).toBe(0);
    expect(ran.stdout).toMatch(
      /would POST .*commitment {2}31\n.*signature {3}\(132 characters, not shown\)/s,
    );
    expect(ran.stdout).not.toContain(signature.slice(0, 12));
    expect(server.joins).toEqual([]);
  });

  test('--no-wait ends when accepted', async () => {
    const server = await api({ answer: ({ commitment: one }) => receipt(0n, 2n, BigInt(one)) });
    const ran = await join(server, ['--commitment', '31', ...signing, '--no-wait']);
    expect(ran).toMatchObject({ code: 0, stdout: expect.stringMatching(/^submitted .*\n$/) });
  });
});

describe('outcomes', () => {
  test('refused: exit 1, and how to look', async () => {
    const server = await api({ answer: () => refuse({ data: '0x258a195a' }) });
    const ran = await join(server, ['--commitment', '31', ...signing]);
    expect(ran).toMatchObject({ code: 1, stdout: '' });
    expect(ran.stderr).toMatch(/already in the group \(LeafAlreadyExists\)\n.*\n.*--contains 31/);
    const json = await join(server, ['--commitment', '31', ...signing, '--format', 'json']);
    expect(JSON.parse(json.stdout)).toMatchObject({
      status: 'refused',
      problem: expect.stringContaining('Leaf'),
    });
  });

  test('accepted, never listed: exit 4, and the wall at 100 is named', async () => {
    const members = Array.from({ length: 100 }, (_, n) => String(n + 1));
    const server = await api({ members, answer: ({ commitment: one }) => receipt(0n, 100n, BigInt(one)) });
    const ran = await join(server, ['--commitment', '3100', ...signing, '--timeout', '60ms']);
    expect(ran).toMatchObject({ code: 4, stdout: expect.stringContaining('submitted') });
    expect(ran.stderr).toMatch(/do not submit again\n.*exactly 100 entries.*\n.*--contains 3100/);
    expect(server.joins).toHaveLength(1);
  });

  test.each([
    [-300_000, 'ahead of'],
    [300_000, 'behind'],
    [-20_000, null],
  ])('a refusal by a server whose clock differs by %i ms', async (differsMs, side) => {
    const date = new Date(Date.now() + differsMs).toUTCString();
    const refused = { ...refuse({ code: 'UNAUTHENTICATED', reason: 'expired' }), headers: { date } };
    const { code, stderr } = await join(await api({ answer: () => refused }), [
      '--commitment',
      '31',
      ...signing,
    ]);
    expect(code).toBe(1);
    if (side === null) return expect(stderr).not.toContain('clock');
    expect(stderr).toMatch(new RegExp(`This machine’s clock is (299|30[01]) s ${side} the server’s`));
  });

  test('with a node at hand the contract finds who a cut list does not show', async () => {
    const members = Array.from({ length: 100 }, (_, n) => String(n + 1));
    const group = { groupId: 0n, root: 1n, members: [...members, '200'] };
    const chain = await serveChain(group);
    open.push(chain);
    const server = await api({
      members,
      answer: ({ commitment: one }) => {
        group.members.push(one);
        return receipt(0n, 101n, BigInt(one));
      },
    });
    const words = [...signing, '--rpc-url', chain.url];
    const before = await join(server, ['--commitment', '200', ...words]);
    expect(before).toMatchObject({ code: 0, stdout: expect.stringContaining('nothing was sent') });
    const ran = await join(server, ['--commitment', '201', ...words]);
    expect(ran).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('in the contract, not in the API’s list'),
    });
    expect(server.joins).toHaveLength(1);
  });

  test.each([
    ['no event', () => receipt(0n, 2n, 31n, [])],
    ['another commitment', () => receipt(0n, 2n, 32n)],
    ['another group', () => receipt(1n, 2n, 31n)],
  ])('success, but the receipt holds %s: exit 3', async (_name, answer) => {
    const server = await api({ answer });
    const ran = await join(server, ['--commitment', '31', ...signing, '--timeout', '20ms']);
    expect(ran).toMatchObject({ code: 3, stderr: expect.stringContaining('holds no MemberAdded event') });
  });

  test('an answer that is lost is looked for, not sent again', async () => {
    const server = await api();
    server.group.answer = ({ commitment: one }) => {
      server.group.members.push(one);
      return { status: 502, type: 'text/html', body: '<html>' };
    };
    const ran = await join(server, ['--commitment', '31', ...signing]);
    expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining('(member 3)') });
    expect(server.joins).toHaveLength(1);
    server.group.answer = () => ({ status: 500, type: null });
    const lost = await join(server, ['--commitment', '32', ...signing, '--timeout', '20ms']);
    expect(lost).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('The join may have been accepted'),
    });
    expect(server.joins).toHaveLength(2);
  });

  test('sent, but not seen in a block: exit 4 with the hash, or listed after all', async () => {
    const transactionHash = `0x${'ab'.repeat(32)}`;
    const server = await api({ answer: () => refuse({ code: 'TIMEOUT', transactionHash }) });
    const words = ['--commitment', '31', ...signing, '--timeout', '20ms'];
    const ran = await join(server, [...words, '--format', 'json']);
    expect(ran).toMatchObject({ code: 4, stderr: expect.stringContaining('do not submit again') });
    expect(JSON.parse(ran.stdout)).toMatchObject({ status: 'submitted', transaction: transactionHash });
    server.group.answer = ({ commitment: one }) => {
      server.group.members.push(one);
      return refuse({ code: 'TIMEOUT', transactionHash });
    };
    const late = await join(server, words);
    expect(late).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^submitted {2}0xababab.*\nlisted/),
    });
    expect(server.joins).toHaveLength(2);
  });

  test.each<[string, object]>([
    ['no funds', { code: 'INSUFFICIENT_FUNDS' }],
    ['no platform', { code: 'UNAVAILABLE', shortMessage: 'no', reason: 'no keys' }],
    ['a busy wallet', { code: 'NONCE_EXPIRED' }],
  ])('the API has %s: no verdict, exit 3', async (_name, error) => {
    const server = await api({ answer: () => refuse(error) });
    const ran = await join(server, ['--commitment', '31', ...signing]);
    expect(ran).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/cannot do it now: .*\n {2}Nothing was joined/),
    });
  });

  test('no server: exit 3, nothing sent', async () => {
    const ran = await kaiactl([
      'survey',
      'join',
      survey,
      '--api-url',
      'http://127.0.0.1:1',
      '--commitment',
      '31',
      ...signing,
    ]);
    expect(ran).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/connection refused\n {2}Nothing was sent/),
    });
  });

  test('Ctrl-C while waiting: exit 130, with a note that the join was accepted', async () => {
    const abort = new AbortController();
    const server = await api({ answer: ({ commitment: one }) => receipt(0n, 2n, BigInt(one)) });
    const heard = (_stream: string, text: string) => text.startsWith('submitted') && abort.abort();
    const ran = await join(server, ['--commitment', '31', ...signing], { abort, heard });
    expect(ran).toMatchObject({ code: 130, stderr: expect.stringContaining('accepted, but not listed') });
  });
});

describe('credentials', () => {
  test('a keystore, opened by the environment or a file', async () => {
    const scrypt = { scrypt: { N: 2, r: 1, p: 1 } };
    const v3 = await encryptKeystoreJson({ address: account, privateKey: `0x${key}` }, 'open sesame', scrypt);
    const { id, Crypto } = JSON.parse(v3);
    const v4 = JSON.stringify({ version: 4, id, address: survey, keyring: [[Crypto]] });
    for (const text of [v3, v4]) {
      const server = await api();
      const words = [
        '--commitment',
        '31',
        '--keystore',
        file('keystore', text),
        '--id-token-file',
        tokenFile,
      ];
      expect((await join(server, words, { env: { KAIACTL_KEYSTORE_PASSWORD: 'open sesame' } })).code).toBe(0);
      expect(server.joins[0]?.signature).toBe(signature);
      const wrong = await join(server, [...words, '--commitment', '32', '--keystore-password-file', '-'], {
        stdin: 'sesame',
      });
      expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('the password does not open') });
    }
  });

  test('a ready signature needs its account; a foreign one is doubted, not refused', async () => {
    const server = await api();
    const words = ['--commitment', '31', '--signature', signature, '--id-token-file', tokenFile];
    expect(await join(server, words)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--account'),
    });
    const ran = await join(server, [...words, '--account', account]);
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    const lower = await join(server, [...words, '--commitment', '32', '--account', account.toLowerCase()]);
    expect(lower).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('warning: this account did not sign'),
    });
    expect(server.joins[1]?.account).toBe(account.toLowerCase());
    const old =
      '0xa9d1e8e2a2e599b81b1169468e69db6720bd839b606f7630556ad5f2a10d9c306351b422e6d015a5f4efb830eedac1b080675a94bfb80ead90173893879cd00b1c';
    const kip97 = await join(server, [
      ...words,
      '--commitment',
      '33',
      '--signature',
      old,
      '--account',
      account,
    ]);
    expect(kip97).toMatchObject({ code: 0, stderr: expect.stringContaining('KIP-97') });
  });

  test('a ready signature from a file or stdin', async () => {
    const server = await api();
    const words = ['--id-token-file', tokenFile, '--account', account, '--signature-file'];
    expect(await join(server, ['--commitment', '31', ...words, '-'], { stdin: signature })).toMatchObject({
      code: 0,
    });
    const from = file('signature', `${signature}\n`);
    expect(await join(server, ['--commitment', '32', ...words, from])).toMatchObject({ code: 0, stderr: '' });
    expect(server.joins.map((one) => one.signature)).toEqual([signature, signature]);
    const two = await join(server, ['--commitment', '33', ...words, from, '--signature', signature]);
    expect(two).toMatchObject({ code: 2, stderr: expect.stringContaining('both --signature') });
  });

  test('an access token from the environment is rejected without --user-id', async () => {
    const server = await api();
    const words = ['--commitment', '31', '--key-file', keyFile];
    const env = { KAIACTL_ID_TOKEN: 'indeterminate' };
    expect(await join(server, words, { env })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--user-id'),
    });
    expect((await join(server, [...words, '--user-id', userId], { env })).code).toBe(0);
    expect(server.joins[0]).toMatchObject({ signature, idToken: 'indeterminate' });
  });

  test('a key from the environment is used, and a user id that differs from the token is reported', async () => {
    const server = await api();
    const words = ['--commitment', '31', '--id-token-file', tokenFile];
    const ran = await join(server, words, { env: { KAIACTL_PRIVATE_KEY: key } });
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(server.joins[0]?.signature).toBe(signature);
    const bad = await join(server, [...words, '--commitment', '32'], {
      env: { KAIACTL_PRIVATE_KEY: `${key}00` },
    });
    expect(bad).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('KAIACTL_PRIVATE_KEY does not hold'),
    });
    expect(bad.stderr).not.toContain(key);
    const other = await join(server, ['--commitment', '33', ...signing, '--user-id', 'U2']);
    expect(other.stderr).toContain('another user than --user-id');
  });

  test('eip712 binds survey, commitment, chain and expiry', async () => {
    const server = await api();
    const words = ['--commitment', '31', ...signing, '--scheme', 'eip712', '--chain-id', '1001'];
    expect((await join(server, words)).code).toBe(0);
    const request = server.joins[0]!;
    expect(request).toMatchObject({ scheme: 'eip712', chainId: 1001 });
    const expiresAt = request.expiresAt ?? 0;
    expect(expiresAt - Date.now() / 1000).toBeGreaterThan(3000);
    const typed = joinTypedData({ survey, commitment: 31n, userId, account, expiresAt, chainId: 1001 });
    expect(verifyTypedData(typed.domain, typed.types, typed.value, String(request.signature))).toBe(account);
  });

  test('a smart account: another key’s signature, or several signatures, are sent for the server to judge', async () => {
    const server = await api();
    const other = await join(server, ['--commitment', '32', ...signing, '--account', survey]);
    expect([other.code, other.stderr]).toEqual([0, expect.stringContaining('the key belongs to 0x19E7')]);
    expect(server.joins[0]).toMatchObject({ account: survey });
    const both = file('both', `${signature}\n${signature}\n`);
    const words = ['--id-token-file', tokenFile, '--account', account, '--signature-file', both];
    expect((await join(server, ['--commitment', '33', ...words])).code).toBe(0);
    expect(server.joins[1]?.signature).toEqual([signature, signature]);
    const derived = await join(server, ['--derive-commitment', ...words]);
    expect([derived.code, derived.stderr]).toEqual([2, expect.stringContaining('several signatures')]);
  });

  test('an identity file is read as exported text, as JSON and as both', async () => {
    const exported = new Identity(signature).export();
    for (const text of [
      exported,
      JSON.stringify({ privateKey: exported }),
      JSON.stringify({ commitment }),
      JSON.stringify({ commitment, privateKey: exported }),
    ]) {
      const server = await api();
      expect((await join(server, ['--identity-file', file('me', text), ...signing])).code).toBe(0);
      expect(server.joins[0]?.commitment).toBe(commitment);
    }
  });

  test('a commitment derived from the wallet is the web app’s; eip712 keeps its secret here', async () => {
    const server = await api();
    const ran = await join(server, ['--derive-commitment', ...signing]);
    expect(ran).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^warning: .*secret of the derived identity/),
    });
    const words = [
      '--derive-commitment',
      '--account',
      account,
      '--id-token-file',
      tokenFile,
      '--signature',
      signature,
    ];
    expect((await join(server, words)).stdout).toContain('nothing was sent');
    server.group.members.length = 0;
    const kept = await join(server, ['--derive-commitment', ...signing, '--scheme', 'eip712']);
    expect(kept).toMatchObject({ code: 0, stderr: '' });
    expect(server.joins.map((one) => one.commitment)).toEqual([commitment, commitment]);
    expect(JSON.stringify(server.joins[1])).not.toContain(signature.slice(0, 20));
    const typed = await join(server, [...words, '--scheme', 'eip712', '--expires-at', '9999999999']);
    expect(typed).toMatchObject({ code: 2, stderr: expect.stringContaining('derives no commitment') });
  });

  test('a commitment alone is not a secret', async () => {
    const server = await api();
    const me = file('open-commitment', JSON.stringify({ commitment }), 0o644);
    expect(await join(server, ['--identity-file', me, ...signing])).toMatchObject({ code: 0, stderr: '' });
  });

  test.each([
    ['an identity that is not one', ['--identity-file', file('bad-me', 'hello!')], /not an identity/],
    [
      'an identity that contradicts itself',
      [
        '--identity-file',
        file('two', JSON.stringify({ commitment: '7', privateKey: new Identity('x').export() })),
      ],
      /does not belong to its private key/,
    ],
    [
      'an identity others can read',
      ['--identity-file', file('open $(me)', 'AAAA', 0o644)],
      /read by other users.*\n.*chmod 600 '.*open \$\(me\)'/,
    ],
    [
      'a commitment beside another identity',
      ['--commitment', '7', '--identity-file', file('me2', new Identity('x').export())],
      /differs from the commitment of/,
    ],
    ['no commitment', [], /no commitment given/],
    ['zero', ['--commitment', '0'], /it is 0/],
    [
      'the field’s size',
      [
        '--commitment',
        String(21888242871839275222246405745257275088548364400416034343698204186575808495617n),
      ],
      /not below/,
    ],
    ['2^256', ['--commitment', String(1n << 256n)], /256 bits/],
    [
      'a key others can read',
      ['--commitment', '7', '--key-file', file('open-key', key, 0o640)],
      /read by other users/,
    ],
    ['a key that is a keystore', ['--commitment', '7', '--key-file', file('ks', '{}')], /use --keystore/],
    [
      'a key of zeros',
      ['--commitment', '7', '--key-file', file('zero', '0'.repeat(64))],
      /does not hold a private key/,
    ],
    ['a key and a keystore', ['--commitment', '7', '--keystore', keyFile], /both a key file and a keystore/],
    [
      'a signature that is too short',
      ['--commitment', '7', '--signature', '0x1234', '--account', account],
      /64 or more bytes/,
    ],
    [
      'a token that is missing',
      ['--commitment', '7', '--id-token-file', path(home, 'none')],
      /cannot read the id token/,
    ],
    [
      'a token of two lines',
      ['--commitment', '7', '--id-token-file', file('two-lines', 'a\nb')],
      /more than one line/,
    ],
    [
      'stdin twice',
      ['--commitment', '7', '--key-file', '-', '--id-token-file', '-', '--user-id', 'U1'],
      /stdin cannot be both/,
    ],
  ])('%s: exit 2, without a request', async (_name, words, why) => {
    const server = await api();
    const ran = await join(server, [...signing, ...words], { stdin: key });
    expect(ran).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(why) });
    expect(ran.stderr).not.toContain(key.slice(0, 16));
    expect(server.asked).toEqual([]);
  });

  test('a token that others can read and an expired token are reported', async () => {
    const server = await api();
    const loose = file('loose', jwt({ sub: userId, exp: 1 }), 0o644);
    const ran = await join(server, ['--commitment', '31', '--key-file', keyFile, '--id-token-file', loose]);
    expect(ran.code).toBe(0);
    expect(ran.stderr).toMatch(/chmod 600.*\nwarning: the id token has expired/);
  });

  test('options come from a profile', async () => {
    const server = await api();
    const config = file(
      'config.ini',
      `[survey]\napi-url=${server.url}\nid-token-file=${tokenFile}\n[survey me]\nkey-file=${keyFile}\n`,
    );
    const ran = await kaiactl([
      'survey',
      'join',
      survey,
      '--config',
      config,
      '--profile',
      'me',
      '--commitment',
      '31',
      '--poll-interval',
      '5ms',
    ]);
    expect(ran.code).toBe(0);
    expect(server.joins).toHaveLength(1);
  });
});
