/** How benchmarks measure: both sides in one run, interleaved, medians and ratios; never an assertion. */

/** One thing that was measured. */
export interface Figure {
  readonly what: string;
  readonly value: string;
  /** What a user would use instead, and what that does. */
  readonly instead?: string;
  /** Of one to the other. */
  readonly ratio?: string;
}

export type Tell = (figure: Figure) => void;

export interface Bench {
  readonly name: string;
  /** Tells what it measures; what it could not compare with, in the place of that. */
  run(tell: Tell): Promise<void>;
}

/** Milliseconds one call takes. */
export async function time(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** The middle value (mean of the two middle ones for an even count). */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  const upper = sorted[half] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[half - 1] ?? upper)) / 2;
}

/** Times every contender once a round, in turn, after one round that does not count; medians by name, in ms. */
export function interleave<Name extends string>(
  rounds: number,
  contenders: Readonly<Record<Name, () => unknown>>,
): Promise<Record<Name, number>> {
  const timed = Object.entries<() => unknown>(contenders).map(([name, work]) => [name, () => time(work)]);
  return interleaved(rounds, Object.fromEntries(timed) as Record<Name, () => Promise<number>>);
}

/** The same for measures of their own. */
export async function interleaved<Name extends string>(
  rounds: number,
  measures: Readonly<Record<Name, () => Promise<number>>>,
): Promise<Record<Name, number>> {
  const names = Object.keys(measures) as Name[];
  const found = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
  for (let round = 0; round <= rounds; round++) {
    for (const name of names) {
      const took = await measures[name]();
      if (round > 0) found[name].push(took);
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(found[name])])) as Record<Name, number>;
}
