/** How the survey client reads an answer: only complete answers are accepted, each by its kind. */
import { describe, expect, test } from 'vitest';
import type { Reply } from '../../../src/http/send.js';
import { readGroup, readPayment, readReceipt } from '../../../src/survey/client/answer.js';
import { sanitize, withoutSecrets } from '../../../src/survey/client/client-error.js';
import { refusal } from '../../../src/survey/client/refusal.js';
import { claimsOf } from '../../../src/survey/commands/credentials.js';

type Answer = Extract<Reply, { kind: 'answer' }>;
const reply = (over: Partial<Answer>): Answer => ({
  kind: 'answer',
  status: 200,
  contentType: 'application/json',
  text: '',
  location: null,
  retryAfterMs: null,
  etag: null,
  clockMs: null,
  ...over,
});
const data = (value: unknown) => reply({ text: JSON.stringify({ data: JSON.stringify(value) }) });

describe('a list of members', () => {
  const list = { members: ['1', '2'], groupId: '7' };
  test.each([
    ['whole', list, true],
    ['empty', { ...list, members: [] }, true],
    ['a part', { ...list, from: 0 }, true],
    ['a part from nowhere', { ...list, from: -1 }, false],
    ['a part from between', { ...list, from: 0.5 }, false],
    ['a part from a text', { ...list, from: '1' }, false],
    ['no list', { ...list, members: { 0: '1' } }, false],
    ['no group', { members: ['1'] }, false],
    ['a group that is a number', { ...list, groupId: 7 }, false],
    ['a group with a sign', { ...list, groupId: '-7' }, false],
    ['a group with words behind', { ...list, groupId: '7 x' }, false],
    ['a group without end', { ...list, groupId: '1'.repeat(79) }, false],
    ['a member spelt otherwise', { ...list, members: ['1', '02'] }, false],
  ])('%s', (_, value, ok) => {
    const read = readGroup(data(value));
    expect(read).toEqual(ok ? { ok: true, value } : expect.objectContaining({ ok: false }));
    if (!read.ok) expect(read.clientError).toMatchObject({ kind: 'broken', maybeActed: false });
  });
});

describe('a receipt', () => {
  const log = { topics: ['0x1'], data: '0x', address: '0x' };
  test.each([
    ['with a log', { hash: '0xab', logs: [log] }, true],
    ['without logs', { hash: '0xAB', logs: [] }, true],
    ['with a hash too long', { hash: `0x${'a'.repeat(65)}`, logs: [] }, false],
    ['with words behind its hash', { hash: '0xab x', logs: [] }, false],
    ['with a hash in words', { hash: 'x0xab', logs: [] }, false],
    ['with a hash that is a number', { hash: 1, logs: [] }, false],
    ['with an invalid log', { hash: '0xab', logs: [log, null] }, false],
    ['with a log that is a text', { hash: '0xab', logs: ['x'] }, false],
    ['with a topic that is a number', { hash: '0xab', logs: [{ ...log, topics: ['0x1', 1] }] }, false],
    ['with a log without data', { hash: '0xab', logs: [{ topics: [] }] }, false],
    ['with invalid logs', { hash: '0xab', logs: {} }, false],
  ])('%s', (_, value, ok) => {
    const read = readReceipt(data(value));
    expect(read.ok).toBe(ok);
    if (!read.ok) expect(read.clientError).toMatchObject({ kind: 'broken', maybeActed: true });
  });
});

const error = (status: number, value: unknown, over: Partial<Answer> = {}) =>
  reply({ status, text: JSON.stringify({ error: JSON.stringify(value) }), ...over });
const html = { contentType: 'text/html', text: 'x' };

test.each<[string, Answer, string, boolean]>([
  ['success without data', reply({ text: '{}' }), 'broken', true],
  ['success with data that is an object', reply({ text: '{"data":{}}' }), 'broken', true],
  ['success with a list', reply({ text: '[]' }), 'broken', true],
  ['success that is null', reply({ text: 'null' }), 'broken', true],
  ['success with nothing', reply({}), 'broken', true],
  ['another success', reply({ status: 201, text: '{"data":"{}"}' }), 'broken', true],
  ['a refusal', error(400, { shortMessage: 'no' }), 'refused', false],
  ['the last refusal', error(499, { shortMessage: 'no' }), 'refused', false],
  ['an error with 399', error(399, { shortMessage: 'no' }), 'broken', true],
  ['an error with 500', error(500, { shortMessage: 'no' }), 'unavailable', true],
  ['an error that is a number', reply({ status: 400, text: '{"error":5}' }), 'refused', false],
  ['an error that is null', reply({ status: 400, text: '{"error":null}' }), 'refused', false],
  ['a refusal without error', reply({ status: 400, text: '{}' }), 'broken', false],
  ['no such route', error(404, { shortMessage: 'no' }), 'broken', false],
  ['no such method', error(405, { shortMessage: 'no' }), 'broken', false],
  ['a redirect', reply({ status: 302, location: '/b' }), 'broken', false],
  ['too many', reply({ status: 429, ...html }), 'unavailable', false],
  ['too slow', reply({ status: 408, ...html }), 'unavailable', false],
  ['a node that is gone', error(400, { code: 'ECONNREFUSED' }), 'unavailable', true],
  ['a wallet without money', error(400, { code: 'INSUFFICIENT_FUNDS' }), 'unavailable', false],
  ['an unknown code', error(400, { code: 'toString' }), 'refused', false],
])('a join answered with %s', (_, answer, kind, maybeActed) => {
  expect(readReceipt(answer)).toMatchObject({ ok: false, clientError: { kind, maybeActed } });
  const members = readGroup(answer);
  if (!members.ok && kind === 'unavailable' && answer.status === 400)
    expect(members.clientError.maybeActed).toBe(false);
});

test('a members answer without data did not change anything', () => {
  expect(readGroup(reply({ text: '{}' }))).toMatchObject({ clientError: { maybeActed: false } });
});

test.each([
  [reply({ status: 400 }), 'an empty body'],
  [reply({ status: 400, contentType: 'TEXT/HTML', text: '{}' }), 'a web page'],
  [reply({ status: 400, text: ' <!DOCTYPE html>' }), 'a web page'],
  [reply({ status: 400, text: 'x <html>' }), 'something that is not a JSON object'],
  [reply({ status: 400, text: '[]' }), 'something that is not a JSON object'],
  [reply({ status: 400, text: '{}' }), 'JSON in another form'],
])('each kind of answer is recognised: %#', (answer, what) => {
  expect(readGroup(answer)).toMatchObject({ clientError: { sentence: expect.stringContaining(what) } });
});

test.each([7000, 0, null])('a pause of %j ms is requested and temporary', (retryAfterMs) => {
  for (const status of [429, 408]) {
    const read = readReceipt(error(status, {}, { retryAfterMs }));
    expect(read).toMatchObject({ clientError: { kind: 'unavailable', passing: true } });
    if (!read.ok) expect(read.clientError.retryAfterMs ?? null).toBe(retryAfterMs);
  }
});

describe('a refusal', () => {
  const hash = `0x${'ab'.repeat(32)}`;
  const said = (value: object, asked: 'join' | 'members' = 'join') =>
    refusal(value as never, asked).clientError;

  test.each([
    [{ code: 'TIMEOUT', transactionHash: hash }, hash],
    [{ code: 'TIMEOUT', transactionHash: `${hash}0` }, null],
    [{ code: 'TIMEOUT', transactionHash: `x${hash}` }, null],
    [{ code: 'TIMEOUT', transactionHash: [hash] }, null],
    [{ code: 'TIMEOUT' }, null],
  ])('%j names the transaction only where it is one', (value, transaction) => {
    expect(said(value)).toMatchObject({ kind: 'unavailable', maybeActed: true });
    expect(said(value).transaction ?? null).toBe(transaction);
  });

  test.each([
    ['NONCE_EXPIRED', true, false],
    ['UNAVAILABLE', true, false],
    ['ECONNRESET', true, true],
    ['WRONG_CHAIN', false, false],
  ])('%s passes: %j, and may have acted on a join: %j', (code, passing, maybeActed) => {
    expect(said({ code })).toMatchObject({ kind: 'unavailable', maybeActed });
    expect(said({ code }).passing ?? false).toBe(passing);
    expect(said({ code }, 'members').maybeActed).toBe(false);
  });

  test.each([
    [
      { code: 'CALL_EXCEPTION', data: '0x' },
      { code: 'CALL_EXCEPTION', reason: 'require(false)' },
    ],
    [{ code: 'BAD_DATA' }, { code: 'BAD_DATA', data: '0x' }],
  ])('%j and %j are the same', (one, other) => expect(said(one)).toEqual(said(other)));

  test('of a call with data is not the contract’s', () => {
    expect(said({ code: 'CALL_EXCEPTION', data: '0x', shortMessage: 'x' })).not.toEqual(
      said({ code: 'CALL_EXCEPTION', shortMessage: 'x' }),
    );
    expect(said({ code: 'OTHER', data: '0x', shortMessage: 'x' }).sentence).toBe('x');
  });

  test('repeats no words', () => {
    expect(said({ shortMessage: 'no such token', reason: 'token' }).sentence).toBe('no such token');
    expect(said({ shortMessage: 'no', reason: 'no' }).sentence).toBe('no');
    expect(said({ shortMessage: 'no', reason: 'token' }).sentence).toBe('no: token');
    expect(said({ shortMessage: ' ', reason: 'token' }).sentence).toBe('token');
    expect(said({ receipt: {} }).sentence).toMatch(/\S$/);
  });

  test('hints depend on the cause', () => {
    expect(said({ shortMessage: 'x', argument: 'signature' }).hint).not.toBeNull();
    expect(said({ shortMessage: 'x', argument: 'id' }).hint).toBeNull();
    expect(said({}, 'join').hint).not.toBe(said({}, 'members').hint);
    const manager = said({ data: '0xbb9bf278' }).hint;
    expect(manager).not.toBeNull();
    expect(said({ data: '0x7204756c' }).hint).toBeNull();
    expect(said({ data: '0x258a195a' }).hint).not.toBe(manager);
  });
});

describe('words of a server', () => {
  const long = 'a1'.repeat(22);
  test.each([
    ['short ones stay', 'no such token.', 'no such token'],
    ['a long run is cut', `x ${long} y`, `x ${long.slice(0, 8)}… y`],
    ['42 characters stay', long.slice(0, 42), long.slice(0, 42)],
    ['a hash stays', `0x${'aB'.repeat(32)}`, `0x${'aB'.repeat(32)}`],
    ['a number stays', '7'.repeat(77), '7'.repeat(77)],
    ['65 bytes are cut', `0x${'ab'.repeat(65)}`, '0xababab…'],
    ['what ends a sentence goes', 'no. . ..\n', 'no'],
  ])('%s', (_, words, expected) => expect(sanitize(words)).toBe(expected));

  test('have every secret of a secret’s length removed', () => {
    expect(withoutSecrets('a 12345678 b 1234567 12345678', ['12345678', '1234567'])).toBe(
      'a [secret] b 1234567 [secret]',
    );
  });
});

test.each([
  ['{"sub":"U1","exp":5}', { sub: 'U1', exp: 5 }],
  ['{"sub":"U1","exp":"5"}', { sub: 'U1', exp: null }],
  ['{"sub":"U 1"}', null],
  ['{"sub":""}', null],
  ['{"sub":5}', null],
  ['{}', null],
  ['null', null],
  ['x', null],
])('claims of %s', (payload, claims) => {
  const part = Buffer.from(payload).toString('base64url');
  expect(claimsOf(`h.${part}.s`)).toEqual(claims);
  expect(claimsOf(`h.${part}.`)).toEqual(claims);
  for (const other of [part, `h.${part}`, `h.${part}.s.t`, ` h.${part}.s`, `.${part}.s`])
    expect(claimsOf(other)).toBeNull();
});

test.each([
  ['no answer', false],
  ['an answer lost on its way', true],
])('%s may have acted: %j', (why, maybeSent) => {
  const lost = { kind: 'lost', why, maybeSent } as const;
  for (const read of [readGroup, readReceipt, readPayment])
    expect(read(lost)).toMatchObject({
      clientError: { kind: 'unreachable', maybeActed: maybeSent, passing: true },
    });
});

test.each<[string, Answer, object]>([
  ['an identifier', reply({ text: '{"pId":"pay_1.a:b-c"}' }), { ok: true, value: 'pay_1.a:b-c' }],
  ['none', reply({ text: '{}' }), { clientError: { kind: 'broken', maybeActed: false } }],
  ['a number', reply({ text: '{"pId":5}' }), { clientError: { kind: 'broken', maybeActed: true } }],
  ['one without end', reply({ text: `{"pId":"${'a'.repeat(201)}"}` }), { clientError: { kind: 'broken' } }],
  ['one with a blank', reply({ text: '{"pId":"a b"}' }), { clientError: { kind: 'broken' } }],
  [
    'the one sentence',
    reply({ status: 400, text: '{"message":"Payment is failed"}' }),
    { clientError: { kind: 'unavailable', maybeActed: true } },
  ],
  [
    'another sentence',
    reply({ status: 400, text: '{"message":"no"}' }),
    { clientError: { kind: 'refused', maybeActed: true } },
  ],
  [
    'no sentence',
    reply({ status: 400, text: '{"message":""}' }),
    { clientError: { kind: 'refused', sentence: expect.stringMatching(/./) } },
  ],
  [
    'a sentence that is a number',
    reply({ status: 400, text: '{"message":5}' }),
    { clientError: { kind: 'broken' } },
  ],
  [
    'a sentence with 401',
    reply({ status: 401, text: '{"message":"no"}' }),
    { clientError: { kind: 'broken', maybeActed: false } },
  ],
])('a payment answered with %s', (_, answer, expected) =>
  expect(readPayment(answer)).toMatchObject(expected),
);
