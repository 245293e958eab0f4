/** The ports of gRPC and of the engine API, which settings open and whose use no answer tells. */
import type { NodeSettings } from '../kinds/node.js';
import { isElsewhere, portOf } from './local/bind.js';
import { dialable, fromOutside, type OpenedPort, type Target } from './target.js';

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
