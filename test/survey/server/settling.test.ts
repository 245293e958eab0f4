/** What callbacks may cost, and who may settle a payment. */
import { Wallet } from 'ethers/wallet';
import { expect, onTestFinished, test, vi } from 'vitest';
import { isOperator } from '../../../src/survey/server/order.js';
import { finalizeText } from '../../../src/survey/server/payment.js';
import { Payments } from '../../../src/survey/server/payments.js';
import { RateStore } from '../../../src/survey/server/rate-store.js';
import { openStorage } from '../../../src/survey/store/open.js';
import { clock } from '../chain/told.js';
import { request, started, stub, wallet } from './support.js';

const order = {
  buyerAddress: wallet.address.toLowerCase(),
  itemIdentifier: 'i',
  name: 'n',
  imageUrl: 'https://i.example/i',
  pgType: 'CRYPTO' as const,
  currencyCode: 'KAIA',
  price: '1',
  testMode: true,
};
/** The portal's record of the order. */
const record = JSON.stringify({ ...order, items: [order] });
const portalAt = (url: string) => ({
  url,
  clientId: 'id',
  clientSecret: 'secret',
  callbackField: 'both' as const,
  timeoutMs: 5000,
  confirmUrl: 'https://s.example/c',
  lockUrl: null,
  unlockUrl: null,
});

/** A server with one payment, `pay_1`, whose status stays CREATED at the portal. */
async function selling() {
  const portal = await stub(({ path }) => ({
    body: path.includes('/status') ? '{"status":"CREATED"}' : '{"id":"pay_1"}',
  }));
  const { url } = await started({
    live: { secret: 'operator', items: null, testPayments: true },
    portal: () => portalAt(portal.url),
  });
  await request(`${url}/api/store`, 'POST', order);
  const asked = (what: string) => portal.heard.filter(({ path }) => path.includes(what)).length;
  return { url, asked };
}

test('forged callbacks cause at most ten status requests a minute for each payment', async () => {
  const { url, asked } = await selling();
  for (let n = 0; n < 40; n++) {
    const body = { paymentId: 'pay_1', status: n % 2 === 0 ? 'CONFIRMED' : 'CANCELED' };
    expect((await request(`${url}/api/store/callback`, 'POST', body)).status).toBe(200);
  }
  for (let n = 0; n < 10; n++) await request(`${url}/api/store/status?id=pay_1`, 'GET');
  expect(asked('/status')).toBe(10);
  const { body } = await request(`${url}/api/store/status?id=pay_1`, 'GET');
  expect(JSON.parse(body)).toMatchObject({ status: 'CREATED', verified: true });
});

test('forged callbacks do not suppress a real one: the portal is asked a minute later', async () => {
  let status = 'CREATED';
  const portal = await stub(({ path }) => ({
    body: path.includes('/status') ? `{"status":"${status}"}` : '{"id":"pay_1"}',
  }));
  const storage = await openStorage(':memory:', Buffer.alloc(32));
  const payments = new Payments({
    storage,
    portal: () => portalAt(portal.url),
    secret: Buffer.alloc(32),
    now: Date.now,
  });
  await payments.create(order);
  const forge = async (n: number) =>
    (await payments.note('pay_1', n % 2 === 0 ? 'CANCELED' : 'STARTED', `10.0.0.${n}`))?.verified;
  for (let n = 0; n < 10; n++) await forge(n);
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  for (let n = 10; n < 20; n++) await forge(n);
  status = 'CONFIRMED';
  await payments.note('pay_1', 'CONFIRMED', '10.0.0.99');
  expect(await payments.find('pay_1')).toMatchObject({ status: 'CREATED', claimed: 'CONFIRMED' });
  vi.advanceTimersByTime(60_000);
  vi.useRealTimers();
  await expect.poll(() => payments.find('pay_1')).toMatchObject({ status: 'CONFIRMED', claimed: null });
  await storage.close();
});

test('a callback with a known status, or without a status, sends no request', async () => {
  const { url, asked } = await selling();
  for (const status of ['CREATED', undefined, 'not a status', 7])
    await request(`${url}/api/store/callback`, 'POST', { paymentId: 'pay_1', status });
  await request(`${url}/api/store/callback`, 'POST', { paymentId: 'other', status: 'CONFIRMED' });
  expect(asked('/status')).toBe(0);
});

test('one address may cause 120 questions a minute, all together 600', async () => {
  // The minute lasts as long as the test.
  clock();
  const portal = await stub(({ path }) => ({
    body: path.includes('/status') ? '{"status":"CREATED"}' : `{"id":"pay_${portal.heard.length}"}`,
  }));
  const storage = await openStorage(':memory:', Buffer.alloc(32));
  const payments = new Payments({
    storage,
    portal: () => portalAt(portal.url),
    secret: Buffer.alloc(32),
    now: Date.now,
  });
  const ids: string[] = [];
  for (let n = 0; n < 70; n++) {
    const created = await payments.create(order);
    if ('id' in created) ids.push(created.id);
  }
  const asked = () => portal.heard.filter(({ path }) => path.includes('/status')).length;
  const claimAll = async (address: string) => {
    const before = asked();
    for (const id of ids)
      for (const claim of ['CONFIRMED', 'CANCELED'])
        await (await payments.note(id, claim, address))?.verified;
    return asked() - before;
  };
  expect(await claimAll('10.0.0.1')).toBe(120);
  const others: number[] = [];
  for (let n = 2; n < 7; n++) others.push(await claimAll(`10.0.0.${n}`));
  expect(asked()).toBe(600);
  expect(others.at(-1)).toBe(0);
  await storage.close();
});

test('a quota is renewed after a minute, and counts keys apart', () => {
  const time = clock();
  const quota = new RateStore();
  expect(['a', 'a', 'a', 'b'].map((key) => quota.take(key, 2))).toEqual([true, true, false, true]);
  time.now += 59_999;
  expect(quota.take('a', 2)).toBe(false);
  time.now += 1;
  expect(quota.take('a', 2)).toBe(true);
});

test('a payment is settled for its buyer, who signs, and for the operator', async () => {
  const { url, asked } = await selling();
  const settle = async (body: object, headers: Record<string, string> = {}) => {
    const type = { 'content-type': 'application/json' };
    const { status } = await request(`${url}/api/store/finalize`, 'POST', body, { ...type, ...headers });
    return [status, asked('/finalize')];
  };
  const id = 'pay_1';
  const account = wallet.address;
  const signature = wallet.signMessageSync(finalizeText(id));
  const other = new Wallet(`0x${'22'.repeat(32)}`);
  const stranger = { id, account: other.address, signature: other.signMessageSync(finalizeText(id)) };
  const refused: [object, Record<string, string>?][] = [
    [{ id }],
    [{ id, account }],
    [{ id, account, signature: wallet.signMessageSync(finalizeText('pay_2')) }],
    [{ id, account: other.address, signature }],
    [stranger],
    [{ id: 'pay_2', account, signature: wallet.signMessageSync(finalizeText('pay_2')) }],
    [{ id }, { authorization: 'Bearer guess' }],
    [{ id, account, signature }, { origin: 'https://evil.example' }],
    [{ id, account, signature }, { 'sec-fetch-site': 'cross-site' }],
  ];
  for (const [body, headers] of refused)
    expect([body, await settle(body, headers)]).toEqual([body, [400, 0]]);
  const unsigned = await request(`${url}/api/store/finalize`, 'POST', { id, account });
  expect(unsigned.body).toBe(
    '{"message":"Finalization is failed: the signature was not accepted: it is missing"}',
  );
  expect(await settle({ id, account, signature })).toEqual([200, 1]);
  expect(await settle({ id, account, signature }, { origin: url })).toEqual([200, 2]);
  expect(await settle({ id }, { authorization: 'Bearer operator' })).toEqual([200, 3]);
});

test('a settled payment has the portal’s new status; one without a recorded buyer is the operator’s', async () => {
  const portal = await stub(({ path }) => ({
    body: path.includes('/status') ? '{"status":"FINALIZED"}' : `{"id":"pay_1",${record.slice(1)}`,
  }));
  const storage = await openStorage(':memory:', Buffer.alloc(32));
  const payments = new Payments({
    storage,
    portal: () => portalAt(portal.url),
    secret: Buffer.alloc(32),
    now: Date.now,
  });
  await payments.create(order);
  // As after a rotation that dropped the keys.
  await storage.run('UPDATE payments SET buyer = NULL');
  expect(await payments.finalize('pay_1', wallet.address)).toMatch(/^only the operator can settle/);
  expect(await payments.find('pay_1')).toMatchObject({ status: 'CREATED' });
  expect(await payments.finalize('pay_1', null)).toBeNull();
  expect(await payments.find('pay_1')).toMatchObject({ status: 'FINALIZED', verified: true });
  await storage.close();
});

test('without an operator’s secret no header is the operator', () => {
  const rules = { secret: null, items: null, testPayments: true };
  for (const header of ['Bearer null', 'Bearer ', 'Bearer undefined', undefined])
    expect([header, isOperator(header, rules)]).toEqual([header, false]);
  expect(isOperator('Bearer secret', { ...rules, secret: 'secret' })).toBe(true);
  expect(isOperator('bearer secret', { ...rules, secret: 'secret' })).toBe(false);
});

test('the store holds no address of a buyer', async () => {
  const portal = await stub(() => ({ body: '{"id":"pay_1"}' }));
  const storage = await openStorage(':memory:', Buffer.alloc(32));
  const payments = new Payments({
    storage,
    portal: () => portalAt(portal.url),
    secret: Buffer.alloc(32),
    now: () => 5,
  });
  await payments.create(order);
  const rows = JSON.stringify(await storage.all('SELECT * FROM payments')).toLowerCase();
  expect(rows).toContain('pay_1');
  expect(rows).not.toContain(order.buyerAddress.slice(2));
  await storage.close();
});
