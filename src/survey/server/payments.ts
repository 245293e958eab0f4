/** Payments that this server created, and their status. */
import { Refused } from '../protocol/refused.js';
import type { StoreRequest } from '../protocol/wire.js';
import { digestOf, personOf, type Secret } from '../store/migrations.js';
import { rewrite, type Storage } from '../store/storage.js';
import { isPaid, type Ordered, orderProblem } from './order.js';
import {
  createPayment,
  finalizePayment,
  isStatus,
  type PortalSettings,
  paymentRecord,
  paymentStatus,
} from './portal.js';
import { Quota } from './quota.js';

export interface Payment extends Ordered {
  readonly id: string;
  /** CREATED, STARTED, CONFIRMED, … as the portal names them. */
  readonly status: string;
  /** Whether the portal itself confirmed the status, and for what was ordered; a callback alone proves nothing. */
  readonly verified: boolean;
  /** Why a status of the portal does not count for the order; null: it does. */
  readonly problem: string | null;
  /** The status that a callback claims and the portal has not confirmed; null: none. */
  readonly claimed: string | null;
  /** Milliseconds since 1970. */
  readonly updatedAt: number;
}

type Text = string | null;
type Columns = [
  ...[id: string, status: string, verified: number, problem: Text, claimed: Text, updated: number],
  ...[item: Text, gateway: Text, currency: Text, price: Text, test: number | null, buyer: Text],
];
const columns =
  'id, status, verified, problem, claimed, updated, item, gateway, currency, price, test, buyer';

export interface PaymentFilter {
  readonly status?: string | undefined;
  readonly item?: string | undefined;
  readonly test?: boolean | undefined;
  /** The payment before the first one listed. */
  readonly after?: string | undefined;
  readonly limit?: number | undefined;
}

/** Statuses that only a callback can change: the portal names a refund in no answer that needs no credentials. */
const finalStatuses: readonly string[] = [
  'FINALIZED',
  'CANCELED',
  'CONFIRM_FAILED',
  'REFUNDED',
  'CHARGEBACK',
];

/** Why a buyer cannot settle a payment that an earlier version of this server created. */
export const noBuyer = 'only the operator can settle this payment, because its buyer was not recorded';

/** Requests for a status that callbacks may cause per minute: for one payment, from one address, and in total. */
const quotas = { payment: 10, address: 120, total: 600 } as const;
/** Delay of the request for a callback beyond the quota, in milliseconds. */
const laterMs = 60_000;

export class Payments {
  readonly #storage: Storage;
  readonly #portal: () => PortalSettings | null;
  readonly #secret: Secret;
  readonly #now: () => number;
  readonly #onError: (error: unknown) => void;
  readonly #byPayment = new Quota(quotas.payment);
  readonly #byAddress = new Quota(quotas.address);
  readonly #total = new Quota(quotas.total);
  /** Payments that are asked about later. */
  readonly #later = new Map<string, NodeJS.Timeout>();

  /**
   * @param portal null: every payment fails
   * @param secret key of the buyers' hashes
   * @param onError called if a status cannot be stored after a callback was answered
   */
  constructor(
    storage: Storage,
    portal: () => PortalSettings | null,
    secret: Secret,
    now: () => number,
    onError: (error: unknown) => void = () => undefined,
  ) {
    this.#storage = storage;
    this.#portal = portal;
    this.#secret = secret;
    this.#now = now;
    this.#onError = onError;
  }

  /** Creates and records a payment; `failure` says why not, for the log. */
  async create(order: StoreRequest): Promise<{ id: string } | { failure: string }> {
    const portal = this.#portal();
    if (portal === null) return { failure: 'no portal is configured (--payment-url)' };
    // Without a writable store, a created payment would be lost.
    await rewrite(this.#storage);
    const created = await createPayment(order, portal);
    if ('id' in created) {
      await this.#storage.run(
        `INSERT INTO payments (id, status, verified, updated, buyer, item, gateway, currency, price, test)
         VALUES (?, 'CREATED', 1, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`,
        ...[created.id, this.#now(), this.#buyer(order.buyerAddress), order.itemIdentifier],
        ...[order.pgType, order.currencyCode, order.price, order.testMode ? 1 : 0],
      );
    }
    return created;
  }

  /**
   * Records a callback's status as a claim, if the payment is one of this server's, and asks the portal. Over the quota,
   * the portal is asked a minute later, once for each payment, so that forged callbacks cannot suppress a real one.
   * @param address the caller's
   * @returns undefined for an unknown payment; else, once the claim is stored, the request to the portal
   */
  async note(id: unknown, claimed: unknown, address: string) {
    const payment = typeof id === 'string' ? await this.find(id) : undefined;
    if (payment === undefined) return undefined;
    const nothing = { verified: Promise.resolve() };
    if (!isStatus(claimed)) return nothing;
    const isNews = claimed !== (payment.claimed ?? payment.status);
    if (isNews) {
      const sql = 'UPDATE payments SET claimed = ?, updated = ? WHERE id = ?';
      await this.#storage.run(sql, claimed, this.#now(), payment.id);
    }
    if (!isNews && payment.claimed === null) return nothing;
    if (this.#byAddress.take(address) && this.#mayAsk(payment.id))
      return { verified: this.#verify(payment.id) };
    this.#verifyLater(payment.id);
    return nothing;
  }

  /** The status, after asking the portal while it can still change: a callback may be lost, or late. */
  async status(id: string): Promise<Payment | undefined> {
    const payment = await this.find(id);
    const isSettled = payment?.claimed === null && finalStatuses.includes(payment.status) && payment.verified;
    if (payment === undefined || isSettled || !this.#mayAsk(id)) return payment;
    await this.#verify(id);
    return this.find(id);
  }

  /**
   * Settles a payment at the portal, and reads its new status.
   * @param buyer the address that the caller proved to own; null: the caller is the operator
   * @returns why it was not settled; null: it was
   */
  async finalize(id: string, buyer: string | null): Promise<string | null> {
    const portal = this.#portal();
    const row = await this.#row(id);
    if (portal === null || row === undefined) return 'not a payment of this server';
    const recorded = row[11];
    if (buyer !== null && recorded === null) return noBuyer;
    if (buyer !== null && recorded !== this.#buyer(buyer)) return 'not a payment of this buyer';
    if (!(await finalizePayment(id, portal))) return 'the portal did not settle it';
    await this.#verify(id);
    return null;
  }

  close(): void {
    for (const timer of this.#later.values()) clearTimeout(timer);
    this.#later.clear();
  }

  async find(id: string): Promise<Payment | undefined> {
    const row = await this.#row(id);
    return row === undefined ? undefined : payment(row);
  }

  #row(id: string): Promise<Columns | undefined> {
    return this.#storage.one<Columns>(`SELECT ${columns} FROM payments WHERE id = ?`, id);
  }

  /** Payments, the latest change first. */
  async list({ status, item, test, after, limit }: PaymentFilter = {}): Promise<Payment[]> {
    const since = after === undefined ? undefined : await this.find(after);
    if (after !== undefined && since === undefined) {
      const reason = 'the page begins after a payment that is not here';
      throw new Refused('INVALID_ARGUMENT', 'no such payment', reason);
    }
    const where: [condition: string, ...values: unknown[]][] = [];
    if (status !== undefined) where.push(['status = ?', status]);
    if (item !== undefined) where.push(['item = ?', item]);
    if (test !== undefined) where.push(['test = ?', test ? 1 : 0]);
    // That payment may have changed its place since.
    const [at, from] = [since?.updatedAt, since?.id];
    if (at !== undefined) where.push(['(updated < ? OR (updated = ? AND id > ?))', at, at, from]);
    const conditions = where.map(([condition]) => condition).join(' AND ') || 'true';
    const rows = await this.#storage.all<Columns>(
      `SELECT ${columns} FROM payments WHERE ${conditions} ORDER BY updated DESC, id${limit === undefined ? '' : ' LIMIT ?'}`,
      ...where.flatMap(([, ...values]) => values),
      ...(limit === undefined ? [] : [limit]),
    );
    return rows.map(payment);
  }

  #mayAsk(id: string): boolean {
    return this.#byPayment.take(id) && this.#total.take('');
  }

  #verifyLater(id: string): void {
    if (this.#later.has(id)) return;
    const timer = setTimeout(() => {
      this.#later.delete(id);
      this.#verify(id).catch(this.#onError);
    }, laterMs);
    this.#later.set(id, timer.unref());
  }

  /**
   * Asks the portal. Its answer replaces status and claim; without an answer both stay. That a payment is paid counts only
   * for what was ordered.
   */
  async #verify(id: string): Promise<void> {
    const portal = this.#portal();
    const status = portal === null ? null : await paymentStatus(id, portal);
    if (portal === null || status === null) return;
    const row = isPaid(status) ? await this.#row(id) : undefined;
    const problem =
      row === undefined
        ? null
        : orderProblem(
            payment(row),
            await paymentRecord(id, portal),
            (address) => this.#buyer(address) === row[11],
          );
    await this.#storage.run(
      'UPDATE payments SET status = ?, verified = ?, problem = ?, claimed = NULL, updated = ? WHERE id = ?',
      ...[status, problem === null ? 1 : 0, problem, this.#now(), id],
    );
  }

  #buyer(address: string): string {
    return personOf(this.#secret, digestOf(`buyer\n${address.toLowerCase()}`));
  }
}

function payment([id, status, verified, problem, claimed, updatedAt, ...ordered]: Columns): Payment {
  const [itemIdentifier, pgType, currencyCode, price, test] = ordered;
  const testMode = test === null ? null : test === 1;
  const order = { itemIdentifier, pgType, currencyCode, price, testMode };
  return { id, status, verified: verified === 1, problem, claimed, ...order, updatedAt };
}
