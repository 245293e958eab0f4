/** The requests whose answers by the original app are on record: same status, same shape, or a named difference. */
import { expect, test } from 'vitest';
import { order } from '../order.js';
import { type Answered, inner, joinBody, request, started, stub, survey } from './support.js';

const other = '0x0Bc34f96d8E99c6E2933e49e6f68DFB7B74b7aDB';
const members = '/api/group/members';
const join = '/api/group/join';

/** What the original answers: status, and the form of its body. */
type Form = 'empty' | 'members' | 'receipt' | 'error' | 'pId' | 'message';
interface Case {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly original: readonly [status: number, form: Form];
  /** What this server answers instead, and why. */
  readonly here?: readonly [status: number, form: Form, why: string];
  /** In `reason` of an error. */
  readonly reason?: string;
  /** How the payment portal answers. */
  readonly portal?: { status?: number; body: string };
}

const post = (name: string, body: unknown, more: Partial<Case> = {}): Case => ({
  name,
  method: 'POST',
  path: join,
  body,
  original: [400, 'error'],
  ...more,
});
const without = (field: string) => ({ ...joinBody('5'), [field]: undefined });

const noMethod = (form: Form): Pick<Case, 'original' | 'here' | 'reason'> => ({
  original: [405, 'empty'],
  here: [405, form, 'every refusal has a body'],
  reason: 'use',
});

const cases: readonly Case[] = [
  { name: 'members', method: 'GET', path: `${members}?id=${survey}`, original: [200, 'members'] },
  {
    name: 'lower-case id',
    method: 'GET',
    path: `${members}?id=${survey.toLowerCase()}`,
    original: [200, 'members'],
  },
  { name: 'no id', method: 'GET', path: members, original: [400, 'error'], reason: 'missing' },
  { name: 'empty id', method: 'GET', path: `${members}?id=`, original: [400, 'error'], reason: 'missing' },
  {
    name: 'an id that is not a survey',
    method: 'GET',
    path: `${members}?id=${other}`,
    original: [400, 'error'],
  },
  {
    name: 'wrong checksum',
    method: 'GET',
    path: `${members}?id=${survey.replace('5A', '5a')}`,
    original: [400, 'error'],
    reason: 'checksum',
  },
  { name: 'members HEAD', method: 'HEAD', path: `${members}?id=${survey}`, original: [200, 'empty'] },
  { name: 'members OPTIONS', method: 'OPTIONS', path: `${members}?id=${survey}`, original: [204, 'empty'] },
  { name: 'members POST', method: 'POST', path: members, ...noMethod('error') },
  { name: 'trailing slash', method: 'GET', path: `${members}/?id=${survey}`, original: [200, 'members'] },
  { name: 'join GET', method: 'GET', path: join, ...noMethod('error') },
  post('bad JSON', '{bad', { reason: 'not JSON' }),
  post('empty object', {}, { reason: 'missing' }),
  post('invalid token', joinBody('5', { idToken: 'bad' }), { reason: 'access token expired' }),
  post('no token', without('idToken'), { reason: 'missing' }),
  post('profile without user', joinBody('5', { idToken: 'nouser' }), { reason: 'names no user' }),
  post('wrong signer', { ...joinBody('5'), account: other }, { reason: 'not by this account' }),
  post('short signature', joinBody('5', { signature: '0x1234' }), { reason: 'invalid raw signature length' }),
  post('no signature', without('signature'), { reason: 'missing' }),
  post('commitment of letters', joinBody('abc'), { reason: 'not a decimal' }),
  post('no commitment', without('commitment'), { reason: 'missing' }),
  post('commitment 1.5', joinBody(1.5), { reason: 'not a whole one' }),
  post('commitment 0', joinBody('0'), { reason: 'LeafCannotBeZero' }),
  post('commitment ""', joinBody(''), { reason: 'LeafCannotBeZero' }),
  post('commitment of the field’s size', joinBody(field()), { reason: 'LeafGreaterThanSnarkScalarField' }),
  post('commitment 2^256', joinBody(String(2n ** 256n)), {
    original: [500, 'empty'],
    reason: '256 bits',
    here: [400, 'error', 'the original fails to serialise its own error'],
  }),
  post('negative commitment', joinBody('-1'), {
    original: [500, 'empty'],
    reason: 'not a decimal',
    here: [400, 'error', 'the original fails to serialise its own error'],
  }),
  post('id without a survey', joinBody('5', { id: other }), {
    original: [200, 'receipt'],
    here: [400, 'error', 'the original reports success although nothing was joined'],
  }),
  post('join', joinBody('5'), { original: [200, 'receipt'] }),
  post('join again', joinBody('5'), { reason: 'LeafAlreadyExists' }),
  post('commitment in hex', joinBody('0x1f'), { original: [200, 'receipt'] }),
  post('numeric commitment', joinBody(77), { original: [200, 'receipt'] }),
  post('blanks around the commitment', joinBody(' 78 '), { original: [200, 'receipt'] }),
  { name: 'store', method: 'POST', path: '/api/store', body: order, original: [200, 'pId'] },
  { name: 'store bad JSON', method: 'POST', path: '/api/store', body: '{bad', original: [400, 'message'] },
  {
    name: 'store, portal refuses',
    method: 'POST',
    path: '/api/store',
    body: order,
    portal: { status: 400, body: '{"code":1001,"detail":"Invalid argument","cause":null}' },
    original: [200, 'empty'],
    here: [400, 'message', 'the original answers {} without looking at the portal’s status'],
  },
  {
    name: 'store, portal says null',
    method: 'POST',
    path: '/api/store',
    body: order,
    portal: { body: 'null' },
    original: [400, 'message'],
  },
  {
    name: 'store of nothing',
    method: 'POST',
    path: '/api/store',
    body: {},
    original: [200, 'pId'],
    here: [400, 'message', 'the original forwards an order without buyer, item or price'],
  },
  {
    name: 'finalize',
    method: 'POST',
    path: '/api/store/finalize',
    body: { id: 'pay_1' },
    original: [200, 'message'],
    here: [400, 'message', 'the original settles a payment for everybody who knows its identifier'],
  },
  {
    name: 'finalize nothing',
    method: 'POST',
    path: '/api/store/finalize',
    body: {},
    original: [200, 'message'],
    here: [400, 'message', 'the original says it is done whatever the portal answered'],
  },
  { name: 'store GET', method: 'GET', path: '/api/store', ...noMethod('message') },
  {
    name: 'callback',
    method: 'POST',
    path: '/api/store/callback',
    body: { paymentId: 'x', status: 'CONFIRMED' },
    original: [200, 'message'],
  },
];

function field(): string {
  return '21888242871839275222246405745257275088548364400416034343698204186575808495617';
}

function form(answer: Answered): Form {
  if (answer.body === '') return 'empty';
  const body = JSON.parse(answer.body) as Record<string, unknown>;
  const [name = ''] = Object.keys(body);
  if (name === 'data') return inner(answer, 'data')._type === 'TransactionReceipt' ? 'receipt' : 'members';
  return name as Form;
}

test('every recorded request is answered as recorded', async () => {
  let portal: Case['portal'];
  const upstream = await stub(() => portal ?? { body: '{"id":"pay_1"}' });
  const { url } = await started({ portal: (base) => portalAt(upstream.url, base) });
  for (const one of cases) {
    portal = one.portal;
    const answer = await request(url + one.path, one.method, one.body);
    const [status, shape] = one.here ?? one.original;
    expect([one.name, answer.status, form(answer)]).toEqual([one.name, status, shape]);
    expect(answer.type, one.name).toBe(
      shape === 'empty' && one.method !== 'HEAD' ? null : 'application/json',
    );
    if (status === 405 || status === 204) expect(answer.allow, one.name).toContain('OPTIONS');
    if (shape === 'error') expectReasoned(answer, one);
  }
});

/** Every refusal of a group route says what and why, and repeats neither signature nor token. */
function expectReasoned(answer: Answered, one: Case): void {
  const error = inner(answer, 'error');
  expect(error.shortMessage, one.name).toMatch(/\w/);
  expect(error.reason, one.name).toContain(one.reason ?? '');
  expect(error.reason, one.name).toMatch(/\w/);
  const { signature } = joinBody('5');
  expect(answer.body, one.name).not.toContain(String(signature).slice(2, 40));
}

function portalAt(url: string, base: string) {
  return {
    url,
    clientId: 'id',
    clientSecret: 'secret',
    callbackField: 'both' as const,
    timeoutMs: 1000,
    confirmUrl: `${base}/api/store/callback`,
    lockUrl: null,
    unlockUrl: null,
  };
}

test('a listed difference is a real difference from the original’s answer', () => {
  for (const { name, here, original } of cases) {
    if (here !== undefined) expect([here[0], here[1]], name).not.toEqual([...original]);
  }
});
