/** The interfaces that settings open, for a report without a live node. */
import { isContainerOnly, reachOfBind } from '../../facts/reach.js';
import { type Declared, type InterfaceReport, type TransportName, transports } from '../../facts/report.js';
import type { Listener } from '../../facts/settings.js';
import { hasUnsafeDebug, type NodeSettings } from '../../kinds/node.js';
import { declaredSwitch } from '../exposure/unsafe-debug.js';
import { wildcardsOf } from '../settings/listeners.js';

/** One row per interface that is not off. */
export function declaredInterfaces(settings: NodeSettings): InterfaceReport[] {
  return settings.listeners.flatMap((listener) => {
    const role = roleOf(listener);
    const transport = role === null ? transports.find((kind) => kind === listener.kind) : 'http';
    if (transport === undefined || listener.state === 'off') return [];
    return [{ ...row(settings, listener, transport), ...(role === null ? {} : { role }) }];
  });
}

function roleOf({ kind }: Listener): NonNullable<InterfaceReport['role']> | null {
  if (kind === 'graphql') return kind;
  return kind === 'authrpc' ? 'engine' : null;
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
    ...(unknown ? {} : { declared: declared(settings, listener) }),
  };
}

function reachOf(listener: Listener): Pick<InterfaceReport, 'reach' | 'reachBy' | 'containerOnly'> {
  if (listener.assumed !== undefined) return { reach: listener.assumed, reachBy: 'assumed' };
  if (listener.kind === 'ipc') return { reach: 'ipc', reachBy: 'settings' };
  if (listener.host === null && listener.container === undefined) return {};
  const only = isContainerOnly(listener) ? { containerOnly: true as const } : {};
  return { reach: reachOfBind(listener).reach, reachBy: 'settings', ...only };
}

function declared(settings: NodeSettings, listener: Listener): Declared {
  const { kind, modules } = listener;
  const { anyOrigin, anyHost } = wildcardsOf(listener);
  return {
    modules,
    access: {
      foreignHost: anyHost,
      foreignOrigin: anyOrigin,
      fileMode: null,
      profiler: kind === 'metrics' ? settings.nodeKind.interfaces.profilers.includes(kind) : null,
      ...(kind === 'authrpc' ? { login: true } : {}),
    },
    unsafeDebug:
      modules?.includes('debug') === true && kind !== 'ipc' && hasUnsafeDebug(settings)
        ? declaredSwitch(settings)
        : null,
  };
}

/** The address the node binds, as a URL or a path, with `?` for unknown parts. */
function endpointOf(
  settings: NodeSettings,
  transport: TransportName,
  { host, port, path }: Listener,
): string {
  if (transport === 'ipc') return path ?? `?/${settings.nodeKind.interfaces.socketName}`;
  const name = host === null ? '?' : host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
  return `${transport === 'metrics' ? 'http' : transport}://${name}:${port ?? '?'}`;
}
