/** A node with everything on that writes down every message it should never have been sent. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { httpPeer, type Peer, scripted, type WireName } from './scripted.js';

export interface Watch {
  readonly peer: Peer;
  readonly violations: string[];
  readonly methods: string[];
  readonly requests: number;
  /** Bytes received, heads included; http only. */
  bytes(): number;
}

const reads = /^(?:rpc_modules|web3_clientVersion|net_version|(?:eth|kaia|klay)_accounts)$/;
const existenceProbes =
  /^(?:rpc_modules|kaiactl_[0-9a-f]{16}|debug_(?:getBlockRlp|setGCPercent|chaindbProperty|traceBlockFromFile|preimage)|admin_nodeInfo|bootnode_lookup|chaindatafetcher_status|governance_getStakingInfo|istanbul_getValidatorsAtHash|personal_ecRecover|subbridge_getBridgeInformation|txpool_status)$/;

/** The reason why a message must not be sent, or null. */
export function objection(text: string, wire: WireName): string | null {
  let message: Record<string, unknown>;
  try {
    message = JSON.parse(text);
  } catch {
    return `not JSON: ${text}`;
  }
  const keys = Object.keys(message).sort().join();
  if (keys !== 'id,jsonrpc,method,params') return `other fields: ${text}`;
  if (message.jsonrpc !== '2.0' || !Number.isSafeInteger(message.id)) return `version or id: ${text}`;
  const params = JSON.stringify(message.params);
  const method = String(message.method);
  if (params === '[]' && reads.test(method)) return null;
  if (params === '[]' && wire === 'ipc' && method === 'personal_listWallets') return null;
  if (params === '{}' && existenceProbes.test(method)) return null;
  return `not on the list: ${text}`;
}

const modules = ['admin', 'debug', 'eth', 'kaia', 'net', 'personal', 'rpc', 'txpool', 'web3'];

function answer(text: string): string {
  const { id, method, params } = JSON.parse(text) as { id: number; method: string; params: unknown };
  const results: Record<string, unknown> = {
    rpc_modules: Object.fromEntries(modules.map((name) => [name, '1.0'])),
    web3_clientVersion: 'Klaytn/v2.2.1/linux-amd64/go1.25.3',
    net_version: '8217',
    kaia_accounts: [],
    personal_listWallets: [],
  };
  if (Array.isArray(params)) return JSON.stringify({ jsonrpc: '2.0', id, result: results[method] });
  const code = method.startsWith('kaiactl_') ? -32601 : -32602;
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message: 'no' } });
}

/** Starts one; `foreignHosts`: whether a foreign Host is answered (http). */
export async function watchman(wire: WireName, { foreignHosts = false } = {}): Promise<Watch> {
  const violations: string[] = [];
  const methods: string[] = [];
  const note = (text: string): string => {
    const wrong = objection(text, wire);
    if (wrong !== null) violations.push(wrong);
    methods.push(wrong === null ? JSON.parse(text).method : 'wrong');
    return wrong === null ? answer(text) : '{}';
  };
  const sockets = new Set<Socket>();
  const serve = (request: IncomingMessage, response: ServerResponse, body: string): void => {
    sockets.add(request.socket);
    const type = request.headers['content-type'];
    if (request.method === 'OPTIONS') {
      methods.push('OPTIONS');
      if (body !== '') violations.push('a preflight with a body');
      response.writeHead(200).end();
    } else if (request.method !== 'POST' || type !== 'application/json' || request.url !== '/') {
      violations.push(`${request.method} ${request.url} ${type}`);
      response.writeHead(415).end();
    } else if (!foreignHosts && !/^127\./.test(request.headers.host ?? '')) {
      note(body);
      response.writeHead(403).end('invalid host specified');
    } else response.end(note(body));
  };
  const peer =
    wire === 'http' ? await httpPeer(serve) : await scripted(wire, note, () => methods.push('handshake'));
  return {
    peer,
    violations,
    methods,
    get requests() {
      // The first handshake carries the questions; a further one is a question of its own.
      return methods.filter((name) => name !== 'handshake').length + Math.max(0, handshakes(methods) - 1);
    },
    bytes: () => [...sockets].reduce((sum, socket) => sum + socket.bytesRead, 0),
  };
}

function handshakes(methods: readonly string[]): number {
  return methods.filter((name) => name === 'handshake').length;
}

/** A metrics port whose body never ends. */
export function confMetricsWatch(seen: (request: IncomingMessage) => void): Promise<Peer> {
  return httpPeer((request, response) => {
    seen(request);
    response.writeHead(200, { 'content-type': 'text/plain' });
    response.write(`# HELP x\n<title>/debug/pprof/</title>${' '.repeat(1024)}`);
  });
}
