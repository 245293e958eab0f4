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
    const isCut = isCutOff(wanted, lower);
    if (!isCut && Math.abs(candidate.length - word.length) >= limit) continue;
    const far = isCut ? 0.5 : distance(wanted, lower);
    if (far < limit && far <= maxChanges(wanted, lower)) {
      best = candidate;
      limit = far;
    }
  }
  return best;
}

/** Whether one is the beginning of a word of the other: `inv` of `inventory`. */
function isCutOff(word: string, other: string): boolean {
  const [short, long] = word.length < other.length ? [word, other] : [other, word];
  return long.startsWith(short) && /^[^_.-]+$/.test(long.slice(short.length)) && /[^_.-]{3}$/.test(short);
}

/** A third of what is behind the parts that both begin with: `RPC_PORT` is not `RPC_CORS`. */
function maxChanges(word: string, other: string): number {
  let shared = 0;
  for (let at = 0; word[at] === other[at] && at < word.length; at++)
    if (/[_.-]/.test(word[at] ?? '')) shared = at + 1;
  return Math.max(1, Math.floor((word.length - shared) / 3));
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
