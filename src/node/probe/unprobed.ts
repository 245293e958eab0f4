/** An endpoint's facts before anything was asked: nothing is seen, and each fact says why. */
import { statSync } from 'node:fs';
import { failure } from '../../jsonrpc/failure.js';
import type { Endpoint, EndpointFacts } from '../facts/live.js';
import { notSeen, type Seen, seen } from '../facts/seen.js';

/** How much is asked: `none` is what the endpoint is and offers; `safe` adds existence probes, access and accounts. */
export type Depth = 'none' | 'safe';

/** Facts to be filled in. */
export type UnprobedFacts = { -readonly [K in keyof EndpointFacts]: EndpointFacts[K] };

/** All facts before the first question. */
export function unprobedFacts(
  endpoint: Endpoint,
  source: EndpointFacts['source'],
  depth: Depth,
): UnprobedFacts {
  const open =
    endpoint.kind === 'ipc'
      ? notSeen('not-applicable', 'not asked over ipc')
      : depth === 'none'
        ? notSeen('left-out', 'not asked (--probe none)')
        : notSeen('not-asked', 'not asked');
  return {
    endpoint,
    source,
    modules: open,
    client: open,
    chain: open,
    calibrated: open,
    methods: {},
    accounts: open,
    foreignHost: endpoint.kind === 'ws' ? notSeen('not-applicable', 'ws has no Host check') : open,
    foreignOrigin: open,
    fileMode: endpoint.kind === 'ipc' ? fileMode(endpoint.path) : notSeen('not-applicable', 'no file'),
    latencyMs: null,
    sent: { requests: 0, bytes: 0 },
  };
}

function fileMode(path: string): Seen<number> {
  try {
    return seen(statSync(path).mode & 0o777);
  } catch (error) {
    const { code, message } = failure(error);
    return notSeen(code, message);
  }
}
