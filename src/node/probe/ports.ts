/** Probes a port for metrics and the profiler: two GETs, of which the headers and the first bytes are read. */
import type { ConnectionOptions } from '../../jsonrpc/channel.js';
import { parseEndpoint } from '../../jsonrpc/endpoint.js';
import { unreadable } from '../../jsonrpc/failure.js';
import { HttpChannel } from '../../jsonrpc/http.js';
import type { Access, MetricsFacts } from '../facts/live.js';
import type { Seen } from '../facts/seen.js';
import { observe } from './run.js';

/**
 * The page requested for each fact, and how it begins: a node answers any GET of its http interface with 200 and an empty
 * body, so the status proves nothing. profile, trace and heap are never requested.
 */
const pages = {
  metrics: { path: '/metrics', start: /^# (?:HELP|TYPE) / },
  profiler: { path: '/debug/pprof/', start: /<title>\/debug\/pprof\/<\/title>/ },
} as const;
type Page = (typeof pages)[keyof typeof pages];

const maxBytes = 512;

/** The messages to a port, in order. */
export const portMessages: readonly string[] = Object.values(pages).map(
  ({ path }) => `GET ${path}, first ${maxBytes} bytes`,
);

/** Probes a port, `http://host:61001`. Never throws for errors of the network. */
export async function probePort(
  port: Pick<MetricsFacts, 'kind' | 'url' | 'source'>,
  options: ConnectionOptions,
  signal: AbortSignal,
): Promise<Omit<MetricsFacts, 'bind'>> {
  const ask = (page: Page): Promise<Seen<Access>> => observe(() => look(port.url, page, options, signal));
  const metrics = await ask(pages.metrics);
  const gone = metrics.state === 'not-seen' && metrics.code !== 'unreadable';
  return { ...port, metrics, profiler: gone ? metrics : await ask(pages.profiler) };
}

async function look(
  url: string,
  { path, start }: Page,
  options: ConnectionOptions,
  signal: AbortSignal,
): Promise<Access> {
  const channel = new HttpChannel(parseEndpoint(url + path), options);
  try {
    const { status, text } = await channel.look(maxBytes, signal);
    if (status >= 500) throw unreadable(`HTTP ${status}`);
    return status === 200 && start.test(text) ? 'open' : 'closed';
  } finally {
    channel.close();
  }
}
