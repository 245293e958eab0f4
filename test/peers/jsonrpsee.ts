/**
 * A server that answers as jsonrpsee's (0.26) does with the methods of reth: {} are parameters by name, with which a method
 * without required parameters runs; nobody's Host or Origin is refused. It writes down what ran, and every request with {}.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { httpPeer, type Peer, scripted } from './scripted.js';

/** Methods, each with its number of required parameters, and the answer of those that only read. */
const methods: Readonly<Record<string, readonly [required: number, answer?: unknown]>> = {
  eth_accounts: [0, []],
  eth_chainId: [0, '0x1'],
  eth_sendRawTransaction: [1],
  net_version: [0, '1'],
  web3_clientVersion: [0],
  web3_sha3: [1],
  rpc_modules: [0],
  admin_addPeer: [1],
  admin_clearTxpool: [0],
  admin_nodeInfo: [0, {}],
  admin_peers: [0, []],
  debug_getBadBlocks: [0, []],
  debug_getRawBlock: [1],
  debug_getRawHeader: [1],
  debug_clearTxpool: [0],
  debug_setHead: [1],
  miner_setExtra: [1],
  ots_getApiLevel: [0, 8],
  ots_hasCode: [1],
  reth_getBalanceChangesInBlock: [1],
  testing_buildBlockV1: [3],
  testing_commitBlockV1: [1],
  trace_block: [1],
  txpool_content: [0, {}],
  txpool_contentFrom: [1],
  txpool_status: [0, { pending: '0x0', queued: '0x0' }],
};

/** What it is asked to be. */
export interface Offered {
  /** null: it does not offer web3. */
  readonly client: string | null;
  readonly modules: readonly string[];
}

export interface JsonrpseeNode {
  readonly peer: Peer;
  /** Methods that ran, in order. */
  readonly ran: readonly string[];
  /** Every request that had {} as its parameters. */
  readonly withObject: readonly string[];
  /** Every request, as `method params`. */
  readonly asked: readonly string[];
}

export async function jsonrpseeNode(wire: 'http' | 'ws', offered: Offered): Promise<JsonrpseeNode> {
  const [ran, withObject, asked]: string[][] = [[], [], []];
  const respond = (text: string): string => {
    const request = parsed(text);
    if (request === null) return failure(null, -32700, 'Parse error');
    const { id = null, method, params } = request;
    if (typeof method !== 'string' || request.jsonrpc !== '2.0')
      return failure(id, -32600, 'Invalid request');
    asked?.push(`${method} ${JSON.stringify(params)}`);
    if (params !== undefined && !Array.isArray(params)) withObject?.push(text);
    const known = namespaceIsOffered(offered, method) ? methods[method] : undefined;
    if (known === undefined) return failure(id, -32601, 'Method not found');
    const [required, answer] = known;
    const given = Array.isArray(params) ? params.length : 0;
    if (given < required) return failure(id, -32602, 'Invalid params');
    ran?.push(method);
    return JSON.stringify({ jsonrpc: '2.0', id, result: resultOf(offered, method) ?? answer ?? null });
  };
  const peer = wire === 'ws' ? await scripted('ws', respond) : await httpPeer(post(respond));
  return { peer, ran: ran ?? [], withObject: withObject ?? [], asked: asked ?? [] };
}

/** Only POST, and only with a content type that a page cannot send without a preflight, which no layer answers. */
function post(respond: (text: string) => string) {
  return (request: IncomingMessage, response: ServerResponse, body: string): void => {
    const type = request.headers['content-type'] ?? '';
    if (request.method !== 'POST')
      response.writeHead(405).end('Used HTTP Method is not allowed. POST is required\n');
    else if (!/^application\/json(?:-rpc)?(?:;\s*charset=utf-8)?$/i.test(type))
      response.writeHead(415).end('Supplied content type is not allowed\n');
    else response.setHeader('content-type', 'application/json; charset=utf-8').end(respond(body));
  };
}

interface Request {
  readonly jsonrpc?: unknown;
  readonly id?: number | string | null;
  readonly method?: unknown;
  readonly params?: unknown;
}

function parsed(text: string): Request | null {
  try {
    return JSON.parse(text) as Request;
  } catch {
    return null;
  }
}

function failure(id: Request['id'], code: number, message: string): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } });
}

function namespaceIsOffered({ client, modules }: Offered, method: string): boolean {
  const namespace = method.slice(0, method.indexOf('_'));
  return modules.includes(namespace) && (client !== null || namespace !== 'web3');
}

function resultOf({ client, modules }: Offered, method: string): unknown {
  if (method === 'web3_clientVersion') return client;
  return method === 'rpc_modules' ? Object.fromEntries(modules.map((name) => [name, '1.0'])) : undefined;
}
