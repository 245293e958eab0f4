/** Payments this server created, and what became of them. */

import type { StoreRequest } from '../protocol/wire.js';
import {
  createPayment,
  finalizePayment,
  isStatus,
  type PortalSettings,
  paymentStatus,
} from '../server/portal.js';
import type { Sqlite } from './sqlite.js';

export interface Payment {
  readonly id: string;
  /** CREATED, STARTED, CONFIRMED, … as the portal names them. */
  readonly status: string;
  /** Whether the portal itself said so when asked; a callback alone proves nothing. */
  readonly verified: boolean;
  /** Milliseconds since 1970. */
  readonly updatedAt: number;
}

export class Payments {
  readonly #file: Sqlite;
  readonly #portal: () => PortalSettings | null;
  readonly #now: () => number;

  /** While there is no portal every payment fails. */
  constructor(file: Sqlite, portal: () => PortalSettings | null, now: () => number) {
    this.#file = file;
    this.#portal = portal;
    this.#now = now;
  }

  /** Creates it and remembers it; `failure` says why not, for the log. */
  async create(order: StoreRequest): Promise<{ id: string } | { failure: string }> {
    const portal = this.#portal();
    if (portal === null) return { failure: 'no portal is configured (--payment-url)' };
    const created = await createPayment(order, portal);
    if ('id' in created) {
      this.#file.run(
        "INSERT INTO payments VALUES (?, 'CREATED', 1, ?) ON CONFLICT (id) DO NOTHING",
        ...[created.id, this.#now()],
      );
    }
    return created;
  }

  /**
   * Takes a callback as a hint: only for payments of ours, and the portal is asked before it is believed.
   * Resolves with what is now on record; undefined for a payment that is not ours.
   */
  async note(id: unknown, claimed: unknown): Promise<Payment | undefined> {
    const portal = this.#portal();
    const before = typeof id === 'string' ? this.find(id) : undefined;
    if (before === undefined || portal === null) return before;
    const asked = await paymentStatus(before.id, portal);
    const status = asked ?? claimed;
    if (isStatus(status)) {
      this.#file.run(
        'UPDATE payments SET status = ?, verified = ?, updated = ? WHERE id = ?',
        ...[status, asked === null ? 0 : 1, this.#now(), before.id],
      );
    }
    return this.find(before.id);
  }

  /** Settles a payment of ours at the portal; false when it is not ours or the portal does not. */
  async finalize(id: unknown): Promise<boolean> {
    const portal = this.#portal();
    const payment = typeof id === 'string' ? this.find(id) : undefined;
    return portal !== null && payment !== undefined && finalizePayment(payment.id, portal);
  }

  find(id: string): Payment | undefined {
    const row = this.#file.one<[string, string, number, number]>(
      'SELECT id, status, verified, updated FROM payments WHERE id = ?',
      id,
    );
    if (row === undefined) return undefined;
    return { id: row[0], status: row[1], verified: row[2] === 1, updatedAt: row[3] };
  }
}
