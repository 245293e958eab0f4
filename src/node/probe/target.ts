/** The endpoints of a target: named, or opened by its conf or its process. */

import { isAbsolute, join } from 'node:path';
import { type Address, parseEndpoint } from '../../jsonrpc/endpoint.js';
import type { Conf, Facts } from '../facts/facts.js';
import type { EndpointFacts, Names, ProcessFacts } from '../facts/live.js';
import { publishedBy } from '../facts/reach.js';
import type { Seen } from '../facts/seen.js';
import type { AssumedReach, Listener } from '../facts/settings.js';
import type { Kind } from '../kinds/kind.js';
import { type NodeSettings, withKind } from '../kinds/node.js';
import { accepting, portOf } from './local/bind.js';
import { lastingPath } from './local/identity.js';
import { pathInside } from './local/namespace.js';

type Source = EndpointFacts['source'];

/** A port of gRPC or of the engine API. */
export interface OpenedPort {
  /** `http://host:8553` */
  readonly url: string;
  readonly source: Source;
  /** Why it may not exist; null if it does. */
  readonly unknown: string | null;
}

/** One node to audit. */
export interface Target {
  readonly name: string;
  readonly role: string | null;
  /** The release it is, as the user says. */
  readonly nodeVersion?: string;
  readonly conf: Seen<Conf> | null;
  /** Absent: not resolved yet. */
  readonly names?: Names;
  /** The node's process, if known; otherwise it is searched for. */
  readonly process?: ProcessFacts;
  /** The deadline for all its interfaces together. Default: that of the run. */
  readonly timeoutMs?: number;
  /** The reach of interfaces as the operator states it. */
  readonly assumeReach?: AssumedReach;
  /** Set for what is not audited: what its report says instead. */
  readonly open?: Pick<Facts, 'signs' | 'unseen'>;
  /** Whether the node is simulated. */
  readonly simulated?: true;
  /** The engine API of a simulated node. Absent: the one that the settings open. */
  readonly engine?: readonly OpenedPort[];
  readonly endpoints: readonly { readonly address: Address; readonly source: Source }[];
  /** Addresses of metrics ports, `http://host:61001`. */
  readonly metrics: readonly {
    readonly kind: 'metrics' | 'pprof';
    readonly url: string;
    readonly source: Source;
    /** The page of the metrics. Absent: `/metrics`. */
    readonly path?: string;
  }[];
}

/**
 * The endpoints of a conf, as this machine connects to them: a wildcard bind through loopback. Includes closed
 * interfaces, since a node that was not restarted may still have them open. Kinds in `named` are left out.
 */
export function confEndpoints(settings: NodeSettings, named: readonly string[] = []): Target['endpoints'] {
  return (['http', 'ws', 'ipc'] as const)
    .filter((kind) => !named.includes(kind))
    .flatMap((kind) => {
      const address = addressOf(settings, kind);
      return address === null ? [] : [{ address: parseEndpoint(address), source: 'conf' as const }];
    });
}

/** The metrics port, even if the conf closes it, and the profiler's port if it is on. */
export function confMetrics(settings: NodeSettings): Target['metrics'] {
  const ports = (['metrics', 'pprof'] as const).flatMap((kind) => {
    const listener = settings.listeners.find((one) => one.kind === kind);
    if (listener === undefined || listener.state === 'unknown') return [];
    if (kind === 'pprof' && listener.state === 'off') return [];
    const outside = fromOutside(listener, listener);
    if (outside === null) return [];
    const url = `http://${dialable(outside.host)}:${outside.port ?? settings.nodeKind.interfaces.defaultPort(kind)}`;
    const { metricsPath: path } = settings.nodeKind.interfaces;
    return URL.canParse(url)
      ? [{ kind, url, source: 'conf' as const, path, isOn: listener.state === 'on' }]
      : [];
  });
  // One server at an address: that of the metrics, if they are on.
  const [metrics, pprof] = ports;
  const shown =
    metrics !== undefined && metrics.url === pprof?.url ? [metrics.isOn ? metrics : pprof] : ports;
  return shown.map(({ isOn: _, ...port }) => port);
}

function addressOf(settings: NodeSettings, kind: 'http' | 'ws' | 'ipc'): string | null {
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
  const authority = `${dialable(host)}:${port ?? settings.nodeKind.interfaces.defaultPort(kind)}`;
  const address = `${kind}://${authority}${prefixOf(settings, kind)}`;
  return URL.canParse(address) ? address : null;
}

/** The beginning of the paths that the interface serves, `/rpc`; '': it has no other than `/`. */
function prefixOf({ values, nodeKind }: NodeSettings, kind: 'http' | 'ws'): string {
  const prefix = values[nodeKind.interfaces.flags[kind].prefix ?? '']?.value;
  return typeof prefix === 'string' && prefix.startsWith('/')
    ? prefix.replaceAll(/[?#]/g, encodeURIComponent)
    : '';
}

type Bind = Pick<Listener, 'host' | 'port'>;

/** Where to connect: for a container its published port; null when there is none. */
export function fromOutside(listener: Listener, bound: Bind): Bind | null {
  if (listener.container === undefined) return bound;
  const published = publishedBy(listener);
  return published?.port == null ? null : published;
}

/** Where an interface that is off would listen. */
function latent(settings: NodeSettings, kind: 'http' | 'ws'): Bind {
  const { keys } = settings;
  const { addr, port: number } = settings.nodeKind.interfaces.flags[kind];
  const given = (flag: string | null) => String((flag === null ? null : keys[flag]?.value) ?? '');
  const port = /^\d{1,5}$/.exec(given(number))?.[0];
  const host = /^[\w.:[\]-]+$/.exec(given(addr))?.[0];
  return { host: host ?? null, port: port === undefined ? null : Number(port) };
}

/** The address to connect to for a bound address. */
export function dialable(host: string | null): string {
  const bare = (host ?? '').replace(/^\[|\]$/g, '');
  if (bare === '::') return '[::1]';
  if (bare === '' || bare === '0.0.0.0' || bare === '*') return '127.0.0.1';
  return bare.includes(':') ? `[${bare}]` : bare;
}

/** Adds the interfaces that the target's process opens and the target lacks. */
export function withStarted(target: Target, running: ProcessFacts, kinds: readonly Kind[]): Target {
  if (running.settings === null) return target;
  const settings = withKind(kinds, running.settings);
  const on = settings.listeners.filter(({ state }) => state === 'on');
  const known = [
    ...target.endpoints.flatMap(({ address: { endpoint } }) =>
      endpoint.kind === 'ipc' ? [] : [endpoint.url],
    ),
    ...target.metrics.map(({ url }) => url),
  ];
  const sockets = running.sockets.state === 'seen' ? running.sockets.value : [];
  /** True unless the kernel shows another socket there than at each known URL of the same port. */
  const isKnown = (url: string) => {
    const there = sockets.filter(accepting(url));
    const isOfPort = (other: string) => portOf(other) === portOf(url);
    return known.some(
      (other) => isOfPort(other) && (there.length === 0 || there.some(accepting(other, target.names))),
    );
  };
  const named = target.endpoints.some(({ address }) => address.endpoint.kind === 'ipc') ? ['ipc'] : [];
  const opened = confEndpoints({ ...settings, listeners: on }, named);
  return {
    ...target,
    endpoints: [
      ...target.endpoints,
      ...opened
        .flatMap(({ address }) =>
          address.endpoint.kind === 'ipc' ? socketOf(address.endpoint.path, running) : [address],
        )
        .filter(({ endpoint }) => endpoint.kind === 'ipc' || !isKnown(endpoint.url))
        .map((address) => ({ address, source: 'process' as const })),
    ],
    metrics: [
      ...target.metrics,
      ...confMetrics({ ...settings, listeners: on })
        .filter(({ url }) => !isKnown(url))
        .map((port) => ({ ...port, source: 'process' as const })),
    ],
  };
}

/** The path of an ipc socket from here: relative to the process's folder, inside its root. */
function socketOf(path: string, running: ProcessFacts): Address[] {
  const { pid, root, folder } = running;
  const base = folder.state === 'seen' ? folder.value : `/proc/${pid}/cwd`;
  const at = pathInside(root, isAbsolute(path) ? path : join(base, path));
  if (at === null) return [];
  const address = parseEndpoint(`ipc:${at}`);
  return [{ ...address, endpoint: { kind: 'ipc' as const, path: lastingPath(running, at) } }];
}
