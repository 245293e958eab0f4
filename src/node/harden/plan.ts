/** The ports and modules that a proxy, a firewall or a unit must allow, from the settings of a node. Pure. */
import { sayIf } from '../../util/words.js';
import type { Conf } from '../facts/facts.js';
import type { ListenerKind, Settings, SourceKind } from '../facts/settings.js';
import type { Kind } from '../kinds/kind.js';
import { type Endpoint, endpointOf } from './endpoint.js';
import type { Network } from './given.js';
import { serverNameOf } from './given.js';
import { type Port, peerPorts, portsOf } from './ports.js';

/** What the operator gives. */
export interface PlanOptions {
  /** Subnets that may read the metrics; empty for this machine only. */
  readonly monitoring: readonly Network[];
  /** The host name of the proxy; null for the first in the node's list of Host names. */
  readonly serverName: string | null;
}

export interface Plan {
  /** As given by the user. Hostile text: use it in comments only. */
  readonly source: string;
  readonly kind: SourceKind;
  readonly nodeKind: Kind;
  /** The script that starts the node, or its program. */
  readonly launcher: string;
  /** The program that is started, by file name. */
  readonly program: string;
  /** Service, container or unit; null when the source starts only one. Hostile text. */
  readonly service: string | null;
  /** True in a container with its own network. */
  readonly contained: boolean;
  /** Null when off. */
  readonly http: Endpoint | null;
  readonly ws: Endpoint | null;
  /** Ports that only this machine needs to reach. */
  readonly local: readonly Port[];
  /** The port of metrics and profiler; null when off. */
  readonly metrics: Port | null;
  readonly peers: readonly Port[];
  readonly monitoring: readonly Network[];
  /** Null when unknown. */
  readonly serverName: string | null;
  /** The node's limit on a request's body, in bytes. */
  readonly maxBodyBytes: number;
  /** The node's data folder; null when unknown. Hostile text. */
  readonly dataDir: string | null;
  /** Whether every port is known. */
  readonly portsKnown: boolean;
  /** What the settings leave undetermined, and the assumption made instead: a sentence each. */
  readonly undetermined: readonly string[];
}

export function planOf({ settings, alternatives = [] }: Conf, nodeKind: Kind, options: PlanOptions): Plan {
  const http = endpointOf(settings, nodeKind, 'http');
  const ws = endpointOf(settings, nodeKind, 'ws');
  const ports = portsOf(settings, nodeKind);
  const peers = peerPorts(settings, nodeKind);
  const limit = settings.values.maxRequestContentLength?.value;
  const dataDir = settings.values[nodeKind.flags.dataFolder ?? ''];
  return {
    source: settings.source.path,
    kind: settings.source.kind,
    nodeKind,
    launcher: settings.launcher,
    program: nodeKind.programOf(settings.launcher),
    service: settings.name ?? null,
    contained: settings.listeners.some(({ container }) => container !== undefined),
    http,
    ws,
    local: ports.filter(({ kind }) => kind !== 'metrics' && kind !== 'mainbridge'),
    metrics: ports.find(({ kind }) => kind === 'metrics') ?? null,
    peers: [...peers, ...ports.filter(({ kind }) => kind === 'mainbridge')],
    monitoring: options.monitoring,
    serverName: options.serverName ?? serverNameOf(settings),
    maxBodyBytes: typeof limit === 'number' && limit > 0 ? limit : defaultBodyBytes,
    dataDir: typeof dataDir?.value === 'string' && dataDir.indeterminate === null ? dataDir.value : null,
    portsKnown: ![...ports, ...peers].some(({ assumed }) => assumed),
    undetermined: [
      ...sayIf(
        !settings.startable,
        'the node does not start with these settings; kaiactl node lint shows the reason',
      ),
      ...[http, ws].flatMap((one) => one?.undetermined ?? []),
      ...assumedPorts(settings, ports),
      ...sayIf(
        peers.some(({ assumed }) => assumed),
        `p2p: its port is unknown; ${peers[0]?.port} is assumed`,
      ),
      ...[...new Set(alternatives.flatMap(({ when }) => when ?? []))].map(
        (when) => `the node starts with other settings if “${when}” holds; this file ignores them`,
      ),
    ],
  };
}

/** networks/rpc/http.go; the flag's own default. */
const defaultBodyBytes = 524_288;

/** Assumptions about ports other than http and ws, which have their own. */
function assumedPorts({ listeners }: Settings, ports: readonly Port[]): string[] {
  const described: readonly ListenerKind[] = ['http', 'ws'];
  return ports
    .filter(({ kind, assumed }) => assumed && !described.some((one) => one === kind))
    .map(({ kind, port }) => {
      const reason = listeners.find((one) => one.kind === kind)?.reason;
      return `${kind}: ${reason ?? 'its port is unknown'}; port ${port} is assumed`;
    });
}
