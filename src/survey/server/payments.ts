/** Payments that this server created, and their status. */
import { groupBy } from '../../util/group-by.js';
import { Refused } from '../protocol/refused.js';
import type { StoreRequest } from '../protocol/wire.js';
import { digestOf, personOf, type Secret } from '../store/schema.js';
import { type Rows, rewrite, type Storage } from '../store/storage.js';
import { type Ordered, orderProblem } from './order.js';
import {
  answeredStatuses,
  laterClaim,
  openClaim,
  type PaymentState,
  paymentStatuses,
  settleStatus,
  stateOf,
  statusState,
} from './payment-states.js';
import type { PortalSettings } from './portal.js';
import { createPayment, finalizePayment, isStatus, paymentRecord, paymentStatus } from './portal.js';
import { RateStore } from './rate-store.js';

export interface Payment extends Ordered {
  readonly id: string;
  /** CREATED, STARTED, CONFIRMED, … as the portal names them. */
  readonly status: string;
  readonly state: PaymentState;
  /** Whether the portal itself confirmed the status, and for what was ordered; a callback alone proves nothing. */
  readonly verified: boolean;
  /** Why a status of the portal does not count for the order; null if it does. */
  readonly problem: string | null;
  /** The status that a callback claims and the portal has not confirmed; null if there is none. */
  readonly claimed: string | null;
  /** Milliseconds since 1970. */
  readonly updatedAt: number;
  /** The first time of each status, by who said so; the oldest first. */
  readonly history: readonly { status: string; source: Source; at: number }[];
}

type Source = 'callback' | 'portal';

type Text = string | null;
/** The values of `columns`, in their order. */
type Columns = [string, string, Text, Text, number, string, string, string, string, number, Text];
const columns = 'id, status, problem, claimed, updated, item, gateway, currency, price, test, buyer';

export interface PaymentFilter {
  readonly status?: string | undefined;
  readonly item?: string | undefined;
  readonly test?: boolean | undefined;
  /** The payment before the first one listed. */
  readonly after?: string | undefined;
  readonly limit?: number | undefined;
}

/** Why a buyer cannot settle a payment after the participants' keys were dropped. */
export const noBuyer =
  'only the operator can settle this payment, because the record of its buyer was dropped';

/** Statuses of a payment that this version does not know; further ones are not recorded. */
const maxUnknown = 20;

/** Requests for a status that callbacks may cause per minute: for one payment, from one address, and in total. */
const quotas = { payment: 10, address: 120, total: 600 } as const;
/** Delay of the request for a callback beyond the quota, in milliseconds. */
const laterMs = 60_000;

interface Tools {
  readonly storage: Storage;
  /** Null: every payment fails. */
  portal(): PortalSettings | null;
  /** Key of the buyers' hashes. */
  readonly secret: Secret;
  now(): number;
  /** Called if a status cannot be stored after a callback was answered. */
  onError?(error: unknown): void;
}

export class Payments {
  readonly #tools: Tools;
  readonly #storage: Storage;
  readonly #asked = { payment: new RateStore(), address: new RateStore(), total: new RateStore() };
  /** Payments that are asked about later. */
  readonly #later = new Map<string, NodeJS.Timeout>();

  constructor(tools: Tools) {
    this.#tools = tools;
    this.#storage = tools.storage;
  }

  /** Creates and records a payment; `failure` says why not, for the log. */
  async create(order: StoreRequest): Promise<{ id: string } | { failure: string; isSent?: false }> {
    const portal = this.#tools.portal();
    if (portal === null)
      return { failure: 'no portal is configured: nothing was sent', isSent: false as const };
    // Without a writable store, a created payment would be lost.
    await rewrite(this.#storage);
    const created = await createPayment(order, portal);
    if ('id' in created) {
      const { itemIdentifier, pgType, currencyCode, price, testMode } = order;
      const ordered = [itemIdentifier, pgType, currencyCode, price, testMode ? 1 : 0];
      const values = [created.id, this.#tools.now(), this.#buyer(order.buyerAddress), ...ordered];
      const sql = `INSERT INTO payments (id, status, updated, buyer, item, gateway, currency, price, test)
         VALUES (?, 'CREATED', ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`;
      await this.#storage.run(sql, ...values);
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
    if (isNews)
      await this.#storage.atomically(paymentLock, async (rows) => {
        const [, status = '', , before = null] = (await this.#row(payment.id, rows)) ?? [];
        const sql = 'UPDATE payments SET claimed = ?, updated = ? WHERE id = ?';
        await rows.run(sql, laterClaim(status, before, claimed), this.#tools.now(), payment.id);
        await this.#remember(rows, payment.id, [claimed], 'callback');
      });
    if (!isNews && payment.claimed === null) return nothing;
    if (this.#asked.address.take(address, quotas.address) && this.#mayAsk(payment.id))
      return { verified: this.#verify(payment.id) };
    this.#verifyLater(payment.id);
    return nothing;
  }

  /** The status, after asking the portal: a callback may be lost or late, and a paid payment may be refunded. */
  async status(id: string): Promise<Payment | undefined> {
    if ((await this.#row(id)) !== undefined && this.#mayAsk(id)) await this.#verify(id);
    return this.find(id);
  }

  /**
   * Settles a payment at the portal, and reads its new status.
   * @param buyer the address that the caller proved to own; null if the caller is the operator
   * @returns why it was not settled; null if it was
   */
  async finalize(id: string, buyer: string | null): Promise<string | null> {
    const portal = this.#tools.portal();
    const row = await this.#row(id);
    if (portal === null || row === undefined) return 'not a payment of this server';
    const recorded = row[10];
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
    return row === undefined ? undefined : (await this.#shown([row], '?', [id]))[0];
  }

  /** The number of payments in each state; states without any are absent. */
  async counts(): Promise<Partial<Record<PaymentState, number>>> {
    const found = await this.#storage.all<[string, Text, Text, number]>(
      'SELECT status, claimed, problem, COUNT(*) FROM payments GROUP BY status, claimed, problem',
    );
    const counts: Partial<Record<PaymentState, number>> = {};
    for (const [status, claimed, problem, count] of found) {
      const state = stateOf(status, claimed, problem);
      counts[state] = (counts[state] ?? 0) + Number(count);
    }
    return counts;
  }

  /** @param ids SQL that selects the ids of the rows, with its values */
  async #shown(rows: readonly Columns[], ids: string, values: readonly unknown[]): Promise<Payment[]> {
    const history = await this.#storage.all<[string, string, Source, number]>(
      `SELECT payment, status, source, at FROM payment_history WHERE payment IN (${ids}) ORDER BY at, status`,
      ...values,
    );
    const own = groupBy(history, ([id]) => id);
    const changes = (id: string) =>
      (own.get(id) ?? []).map(([, status, source, at]) => ({ status, source, at }));
    return rows.map((row) => payment(row, changes(row[0])));
  }

  #row(id: string, rows: Rows = this.#storage): Promise<Columns | undefined> {
    return rows.one<Columns>(`SELECT ${columns} FROM payments WHERE id = ?`, id);
  }

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
    const selected = `FROM payments WHERE ${conditions} ORDER BY updated DESC, id${limit === undefined ? '' : ' LIMIT ?'}`;
    const values = [...where.flatMap(([, ...values]) => values), ...(limit === undefined ? [] : [limit])];
    const rows = await this.#storage.all<Columns>(`SELECT ${columns} ${selected}`, ...values);
    // A newer portal may have named a status that this version does not know.
    const isKnown = status === undefined || rows.length > 0 || statusState(status) !== 'unknown';
    if (isKnown) return this.#shown(rows, `SELECT id ${selected}`, values);
    throw new Refused('INVALID_ARGUMENT', 'no such status', `there are ${paymentStatuses.join(', ')}`);
  }

  #mayAsk(id: string): boolean {
    const { payment, total } = this.#asked;
    return payment.take(id, quotas.payment) && total.take('', quotas.total);
  }

  #verifyLater(id: string): void {
    if (this.#later.has(id)) return;
    const timer = setTimeout(() => {
      this.#later.delete(id);
      this.#verify(id).catch((error: unknown) => this.#tools.onError?.(error));
    }, laterMs);
    this.#later.set(id, timer.unref());
  }

  /**
   * Asks the portal, whose answers replace the status by the rules of payment-states.ts; without an answer all stays. That
   * a payment is paid counts only for what was ordered.
   */
  async #verify(id: string): Promise<void> {
    const portal = this.#tools.portal();
    if (portal === null) return;
    const [status, record] = await Promise.all([paymentStatus(id, portal), paymentRecord(id, portal)]);
    const answers = answeredStatuses(status, record);
    if (answers.statuses.length === 0) return;
    await this.#storage.atomically(paymentLock, async (rows) => {
      const row = await this.#row(id, rows);
      if (row === undefined) return;
      const { status, contradiction } = settleStatus(row[1], answers);
      const isPaid = statusState(status) === 'paid';
      const problem =
        contradiction !== null
          ? `the portal also calls it ${contradiction}`
          : isPaid
            ? orderProblem(payment(row, []), record, (address) => this.#buyer(address) === row[10])
            : null;
      const claimed = openClaim(status, row[3]);
      const isSame = [status, problem, claimed].every((one, at) => one === row[at + 1]);
      if (isSame) return;
      const sql = 'UPDATE payments SET status = ?, problem = ?, claimed = ?, updated = ? WHERE id = ?';
      await rows.run(sql, status, problem, claimed, this.#tools.now(), id);
      await this.#remember(rows, id, answers.statuses, 'portal');
    });
  }

  /** Records the first time of each status. Anybody can send callbacks: statuses without a meaning are limited. */
  async #remember(rows: Rows, id: string, statuses: readonly string[], source: Source): Promise<void> {
    for (const status of statuses) {
      const max = statusState(status) === 'unknown' ? maxUnknown : Number.MAX_SAFE_INTEGER;
      const sql = `INSERT INTO payment_history (payment, status, source, at) SELECT ?, ?, ?, ? FROM payments
         WHERE id = ? AND (SELECT COUNT(*) FROM payment_history WHERE payment = ?) < ?
         ON CONFLICT (payment, status, source) DO NOTHING`;
      await rows.run(sql, id, status, source, this.#tools.now(), id, id, max);
    }
  }

  #buyer(address: string): string {
    return personOf(this.#tools.secret, digestOf(`buyer\n${address.toLowerCase()}`));
  }
}

const paymentLock = 'payments';

function payment(row: Columns, history: Payment['history']): Payment {
  const [id, status, problem, claimed, updatedAt, itemIdentifier, pgType, currencyCode, price, test] = row;
  const order = { itemIdentifier, pgType, currencyCode, price, testMode: test === 1 };
  const state = stateOf(status, claimed, problem);
  return { id, status, state, verified: problem === null, problem, claimed, ...order, updatedAt, history };
}
