/** The ports that a firewall surely closes, in ranges, and the senders that may get through its chains to a port. */
import type { PortGate } from '../../facts/firewall.js';
import type { Reach } from '../../facts/severity.js';
import { Lost, Steps } from '../../sources/text/steps.js';
import type { BaseChain, Family, PortTest, Rule, Sender } from './ruleset.js';

/** Steps of all ranges of ports together, about a second on a slow machine. */
const maxSteps = 4_000_000;

/** What these chains close to programs; nothing where that takes too many steps. */
export function closedPorts(bases: readonly BaseChain[]): PortGate[] {
  const steps = new Steps(maxSteps);
  const starts = startsOf(bases);
  const reachTo = (port: number, family: Family): Reach => {
    if (passes(bases, `${family} any`, port, steps)) return 'any';
    return passes(bases, `${family} private`, port, steps) ? 'private' : 'loopback';
  };
  try {
    return starts.flatMap((low, index): PortGate[] => {
      const [ipv4, ipv6] = [reachTo(low, 'ipv4'), reachTo(low, 'ipv6')];
      if (ipv4 === 'any' && ipv6 === 'any') return [];
      return [{ ports: [low, (starts[index + 1] ?? 65_536) - 1], ipv4, ipv6 }];
    });
  } catch (error) {
    if (error instanceof Lost) return [];
    throw error;
  }
}

/** The ports from which on a rule matches, or does no more. */
function startsOf(bases: readonly BaseChain[]): number[] {
  const rules = bases.flatMap((base) => [...base.rules, ...[...base.chains.values()].flat()]);
  const ends = rules.flatMap(({ ports }) => ports.flatMap((test) => test.ports));
  const starts = new Set([1, ...ends.flatMap(([low, high]) => [Math.max(1, low), high + 1])]);
  return [...starts].filter((one) => one < 65_536).sort((a, b) => a - b);
}

/**
 * Whether new TCP connections of a sender to a port may get through these chains.
 * @throws {Lost} when it takes too many steps
 */
export function passes(bases: readonly BaseChain[], sender: Sender, port: number, steps: Steps): boolean {
  return bases.every(({ families, chains, rules, policy }) => {
    if (!families.some((one) => sender.startsWith(one))) return true;
    const { isAccepted, isLeft } = outcomeOf(rules, { chains, sender, port, steps });
    return isAccepted || (isLeft && policy === 'accept');
  });
}

/** Jumps that are followed at most: the kernel follows 16. */
const maxDepth = 16;

/** Whether a chain may accept a packet, and whether one may reach its end or leave it with `return`. */
interface Outcome {
  readonly isAccepted: boolean;
  readonly isLeft: boolean;
}

/** How a chain is walked: with the chains that it may jump to. */
interface Walk extends Pick<BaseChain, 'chains'> {
  readonly sender: Sender;
  readonly port: number;
  readonly steps: Steps;
}

/** A rule that matches some packets leaves others, and its verdict counts as well as the rules after it. */
function outcomeOf(rules: readonly Rule[], walk: Walk, depth = 0): Outcome {
  let [isAccepted, isLeft, isReturned] = [depth > maxDepth, true, false];
  for (const { matches, ports, verdict } of depth > maxDepth ? [] : rules) {
    walk.steps.take(1);
    const match = matches.get(walk.sender);
    if (match === undefined || verdict === 'none' || !ports.every((test) => includes(test, walk.port)))
      continue;
    const isSure = match === 'all';
    if (isSure) isLeft = false;
    if (verdict === 'accept') isAccepted = true;
    else if (verdict === 'return') isReturned = true;
    else if (verdict !== 'drop') {
      const chain = walk.chains.get(verdict.to);
      const inner = chain === undefined ? unknown : outcomeOf(chain, walk, depth + 1);
      isAccepted ||= inner.isAccepted;
      if (!verdict.comesBack) isReturned ||= inner.isLeft;
      else if (isSure) isLeft = inner.isLeft;
    }
    if (!isLeft) break;
  }
  return { isAccepted, isLeft: isLeft || isReturned };
}

const unknown: Outcome = { isAccepted: true, isLeft: false };

function includes({ ports, isNegated }: PortTest, port: number): boolean {
  return ports.some(([low, high]) => low <= port && port <= high) !== isNegated;
}
