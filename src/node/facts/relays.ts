/** Ways to a node's interfaces through other programs, such as a reverse proxy. */
import type { Reach } from './severity.js';
import type { Span } from './span.js';

/** An address that a forwarder leads to; null: another program decides it. */
export type Destination =
  | { readonly host: string | null; readonly port: number | null }
  | { readonly socket: string }
  /** What the service of a tunnel knows, and no file. */
  | { readonly unknown: true }
  | null;

/** What a way does to the node's own checks. */
export interface AccessChanges {
  /** Its headers let every web page call over http. */
  readonly cors?: 'any';
  /** The Host that arrives in place of the client's. */
  readonly host?: string;
  /** The Origin that arrives in place of the client's; empty: none. */
  readonly origin?: string;
}

/** A way through a proxy, and who takes it: "nginx forwards to it (proxy.conf:3), listening on 80". */
export interface Way {
  readonly reach: Reach;
  readonly because: string;
  /** The words that name the destination. */
  readonly at: Span;
  readonly to: Destination;
  /** True where it needs a login. */
  readonly login?: true;
  /** True where it lets through calls of public modules alone. */
  readonly filtered?: true;
  readonly changes?: AccessChanges;
}
