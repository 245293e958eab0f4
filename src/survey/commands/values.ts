/** Values of options. All throw a KaiactlError for any other text (exit 2). */
import { isIP } from 'node:net';
import { getAddress } from 'ethers/address';
import { KaiactlError } from '../../errors.js';
import { readTime } from '../../options/time.js';
import { visible } from '../../util/visible.js';
import { parseCommitment } from '../protocol/commitment.js';
import type { Limits } from '../server/parts.js';

/** An http(s) base URL. The path is kept, the query is ignored. */
export function parseBaseUrl(text: string | undefined, option: string): URL {
  if (text === undefined || text === '')
    throw new KaiactlError(`no ${option.replaceAll('-', ' ').replace('url', 'URL')} given`, {
      hint: `Give --${option}, set KAIACTL_${option.replaceAll('-', '_').toUpperCase()}, or put ${option} in a profile.`,
    });
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new KaiactlError(`--${option} is not an http or https URL`, {
      hint: 'Like https://survey.example.',
    });
  if (url.username === '' && url.password === '') return url;
  throw new KaiactlError(`--${option} contains a user name or password`, {
    hint: 'Leave them out: other users see the command line, and logs keep URLs.',
  });
}

/** The address with its checksum. All-lower and all-upper case is accepted without a checksum. */
export function parseAddress(text: string, what: string): string {
  const word = text.trim();
  if (!/^0x[0-9a-f]{40}$/i.test(word))
    throw new KaiactlError(`${what} is not an address: ${visible(word, 60)}`, {
      hint: 'An address is 0x and 40 hexadecimal digits.',
    });
  try {
    return getAddress(word);
  } catch {
    throw new KaiactlError(`${what} has a wrong checksum: ${word}`, {
      hint: 'A character is wrong, or in the wrong case. An address in lower case is not checked.',
    });
  }
}

/** An identity commitment in decimal; `invalid` begins the error. */
export function commitment(text: string, invalid: string, hint?: string): string {
  const parsed = parseCommitment(text);
  if (parsed.ok) return String(parsed.value);
  throw new KaiactlError(`${invalid}: ${parsed.why}`, hint === undefined ? {} : { hint });
}

/** Whether a URL's traffic stays on this machine or is encrypted. */
export function isPrivateUrl(url: URL): boolean {
  return url.protocol === 'https:' || isLoopback(url.hostname.replace(/^\[|\]$/g, ''));
}

export function isLoopback(host: string): boolean {
  return /^(?:127(?:\.\d{1,3}){3}|localhost|::1)$/.test(host);
}

export function wholeNumber(text: string, option: string, max = 999_999_999_999_999, min = 1): number {
  if (/^(0|[1-9]\d{0,14})$/.test(text) && Number(text) >= min && Number(text) <= max) return Number(text);
  const range = max < 1e9 ? `from ${min} to ${max}` : `from ${min} on`;
  throw new KaiactlError(`--${option} ${visible(text, 60)} is not a whole number ${range}`);
}

/** A time, other than zero, in milliseconds. */
export function milliseconds(text: string, option: string): number {
  return readTime(text, `--${option} `);
}

/** An http(s) URL without trailing slashes; unlike a base URL, it may hold a key. */
export function url(text: string, option: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text.replace(/\/+$/, '');
  throw new KaiactlError(`--${option} is not an http(s) URL`);
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
  if (host !== undefined) return { host, port: wholeNumber(port, 'operations-address: port', 65_535, 0) };
  throw new KaiactlError(`--operations-address ${text} is not an address with a port`, {
    hint: 'Write 127.0.0.1:9464, or [::1]:9464.',
  });
}
