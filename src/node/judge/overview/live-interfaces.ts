/** The interfaces of a live node, for the report. */
import { isContainerOnly } from '../../facts/reach.js';
import type { InterfaceReport, TargetReport } from '../../facts/report.js';
import { type NotSeenCode, type Seen, seenValue } from '../../facts/seen.js';
import { type Listener, octalOf } from '../../facts/settings.js';
import { switchOf } from '../exposure/unsafe-debug.js';
import { accessOf, isAccessOpen, isOpen } from '../live/answers.js';
import type { LiveEndpoint, LiveEngine, LiveGrpc, LivePort } from '../live/interfaces.js';
import type { Live } from '../live/live.js';
import { isClosed } from '../live/parts.js';

/** One row per interface, in the order of the requests. */
export function liveInterfaces(live: Live): InterfaceReport[] {
  return [
    ...live.endpoints.map((one) => ofEndpoint(live, one)),
    ...live.engine.map(ofEngine),
    ...live.grpc.map(ofGrpc),
    ...live.metrics.map(ofMetrics),
  ];
}

/** The node's process: null when it does not run on this machine, absent when that is not known. */
export function liveProcess({ process: node }: Live): Pick<TargetReport, 'process'> {
  if (node.state !== 'seen') return node.code === 'not-found' ? { process: null } : {};
  const { pid, startedAt, argv, settings, container, containerName, unit, user } = node.value;
  const dataDir = settings?.values.datadir?.value;
  return {
    process: {
      pid,
      startedAt: startedAt === null ? null : new Date(startedAt).toISOString(),
      program: (argv[0] ?? '').replace(/^.*\//, ''),
      dataDir: typeof dataDir === 'string' ? dataDir : null,
      ...(user === undefined ? {} : { user }),
      ...(unit === undefined ? {} : { unit }),
      container: containerName ?? container,
    },
  };
}

function ofEndpoint(live: Live, endpoint: LiveEndpoint): InterfaceReport {
  const { kind } = endpoint.endpoint;
  const open = isOpen(endpoint);
  const mode = seenValue(endpoint.fileMode);
  return {
    ...rowOf({ ...endpoint, reach: endpoint.bound }, endpoint.modules, {
      transport: kind,
      endpoint: endpoint.name,
      state: open ? 'open' : isClosed(live, endpoint) ? 'closed' : stateOf(endpoint.modules),
      modules: seenValue(endpoint.modules),
    }),
    client: seenValue(endpoint.client),
    latencyMs: endpoint.latencyMs,
    browsers: endpoint.browsers,
    chain: seenValue(endpoint.chain),
    access: {
      ...noAccess,
      foreignHost: accessOf(endpoint.foreignHost),
      foreignOrigin: accessOf(endpoint.foreignOrigin),
      fileMode: mode === null ? null : octalOf(mode),
    },
    unsafeDebug: switchOf(endpoint)?.state ?? null,
    ...(kind === 'ipc' ? { unlocked: seenValue(endpoint.unlocked) } : {}),
    requests: endpoint.sent.requests,
  };
}

/** A refusal for want of a token tells that it is open, and nothing of CORS or Host. */
function ofEngine(port: LiveEngine): InterfaceReport {
  const { url, answer, requests } = port;
  const shown = seenValue(answer);
  return {
    ...rowOf(port, answer, {
      transport: 'http',
      role: 'engine',
      endpoint: url,
      state: shown === null ? stateOf(answer) : 'open',
      modules: shown?.refusal === null ? shown.modules : null,
    }),
    browsers: 'none',
    access: { ...noAccess, login: shown === null ? null : shown.refusal !== null },
    requests,
  };
}

/** gRPC has no module list to ask for: the modules are those of the settings. */
function ofGrpc(port: LiveGrpc): InterfaceReport {
  const { url, listening, listener } = port;
  const row = rowOf(port, listening, {
    transport: 'grpc',
    endpoint: url.replace(/^http/, 'grpc'),
    state: listening.state === 'seen' ? 'open' : stateOf(listening),
    modules:
      listener?.modules == null ? null : Object.fromEntries(listener.modules.map((name) => [name, ''])),
  });
  return { ...row, browsers: 'none', requests: 0 };
}

function ofMetrics(port: LivePort): InterfaceReport {
  const { metrics, profiler } = port;
  const off = port.listener?.state === 'off';
  const serves = isAccessOpen(metrics) || isAccessOpen(profiler);
  return {
    ...rowOf(port, metrics, {
      transport: 'metrics',
      endpoint: port.url,
      state: serves ? 'open' : metrics.state === 'seen' || off ? 'closed' : stateOf(metrics),
      modules: null,
    }),
    browsers: null,
    access: { ...noAccess, profiler: accessOf(profiler) },
    requests: metrics.state === 'seen' ? 2 : 1,
  };
}

const noAccess = { foreignHost: null, foreignOrigin: null, fileMode: null, profiler: null };

/**
 * What every row has, in the order of a report; `asked`: what was asked first. Settings whose listener is inside a container
 * prove less than an address of this machine.
 */
function rowOf(
  { source, bind, listener, reach: known }: Pick<LiveEndpoint, 'source' | 'bind' | 'listener' | 'reach'>,
  asked: Seen<unknown>,
  {
    state,
    modules,
    ...place
  }: Pick<InterfaceReport, 'transport' | 'role' | 'endpoint' | 'state' | 'modules'>,
) {
  const { reach, by, via = [] } = known;
  const isOnly = by === 'settings' && reach === 'loopback' && listener !== null && isContainerOnly(listener);
  const reachVia = via.map((rules) => `${rules}: ${reach}`);
  return {
    ...place,
    source,
    state,
    reason: asked.state === 'seen' ? null : asked.detail,
    modules,
    client: null,
    latencyMs: null,
    bind: seenValue(bind) ?? bindOf(listener),
    reach,
    reachBy: by,
    ...(isOnly ? { containerOnly: true as const } : {}),
    ...(reachVia.length === 0 ? {} : { reachVia }),
  };
}

const rowStates: Readonly<Partial<Record<NotSeenCode, 'refused' | 'not-checked'>>> = {
  refused: 'refused',
  'not-permitted': 'refused',
  'rpc-error': 'refused',
  interrupted: 'not-checked',
  'not-asked': 'not-checked',
  'left-out': 'not-checked',
  'not-applicable': 'not-checked',
  'other-namespace': 'not-checked',
  indeterminate: 'not-checked',
};

function stateOf(fact: Seen<unknown>): 'refused' | 'unreachable' | 'not-checked' {
  if (fact.state === 'seen') return 'not-checked';
  return rowStates[fact.code] ?? 'unreachable';
}

/** The address in the settings, if the kernel shows none; null if it is not known. */
function bindOf(listener: Listener | null): string[] | null {
  return listener?.state === 'on' && listener.host !== null ? [listener.host] : null;
}
