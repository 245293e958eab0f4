/** The port that serves metrics: whether the profiler is on it too. Two GETs, headers only. */
import type { ConnectionOptions } from '../../jsonrpc/channel.js';
import { parseEndpoint } from '../../jsonrpc/endpoint.js';
import { unreadable } from '../../jsonrpc/failure.js';
import { HttpChannel } from '../../jsonrpc/http.js';
import type { Access, MetricsFacts } from '../facts/live.js';
import { observe } from './run.js';

/** What is fetched below the port's address; profile, trace and heap are never touched. */
export const metricsPaths = ['/metrics', '/debug/pprof/'] as const;

/** Looks at a port, `http://host:61001`. Never throws for what the network does. */
export async function probeMetrics(
  { kind, url, source }: Pick<MetricsFacts, 'kind' | 'url' | 'source'>,
  options: ConnectionOptions,
  signal: AbortSignal,
): Promise<MetricsFacts> {
  const metrics = await observe(() => look(`${url}${metricsPaths[0]}`, options, signal));
  if (metrics.state === 'not-seen' && metrics.code !== 'unreadable') {
    return { kind, url, source, metrics, profiler: metrics };
  }
  return {
    kind,
    url,
    source,
    metrics,
    profiler: await observe(() => look(`${url}${metricsPaths[1]}`, options, signal)),
  };
}

async function look(url: string, options: ConnectionOptions, signal: AbortSignal): Promise<Access> {
  const channel = new HttpChannel(parseEndpoint(url), options);
  try {
    const { status } = await channel.look(signal);
    if (status >= 500) throw unreadable(`HTTP ${status}`);
    return status === 200 ? 'open' : 'closed';
  } finally {
    channel.close();
  }
}
