/** The options of `survey serve`, and how single values are read. */
import { KaiactlError } from '../../errors.js';
import { parseDuration } from '../../util/duration.js';

/** As the command line gives them: text, unless they are switches. */

/** A whole number. @throws {KaiactlError} (exit 2) */
export function count(text: string, option: string, most: number): number {
  if (/^\d{1,9}$/.test(text) && Number(text) <= most) return Number(text);
  throw new KaiactlError(`${option} ${text} is not a whole number from 0 to ${most}`);
}

/** The longest that a timer of Node's waits, in milliseconds; one that is to wait longer does not wait. */
const longest = 2 ** 31 - 1;

/** A time in milliseconds. @throws {KaiactlError} (exit 2) */
export function duration(text: string, option: string): number {
  const ms = parseDuration(text);
  if (ms !== null && ms > 0 && ms <= longest) return ms;
  throw new KaiactlError(`${option} ${text} is not a time`, {
    hint: 'Write 500ms, 15s or 2m; the longest is 596h.',
  });
}

/** An http(s) URL without slashes at its end. @throws {KaiactlError} (exit 2) */
export function url(text: string, option: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text.replace(/\/+$/, '');
  throw new KaiactlError(`${option} is not an http(s) URL`);
}

/** Whether only this machine reaches what listens there: an address of its own, or its name; no name that merely begins so. */
export function isLoopback(host: string): boolean {
  return /^(?:127(?:\.\d{1,3}){3}|localhost|::1)$/.test(host);
}
