/** Parses single option values of `survey serve`. */
import { KaiactlError } from '../../errors.js';
import { parseDuration } from '../../util/duration.js';

/** A whole number. @throws {KaiactlError} (exit 2) */
export function count(text: string, option: string, max: number): number {
  if (/^\d{1,9}$/.test(text) && Number(text) <= max) return Number(text);
  throw new KaiactlError(`${option} ${text} is not a whole number from 0 to ${max}`);
}

/** Node's longest timer, in milliseconds; a longer one would fire at once. */
const longest = 2 ** 31 - 1;

/** A time in milliseconds. @throws {KaiactlError} (exit 2) */
export function duration(text: string, option: string): number {
  const ms = parseDuration(text);
  if (ms !== null && ms > 0 && ms <= longest) return ms;
  throw new KaiactlError(`${option} ${text} is not a time`, {
    hint: 'Write 500ms, 15s or 2m; the longest is 596h.',
  });
}

/** An http(s) URL without trailing slashes. @throws {KaiactlError} (exit 2) */
export function url(text: string, option: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text.replace(/\/+$/, '');
  throw new KaiactlError(`${option} is not an http(s) URL`);
}

/** Whether the host is a loopback address or `localhost`. */
export function isLoopback(host: string): boolean {
  return /^(?:127(?:\.\d{1,3}){3}|localhost|::1)$/.test(host);
}
