/** Who reaches the addresses that proxies listen on, through the firewall of their machine. */
import { type ClosedPorts, familiesOf, widestOf } from '../../facts/firewall.js';
import type { Reach } from '../../facts/severity.js';
import { narrower, onMachine, type Where } from './passage.js';

export function machineBehind(program: string, closed: readonly ClosedPorts[]): Where {
  return {
    ...onMachine,
    reachOf: (listens) => narrower(onMachine.reachOf(listens), reachThrough(program, listens, closed)),
  };
}

/** Who gets through the firewall to an address. */
export function reachThrough(program: string, listens: string, closed: readonly ClosedPorts[]): Reach {
  const [, host = '', port] = /^(?:(.*):)?(\d+)$/.exec(listens) ?? [];
  const found = closed.find(
    ({ ports: [low, high], of }) => of === 'machine' && low <= Number(port) && Number(port) <= high,
  );
  if (found === undefined) return 'any';
  // Caddy binds every address as the node does; these need an address of IPv6 for that.
  const isIpv4 = /^(?:nginx|haproxy)$/.test(program) && /^(?:|\*|0\.0\.0\.0)$/.test(host);
  const families = isIpv4 ? (['ipv4'] as const) : familiesOf(host);
  return widestOf(families.map((family) => found[family]));
}
