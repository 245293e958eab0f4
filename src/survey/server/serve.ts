/** The survey API from settings to a listening server, and back down. */
import { once as listening } from 'node:events';
import type { Server as HttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { Server as TlsServer } from 'node:tls';
import type { FastifyInstance } from 'fastify';
import { exit, failure, KaiactlError } from '../../errors.js';
import { once } from '../../util/once.js';
import { socketProblem } from '../../util/stale-socket.js';
import { count } from '../../util/words.js';
import { errorCode } from '../chain/failure.js';
import { type ChainOptions, openChain } from '../chain/open.js';
import { Refused } from '../protocol/refused.js';
import { type Budget, joinBudgets } from '../store/budget.js';
import { keepDecisions } from '../store/decisions.js';
import { EmbeddedStore } from '../store/embedded.js';
import { JoinCounts } from '../store/join-counts.js';
import { Participants } from '../store/participants.js';
import { Policies, type PolicyDefaults } from '../store/policies.js';
import type { Secret } from '../store/schema.js';
import { isDamaged, isReadOnly, persistently, type Storage } from '../store/storage.js';
import { registerSurveys } from '../store/survey-rows.js';
import { startAdmin, unusableSocket } from './admin.js';
import { buildServer } from './app.js';
import { healthOf, operationsServer } from './operations.js';
import type { Limits, Parts, Setup, Tls } from './parts.js';
import { Payments } from './payments.js';
import type { PortalSettings } from './portal.js';
import { type Faults, faultsOf, Outcomes } from './tallies.js';
import { type TokenSettings, tokenVerifier } from './tokens.js';

export interface ServeSettings extends Setup {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  openStorage(): Promise<Storage>;
  /** Path of the file of the admins' decisions; null if they are in the store only. */
  readonly decisions: string | null;
  /** Path of the admin socket; null if there is none. */
  readonly adminSocket: string | null;
  /** Key of the participants' hashes. */
  readonly secret: Secret;
  /** Checksummed addresses: registered in an embedded store; on chain the only surveys served, unless empty. */
  readonly surveys: readonly string[];
  /** Null: groups are in the store. */
  readonly chain: Omit<ChainOptions, 'surveys' | 'storage' | 'onWriterError'> | null;
  /** Null: joins are off. */
  readonly tokens: TokenSettings | null;
  /** For surveys without a policy in the store. */
  readonly policy: PolicyDefaults;
  /** Limits on the joins the manager pays for, on chain. */
  readonly budget: Budget;
  /** Null: no payments. Receives the server's own URL, for callbacks. */
  readonly portal: ((url: string) => PortalSettings) | null;
  readonly now: () => number;
}

export interface Running {
  readonly url: string;
  /** A clause that describes what is served. */
  readonly about: string;
  /**
   * Applies the certificate, the price list, the credentials and the limits of the settings; the others need a restart.
   * @throws {KaiactlError} when the certificate cannot be used; nothing has changed then (exit 2)
   */
  reload(settings: ServeSettings): void;
  /** Compares every group with its tree; resolves with why a join would fail, or null. */
  check(): Promise<string | null>;
  /** What the operator should know, in sentences. */
  readonly notes: readonly string[];
  /** Answers the requests it has received, within the timeout of a join; refuses new ones. Later calls wait for the first. */
  close(): Promise<void>;
}

/** Time for answers that remain when the server closes, beyond that of a join, in milliseconds. */
const shutdownMs = 20_000;

/** @throws {KaiactlError} when the store or the port cannot be opened (exit 2) */
export async function serve(settings: ServeSettings): Promise<Running> {
  const storage = await settings.openStorage();
  const apps: FastifyInstance[] = [];
  const opened: (() => Promise<void>)[] = [() => storage.close()];
  const close = once(async () => {
    const closeMs = (settings.chain?.minedMs ?? 0) + shutdownMs;
    const timer = setTimeout(() => {
      for (const app of apps) app.server.closeAllConnections();
    }, closeMs);
    await Promise.all(apps.map((app) => app.close()));
    clearTimeout(timer);
    for (const undo of opened.toReversed()) await undo();
  });
  try {
    return { ...(await start(settings, storage, apps, opened)), close };
  } catch (error) {
    await close();
    throw startable(error);
  }
}

/** @param opened receives how to close what was opened */
async function start(
  settings: ServeSettings,
  storage: Storage,
  apps: FastifyInstance[],
  opened: (() => Promise<void>)[],
): Promise<Omit<Running, 'close'>> {
  const faults = faultsOf(settings.log);
  const policies = new Policies(storage, settings.secret, settings.policy);
  const { store, about, damage } = await openStore(storage, settings, faults);
  opened.push(() => store.close());
  const onUnwritten = (error: unknown) => faults.report('decision error', errorCode(error));
  const file = settings.decisions;
  const decisions = file === null ? null : keepDecisions(storage, settings.secret, file, onUnwritten);
  opened.push(async () => decisions?.close());
  const notes = await settlePolicies(policies, settings);
  // Callbacks may need the port, which is known only once the server listens.
  let portal: PortalSettings | null = null;
  const { host, port, adminSocket, now, secret, tokens, live, limits, origins, tls, operations, log } =
    settings;
  const onError = (error: unknown) => faults.report('payment error', errorCode(error));
  const given = { store, policies, faults, origins, tls, operations, log };
  const all: Parts = {
    ...given,
    live: { ...live },
    limits: { ...limits },
    verifyToken: tokens === null ? null : tokenVerifier(tokens),
    signatures: {
      chainId: store.chainId,
      now,
      contractSigns: store.contractSigns,
      keyOf: (account) => store.accountKey(account),
    },
    participants: new Participants(storage, secret),
    budgets: store.kind === 'chain' ? joinBudgets(storage, secret, settings.budget) : null,
    payments: new Payments({ storage, portal: () => portal, secret, now, onError }),
    health: healthOf(store, storage, () => {
      const { problem = null, facts } = all.verifyToken?.platform?.() ?? {};
      const written = decisions === null ? {} : { decisionsWritten: Number(decisions.isWritten()) };
      return { problem, facts: { ...facts, ...written } };
    }),
    outcomes: new Outcomes(),
    counts: new JoinCounts(storage, now),
  };
  opened.push(async () => {
    all.payments.close();
    await all.counts.close();
  });
  const { app, metrics } = await buildServer(all);
  apps.push(app);
  // A busy server keeps new connections waiting instead of losing some.
  const url = await listen(app, { host, port, backlog: limits.connections });
  const admin =
    adminSocket && (await startAdmin(adminSocket, { ...all, storage, decisions, now, adopts: true }));
  if (admin) apps.push(admin);
  if (operations !== null) {
    const operator = operationsServer(all, metrics);
    apps.push(operator);
    await listen(operator, operations);
  }
  portal = settings.portal?.(url) ?? null;
  const problem = await storage.problem();
  const state = damage ?? problem?.sentence ?? null;
  const reload = (fresh: ServeSettings) => {
    if (fresh.tls !== null) replaceCertificate(app.server, fresh.tls);
    replaceLimits(app.server, all.limits, fresh.limits);
    Object.assign(all.live, fresh.live);
    if (fresh.tokens !== null && settings.tokens !== null) all.verifyToken = tokenVerifier(fresh.tokens);
    portal = fresh.portal?.(url) ?? null;
  };
  const check = async () => {
    await store.verify();
    return (await healthOf(store, storage)()).problem;
  };
  return { url, about: state === null ? about : `${about}; ${state}`, notes, check, reload };
}

/** Listens. @throws {KaiactlError} when the address cannot be used (exit 2) */
function listen(app: FastifyInstance, at: Address & { readonly backlog?: number }): Promise<string> {
  return app.listen(at).catch((cause) => {
    throw cannotListen(at, cause);
  });
}

type Address = { readonly host: string; readonly port: number; readonly health?: boolean };

function cannotListen({ host, port, health }: Address, cause: NodeJS.ErrnoException): KaiactlError {
  const [what, byHost, byPort] =
    health === undefined
      ? ['', '--host', '--port, or 0 for a free one']
      : [' for /metrics', '--operations-address', '--metrics-port or --operations-address'];
  const other = /^(EADDRINUSE|EACCES)$/.test(cause.code ?? '') ? byPort : byHost;
  return failure(`cannot listen on ${host}:${port}${what}`, cause, { hint: `Choose another ${other}.` });
}

/**
 * Binds free ports of the addresses and closes them: the ports of the settings may be those of the running server.
 * @throws {KaiactlError} when a start could not listen there (exit 2)
 */
export async function tryAddresses({ host, port, operations, adminSocket }: ServeSettings): Promise<void> {
  const why = adminSocket === null ? null : socketProblem(adminSocket);
  if (why !== null) throw unusableSocket(adminSocket ?? '', new Error(why));
  const opened: Server[] = [];
  let free = 0;
  try {
    for (const at of [{ host, port }, ...(operations === null ? [] : [operations])]) {
      const server = createServer();
      opened.push(server);
      server.listen(at.port === port && port !== 0 ? free : 0, at.host);
      await listening(server, 'listening').catch((cause: Error) => {
        throw cannotListen(at, cause);
      });
      free = (server.address() as AddressInfo).port;
    }
  } finally {
    for (const server of opened) server.close();
  }
}

async function openStore(storage: Storage, { chain, surveys }: ServeSettings, faults: Faults) {
  if (chain !== null) {
    const onWriterError = (code: string) => faults.report('writer error', code);
    const store = await openChain({ ...chain, surveys, storage, onWriterError });
    return { store, about: `surveys on chain ${store.chainId}`, damage: null };
  }
  await eventually(() => registerSurveys(storage, surveys));
  const store = new EmbeddedStore(storage);
  const kept = await store.surveys().catch((error: unknown) => {
    if (!isReadOnly(error) && !isDamaged(error)) throw error;
    return [];
  });
  const { problem } = await store.health();
  const name = storage.kind === 'postgres' ? 'store on PostgreSQL' : 'embedded store';
  const hint = kept.length === 0 ? ' (“kaiactl survey admin add” adds one)' : '';
  return { store, about: `${name}, ${count(kept.length, 'survey')}${hint}`, damage: problem };
}

/** Does the work; on a disk that rejects writes, in the background until it succeeds. */
async function eventually(work: () => Promise<void>): Promise<void> {
  await work().catch((error: unknown) => {
    if (!isReadOnly(error)) throw error;
    void persistently(work);
  });
}

/** @throws {KaiactlError} when OpenSSL rejects it (exit 2) */
function replaceCertificate(server: object, tls: Tls): void {
  if (!(server instanceof TlsServer)) return;
  try {
    server.setSecureContext(tls);
  } catch (error) {
    throw new KaiactlError(`the certificate and its key cannot be used: ${(error as Error).message}`);
  }
}

/** The routes read these limits at each request. */
function replaceLimits(server: HttpServer, limits: Limits, fresh: Limits): void {
  const { perMinute, connectionsPerAddress, requestMs } = fresh;
  Object.assign(limits, { perMinute, connectionsPerAddress, requestMs });
  Object.assign(server, { requestTimeout: requestMs, headersTimeout: requestMs });
}

/**
 * Gives surveys without a policy the one of the options. Returns notes about surveys that allow more than the options.
 * @throws {KaiactlError} when the options would weaken a survey's policy (exit 2)
 */
async function settlePolicies(policies: Policies, { surveys, now }: ServeSettings): Promise<string[]> {
  try {
    await eventually(() => policies.adoptAll(now(), surveys));
    const [weaker] = await policies.weakened();
    if (weaker !== undefined)
      throw new KaiactlError(
        `these options would weaken the policy of survey ${weaker.survey}: it demands ${weaker.differences.join(' and ')}`,
        {
          hint: 'Start the server with the option, or change the survey’s policy first: kaiactl survey admin set.',
        },
      );
    return (await policies.laxer()).map(
      (laxer) =>
        `survey ${laxer.survey} does not demand ${laxer.differences.join(' or ')}: its policy is in the store, and “kaiactl survey admin set” changes it`,
    );
  } catch (error) {
    if (!isReadOnly(error)) throw error;
    return [];
  }
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
