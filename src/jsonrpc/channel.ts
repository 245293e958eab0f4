/** A wire that carries one question and brings back one answer. */
import type { AgentOptions } from '../http/agent.js';
import type { ChannelError } from './failure.js';

/** What is asked. */
export interface Question {
  readonly method: string;
  readonly params: unknown;
}

declare const wire: unique symbol;
/** The text of one well-formed request: made by `encode` and nowhere else, so nothing else can be sent. */
export type WireText = string & { readonly [wire]: true };

/** Writes the one kind of message that ever leaves: a single request object with a number as its id. */
export function encode(id: number, { method, params }: Question): WireText {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params }) as WireText;
}

/** What one question may differ in. Only http knows a Host. */
export interface RequestOptions {
  readonly host?: string;
}

export interface Channel {
  /**
   * Sends one request and resolves with the text of one answer. One attempt, one at a time.
   * @throws {ChannelError} when there is no usable answer before the signal aborts
   */
  exchange(text: WireText, signal: AbortSignal, requestOptions?: RequestOptions): Promise<string>;
  /** What was sent so far. Bytes include HTTP heads, not TLS or frames. */
  readonly sent: Sent;
  /** What the other side did wrong, also between questions; null while nothing is. */
  readonly fault: ChannelError | null;
  close(): void;
}

export interface Sent {
  requests: number;
  bytes: number;
}

/** How to address, besides where. */
export interface ConnectionOptions extends AgentOptions {
  /** Extra HTTP headers, by lower-case name; they win over ours but for Content-Type. */
  readonly headers: Readonly<Record<string, string>>;
}

export const plainAddress: ConnectionOptions = { headers: {}, insecure: false, env: {} };
