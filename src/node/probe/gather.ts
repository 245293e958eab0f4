/** Looks at a target's interfaces, all at once, and at every socket its process listens on. */
import type { ConnectionOptions } from '../../jsonrpc/channel.js';
import { deadline } from '../../jsonrpc/deadline.js';
import type {
  EndpointFacts,
  GrpcFacts,
  LiveFacts,
  MetricsFacts,
  ProcessFacts,
  Socket,
} from '../facts/live.js';
import { type NotSeen, notSeen, type Seen, seen, seenValue } from '../facts/seen.js';
import { type GrpcPort, probeGrpc } from './grpc.js';
import { bindOf, boundAddresses, portOf } from './local/bind.js';
import type { Machine } from './local/machine.js';
import { probePort } from './ports.js';
import type { Depth } from './probes/probe.js';
import { probeEndpoint, unprobed } from './run.js';
import { accountFor, type Expected, furtherEndpoints, usesOf, withoutGuesses } from './sockets.js';
import type { Target } from './target.js';

export interface GatherOptions {
  readonly connection: ConnectionOptions;
  readonly timeoutMs: number;
  readonly depth: Depth;
  readonly machine: Machine;
  readonly signal: AbortSignal;
}

/** The node's process, and what its settings and its conf's open. */
export interface Local {
  readonly process: Seen<ProcessFacts>;
  readonly expected: readonly Expected[];
  readonly grpc: readonly GrpcPort[];
}

/** For a target no process belongs to. */
export const noProcess: Local = {
  process: notSeen('not-applicable', 'without settings there is no process to find'),
  expected: [],
  grpc: [],
};

/** Everything live about one target, within one deadline for all its interfaces. Never throws for what they do. */
export async function gatherLive(
  target: Target,
  options: GatherOptions,
  local: Local = noProcess,
): Promise<LiveFacts> {
  const end = deadline(options.timeoutMs, options.signal);
  const { connection, depth } = options;
  const node = seenValue(local.process);
  const sockets = (node === null ? null : seenValue(node.sockets)) ?? [];
  const uses = usesOf(local.expected);
  const guessable = local.expected.every(({ peerPorts }) => peerPorts !== null);
  const further = guessable ? furtherEndpoints(sockets, uses, target.endpoints) : [];
  const bound = await binding(target, node, options.machine);
  try {
    const endpoints = [...target.endpoints, ...further].map(async ({ address, source }) => {
      const { endpoint } = address;
      const url = endpoint.kind === 'ipc' ? null : endpoint.url;
      const why = url === null ? null : reasonNotDialled(url, source, node);
      const facts =
        why === null
          ? await probeEndpoint({ address, source, options: connection, depth, signal: end.signal })
          : unprobed(address, source, why);
      return url === null ? facts : { ...facts, bind: bound(url, source) };
    });
    const ports = depth === 'none' ? [] : target.metrics;
    const metrics = ports.map(async (port): Promise<MetricsFacts> => {
      const why = reasonNotDialled(port.url, port.source, node);
      const facts =
        why === null
          ? await probePort(port, connection, end.signal)
          : { ...port, metrics: why, profiler: why };
      return { ...facts, bind: bound(port.url, port.source) };
    });
    const grpc = local.grpc.map(async ({ url, source, unknown }): Promise<GrpcFacts> => {
      const why = notAsked(target, unknown, depth) ?? reasonNotDialled(url, source, node);
      return { url, source, listening: why ?? (await probeGrpc(url, end.signal)), bind: bound(url, source) };
    });
    const asked = await Promise.all(endpoints);
    return {
      endpoints: withoutGuesses(asked, uses),
      metrics: await Promise.all(metrics),
      grpc: await Promise.all(grpc),
      process: local.process,
      sockets: accountFor(sockets, uses, asked),
    };
  } finally {
    end.clear();
  }
}

function notAsked({ simulated }: Target, unknown: string | null, depth: Depth): NotSeen | null {
  if (simulated) return notSeen('not-asked', 'a simulated node has no gRPC');
  if (unknown !== null) return notSeen('indeterminate', unknown);
  return depth === 'none' ? notSeen('left-out', 'not asked (--probe none)') : null;
}

type Source = EndpointFacts['source'];

/**
 * Why an address is not dialled; null: it is. What only the node's settings name is the node's only where its process
 * listens: another program, or another node, may answer there.
 */
function reasonNotDialled(url: string, source: Source, node: ProcessFacts | null): NotSeen | null {
  if (node === null || isNamed(source)) return null;
  if (node.network === 'other') return otherNamespace(node);
  if (node.sockets.state !== 'seen' || boundAddresses(url, node.sockets.value).length > 0) return null;
  return notSeen('refused', `process ${node.pid} does not listen on port ${portOf(url)}`);
}

function isNamed(source: Source): boolean {
  return source === 'argument' || source === 'inventory';
}

function otherNamespace({ pid }: ProcessFacts): NotSeen {
  const how = `nsenter -t ${pid} -n kaiactl node audit pid:${pid}`;
  return notSeen('other-namespace', `process ${pid} is in a network of its own; to see it, ${how}`);
}

/** Which addresses a URL's port is bound to: the node's own sockets count first. */
async function binding(target: Target, node: ProcessFacts | null, machine: Machine) {
  const listening = await machine.sockets();
  const own = (node === null ? null : seenValue(node.sockets)) ?? [];
  const apart = node?.network === 'other';
  return (url: string, source: Source): Seen<readonly string[]> => {
    if (target.simulated) return notSeen('not-applicable', 'it is simulated');
    if (!apart) return bindOf(url, { machine: listening, node: own });
    return isNamed(source)
      ? bindOf(url, { machine: listening, node: [] })
      : boundApart(url, own, otherNamespace(node));
  };
}

function boundApart(url: string, own: readonly Socket[], why: NotSeen): Seen<readonly string[]> {
  const addresses = boundAddresses(url, own);
  return addresses.length > 0 ? seen(addresses) : why;
}
