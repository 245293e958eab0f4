/** The line above a target: what it is, what it opens, who reaches it. */

import { visible } from '../../util/visible.js';
import { type Reach, reachOfHost, reaches as reachOrder } from '../facts/reach.js';
import type { InterfaceReport, TargetReport } from '../facts/report.js';

const reached: Readonly<Record<Exclude<Reach, 'ipc'>, string>> = {
  any: 'any address reaches',
  private: 'the private network reaches',
  loopback: 'this machine reaches',
};

/** `kend.conf · kend (tar) · http and ws on 0.0.0.0: any address reaches them`. */
export function headerOf(target: TargetReport): string {
  const { conf } = target;
  const name = visible(target.name);
  if (conf === null) return `${name} · not read`;
  return [
    name,
    visible(`${conf.launcher} (${conf.package}${conf.guessed === true ? ', guessed' : ''})`),
    ...openings(target.interfaces),
  ].join(' · ');
}

function widest(a: Reach | undefined, b: Reach): Reach {
  return a !== undefined && reachOrder.indexOf(a) > reachOrder.indexOf(b) ? a : b;
}

/** Interfaces that share an address are named together. */
function openings(interfaces: readonly InterfaceReport[]): string[] {
  const network = interfaces.filter(({ transport }) => transport !== 'ipc' && transport !== 'metrics');
  const byHost = new Map<string, string[]>();
  const reaches = new Map<string, Reach>();
  for (const { transport, endpoint, reach } of network) {
    const host = /^\w+:\/\/(\[[^\]]*\]|[^:/]*)/.exec(endpoint)?.[1] ?? '?';
    byHost.set(host, [...(byHost.get(host) ?? []), transport]);
    reaches.set(host, widest(reaches.get(host), reach ?? reachOfHost(host).reach));
  }
  if (byHost.size === 0) return ['http and ws are off'];
  return [...byHost].map(([host, transports]) => {
    const what =
      transports.length < 2
        ? (transports[0] ?? '')
        : `${transports.slice(0, -1).join(', ')} and ${transports.at(-1)}`;
    if (host === '?') return `${what}: not known offline`;
    const reach = reaches.get(host) ?? 'any';
    return `${what} on ${visible(host)}: ${reached[reach === 'ipc' ? 'loopback' : reach]} ${transports.length > 1 ? 'them' : 'it'}`;
  });
}
