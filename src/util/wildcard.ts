/** Patterns with * and ?, matched in time proportional to text × pattern: a match returns at most to the last star. */

/** A character, or with `wild` the star or question mark it looks like. */
export type Pattern = readonly { readonly char: string; readonly wild: boolean }[];

/**
 * True when the pattern matches the whole text. Takes at most (length of the text + 1) × (length of the pattern + 1)
 * steps, and passes every 1024 of them to `work`, which can throw to stop the match.
 */
export function wildcard(pattern: Pattern, text: string, work: (steps: number) => void): boolean {
  const chars = [...text];
  let [at, next] = [0, 0];
  /** Where the match continues after a mismatch: one character later, behind the last star. */
  let retry: { at: number; next: number } | null = null;
  let steps = 0;
  const is = (wild: string) => pattern[next]?.wild === true && pattern[next]?.char === wild;
  while (at < chars.length || next < pattern.length) {
    steps += 1;
    if (steps % 1024 === 0) work(1024);
    if (is('*')) {
      next += 1;
      retry = { at, next };
    } else if (
      at < chars.length &&
      (is('?') || (!pattern[next]?.wild && pattern[next]?.char === chars[at]))
    ) {
      at += 1;
      next += 1;
    } else if (retry !== null && retry.at < chars.length) {
      retry.at += 1;
      ({ at, next } = retry);
    } else break;
  }
  work(steps % 1024);
  return at === chars.length && next === pattern.length;
}
