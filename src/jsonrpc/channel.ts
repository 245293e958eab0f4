/** A connection that carries one request at a time. */
import type { AgentOptions } from '../http/agent.js';
import type { ChannelError } from './failure.js';

export interface Question {
  readonly method: string;
  readonly params: unknown;
}

declare const wire: unique symbol;
/** The text of one well-formed request. Only `encode` makes it, so that nothing else can be sent. */
export type WireText = string & { readonly [wire]: true };

/** A single request object with a number as its id: the only message that is ever sent. */
export function encode(id: number, { method, params }: Question): WireText {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params }) as WireText;
}

/** Options of one request. `host` applies to http only. */
export interface RequestOptions {
  readonly host?: string;
}

export interface Channel {
  /**
   * Sends one request and resolves with the text of one answer. One attempt, one at a time.
   * @throws {ChannelError} when there is no usable answer before the signal aborts
   */
  exchange(text: WireText, signal: AbortSignal, requestOptions?: RequestOptions): Promise<string>;
  /** Totals so far. Bytes include HTTP heads, but not TLS or WebSocket frames. */
  readonly sent: Sent;
  /** Why the channel is unusable, for example after an unsolicited message; null while it works. */
  readonly fault: ChannelError | null;
  close(): void;
}

export interface Sent {
  requests: number;
  bytes: number;
}

/** How to connect. */
export interface ConnectionOptions extends AgentOptions {
  /** Extra HTTP headers by lower-case name. They override our headers except Content-Type. */
  readonly headers: Readonly<Record<string, string>>;
}

export const plainAddress: ConnectionOptions = { headers: {}, insecure: false, env: {} };
