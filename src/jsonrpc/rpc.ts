/** JSON-RPC over HTTP to one node, for long work. Error messages of the node stay inside: they may hold addresses and transactions. */
import pLimit from 'p-limit';
import { field } from '../util/json.js';
import { oncePerKey } from '../util/once-per.js';
import { plainAddress, type Question } from './channel.js';
import { type Answer, RpcClient } from './client.js';
import { deadline } from './deadline.js';
import { parseEndpoint } from './endpoint.js';
import { ChannelError, failure } from './failure.js';
import { HttpChannel } from './http.js';

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

/** The node is up, and limits the rate of requests: a later one succeeds. */
export class Busy extends Unreachable {}

/** @throws {RpcError} when the node answers with an error @throws {Unreachable} when it does not answer */
export type Rpc = (method: string, params: readonly unknown[]) => Promise<unknown>;

/** Enough for the events of 100,000 members in one answer. */
const limits = { bytes: 128 << 20, depth: 32, values: 1 << 23 };

/** Concurrent requests per method: a burst of joins must not open hundreds of connections to the node. */
const maxPerMethod = 16;

/**
 * The interval between checks of the node while an answer is overdue, and the timeout of a check, in milliseconds: a tenth of
 * the timeout, but 2 s where a third of the timeout allows it.
 */
const checkMsOf = (timeoutMs: number) => Math.min(Math.max(2000, timeoutMs / 10), timeoutMs / 3);

/**
 * JSON-RPC over HTTP. A slow answer delays requests of the same method only. While answers are overdue, `eth_blockNumber`
 * decides whether the node is up; if it is down, all pending requests fail at once. A request whose connection is reset
 * is retried once, which is safe: the same signed bytes are the same transaction.
 * @param timeoutMs for one answer
 */
export function httpRpc(url: string, timeoutMs: number, signal?: AbortSignal): Rpc {
  const queue = oncePerKey((_method: string) => pLimit(maxPerMethod));
  const options = { ...plainAddress, maxSockets: Number.POSITIVE_INFINITY };
  const client = new RpcClient<Question>(new HttpChannel(parseEndpoint(url), options, limits.bytes), limits);
  const ask = async (question: Question, ms: number, parent?: AbortSignal): Promise<Answer> => {
    const end = deadline(ms, parent);
    try {
      return await client.ask(question, end.signal);
    } finally {
      end.clear();
    }
  };
  const checkMs = checkMsOf(timeoutMs);
  const check = async () => {
    const end = attentiveDeadline(checkMs);
    const asked = ask({ method: 'eth_blockNumber', params: [] }, timeoutMs, end.signal).catch(
      (error: unknown) => {
        if (!isLimited(error)) throw error;
      },
    );
    await asked.finally(end.clear);
  };
  const watch = liveness(check, checkMs);
  const attempt = (question: Question) =>
    watch(async (down) => {
      const parent = signal === undefined ? down : AbortSignal.any([signal, down]);
      return ask(question, timeoutMs, parent).catch((error: unknown) => {
        throw down.aborted ? down.reason : error;
      });
    });
  const asked = async (question: Question, again: boolean): Promise<Answer> => {
    try {
      return await attempt(question);
    } catch (error) {
      if (error instanceof Unreachable) throw error;
      const { code, message } = failure(error);
      if (isLimited(error)) throw new Busy('its node limits the rate of requests', { cause: error });
      if (code === 'unreachable' && again) return asked(question, false);
      throw new Unreachable(message, { cause: error });
    }
  };
  return async (method, params) => {
    const answer = await queue(method)(() => asked({ method, params }, true));
    if (
      answer.kind === 'error' &&
      limitCodes.includes(answer.code) &&
      /rate|too many req/i.test(answer.message)
    )
      throw new Busy('its node limits the rate of requests');
    if (answer.kind === 'error') throw rpcError(answer);
    return answer.value;
  };
}

/** Codes with which services limit requests; -32005 is also that of other limits. */
const limitCodes: readonly number[] = [429, -32005, -32029];

function isLimited(error: unknown): boolean {
  return error instanceof ChannelError && error.status === 429;
}

/**
 * A signal that aborts after `ms` milliseconds. A stall of this process counts as a quarter of them at most: the answer
 * may have arrived, but is unread.
 */
function attentiveDeadline(ms: number): { signal: AbortSignal; clear(): void } {
  const end = new AbortController();
  let quarters = 4;
  const timer = setInterval(() => {
    quarters -= 1;
    if (quarters === 0) end.abort();
  }, ms / 4);
  return { signal: end.signal, clear: () => clearInterval(timer) };
}

/** Revert data is in `data`, or one level deeper. */
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

/** How long a failed check counts, in milliseconds. */
const downMs = 1000;

/**
 * Returns a function that runs a request, and aborts its signal with the check's error if the node goes down meanwhile. It
 * throws what the work throws; while the node is known to be down, what the check throws.
 * @param check sends the cheapest request; rejects when no answer comes
 * @param intervalMs between checks while an answer is overdue, in milliseconds
 */
function liveness(check: () => Promise<unknown>, intervalMs: number) {
  let running: Promise<void> | null = null;
  let failed: { readonly at: number; readonly error: unknown } | null = null;
  let answers = 0;
  const run = async (): Promise<void> => {
    const before = answers;
    try {
      await check();
      failed = null;
    } catch (error) {
      if (answers > before) return;
      failed = { at: performance.now(), error };
      throw error;
    } finally {
      running = null;
    }
  };
  /** Concurrent callers share one check. */
  const expectUp = async (): Promise<void> => {
    if (failed !== null && performance.now() - failed.at < downMs) throw failed.error;
    running ??= run();
    await running;
  };
  return async <T>(work: (down: AbortSignal) => Promise<T>): Promise<T> => {
    if (failed !== null) await expectUp();
    const down = new AbortController();
    const timer = setInterval(() => {
      expectUp().catch((error: unknown) => down.abort(error));
    }, intervalMs);
    try {
      const answer = await work(down.signal);
      answers += 1;
      return answer;
    } finally {
      clearInterval(timer);
    }
  };
}
