/** What a proxy, a firewall or a unit has to let through, as the settings of a node have it. Pure. */
import type { Conf } from '../facts/facts.js';
import type { ListenerKind, Settings, SourceKind } from '../facts/settings.js';
import type { Kind } from '../kinds/kind.js';
import { type Endpoint, endpointOf } from './endpoint.js';
import type { Network } from './network.js';
import { type Port, peerPorts, portsOf } from './ports.js';
import { serverNameOf } from './server-name.js';

/** What no settings say. */
export interface PlanOptions {
  /** Who may read the metrics; empty: this machine alone. */
  readonly monitoring: readonly Network[];
  /** Under which name the proxy is reached. Default: the first name in the node's list of Host names. */
  readonly serverName: string | null;
}

export interface Plan {
  /** As given by the user: hostile text, for comments alone. */
  readonly source: string;
  readonly kind: SourceKind;
  readonly nodeKind: Kind;
  /** The script that starts the node, or its program. */
  readonly launcher: string;
  /** The program that is started, by file name. */
  readonly program: string;
  /** Service, container or unit; null: the source starts just one. Hostile text. */
  readonly service: string | null;
  /** True in a container with a network of its own. */
  readonly contained: boolean;
  /** null: off. */
  readonly http: Endpoint | null;
  readonly ws: Endpoint | null;
  /** Ports that this machine alone has to reach. */
  readonly local: readonly Port[];
  /** The port of metrics and profiler; null: off. */
  readonly metrics: Port | null;
  /** What other nodes dial. */
  readonly peers: readonly Port[];
  readonly monitoring: readonly Network[];
  /** null: nobody said. */
  readonly serverName: string | null;
  /** Bytes of a request's body that the node takes. */
  readonly maxBodyBytes: number;
  /** Where the node keeps its data; null: not known. Hostile text. */
  readonly dataDir: string | null;
  /** True when every port is known for sure. */
  readonly portsKnown: boolean;
  /** What the settings leave undetermined, and what is assumed instead: a sentence each. */
  readonly undetermined: readonly string[];
}

/** The plan for one node of that kind. */
export function planOf({ settings, alternatives = [] }: Conf, nodeKind: Kind, options: PlanOptions): Plan {
  const http = endpointOf(settings, nodeKind, 'http');
  const ws = endpointOf(settings, nodeKind, 'ws');
  const ports = portsOf(settings, nodeKind);
  const peers = peerPorts(settings, nodeKind);
  const limit = settings.values.maxRequestContentLength?.value;
  const dataDir = settings.values.datadir;
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
      ...(settings.startable
        ? []
        : ['with these settings the node does not start: kaiactl node lint says why']),
      ...[http, ws].flatMap((one) => one?.undetermined ?? []),
      ...blindPorts(settings, ports),
      ...(peers.some(({ assumed }) => assumed)
        ? [`p2p: the port is not known; ${peers[0]?.port} is assumed`]
        : []),
      ...alternatives.map(
        ({ when }) => `where “${when}” holds the node is started otherwise, which is not followed here`,
      ),
    ],
  };
}

/** networks/rpc/http.go; the flag's own default. */
const defaultBodyBytes = 524_288;

/** The other interfaces; http and ws say so themselves. */
function blindPorts({ listeners }: Settings, ports: readonly Port[]): string[] {
  const described: readonly ListenerKind[] = ['http', 'ws'];
  return ports
    .filter(({ kind, assumed }) => assumed && !described.some((one) => one === kind))
    .map(({ kind, port }) => {
      const reason = listeners.find((one) => one.kind === kind)?.reason;
      return `${kind}: ${reason ?? 'its port is not known'}; port ${port} is assumed`;
    });
}
