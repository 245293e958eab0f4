/** The survey API from settings to a listening server, and back down. */

import type { FastifyInstance } from 'fastify';
import { exit, KaiactlError } from '../../errors.js';
import { count } from '../../util/words.js';
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
import { type Metrics, metricsServer } from './metrics.js';
import { healthOf } from './operations.js';
import type { LiveRules } from './order.js';
import type { Limits, Parts, Tls } from './parts.js';
import { Payments } from './payments.js';
import type { PortalSettings } from './portal.js';
import { type TokenSettings, tokenVerifier } from './tokens.js';

export interface ServeSettings {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  /** Opens where everything is kept. */
  openStorage(): Promise<Storage>;
  /** Where the operator reaches the running server; null: nowhere. */
  readonly adminSocket: string | null;
  /** What persons are hashed with. */
  readonly secret: Buffer;
  /** Checksummed addresses: registered in an embedded store; on chain the only ones served, unless empty. */
  readonly surveys: readonly string[];
  /** Null: groups are in the file. */
  readonly chain: Omit<ChainOptions, 'surveys' | 'storage' | 'onWriterError'> | null;
  /** Null: nobody can join. */
  readonly tokens: TokenSettings | null;
  readonly requireTypedData: boolean;
  readonly onePerUser: boolean;
  /** Of chain servers: what joins may cost the manager. */
  readonly budget: Budget;
  /** Null: no payments. A function of the server's own URL, which callbacks may need. */
  readonly portal: ((url: string) => PortalSettings) | null;
  readonly live: LiveRules;
  readonly limits: Limits;
  readonly origins: readonly string[];
  readonly tls: Tls | null;
  /** On loopback; null: /metrics is on the port of the API. */
  readonly metricsPort: number | null;
  readonly log: Parts['log'];
  readonly now: () => number;
}

export interface Running {
  readonly url: string;
  /** One sentence on what is served. */
  readonly about: string;
  /** Lets requests under way finish, for at most a few seconds. */
  close(): Promise<void>;
}

const longestShutdown = 3_500;

/**
 * Opens the store and listens.
 * @throws {KaiactlError} when the store or the port cannot be had (exit 2)
 */
export async function serve(settings: ServeSettings): Promise<Running> {
  const storage = await settings.openStorage();
  const writerErrors = new Map<string, number>();
  const { store, about } = await openStore(storage, settings, writerErrors).catch(async (error: unknown) => {
    await storage.close();
    throw startable(error);
  });
  // The portal's callbacks may need the port, which is known only once we listen.
  let portal: PortalSettings | null = null;
  const { app, metrics } = await buildServer({
    ...parts(storage, store, settings, () => portal),
    writerErrors,
  });
  const url = await app.listen({ host: settings.host, port: settings.port }).catch(async (error: Error) => {
    await store.close();
    await storage.close();
    throw new KaiactlError(`cannot listen on ${settings.host}:${settings.port}: ${error.message}`, {
      cause: error,
      hint: 'Choose another --port, or 0 for a free one.',
    });
  });
  const apps = [app];
  try {
    apps.push(...(await openBeside(settings, storage, store, metrics)));
  } catch (error) {
    await shutdown(apps, store, storage);
    throw error;
  }
  portal = settings.portal === null ? null : settings.portal(url);
  const problem = await storage.problem();
  const told = problem === null ? about : `${about}; ${problem.message}: ${problem.reason}`;
  return { url, about: told, close: () => shutdown(apps, store, storage) };
}

function parts(
  storage: Storage,
  store: GroupStore,
  settings: ServeSettings,
  portal: () => PortalSettings | null,
): Omit<Parts, 'writerErrors'> {
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
    payments: new Payments(storage, portal, now),
    live: settings.live,
    health: healthOf(store, storage, now),
    limits: settings.limits,
    origins: settings.origins,
    tls: settings.tls,
    metricsElsewhere: settings.metricsPort !== null,
    log: settings.log,
  };
}

async function openStore(
  storage: Storage,
  { chain, surveys, log }: ServeSettings,
  writerErrors: Map<string, number>,
): Promise<{ store: GroupStore; about: string }> {
  if (chain !== null) {
    const onWriterError = (code: string) => {
      writerErrors.set(code, (writerErrors.get(code) ?? 0) + 1);
      log({ event: 'writer error', code });
    };
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

/** What the one who starts the server is told when the store went away meanwhile: an outage, not a mistake of theirs. */
function startable(error: unknown): unknown {
  if (!(error instanceof Refused)) return error;
  return new KaiactlError('the store could not be reached while the server started', {
    exitCode: exit.unseen,
    cause: error,
    hint: 'Start it again when its database answers.',
  });
}

/** What listens beside the API: for its operator, and for those who measure. */
async function openBeside(
  { adminSocket, metricsPort }: ServeSettings,
  storage: Storage,
  store: GroupStore,
  metrics: Metrics,
): Promise<FastifyInstance[]> {
  const socket = adminSocket === null ? null : await startAdmin(adminSocket, storage, store);
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
  store: GroupStore,
  storage: Storage,
): Promise<void> {
  const timer = setTimeout(() => {
    for (const app of apps) app.server.closeAllConnections();
  }, longestShutdown);
  await Promise.all(apps.map((app) => app.close()));
  clearTimeout(timer);
  await store.close();
  await storage.close();
}
