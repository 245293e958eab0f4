/** The interfaces that settings open, for a report without a live node. */
import {
  browsersOf,
  hostThrough,
  isContainerOnly,
  openList,
  publishedBy,
  reachByRelays,
  reachOfBind,
  widest,
} from '../../facts/reach.js';
import {
  type Declared,
  type InterfaceReport,
  interfaceRoles,
  type TransportName,
  transports,
} from '../../facts/report.js';
import { isLocal, type Listener, octalOf } from '../../facts/settings.js';
import { hasUnsafeDebug, type NodeSettings } from '../../kinds/node.js';
import { declaredSwitch } from '../exposure/unsafe-debug.js';
import { wildcardsOf } from '../settings/listeners.js';
import { writtenName } from '../settings/setting.js';

/** One row per interface that is not off. */
export function declaredInterfaces(settings: NodeSettings): InterfaceReport[] {
  return settings.listeners.flatMap((listener) => {
    const role = roleOf(listener);
    const usual = isLocal(listener.kind) ? 'ipc' : 'http';
    const transport = role === null ? transports.find((kind) => kind === listener.kind) : usual;
    if (transport === undefined || listener.state === 'off') return [];
    return [{ ...row(settings, listener, transport), ...(role === null ? {} : { role }) }];
  });
}

function roleOf({ kind }: Listener): NonNullable<InterfaceReport['role']> | null {
  if (kind === 'authrpc' || kind === 'engine-ipc') return 'engine';
  return interfaceRoles.find((role) => role === kind) ?? null;
}

function row(settings: NodeSettings, listener: Listener, transport: TransportName): InterfaceReport {
  const unknown = listener.state === 'unknown';
  return {
    transport,
    endpoint: endpointOf(settings, transport, listener),
    source: 'conf',
    state: 'not-checked',
    reason: unknown
      ? (listener.reason ?? 'cannot be resolved offline')
      : 'read from the settings, not contacted',
    modules: null,
    client: null,
    latencyMs: null,
    bind: listener.host === null ? null : [listener.host],
    ...reachOf(listener),
    ...(unknown ? { browsers: null } : browsed(settings, listener)),
    ...(unknown ? {} : { declared: declared(settings, listener) }),
  };
}

type Reached = Pick<InterfaceReport, 'reach' | 'reachBy' | 'reachVia' | 'containerOnly'>;

/** Who reaches it by its address or through a proxy; browsers stand in `access`. */
function reachOf(listener: Listener): Reached {
  const { assumed, kind, host, container } = listener;
  if (assumed !== undefined) return { reach: assumed, reachBy: 'assumed' };
  const via = viaOf(listener);
  if (!isLocal(kind) && (container ? publishedBy(listener)?.host : host) === null) return via;
  const bound = isLocal(kind) ? 'ipc' : reachOfBind(listener).reach;
  const { reach } = widest([{ reach: bound, because: '' }, ...reachByRelays(listener)]);
  const only = reach === bound && isContainerOnly(listener) ? { containerOnly: true as const } : {};
  return { reach, reachBy: 'settings', ...only, ...via };
}

/** Which pages reach it, and the setting or the proxy that lets every page in. */
function browsed(
  settings: NodeSettings,
  listener: Listener,
): Pick<InterfaceReport, 'browsers' | 'browsersBy'> {
  const browsers = browsersOf(listener);
  const list = openList(listener);
  if (browsers !== 'any page' || list === null) return { browsers };
  const { http, ws, beacon } = settings.nodeKind.interfaces.flags;
  const own = listener.kind === 'ws' ? ws : listener.kind === 'beacon' ? beacon : http;
  const flag = list === 'vhosts' ? http.vhosts : own?.origins;
  return flag == null ? { browsers } : { browsers, browsersBy: writtenName(settings, flag) };
}

/** The relays that lead to it, published ports with a login, and the rules of a firewall that close it. */
function viaOf(listener: Listener): Pick<Reached, 'reachVia'> {
  const { hops = [] } = listener;
  const through = hops.flatMap((hop) => {
    if (hop.of === 'address') return [];
    const { open, withLogin } = hop.access;
    const isFiltered = hop.of === 'relay' && hop.filtered === true ? ', filtered by method' : '';
    const all = [
      ...(hop.of === 'port' || open === null || open === 'loopback' ? [] : [open]),
      ...(withLogin === null || withLogin === 'loopback' ? [] : [`${withLogin}, with a login`]),
    ];
    const place = `${hop.at.file}:${hop.at.line}`;
    const sent = hop.of === 'relay' && all.length > 0 ? hostThrough(hop, listener) : null;
    if (sent?.isAccepted === false) return [`${place}: closed, the node refuses Host ${sent.host}`];
    return all.map((reach) => `${place}: ${reach}${isFiltered}`);
  });
  const rules = hops.flatMap((hop) =>
    hop.of === 'address' ? hop.via.map((place) => `${place}: ${hop.access.open}`) : [],
  );
  const reachVia = [...through, ...rules];
  return reachVia.length === 0 ? {} : { reachVia };
}

function declared(settings: NodeSettings, listener: Listener): Declared {
  const { kind, modules, login, mode } = listener;
  const { anyOrigin, anyHost } = wildcardsOf(listener);
  return {
    modules,
    access: {
      foreignHost: anyHost,
      foreignOrigin: anyOrigin,
      fileMode: mode == null ? null : octalOf(mode),
      profiler: kind === 'metrics' ? settings.nodeKind.interfaces.profilers.includes(kind) : null,
      ...(kind === 'authrpc' || login !== undefined ? { login: true } : {}),
    },
    unsafeDebug:
      modules?.includes('debug') === true && !isLocal(kind) && hasUnsafeDebug(settings)
        ? declaredSwitch(settings)
        : null,
  };
}

/** The address the node binds, as a URL or a path, with `?` for unknown parts. */
function endpointOf(
  settings: NodeSettings,
  transport: TransportName,
  { kind, host, port, path }: Listener,
): string {
  if (transport === 'ipc')
    return path ?? (kind === 'ipc' ? `?/${settings.nodeKind.interfaces.socketName}` : '?');
  const scheme = { metrics: 'http', https: 'https', socket: 'tcp' }[kind as string] ?? transport;
  const name = host === null ? '?' : host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
  return `${scheme}://${name}:${port ?? '?'}`;
}
