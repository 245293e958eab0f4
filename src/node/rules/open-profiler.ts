/** A port that serves metrics or profiles also serves everything else on Go’s default mux. */

import { bySeverityAndReach, reachOfBind } from '../facts/reach.js';
import { blindSpot, isMoot, isRefused } from '../facts/seen.js';
import type { Listener, Settings } from '../facts/settings.js';
import { advise, either, type Fix, publishLocally, turnOff } from '../judge/fix/fix.js';
import { stoodOpen } from '../judge/live/answers.js';
import type { LivePort } from '../judge/live/live.js';
import { conf, type Draft, type Rule } from '../judge/rule/rule.js';
import { blindListeners, type ListenerOf, listenersOn } from '../judge/settings/listeners.js';
import { placeOf } from '../judge/settings/setting.js';
import { listenerFlags } from '../kinds/index.js';
export const openProfiler: Rule = {
  id: 'open-profiler',
  severity: 'high',
  title: 'A metrics port also serves the profiler.',
  why: `--metrics with --prometheus serves Go’s default mux on 0.0.0.0:61001: /metrics, but also /debug/pprof (goroutines, heap, the command line with any secrets in it) and /debug/vars, and a CPU profile or trace can be started again and again (metrics/utils/metrics.go, api/debug/flags.go). No flag chooses the host. --pprof serves the same mux on port 6060.`,
  fix: 'Let a firewall pass only the metrics collector to the port and suppress the finding with that reason; where nothing collects metrics, switch PROMETHEUS off.',
  examples: {
    bad: conf('METRICS=1', 'PROMETHEUS=1'),
    good: conf('METRICS=1', 'PROMETHEUS=0'),
  },
  on: 'either',
  ofSettings: (settings) => ({
    findings: listenersOn(settings, 'metrics', 'pprof').map((listener) => declared(settings, listener)),
    blindSpots: blindListeners(settings, 'metrics', 'pprof'),
  }),
  /** A port nobody listens on is closed; one that cannot be read is a blind spot. */
  ofLive: ({ metrics }) => ({
    findings: metrics.filter(({ profiler }) => stoodOpen(profiler)).map(proven),
    blindSpots: metrics.flatMap(({ url, profiler, listener }) => {
      if (profiler.state === 'seen' || isRefused(profiler) || isMoot(profiler)) return [];
      return listener?.state === 'off' ? [] : [blindSpot(url, profiler)];
    }),
    applicable: metrics.some(({ profiler }) => !isMoot(profiler)),
  }),
};

function declared(settings: Settings, listener: ListenerOf<'metrics' | 'pprof'>): Draft {
  const { kind, host, port, container } = listener;
  const published = container?.published;
  const { enable } = listenerFlags(settings)[kind];
  const { reach, because } = reachOfBind(listener);
  const beside = kind === 'pprof' ? '' : ' beside the metrics';
  return {
    subject: kind,
    severity: bySeverityAndReach('high', reach),
    at: published?.at ?? placeOf(settings, enable),
    message: `Port ${port ?? '?'} serves the profiler${beside}: stacks, heap and command line; ${because}.`,
    fix: fixOf(settings, listener),
    evidence: { interface: kind, host, port, reach },
  };
}

/** Monitoring needs the port, and no flag chooses its host: who else reaches it is for a firewall to say. */
function fixOf(settings: Settings, { kind, port, container }: Listener): Fix {
  if (kind === 'pprof') return turnOff(settings, listenerFlags(settings).pprof.enable);
  const firewall = advise(
    `Let a firewall pass only the metrics collector to port ${port ?? '?'}; where nothing collects metrics, switch PROMETHEUS off.`,
  );
  return container?.published == null ? firewall : either(firewall, publishLocally(container.published));
}

function proven({ kind, url, reach: { reach, because } }: LivePort): Draft {
  return {
    subject: kind,
    severity: bySeverityAndReach('high', reach),
    at: { endpoint: url },
    message: `/debug/pprof/ answers at ${url}: stacks, heap and the command line can be read and the node slowed; ${because}.`,
    fix: advise(
      'Let a firewall pass only the metrics collector; where there is none, switch the port off and restart the node.',
    ),
    evidence: { reach, proven: true },
  };
}
