/** Suggestions for misspelt words. */

const maxLength = 64;

/** The candidate nearest to `word`, ignoring case; null when no candidate is near enough for a suggestion. */
export function closest(word: string, candidates: Iterable<string>): string | null {
  if (word.length > maxLength) return null;
  const wanted = word.toLowerCase();
  let best: string | null = null;
  let limit = Math.max(1, Math.floor(word.length / 3)) + 1;
  for (const candidate of candidates) {
    const lower = candidate.toLowerCase();
    if (lower === wanted) return candidate;
    const [short, long] = word.length < candidate.length ? [wanted, lower] : [lower, wanted];
    const gap = long.length - short.length;
    // `inv` of `inventory`, and `ADDRESS` for `ADDR`
    const isCut = long.startsWith(short) && /^[^_.-]+$/.test(long.slice(-gap)) && /[^_.-]{3}$/.test(short);
    const isMeant = isCut && (short === wanted || gap * 2 <= short.length);
    if (!isMeant && gap >= limit) continue;
    const far = isMeant ? gap / (gap + 1) : distance(wanted, lower);
    if (far < limit && far <= maxChanges(wanted, lower)) {
      best = candidate;
      limit = far;
    }
  }
  return best;
}

/** A third of what is behind the parts that both begin with: `RPC_PORT` is not `RPC_CORS`. */
function maxChanges(word: string, other: string): number {
  const parts = word.split(/(?<=[_.-])/);
  const own = parts.filter((_, at) => !other.startsWith(parts.slice(0, at + 1).join('')));
  return Math.max(1, Math.floor(own.join('').length / 3));
}

/** A hint for an unknown name: the nearest known name, else `otherwise`. */
export function suggest(name: string, known: readonly string[], otherwise: string): string {
  const near = closest(name, known);
  return near === null ? otherwise : `Did you mean ${near}?`;
}

/** The number of insertions, deletions, replacements and swaps of neighbours between two words. */
export function distance(from: string, to: string): number {
  let before: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (let i = 1; i <= from.length; i++) {
    const row = [i];
    for (let j = 1; j <= to.length; j++) {
      const same = from[i - 1] === to[j - 1] ? 0 : 1;
      let cost = Math.min((row[j - 1] ?? 0) + 1, (last[j] ?? 0) + 1, (last[j - 1] ?? 0) + same);
      if (i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]) {
        cost = Math.min(cost, (before[j - 2] ?? 0) + 1);
      }
      row.push(cost);
    }
    before = last;
    last = row;
  }
  return last[to.length] ?? 0;
}
