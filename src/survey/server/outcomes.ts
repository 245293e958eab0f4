/** Joins since the start of the server, counted by outcome: nothing about who joined, or when. */

/** Joins with one outcome: `accepted`, or the code of the refusal. */
export interface OutcomeCount {
  readonly outcome: string;
  readonly count: number;
}

const minuteMs = 60_000;

export class Outcomes {
  readonly #counts = new Map<string, number>();
  /** Times of the accepted joins of the last minute, in milliseconds of `performance.now()`. */
  #accepted: number[] = [];

  add(outcome: string): void {
    this.#counts.set(outcome, (this.#counts.get(outcome) ?? 0) + 1);
    if (outcome === 'accepted') this.#accepted.push(performance.now());
  }

  counts(): readonly OutcomeCount[] {
    return Array.from(this.#counts, ([outcome, count]) => ({ outcome, count }));
  }

  /** Accepted joins of the last minute. */
  perMinute(): number {
    const since = performance.now() - minuteMs;
    this.#accepted = this.#accepted.filter((at) => at > since);
    return this.#accepted.length;
  }
}
