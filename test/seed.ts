/** The seed of every random test: from KAIACTL_TEST_SEED, and printed, so that what failed can be run again. */
export const seed = Number(process.env.KAIACTL_TEST_SEED ?? 1);

/** `npm run test:many`: every case of a table that is too long for each run of all tests. */
export const isLong = process.env.KAIACTL_TEST_LONG !== undefined;

process.stderr.write(`KAIACTL_TEST_SEED=${seed}\n`);

/**
 * Every n-th of the cases, the first one chosen by the seed and by a number of the caller: a table too long for each
 * run of all tests. A long mode asks for the whole of it.
 */
export function everyNth<T>(n: number, cases: readonly T[], from = 0): readonly T[] {
  return cases.filter((_, at) => (at + from + seed) % n === 0);
}

/** All cases in the long mode, else every n-th. */
export function shareOf<T>(n: number, cases: readonly T[], from = 0): readonly T[] {
  return isLong ? cases : everyNth(n, cases, from);
}
