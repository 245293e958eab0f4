/** What an audit did not inspect, so that a report does not imply that it was checked. */
import type { Facts } from '../../facts/facts.js';
import { type InterfaceReport, interfaceName, type TransportName, transports } from '../../facts/report.js';
import { seenValue } from '../../facts/seen.js';
import type { Listener } from '../../facts/settings.js';
import type { Kind } from '../../kinds/kind.js';
import { interfaceCount } from '../live/blind-spots.js';
import { liveOf } from '../live/live.js';
import { splitByNode } from '../live/parts.js';

/** Interfaces that every kind of node may have. */
const common: readonly TransportName[] = ['http', 'ws', 'ipc'];

/** One word or phrase each, in the order of the interfaces; empty without a live node. */
export function notInspected(
  facts: Facts,
  interfaces: readonly InterfaceReport[],
  kinds: readonly Kind[],
): string[] {
  const { conf } = facts;
  const live = liveOf(facts, kinds);
  if (live === null) return [];
  const listeners = conf?.state === 'seen' ? conf.value.settings.listeners : null;
  if (facts.simulated === true) {
    const lacking = (listeners ?? []).filter(
      (one) =>
        one.state !== 'off' &&
        transports.some((kind) => kind === one.kind) &&
        !interfaces.some((row) => interfaceName(row) === one.kind),
    );
    return ['the node itself', ...lacking.map(({ kind }) => `${kind} (not simulated)`)];
  }
  const node = seenValue(live.process);
  const sockets = node !== null && node.sockets.state === 'seen';
  const unchecked = interfaces.filter(({ state }) => state === 'not-checked').map(labelInterface);
  const possible = splitByNode(live).own === null ? common : transports;
  const ownKind = live.nodeKind ?? kinds[0] ?? null;
  const missing = possible.flatMap((kind) => {
    if (interfaces.some((one) => interfaceName(one) === kind) || (sockets && kind !== 'ipc')) return [];
    const listener = listeners?.find((one) => one.kind === kind) ?? null;
    return kind === 'ipc' && listener?.state === 'off' ? [] : [missingName(ownKind, kind, listener)];
  });
  return [
    ...missing,
    ...unchecked,
    ...(sockets ? [] : [socketsUnread(interfaceCount(live))]),
    ...(facts.live?.assumed === undefined ? ['a firewall or proxy in front'] : []),
  ];
}

/** Where the node's user or root would see more, that is said. */
function socketsUnread(count: ReturnType<typeof interfaceCount>): string {
  return count === null || count.looked === count.all
    ? 'the process’s sockets'
    : `${count.all - count.looked} of ${count.all} interfaces of this process (run as root or as the node’s user)`;
}

function labelInterface(one: InterfaceReport): string {
  const port = /:(\d+)$/.exec(one.endpoint)?.[1];
  return port === undefined ? interfaceName(one) : `${interfaceName(one)} :${port}`;
}

/** The name of an interface without a row, with the reason: no settings name its address, or they keep it closed. */
function missingName(own: Kind | null, kind: TransportName, listener: Listener | null): string {
  const port = kind === 'metrics' ? (listener?.port ?? own?.interfaces.defaultPort('metrics')) : null;
  const name = port == null ? kind : `${kind} :${port}`;
  if (listener === null) return port == null ? name : `${name} (no conf says whether it is on)`;
  return listener.state === 'off' ? `${name} (off in the conf)` : name;
}
