/** Who gets through the firewall of a machine, as far as the rules in force say. */
import { type OwnHop, openTo } from './hops.js';
import { isLocal, type Listener } from './settings.js';
import { type Reach, wider } from './severity.js';

/** The gate of a firewall before ports, which it surely closes to some addresses. */
export interface PortGate {
  /** Both ends included. */
  readonly ports: readonly [low: number, high: number];
  /** Who gets through at most, over each version of IP. */
  readonly ipv4: Reach;
  readonly ipv6: Reach;
}

/** The rules of a network namespace as programs list them: every ruleset that is in force there. */
export interface RulesInForce {
  /** True in the namespace of the machine. In another one, a sender may be a proxy or a gateway of the machine. */
  readonly isMachine: boolean;
  readonly dumps: readonly { readonly program: string; readonly text: string }[];
}

/** The program that lists the rules, as reports name them. */
const via = ['nft (rules in force)'];

/** The gate of a firewall before the address of a listener; null if there is none. */
export function gateBefore(
  { kind, host, port, container }: Pick<Listener, 'kind' | 'host' | 'port' | 'container'>,
  closed: readonly PortGate[],
): OwnHop | null {
  if (isLocal(kind) || container !== undefined || port === null) return null;
  const reach = reachBehind(closed, host, port);
  if (reach === 'any') return null;
  const from = reach === 'loopback' ? 'other machines' : 'public addresses';
  const because = `${via} drops what comes to port ${port} from ${from}`;
  return { of: 'address', access: openTo(reach), because, via };
}

/** Who gets through a firewall to a port of an address. */
export function reachBehind(closed: readonly PortGate[], host: string | null, port: number): Reach {
  const found = closed.find(({ ports: [low, high] }) => low <= port && port <= high);
  return found === undefined
    ? 'any'
    : familiesOf(host)
        .map((family) => found[family])
        .reduce(wider);
}

/** Go binds every address by one socket of IPv6, which takes IPv4 too, and without IPv6 on the machine by one of IPv4. */
export function familiesOf(host: string | null): readonly ('ipv4' | 'ipv6')[] {
  if (/^(?:localhost|(?!0\.0\.0\.0$)\d+(?:\.\d+){3})$/.test(host ?? '')) return ['ipv4'];
  return /[1-9a-f]/i.test(host?.includes(':') ? host : '') ? ['ipv6'] : ['ipv4', 'ipv6'];
}
