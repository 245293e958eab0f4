/** Patterns with * and ?, matched without ever going back further than the last star. */

/** A character, or with `wild` the star or question mark it looks like. */
export type Pattern = readonly { readonly char: string; readonly wild: boolean }[];

/**
 * Whether the pattern matches the whole text. Takes at most (length of the text + 1) × (length of the pattern + 1)
 * steps, and tells `work` how many it took since it last did, so that a caller can stop it by throwing.
 */
export function wildcard(pattern: Pattern, text: string, work: (steps: number) => void): boolean {
  const chars = [...text];
  let [at, next] = [0, 0];
  /** Where to go on when what follows the last star does not fit: one character later. */
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
