/** Chains of rules, as far as they concern new TCP connections from other machines. */
import { everyPort, everywhere, intersection, type Ranges } from './ranges.js';

/** `none`: the packet goes on, as after a counter. A jump comes back, a goto does not. */
export type Verdict =
  | 'accept'
  | 'drop'
  | 'return'
  | 'none'
  | { readonly to: string; readonly comesBack: boolean };

export interface Rule {
  /** The addresses and ports that it matches at most. */
  readonly sources: Ranges;
  readonly ports: Ranges;
  /** False where it may match less: a part of it is not understood, or depends on more than address and port. */
  readonly isSure: boolean;
  /** Whether it tests the state of a connection. */
  readonly isTracked: boolean;
  readonly verdict: Verdict;
}

/** A chain that the kernel calls. */
export interface BaseChain {
  readonly hook: 'prerouting' | 'input';
  /** Chains below -100 come before addresses and ports are translated. */
  readonly priority: number;
  /** The family of addresses that it is called for. */
  readonly sources: Ranges;
  readonly policy: 'accept' | 'drop';
  readonly rules: readonly Rule[];
  /** The chains of its table, by name. */
  readonly chains: ReadonlyMap<string, readonly Rule[]>;
}

export interface Ruleset {
  readonly bases: readonly BaseChain[];
  /** Whether a rule may change the port or the address of a packet. */
  readonly translates: boolean;
}

/** What a rule tests, collected. */
export class Tests {
  sources: Ranges = everywhere;
  ports: Ranges = everyPort;
  isSure = true;
  isTracked = false;

  from(addresses: Ranges): void {
    this.sources = intersection(this.sources, addresses);
  }

  to(ports: Ranges): void {
    this.ports = intersection(this.ports, ports);
  }

  /** A test of the state of the connection, which new ones pass or not. */
  tracks(result: boolean | null): void {
    this.isTracked = true;
    this.holds(result);
  }

  /** A test with a result that is the same for all packets; null if the result is not known. */
  holds(result: boolean | null): void {
    if (result === null) this.isSure = false;
    else if (!result) this.sources = [];
  }

  rule(verdict: Verdict): Rule {
    const { sources, ports, isSure, isTracked } = this;
    return { sources, ports, isSure, isTracked, verdict };
  }
}

/** A ruleset holds a statement that may change any of its chains and is not understood. */
export class Unread extends Error {}
