/** The admin's actions for a store that no server has open, or for a shared database. */
import { EmbeddedStore } from '../store/embedded.js';
import { JoinCounts } from '../store/join-counts.js';
import type { Secret } from '../store/migrations.js';
import { Participants } from '../store/participants.js';
import { Policies } from '../store/policies.js';
import type { Storage } from '../store/storage.js';
import { adminApp } from './admin-routes.js';
import { Faults } from './faults.js';
import { healthOf } from './operations.js';
import { Outcomes } from './outcomes.js';
import { Payments } from './payments.js';

export interface Offline {
  ask(request: {
    readonly method: 'GET' | 'POST';
    readonly url: string;
    readonly headers: Record<string, string>;
    readonly payload?: string;
  }): Promise<{ readonly status: number; readonly body: string }>;
  /** Closes the store. */
  close(): Promise<void>;
}

/** Answers as the admin socket of a server would. */
export function offline(storage: Storage, secret: Secret, now: () => number): Offline {
  const store = new EmbeddedStore(storage);
  const counts = new JoinCounts(storage, now);
  const app = adminApp({
    ...{ storage, store, counts, now, adopts: false },
    payments: new Payments(storage, () => null, secret, now),
    outcomes: new Outcomes(),
    faults: new Faults(() => undefined),
    health: healthOf(store, storage),
    policies: new Policies(storage, secret, { onePerUser: false, scheme: 'any' }),
    participants: new Participants(storage, secret),
  });
  return {
    async ask(request) {
      const { statusCode, body } = await app.inject(request);
      return { status: statusCode, body };
    },
    async close() {
      await app.close();
      await counts.close();
      await store.close();
      await storage.close();
    },
  };
}
