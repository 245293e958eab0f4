/** Times in options and files, read in one way. */
import { KaiactlError } from '../errors.js';

/** Node's longest timer; a longer one would fire at once. */
const longestMs = 2 ** 31 - 1;
const hourMs = 3_600_000;

/**
 * Milliseconds of `500ms`, `15s` or `2m`. `place` precedes the text in the error.
 * @throws {KaiactlError} on other text, zero, or more than `maxMs` (exit 2)
 */
export function readTime(text: string, place: string, maxMs = longestMs): number {
  const ms = parseDuration(text);
  if (ms !== null && ms > 0 && ms <= maxMs) return ms;
  throw new KaiactlError(`${place}${text} is not a time`, {
    hint: `Write 500ms, 15s or 2m: more than 0, at most ${Math.floor(maxMs / hourMs)}h.`,
  });
}

const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** `500ms`, `5s`, `2m`, `1.5h`, or a bare number of seconds, in milliseconds; null for other text. */
export function parseDuration(text: string): number | null {
  const [, amount, unit = 's'] = /^(\d{1,9}(?:\.\d{1,3})?)(ms|s|m|h)?$/.exec(text.trim()) ?? [];
  if (amount === undefined) return null;
  return Math.round(Number(amount) * (units[unit] ?? 1000));
}
