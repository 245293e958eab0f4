/** The ports that a firewall surely closes, in ranges, and which addresses get through its chains to a port. */
import type { PortGate } from '../../facts/firewall.js';
import type { Reach } from '../../facts/severity.js';
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

/** What a ruleset closes to programs; nothing where that takes too many steps. */
export function closedPorts(ruleset: Ruleset): PortGate[] {
  const steps = new Steps(maxSteps);
  const chains = closing(ruleset);
  const starts = startsOf(ruleset);
  try {
    return starts.flatMap((low, index): PortGate[] => {
      const open = passage(chains, low, others, steps);
      const [ipv4, ipv6] = [reachOf(intersection(open, ip4)), reachOf(intersection(open, ip6))];
      if (ipv4 === 'any' && ipv6 === 'any') return [];
      return [{ ports: [low, (starts[index + 1] ?? 65_536) - 1], ipv4, ipv6 }];
    });
  } catch (error) {
    if (error instanceof Lost) return [];
    throw error;
  }
}

/** The ports from which on a rule matches, or does no more. */
function startsOf({ bases }: Ruleset): number[] {
  const rules = bases.flatMap((base) => [...base.rules, ...[...base.chains.values()].flat()]);
  const ends = new Set([1]);
  for (const { ports } of rules)
    for (const [low, high] of ports) ends.add(Math.max(1, Number(low))).add(Number(high) + 1);
  return [...ends].filter((one) => one < 65_536).sort((a, b) => a - b);
}

function reachOf(open: Ranges): Reach {
  if (open.length === 0) return 'loopback';
  return difference(open, privateAddresses).length > 0 ? 'any' : 'private';
}

const [tracking, translation] = [-200, -100];

/**
 * The addresses of `from` from which new TCP connections to a port may get through these chains.
 * @throws {Lost} when it takes too many steps
 */
export function passage(bases: readonly BaseChain[], port: number, from: Ranges, steps: Steps): Ranges {
  let open = from;
  for (const base of bases) {
    const entering = intersection(open, base.sources);
    const way = { chains: base.chains, port: BigInt(port), steps };
    const { accepted, left } = outcomeOf(base.rules, entering, way);
    const passed = base.policy === 'drop' ? accepted : union(accepted, left);
    open = union(difference(open, base.sources), passed);
  }
  return open;
}

/**
 * The chains that close ports of programs. Before a translation, a packet may have another port. Before the kernel tracks
 * connections, no state is that of a new one.
 */
export function closing({ bases, translates }: Ruleset): BaseChain[] {
  return bases.filter(({ hook, priority, rules, chains }) => {
    if (hook === 'input') return true;
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

/** How a chain is walked: with the chains that it may jump to. */
interface Way extends Pick<BaseChain, 'chains'> {
  readonly port: bigint;
  readonly steps: Steps;
}

/** A rule that is not sure takes no address away, and its verdict counts as well as the rules after it. */
function outcomeOf(rules: readonly Rule[], entering: Ranges, way: Way, depth = 0): Outcome {
  let left = entering;
  const accepted: Ranges[] = [];
  const returned: Ranges[] = [];
  for (const { sources, ports, isSure, verdict } of rules) {
    way.steps.take(1 + ((left.length + sources.length) >> 3));
    if (depth > maxDepth) return { accepted: entering, left: [] };
    const hit = ports.some(([low, high]) => low <= way.port && way.port <= high)
      ? intersection(left, sources)
      : [];
    if (hit.length === 0 || verdict === 'none') continue;
    if (isSure) left = difference(left, hit);
    if (verdict === 'accept') accepted.push(hit);
    else if (verdict === 'return') returned.push(hit);
    else if (verdict !== 'drop') {
      const chain = way.chains.get(verdict.to);
      const inner: Outcome =
        chain === undefined ? { accepted: hit, left: [] } : outcomeOf(chain, hit, way, depth + 1);
      accepted.push(inner.accepted);
      if (!verdict.comesBack) returned.push(inner.left);
      else if (isSure) left = union(left, inner.left);
    }
  }
  return { accepted: union(...accepted), left: union(left, ...returned) };
}
