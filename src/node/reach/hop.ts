/** Hops as texts have them: where something listens, where it leads, and which callers pass. Readers of every format yield them. */
import type { AccessChanges, Destination } from '../facts/hops.js';
import type { Reach } from '../facts/severity.js';
import type { MethodFilter } from '../harden/filter.js';
import type { LineIndex } from '../sources/text/line-index.js';

/** A rule of a gate, for the clients that it names. */
export interface Step {
  /** `admit`: no further rule of the list counts. `login`: it lets in who logs in. */
  readonly does: 'admit' | 'deny' | 'login';
  /** Addresses and subnets; null for every client. */
  readonly clients: readonly string[] | null;
  /** Whether the rule is for every client except these. */
  readonly others?: boolean;
  /** The addresses that check the login; absent for the proxy itself. */
  readonly asks?: readonly Destination[];
}

/** Rules in order: the first that admits or denies a client counts; a client that none names is admitted. */
export type Rules = readonly Step[];

/** Why it is not known who gets through, as a clause: "auth_jwt is not understood". */
export interface Unread {
  readonly unread: string;
}

/** Lists of rules, all of which admit a client. */
export type Gate = readonly Rules[] | Unread;

/** A place of a text that forwards connections. */
export interface WrittenHop {
  /** Offsets of the words that name the destination. */
  readonly at: { readonly start: number; readonly end: number };
  /** The included file that names its destination; absent for the file that is read. */
  readonly file?: LineIndex;
  readonly program: string;
  /** The address it listens on, as written; null if it is not known, or another machine's. */
  readonly listens: string | null;
  readonly to: Destination;
  /** Who takes it at most, where its words say that; `bind`: who reaches the address that it listens on. */
  readonly from?: 'bind' | Reach;
  /**
   * A rule of the kernel that every client of a port meets: packets get another address, an address of loopback, or another
   * port of the address that they arrive on.
   */
  readonly translates?: 'address' | 'loopback' | 'port';
  /** What it lets through of the calls; absent if it filters none. */
  readonly filter?: MethodFilter;
  /** What it does to the node's own checks; absent if there is nothing. */
  readonly changes?: AccessChanges;
  /** The name of several destinations, which other files may use too. */
  readonly upstream?: string;
}

/** A hop of a file whose format is read. */
export interface GatedHop extends WrittenHop {
  readonly gate: Gate;
  /** The gate of a WebSocket's handshake; absent if it is the same. */
  readonly upgrade?: Gate;
}
