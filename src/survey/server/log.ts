/** The log of requests: nothing that shows who joined, or when more precisely than by the hour. */
import type { FastifyInstance } from 'fastify';

/** A request to a route unrelated to joins. The caller's address is never logged. */
export interface RequestEntry {
  readonly method: string;
  /** The route's pattern, without the query. */
  readonly path: string;
  readonly status: number;
  readonly ms: number;
  /** Why it failed. */
  readonly note?: string;
}

/** Requests, and errors of joins, of one hour, counted by kind: `POST /api/group/join 200`. */
export interface HourEntry {
  readonly requests: Readonly<Record<string, number>>;
}

/** An event of the server itself, by code; nothing about a join. */
export interface EventEntry {
  readonly event: string;
  readonly code: string;
}

export type LogEntry = RequestEntry | HourEntry | EventEntry;

const hourMs = 3_600_000;

/**
 * The member list is public and in join order. A log line for each join, or for the request for the list that follows it,
 * would link a time to a commitment. Requests to group routes and unknown routes are therefore counted, and logged after
 * every full hour since the start; the last, incomplete hour is not logged.
 * @param takeHourly counts of the last hour that are logged with them
 */
export function addLog(
  app: FastifyInstance,
  log: (entry: LogEntry) => void,
  takeHourly: () => readonly (readonly [kind: string, count: number])[],
): void {
  const counts = new Map<string, number>();
  const timer = setInterval(() => {
    const requests = [...counts, ...takeHourly()].toSorted();
    if (requests.length > 0) log({ requests: Object.fromEntries(requests) });
    counts.clear();
  }, hourMs).unref();
  app.addHook('onClose', async () => clearInterval(timer));
  app.decorateRequest('note', null);
  app.decorateRequest('outcome', null);
  app.addHook('onResponse', async ({ method, note, outcome, routeOptions }, reply) => {
    const path = routeOptions.url ?? 'unknown';
    const { statusCode: status, elapsedTime } = reply;
    if (isLogged(path)) {
      const ms = Math.round(elapsedTime * 10) / 10;
      log({ method, path, status, ms, ...(note === null ? {} : { note }) });
      return;
    }
    const kind = [method, path, status, outcome].filter((part) => part !== null).join(' ');
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  });
}

function isLogged(path: string): boolean {
  return /^\/(api\/store|healthz|metrics|openapi\.json)/.test(path);
}

/** A defect without its message, which may quote the request: `INTERNAL TypeError in admit`. */
export function defect(error: unknown): string {
  const { name = 'Error', stack = '' } = error as Partial<Error>;
  const [, where = 'an unknown place'] = /^ +at (?:async )?([\w.#]+) \(/m.exec(stack) ?? [];
  return `INTERNAL ${name} in ${where}`;
}
