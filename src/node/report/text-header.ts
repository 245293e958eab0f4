/** The line above a target: what it is, what it opens, who reaches it. */

import { groupBy } from '../../util/group-by.js';
import { visible } from '../../util/visible.js';
import { listed } from '../../util/words.js';
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

function wider(a: Reach, b: Reach): Reach {
  return reachOrder.indexOf(a) > reachOrder.indexOf(b) ? a : b;
}

/** Interfaces that share an address are named together. */
function openings(interfaces: readonly InterfaceReport[]): string[] {
  const network = interfaces.filter(({ transport }) => transport !== 'ipc' && transport !== 'metrics');
  const byHost = groupBy(
    network,
    ({ endpoint }) => /^\w+:\/\/(\[[^\]]*\]|[^:/]*)/.exec(endpoint)?.[1] ?? '?',
  );
  if (byHost.size === 0) return ['http and ws are off'];
  return [...byHost].map(([host, all]) => {
    const what = listed(all.map(({ transport }) => transport));
    if (host === '?') return `${what}: not known offline`;
    const reach = all.map((one) => one.reach ?? reachOfHost(host).reach).reduce(wider);
    return `${what} on ${visible(host)}: ${reached[reach === 'ipc' ? 'loopback' : reach]} ${all.length > 1 ? 'them' : 'it'}`;
  });
}
