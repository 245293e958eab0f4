/** Probes a metrics port for metrics and the profiler: two GETs, of which only the headers are read. */
import type { ConnectionOptions } from '../../jsonrpc/channel.js';
import { parseEndpoint } from '../../jsonrpc/endpoint.js';
import { unreadable } from '../../jsonrpc/failure.js';
import { HttpChannel } from '../../jsonrpc/http.js';
import type { Access, MetricsFacts } from '../facts/live.js';
import type { Seen } from '../facts/seen.js';
import { observe } from './run.js';

/** The path requested for each fact; profile, trace and heap are never requested. */
export const portPaths = { metrics: '/metrics', profiler: '/debug/pprof/' } as const;

/** Probes a port, `http://host:61001`. Never throws for errors of the network. */
export async function probePort(
  port: Pick<MetricsFacts, 'kind' | 'url' | 'source'>,
  options: ConnectionOptions,
  signal: AbortSignal,
): Promise<Omit<MetricsFacts, 'bind'>> {
  const ask = (path: string): Promise<Seen<Access>> => observe(() => look(port.url + path, options, signal));
  const metrics = await ask(portPaths.metrics);
  const gone = metrics.state === 'not-seen' && metrics.code !== 'unreadable';
  return { ...port, metrics, profiler: gone ? metrics : await ask(portPaths.profiler) };
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
