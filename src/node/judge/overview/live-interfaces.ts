/** What was seen of each interface, as the report carries it. */

import type { AccessReport, InterfaceReport } from '../../facts/report.js';
import { type NotSeenCode, type Seen, seenValue } from '../../facts/seen.js';
import type { Listener } from '../../facts/settings.js';
import { switchOf } from '../exposure/unsafe-debug.js';
import { isOpen, letIn, stoodOpen } from '../live/answers.js';
import type { Live, LiveEndpoint, LiveGrpc, LivePort } from '../live/live.js';
/** One row an interface, in the order they were asked. */
export function liveInterfaces(live: Live): InterfaceReport[] {
  return [...live.endpoints.map(ofEndpoint), ...live.grpc.map(ofGrpc), ...live.metrics.map(ofMetrics)];
}

function ofEndpoint(endpoint: LiveEndpoint): InterfaceReport {
  const { kind } = endpoint.endpoint;
  const open = isOpen(endpoint);
  const mode = seenValue(endpoint.fileMode);
  return {
    transport: kind,
    endpoint: endpoint.name,
    source: endpoint.source,
    state: open ? 'open' : endpoint.listener?.state === 'off' ? 'closed' : stateOf(endpoint.modules),
    reason: endpoint.modules.state === 'seen' ? null : endpoint.modules.detail,
    modules: seenValue(endpoint.modules),
    client: seenValue(endpoint.client),
    latencyMs: endpoint.latencyMs,
    bind: seenValue(endpoint.bind) ?? bindOf(endpoint.listener),
    reach: endpoint.reach.reach,
    reachBy: endpoint.reach.by,
    chain: seenValue(endpoint.chain),
    access: {
      foreignHost: letIn(endpoint.foreignHost),
      foreignOrigin: letIn(endpoint.foreignOrigin),
      fileMode: mode === null ? null : mode.toString(8).padStart(4, '0'),
      profiler: null,
    },
    unsafeDebug: switchOf(endpoint)?.state ?? null,
    requests: endpoint.sent.requests,
  };
}

/** What it offers is every Public service, as the settings have them: there is no list to ask for. */
function ofGrpc({ url, source, listening, bind, listener, reach }: LiveGrpc): InterfaceReport {
  return {
    transport: 'grpc',
    endpoint: url.replace(/^http/, 'grpc'),
    source,
    state: listening.state === 'seen' ? 'open' : stateOf(listening),
    reason: listening.state === 'seen' ? null : listening.detail,
    modules:
      listener?.modules == null ? null : Object.fromEntries(listener.modules.map((name) => [name, ''])),
    client: null,
    latencyMs: null,
    bind: seenValue(bind) ?? bindOf(listener),
    reach: reach.reach,
    reachBy: reach.by,
    requests: 0,
  };
}

function ofMetrics(port: LivePort): InterfaceReport {
  const { metrics, profiler } = port;
  const off = port.listener?.state === 'off';
  const serves = stoodOpen(metrics) || stoodOpen(profiler);
  const access: AccessReport = {
    foreignHost: null,
    foreignOrigin: null,
    fileMode: null,
    profiler: letIn(profiler),
  };
  return {
    transport: 'metrics',
    endpoint: port.url,
    source: port.source,
    state: serves ? 'open' : metrics.state === 'seen' || off ? 'closed' : stateOf(metrics),
    reason: metrics.state === 'seen' ? null : metrics.detail,
    modules: null,
    client: null,
    latencyMs: null,
    bind: seenValue(port.bind) ?? bindOf(port.listener),
    reach: port.reach.reach,
    reachBy: port.reach.by,
    access,
    requests: metrics.state === 'seen' ? 2 : 1,
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

/** What is not an answer is not an open interface. */
function stateOf(fact: Seen<unknown>): 'refused' | 'unreachable' | 'not-checked' {
  if (fact.state === 'seen') return 'not-checked';
  return rowStates[fact.code] ?? 'unreachable';
}

/** Where the settings make it listen, for what the kernel does not show; null where they do not say. */
function bindOf(listener: Listener | null): string[] | null {
  return listener?.state === 'on' && listener.host !== null ? [listener.host] : null;
}
