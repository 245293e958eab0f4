/** The rate of work that is counted from its start. */

/** Returns a function that takes the count and the time now, and returns the rate per second of the last `windowMs`. */
export function recentRate(startedAt: number, windowMs = 30_000): (done: number, now: number) => number {
  const samples = [{ at: startedAt, done: 0 }];
  return (done, now) => {
    while ((samples[1]?.at ?? now) <= now - windowMs) samples.shift();
    samples.push({ at: now, done });
    const [first = { at: now, done }] = samples;
    return (1000 * (done - first.done)) / Math.max(now - first.at, 1);
  };
}
