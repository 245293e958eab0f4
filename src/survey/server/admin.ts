/** Where the admin's routes answer: on a socket that only the operator can open, or in the process that opened the store. */
import { chmodSync } from 'node:fs';
import { umask } from 'node:process';
import type { FastifyInstance } from 'fastify';
import { exit, failure, KaiactlError } from '../../errors.js';
import { removeStaleSocket } from '../../util/stale-socket.js';
import { keepDecisions } from '../store/decisions.js';
import { EmbeddedStore } from '../store/embedded.js';
import { JoinCounts } from '../store/join-counts.js';
import { Participants } from '../store/participants.js';
import { Policies } from '../store/policies.js';
import type { Secret } from '../store/schema.js';
import type { Storage } from '../store/storage.js';
import { isOnChain } from '../store/survey-rows.js';
import { type AdminParts, adminApp } from './admin-routes.js';
import { healthOf } from './operations.js';
import { Payments } from './payments.js';
import { faultsOf, Outcomes } from './tallies.js';

/**
 * Listens on the socket, with mode 600; null if the disk rejects writes. Removes the socket of a killed server.
 * @throws {KaiactlError} when the path cannot be used (exit 2); what else it holds stays
 */
export async function startAdmin(path: string, parts: AdminParts): Promise<FastifyInstance | null> {
  const app = adminApp(parts);
  // The socket appears with its mode: one that is set later would leave it open for a moment.
  const mask = umask(0o077);
  try {
    const occupied = await removeStaleSocket(path);
    if (occupied !== null) throw new Error(occupied);
    await app.listen({ path });
    chmodSync(path, 0o600);
    return app;
  } catch (error) {
    await app.close();
    if (/^(EROFS|ENOSPC|EDQUOT)$/.test((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw unusableSocket(path, error);
  } finally {
    umask(mask);
  }
}

export function unusableSocket(path: string, cause: unknown): KaiactlError {
  const hint = 'Name another path with --admin-socket. Nothing was removed.';
  return failure(`cannot listen on the admin socket ${path}`, cause, { hint });
}

export interface AdminRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly payload?: string;
}

export type Offline = ReturnType<typeof offline>;

/**
 * Answers as the admin socket of a server would, for a store that no server has open, or for a shared database.
 * @param file of the decisions
 */
export function offline(storage: Storage, secret: Secret, file: string, now: () => number) {
  const store = new EmbeddedStore(storage);
  let failed: unknown = null;
  const decisions = keepDecisions(storage, secret, file, (error) => {
    failed = error;
  });
  const counts = new JoinCounts(storage, now);
  const opened = { storage, store, counts, decisions, now };
  const app = adminApp({
    ...opened,
    adopts: false,
    payments: new Payments({ storage, portal: () => null, secret, now }),
    outcomes: new Outcomes(),
    faults: faultsOf(() => undefined),
    health: healthOf(store, storage),
    policies: new Policies(storage, secret, { onePerUser: false, scheme: 'any' }),
    participants: new Participants(storage, secret),
  });
  return {
    /** @throws {KaiactlError} when a change is in the store only, or only a running server can answer (exit 3) */
    async ask(request: AdminRequest) {
      if (/^\/(surveys|export)\b/.test(request.url) && (await isOnChain(storage)))
        throw new KaiactlError('the surveys of this store are on a chain, and no server of it was reached', {
          exitCode: exit.unseen,
          hint: 'Start its server with --rpc-url. If one runs, name its socket with --admin-socket.',
        });
      const { statusCode: status, body } = await app.inject(request);
      if (failed !== null && request.method === 'POST')
        throw failure(`the store has changed, but its decisions cannot be written to ${file}`, failed);
      return { status, body };
    },
    async close() {
      await app.close();
      await counts.close();
      await store.close();
      await decisions.close();
      await storage.close();
    },
  };
}
