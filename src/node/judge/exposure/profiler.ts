/** Ports of metrics and profilers: what they serve, and how to close them. */
import { publishedBy, reachOfBind } from '../../facts/reach.js';
import type { Listener } from '../../facts/settings.js';
import type { Severity } from '../../facts/severity.js';
import {
  advise,
  type Fix,
  publishLocally,
  setTo,
  switchOff,
  withAlternatives,
} from '../../fix/proposal/fix.js';
import { localAddress } from '../../kinds/interfaces.js';
import type { NodeSettings } from '../../kinds/node.js';
import type { LivePort } from '../live/interfaces.js';
import { listenersOn } from '../settings/listeners.js';
import { writtenName } from '../settings/setting.js';

/** The interfaces that serve Go’s profiler, or something else that their kind of node states. */
export function servingKinds({ nodeKind: { interfaces } }: NodeSettings) {
  const { profilers, serves } = interfaces;
  return (['metrics', 'pprof'] as const).filter(
    (kind) => profilers.includes(kind) || serves[kind] !== undefined,
  );
}

/** One for each port, since two servers cannot have the same; what is not a profiler counts where other machines reach it. */
export function servingPorts(settings: NodeSettings) {
  const all = listenersOn(settings, ...servingKinds(settings));
  const { serves } = settings.nodeKind.interfaces;
  return all
    .filter(({ port }, at) => port === null || all.findIndex((one) => one.port === port) === at)
    .filter((one) => serves[one.kind] === undefined || reachOfBind(one).reach !== 'loopback');
}

/** What such a port serves, as a noun phrase, and its severity for any address. */
export function servedAt(
  { nodeKind }: NodeSettings,
  kind: 'metrics' | 'pprof',
): { readonly severity: Severity; readonly says: string } {
  const own = nodeKind.interfaces.serves[kind];
  if (own !== undefined)
    return { severity: own.severity, says: `more than metrics: whoever reaches it can ${own.does}` };
  const beside = kind === 'pprof' ? '' : ' in addition to metrics';
  return { severity: 'high', says: `the profiler${beside}: stacks, heap and command line` };
}

/** How to close a profiler. Monitoring needs the metrics port, which some kinds cannot bind (Kaia: metrics/utils/metrics.go). */
export function profilerFix(settings: NodeSettings, listener: Listener): Fix {
  const { kind, port } = listener;
  const published = publishedBy(listener);
  const { metrics, pprof } = settings.nodeKind.interfaces.flags;
  if (kind === 'pprof') return switchOff(settings, pprof.enable);
  if (published === null && metrics.addr !== null)
    return setTo(settings, metrics.addr, localAddress(metrics, listener, settings.values), {
      beside: metrics.enable,
    });
  const name = metrics.enable === null ? 'it' : writtenName(settings, metrics.enable);
  const firewall = advise(
    `Let a firewall pass only the metrics collector to port ${port ?? '?'}, and state that with --assume-reach metrics=private. Where nothing collects metrics, switch ${name} off.`,
  );
  return published === null ? firewall : withAlternatives(firewall, publishLocally(published));
}

/** The fix for a port that answered. debug_startPProf opens the port of --pprof at run time, where no setting names it. */
export function liveProfilerFix({ kind, listener }: LivePort): Fix {
  return advise(
    kind === 'pprof' && listener?.state !== 'on'
      ? 'Close it with debug.stopPProf over IPC, or restart the node, and find out what opened it.'
      : 'Let a firewall pass only the metrics collector. Where nothing collects metrics, switch the port off and restart the node.',
  );
}
