/** What a server says of its requests: nothing that tells who joined, or when to less than an hour. */
import type { FastifyInstance } from 'fastify';

/** One request of a route that no join passes. Its caller's address is never told. */
export interface RequestEntry {
  readonly method: string;
  /** As it is declared; what a caller appends is not told. */
  readonly path: string;
  readonly status: number;
  readonly ms: number;
  /** Why it failed. */
  readonly note?: string;
}

/** How many requests of each kind an hour held: `POST /api/group/join 200`. */
export interface HourEntry {
  readonly requests: Readonly<Record<string, number>>;
}

/** What happens to the server itself, by its code; nothing of a join. */
export interface EventEntry {
  readonly event: string;
  readonly code: string;
}

export type LogEntry = RequestEntry | HourEntry | EventEntry;

const hourMs = 3_600_000;

/**
 * The member list is public and in join order. A line for each join, or for the look at the list that follows it, would
 * link a time or an address to a commitment, and whoever keeps the log stamps each line. So requests about groups and of
 * unknown routes are counted, from the start on, and told after every full hour; the last, unfinished one is not told.
 */
export function addLog(app: FastifyInstance, log: (entry: LogEntry) => void): void {
  const counts = new Map<string, number>();
  const timer = setInterval(() => {
    if (counts.size === 0) return;
    log({ requests: Object.fromEntries([...counts].toSorted()) });
    counts.clear();
  }, hourMs).unref();
  app.addHook('onClose', async () => clearInterval(timer));
  app.decorateRequest('note', null);
  app.decorateRequest('outcome', null);
  app.addHook('onResponse', async ({ method, note, outcome, routeOptions }, reply) => {
    const path = routeOptions.url ?? 'unknown';
    const { statusCode: status, elapsedTime } = reply;
    if (isTold(path)) {
      const ms = Math.round(elapsedTime * 10) / 10;
      log({ method, path, status, ms, ...(note === null ? {} : { note }) });
      return;
    }
    const kind = [method, path, status, outcome].filter((part) => part !== null).join(' ');
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  });
}

function isTold(path: string): boolean {
  return /^\/(api\/store|healthz|metrics|openapi\.json)/.test(path);
}

/** A defect without its message, which may hold what a request held: `INTERNAL TypeError in admit`. */
export function defect(error: unknown): string {
  const { name = 'Error', stack = '' } = error as Partial<Error>;
  const [, where = 'an unknown place'] = /^ +at (?:async )?([\w.#]+) \(/m.exec(stack) ?? [];
  return `INTERNAL ${name} in ${where}`;
}
