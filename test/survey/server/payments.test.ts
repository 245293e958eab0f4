/** What a payment counts for: the order, as the portal recorded it. */
import { expect, test } from 'vitest';
import { Payments } from '../../../src/survey/server/payments.js';
import { openStorage } from '../../../src/survey/store/open.js';
import { stub } from './support.js';

const buyer = `0x${'ab'.repeat(20)}`;
const order = {
  buyerAddress: buyer,
  itemIdentifier: 'survey-7',
  name: 'A survey',
  imageUrl: 'https://a.example/i.png',
  pgType: 'CRYPTO' as const,
  currencyCode: 'KAIA',
  price: '500',
  testMode: false,
};
const { name: _, imageUrl: __, buyerAddress: ___, ...shown } = order;

/** A payment that the portal calls confirmed, with this record of it; null: it has none. */
async function confirmed(record: object | null) {
  const portal = await stub(({ path }) => {
    if (path.includes('/create')) return { body: '{"id":"pay_1"}' };
    if (path.includes('/status')) return { body: '{"status":"CONFIRMED"}' };
    return record === null ? { status: 404, body: '{}' } : { body: JSON.stringify(record) };
  });
  const storage = await openStorage(':memory:', Buffer.alloc(32, 7));
  const settings = {
    url: portal.url,
    clientId: 'the-id',
    clientSecret: 'the-secret',
    callbackField: 'both' as const,
    timeoutMs: 5000,
    confirmUrl: 'https://s.example/c',
    lockUrl: null,
    unlockUrl: null,
  };
  const payments = new Payments({
    storage,
    portal: () => settings,
    secret: Buffer.alloc(32, 7),
    now: () => 5,
  });
  await payments.create(order);
  const status = await payments.status('pay_1');
  await storage.close();
  return { status, heard: portal.heard };
}

const record = {
  id: 'pay_1',
  status: 'CONFIRMED',
  pgType: 'CRYPTO',
  currencyCode: 'KAIA',
  price: '500.00',
  items: [{ itemIdentifier: 'survey-7' }],
  testMode: false,
  buyerDappPortalAddress: buyer.toUpperCase(),
};

test('a confirmed payment shows what was ordered, and counts for the portal’s record of the same order', async () => {
  const { status, heard } = await confirmed(record);
  expect(status).toEqual({
    id: 'pay_1',
    status: 'CONFIRMED',
    state: 'paid',
    verified: true,
    problem: null,
    claimed: null,
    ...shown,
    updatedAt: 5,
    history: [{ status: 'CONFIRMED', source: 'portal', at: 5 }],
  });
  expect(heard.at(-1)).toMatchObject({
    path: '/api/payment-v1/payment/info?id=pay_1',
    headers: { 'x-client-id': 'the-id', 'x-client-secret': 'the-secret' },
  });
});

test.each([
  ['price', { price: '0.01' }],
  ['price', { price: '' }],
  ['price', { price: null }],
  ['itemIdentifier', { items: [{ itemIdentifier: 'sticker' }] }],
  ['itemIdentifier', { items: [...record.items, ...record.items] }],
  ['currencyCode', { currencyCode: 'USDT' }],
  ['pgType', { pgType: 'STRIPE' }],
  ['testMode', { testMode: true }],
  ['testMode', { testMode: undefined }],
  ['buyerAddress', { buyerDappPortalAddress: `0x${'cd'.repeat(20)}` }],
])('a payment of another %s is not verified: %j', async (name, change) => {
  const { status } = await confirmed({ ...record, ...change });
  expect(status).toMatchObject({
    status: 'CONFIRMED',
    verified: false,
    problem: `the ${name} is not that of the order`,
  });
});

test('what cannot be compared is not verified', async () => {
  expect((await confirmed(null)).status).toMatchObject({
    verified: false,
    problem: 'the portal did not say what was paid',
  });
  const { buyerDappPortalAddress: _, ...documented } = record;
  expect((await confirmed(documented)).status).toMatchObject({ verified: true });
});

test('payments are listed by status, item and mode, and by page', async () => {
  const storage = await openStorage(':memory:', Buffer.alloc(32, 7));
  const payments = new Payments({ storage, portal: () => null, secret: Buffer.alloc(32, 7), now: Date.now });
  for (const [at, id] of ['a', 'b', 'c', 'd', 'e'].entries()) {
    await storage.run(
      "INSERT INTO payments (id, status, updated, item, test, gateway, currency, price) VALUES (?, ?, ?, ?, ?, 'CRYPTO', 'KAIA', '1')",
      id,
      at < 2 ? 'CREATED' : 'CONFIRMED',
      Math.floor(at / 2),
      at === 4 ? 'x' : 'y',
      at % 2,
    );
  }
  const ids = async (filter: Parameters<Payments['list']>[0]) =>
    (await payments.list(filter)).map(({ id }) => id).join('');
  expect(await ids({})).toBe('ecdab');
  expect(await ids({ status: 'CONFIRMED' })).toBe('ecd');
  expect(await ids({ item: 'y', test: false })).toBe('ca');
  expect(await ids({ test: true })).toBe('db');
  expect(await ids({ limit: 2 })).toBe('ec');
  expect(await ids({ limit: 2, after: 'c' })).toBe('da');
  expect(await ids({ status: 'CREATED', after: 'a' })).toBe('b');
  await expect(payments.list({ after: 'z' })).rejects.toMatchObject({ message: 'no such payment' });
  await expect(payments.list({ status: 'PAID' })).rejects.toMatchObject({
    message: 'no such status',
    reason: expect.stringMatching(/^there are CREATED, .*, CONFIRMED, .*, CHARGEBACK$/),
  });
  expect(await payments.list({ status: 'REFUNDED' })).toEqual([]);
  await storage.close();
});
