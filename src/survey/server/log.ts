/** The log of requests: nothing that shows who joined, or when more precisely than by the hour. */
import type { FastifyInstance } from 'fastify';
import { hourMs } from '../store/join-counts.js';
import { minuteMs } from './rate-store.js';

type Counts = Readonly<Record<string, number>>;

export type LogEntry =
  /** A request to a route unrelated to joins: `path` is the route's pattern. The caller's address is never logged. */
  | { readonly method: string; readonly path: string; readonly status: number; ms: number; note?: string }
  /** Requests, and errors of joins, of one hour, counted by kind: `POST /api/group/join 200`. */
  | { readonly requests: Counts }
  /** Refused joins of a minute, counted by reason. They make no members, so that their time links nothing. */
  | { readonly refusals: Counts }
  /** An event of the server itself, by code; nothing about a join. */
  | { readonly event: string; readonly code: string };

/** Counts of others that are logged, and cleared when they are taken. */
interface LoggedCounts {
  /** Each hour, with the requests. */
  hourly(): readonly (readonly [kind: string, count: number])[];
  /** Each minute, and at the end. */
  refusals(): Counts;
}

/**
 * The member list is public and in join order. A log line for each join, or for the request for the list that follows it,
 * would link a time to a commitment. Requests to group routes and unknown routes are therefore counted, and logged after
 * every full hour since the start; the last, incomplete hour is not logged: it could be a minute with one join.
 */
export function addLog(app: FastifyInstance, log: (entry: LogEntry) => void, take: LoggedCounts) {
  const counts = new Map<string, number>();
  /** Counts a request whose route is not logged. */
  const count = (method: string, path: string, status: number, outcome: string | null = null): void => {
    const kind = `${method} ${path} ${status}${outcome === null ? '' : ` ${outcome}`}`;
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  };
  const timer = setInterval(() => {
    const requests = [...counts, ...take.hourly()].toSorted();
    if (requests.length > 0) log({ requests: Object.fromEntries(requests) });
    counts.clear();
  }, hourMs).unref();
  const logRefusals = () => {
    const refusals = take.refusals();
    if (Object.keys(refusals).length > 0) log({ refusals });
  };
  const minutes = setInterval(logRefusals, minuteMs).unref();
  app.addHook('onClose', async () => {
    clearInterval(timer);
    clearInterval(minutes);
    logRefusals();
  });
  app.decorateRequest('note', null);
  app.decorateRequest('outcome', null);
  app.addHook('onResponse', async ({ method, note, outcome, routeOptions }, reply) => {
    const path = routeOptions.url ?? 'unknown';
    const { statusCode: status, elapsedTime } = reply;
    if (logged.test(path)) {
      const ms = Math.round(elapsedTime * 10) / 10;
      log({ method, path, status, ms, ...(note === null ? {} : { note }) });
      return;
    }
    count(method, path, status, outcome);
  });
  return { count };
}

const logged = /^\/(api\/store|healthz|readyz|metrics|openapi\.json)/;

/** A defect without its message, which may quote the request: `INTERNAL TypeError in admit`. */
export function defect(error: unknown): string {
  const { name = 'Error', stack = '' } = error as Partial<Error>;
  const [, where = 'an unknown place'] = /^ +at (?:async )?([\w.#]+) \(/m.exec(stack) ?? [];
  return `INTERNAL ${name} in ${where}`;
}
