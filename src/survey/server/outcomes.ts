/** Joins since the start of the server, counted by outcome: nothing about who joined, or when. */
import { Refused } from '../protocol/refused.js';

/** Joins with one outcome: `accepted`, or the code of the refusal. */
export interface OutcomeCount {
  readonly outcome: string;
  readonly count: number;
}

/** Why a join was refused, for counts: the contract's reason, the invalid argument, or the code. */
export function refusalReason(error: unknown): string {
  if (!(error instanceof Refused)) return 'INTERNAL';
  const { code, reason, facts } = error;
  if (code === 'CALL_EXCEPTION') return reason.slice(0, 80);
  return code === 'INVALID_ARGUMENT' && facts.argument !== undefined ? `invalid ${facts.argument}` : code;
}

const minuteMs = 60_000;

export class Outcomes {
  readonly #counts = new Map<string, number>();
  /** Times of the accepted joins of the last minute, in milliseconds of `performance.now()`. */
  readonly #accepted: number[] = [];

  add(outcome: string): void {
    this.#counts.set(outcome, (this.#counts.get(outcome) ?? 0) + 1);
    if (outcome !== 'accepted') return;
    this.#forget();
    this.#accepted.push(performance.now());
  }

  counts(): readonly OutcomeCount[] {
    return Array.from(this.#counts, ([outcome, count]) => ({ outcome, count }));
  }

  /** Accepted joins of the last minute. */
  perMinute(): number {
    this.#forget();
    return this.#accepted.length;
  }

  /** Drops the times before the last minute. */
  #forget(): void {
    const since = performance.now() - minuteMs;
    while ((this.#accepted[0] ?? Number.POSITIVE_INFINITY) <= since) this.#accepted.shift();
  }
}
