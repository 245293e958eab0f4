/** The payment portal, ours to ask and the sandbox's to play: what is believed of its answers, and what it refuses. */
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { Refused } from '../../../src/survey/protocol/refused.js';
import type { StoreRequest } from '../../../src/survey/protocol/wire.js';
import { healthOf } from '../../../src/survey/server/operations.js';
import { readOrder } from '../../../src/survey/server/order.js';
import {
  type CallbackField,
  createPayment,
  finalizePayment,
  type PortalSettings,
  paymentStatus,
} from '../../../src/survey/server/portal.js';
import { sandboxCredentials, startSandbox } from '../../../src/survey/server/sandbox.js';
import type { GroupStore } from '../../../src/survey/store/group-store.js';
import type { Storage } from '../../../src/survey/store/storage.js';
import { request, stub } from './support.js';

const order: StoreRequest = {
  buyerAddress: `0x${'ab'.repeat(20)}`,
  itemIdentifier: 'item',
  name: 'A survey',
  imageUrl: 'https://a.example/i.png',
  pgType: 'STRIPE',
  currencyCode: 'USD',
  price: '100',
  testMode: true,
};
const settings = (url: string, callbackField: CallbackField = 'both'): PortalSettings => ({
  url,
  clientId: 'id',
  clientSecret: 'secret',
  callbackField,
  timeoutMs: 5000,
  confirmUrl: 'https://s.example/confirm',
  lockUrl: 'https://s.example/lock',
  unlockUrl: null,
});
const portal = async (status: number, json: unknown) =>
  settings(
    (await stub(() => ({ status, body: typeof json === 'string' ? json : JSON.stringify(json) }))).url,
  );

describe('creating a payment', () => {
  test.each([
    [200, { id: 'p1' }, { id: 'p1' }],
    [299, { payment_id: 'p2' }, { id: 'p2' }],
    [200, { id: 'p1', payment_id: 'p2' }, { id: 'p1' }],
    [200, { id: 'x'.repeat(256) }, { id: 'x'.repeat(256) }],
  ])('%i %j is one', async (status, json, expected) => {
    expect(await createPayment(order, await portal(status, json))).toEqual(expected);
  });

  test.each([
    [200, {}, /identifier/],
    [200, { id: '' }, /identifier/],
    [200, { id: 5 }, /identifier/],
    [200, { id: 'x'.repeat(257) }, /identifier/],
    [200, 'x', /identifier/],
    [199 + 101, { id: 'p1' }, /did not answer/],
    [400, { code: 1001, detail: 'Invalid argument: price' }, /400 \(1001 Invalid argument: price\)$/],
    [400, { code: 1001, detail: '<b>' }, /400 \(1001\)$/],
    [400, { code: 1001, detail: 'x'.repeat(121) }, /400 \(1001\)$/],
    [400, { code: 1001, detail: ['a'] }, /400 \(1001\)$/],
    [400, { code: 1001 }, /400 \(1001\)$/],
    [500, { code: '1001', detail: 'a' }, /500$/],
    [500, 'x', /500$/],
  ])('%i %j is unusable', async (status, json, failure) => {
    expect(await createPayment(order, await portal(status, json))).toEqual({
      failure: expect.stringMatching(failure),
    });
  });

  test('a portal that hangs up did not answer', async () => {
    const { url } = await stub(() => 'hang up');
    expect(await createPayment(order, settings(url))).toMatchObject({
      failure: expect.stringMatching(/did not answer/),
    });
    expect(await paymentStatus('p', settings(url))).toBeNull();
    expect(await finalizePayment('p', settings(url))).toBe(false);
  });

  test.each([
    ['both', ['confirmCallbackUrl', 'paymentStatusChangeCallbackUrl']],
    ['confirmCallbackUrl', ['confirmCallbackUrl']],
    ['paymentStatusChangeCallbackUrl', ['paymentStatusChangeCallbackUrl']],
  ] as const)('is asked once, with its item and its callbacks: %s', async (field, names) => {
    const { url, heard } = await stub(() => ({ body: '{"id":"p"}' }));
    await createPayment(order, settings(url, field));
    const { buyerAddress, pgType, testMode, ...item } = order;
    expect(heard).toMatchObject([
      { method: 'POST', headers: { 'x-client-id': 'id', 'x-client-secret': 'secret' } },
    ]);
    expect(JSON.parse(heard[0]?.body ?? '')).toEqual({
      buyerDappPortalAddress: buyerAddress,
      pgType,
      testMode,
      currencyCode: 'USD',
      price: '100',
      lockUrl: 'https://s.example/lock',
      unlockUrl: null,
      items: [item],
      ...Object.fromEntries(names.map((name) => [name, 'https://s.example/confirm'])),
    });
  });
});

test.each([
  [200, { status: 'CONFIRM_FAILED' }, 'CONFIRM_FAILED'],
  [200, { status: 'A'.repeat(41) }, null],
  [200, { status: 'confirmed' }, null],
  [200, { status: '' }, null],
  [200, { status: ['CREATED'] }, null],
  [201, { status: 'CREATED' }, null],
  [404, { status: 'CREATED' }, null],
  [200, 'x', null],
])('of a payment %i %j says %j', async (status, json, expected) => {
  const asked = await portal(status, json);
  expect(await paymentStatus('p&1', asked)).toBe(expected);
  expect(await finalizePayment('p', asked)).toBe(status === 200);
});

describe('an order', () => {
  const read = (over: object) => readOrder({ ...order, ...over });
  test('is read field by field, and no more of it', () => {
    expect(read({ more: 1 })).toEqual({ order });
    expect(read({ testMode: false, itemIdentifier: 'i'.repeat(256), name: 'n'.repeat(256) })).toHaveProperty(
      'order',
    );
    expect(read({ imageUrl: `http://a/${'i'.repeat(503)}` })).toHaveProperty('order');
  });

  test.each([
    ['buyerAddress', undefined],
    ['buyerAddress', `${order.buyerAddress}0`],
    ['buyerAddress', `x${order.buyerAddress}`],
    ['itemIdentifier', ''],
    ['itemIdentifier', 'i'.repeat(257)],
    ['name', ''],
    ['name', 5],
    ['name', 'n'.repeat(257)],
    ['imageUrl', ''],
    ['imageUrl', 'ftp://a/b'],
    ['imageUrl', 'x https://a/b'],
    ['imageUrl', 'https://a/b c'],
    ['imageUrl', `http://a/${'i'.repeat(504)}`],
    ['pgType', 'CASH'],
    ['testMode', 'true'],
    ['testMode', undefined],
  ])('with the %s %j is refused for it', (name, value) => {
    expect(read({ [name]: value })).toEqual({ wrong: expect.stringMatching(new RegExp(`^${name} `)) });
  });
});

describe('the sandbox', () => {
  const path = '/api/payment-v1/payment';
  const good = {
    buyerDappPortalAddress: order.buyerAddress,
    pgType: 'STRIPE',
    currencyCode: 'USD',
    price: '100',
    testMode: true,
    confirmCallbackUrl: 'http://127.0.0.1:1/c',
    lockUrl: null,
    items: [{ itemIdentifier: 'i', name: 'n', imageUrl: 'http://a/b', price: '100', currencyCode: 'USD' }],
  };
  const known = {
    'x-client-id': sandboxCredentials.clientId,
    'x-client-secret': sandboxCredentials.clientSecret,
  };
  async function sandbox() {
    const running = await startSandbox('https://issuer.example');
    onTestFinished(() => running.close());
    return (way: string, body: unknown, headers: Record<string, string> = known) =>
      request(running.url + way, 'POST', body, { 'content-type': 'application/json', ...headers });
  }
  const item = (over: object) => ({ items: [{ ...good.items[0], ...over }] });

  test('takes a sound order, by one name of the callback or the other', async () => {
    const post = await sandbox();
    expect(await post(`${path}/create`, good)).toMatchObject({ status: 200, body: '{"id":"sandbox-1"}' });
    const newer = {
      ...good,
      confirmCallbackUrl: undefined,
      paymentStatusChangeCallbackUrl: 'http://127.0.0.1:1/c',
    };
    expect(await post(`${path}/create`, newer)).toMatchObject({ status: 200, body: '{"id":"sandbox-2"}' });
    for (const other of [
      {},
      { ...known, 'x-client-id': 'x' },
      { ...known, 'x-client-secret': 'x' },
    ] as Record<string, string>[])
      expect((await post(`${path}/create`, good, other)).status).toBe(401);
  });

  test('names the field that breaks its rules', async () => {
    const post = await sandbox();
    const faults: [string, object][] = [
      ['buyerAddress', { buyerDappPortalAddress: 'x'.repeat(43) }],
      ['pgType', { pgType: '' }],
      ['items', { currencyCode: 5 }],
      ['items', { price: '1'.repeat(33) }],
      ['confirmCallbackUrl', { confirmCallbackUrl: null }],
      ['testMode', { testMode: 'true' }],
      ['testMode', { testMode: false }],
      ['items', { items: {} }],
      ['items', { items: [] }],
      ['items', { items: [...good.items, ...good.items] }],
      ['itemIdentifier', item({ itemIdentifier: '' })],
      ['name', item({ name: 'n'.repeat(257) })],
      ['imageUrl', item({ imageUrl: null })],
      ['items', item({ price: '101' })],
      ['items', item({ currencyCode: 'EUR' })],
    ];
    for (const [name, over] of faults) {
      const answer = await post(`${path}/create`, { ...good, ...over });
      expect([name, answer.status]).toEqual([name, 400]);
      expect(JSON.parse(answer.body)).toMatchObject({
        code: 1001,
        detail: expect.stringContaining(`: ${name}`),
      });
    }
  });

  test('settles paid payments, and rejects unknown ones', async () => {
    const post = await sandbox();
    await post(`${path}/create`, { ...good, confirmCallbackUrl: 'http://127.0.0.1:1/c' });
    const id = 'sandbox-1';
    const order = [
      [`${path}/finalize`, { id }, 403],
      [`${path}/finalize`, { id: 'other' }, 404],
      ['/pay', { id: 'other' }, 404],
      ['/pay', { id }, 200],
      [`${path}/finalize`, { id }, 200],
      [`${path}/finalize`, { id }, 403],
    ] as const;
    for (const [way, body, status] of order)
      expect([way, (await post(way, body)).status]).toEqual([way, status]);
  });
});

describe('health', () => {
  const facts = { facts: { members: 1 }, problem: null };
  const writes = async (): Promise<Refused | null> => null;
  const look = (room: () => Promise<unknown>, health: object = facts, problem = writes) => {
    let asked = 0;
    let now = 0;
    const store = { health: async () => ({ ...health, asked: ++asked }) } as unknown as GroupStore;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
    onTestFinished(() => clock.mockRestore());
    const ask = healthOf(store, { room, problem } as unknown as Storage);
    const at = (ms: number) => {
      now = ms;
      return ask();
    };
    return { ask, at, count: () => asked };
  };
  test.each([
    [async () => 16 << 20, null],
    [async () => (16 << 20) - 1, /full/],
    [async () => null, null],
    [async () => new Error('no such disk'), /no such disk/],
    [async () => Promise.reject(new Error('x')), /does not answer/],
  ])('%#', async (room, problem) => {
    const found = await look(room).ask();
    expect(found.problem).toEqual(problem === null ? null : expect.stringMatching(problem));
  });

  test.each([
    [async () => null, facts, 'the disk is read-only'],
    [async () => 0, facts, 'the disk of the store is full'],
    [async () => null, { ...facts, problem: 'no chain' }, 'no chain'],
  ])('where nothing can be written: %#', async (room, health, said) => {
    const refused = async () => new Refused('STORE_FULL', 'the disk is read-only', '');
    expect((await look(room, health, refused).ask()).problem).toBe(said);
  });

  test('the store takes precedence', async () => {
    expect((await look(async () => 0, { ...facts, problem: 'no chain' }).ask()).problem).toBe('no chain');
  });

  test('is looked at once a second', async () => {
    const { at, count } = look(async () => null);
    await Promise.all([at(0), at(1), at(1000)]);
    expect(count()).toBe(1);
    await at(1001);
    await at(2001);
    expect(count()).toBe(2);
    await at(2002);
    expect(count()).toBe(3);
  });
});
