/** Connection options, validated. */

import { validateHeaderName, validateHeaderValue } from 'node:http';
import { KaiactlError } from '../../errors.js';
import type { Host } from '../../host.js';
import { proxyFor } from '../../http/agent.js';
import { readTime } from '../../options/time.js';
import type { Address, Target } from '../probe/index.js';
import type { ConnectionOptions } from './options/shared.js';

const reserved = new Set(
  'content-type content-length transfer-encoding connection upgrade origin'.split(' '),
);

/**
 * Checks the proxies of the environment before the first request.
 * @throws {KaiactlError} with the variable of a proxy that cannot be used (exit 2)
 */
export function expectProxies(
  addresses: readonly Address[],
  { env }: Pick<Host, 'env'>,
  urls: readonly string[] = [],
): void {
  const dialled = addresses.flatMap(({ endpoint, raw }) => (endpoint.kind === 'ipc' ? [] : [raw]));
  for (const url of [...dialled, ...urls]) proxyFor(new URL(url), env);
}

/** The addresses of the endpoints of targets. */
export function addressesOf(targets: readonly Target[]): Address[] {
  return targets.flatMap(({ endpoints }) => endpoints.map(({ address }) => address));
}

/** @throws {KaiactlError} on an invalid duration or header (exit 2), without the value of the header */
export function readConnection(options: ConnectionOptions, env: Host['env']) {
  const timeoutMs = readTimeout(options.timeout, '--timeout ');
  const headers = Object.fromEntries((options.header ?? []).map(readHeader));
  return { timeoutMs, options: { headers, insecure: options.insecure, env } };
}

/**
 * Milliseconds, up to an hour. `option` precedes the text in the error.
 * @throws {KaiactlError} on other text (exit 2)
 */
export function readTimeout(text: string, option = ''): number {
  return readTime(text, option, 3_600_000);
}

function readHeader(line: string): [string, string] {
  const colon = line.indexOf(':');
  const name = line.slice(0, Math.max(colon, 0)).trim();
  const value = line.slice(colon + 1).trim();
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
  } catch {
    throw new KaiactlError('--header is not “Name: value”', {
      hint: 'For example --header "Authorization: Bearer …".',
    });
  }
  if (reserved.has(name.toLowerCase()))
    throw new KaiactlError(`--header cannot set ${name}: kaiactl sets it itself`);
  return [name.toLowerCase(), value];
}
