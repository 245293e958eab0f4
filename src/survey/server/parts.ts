/** What the survey API is put together from. */
import type { FastifyInstance } from 'fastify';
import type { SignatureRules } from '../protocol/signature.js';
import type { Budgets } from '../store/budget.js';
import type { GroupStore, Health } from '../store/group-store.js';
import type { Participants } from '../store/participants.js';
import type { LiveRules } from './live-orders.js';
import type { LogEntry } from './log.js';
import type { Metrics } from './metrics.js';
import type { Payments } from './payments.js';
import type { VerifyToken } from './tokens.js';

export interface Limits {
  /** Requests a minute and address that write; reading is allowed ten times as many. 0: no limit. */
  readonly perMinute: number;
  /** Joins under way at a time; what comes beyond is told to come back. */
  readonly joins: number;
  readonly bodyBytes: number;
  /** A request must have arrived whole by then. */
  readonly requestMs: number;
  /**
   * Whom to believe in X-Forwarded-For: so many hops of proxies, or proxies in these networks; false: nobody.
   * Never everybody: the leftmost name is the caller's own invention.
   */
  readonly trustProxy: number | readonly string[] | false;
}

export interface Tls {
  readonly cert: string;
  readonly key: string;
}

export interface Parts {
  readonly store: GroupStore;
  /** Null: nobody can join. */
  readonly verifyToken: VerifyToken | null;
  readonly signatures: SignatureRules;
  /** Null: a user may join a survey any number of times. */
  readonly participants: Participants | null;
  /** Null: joins cost nobody anything. */
  readonly budgets: Budgets | null;
  readonly payments: Payments;
  readonly live: LiveRules;
  health(): Promise<Health>;
  /** Code → how often it kept transactions from being sent or looked after. */
  readonly writerErrors: ReadonlyMap<string, number>;
  readonly limits: Limits;
  /** Origins whose pages may ask: `https://app.example`. */
  readonly origins: readonly string[];
  /** PEM; null: plain http. */
  readonly tls: Tls | null;
  /** Whether /metrics is on a port of its own instead. */
  readonly metricsElsewhere: boolean;
  /** Takes what may be told of requests, and events of the server; never a token, a signature, an address or a body. */
  log(entry: LogEntry): void;
}

/** A route file adds its routes to the application. */
export type AddRoutes = (app: FastifyInstance, parts: Parts, metrics: Metrics) => void;

declare module 'fastify' {
  interface FastifyRequest {
    /** Why the request failed, for the log only. */
    note: string | null;
    /** The code of what it failed with, for counts. */
    outcome: string | null;
  }
}
