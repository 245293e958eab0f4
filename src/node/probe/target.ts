/** What a target is made of: endpoints someone named, or those its conf opens. */
import type { Address } from '../../jsonrpc/endpoint.js';
import { parseEndpoint } from '../../jsonrpc/endpoint.js';
import type { Conf } from '../facts/facts.js';
import type { EndpointFacts, ProcessFacts } from '../facts/live.js';
import type { Seen } from '../facts/seen.js';
import type { AssumedReach, Listener, Settings } from '../facts/settings.js';
import { kindOf } from '../kinds/index.js';

type Source = EndpointFacts['source'];

/** One node to look at. */
export interface Target {
  readonly name: string;
  readonly role: string | null;
  readonly conf: Seen<Conf> | null;
  /** The running node it is, where that is known; otherwise it is looked for. */
  readonly process?: ProcessFacts;
  /** How long it may take, all its interfaces together, where that is its own. */
  readonly timeoutMs?: number;
  /** Who reaches an interface, where the operator says so. */
  readonly assumeReach?: AssumedReach;
  /** True when a simulated node stands in its place. */
  readonly simulated?: true;
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
export function confEndpoints(settings: Settings, named: readonly string[] = []): Target['endpoints'] {
  return (['http', 'ws', 'ipc'] as const)
    .filter((kind) => !named.includes(kind))
    .flatMap((kind) => {
      const address = addressOf(settings, kind);
      return address === null ? [] : [{ address: parseEndpoint(address), source: 'conf' as const }];
    });
}

/** The metrics port, also where the conf keeps it closed, and the profiler's where it is on. */
export function confMetrics(settings: Settings): Target['metrics'] {
  return (['metrics', 'pprof'] as const).flatMap((kind) => {
    const listener = settings.listeners.find((one) => one.kind === kind);
    if (listener === undefined || listener.state === 'unknown') return [];
    if (kind === 'pprof' && listener.state === 'off') return [];
    const outside = fromOutside(listener, listener);
    if (outside === null) return [];
    const url = `http://${dialable(outside.host)}:${outside.port ?? kindOf(settings.kind).interfaces.defaultPort(kind)}`;
    return URL.canParse(url) ? [{ kind, url, source: 'conf' as const }] : [];
  });
}

function addressOf(settings: Settings, kind: 'http' | 'ws' | 'ipc'): string | null {
  const listener = settings.listeners.find((one) => one.kind === kind);
  if (listener === undefined || listener.state === 'unknown') return null;
  if (kind === 'ipc') {
    const contained = settings.listeners.some(({ container }) => container !== undefined);
    return contained || listener.path === null || listener.state === 'off' ? null : `ipc:${listener.path}`;
  }
  const bound = listener.state === 'off' ? latent(settings, kind) : listener;
  const outside = fromOutside(listener, bound);
  if (outside === null) return null;
  const { host, port } = outside;
  const address = `${kind}://${dialable(host)}:${port ?? kindOf(settings.kind).interfaces.defaultPort(kind)}`;
  return URL.canParse(address) ? address : null;
}

type Bind = Pick<Listener, 'host' | 'port'>;

/** Where it is dialled: a container's port where it is published, or nowhere. */
function fromOutside({ container }: Listener, bound: Bind): Bind | null {
  if (container === undefined) return bound;
  return container.published?.port == null ? null : container.published;
}

/** Where an interface that is off would listen, and a node that was not restarted still does. */
function latent({ kind: id, keys }: Settings, kind: 'http' | 'ws'): Bind {
  const { addr, port: number } = kindOf(id).interfaces.flags[kind];
  const port = /^\d{1,5}$/.exec(String(keys[number]?.value ?? ''))?.[0];
  const host = /^[\w.:[\]-]+$/.exec(String(keys[addr]?.value ?? ''))?.[0];
  return { host: host ?? null, port: port === undefined ? null : Number(port) };
}

/** The address to dial for one that is bound. */
export function dialable(host: string | null): string {
  const bare = (host ?? '').replace(/^\[|\]$/g, '');
  if (bare === '::') return '[::1]';
  if (bare === '' || bare === '0.0.0.0' || bare === '*') return '127.0.0.1';
  return bare.includes(':') ? `[${bare}]` : bare;
}
