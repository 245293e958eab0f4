/** The ports that firewalls surely close, in ranges. */
import { type ClosedPorts, widestOf } from '../../facts/firewall.js';
import type { Reach } from '../../facts/severity.js';
import { passage } from './passage.js';
import { difference, intersection, ip4, ip6, others, privateAddresses, type Ranges } from './ranges.js';
import type { Ruleset } from './ruleset.js';

/** Ranges that are looked at in one deployment. */
const maxRanges = 5_000;

/** What all of the firewalls close, of which any one may be in force. */
export function closedPorts(firewalls: readonly Ruleset[]): ClosedPorts[] {
  if (firewalls.length === 0) return [];
  const starts = startsOf(firewalls);
  if (starts.length > maxRanges) return [];
  return (['machine', 'container'] as const).flatMap((of) =>
    starts.flatMap((low, index): ClosedPorts[] => {
      const each = firewalls.map((one) => reachesOf(one, low, of));
      const [v4, v6] = [widestOf(each.map((one) => one.ipv4)), widestOf(each.map((one) => one.ipv6))];
      if (v4 === 'any' && v6 === 'any') return [];
      const by = [...new Set(each.flatMap((one) => one.by))];
      return [{ ports: [low, (starts[index + 1] ?? 65_536) - 1], of, ipv4: v4, ipv6: v6, by }];
    }),
  );
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

function reachesOf(firewall: Ruleset, port: number, of: ClosedPorts['of']): Reaches {
  const { open, closings } = passage(firewall, port, others, of);
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
