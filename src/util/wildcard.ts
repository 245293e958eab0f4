/** Patterns with stars, matched in time proportional to text × pattern: a match returns at most to the last star. */

/** Any number of items, or one item. */
export type Part<T> = '*' | ((item: T) => boolean);

/** A character, or with `wild` the star or question mark it looks like, or a set of characters as an expression. */
export type Pattern = readonly { readonly char: string; readonly wild: boolean; readonly set?: string }[];

/** Whether the pattern matches the whole text, as `matches` does. */
export function wildcard(pattern: Pattern, text: string, work: (steps: number) => void): boolean {
  const parts = pattern.map(({ char, wild, set }): Part<string> => {
    const expression = set === undefined ? null : new RegExp(set);
    if (expression !== null) return (one) => expression.test(one);
    if (!wild) return (one) => one === char;
    return char === '*' ? '*' : () => true;
  });
  return matches(parts, [...text], work);
}

/** Whether a path ends with what a glob matches: `*`, `?` and sets such as `[!a-z]` are characters of one name. */
export function endsWithGlob(path: string, glob: string): boolean {
  const globs = glob.split('/');
  const names = path.split('/').slice(-globs.length);
  return globs.length === names.length && globs.every((one, at) => matchesGlob(one, names[at] ?? ''));
}

function matchesGlob(glob: string, name: string): boolean {
  const parts = (glob.match(/\[[!^]?\]?[^\]]{0,100}\]|./gsu) ?? []).map((one): Part<string> => {
    if (one === '*') return one;
    const [, not, set] = /^\[([!^]?)(.+)\]$/s.exec(one) ?? [];
    if (set === undefined) return (char) => one === '?' || one === char;
    const members = [...set.matchAll(/(.)-(.)|./gsu)];
    return (char) => members.some(([all, from = all, to = all]) => from <= char && char <= to) === !not;
  });
  return matches(parts, [...name]);
}

/**
 * Whether the pattern matches all items. Takes at most (number of items + 1) × (length of the pattern + 1) steps, and
 * passes every 1024 of them to `work`, which can throw to stop the match.
 */
export function matches<T>(
  pattern: readonly Part<T>[],
  items: readonly T[],
  work: (steps: number) => void = () => {},
): boolean {
  let [at, next] = [0, 0];
  /** Where the match continues after a mismatch: one item later, behind the last star. */
  let retry: { at: number; next: number } | null = null;
  let steps = 0;
  while (at < items.length || next < pattern.length) {
    steps += 1;
    if (steps % 1024 === 0) work(1024);
    const part = pattern[next];
    if (part === '*') {
      next += 1;
      retry = { at, next };
    } else if (at < items.length && part?.(items[at] as T) === true) {
      at += 1;
      next += 1;
    } else if (retry !== null && retry.at < items.length) {
      retry.at += 1;
      ({ at, next } = retry);
    } else break;
  }
  work(steps % 1024);
  return at === items.length && next === pattern.length;
}
