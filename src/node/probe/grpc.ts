/** Whether gRPC listens: opens and closes a TCP connection and sends nothing. */
import { connect } from 'node:net';
import { failure } from '../../jsonrpc/failure.js';
import type { GrpcFacts } from '../facts/live.js';
import { notSeen, type Seen, seen } from '../facts/seen.js';
import type { Settings } from '../facts/settings.js';
import { isElsewhere, portOf } from './local/bind.js';
import { dialable, type Target } from './target.js';

/** A gRPC port in settings; `unknown` is the reason if it may not exist. */
export type GrpcPort = Pick<GrpcFacts, 'url' | 'source'> & { readonly unknown: string | null };

/**
 * The gRPC ports that settings open, each once: on this machine, or on the machine whose interfaces were named.
 * Earlier sources override later ones.
 */
export function grpcPorts(
  { endpoints }: Pick<Target, 'endpoints'>,
  ...sources: readonly { readonly settings: Settings; readonly source: 'conf' | 'process' }[]
): GrpcPort[] {
  const named = endpoints.find(isElsewhere)?.address.endpoint;
  const elsewhere = named === undefined || named.kind === 'ipc' ? null : new URL(named.url).hostname;
  const ports = sources.flatMap(({ settings, source }) =>
    settings.listeners.flatMap(({ kind, state, host, port, reason }) => {
      if (kind !== 'grpc' || state === 'off') return [];
      const url = `http://${elsewhere ?? dialable(host)}:${port ?? 8553}`;
      const unknown = state === 'unknown' ? (reason ?? 'it cannot be known offline') : null;
      return URL.canParse(url)
        ? [{ url, source: elsewhere === null ? source : ('inventory' as const), unknown }]
        : [];
    }),
  );
  return [...new Map(ports.toReversed().map((one) => [portOf(one.url), one])).values()];
}

/** Opens a connection. Never throws for errors of the network. */
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
