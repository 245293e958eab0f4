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

/** Requests for a status that callbacks may cause per minute: for one payment, from one address, and in total. */
const quotas = { payment: 10, address: 120, total: 600 } as const;

export class Payments {
  readonly #storage: Storage;
  readonly #portal: () => PortalSettings | null;
  readonly #secret: Buffer;
  readonly #now: () => number;
  readonly #byPayment = new Quota(quotas.payment);
  readonly #byAddress = new Quota(quotas.address);
  readonly #total = new Quota(quotas.total);

  /**
   * @param portal null: every payment fails
   * @param secret key of the buyers' hashes
   */
  constructor(storage: Storage, portal: () => PortalSettings | null, secret: Buffer, now: () => number) {
    this.#storage = storage;
    this.#portal = portal;
    this.#secret = secret;
    this.#now = now;
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
   * the claim waits for the next callback or request for the status.
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
    const isAllowed = isOpen && this.#byAddress.take(address) && this.#mayAsk(payment.id);
    return { verified: isAllowed ? this.#verify(payment.id) : Promise.resolve() };
  }

  /** The status, after asking the portal if a callback claims another. */
  async status(id: string): Promise<Payment | undefined> {
    const payment = await this.find(id);
    if (payment === undefined || payment.claimed === null || !this.#mayAsk(id)) return payment;
    await this.#verify(id);
    return this.find(id);
  }

  /**
   * Settles a payment at the portal; false when it is unknown or the portal refuses.
   * @param buyer the address that the caller proved to own; null: the caller is the operator
   */
  async finalize(id: string, buyer: string | null): Promise<boolean> {
    const portal = this.#portal();
    const row = await this.#storage.one<[string | null]>('SELECT buyer FROM payments WHERE id = ?', id);
    if (portal === null || row === undefined) return false;
    if (buyer !== null && row[0] !== this.#buyer(buyer)) return false;
    return finalizePayment(id, portal);
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
