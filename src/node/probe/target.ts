/** What a target is made of: endpoints someone named, or those its conf opens. */
import type { Address } from '../../jsonrpc/endpoint.js';
import { parseEndpoint } from '../../jsonrpc/endpoint.js';
import type { ConfFacts, Listener } from '../facts/conf.js';
import type { EndpointFacts } from '../facts/live.js';
import type { Seen } from '../facts/seen.js';
import { defaultPort, settingsOf } from '../kinds/kaia/interfaces.js';

type Source = EndpointFacts['source'];

/** One node to look at. */
export interface Target {
  readonly name: string;
  readonly role: string | null;
  readonly conf: Seen<ConfFacts> | null;
  readonly endpoints: readonly { readonly address: Address; readonly source: Source }[];
  /** Addresses of metrics ports, `http://host:61001`. */
  readonly metrics: readonly {
    readonly kind: 'metrics' | 'pprof';
    readonly url: string;
    readonly source: Source;
  }[];
}

/**
 * The endpoints a conf describes, dialable from this machine: a wildcard bind on loopback, and also what the conf
 * keeps closed, for a node that was not restarted may still have it open. Kinds in `named` are left out.
 */
export function confEndpoints(conf: ConfFacts, named: readonly string[] = []): Target['endpoints'] {
  return (['http', 'ws', 'ipc'] as const)
    .filter((kind) => !named.includes(kind))
    .flatMap((kind) => {
      const address = addressOf(conf, kind);
      return address === null ? [] : [{ address: parseEndpoint(address), source: 'conf' as const }];
    });
}

/** The metrics port, also where the conf keeps it closed, and the profiler's where it is on. */
export function confMetrics(conf: ConfFacts): Target['metrics'] {
  return (['metrics', 'pprof'] as const).flatMap((kind) => {
    const listener = conf.listeners.find((one) => one.kind === kind);
    if (listener === undefined || listener.state === 'unknown') return [];
    if (kind === 'pprof' && listener.state === 'off') return [];
    const port = listener.port ?? defaultPort(kind);
    const url = `http://${dialable(listener.host)}:${port}`;
    return URL.canParse(url) ? [{ kind, url, source: 'conf' as const }] : [];
  });
}

function addressOf(conf: ConfFacts, kind: 'http' | 'ws' | 'ipc'): string | null {
  const listener = conf.listeners.find((one) => one.kind === kind);
  if (listener === undefined || listener.state === 'unknown') return null;
  if (kind === 'ipc')
    return listener.path === null || listener.state === 'off' ? null : `ipc:${listener.path}`;
  const { host, port } = listener.state === 'off' ? latent(conf, kind) : listener;
  const address = `${kind}://${dialable(host)}:${port ?? defaultPort(kind)}`;
  return URL.canParse(address) ? address : null;
}

/** Where an interface that is off would listen, and a node that was not restarted still does. */
function latent({ variables }: ConfFacts, kind: 'http' | 'ws'): Pick<Listener, 'host' | 'port'> {
  const settings = settingsOf[kind];
  const port = /^\d{1,5}$/.exec(variables[settings.port[1]] ?? '')?.[0];
  const host = /^[\w.:[\]-]+$/.exec(variables[settings.addr[1]] ?? '')?.[0];
  return { host: host ?? null, port: port === undefined ? null : Number(port) };
}

/** The address to address for one that is bound. */
function dialable(host: string | null): string {
  const bare = (host ?? '').replace(/^\[|\]$/g, '');
  if (bare === '::') return '[::1]';
  if (bare === '' || bare === '0.0.0.0' || bare === '*') return '127.0.0.1';
  return bare.includes(':') ? `[${bare}]` : bare;
}
