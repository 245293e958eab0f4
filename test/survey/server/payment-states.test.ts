/** Payments over time: whatever comes in whatever order, a refund, a chargeback and a cancelled payment are never hidden. */
import { afterAll, describe, expect, test } from 'vitest';
import {
  answeredStatuses,
  laterStatus,
  settleStatus,
  stateOf,
} from '../../../src/survey/server/payment-states.js';
import { Payments } from '../../../src/survey/server/payments.js';
import { shareOf } from '../../seed.js';
import { backends, secret, stopBackends } from '../store/backends.js';
import { stub } from './support.js';

afterAll(stopBackends);

const order = {
  buyerAddress: `0x${'ab'.repeat(20)}`,
  itemIdentifier: 'it',
  name: 'n',
  imageUrl: 'https://a/i',
  pgType: 'CRYPTO' as const,
  currencyCode: 'KAIA',
  price: '5',
  testMode: true,
};
const record = {
  pgType: 'CRYPTO',
  currencyCode: 'KAIA',
  price: '5',
  testMode: true,
  items: [{ itemIdentifier: 'it' }],
};

/** What the portal says from now on, or a callback that comes. Null: that path of the portal is silent. */
type Event = { readonly status: string | null; readonly info: object | null } | { readonly callback: string };

async function play(events: readonly Event[], open: (typeof backends)[number]) {
  let now: { status: string | null; info: object | null } = { status: 'CREATED', info: null };
  const portal = await stub(({ path }) => {
    if (path.includes('/create')) return { body: '{"id":"pay_1"}' };
    const said = path.includes('/status') ? now.status && { status: now.status } : now.info;
    return said ? { body: JSON.stringify(said) } : { status: 500, body: '{}' };
  });
  const made = await open.make();
  const storage = await made.open();
  const settings = {
    url: portal.url,
    clientId: 'i',
    clientSecret: 's',
    callbackField: 'both' as const,
    timeoutMs: 5000,
    confirmUrl: 'https://s/c',
    lockUrl: null,
    unlockUrl: null,
  };
  const payments = new Payments({ storage, portal: () => settings, secret, now: Date.now });
  await payments.create(order);
  for (const event of events) {
    if ('callback' in event) await (await payments.note('pay_1', event.callback, '10.0.0.1'))?.verified;
    else {
      now = event;
      await payments.status('pay_1');
    }
  }
  const found = await payments.find('pay_1');
  const listed = await payments.list();
  const counts = await payments.counts();
  payments.close();
  await storage.close();
  await made.remove();
  if (found === undefined) throw new Error('the payment is lost');
  expect([listed, counts]).toEqual([[found], { [found.state]: 1 }]);
  return found;
}

function orders<T>(of: readonly T[]): T[][] {
  return of.length < 2
    ? [[...of]]
    : of.flatMap((first, at) => orders(of.toSpliced(at, 1)).map((rest) => [first, ...rest]));
}

const paid: Event = { status: 'FINALIZED', info: { ...record, status: 'FINALIZED' } };
const refunded = (type: string, more: object = {}): Event => ({
  status: null,
  info: { ...record, status: 'FINALIZED', refund: { type, amount: '5', ...more } },
});

describe.for(backends)('on $name', (backend) => {
  test.skipIf(backend.missing !== null)(
    'every order of callbacks and answers ends in the portal’s chargeback, with all claims kept',
    async () => {
      const events: Event[] = [
        { callback: 'CONFIRMED' },
        { callback: 'CHARGEBACK' },
        paid,
        refunded('CHARGEBACK'),
      ];
      for (const order of shareOf(6, orders(events), backends.indexOf(backend))) {
        const found = await play(order, backend);
        expect([order, found.status, found.state]).toEqual([order, 'CHARGEBACK', 'returned']);
        const claims = found.history.filter(({ source }) => source === 'callback');
        expect(claims.length).toBeGreaterThan(0);
      }
    },
  );

  test.skipIf(backend.missing !== null)('a claim that the portal does not confirm stays', async () => {
    for (const claim of ['CHARGEBACK', 'REFUND', 'REFUNDED', 'CANCELED']) {
      expect(await play([paid, { callback: claim }, paid, paid], backend)).toMatchObject({
        status: 'FINALIZED',
        state: 'disputed',
        claimed: claim,
        verified: true,
        history: expect.arrayContaining([expect.objectContaining({ status: claim, source: 'callback' })]),
      });
    }
    const claims: Event[] = [paid, { callback: 'CHARGEBACK' }, { callback: 'STARTED' }, paid];
    expect(await play(claims, backend)).toMatchObject({ claimed: 'CHARGEBACK', state: 'disputed' });
  });
});

const [sqlite] = backends;
if (sqlite === undefined) throw new Error('no store');

test.each([
  ['a refund in the record alone', [paid, refunded('REFUND')], 'REFUND', 'returned'],
  ['a chargeback in the record alone', [paid, refunded('CHARGEBACK')], 'CHARGEBACK', 'returned'],
  ['a refund of an unknown type', [paid, refunded('VOUCHER')], 'REFUND', 'returned'],
  [
    'a status of a refund in the record',
    [paid, { status: null, info: { status: 'REFUNDED' } }],
    'REFUNDED',
    'returned',
  ],
  [
    'a cancelled payment in the record alone',
    [paid, { status: null, info: { status: 'CANCELED' } }],
    'CANCELED',
    'failed',
  ],
  ['a cancelled payment', [paid, { status: 'CANCELED', info: null }], 'CANCELED', 'failed'],
  ['answers after a refund', [refunded('REFUND'), paid, paid], 'REFUND', 'returned'],
  [
    'a lost chargeback',
    [paid, refunded('CHARGEBACK', { chargebackStatus: 'LOST' })],
    'CHARGEBACK',
    'returned',
  ],
  [
    'a chargeback that the seller won',
    [paid, refunded('CHARGEBACK'), refunded('CHARGEBACK', { chargebackStatus: 'WON' })],
    'FINALIZED',
    'paid',
  ],
  ['a portal that is silent', [paid, { status: null, info: null }], 'FINALIZED', 'paid'],
  [
    'an answer that was late',
    [paid, { status: 'STARTED', info: { ...record, status: 'STARTED' } }],
    'FINALIZED',
    'paid',
  ],
  [
    'a payment called paid after it failed',
    [{ status: 'CANCELED', info: null }, paid],
    'CANCELED',
    'disputed',
  ],
  ['an unknown status', [paid, { status: 'PARTLY_REFUNDED', info: null }], 'PARTLY_REFUNDED', 'unknown'],
] as [string, Event[], string, string][])('%s is recorded', async (_, events, status, state) => {
  expect(await play(events, sqlite)).toMatchObject({ status, state });
});

test('callbacks alone never make a payment paid, and made-up ones do not fill the store', async () => {
  const made = Array.from({ length: 60 }, (_, n) => `MADE_UP_${'ABCDEFGHIJ'[n % 10]}${'X'.repeat(n)}`);
  const found = await play(
    [...made, 'CONFIRMED', 'FINALIZED'].map((callback) => ({ callback })),
    sqlite,
  );
  expect(found).toMatchObject({ status: 'CREATED', state: 'pending' });
  expect(found.history.length).toBeLessThan(30);
  expect(found.history.map(({ status }) => status)).toContain('FINALIZED');
});

test('answers in any order end in the same state', () => {
  const all = ['CREATED', 'STARTED', 'CAPTURED', 'CONFIRMED', 'FINALIZED'];
  for (const order of orders(all)) expect(order.reduce(laterStatus, 'CREATED')).toBe('FINALIZED');
  for (const bad of ['REFUND', 'CHARGEBACK', 'CANCELED'])
    for (const order of orders([...all.slice(2), bad]))
      expect(stateOf(order.reduce(laterStatus, 'CREATED'), null, null)).toBe(
        bad === 'CANCELED' ? 'failed' : 'returned',
      );
  expect(settleStatus('CREATED', answeredStatuses(null, null)).status).toBe('CREATED');
});
