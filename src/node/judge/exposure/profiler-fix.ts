/** How to close a profiler. Monitoring needs the metrics port, which no flag binds (Kaia: metrics/utils/metrics.go). */
import type { Listener } from '../../facts/settings.js';
import { advise, type Fix, publishLocally, switchOff, withAlternatives } from '../../fix/proposal/fix.js';
import type { NodeSettings } from '../../kinds/node.js';
import type { LivePort } from '../live/interfaces.js';
import { nameOf } from '../settings/setting.js';

export function profilerFix(settings: NodeSettings, { kind, port, container }: Listener): Fix {
  const { metrics, pprof } = settings.nodeKind.interfaces.flags;
  if (kind === 'pprof') return switchOff(settings, pprof.enable);
  const name = metrics.enable === null ? 'it' : nameOf(settings, metrics.enable);
  const firewall = advise(
    `Let a firewall pass only the metrics collector to port ${port ?? '?'}. Where nothing collects metrics, switch ${name} off.`,
  );
  return container?.published == null
    ? firewall
    : withAlternatives(firewall, publishLocally(container.published));
}

/** The fix for a port that answered. debug_startPProf opens the port of --pprof at run time, where no setting names it. */
export function liveProfilerFix({ kind, listener }: LivePort): Fix {
  return advise(
    kind === 'pprof' && listener?.state !== 'on'
      ? 'Close it with debug.stopPProf over IPC, or restart the node, and find out what opened it.'
      : 'Let a firewall pass only the metrics collector. Where nothing collects metrics, switch the port off and restart the node.',
  );
}
