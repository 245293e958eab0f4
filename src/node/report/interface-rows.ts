/** The table of a target's interfaces: who reaches each, what it offers, and which callers it admits. */
import { visible } from '../../util/visible.js';
import { type InterfaceReport, interfaceName, type TargetReport } from '../facts/report.js';
import type { Kind } from '../kinds/kind.js';
import { impactAt } from './html-offers.js';
import { admittedBy, portOf, reachedBy } from './listing.js';

export const interfaceHeads = ['interface', 'reach', 'offers', 'access'];

export function interfaceRows(target: TargetReport, kinds: readonly Kind[]): string[][] {
  return target.interfaces.map((one) => [
    labelInterface(one),
    one.state === 'open' ? reachedBy(one) : '–',
    offersOf(target, one, kinds),
    admittedBy(one.transport, one.access, (mode) => visible(mode, 20)),
  ]);
}

/** `http :8551`, `ipc`, or `http :8551 (simulated)`. */
function labelInterface(one: InterfaceReport): string {
  const port = portOf(one.endpoint);
  const name = port === null ? interfaceName(one) : `${interfaceName(one)} :${port}`;
  return one.simulated === true ? `${name} (simulated)` : name;
}

/** Module names, privileged modules with an exclamation mark; or why there are none. */
function offersOf(target: TargetReport, one: InterfaceReport, kinds: readonly Kind[]): string {
  if (one.state === 'closed') return 'closed';
  if (one.transport === 'metrics') {
    if (one.state !== 'open') return one.state;
    return one.access?.profiler === true ? 'metrics profiler!' : 'metrics';
  }
  if (one.access?.login === true) return 'asks for a token';
  if (one.modules === null) return one.state === 'open' ? 'not seen' : one.state;
  const names = Object.keys(one.modules)
    .filter((name) => name !== 'rpc')
    .map((name) => visible(name, 80));
  if (one.transport === 'ipc') return `all ${names.length} modules`;
  const isPrivileged = (name: string) => impactAt(target, one, name, kinds).privileged;
  const marked = names.map((name) => (isPrivileged(name) ? `${name}!` : name));
  return marked.join(' ') || 'rpc only';
}
