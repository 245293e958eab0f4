import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readGroup, readPayment, readReceipt } from '../../../src/survey/client/answer.js';
import { surveyClient } from '../../../src/survey/client/client.js';
import type { JoinRequest, StoreRequest } from '../../../src/survey/protocol/wire.js';
import { seed } from '../../seed.js';
import { type Answer, receipt, refuse, type Served, serve, survey } from '../fake.js';
import { type Recorded, recorded } from '../recorded.js';

fc.configureGlobal({ seed });

let now: Answer = {};
let server: Served;
beforeAll(async () => {
  server = await serve(() => now);
});
afterAll(() => server.close());

/** Objects with the fields the readers look for, holding anything. */
const nested = fc
  .record(
    Object.fromEntries(
      [
        'code',
        'data',
        'reason',
        'shortMessage',
        'receipt',
        'argument',
        'members',
        'groupId',
        'logs',
        'hash',
        'message',
      ].map((name) => [
        name,
        fc.oneof(fc.jsonValue(), fc.constantFrom('CALL_EXCEPTION', '0x', '0x258a195a', 'TIMEOUT')),
      ]),
    ),
    { requiredKeys: [] },
  )
  .map((inner) => JSON.stringify({ data: JSON.stringify(inner), error: JSON.stringify(inner), ...inner }));

const secret = `0x${'5a'.repeat(65)}`;
const token = 'opaque-access-token';
const join: JoinRequest = {
  id: survey,
  commitment: '77',
  signature: secret,
  idToken: token,
  account: survey,
};

/** The client's result for one answer: `ok`, or kind, sentence and hint. */
async function said(route: 'members' | 'join' | 'pay', answer: Answer): Promise<string> {
  now = answer;
  const client = surveyClient(new URL(server.url), 5000, new AbortController().signal);
  const ask = {
    members: () => client.members(survey),
    join: () => client.join(join),
    pay: () => client.pay({} as StoreRequest),
  };
  const result = await ask[route]();
  if (result.ok) return `ok ${JSON.stringify(result.value)}`;
  const { kind, sentence, hint, maybeActed } = result.clientError;
  return `${kind}${maybeActed ? '?' : ''}: ${sentence}. ${hint}`;
}

/** Each recorded exchange a client can meet, and what it says to a person. */
const meaning: Record<string, RegExp | null> = {
  'members empty': /^ok {"members":\[\],"groupId":"0"}/,
  'members lowercase id': /^ok /,
  'members no id': /^refused: it does not say why .*for an invalid address/,
  'members empty id': /^refused: it does not say why/,
  'members EOA': /^refused: there is no survey contract at this address/,
  'members wrong contract': /^refused: the contract at this address is not a survey/,
  'members HEAD': null,
  'members OPTIONS': null,
  'members subgraph unknown group': /^ok /,
  'members subgraph graphql errors': /^ok /,
  'members after': /^ok .*"123456789","5252.*"78"\]/,
  'trailing slash': /^ok /,
  'join bad json': /^refused: it does not say why .*bad or expired token/,
  'join empty object': /^refused: it does not say why/,
  'join invalid token': /^refused: it does not say why/,
  'join no token': /^refused: it does not say why/,
  'join profile w/o userId': /^refused: it does not say why/,
  'join wrong signer': /^refused: it does not say why/,
  'join short signature': /^refused: invalid raw signature length. Check --scheme/,
  'join signature missing': /^refused: it does not say why/,
  'join commitment text': /^refused: it does not say why/,
  'join commitment missing': /^refused: it does not say why/,
  'join commitment 1.5': /^refused: it does not say why/,
  'join commitment true => 1?': /^refused: a commitment of 0 cannot join \(LeafCannotBeZero\)/,
  'join commitment 2^256': /^unavailable\?: it failed inside \(500, an empty body\)/,
  'join commitment negative': /^unavailable\?: it failed inside \(500, an empty body\)/,
  'join id = EOA': /^ok .*"logs":\[\]/,
  'join not manager':
    /^refused: the contract says “Access denied: Not the manager”. The API’s wallet does not manage/,
  'join OK': /^ok .*"hash":"0x864f/,
  'join again (duplicate)': /^refused: this commitment is already in the group \(LeafAlreadyExists\)/,
  'join OK numeric commitment': /^ok /,
  'join OK whitespace commitment': /^ok /,
  'join manager has no funds': /^unavailable: the API’s wallet cannot pay for the transaction/,
  'join node down': /^unavailable\?: the API cannot reach its node \(ECONNREFUSED\). Try again later/,
  'store OK': /^ok "pay_123"/,
  'store bad json': /^unavailable\?: Payment is failed/,
  'store upstream 400 json':
    /^broken: it answered success, but without a payment identifier. .*no payment exists/,
  'store upstream null': /^unavailable\?: Payment is failed/,
  'store GET': /^broken: there is no survey API at this address \(405, an empty body\)/,
  'store finalize': null,
  'store finalize no id': null,
};

describe.skipIf(recorded === null)('every answer recorded from the original app', () => {
  test('has a meaning', () => {
    expect(recorded!.map(({ name }) => name).filter((name) => !Object.hasOwn(meaning, name))).toEqual([]);
  });

  test.each((recorded ?? []).filter(({ name }) => meaning[name] != null))('$name', async (one: Recorded) => {
    const route = one.path.startsWith('/api/store') ? 'pay' : one.path.includes('join') ? 'join' : 'members';
    const words = await said(route, { status: one.status, type: one.ctype, body: one.body });
    expect(words).toMatch(meaning[one.name]!);
    // No signed transaction and no inside address reaches the reader.
    if (!words.startsWith('ok')) expect(words).not.toMatch(/0x02f8|127\.0\.0\.1|18545/);
  });
});

describe('answers of the same kinds, and others', () => {
  test.each<[string, 'members' | 'join' | 'pay', Answer, RegExp]>([
    ['a receipt', 'join', receipt(0n, 4n, 77n), /^ok /],
    ['an empty error', 'join', refuse({}), /^refused: it does not say why/],
    ['a duplicate', 'join', refuse({ code: 'CALL_EXCEPTION', data: '0x258a195a' }), /already in the group/],
    ['a panic', 'join', refuse({ data: `0x4e487b71${'11'.padStart(64, '0')}` }), /panicked \(code 0x11\)/],
    [
      'an unknown selector',
      'join',
      refuse({ data: '0xdeadbeef', shortMessage: 'execution reverted' }),
      /execution reverted/,
    ],
    ['a reverted transaction', 'join', refuse({ receipt: { hash: '0xabc' } }), /mined but reverted 0xabc/],
    [
      'a busy nonce',
      'join',
      refuse({ code: 'NONCE_EXPIRED', transaction: '0x02f8' }),
      /^unavailable: .*busy.*in a few seconds/,
    ],
    [
      'a platform that does not answer',
      'join',
      refuse({ code: 'UNAVAILABLE', shortMessage: 'the token could not be verified', reason: 'no keys' }),
      /^unavailable: the token could not be verified: no keys\. Try again later/,
    ],
    [
      'a transaction that was sent',
      'join',
      refuse({ code: 'TIMEOUT', transactionHash: `0x${'ab'.repeat(32)}` }),
      /^unavailable\?: the join was sent \(transaction 0x(ab){32}\), but is not in a block yet/,
    ],
    ['a wait that ended', 'join', refuse({ code: 'TIMEOUT' }), /^unavailable\?: its node did not answer/],
    ['a slow request', 'join', { ...refuse({ code: 'SLOW' }), status: 408 }, /^unavailable: .*too slowly/],
    [
      'an unknown route',
      'join',
      { ...refuse({ code: 'NOT_FOUND' }), status: 404 },
      /^broken: there is no survey API/,
    ],
    [
      'words of both kinds',
      'join',
      refuse({ shortMessage: 'no', reason: 'token expired' }),
      /^refused: no: token expired\./,
    ],
    [
      'an error that is not JSON',
      'join',
      { status: 400, body: '{"error":"plain words"}' },
      /^refused: plain words/,
    ],
    [
      'an error that is an object',
      'join',
      { status: 400, body: '{"error":{"shortMessage":"x"}}' },
      /^refused: x/,
    ],
    ['401 with an error', 'join', { ...refuse({ shortMessage: 'who' }), status: 401 }, /^refused: who/],
    [
      '429 with an error',
      'join',
      { ...refuse({ shortMessage: 'slow' }), status: 429 },
      /^unavailable: .*too many/,
    ],
    [
      '429 of a server that is busy with others',
      'join',
      { ...refuse({ code: 'BUSY', shortMessage: 'busy' }), status: 429 },
      /^unavailable: it is busy with other joins/,
    ],
    [
      'a receipt without logs',
      'join',
      { body: '{"data":"{\\"hash\\":\\"0x1\\"}"}' },
      /^broken\?: .*not with a receipt/,
    ],
    [
      'HTML with 200',
      'join',
      { type: 'text/html', body: '<html>' },
      /^broken\?: it answered 200 with a web page/,
    ],
    [
      'a gateway',
      'join',
      { status: 504, body: '<html>', type: 'text/html' },
      /^unavailable\?: it failed inside \(504/,
    ],
    [
      'a redirect of a POST',
      'join',
      { status: 307, headers: { location: '/elsewhere' } },
      /redirects \(307\).*not followed/,
    ],
    [
      'an identifier with an escape',
      'pay',
      { body: '{"pId":"a\\u001b[2J"}' },
      /^broken\?: .*without a valid payment identifier/,
    ],
    [
      'a payment refused in words',
      'pay',
      { status: 400, body: '{"message":"No\\u202e way."}' },
      /^refused\?: No\\u\{202e\} way\./,
    ],
    ['HTML for a payment', 'pay', { type: 'text/html', body: '<html>' }, /web page/],
  ])('%s', async (_name, route, answer, words) => expect(await said(route, answer)).toMatch(words));

  test('an answer that repeats a secret is not printed', async () => {
    const echo = `bad signature ${secret} for ${token}`;
    const words = await said('join', refuse({ shortMessage: echo, reason: secret }));
    expect(words).not.toContain(secret.slice(0, 20));
    expect(words).not.toContain(token);
    expect(words).toContain('bad signature');
  });

  test('a join and a payment are sent once, for any response', async () => {
    for (const route of ['join', 'pay'] as const) {
      for (const answer of [{ status: 500 }, { status: 307, headers: { location: '/' } }, { status: 429 }]) {
        const before = server.asked.length;
        await said(route, answer);
        expect(server.asked.length - before).toBe(1);
      }
    }
  });
});

test.each([
  ['a redirect that was not followed', { status: 307, headers: { location: '/' } }, false],
  ['a redirect to nowhere', { status: 303 }, true],
  ['a success without content', { status: 200, body: '{}' }, false],
  ['a success with an odd identifier', { status: 200, body: '{"pId":7}' }, true],
  ['a refusal', { status: 403 }, false],
])('after %s, the error says whether a payment may exist', async (_name, answer, maybeActed) => {
  now = answer;
  const client = surveyClient(new URL(server.url), 5000, new AbortController().signal);
  const result = await client.pay({} as StoreRequest);
  expect(result).toMatchObject({ ok: false, clientError: { kind: 'broken', maybeActed } });
});

test('a join after Ctrl-C is not sent, and nothing is thrown', async () => {
  const before = server.asked.length;
  const client = surveyClient(new URL(server.url), 5000, AbortSignal.abort());
  const result = await client.join(join);
  expect(result).toMatchObject({ ok: false, clientError: { kind: 'unreachable', maybeActed: false } });
  expect(server.asked.length).toBe(before);
});

test('no answer at all makes the reader throw', () => {
  const text = fc.oneof(
    fc.string(),
    fc.json(),
    fc.json().map((inner) => JSON.stringify({ data: inner, error: inner })),
    fc
      .json()
      .map((inner) =>
        JSON.stringify({ data: JSON.parse(inner), error: JSON.parse(inner), pId: JSON.parse(inner) }),
      ),
    nested,
  );
  const reply = fc.record({
    kind: fc.constant('answer' as const),
    status: fc.constantFrom(200, 201, 204, 302, 400, 401, 404, 405, 429, 500, 503),
    contentType: fc.constantFrom('', 'text/html', 'application/json'),
    location: fc.option(fc.string()),
    retryAfterMs: fc.option(fc.nat()),
    etag: fc.option(fc.string()),
    clockMs: fc.option(fc.integer()),
    text,
  });
  fc.assert(
    fc.property(reply, (one) => {
      for (const read of [readGroup, readReceipt, readPayment]) {
        const result = read(one);
        if (result.ok) continue;
        expect(result.clientError.sentence).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e]/);
        expect(result.clientError.sentence).not.toBe('');
      }
    }),
    { numRuns: 1000 },
  );
});
