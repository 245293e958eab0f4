/** Payments this server created, and what became of them. */

import type { StoreRequest } from '../protocol/wire.js';
import { rewrite, type Storage } from '../store/storage.js';
import { createPayment, finalizePayment, isStatus, type PortalSettings, paymentStatus } from './portal.js';

export interface Payment {
  readonly id: string;
  /** CREATED, STARTED, CONFIRMED, … as the portal names them. */
  readonly status: string;
  /** Whether the portal itself said so when asked; a callback alone proves nothing. */
  readonly verified: boolean;
  /** What a callback said that the portal has not confirmed when asked; null: nothing. */
  readonly claimed: string | null;
  /** Milliseconds since 1970. */
  readonly updatedAt: number;
}

export class Payments {
  readonly #storage: Storage;
  readonly #portal: () => PortalSettings | null;
  readonly #now: () => number;

  /** While there is no portal every payment fails. */
  constructor(storage: Storage, portal: () => PortalSettings | null, now: () => number) {
    this.#storage = storage;
    this.#portal = portal;
    this.#now = now;
  }

  /** Creates it and remembers it; `failure` says why not, for the log. */
  async create(order: StoreRequest): Promise<{ id: string } | { failure: string }> {
    const portal = this.#portal();
    if (portal === null) return { failure: 'no portal is configured (--payment-url)' };
    // What cannot be remembered is not asked for.
    await rewrite(this.#storage);
    const created = await createPayment(order, portal);
    if ('id' in created) {
      await this.#storage.run(
        `INSERT INTO payments (id, status, verified, updated) VALUES (?, 'CREATED', 1, ?)
         ON CONFLICT (id) DO NOTHING`,
        ...[created.id, this.#now()],
      );
    }
    return created;
  }

  /**
   * Takes a callback as a hint: only for payments of ours, and kept as a claim until the portal says it too.
   * Resolves once the claim is stored, with the look at the portal that follows; undefined for a stranger's payment.
   */
  async note(id: unknown, claimed: unknown): Promise<{ looked: Promise<void> } | undefined> {
    const payment = typeof id === 'string' ? await this.find(id) : undefined;
    if (payment === undefined) return undefined;
    if (isStatus(claimed)) {
      await this.#storage.run(
        'UPDATE payments SET claimed = ?, updated = ? WHERE id = ?',
        ...[claimed, this.#now(), payment.id],
      );
    }
    return { looked: this.#look(payment.id) };
  }

  /** What is on record, after a look at the portal when a callback claims something else. */
  async status(id: string): Promise<Payment | undefined> {
    const payment = await this.find(id);
    if (payment === undefined || payment.claimed === null) return payment;
    await this.#look(id);
    return this.find(id);
  }

  /** Settles a payment of ours at the portal; false when it is not ours or the portal does not. */
  async finalize(id: unknown): Promise<boolean> {
    const portal = this.#portal();
    const payment = typeof id === 'string' ? await this.find(id) : undefined;
    return portal !== null && payment !== undefined && finalizePayment(payment.id, portal);
  }

  async find(id: string): Promise<Payment | undefined> {
    const row = await this.#storage.one<[string, string, number, string | null, number]>(
      'SELECT id, status, verified, claimed, updated FROM payments WHERE id = ?',
      id,
    );
    if (row === undefined) return undefined;
    return { id: row[0], status: row[1], verified: row[2] === 1, claimed: row[3], updatedAt: row[4] };
  }

  /** Asks the portal; what it says is verified and ends every claim. Without an answer all stays as it is. */
  async #look(id: string): Promise<void> {
    const portal = this.#portal();
    const status = portal === null ? null : await paymentStatus(id, portal);
    if (status === null) return;
    await this.#storage.run(
      'UPDATE payments SET status = ?, verified = 1, claimed = NULL, updated = ? WHERE id = ?',
      ...[status, this.#now(), id],
    );
  }
}
