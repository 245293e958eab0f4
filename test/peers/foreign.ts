/** Nodes of other kinds, by how they answer; a request that one would run is written down. */
import { httpPeer, type Peer, scripted } from './scripted.js';
import { objection } from './watchman.js';

/** How a client answers. */
export interface Manner {
  /** What it says of itself; null: it has no web3. */
  readonly client: string | null;
  /** null: it has no rpc_modules. */
  readonly modules: readonly string[] | null;
  /** What becomes of a request with {}: refused as Go clients do, or the method runs; or it must not be sent. */
  readonly withObject: 'refused' | 'run' | 'forbidden';
}

const go = { withObject: 'refused' } as const;
/** What these do with {} is not known, or they run the method: it must not be sent. */
const forbids = { withObject: 'forbidden' } as const;

export const manners = {
  geth: {
    ...go,
    client: 'Geth/v1.17.8-stable-1a2b3c4d/linux-amd64/go1.24.2',
    modules: ['admin', 'debug', 'eth', 'miner', 'net', 'personal', 'rpc', 'txpool', 'web3'],
  },
  'geth without web3': { ...go, client: null, modules: ['admin', 'debug', 'eth', 'net', 'rpc'] },
  erigon: {
    ...go,
    client: 'erigon/3.2.1/linux-amd64/go1.24.2',
    modules: ['debug', 'erigon', 'eth', 'net', 'ots', 'rpc', 'trace', 'txpool', 'web3'],
  },
  bor: {
    ...go,
    client: 'bor/v2.2.11/linux-amd64/go1.24.6',
    modules: ['bor', 'eth', 'net', 'rpc', 'txpool', 'web3'],
  },
  besu: {
    ...forbids,
    client: 'besu/v25.9.0/linux-x86_64/openjdk-java-21',
    modules: ['admin', 'eth', 'net', 'rpc', 'txpool', 'web3'],
  },
  'a client that nobody knows': {
    ...forbids,
    client: 'Foo/v1.9.3',
    modules: ['admin', 'debug', 'eth', 'net', 'rpc', 'txpool', 'web3'],
  },
  'a client that runs methods with {}': {
    ...forbids,
    client: 'ethrex/v5.0.0-main-abcdef0/x86_64-unknown-linux-gnu',
    modules: ['admin', 'debug', 'eth', 'net', 'rpc', 'txpool', 'web3'],
  },
  'a client without rpc_modules that runs methods with {}': {
    ...forbids,
    client: 'Nethermind/v1.35.2+faa9b9e6/linux-x64/dotnet9.0.10',
    modules: null,
  },
  'a client that names nothing': { ...forbids, client: null, modules: ['eth', 'net', 'rpc', 'txpool'] },
} as const satisfies Readonly<Record<string, Manner>>;

export interface ForeignNode {
  readonly peer: Peer;
  /** Messages that are not on the list, and requests with {} that would have run a method. */
  readonly violations: string[];
}

/** Starts one; it lets in every Host and Origin. */
export async function foreignNode(wire: 'http' | 'ws', manner: Manner): Promise<ForeignNode> {
  const violations: string[] = [];
  const respond = (text: string): string => {
    const wrong = objection(text, 'http');
    if (wrong !== null) violations.push(wrong);
    const { id, method, params } = JSON.parse(text) as { id: number; method: string; params: unknown };
    const answer = answerOf(manner, method, Array.isArray(params));
    if (!Array.isArray(params) && manner.withObject === 'forbidden') violations.push(`it was sent ${text}`);
    if ('result' in answer && !Array.isArray(params) && method !== 'rpc_modules')
      violations.push(`it ran ${text}`);
    return JSON.stringify({ jsonrpc: '2.0', id, ...answer });
  };
  const peer =
    wire === 'ws'
      ? await scripted('ws', respond)
      : await httpPeer((request, response, body) => {
          response.setHeader('access-control-allow-origin', '*');
          response.setHeader('access-control-allow-headers', 'content-type');
          response.end(request.method === 'POST' ? respond(body) : '');
        });
  return { peer, violations };
}

type Answer =
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string } };

function answerOf({ client, modules, withObject }: Manner, method: string, withArray: boolean): Answer {
  const results: Record<string, unknown> = {
    ...(modules === null ? {} : { rpc_modules: Object.fromEntries(modules.map((name) => [name, '1.0'])) }),
    ...(client === null ? {} : { web3_clientVersion: client }),
    net_version: '1',
    eth_accounts: ['0x71562b71999873db5b286df957af199ec94617f7'],
  };
  const module = method.slice(0, method.indexOf('_'));
  const exists = method in results || (modules ?? ['admin', 'txpool']).includes(module);
  if (!exists || method.startsWith('kaiactl_'))
    return { error: { code: -32601, message: `the method ${method} does not exist/is not available` } };
  if (!withArray && withObject === 'refused') return { error: { code: -32602, message: 'non-array args' } };
  return { result: results[method] ?? {} };
}
