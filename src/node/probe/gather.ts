/** Probes a target's interfaces concurrently, and every socket that its process listens on. */
import type { ConnectionOptions } from '../../jsonrpc/channel.js';
import { deadline } from '../../jsonrpc/deadline.js';
import type {
  EndpointFacts,
  EngineFacts,
  GrpcFacts,
  LiveFacts,
  MetricsFacts,
  Names,
  ProcessFacts,
  Socket,
} from '../facts/live.js';
import { type NotSeen, notSeen, type Seen, seen, seenValue } from '../facts/seen.js';
import { starterOfProcess } from '../kinds/find.js';
import type { Kind } from '../kinds/kind.js';
import { kindAnswering, kindKnown } from '../kinds/node.js';
import { isPublished, socketsFromHost } from './from-host.js';
import { bindOf, boundAddresses, isNamed } from './local/bind.js';
import type { Machine } from './local/machine.js';
import { probeEngine, probeGrpc, probePort } from './ports.js';
import { probesOf } from './probes/index.js';
import type { Depth, Probe } from './probes/probe.js';
import { factsWithoutProbes, probeEndpoint } from './run.js';
import {
  accountFor,
  type Expected,
  furtherEndpoints,
  profilerUrl,
  unexplainedSockets,
  usesOf,
} from './sockets.js';
import type { OpenedPort, Target } from './target.js';

export interface GatherOptions {
  readonly connection: ConnectionOptions;
  readonly timeoutMs: number;
  readonly depth: Depth;
  /** The kinds of node that may answer. */
  readonly kinds: readonly Kind[];
  readonly machine: Machine;
  readonly signal: AbortSignal;
}

/** The node's process, and the interfaces that its settings open. */
export interface Local {
  readonly process: Seen<ProcessFacts>;
  readonly expected: readonly Expected[];
  readonly grpc: readonly OpenedPort[];
  readonly engine: readonly OpenedPort[];
}

/** For a target without a process. */
export const noProcess: Local = {
  process: notSeen('not-applicable', 'without settings there is no process to find'),
  expected: [],
  grpc: [],
  engine: [],
};

/** All live facts about a target, within one deadline. Never throws for errors of the node or the network. */
export async function gatherLive(
  target: Target,
  options: GatherOptions,
  local: Local = noProcess,
): Promise<LiveFacts> {
  const end = deadline(options.timeoutMs, options.signal);
  const node = seenValue(local.process);
  const { sockets, uses, further, unknown } = furtherOf(target, local);
  const visit = {
    target,
    options,
    probesOf: probesFor(target, node, options.kinds),
    node,
    bound: await binding(target, node, options.machine),
    signal: end.signal,
  };
  try {
    const endpoints = [...target.endpoints, ...further];
    const [all, known, grpc, engine] = await Promise.all([
      Promise.all(endpoints.map((one) => askUnlessSilent(visit, one))).then((found) =>
        askUnnamed(visit, endpoints, found),
      ),
      Promise.all((options.depth === 'none' ? [] : target.metrics).map((one) => askPort(visit, one))),
      Promise.all(local.grpc.map((one) => askGrpc(visit, one))),
      Promise.all(local.engine.map((one) => askEngine(visit, one))),
    ]);
    const asked = all.flat();
    const { names = {} } = target;
    const silent = accountFor(unknown, uses, asked, { names }).filter(({ use }) => use === 'unknown');
    const found =
      options.depth === 'none' ? [] : await Promise.all(silent.map((one) => askSocket(visit, one)));
    const metrics = [...known, ...found.flat()];
    const unmatched = unexplainedSockets(seenValue(node?.userSockets ?? none) ?? [], uses, target);
    return {
      ...(target.names === undefined ? {} : { names: target.names }),
      endpoints: asked,
      metrics,
      grpc,
      engine,
      process: local.process,
      sockets: accountFor(sockets, uses, asked, { ports: metrics.filter(serves), names }),
      ...(unmatched.length === 0 ? {} : { unmatched }),
    };
  } finally {
    end.clear();
  }
}

const none = notSeen('not-asked', 'not asked');

/**
 * What the sockets of the process add to the target: endpoints, and sockets that no settings explain. A socket that may be
 * for peers is not asked.
 */
export function furtherOf(target: Target, { process: node, expected }: Local) {
  const own = (node.state === 'seen' ? seenValue(node.value.sockets) : null) ?? [];
  const sockets = node.state === 'seen' ? socketsFromHost(node.value, own) : [];
  const inside = new Map(sockets.map((socket, at) => [keyOf(socket), own[at] ?? socket]));
  const uses = usesOf(expected, (socket) => inside.get(keyOf(socket)) ?? socket);
  const isKnown = expected.every(({ peerPorts }) => peerPorts !== null);
  return {
    sockets,
    uses,
    further: isKnown ? furtherEndpoints(sockets, uses, target) : [],
    unknown: isKnown ? unexplainedSockets(sockets, uses, target) : [],
  };
}

function keyOf({ address, port }: Socket): string {
  return `${port} ${address}`;
}

/** An endpoint that surely is the process's own is a client of its kind; a simulated node is of the kind of its settings. */
function probesFor(target: Target, node: ProcessFacts | null, kinds: readonly Kind[]): Visit['probesOf'] {
  const settings = target.simulated && target.conf?.state === 'seen' ? target.conf.value.settings : null;
  const running = node === null ? undefined : starterOfProcess(kinds, node)?.kind.id;
  const own = probesOf(kinds, settings?.kind ?? running);
  const any = settings === null ? probesOf(kinds) : own;
  const isOwn = (url: string) => node?.sockets.state === 'seen' || (node !== null && isPublished(node, url));
  return (url, source) => (url !== null && !isNamed(source) && isOwn(url) ? own : any);
}

/** The context of probing one target. */
interface Visit {
  readonly target: Target;
  readonly options: GatherOptions;
  /** The probes of an endpoint. */
  probesOf(url: string | null, source: Source): readonly Probe[];
  readonly node: ProcessFacts | null;
  /** The addresses that a URL's port is bound to. */
  bound(url: string, source: Source): Seen<readonly string[]>;
  readonly signal: AbortSignal;
}

async function askEndpoint(
  { target, options: { connection, depth }, probesOf, node, bound, signal }: Visit,
  { address, source }: Target['endpoints'][number],
): Promise<EndpointFacts> {
  const probes = probesOf(address.endpoint.kind === 'ipc' ? null : address.endpoint.url, source);
  const ask = () => probeEndpoint({ address, source, options: connection, depth, probes, signal });
  if (address.endpoint.kind === 'ipc') return await ask();
  const { url } = address.endpoint;
  const why = reasonNotConnected(url, source, node, target.names);
  return {
    ...(why === null ? await ask() : factsWithoutProbes(address, source, why)),
    bind: bound(url, source),
  };
}

/** Empty for a socket that was guessed to speak this protocol and did not answer. */
async function askUnlessSilent(
  visit: Visit,
  { isGuess = false, ...one }: Target['endpoints'][number] & { readonly isGuess?: boolean },
): Promise<EndpointFacts[]> {
  const facts = await askEndpoint(visit, one);
  return isGuess && facts.latencyMs === null ? [] : [facts];
}

/**
 * Asks interfaces that show no kind for what a client of the kind is asked that another interface of the target shows, if
 * this kind refuses {} before a method runs: then the client has to do so first.
 */
async function askUnnamed(
  { options, signal }: Visit,
  endpoints: Target['endpoints'],
  all: readonly (readonly EndpointFacts[])[],
): Promise<EndpointFacts[][]> {
  const { kinds, connection, depth } = options;
  const shown = new Set(all.flat().map((one) => kindAnswering(kinds, one)));
  shown.delete(null);
  const [kind = null] = shown;
  const running = shown.size === 1 ? kindKnown(kinds, { kind }) : null;
  const isUnnamed = (one: EndpointFacts) =>
    one.calibrated.state !== 'seen' &&
    one.calibrated.code === 'not-asked' &&
    one.latencyMs !== null &&
    kindAnswering(kinds, one) === null;
  const probes = probesOf(kinds, running?.id).filter(
    ({ fact }) => fact === 'calibrated' || fact === 'methods',
  );
  const further = ({ address, source }: Target['endpoints'][number], facts: EndpointFacts) =>
    running?.probes.refusesNamedParameters === true && isUnnamed(facts)
      ? probeEndpoint({ address, source, options: connection, depth, probes, signal }, facts)
      : facts;
  return await Promise.all(
    endpoints.map((one, at) => Promise.all((all[at] ?? []).map((facts) => further(one, facts)))),
  );
}

async function askPort(
  { options, node, bound, signal }: Visit,
  asked: Target['metrics'][number],
): Promise<MetricsFacts> {
  const { path: _, ...port } = asked;
  const why = reasonNotConnected(port.url, port.source, node);
  const facts =
    why === null
      ? await probePort(asked, options.connection, signal)
      : { ...port, metrics: why, profiler: why };
  return { ...facts, bind: bound(port.url, port.source) };
}

/** A socket that no settings explain, if it serves metrics or the profiler; empty if it serves neither. */
async function askSocket(visit: Visit, socket: Socket): Promise<MetricsFacts[]> {
  const port = await askPort(visit, { kind: 'pprof', url: profilerUrl(socket), source: 'process' });
  return serves(port) ? [seenValue(port.profiler) === 'open' ? port : { ...port, kind: 'metrics' }] : [];
}

function serves({ metrics, profiler }: MetricsFacts): boolean {
  return [metrics, profiler].some((one) => seenValue(one) === 'open');
}

async function askGrpc(
  { target, options, node, bound, signal }: Visit,
  port: OpenedPort,
): Promise<GrpcFacts> {
  const { url, source } = port;
  const why = grpcNotAsked(target, options.depth) ?? portNotAsked(port, node);
  return { url, source, listening: why ?? (await probeGrpc(url, signal)), bind: bound(url, source) };
}

function grpcNotAsked({ simulated }: Target, depth: Depth): NotSeen | null {
  if (simulated) return notSeen('not-asked', 'a simulated node has no gRPC');
  return depth === 'none' ? notSeen('left-out', 'not asked (--probe none)') : null;
}

async function askEngine(
  { options: { connection }, node, bound, signal }: Visit,
  port: OpenedPort,
): Promise<EngineFacts> {
  const { url, source } = port;
  const why = portNotAsked(port, node);
  const asked = why === null ? await probeEngine(url, connection, signal) : { answer: why, requests: 0 };
  return { url, source, ...asked, bind: bound(url, source) };
}

function portNotAsked({ url, source, unknown }: OpenedPort, node: ProcessFacts | null): NotSeen | null {
  return unknown === null ? reasonNotConnected(url, source, node) : notSeen('indeterminate', unknown);
}

type Source = EndpointFacts['source'];

/**
 * Why kaiactl does not connect to an address; null when it does. An address that only settings name is probed only if
 * the node's process listens there: otherwise another program or node may answer.
 */
function reasonNotConnected(
  url: string,
  source: Source,
  node: ProcessFacts | null,
  names?: Names,
): NotSeen | null {
  if (node === null || isNamed(source)) return null;
  if (node.network === 'other') return isPublished(node, url) ? null : otherNamespace(node);
  if (node.sockets.state !== 'seen' || boundAddresses(url, node.sockets.value, names).length > 0) return null;
  return notSeen('refused', `process ${node.pid} does not listen at ${new URL(url).host}`);
}

function otherNamespace({ pid }: ProcessFacts): NotSeen {
  const how = `nsenter -t ${pid} -n kaiactl node audit pid:${pid}`;
  return notSeen(
    'other-namespace',
    `process ${pid} is in another network namespace, and whether this machine forwards the port is not known: run ${how}, and state with --assume-reach who reaches it`,
  );
}

/** Looks up the addresses of a URL's port, first among the node's own sockets. */
async function binding(target: Target, node: ProcessFacts | null, machine: Machine): Promise<Visit['bound']> {
  const listening = await machine.sockets();
  const own = (node === null ? null : seenValue(node.sockets)) ?? [];
  const apart = node?.network === 'other';
  return (url, source) => {
    const isHere = isNamed(source) || (node !== null && isPublished(node, url));
    if (target.simulated) return notSeen('not-applicable', 'it is simulated');
    if (!apart) return bindOf(url, { machine: listening, node: own }, target.names);
    return isHere
      ? bindOf(url, { machine: listening, node: [] }, target.names)
      : boundApart(url, own, otherNamespace(node));
  };
}

function boundApart(url: string, own: readonly Socket[], why: NotSeen): Seen<readonly string[]> {
  const addresses = boundAddresses(url, own);
  return addresses.length > 0 ? seen(addresses) : why;
}
