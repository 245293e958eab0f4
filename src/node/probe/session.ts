/** A session with one endpoint: sends every message and counts it. */
import type { Channel, ConnectionOptions, RequestOptions } from '../../jsonrpc/channel.js';
import { type Answer, openChannel, RpcClient } from '../../jsonrpc/client.js';
import type { Address } from '../../jsonrpc/endpoint.js';
import { ChannelError, unreadable } from '../../jsonrpc/failure.js';
import { HttpChannel, type ResponseHead } from '../../jsonrpc/http.js';
import { handshakeProbe } from '../../jsonrpc/ws.js';
import type { Access, EndpointFacts, Presence } from '../facts/live.js';
import { type Ask, type ExistenceAsk, type ReadMethod, read } from '../kinds/request.js';

export interface Visit {
  readonly address: Address;
  readonly options: ConnectionOptions;
  readonly signal: AbortSignal;
  /** Maximum number of requests, including preflight and handshake. */
  readonly budget: number;
}

export class Session {
  readonly address: Address;
  /** The facts seen so far. */
  readonly facts: EndpointFacts;
  readonly #visit: Visit;
  readonly #channel: Channel;
  readonly #client: RpcClient<Ask>;
  #handshakes = 0;

  constructor(visit: Visit, facts: EndpointFacts) {
    this.address = visit.address;
    this.facts = facts;
    this.#visit = visit;
    this.#channel = openChannel(visit.address, visit.options);
    this.#client = new RpcClient<Ask>(this.#channel);
  }

  /** Whether the endpoint answered JSON-RPC. */
  get answered(): boolean {
    return this.#client.answered;
  }

  /** A protocol error of the endpoint outside an answer. */
  get fault(): ChannelError | null {
    return this.#client.fault;
  }

  get sent(): EndpointFacts['sent'] {
    const { requests, bytes } = this.#client.sent;
    return { requests: requests + this.#handshakes, bytes };
  }

  /** Sends one request. @throws {ChannelError} */
  answer(ask: Ask, options?: RequestOptions): Promise<Answer> {
    this.#checkBudget();
    return this.#client.ask(ask, this.#visit.signal, options);
  }

  /** The result of a read method; null for an error of the code `none`. @throws {ChannelError} rpc-error for another one */
  async result(method: ReadMethod, none?: number): Promise<unknown> {
    const answer = await this.answer(read(method));
    if (answer.kind === 'result') return answer.value;
    if (answer.code === none) return null;
    const reason = answer.message.slice(0, 120);
    throw new ChannelError('rpc-error', `${method} answered error ${answer.code}: ${reason}`);
  }

  /** A string result, cut at 256 characters. @throws {ChannelError} */
  async text(method: ReadMethod): Promise<string> {
    const value = await this.result(method);
    if (typeof value !== 'string') throw unreadable(`${method} did not answer with a string`);
    return value.slice(0, 256);
  }

  /** Whether a method exists; does not run it. @throws {ChannelError} when the answer does not show it */
  async presence(ask: ExistenceAsk): Promise<Presence> {
    return presenceOf(ask, await this.answer(ask));
  }

  /** Sends the CORS preflight of a page of `origin`. @throws {ChannelError} */
  preflight(origin: string): Promise<ResponseHead> {
    this.#checkBudget();
    if (!(this.#channel instanceof HttpChannel)) throw new Error('only http has preflights');
    return this.#channel.preflight(origin, this.#visit.signal);
  }

  /** Opens a second WebSocket as a page of `origin` would. @throws {ChannelError} */
  handshake(origin: string): Promise<Access> {
    this.#checkBudget();
    this.#handshakes += 1;
    return handshakeProbe(this.address, this.#visit.options, origin, this.#visit.signal);
  }

  close(): void {
    this.#client.close();
  }

  #checkBudget(): void {
    const { budget } = this.#visit;
    if (this.sent.requests < budget) return;
    throw new ChannelError('not-asked', `not asked: the limit is ${budget} requests`);
  }
}

const absent = -32601;
/** The error of an existing method called with {} or without its parameter: it did not run. */
export const present = -32602;

/** Interprets the answer (kaiachain/kaia networks/rpc/json.go:310-327; jsonrpsee's error codes). @throws {ChannelError} */
function presenceOf({ method, params }: ExistenceAsk, answer: Answer): Presence {
  if (answer.kind === 'error' && answer.code === present) return 'present';
  if (answer.kind === 'error' && answer.code === absent) return 'absent';
  const outcome = answer.kind === 'error' ? `error ${answer.code}` : 'a result';
  const name = method.startsWith('kaiactl_') ? 'a made-up method' : method;
  const shown = `${name} with ${JSON.stringify(params)} answered ${outcome}`;
  throw unreadable(`${shown}, which shows neither presence nor absence`);
}
