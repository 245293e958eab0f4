/** The ports that firewalls surely close, in ranges, and which addresses get through their chains to a port. */
import { type PortGate, widestOf } from '../../facts/firewall.js';
import type { Reach } from '../../facts/severity.js';
import type { Span } from '../../facts/span.js';
import { Lost, Steps } from '../../sources/text/steps.js';
import {
  difference,
  intersection,
  ip4,
  ip6,
  others,
  privateAddresses,
  type Ranges,
  union,
} from './ranges.js';
import type { BaseChain, Rule, Ruleset } from './ruleset.js';

/** Steps of all ranges of ports together, about a second on a slow machine. */
const maxSteps = 400_000;

/** What all of the firewalls close, of which any one may be in force; nothing where that takes too many steps. */
export function closedPorts(firewalls: readonly Ruleset[]): PortGate[] {
  if (firewalls.length === 0) return [];
  const steps = new Steps(maxSteps);
  const starts = startsOf(firewalls);
  try {
    return (['machine', 'container'] as const).flatMap((of) => {
      const chains = firewalls.map((one) => closing(one, of));
      return starts.flatMap((low, index): PortGate[] => {
        const each = chains.map((one) => reachesOf(one, low, steps));
        const [v4, v6] = [widestOf(each.map((one) => one.ipv4)), widestOf(each.map((one) => one.ipv6))];
        if (v4 === 'any' && v6 === 'any') return [];
        const by = [...new Set(each.flatMap((one) => one.by))];
        return [{ ports: [low, (starts[index + 1] ?? 65_536) - 1], of, ipv4: v4, ipv6: v6, by }];
      });
    });
  } catch (error) {
    if (error instanceof Lost) return [];
    throw error;
  }
}

/** The ports from which on a rule matches, or does no more. */
function startsOf(firewalls: readonly Ruleset[]): number[] {
  const rules = firewalls.flatMap(({ bases }) =>
    bases.flatMap((base) => [...base.rules, ...[...base.chains.values()].flat()]),
  );
  const ends = new Set([1]);
  for (const { ports } of rules)
    for (const [low, high] of ports) ends.add(Math.max(1, Number(low))).add(Number(high) + 1);
  return [...ends].filter((one) => one < 65_536).sort((a, b) => a - b);
}

function reachesOf(chains: readonly BaseChain[], port: number, steps: Steps) {
  const { open, closings } = passage(chains, port, others, steps);
  const by = [ip4, ip6].flatMap((family) => {
    if (reachOf(intersection(open, family)) === 'any') return [];
    const first = closings.find(({ sources }) => isPublic(intersection(sources, family)));
    return first === undefined ? [] : [`${first.at.file}:${first.at.line}`];
  });
  return { ipv4: reachOf(intersection(open, ip4)), ipv6: reachOf(intersection(open, ip6)), by };
}

function reachOf(open: Ranges): Reach {
  return open.length === 0 ? 'loopback' : isPublic(open) ? 'any' : 'private';
}

function isPublic(addresses: Ranges): boolean {
  return difference(addresses, privateAddresses).length > 0;
}

/** A rule or a policy that surely drops new connections from these addresses. */
interface Closing {
  readonly sources: Ranges;
  readonly at: Span;
}

interface Passed {
  /** The addresses that may get through. */
  readonly open: Ranges;
  /** In the order in which packets meet them. */
  readonly closings: readonly Closing[];
}

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
export function closing({ bases, translates }: Ruleset, to: PortGate['of']): BaseChain[] {
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
