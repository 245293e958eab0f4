/** A port that serves metrics or profiles also serves everything else on Go’s default mux. */
import type { Facts } from '../facts/facts.js';
import type { LiveFacts } from '../facts/live.js';
import { bySeverityAndReach, reachOfHost } from '../facts/reach.js';
import { blindSpot, isMoot, isRefused } from '../facts/seen.js';
import { blindListeners, forConf, listenersOn } from '../judge/conf.js';
import { forEither, listenerOfPort, reachOfMetrics } from '../judge/live.js';
import type { Rule, Verdict } from '../judge/rule.js';
import { placeOf, settingsOf, switchOff } from '../judge/setting.js';

export const openProfiler: Rule = {
  id: 'open-profiler',
  severity: 'high',
  title: 'A metrics port also serves the profiler.',
  why: `--metrics with --prometheus serves Go’s default mux on 0.0.0.0:61001: /metrics, but also /debug/pprof (goroutines, heap, the command line with any secrets in it) and /debug/vars, and a CPU profile or trace can be started again and again (metrics/utils/metrics.go, api/debug/flags.go). No flag chooses the host. --pprof serves the same mux on port 6060.`,
  fix: 'Switch PROMETHEUS off, or let a firewall pass only the metrics collector to the port and suppress the finding with that reason.',
  needs: ['conf', 'live'],
  needsAny: true,
  examples: {
    bad: { conf: 'METRICS=1\nPROMETHEUS=1\nNETWORK="mainnet"\nDATA_DIR=/srv/kend\n' },
    good: { conf: 'METRICS=1\nPROMETHEUS=0\nNETWORK="mainnet"\nDATA_DIR=/srv/kend\n' },
  },
  check: forEither(
    forConf((conf) => ({
      findings: listenersOn(conf, 'metrics', 'pprof').map((listener) => {
        const settings = settingsOf[listener.kind === 'pprof' ? 'pprof' : 'metrics'];
        const reach = reachOfHost(listener.host);
        const beside = listener.kind === 'pprof' ? '' : ' beside the metrics';
        return {
          subject: listener.kind,
          severity: bySeverityAndReach('high', reach.reach),
          at: placeOf(conf, settings.enable[0]),
          message: `Port ${listener.port ?? '?'} serves the profiler${beside}: stacks, heap and command line; ${reach.because}.`,
          fix: switchOff(conf, settings.enable),
          evidence: {
            interface: listener.kind,
            host: listener.host,
            port: listener.port,
            reach: reach.reach,
          },
        };
      }),
      blindSpots: blindListeners(conf, 'metrics', 'pprof'),
    })),
    provenProfiler,
  ),
};

/** A port nobody listens on is closed; one that cannot be read is a blind spot. */
function provenProfiler(live: LiveFacts, facts: Facts): Verdict {
  return {
    findings: live.metrics
      .filter(({ profiler }) => profiler.state === 'seen' && profiler.value === 'open')
      .map((port) => {
        const reach = reachOfMetrics(facts, port);
        return {
          subject: port.kind,
          severity: bySeverityAndReach('high', reach.reach),
          at: { endpoint: port.url },
          message: `/debug/pprof/ answers at ${port.url}: stacks, heap and the command line can be read and the node slowed; ${reach.because}.`,
          fix: 'PROMETHEUS=0, then restart; or let a firewall pass only the metrics collector',
          evidence: { reach: reach.reach, proven: true },
        };
      }),
    blindSpots: live.metrics.flatMap((port) => {
      const { url, profiler } = port;
      if (profiler.state === 'seen' || isRefused(profiler) || isMoot(profiler)) return [];
      return listenerOfPort(facts, port)?.state === 'off' ? [] : [blindSpot(url, profiler)];
    }),
    applicable: live.metrics.length > 0,
  };
}
