/** Payments that this server created, and their status. */
import { createHash } from 'node:crypto';
import type { StoreRequest } from '../protocol/wire.js';
import { personOf } from '../store/migrations.js';
import { rewrite, type Storage } from '../store/storage.js';
import { createPayment, finalizePayment, isStatus, type PortalSettings, paymentStatus } from './portal.js';
import { Quota } from './quota.js';

export interface Payment {
  readonly id: string;
  /** CREATED, STARTED, CONFIRMED, … as the portal names them. */
  readonly status: string;
  /** Whether the portal itself confirmed the status; a callback alone proves nothing. */
  readonly verified: boolean;
  /** The status that a callback claims and the portal has not confirmed; null: none. */
  readonly claimed: string | null;
  /** Milliseconds since 1970. */
  readonly updatedAt: number;
}

type Columns = [id: string, status: string, verified: number, claimed: string | null, updated: number];
const columns = 'id, status, verified, claimed, updated';

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
  readonly #secret: Buffer;
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
    secret: Buffer,
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
        `INSERT INTO payments (id, status, verified, updated, buyer) VALUES (?, 'CREATED', 1, ?, ?)
         ON CONFLICT (id) DO NOTHING`,
        ...[created.id, this.#now(), this.#buyer(order.buyerAddress)],
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
  async note(
    id: unknown,
    claimed: unknown,
    address: string,
  ): Promise<{ verified: Promise<void> } | undefined> {
    const payment = typeof id === 'string' ? await this.find(id) : undefined;
    if (payment === undefined) return undefined;
    if (!isStatus(claimed)) return { verified: Promise.resolve() };
    const isNews = claimed !== (payment.claimed ?? payment.status);
    if (isNews) {
      await this.#storage.run(
        'UPDATE payments SET claimed = ?, updated = ? WHERE id = ?',
        ...[claimed, this.#now(), payment.id],
      );
    }
    const isOpen = isNews || payment.claimed !== null;
    if (isOpen && this.#byAddress.take(address) && this.#mayAsk(payment.id)) {
      return { verified: this.#verify(payment.id) };
    }
    if (isOpen) this.#verifyLater(payment.id);
    return { verified: Promise.resolve() };
  }

  /** The status, after asking the portal while it can still change: a callback may be lost, or late. */
  async status(id: string): Promise<Payment | undefined> {
    const payment = await this.find(id);
    const isSettled = payment?.claimed === null && finalStatuses.includes(payment.status);
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
    const row = await this.#storage.one<[string | null]>('SELECT buyer FROM payments WHERE id = ?', id);
    if (portal === null || row === undefined) return 'not a payment of this server';
    if (buyer !== null && row[0] === null) return noBuyer;
    if (buyer !== null && row[0] !== this.#buyer(buyer)) return 'not a payment of this buyer';
    if (!(await finalizePayment(id, portal))) return 'the portal did not settle it';
    await this.#verify(id);
    return null;
  }

  /** Cancels the requests that wait. */
  close(): void {
    for (const timer of this.#later.values()) clearTimeout(timer);
    this.#later.clear();
  }

  async find(id: string): Promise<Payment | undefined> {
    const row = await this.#storage.one<Columns>(`SELECT ${columns} FROM payments WHERE id = ?`, id);
    return row === undefined ? undefined : payment(row);
  }

  /** All payments, the latest change first. */
  async list(): Promise<Payment[]> {
    const rows = await this.#storage.all<Columns>(
      `SELECT ${columns} FROM payments ORDER BY updated DESC, id`,
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

  /** Asks the portal. Its answer replaces status and claim; without an answer both stay. */
  async #verify(id: string): Promise<void> {
    const portal = this.#portal();
    const status = portal === null ? null : await paymentStatus(id, portal);
    if (status === null) return;
    await this.#storage.run(
      'UPDATE payments SET status = ?, verified = 1, claimed = NULL, updated = ? WHERE id = ?',
      ...[status, this.#now(), id],
    );
  }

  #buyer(address: string): string {
    return personOf(
      this.#secret,
      createHash('sha256').update(`buyer\n${address.toLowerCase()}`).digest('hex'),
    );
  }
}

function payment([id, status, verified, claimed, updatedAt]: Columns): Payment {
  return { id, status, verified: verified === 1, claimed, updatedAt };
}
