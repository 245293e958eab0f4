/** Chains of rules, as far as they concern new TCP connections from other machines. */
import type { Reach } from '../../facts/severity.js';

/** Other machines, by their reach and the version of IP. */
const senders = ['ipv4 any', 'ipv4 private', 'ipv6 any', 'ipv6 private'] as const;
export type Sender = (typeof senders)[number];
export type Family = 'ipv4' | 'ipv6';

/** `none`: the packet goes on, as after a counter. A jump comes back, a goto does not. */
export type Verdict =
  | 'accept'
  | 'drop'
  | 'return'
  | 'none'
  | { readonly to: string; readonly comesBack: boolean };

/** Ports with both ends, or all others. */
export interface PortTest {
  readonly ports: readonly (readonly [low: number, high: number])[];
  readonly isNegated: boolean;
}

export interface Rule {
  /** Whether it matches packets of these senders: all, or some at most. It matches none of the others. */
  readonly matches: ReadonlyMap<Sender, 'all' | 'some'>;
  /** It matches packets to ports that pass each of these. */
  readonly ports: readonly PortTest[];
  readonly verdict: Verdict;
}

/** A chain that the kernel calls for packets to its own programs. */
export interface BaseChain {
  /** The versions of IP that it is called for. */
  readonly families: readonly Family[];
  readonly policy: 'accept' | 'drop';
  readonly rules: readonly Rule[];
  /** The chains of its table, by name. */
  readonly chains: ReadonlyMap<string, readonly Rule[]>;
}

/** What a rule tests, collected. */
export class Tests {
  readonly #matches = new Map<Sender, 'all' | 'some'>(senders.map((one) => [one, 'all']));
  readonly #ports: PortTest[] = [];

  /** A test with a result for each sender; null where it depends on more than that. */
  holds(result: boolean | null | ((family: Family, reach: Reach) => boolean | null)): void {
    for (const one of this.#matches.keys()) {
      const [family, reach] = one.split(' ') as [Family, Reach];
      const found = typeof result === 'function' ? result(family, reach) : result;
      if (found === null) this.#matches.set(one, 'some');
      else if (!found) this.#matches.delete(one);
    }
  }

  of(...families: readonly Family[]): void {
    this.holds((family) => families.includes(family));
  }

  to(ports: PortTest): void {
    this.#ports.push(ports);
  }

  rule(verdict: Verdict): Rule {
    return { matches: this.#matches, ports: this.#ports, verdict };
  }
}

/** A ruleset holds a statement that may change any of its chains and is not understood. */
export class Unread extends Error {}
