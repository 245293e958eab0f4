/** JSON-RPC over any channel: one request, one answer. */
import { randomInt } from 'node:crypto';
import {
  type Channel,
  type ConnectionOptions,
  encode,
  type Question,
  type RequestOptions,
  type Sent,
} from './channel.js';
import type { Address } from './endpoint.js';
import { type ChannelError, failure, unreadable } from './failure.js';
import { answerLimits, type Limits, parseGuarded } from './guard.js';
import { HttpChannel } from './http.js';
import { ipcChannel } from './ipc.js';
import { wsChannel } from './ws.js';

/** The answer of a node. A JSON-RPC error is an answer too. */
export type Answer =
  | { readonly kind: 'result'; readonly value: unknown }
  | { readonly kind: 'error'; readonly code: number; readonly message: string; readonly data?: unknown };

/** A channel for the address, not connected yet. */
export function openChannel(address: Address, options: ConnectionOptions): Channel {
  switch (address.endpoint.kind) {
    case 'http':
      return new HttpChannel(address, options);
    case 'ws':
      return wsChannel(address, options);
    case 'ipc':
      return ipcChannel(address);
  }
}

/** Sends requests over one channel. `Q` limits the requests; an audited node gets an allowlist. */
export class RpcClient<Q extends Question> {
  readonly #channel: Channel;
  /** Starts at random, so that no answer can be prepared before its request. */
  #id = randomInt(1, 2 ** 31);
  readonly #limits: Limits;

  constructor(channel: Channel, limits = answerLimits) {
    this.#channel = channel;
    this.#limits = limits;
  }

  /** Whether a well-formed answer arrived: the other side speaks JSON-RPC. */
  answered = false;

  get fault(): ChannelError | null {
    return this.#channel.fault;
  }

  get sent(): Readonly<Sent> {
    return this.#channel.sent;
  }

  /** @throws {ChannelError} when no usable answer comes before the signal aborts */
  async ask(ask: Q, signal: AbortSignal, requestOptions: RequestOptions = {}): Promise<Answer> {
    this.#id += 1;
    const id = this.#id;
    try {
      const text = await this.#channel.exchange(encode(id, ask), signal, requestOptions);
      const response = expectResponse(parseGuarded(text, this.#limits), id);
      this.answered = true;
      return answerOf(response);
    } catch (error) {
      throw failure(error);
    }
  }

  close(): void {
    this.#channel.close();
  }
}

type Response = { readonly result?: unknown; readonly error?: unknown };

/** The parsed answer as a response to `id`, or the reason why it is not one. */
function expectResponse(parsed: unknown, id: number): Response {
  if (Array.isArray(parsed)) throw unreadable('the answer is an array, not an object');
  if (typeof parsed !== 'object' || parsed === null)
    throw unreadable('the answer is not a JSON-RPC response');
  const response = parsed as Partial<Record<string, unknown>>;
  const hasResult = Object.hasOwn(response, 'result');
  const hasError = Object.hasOwn(response, 'error') && response.error !== null;
  if (!hasResult && !hasError) throw unreadable('the answer is not a JSON-RPC response');
  if (response.id !== id) throw unreadable('the id of the answer is not that of the request');
  if (hasResult && hasError && response.result !== null) {
    throw unreadable('the answer is both a result and an error');
  }
  return hasError ? { error: response.error } : { result: response.result };
}

function answerOf(response: Response): Answer {
  if (response.error === undefined) return { kind: 'result', value: response.result };
  const { code, message, data } = response.error as { code?: unknown; message?: unknown; data?: unknown };
  if (typeof code !== 'number' || typeof message !== 'string')
    throw unreadable('the error answered has no code');
  return { kind: 'error', code, message, data };
}
