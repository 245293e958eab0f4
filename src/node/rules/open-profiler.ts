/** A port that serves metrics or profiles also serves the rest of Go’s default mux. */
import { bySeverityAndReach, publishedBy, reachOfBind } from '../facts/reach.js';
import { blindSpot, isMoot, isRefused } from '../facts/seen.js';
import {
  liveProfilerFix,
  profilerFix,
  servedAt,
  servingKinds,
  servingPorts,
} from '../judge/exposure/profiler.js';
import { isAccessOpen } from '../judge/live/answers.js';
import type { LivePort } from '../judge/live/interfaces.js';
import { conf, type Draft, kaia, type Rule } from '../judge/rule/rule.js';
import { type ListenerOf, listenerBlindSpots } from '../judge/settings/listeners.js';
import { placeOfFlags } from '../judge/settings/setting.js';
import type { NodeSettings } from '../kinds/node.js';

export const openProfiler: Rule = {
  id: 'open-profiler',
  severity: 'high',
  title: 'A metrics port also serves the profiler.',
  why: `A metrics port can serve Go’s default mux: besides /metrics, callers get /debug/pprof (goroutines, heap, and the command line with any secrets in it) and /debug/vars, and can start CPU profiles and traces again and again. --pprof serves the same mux. The metrics port of reth is not Go’s: it serves heap profiles and the state of its tasks. Where no flag sets the address of the port, only a firewall limits who reaches it.`,
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
    findings: servingPorts(settings).map((listener) => declared(settings, listener)),
    blindSpots: listenerBlindSpots(settings, ...servingKinds(settings)),
  }),
  /** A port that refuses connections is closed; a port that cannot be read is a blind spot. */
  ofLive: ({ metrics }) => ({
    findings: eachOnce(metrics.filter(({ profiler }) => isAccessOpen(profiler))).map(proven),
    blindSpots: eachOnce(metrics).flatMap(({ url, profiler, listener }) => {
      if (profiler.state === 'seen' || isRefused(profiler) || isMoot(profiler)) return [];
      return listener?.state === 'off' ? [] : [blindSpot(url, profiler)];
    }),
    applicable: metrics.some(({ profiler }) => !isMoot(profiler)),
  }),
};

/** Metrics and profiler may share a port: it is one. */
function eachOnce(ports: readonly LivePort[]): LivePort[] {
  return ports.filter(({ url }, at) => !ports.slice(at + 1).some((other) => other.url === url));
}

function declared(settings: NodeSettings, listener: ListenerOf<'metrics' | 'pprof'>): Draft {
  const { kind, host, port } = listener;
  const { severity, says } = servedAt(settings, kind);
  const published = publishedBy(listener);
  const { reach, because } = reachOfBind(listener);
  return {
    subject: kind,
    severity: bySeverityAndReach(severity, reach),
    at: published?.at ?? placeOfFlags(settings, settings.nodeKind.interfaces.flags[kind].enable),
    message: `Port ${port ?? '?'} serves ${says}; ${because}.`,
    fix: profilerFix(settings, listener),
    evidence: { interface: kind, host, port, reach },
  };
}

function proven(port: LivePort): Draft {
  const { kind, url } = port;
  const { reach, because } = port.reach;
  return {
    subject: kind,
    severity: bySeverityAndReach('high', reach),
    at: { endpoint: url },
    message: `/debug/pprof/ answers at ${url}: callers can read stacks, heap and the command line, and can slow the node down; ${because}.`,
    fix: liveProfilerFix(port),
    evidence: { reach, proven: true },
  };
}
