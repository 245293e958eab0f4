/** Which addresses get through the chains of a ruleset to a port. */
import type { Span } from '../../facts/span.js';
import type { Steps } from '../../sources/text/steps.js';
import { difference, intersection, type Ranges, union } from './ranges.js';
import type { BaseChain, Rule, Ruleset } from './ruleset.js';

/** A rule or a policy that surely drops new connections from these addresses. */
export interface Closing {
  readonly sources: Ranges;
  readonly at: Span;
}

export interface Passed {
  /** The addresses that may get through. */
  readonly open: Ranges;
  /** In the order in which packets meet them. */
  readonly closings: readonly Closing[];
}

/** Where the connection ends: in a program of this machine, or at a port that Docker translates to one of a container. */
export type Destination = 'machine' | 'container';

const [tracking, translation] = [-200, -100];

/**
 * The addresses of `from` from which new TCP connections to a port may get through these chains.
 * @throws {Lost} when it takes too many steps
 */
export function passage(bases: readonly BaseChain[], port: number, from: Ranges, steps: Steps): Passed {
  const closings: Closing[] = [];
  let open = from;
  for (const base of bases) {
    const entering = intersection(open, base.sources);
    const walk = new Walk(base, BigInt(port), steps);
    const { accepted, left } = walk.through(base.rules, entering, 0);
    const dropped = base.policy === 'drop' ? difference(left, accepted) : [];
    closings.push(...walk.closings);
    if (dropped.length > 0) closings.push({ sources: dropped, at: base.at });
    const through = base.policy === 'drop' ? accepted : union(accepted, left);
    open = union(difference(open, base.sources), through);
  }
  return { open, closings };
}

/**
 * The chains that close ports of a destination. Before a translation, a packet may have another port; after Docker's, it is
 * forwarded and meets no input chain. Before the kernel tracks connections, no state is that of a new one.
 */
export function closing({ bases, translates }: Ruleset, to: Destination): BaseChain[] {
  return bases.filter(({ hook, priority, rules, chains }) => {
    if (hook === 'input') return to === 'machine';
    const isTracked = [...rules, ...[...chains.values()].flat()].some((rule) => rule.isTracked);
    return !translates && priority < translation && (priority > tracking || !isTracked);
  });
}

/** Jumps that are followed at most: the kernel follows 16. */
const maxDepth = 16;

/** Addresses that a chain accepts, and those that reach its end or leave it with `return`. */
interface Outcome {
  readonly accepted: Ranges;
  readonly left: Ranges;
}

class Walk {
  readonly closings: Closing[] = [];
  readonly #base: BaseChain;
  readonly #port: bigint;
  readonly #steps: Steps;

  constructor(base: BaseChain, port: bigint, steps: Steps) {
    this.#base = base;
    this.#port = port;
    this.#steps = steps;
  }

  /** A rule that is not sure takes no address away, and its verdict counts as well as the rules after it. */
  through(rules: readonly Rule[], entering: Ranges, depth: number): Outcome {
    let left = entering;
    const accepted: Ranges[] = [];
    const returned: Ranges[] = [];
    for (const { sources, ports, isSure, verdict, at } of rules) {
      this.#steps.take(1 + ((left.length + sources.length) >> 3));
      if (depth > maxDepth) return { accepted: entering, left: [] };
      const hit = ports.some(([low, high]) => low <= this.#port && this.#port <= high)
        ? intersection(left, sources)
        : [];
      if (hit.length === 0 || verdict === 'none') continue;
      if (isSure) left = difference(left, hit);
      if (verdict === 'accept') accepted.push(hit);
      else if (verdict === 'return') returned.push(hit);
      else if (verdict === 'drop') {
        if (isSure) this.closings.push({ sources: hit, at });
      } else {
        const chain = this.#base.chains.get(verdict.to);
        const inner: Outcome =
          chain === undefined ? { accepted: hit, left: [] } : this.#inner(chain, hit, depth, isSure);
        accepted.push(inner.accepted);
        if (!verdict.comesBack) returned.push(inner.left);
        else if (isSure) left = union(left, inner.left);
      }
    }
    return { accepted: union(...accepted), left: union(left, ...returned) };
  }

  /** What a chain closes counts only where packets surely get there. */
  #inner(chain: readonly Rule[], hit: Ranges, depth: number, isSure: boolean): Outcome {
    const { length } = this.closings;
    const outcome = this.through(chain, hit, depth + 1);
    if (!isSure) this.closings.length = length;
    return outcome;
  }
}
