/** A wire that carries one question and brings back one answer. */
import type { ChannelError } from './failure.js';
import type { Ask } from './methods.js';

declare const wire: unique symbol;
/** The text of one well-formed request: made by `encode` and nowhere else, so nothing else can be sent. */
export type WireText = string & { readonly [wire]: true };

/** Writes the one kind of message that ever leaves: a single request object with a number as its id. */
export function encode(id: number, ask: Ask): WireText {
  return JSON.stringify({ jsonrpc: '2.0', id, method: ask.method, params: ask.params }) as WireText;
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
export interface ConnectionOptions {
  /** Extra HTTP headers, by lower-case name; they win over ours but for Content-Type. */
  readonly headers: Readonly<Record<string, string>>;
  /** Accept certificates that cannot be verified. */
  readonly insecure: boolean;
  /** The process’s environment, to name the proxy variable that cannot be used. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

export const plainAddress: ConnectionOptions = { headers: {}, insecure: false, env: {} };
