/** What a target is made of: endpoints someone named, or those its conf opens. */
import type { Dial } from '../jsonrpc/endpoint.js';
import { parseEndpoint } from '../jsonrpc/endpoint.js';
import type { ConfFacts, Surface } from '../model/conf.js';
import type { EndpointFacts } from '../model/live.js';
import type { Seen } from '../model/seen.js';

type Source = EndpointFacts['source'];

/** One node to look at. */
export interface Target {
  readonly name: string;
  readonly role: string | null;
  readonly conf: Seen<ConfFacts> | null;
  readonly doors: readonly { readonly dial: Dial; readonly source: Source }[];
  /** Addresses of metrics ports, `http://host:61001`. */
  readonly metrics: readonly {
    readonly kind: 'metrics' | 'pprof';
    readonly url: string;
    readonly source: Source;
  }[];
}

const defaults = { http: 8551, ws: 8552, metrics: 61_001, pprof: 6060 } as const;

/**
 * The endpoints a conf describes, dialled from this machine: a wildcard bind on loopback, and also what the conf
 * keeps closed, for a node that was not restarted may still have it open. Kinds in `named` are left out.
 */
export function confDoors(conf: ConfFacts, named: readonly string[] = []): Target['doors'] {
  return (['http', 'ws', 'ipc'] as const)
    .filter((kind) => !named.includes(kind))
    .flatMap((kind) => {
      const address = addressOf(conf, kind);
      return address === null ? [] : [{ dial: parseEndpoint(address), source: 'conf' as const }];
    });
}

/** The metrics port, also where the conf keeps it closed, and the profiler's where it is on. */
export function confMetrics(conf: ConfFacts): Target['metrics'] {
  return (['metrics', 'pprof'] as const).flatMap((kind) => {
    const surface = conf.surfaces.find((one) => one.kind === kind);
    if (surface === undefined || surface.state === 'unknown') return [];
    if (kind === 'pprof' && surface.state === 'off') return [];
    const port = surface.port ?? defaults[kind];
    const url = `http://${dialled(surface.host)}:${port}`;
    return URL.canParse(url) ? [{ kind, url, source: 'conf' as const }] : [];
  });
}

function addressOf(conf: ConfFacts, kind: 'http' | 'ws' | 'ipc'): string | null {
  const surface = conf.surfaces.find((one) => one.kind === kind);
  if (surface === undefined || surface.state === 'unknown') return null;
  if (kind === 'ipc') return surface.path === null || surface.state === 'off' ? null : `ipc:${surface.path}`;
  const { host, port } = surface.state === 'off' ? latent(conf, kind) : surface;
  const address = `${kind}://${dialled(host)}:${port ?? defaults[kind]}`;
  return URL.canParse(address) ? address : null;
}

/** Where an interface that is off would listen, and a node that was not restarted still does. */
function latent({ variables }: ConfFacts, kind: 'http' | 'ws'): Pick<Surface, 'host' | 'port'> {
  const prefix = kind === 'ws' ? 'WS' : 'RPC';
  const port = /^\d{1,5}$/.exec(variables[`${prefix}_PORT`] ?? '')?.[0];
  const host = /^[\w.:[\]-]+$/.exec(variables[`${prefix}_ADDR`] ?? '')?.[0];
  return { host: host ?? null, port: port === undefined ? null : Number(port) };
}

/** The address to dial for one that is bound. */
function dialled(host: string | null): string {
  const bare = (host ?? '').replace(/^\[|\]$/g, '');
  if (bare === '::') return '[::1]';
  if (bare === '' || bare === '0.0.0.0' || bare === '*') return '127.0.0.1';
  return bare.includes(':') ? `[${bare}]` : bare;
}
