/** ethers' JSON-RPC provider over our own HTTP exchange: capped in bytes and time, no redirects, no retries, no waiting. */
import { JsonRpcProvider, Network } from 'ethers/providers';
import { FetchRequest, type GetUrlResponse } from 'ethers/utils';
import { exchange, type Reply } from '../protocol/http.js';

/** The node did not answer, or not with success; the message is a clause for people. */
export class Unanswered extends Error {}

export interface Opened {
  readonly provider: JsonRpcProvider;
  readonly chainId: number;
}

const timeoutMs = 15_000;
const maxBytes = 4 << 20;

/**
 * A provider for the node at `rpc`. The chain is asked for once, here: left to itself the provider would try
 * for ever, and say so on stdout.
 * @throws {Unanswered} when the node does not tell its chain
 */
export async function openProvider(rpc: URL, signal: AbortSignal): Promise<Opened> {
  const body = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}';
  const reply = success(await exchange({ method: 'POST', url: rpc, body, timeoutMs, maxBytes, signal }));
  const chainId = chainIdIn(reply.text);
  const network = Network.from(chainId);
  const provider = new JsonRpcProvider(requestTo(rpc, signal), network, {
    staticNetwork: network,
    cacheTimeout: -1,
  });
  return { provider, chainId };
}

function chainIdIn(text: string): number {
  try {
    const { result } = JSON.parse(text) as { result?: unknown };
    if (typeof result === 'string' && /^0x[0-9a-f]{1,13}$/i.test(result)) return Number(result);
  } catch {
    // Said below.
  }
  throw new Unanswered('it does not tell its chain id');
}

function requestTo(rpc: URL, signal: AbortSignal): FetchRequest {
  const request = new FetchRequest(rpc.href);
  request.timeout = timeoutMs;
  request.retryFunc = async () => false;
  request.getUrlFunc = async (asking) => {
    const url = new URL(asking.url);
    const body = asking.body === null ? '' : Buffer.from(asking.body);
    return response(await exchange({ method: 'POST', url, body, timeoutMs, maxBytes, signal }));
  };
  return request;
}

type Answer = Extract<Reply, { kind: 'answer' }>;

function success(reply: Reply): Answer {
  if (reply.kind === 'lost') throw new Unanswered(reply.why);
  if (reply.status < 200 || reply.status > 299) throw new Unanswered(`it answered ${reply.status}`);
  return reply;
}

function response(reply: Reply): GetUrlResponse {
  const { status, contentType, text } = success(reply);
  return {
    statusCode: status,
    statusMessage: '',
    headers: { 'content-type': contentType },
    body: Buffer.from(text),
  };
}
