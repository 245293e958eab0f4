/** The survey API from settings to a listening server, and back down. */
import { KaiactlError } from '../../errors.js';
import { type ChainOptions, openChain } from '../chain/open.js';
import { EmbeddedStore, registeredSurveys, registerSurveys } from '../store/embedded.js';
import type { GroupStore } from '../store/group-store.js';
import { Payments } from '../store/payments.js';
import { openSqlite, type Sqlite } from '../store/sqlite.js';
import { buildServer } from './app.js';
import type { Limits, Parts } from './parts.js';
import type { PortalSettings } from './portal.js';
import { type TokenSettings, tokenVerifier } from './tokens.js';

export interface ServeSettings {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  /** The file; `:memory:` keeps nothing. */
  readonly file: string;
  /** Checksummed addresses: registered in an embedded store; on chain the only ones served, unless empty. */
  readonly surveys: readonly string[];
  /** Null: groups are in the file. */
  readonly chain: Omit<ChainOptions, 'surveys' | 'file'> | null;
  /** Null: nobody can join. */
  readonly tokens: TokenSettings | null;
  readonly requireTypedData: boolean;
  readonly onePerUser: boolean;
  /** Null: no payments. A function of the server's own URL, which callbacks may need. */
  readonly portal: ((url: string) => PortalSettings) | null;
  readonly limits: Limits;
  readonly log: Parts['log'];
  readonly now: () => number;
}

export interface Running {
  readonly url: string;
  /** One sentence on what is served. */
  readonly about: string;
  /** Lets requests under way finish, for at most ten seconds. */
  close(): Promise<void>;
}

const longestShutdown = 10_000;

/**
 * Opens the store and listens.
 * @throws {KaiactlError} when the store or the port cannot be had (exit 2)
 */
export async function serve(settings: ServeSettings): Promise<Running> {
  const file = openSqlite(settings.file);
  const store = await openStore(file, settings);
  // The portal's callbacks may need the port, which is known only once we listen.
  let portal: PortalSettings | null = null;
  const app = await buildServer({
    store,
    file,
    verifyToken: settings.tokens === null ? null : tokenVerifier(settings.tokens),
    signatures: {
      chainId: store.chainId,
      requireTypedData: settings.requireTypedData,
      now: settings.now,
    },
    onePerUser: settings.onePerUser,
    payments: new Payments(file, () => portal, settings.now),
    limits: settings.limits,
    log: settings.log,
  });
  const url = await app.listen({ host: settings.host, port: settings.port }).catch(async (error: Error) => {
    await store.close();
    file.close();
    throw new KaiactlError(`cannot listen on ${settings.host}:${settings.port}: ${error.message}`, {
      cause: error,
      hint: 'Choose another --port, or 0 for a free one.',
    });
  });
  portal = settings.portal === null ? null : settings.portal(url);
  return { url, about: describe(file, store), close: () => shutdown(app, store, file) };
}

async function openStore(file: Sqlite, settings: ServeSettings): Promise<GroupStore> {
  const { chain, surveys } = settings;
  if (chain !== null)
    return openChain({ ...chain, surveys, file: settings.file === ':memory:' ? null : file });
  registerSurveys(file, surveys);
  return new EmbeddedStore(file);
}

function describe(file: Sqlite, store: GroupStore): string {
  if (store.kind === 'chain') return `surveys on chain ${store.chainId}`;
  const surveys = registeredSurveys(file).length;
  return `embedded store, ${surveys} ${surveys === 1 ? 'survey' : 'surveys'}`;
}

async function shutdown(
  app: { close(): Promise<void>; server: { closeAllConnections(): void } },
  store: GroupStore,
  file: Sqlite,
): Promise<void> {
  const timer = setTimeout(() => app.server.closeAllConnections(), longestShutdown);
  await app.close();
  clearTimeout(timer);
  await store.close();
  file.close();
}
