/** A port that serves metrics or profiles also serves the rest of Go’s default mux. */
import { bySeverityAndReach, reachOfBind } from '../facts/reach.js';
import { blindSpot, isMoot, isRefused } from '../facts/seen.js';
import type { Listener } from '../facts/settings.js';
import { advise, type Fix, publishLocally, switchOff, withAlternatives } from '../judge/fix/fix.js';
import { isAccessOpen } from '../judge/live/answers.js';
import type { LivePort } from '../judge/live/interfaces.js';
import { conf, type Draft, type Rule } from '../judge/rule/rule.js';
import { kaia } from '../judge/rule/sources.js';
import { type ListenerOf, listenerBlindSpots, listenersOn } from '../judge/settings/listeners.js';
import { nameOf, placeOf } from '../judge/settings/setting.js';
import type { NodeSettings } from '../kinds/node.js';

export const openProfiler: Rule = {
  id: 'open-profiler',
  severity: 'high',
  title: 'A metrics port also serves the profiler.',
  why: `A metrics port can serve Go’s default mux: besides /metrics, callers get /debug/pprof (goroutines, heap, and the command line with any secrets in it) and /debug/vars, and can start CPU profiles and traces again and again. --pprof serves the same mux. Where no flag sets the address of the port, only a firewall limits who reaches it.`,
  fix: 'Let a firewall pass only the metrics collector to the port, and suppress the finding with that reason. Where nothing collects metrics, switch the port off.',
  ignore: 'If a firewall lets only the metrics collector reach the port.',
  sources: [
    kaia('metrics/exp/exp.go'),
    kaia('metrics/utils/metrics.go'),
    'https://pkg.go.dev/net/http/pprof',
  ],
  examples: {
    bad: conf('METRICS=1', 'PROMETHEUS=1'),
    good: conf('METRICS=1', 'PROMETHEUS=0'),
  },
  on: 'exposure',
  ofSettings: (settings) => ({
    findings: listenersOn(settings, 'metrics', 'pprof').map((listener) => declared(settings, listener)),
    blindSpots: listenerBlindSpots(settings, 'metrics', 'pprof'),
  }),
  /** A port that refuses connections is closed; a port that cannot be read is a blind spot. */
  ofLive: ({ metrics }) => ({
    findings: metrics.filter(({ profiler }) => isAccessOpen(profiler)).map(proven),
    blindSpots: metrics.flatMap(({ url, profiler, listener }) => {
      if (profiler.state === 'seen' || isRefused(profiler) || isMoot(profiler)) return [];
      return listener?.state === 'off' ? [] : [blindSpot(url, profiler)];
    }),
    applicable: metrics.some(({ profiler }) => !isMoot(profiler)),
  }),
};

function declared(settings: NodeSettings, listener: ListenerOf<'metrics' | 'pprof'>): Draft {
  const { kind, host, port, container } = listener;
  const published = container?.published;
  const { enable } = settings.nodeKind.interfaces.flags[kind];
  const { reach, because } = reachOfBind(listener);
  const beside = kind === 'pprof' ? '' : ' in addition to metrics';
  return {
    subject: kind,
    severity: bySeverityAndReach('high', reach),
    at: published?.at ?? placeOf(settings, enable),
    message: `Port ${port ?? '?'} serves the profiler${beside}: stacks, heap and command line; ${because}.`,
    fix: fixOf(settings, listener),
    evidence: { interface: kind, host, port, reach },
  };
}

/** Monitoring needs the metrics port. No flag sets its address (Kaia: metrics/utils/metrics.go), so a firewall has to limit it. */
function fixOf(settings: NodeSettings, { kind, port, container }: Listener): Fix {
  if (kind === 'pprof') return switchOff(settings, settings.nodeKind.interfaces.flags.pprof.enable);
  const { enable } = settings.nodeKind.interfaces.flags.metrics;
  const firewall = advise(
    `Let a firewall pass only the metrics collector to port ${port ?? '?'}. Where nothing collects metrics, switch ${enable === null ? 'it' : nameOf(settings, enable)} off.`,
  );
  return container?.published == null
    ? firewall
    : withAlternatives(firewall, publishLocally(container.published));
}

/** debug_startPProf opens the port of --pprof at run time, where no setting names it. */
function proven({ kind, url, listener, reach: { reach, because } }: LivePort): Draft {
  return {
    subject: kind,
    severity: bySeverityAndReach('high', reach),
    at: { endpoint: url },
    message: `/debug/pprof/ answers at ${url}: callers can read stacks, heap and the command line, and can slow the node down; ${because}.`,
    fix: advise(
      kind === 'pprof' && listener?.state !== 'on'
        ? 'Close it with debug.stopPProf over IPC, or restart the node, and find out what opened it.'
        : 'Let a firewall pass only the metrics collector. Where nothing collects metrics, switch the port off and restart the node.',
    ),
    evidence: { reach, proven: true },
  };
}
