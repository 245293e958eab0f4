/** The addresses of host names, from the hosts file or DNS. */
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { failure } from '../../../jsonrpc/failure.js';
import type { Names } from '../../facts/live.js';
import { notSeen, type Seen, seen } from '../../facts/seen.js';

const timeoutMs = 5_000;

/** Resolves one name. Never throws. */
export async function resolveName(host: string): Promise<Seen<readonly string[]>> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Seen<readonly string[]>>((resolve) => {
    const reason = `the host name was not looked up within ${timeoutMs / 1_000} s`;
    timer = setTimeout(() => resolve(notSeen('timeout', reason)), timeoutMs);
  });
  try {
    return await Promise.race([lookup(host, { all: true }).then(addressesOf), late]);
  } catch (error) {
    const { code, message } = failure(error);
    return notSeen(code, message);
  } finally {
    clearTimeout(timer);
  }
}

function addressesOf(found: readonly { readonly address: string }[]): Seen<readonly string[]> {
  return seen([...new Set(found.map(({ address }) => address))].sort());
}

/** The names among the hosts of these URLs, each with its addresses; `localhost` is this machine without a lookup. */
export async function namesOf(
  urls: readonly string[],
  resolve: (host: string) => Promise<Seen<readonly string[]>>,
): Promise<Names> {
  const hosts = [...new Set(urls.map((url) => new URL(url).hostname))].filter(isName);
  return Object.fromEntries(
    await Promise.all(hosts.map(async (host) => [host, await resolve(host)] as const)),
  );
}

function isName(host: string): boolean {
  return host !== 'localhost' && isIP(host.replace(/^\[|\]$/g, '')) === 0;
}
