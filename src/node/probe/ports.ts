/** Ports beside http, ws and ipc: of metrics and the profiler, of gRPC, and of the engine API. */

import { connect } from 'node:net';
import type { ConnectionOptions } from '../../jsonrpc/channel.js';
import { parseEndpoint } from '../../jsonrpc/endpoint.js';
import { ChannelError, expectNode, failure } from '../../jsonrpc/failure.js';
import { HttpChannel } from '../../jsonrpc/http.js';
import type { Access, EngineAnswer, EngineFacts, MetricsFacts } from '../facts/live.js';
import { notSeen, type Seen, seen } from '../facts/seen.js';
import type { NodeSettings } from '../kinds/node.js';
import { isElsewhere, portOf } from './local/bind.js';
import { modules } from './probes/modules.js';
import { emptyFacts, observe } from './run.js';
import { Session } from './session.js';
import { dialable, fromOutside, type OpenedPort, type Target } from './target.js';

/**
 * The page requested for each fact, and how it begins: a node answers any GET of its http interface with 200 and an empty
 * body, so the status proves nothing. profile, trace and heap are never requested.
 */
const starts = { metrics: /^# (?:HELP|TYPE) /, profiler: /<title>\/debug\/pprof\/<\/title>/ };
const profilerPath = '/debug/pprof/';

const maxBytes = 512;

/** A port of metrics or of the profiler, and the page of the metrics; absent for `/metrics`. */
export type AskedPort = Pick<MetricsFacts, 'kind' | 'url' | 'source'> & { readonly path?: string };

/** The messages to a port, in order. */
export function portMessages({ path = '/metrics' }: Pick<AskedPort, 'path'>): string[] {
  return [path, profilerPath].map((page) => `GET ${page}, first ${maxBytes} bytes`);
}

/**
 * Probes a port, `http://host:61001`, for metrics and the profiler: two GETs, of which the headers and the first bytes are
 * read. Never throws for errors of the network.
 */
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

/** Whether gRPC listens: opens and closes a TCP connection and sends nothing. Never throws for errors of the network. */
export function probeGrpc(url: string, signal: AbortSignal): Promise<Seen<'open'>> {
  const { hostname } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect({ host: hostname.replace(/^\[|\]$/g, ''), port: portOf(url) });
    const end = (outcome: Seen<'open'>): void => {
      signal.removeEventListener('abort', late);
      socket.destroy();
      resolve(outcome);
    };
    const fail = (error: unknown): void => {
      const { code, message } = failure(error);
      end(notSeen(code, message));
    };
    const late = (): void => fail(signal.reason);
    if (signal.aborted) return late();
    signal.addEventListener('abort', late, { once: true });
    socket.once('connect', () => end(seen('open')));
    socket.once('error', fail);
  });
}

/** The message to the port; headers of the user, which may hold a token, are left out. */
export const engineMessage = `${modules.plan[0]?.[0]}, without a token`;

/** Sends one request. Never throws for errors of the node or the network. */
export async function probeEngine(
  url: string,
  connection: ConnectionOptions,
  signal: AbortSignal,
): Promise<Pick<EngineFacts, 'answer' | 'requests'>> {
  const address = parseEndpoint(url);
  const options = { ...connection, headers: {} };
  const session = new Session({ address, options, signal, budget: 1 }, emptyFacts(address, 'conf'));
  try {
    const answer = await answerOf(session);
    return { answer, requests: session.sent.requests };
  } finally {
    session.close();
  }
}

async function answerOf(session: Session): Promise<Seen<EngineAnswer>> {
  try {
    return seen({ refusal: null, modules: await modules.ask(session) });
  } catch (error) {
    if (!(error instanceof ChannelError)) throw error;
    const { status, code, message } = error;
    if (status === 401 || status === 403) return seen({ refusal: status });
    return session.answered ? seen({ refusal: null, modules: null }) : notSeen(code, message);
  }
}

/**
 * The ports that settings open, each once: on this machine, or on the machine whose interfaces were named. Earlier sources
 * override later ones.
 */
export function openedPorts(
  asked: 'grpc' | 'authrpc',
  { endpoints, names }: Pick<Target, 'endpoints' | 'names'>,
  ...sources: readonly { readonly settings: NodeSettings; readonly source: 'conf' | 'process' }[]
): OpenedPort[] {
  const named = endpoints.find((one) => isElsewhere(one, names))?.address.endpoint;
  const elsewhere = named === undefined || named.kind === 'ipc' ? null : new URL(named.url).hostname;
  const ports = sources.flatMap(({ settings: { listeners, nodeKind }, source }) =>
    listeners.flatMap((listener) => {
      const { kind, state, reason } = listener;
      const outside = fromOutside(listener, listener);
      if (kind !== asked || state === 'off' || outside === null) return [];
      const port = outside.port ?? nodeKind.interfaces.defaultPort(kind);
      const url = `http://${elsewhere ?? dialable(outside.host)}:${port}`;
      const unknown = state === 'unknown' ? (reason ?? 'it cannot be known offline') : null;
      return URL.canParse(url)
        ? [{ url, source: elsewhere === null ? source : ('inventory' as const), unknown }]
        : [];
    }),
  );
  return [...new Map(ports.toReversed().map((one) => [portOf(one.url), one])).values()];
}
