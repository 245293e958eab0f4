/** The interfaces, their flags, and what the settings open. Source: crates/node/core/src/args/rpc_server.rs, crates/rpc. */
import { socketAddress } from '../../dialect/clap/index.js';
import type { Period } from '../../facts/release.js';
import type { Listener, ListenerKind, Setting, Settings } from '../../facts/settings.js';
import type { Existing, Interfaces, ListenerFlags, PeerPort, Start } from '../kind.js';
import { fixed, items, listedModules, numberOf, switchedListener } from '../listening.js';
import { caps } from './caps.js';
import type { Tag } from './flavours.js';
import { offered } from './modules.js';

const none = { enable: null, addr: null, port: null };
const server = (name: string) => ({ enable: name, addr: `${name}.addr`, port: `${name}.port` });

/** By what they decide. */
export const listenerFlags = {
  http: { ...server('http'), api: 'http.api', origins: 'http.corsdomain', vhosts: null },
  ws: { ...server('ws'), api: 'ws.api', origins: 'ws.origins' },
  authrpc: { ...server('authrpc'), enable: null },
  'engine-ipc': { enable: 'auth-ipc', mode: 'ipc.permissions' },
  graphql: none,
  grpc: none,
  pprof: none,
  metrics: { enable: 'metrics', addr: 'metrics', port: 'metrics' },
  mainbridge: { enable: null, port: null },
  ipc: { enable: 'ipcdisable', mode: 'ipc.permissions' },
} satisfies ListenerFlags;

const ports: Partial<Record<ListenerKind, number>> = { http: 8545, ws: 8546, authrpc: 8551 };

/** Whether a period holds for a release. */
type Holds = (period: Period<Tag>) => boolean;

export function interfacesOf(holds: Holds): Interfaces {
  const dumps = holds({ since: 'v2.0.0' })
    ? 'profiles of its memory and dumps of its tasks'
    : 'profiles of its memory';
  return {
    flags: listenerFlags,
    caps,
    profilers: [],
    metricsPath: '/metrics',
    checks: { host: false, wsOrigin: false },
    serves: {
      'engine-ipc': {
        severity: 'critical',
        does: 'choose the head of the chain and have the node build blocks, without a token',
      },
      ...(holds({ since: 'v1.10.0' })
        ? {
            metrics: {
              severity: 'medium',
              does: `have the node write ${dumps}, if it was built with them`,
            } as const,
          }
        : {}),
    },
    defaultPort: (kind) => ports[kind] ?? 0,
    tokenless: [401],
    socketName: '/tmp/reth.ipc',
    networkId: () => null,
  };
}

/** The listeners of the node, in the order of `listenerKinds`. */
export function listenersOf(holds: Holds, given: Start, existing: Existing): readonly Listener[] {
  const start = withDev(given);
  const { values } = start;
  const rpc = (kind: 'http' | 'ws', shift: (port: number, instance: number) => number): Listener => {
    const flags = listenerFlags[kind];
    const own = switchedListener(start, kind, flags, {
      ...listedModules(start, flags.api, (list) =>
        existing.maybe.length > 0 ? null : offered(existing, list),
      ),
      origins: entries(values[flags.origins]),
      vhosts: null,
    });
    return { ...own, ...portOf(values, own.port, shift), ...login(values) };
  };
  const http = rpc('http', (port, instance) => port - instance + 1);
  const ws = rpc('ws', (port, instance) => port + 2 * instance - 2);
  const engine = authrpc(start);
  return [
    { ...http, decidedBy: [...http.decidedBy, 'dev'] },
    ws,
    engine,
    socket(values, 'engine-ipc', 'auth-ipc', 'auth-ipc.path', engine),
    metrics(start),
    ipc(holds, values, existing),
  ];
}

/** A development chain turns http on. */
function withDev(start: Start): Start {
  const { http, dev } = start.values;
  if (dev === undefined || http?.value === true || (dev.value !== true && dev.indeterminate === null))
    return start;
  return { ...start, values: { ...start.values, http: dev } };
}

/** The entries of a list of origins; a list of one `*` allows every origin. null: not known. */
export function entries(setting: Setting | undefined): readonly string[] | null {
  return items(setting)?.filter((entry) => entry !== '') ?? null;
}

/** An instance has ports of its own, and --with-unused-ports takes what is free. */
function portOf(
  { instance, 'with-unused-ports': unused }: Settings['values'],
  port: number | null,
  shift: (port: number, instance: number) => number,
): Pick<Listener, 'port'> {
  const isUnknown =
    instance?.indeterminate != null || unused?.indeterminate != null || unused?.value === true;
  if (port === null || isUnknown) return { port: null };
  return { port: shift(port, numberOf(instance) || 1) };
}

/** A token protects http and ws, not ipc and not the metrics. */
function login({ 'rpc.jwtsecret': secret }: Settings['values']): Pick<Listener, 'login'> {
  return typeof secret?.value === 'string' ? { login: 'token' } : {};
}

/** The engine API, which is on unless a switch turns it off. */
function authrpc(start: Start): Listener {
  const { values } = start;
  const off = values['disable-auth-server'];
  const own = switchedListener(start, 'authrpc', listenerFlags.authrpc, fixed(null));
  const unknown = off?.indeterminate ?? null;
  return {
    ...own,
    ...portOf(values, own.port, (port, instance) => port + 100 * instance - 100),
    state: unknown !== null ? 'unknown' : off?.value === true ? 'off' : 'on',
    reason: unknown,
    decidedBy: [...own.decidedBy, ...(off === undefined ? [] : ['disable-auth-server'])],
  };
}

/** A local socket that a switch turns on, beside the engine API. */
function socket(
  values: Settings['values'],
  kind: 'engine-ipc',
  enable: string,
  path: string,
  beside: Listener,
): Listener {
  const setting = values[enable];
  const reason = setting?.indeterminate ?? beside.reason;
  const isOn = setting?.value === true && beside.state !== 'off';
  return {
    kind,
    state: beside.state === 'off' ? 'off' : reason !== null ? 'unknown' : isOn ? 'on' : 'off',
    reason: beside.state === 'off' ? null : reason,
    decidedBy: [enable, path],
    host: null,
    port: null,
    path: pathOf(values[path]),
    ...modeOf(values),
    ...fixed(null),
  };
}

function pathOf(setting: Setting | undefined): string | null {
  return typeof setting?.value === 'string' && setting.value !== '' ? setting.value : null;
}

/** The mode of both sockets in octal digits; another text is ignored (crates/rpc/ipc/src/server/mod.rs). */
function modeOf({ 'ipc.permissions': setting }: Settings['values']): Pick<Listener, 'mode'> {
  if (setting?.indeterminate != null) return { mode: null };
  const digits = String(setting?.value ?? '').replaceAll('0o', '');
  return /^\+?[0-7]{1,11}$/.test(digits) ? { mode: Number.parseInt(digits, 8) & 0o7777 } : {};
}

/** --metrics takes the address; a port alone is on loopback. */
function metrics({ values }: Start): Listener {
  const setting = values.metrics;
  const address = typeof setting?.value === 'string' ? socketAddress(setting.value) : null;
  const reason = setting?.indeterminate ?? null;
  return {
    kind: 'metrics',
    state: reason !== null ? 'unknown' : address === null ? 'off' : 'on',
    reason,
    decidedBy: ['metrics'],
    host: address?.host ?? null,
    port: address?.port ?? null,
    path: null,
    ...fixed(null),
  };
}

/** IPC offers every module. The name of its socket ends with the instance. */
function ipc(holds: Holds, values: Settings['values'], { sure, maybe }: Existing): Listener {
  const { ipcdisable, ipcpath, instance } = values;
  const unknown = ipcdisable?.indeterminate ?? null;
  const [path, number] = [pathOf(ipcpath), numberOf(instance)];
  // Up to v1.3.4 every node is the first instance, whose socket has the name alone.
  const isNamed = number !== null && (number > 1 || holds({ since: 'v1.3.5' }));
  return {
    kind: 'ipc',
    state: unknown !== null ? 'unknown' : ipcdisable?.value === true ? 'off' : 'on',
    reason: unknown,
    decidedBy: ['ipcdisable', 'ipcpath', 'instance'],
    host: null,
    port: null,
    path:
      path === null || instance?.indeterminate != null || values['with-unused-ports']?.value === true
        ? null
        : `${path}${isNamed ? `-${number}` : ''}`,
    ...modeOf(values),
    ...fixed(maybe.length > 0 ? null : sure),
  };
}

/** One port for peers over TCP, one for discovery over UDP, and one for its second version where that is on. */
export function peerPorts(values: Settings['values']): PeerPort[] {
  const isOn = (flag: string) => values[flag]?.value === true;
  const hasPeers = !isOn('dev');
  const peer = (
    protocol: PeerPort['protocol'],
    flag: string,
    fallback: number,
    isOpen: boolean,
  ): PeerPort => ({
    protocol,
    ...portOf(
      values,
      numberOf(values[flag]) ?? (values[flag]?.indeterminate == null ? fallback : null),
      (port, instance) => port + instance - 1,
    ),
    fallback,
    isOpen: hasPeers && isOpen,
  });
  const discovers = !isOn('disable-discovery');
  return [
    peer('tcp', 'port', 30_303, true),
    peer('udp', 'discovery.port', 30_303, discovers && !isOn('disable-discv4-discovery')),
    peer('udp', 'discovery.v5.port', 9200, discovers && isOn('enable-discv5-discovery')),
  ];
}
