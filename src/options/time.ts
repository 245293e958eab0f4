/** Times in options and files, read in one way. */
import { KaiactlError } from '../errors.js';
import { parseDuration } from '../util/duration.js';

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
