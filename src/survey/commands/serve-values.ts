/** Values of the options of `survey serve`. All throw a KaiactlError for any other text (exit 2). */
import { isIP } from 'node:net';
import { KaiactlError } from '../../errors.js';
import { readTime } from '../../options/time.js';
import { readSurvey } from '../protocol/join-request.js';
import { Refused } from '../protocol/refused.js';
import type { Limits } from '../server/parts.js';

/** A whole number. */
export function count(text: string, option: string, max: number): number {
  if (/^\d{1,9}$/.test(text) && Number(text) <= max) return Number(text);
  throw new KaiactlError(`${option} ${text} is not a whole number from 0 to ${max}`);
}

/** A time in milliseconds. */
export function duration(text: string, option: string): number {
  return readTime(text, `${option} `);
}

/** An http(s) URL without trailing slashes. */
export function url(text: string, option: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text.replace(/\/+$/, '');
  throw new KaiactlError(`${option} is not an http(s) URL`);
}

/** A checksummed address. */
export function address(text: string, option: string): string {
  try {
    return readSurvey(text);
  } catch (error) {
    const why = error instanceof Refused ? error.reason : 'not an address';
    throw new KaiactlError(`${option} ${text}: ${why}`);
  }
}

/** An origin as a browser sends it. */
export function origin(text: string): string {
  if (URL.canParse(text) && new URL(text).origin === text) return text;
  throw new KaiactlError(`--cors-origin ${text} is not an origin`, {
    hint: 'Name each one, without a path: https://app.example. There is no “*”.',
  });
}

/** A number of hops, or networks. */
export function trustProxy(text: string | undefined): Limits['trustProxy'] {
  if (text === undefined) return false;
  if (/^[1-9]\d?$/.test(text)) return Number(text);
  const networks = text.split(',').map((one) => one.trim());
  if (networks.every(isNetwork)) return networks;
  throw new KaiactlError(`--trust-proxy ${text} is neither a count of proxies nor a list of networks`, {
    hint: 'Write 1 for one proxy in front of this server, or where proxies are: 10.0.0.0/8,fd00::/8.',
  });
}

function isNetwork(text: string): boolean {
  const [address = '', bits = '1', more] = text.split('/');
  const maxBits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  return more === undefined && /^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= maxBits;
}

/** The address of the operator's routes: a host and a port. */
export function hostAndPort(text: string): { host: string; port: number } {
  const [, bracketed, plain, port = ''] = /^(?:\[([\da-f:.]+)\]|([^\s:[\]]+)):(\d+)$/i.exec(text) ?? [];
  const host = bracketed ?? plain;
  if (host !== undefined) return { host, port: count(port, '--operations-address: port', 65_535) };
  throw new KaiactlError(`--operations-address ${text} is not an address with a port`, {
    hint: 'Write 127.0.0.1:9464, or [::1]:9464.',
  });
}

/** Whether the host is a loopback address or `localhost`. */
export function isLoopback(host: string): boolean {
  return /^(?:127(?:\.\d{1,3}){3}|localhost|::1)$/.test(host);
}
