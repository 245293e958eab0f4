/** The survey API from settings to a listening server, and back down. */

import type { FastifyInstance } from 'fastify';
import { exit, KaiactlError } from '../../errors.js';
import { count } from '../../util/words.js';
import { errorCode } from '../chain/failure.js';
import { type ChainOptions, openChain } from '../chain/open.js';
import { Refused } from '../protocol/refused.js';
import { type Budget, Budgets } from '../store/budget.js';
import { EmbeddedStore } from '../store/embedded.js';
import type { GroupStore } from '../store/group-store.js';
import { Participants } from '../store/participants.js';
import { isReadOnly, persistently, type Storage } from '../store/storage.js';
import { registerSurveys } from '../store/survey-rows.js';
import { startAdmin } from './admin.js';
import { buildServer } from './app.js';
import { Faults } from './faults.js';
import { type Metrics, metricsServer } from './metrics.js';
import { healthOf } from './operations.js';
import type { LiveRules } from './order.js';
import { Outcomes } from './outcomes.js';
import type { Limits, Parts, Tls } from './parts.js';
import { Payments } from './payments.js';
import type { PortalSettings } from './portal.js';
import { type TokenSettings, tokenVerifier } from './tokens.js';

export interface ServeSettings {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** Opens the store. */
  openStorage(): Promise<Storage>;
  /** Path of the admin socket; null: none. */
  readonly adminSocket: string | null;
  /** Key of the participants' hashes. */
  readonly secret: Buffer;
  /** Checksummed addresses: registered in an embedded store; on chain the only surveys served, unless empty. */
  readonly surveys: readonly string[];
  /** Null: groups are in the store. */
  readonly chain: Omit<ChainOptions, 'surveys' | 'storage' | 'onWriterError'> | null;
  /** Null: joins are off. */
  readonly tokens: TokenSettings | null;
  readonly requireTypedData: boolean;
  readonly onePerUser: boolean;
  /** Limits on the joins the manager pays for, on chain. */
  readonly budget: Budget;
  /** Null: no payments. Receives the server's own URL, for callbacks. */
  readonly portal: ((url: string) => PortalSettings) | null;
  readonly live: LiveRules;
  readonly limits: Limits;
  readonly origins: readonly string[];
  readonly tls: Tls | null;
  /** Port on loopback for /metrics; null: it is on the API's port. */
  readonly metricsPort: number | null;
  readonly log: Parts['log'];
  readonly now: () => number;
}

export interface Running {
  readonly url: string;
  /** A clause that describes what is served. */
  readonly about: string;
  /** Answers the requests it has received, within the timeout of a join; refuses new ones. Later calls wait for the first. */
  close(): Promise<void>;
}

/** Time for answers that remain when the server closes, beyond that of a join, in milliseconds. */
const shutdownMs = 20_000;

/**
 * Opens the store and listens.
 * @throws {KaiactlError} when the store or the port cannot be opened (exit 2)
 */
export async function serve(settings: ServeSettings): Promise<Running> {
  const storage = await settings.openStorage();
  const faults = new Faults(settings.log);
  const { store, about } = await openStore(storage, settings, faults).catch(async (error: unknown) => {
    await storage.close();
    throw startable(error);
  });
  // Callbacks may need the port, which is known only once the server listens.
  let portal: PortalSettings | null = null;
  const all = parts(storage, store, settings, () => portal, faults);
  const { app, metrics } = await buildServer(all);
  const { host, port, limits } = settings;
  // A busy server keeps new connections waiting instead of losing some.
  const url = await app.listen({ host, port, backlog: limits.connections }).catch(async (error: Error) => {
    await store.close();
    await storage.close();
    throw new KaiactlError(`cannot listen on ${host}:${port}: ${error.message}`, {
      cause: error,
      hint: 'Choose another --port, or 0 for a free one.',
    });
  });
  const apps = [app];
  const closeMs = (settings.chain?.minedMs ?? 0) + shutdownMs;
  let closed: Promise<void> | null = null;
  const close = (): Promise<void> => {
    closed ??= shutdown(apps, all, storage, closeMs);
    return closed;
  };
  try {
    apps.push(...(await openBeside(settings, storage, all, metrics)));
  } catch (error) {
    await close();
    throw error;
  }
  portal = settings.portal === null ? null : settings.portal(url);
  const problem = await storage.problem();
  const described = problem === null ? about : `${about}; ${problem.message}: ${problem.reason}`;
  return { url, about: described, close };
}

function parts(
  storage: Storage,
  store: GroupStore,
  settings: ServeSettings,
  portal: () => PortalSettings | null,
  faults: Faults,
): Parts {
  const { requireTypedData, now, secret } = settings;
  return {
    store,
    verifyToken: settings.tokens === null ? null : tokenVerifier(settings.tokens),
    signatures: {
      ...{ chainId: store.chainId, requireTypedData, now },
      keyOf: (account) => store.accountKey(account),
    },
    participants: settings.onePerUser ? new Participants(storage, secret) : null,
    budgets: store.kind === 'chain' ? new Budgets(storage, secret, settings.budget) : null,
    payments: new Payments(storage, portal, secret, now, (error) =>
      faults.report('payment error', errorCode(error)),
    ),
    faults,
    live: settings.live,
    health: healthOf(store, storage),
    limits: settings.limits,
    origins: settings.origins,
    tls: settings.tls,
    metricsElsewhere: settings.metricsPort !== null,
    log: settings.log,
    outcomes: new Outcomes(),
  };
}

async function openStore(
  storage: Storage,
  { chain, surveys }: ServeSettings,
  faults: Faults,
): Promise<{ store: GroupStore; about: string }> {
  if (chain !== null) {
    const onWriterError = (code: string) => faults.report('writer error', code);
    const store = await openChain({ ...chain, surveys, storage, onWriterError });
    return { store, about: `surveys on chain ${store.chainId}` };
  }
  const register = () => registerSurveys(storage, surveys);
  await register().catch((error: unknown) => {
    if (!isReadOnly(error)) throw error;
    void persistently(register);
  });
  const store = new EmbeddedStore(storage);
  const kept = await store.surveys().catch((error: unknown) => {
    if (!isReadOnly(error)) throw error;
    return [];
  });
  return { store, about: `embedded store, ${count(kept.length, 'survey')}` };
}

/** Maps a store that failed during the start to an error with exit code 3. */
function startable(error: unknown): unknown {
  if (!(error instanceof Refused)) return error;
  return new KaiactlError('the store could not be reached while the server started', {
    exitCode: exit.unseen,
    cause: error,
    hint: 'Start the server again when its database answers.',
  });
}

/** Starts the servers beside the API: the admin socket and the metrics port. */
async function openBeside(
  { adminSocket, metricsPort }: ServeSettings,
  storage: Storage,
  parts: Parts,
  metrics: Metrics,
): Promise<FastifyInstance[]> {
  const socket = adminSocket === null ? null : await startAdmin(adminSocket, storage, parts);
  const admin = socket === null ? [] : [socket];
  if (metricsPort === null) return admin;
  const app = metricsServer(metrics);
  try {
    await app.listen({ host: '127.0.0.1', port: metricsPort });
  } catch (error) {
    for (const one of admin) await one.close();
    throw new KaiactlError(
      `cannot listen on 127.0.0.1:${metricsPort} for metrics: ${(error as Error).message}`,
    );
  }
  return [...admin, app];
}

async function shutdown(
  apps: readonly { close(): Promise<void>; server: { closeAllConnections(): void } }[],
  { store, payments }: Parts,
  storage: Storage,
  closeMs: number,
): Promise<void> {
  const timer = setTimeout(() => {
    for (const app of apps) app.server.closeAllConnections();
  }, closeMs);
  await Promise.all(apps.map((app) => app.close()));
  clearTimeout(timer);
  payments.close();
  await store.close();
  await storage.close();
}
