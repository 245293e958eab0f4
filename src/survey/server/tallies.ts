/** Joins since the start of the server, counted by outcome: nothing about who joined, or when. */
import { errorCode } from '../chain/failure.js';
import { Refused } from '../protocol/refused.js';
import type { LogEntry } from './log.js';
import { minuteMs } from './rate-store.js';

/** Why a join was refused, for counts: the contract's reason, the invalid argument, or the code. */
export function refusalReason(error: unknown): string {
  if (!(error instanceof Refused)) return 'INTERNAL';
  const { code, reason, facts } = error;
  if (code === 'CALL_EXCEPTION') return reason.slice(0, 80);
  return code === 'INVALID_ARGUMENT' && facts.argument !== undefined ? `invalid ${facts.argument}` : code;
}

export class Outcomes {
  readonly #counts = new Map<string, number>();
  /** Times of the accepted joins of the last minute, in milliseconds of `performance.now()`. */
  readonly #accepted: number[] = [];

  add(outcome: string): void {
    this.#counts.set(outcome, (this.#counts.get(outcome) ?? 0) + 1);
    if (outcome === 'accepted') this.#accepted.push(performance.now());
    this.perMinute();
  }

  /** By `accepted`, or the code of the refusal. */
  counts(): { outcome: string; count: number }[] {
    return Array.from(this.#counts, ([outcome, count]) => ({ outcome, count }));
  }

  perMinute(): number {
    const since = performance.now() - minuteMs;
    while ((this.#accepted[0] ?? Number.POSITIVE_INFINITY) <= since) this.#accepted.shift();
    return this.#accepted.length;
  }
}

/** Events about a join are logged with the hourly counts only: the time of a line could identify the join. */
export type JoinEvent = 'reservation error' | 'budget error' | 'policy error';
export type ServerEvent = 'writer error' | 'payment error' | 'decision error' | 'slow reader';

export type Faults = ReturnType<typeof faultsOf>;

export function faultsOf(log: (entry: LogEntry) => void) {
  const counts = new Map<string, { event: string; code: string; count: number }>();
  const hourly = new Map<string, number>();
  const count = (event: string, code: string): string => {
    const kind = `${event} ${code}`;
    counts.set(kind, { event, code, count: (counts.get(kind)?.count ?? 0) + 1 });
    return kind;
  };
  return {
    counts: () => [...counts.values()],
    /** Counts the event, and logs it now. */
    report(event: ServerEvent, code: string): void {
      count(event, code);
      log({ event, code });
    },
    /** For `.catch`: counts the event, and adds it to the hourly counts. */
    ofJoin: (event: JoinEvent) => (error: unknown) => {
      const kind = count(event, errorCode(error));
      hourly.set(kind, (hourly.get(kind) ?? 0) + 1);
    },
    /** Returns and clears the events of joins since the last call. */
    takeHourly(): readonly (readonly [kind: string, count: number])[] {
      const taken = [...hourly];
      hourly.clear();
      return taken;
    },
  };
}
