/** Asking the chain's node. What it says in words never leaves here: it may hold addresses and transactions. */
import pLimit from 'p-limit';
import { plainAddress, type Question } from '../../jsonrpc/channel.js';
import { type Answer, RpcClient } from '../../jsonrpc/client.js';
import { deadline } from '../../jsonrpc/deadline.js';
import { parseEndpoint } from '../../jsonrpc/endpoint.js';
import { failure } from '../../jsonrpc/failure.js';
import { HttpChannel } from '../../jsonrpc/http.js';
import { field } from '../protocol/upstream.js';

/** An error the node answered with. */
export class RpcError extends Error {
  readonly code: number;
  /** Revert data, 0x-hex; "0x" when there is none. */
  readonly data: string;

  constructor(code: number, message: string, data: string) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** No usable answer: the node is down, slow, or not a node. The message is a clause for people. */
export class Unreachable extends Error {}

/**
 * @throws {RpcError} when the node answers with an error
 * @throws {Unreachable} when it does not answer
 */
export type Rpc = (method: string, params: readonly unknown[]) => Promise<unknown>;

/** Enough for the events of 100,000 members in one answer. */
const limits = { bytes: 128 << 20, depth: 32, values: 1 << 23 };

/** Requests under way at a time: a burst of joins must not open hundreds of connections to the node. */
const together = 16;

/** While a node hangs, those who ask are told at once; after so many milliseconds one of them finds out again. */
const hungFor = 1000;
/** A range of logs may take longer than a plain question. */
const logsTakeLonger = 5;

/**
 * JSON-RPC over HTTP. What is cut off at once is asked once more: a connection may have died unnoticed, and nothing
 * here does harm twice, since the same signed bytes are the same transaction. A node that hangs costs those who
 * wait for it one time-out together, not one each.
 */
export function httpRpc(url: string, timeoutMs: number, signal?: AbortSignal): Rpc {
  const bounded = pLimit(together);
  const channel = new HttpChannel(
    parseEndpoint(url),
    { ...plainAddress, maxSockets: together },
    limits.bytes,
  );
  const client = new RpcClient<Question>(channel, limits);
  let hungAt = Number.NEGATIVE_INFINITY;
  const attempt = async (question: Question, ms: number): Promise<Answer> => {
    if (Date.now() - hungAt < hungFor) throw new Unreachable('it has just not answered another question');
    const end = deadline(ms, signal);
    try {
      return await client.ask(question, end.signal);
    } finally {
      end.clear();
    }
  };
  const asked = async (question: Question, ms: number, again: boolean): Promise<Answer> => {
    try {
      return await attempt(question, ms);
    } catch (error) {
      if (error instanceof Unreachable) throw error;
      const { code, message } = failure(error);
      if (code === 'timeout') hungAt = Date.now();
      if (code === 'unreachable' && again) return asked(question, ms, false);
      throw new Unreachable(message, { cause: error });
    }
  };
  return async (method, params) => {
    const ms = method === 'eth_getLogs' ? timeoutMs * logsTakeLonger : timeoutMs;
    const answer = await bounded(() => asked({ method, params }, ms, true));
    if (answer.kind === 'error') throw rpcError(answer);
    return answer.value;
  };
}

/** Revert data sits in `data`, or one level deeper. */
function rpcError({ code, message, data }: Extract<Answer, { kind: 'error' }>): RpcError {
  const hex = [data, field(data, 'data')].find(
    (one) => typeof one === 'string' && /^0x[0-9a-f]*$/i.test(one),
  );
  return new RpcError(code, message, String(hex ?? '0x'));
}

/** A quantity as JSON-RPC writes it. */
export function quantity(value: bigint | number): string {
  return `0x${value.toString(16)}`;
}
