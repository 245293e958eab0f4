/** Hops: how callers get to an interface, and who gets through. Every reader yields them, and the reach follows from them. */
import type { Reach } from './severity.js';
import type { Span } from './span.js';

/** An address that a hop leads to; null if another program decides it. */
export type Destination =
  | { readonly host: string | null; readonly port: number | null }
  | { readonly socket: string }
  /** What the service of a tunnel knows, and no file. */
  | { readonly unknown: true }
  | null;

/** What a hop does to the node's own checks. */
export interface AccessChanges {
  /** Its headers let every web page call over http. */
  readonly cors?: 'any';
  /** The Host that arrives in place of the client's. */
  readonly host?: string;
  /** The Origin that arrives in place of the client's; empty if there is none. */
  readonly origin?: string;
}

/** Who gets through. */
export interface Access {
  /** The addresses that get through without a login; null if none does. */
  readonly open: Reach | null;
  /** The addresses that get through with a login; null if a login lets in no more. */
  readonly withLogin: Reach | null;
}

/** The access of everyone in a reach, without a login. */
export function openTo(open: Reach | null): Access {
  return { open, withLogin: null };
}

interface AnyHop {
  readonly access: Access;
  /** A clause for people: "ports publishes it", "nginx forwards to it (proxy.conf:3), listening on 80". */
  readonly because: string;
  /** What it does to the node's own checks; absent if there is nothing. */
  readonly changes?: AccessChanges;
}

/** What stands before the address that an interface binds: a firewall, or the limits of its unit. */
export interface OwnHop extends AnyHop {
  readonly of: 'address';
  /** The rules of a firewall: `nftables.conf:12`. */
  readonly via: readonly string[];
}

/** A published port of a container. */
export interface PortHop extends AnyHop {
  readonly of: 'port';
  /** The address that clients connect to; '0.0.0.0': every address. It is null if it cannot be known. */
  readonly host: string | null;
  /** The port that clients connect to; null if it cannot be known. */
  readonly port: number | null;
  /** The port of the container; null for every one, or for one that is not known, which `unsure` has as it is written: `${P2P_PORT}`. */
  readonly to: number | null;
  readonly unsure?: string;
  readonly at: Span;
  /** The text to put at `at` so that only this machine can connect; null if there is no simple edit. */
  readonly instead: string | null;
  /** How to limit it, as a sentence; absent if it is to be published on loopback only. */
  readonly remedy?: string;
}

/** A program that forwards to an interface. */
export interface RelayHop extends AnyHop {
  readonly of: 'relay';
  /** The words that name the destination. */
  readonly at: Span;
  readonly to: Destination;
  /** Whether it lets through calls of public modules alone. */
  readonly filtered?: true;
}

export type Hop = OwnHop | PortHop | RelayHop;

/** The container of an interface, where it has a network of its own. */
export interface ContainerPlace {
  /** Who can reach a port that is not published: "other containers of its network"; null for only the container itself. */
  readonly network: string | null;
  /** The Host names that clients use: of Services and routes. It is null if they cannot be known. It is absent if there is none. */
  readonly hostNames?: readonly string[] | null;
  /** The names that other containers of its networks know it by; absent if it is not known. */
  readonly names?: readonly string[];
}
