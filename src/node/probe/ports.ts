/** Probes a port for metrics and the profiler: two GETs, of which the headers and the first bytes are read. */
import type { ConnectionOptions } from '../../jsonrpc/channel.js';
import { parseEndpoint } from '../../jsonrpc/endpoint.js';
import { expectNode } from '../../jsonrpc/failure.js';
import { HttpChannel } from '../../jsonrpc/http.js';
import type { Access, MetricsFacts } from '../facts/live.js';
import type { Seen } from '../facts/seen.js';
import { observe } from './run.js';

/**
 * The page requested for each fact, and how it begins: a node answers any GET of its http interface with 200 and an empty
 * body, so the status proves nothing. profile, trace and heap are never requested.
 */
const starts = { metrics: /^# (?:HELP|TYPE) /, profiler: /<title>\/debug\/pprof\/<\/title>/ };
const profilerPath = '/debug/pprof/';

const maxBytes = 512;

/** A port of metrics or of the profiler, and the page of the metrics; absent: `/metrics`. */
export type AskedPort = Pick<MetricsFacts, 'kind' | 'url' | 'source'> & { readonly path?: string };

/** The messages to a port, in order. */
export function portMessages({ path = '/metrics' }: Pick<AskedPort, 'path'>): string[] {
  return [path, profilerPath].map((page) => `GET ${page}, first ${maxBytes} bytes`);
}

/** Probes a port, `http://host:61001`. Never throws for errors of the network. */
export async function probePort(
  { path = '/metrics', ...port }: AskedPort,
  options: ConnectionOptions,
  signal: AbortSignal,
): Promise<Omit<MetricsFacts, 'bind'>> {
  const ask = (page: string, start: RegExp): Promise<Seen<Access>> =>
    observe(() => look(port.url + page, start, options, signal));
  const metrics = await ask(path, starts.metrics);
  const gone = metrics.state === 'not-seen' && !['unreadable', 'not-permitted'].includes(metrics.code);
  return { ...port, metrics, profiler: gone ? metrics : await ask(profilerPath, starts.profiler) };
}

async function look(
  url: string,
  start: RegExp,
  options: ConnectionOptions,
  signal: AbortSignal,
): Promise<Access> {
  const channel = new HttpChannel(parseEndpoint(url), options);
  try {
    const { status, text } = await channel.look(maxBytes, signal);
    expectNode('the page', status);
    return status === 200 && start.test(text) ? 'open' : 'closed';
  } finally {
    channel.close();
  }
}
