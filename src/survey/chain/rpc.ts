/** Asking the chain's node. What it says in words never leaves here: it may hold addresses and transactions. */
import pLimit from 'p-limit';
import { ask, field } from '../protocol/upstream.js';

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

/** No usable answer: the node is down, slow, or not a node. */
export class Unreachable extends Error {}

/**
 * @throws {RpcError} when the node answers with an error
 * @throws {Unreachable} when it does not answer
 */
export type Rpc = (method: string, params: readonly unknown[]) => Promise<unknown>;

/** Enough for the events of 100,000 members in one answer. */
const maxBytes = 128 << 20;

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
export function httpRpc(url: string, timeoutMs: number): Rpc {
  const bounded = pLimit(together);
  let id = 0;
  let hungAt = Number.NEGATIVE_INFINITY;
  const attempt = async (method: string, params: readonly unknown[], ms: number) => {
    if (Date.now() - hungAt < hungFor) return null;
    const began = Date.now();
    id += 1;
    const asked = {
      method: 'POST' as const,
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id, method, params }),
      ...{ timeoutMs: ms, maxBytes },
    };
    const first = await ask(url, asked);
    const hung = first === null && Date.now() - began >= ms;
    if (hung) hungAt = Date.now();
    return first === null && !hung ? ask(url, asked) : first;
  };
  return async (method, params) => {
    const ms = method === 'eth_getLogs' ? timeoutMs * logsTakeLonger : timeoutMs;
    const answer = await bounded(() => attempt(method, params, ms));
    if (answer === null) throw new Unreachable('the node did not answer');
    const error = field(answer.json, 'error');
    if (typeof error === 'object' && error !== null) throw rpcError(error);
    const result = field(answer.json, 'result');
    if (result === undefined) throw new Unreachable('the node answered with something else than JSON-RPC');
    return result;
  };
}

/** Revert data sits in `data`, or one level deeper. */
function rpcError(error: object): RpcError {
  const data = field(error, 'data');
  const hex = [data, field(data, 'data')].find(
    (one) => typeof one === 'string' && /^0x[0-9a-f]*$/i.test(one),
  );
  return new RpcError(
    Number(field(error, 'code') ?? 0),
    String(field(error, 'message') ?? ''),
    String(hex ?? '0x'),
  );
}

/** A quantity as JSON-RPC writes it. */
export function quantity(value: bigint | number): string {
  return `0x${value.toString(16)}`;
}
