/** What a watch serves of itself: its version, its process, and pages for people and health checks. */
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { version } from '../../version.js';
import type { Reply } from './watch-listener.js';

/** `kaiactl_build_info` and the metrics of the process, to append to others. */
export function selfMetrics(): () => Promise<string> {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  // Those of Node.js hold gauges that are named as counters.
  for (const { name } of registry.getMetricsAsArray())
    if (!name.startsWith('process_')) registry.removeSingleMetric(name);
  new Gauge({
    ...{ name: 'kaiactl_build_info', help: '1, with the version of kaiactl.' },
    ...{ labelNames: ['version'], registers: [registry] },
  }).set({ version: version() }, 1);
  return () => registry.metrics();
}

/** The answer to a GET of `/` or `/-/healthy`; null: another path. `paths` are what the port serves besides. */
export function healthReply(url: string | undefined, paths: readonly string[]): Reply | null {
  if (url === '/-/healthy') return { status: 200, text: 'kaiactl is running.\n', type: plain };
  if (url !== '/') return null;
  return { status: 200, text: `kaiactl ${version()}\n${[...paths, '/-/healthy'].join('\n')}\n`, type: plain };
}

const plain = 'text/plain; charset=utf-8';
