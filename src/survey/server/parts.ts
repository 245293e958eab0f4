/** The parts of the survey API. */
import type { FastifyInstance } from 'fastify';
import type { SignatureRules } from '../protocol/signature.js';
import type { Budgets } from '../store/budget.js';
import type { GroupStore, Health } from '../store/group-store.js';
import type { JoinCounts } from '../store/join-counts.js';
import type { Participants } from '../store/participants.js';
import type { Policies } from '../store/policies.js';
import type { LogEntry } from './log.js';
import type { Metrics } from './metrics.js';
import type { LiveRules } from './order.js';
import type { Payments } from './payments.js';
import type { Faults, Outcomes } from './tallies.js';
import type { VerifyToken } from './tokens.js';

export interface Limits {
  /** Write requests per minute and address; reads are allowed ten times as many. 0 for no limit. */
  readonly perMinute: number;
  /** Concurrent joins; more are refused with 429. */
  readonly joins: number;
  /** Concurrent requests of any kind; more are refused with 429. */
  readonly requests: number;
  /** Open connections; beyond it, the oldest idle one is closed for a new one. */
  readonly connections: number;
  /** Open connections of an address that is no trusted proxy; 0 for no limit. */
  readonly connectionsPerAddress: number;
  readonly bodyBytes: number;
  /** Timeout for receiving a request, in milliseconds. */
  readonly requestMs: number;
  /** Timeout for reading an answer, plus a second per 64 KiB, in milliseconds. */
  readonly sendMs: number;
  /** Proxies whose X-Forwarded-For is trusted: hops, or networks. Never all: callers forge the leftmost entry. */
  readonly trustProxy: number | readonly string[] | false;
}

/** A separate address for the operator's routes. */
export interface OperationsAddress {
  readonly host: string;
  readonly port: number;
  /** Whether /healthz and /readyz are there too, and not only /metrics. */
  readonly health: boolean;
}

export interface Tls {
  readonly cert: string;
  readonly key: string;
}

/** What a server is set up with, and reads at each request. */
export interface Setup {
  readonly live: LiveRules;
  readonly limits: Limits;
  /** Web origins that may call the API: `https://app.example`. */
  readonly origins: readonly string[];
  /** PEM; null for plain http. */
  readonly tls: Tls | null;
  /** Null: the operator's routes are on the API's port. */
  readonly operations: OperationsAddress | null;
  /** Logs a request or an event; never a token, a signature, an address or a body. */
  log(entry: LogEntry): void;
}

export interface Parts extends Setup {
  readonly store: GroupStore;
  /** Null: joins are off. Replaced on reload. */
  verifyToken: VerifyToken | null;
  readonly signatures: Omit<SignatureRules, 'requireTypedData'>;
  readonly policies: Policies;
  readonly participants: Participants;
  /** Null: joins cost nothing. */
  readonly budgets: Budgets | null;
  readonly payments: Payments;
  health(): Promise<Health>;
  readonly faults: Faults;
  readonly outcomes: Outcomes;
  /** Outcomes by survey and hour, in the store. */
  readonly counts: JoinCounts;
}

/** Adds the routes of a file to the application. */
export type AddRoutes = (app: FastifyInstance, parts: Parts, metrics: Metrics) => void;

declare module 'fastify' {
  interface FastifyRequest {
    /** Why the request failed; for the log only. */
    note: string | null;
    /** The error code, for the hourly counts. */
    outcome: string | null;
  }
}
