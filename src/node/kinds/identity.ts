/** Which kind of node answers. */
import type { EndpointFacts } from '../facts/live.js';
import { namesKaia, offersKaia } from './kaia/identity.js';

/**
 * The kind of node by its answers: `kaia`, or the first part of the client's name in lower case, such as `geth`.
 * Null: the answers do not tell; an interface without web3 says nothing of itself.
 */
export function kindOf({ modules, client }: Pick<EndpointFacts, 'modules' | 'client'>): string | null {
  if (modules.state === 'seen' && offersKaia(Object.keys(modules.value))) return 'kaia';
  if (client.state !== 'seen') return null;
  return namesKaia(client.value) ? 'kaia' : nameOf(client.value);
}

/** `Geth/v1.17.8/linux-amd64` → `geth`; a text that does not start with a name tells nothing. */
function nameOf(client: string): string | null {
  return /^[a-z][a-z0-9 ._-]{0,39}/i.exec(client)?.[0].trim().toLowerCase() ?? null;
}
