/** The ports that firewalls surely close, in ranges. */
import { type PortGate, widestOf } from '../../facts/firewall.js';
import type { Reach } from '../../facts/severity.js';
import { Lost, Steps } from '../../sources/text/steps.js';
import { closing, passage } from './passage.js';
import { difference, intersection, ip4, ip6, others, privateAddresses, type Ranges } from './ranges.js';
import type { BaseChain, Ruleset } from './ruleset.js';

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

interface Reaches {
  readonly ipv4: Reach;
  readonly ipv6: Reach;
  readonly by: readonly string[];
}

function reachesOf(chains: readonly BaseChain[], port: number, steps: Steps): Reaches {
  const { open, closings } = passage(chains, port, others, steps);
  const places = [ip4, ip6].flatMap((family) => {
    if (reachOf(intersection(open, family)) === 'any') return [];
    const first = closings.find(({ sources }) => isPublic(intersection(sources, family)));
    return first === undefined ? [] : [`${first.at.file}:${first.at.line}`];
  });
  return { ipv4: reachOf(intersection(open, ip4)), ipv6: reachOf(intersection(open, ip6)), by: places };
}

function reachOf(open: Ranges): Reach {
  return open.length === 0 ? 'loopback' : isPublic(open) ? 'any' : 'private';
}

function isPublic(addresses: Ranges): boolean {
  return difference(addresses, privateAddresses).length > 0;
}
