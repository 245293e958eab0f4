/** Who gets through the firewall of a machine, as far as files say. */
import { type OwnHop, openTo } from './hops.js';
import { publishedBy } from './reach.js';
import { isLocal, type Listener } from './settings.js';
import { type Reach, reaches } from './severity.js';

/** The gate of a firewall before ports, which it surely closes to some addresses. */
export interface PortGate {
  /** Both ends included. */
  readonly ports: readonly [low: number, high: number];
  /** `machine`: of its programs. `container`: those that Docker publishes, which only chains before its own close. */
  readonly of: 'machine' | 'container';
  /** Who gets through at most, over each version of IP. */
  readonly ipv4: Reach;
  readonly ipv6: Reach;
  /** The rules and policies that drop the rest: `nftables.conf:12`. */
  readonly by: readonly string[];
}

/** The rules of a network namespace as programs list them: every ruleset that is in force there. */
export interface RulesInForce {
  /** True in the namespace of the machine. In another one, a sender may be a proxy or a gateway of the machine. */
  readonly isMachine: boolean;
  readonly dumps: readonly { readonly program: string; readonly text: string }[];
}

/** The gate of a firewall before the address of a listener; null: none. */
export function gateBefore(
  listener: Pick<Listener, 'kind' | 'host' | 'port' | 'container' | 'hops'>,
  closed: readonly PortGate[],
): OwnHop | null {
  const { kind, host, port, container } = listener;
  if (isLocal(kind)) return null;
  const published = container === undefined ? { host, port } : publishedBy(listener);
  const outside = published?.port ?? null;
  if (published === null || outside === null) return null;
  const found = closed.find(
    ({ ports: [low, high], of }) =>
      low <= outside && outside <= high && of === (container === undefined ? 'machine' : 'container'),
  );
  if (found === undefined) return null;
  const reach = widestOf(familiesOf(published.host).map((family) => found[family]));
  if (reach === 'any') return null;
  const by = `${found.by.join(' and ')} ${found.by.length === 1 ? 'drops' : 'drop'}`;
  const from = reach === 'loopback' ? 'other machines' : 'public addresses';
  const because = `${by} what comes to port ${outside} from ${from}`;
  return { of: 'address', access: openTo(reach), because, via: found.by };
}

export function widestOf(all: readonly Reach[]): Reach {
  return reaches[Math.max(...all.map((one) => reaches.indexOf(one)))] ?? 'any';
}

/** Go binds every address by one socket of IPv6, which takes IPv4 too, and without IPv6 on the machine by one of IPv4. */
export function familiesOf(host: string | null): readonly ('ipv4' | 'ipv6')[] {
  if (/^(?:localhost|(?!0\.0\.0\.0$)\d+(?:\.\d+){3})$/.test(host ?? '')) return ['ipv4'];
  return /[1-9a-f]/i.test(host?.includes(':') ? host : '') ? ['ipv6'] : ['ipv4', 'ipv6'];
}
