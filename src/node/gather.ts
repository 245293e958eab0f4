/** Gathers the facts about one target. Separate from judging, so that lint loads no network code. */
import type { Facts } from './facts/facts.js';
import type { LiveFacts, ProcessFacts } from './facts/live.js';
import { reachOfHost } from './facts/reach.js';
import { type Seen, seen, seenValue } from './facts/seen.js';
import type { AssumedReach } from './facts/settings.js';
import { kinds } from './kinds/index.js';
import { kindBehind, withKind } from './kinds/node.js';
import {
  findProcess,
  type GatherOptions,
  gatherLive,
  isElsewhere,
  type Local,
  type Machine,
  namesOf,
  noProcess,
  openedPorts,
  ownerOf,
  type Target,
  targetFromHost,
  urlFromHost,
  urlsOf,
  withStarted,
} from './probe/index.js';
import { running } from './sources/running.js';

export interface GatherTargetOptions extends Omit<GatherOptions, 'kinds'> {
  /** The reach of interfaces as the operator states it; a target's own statement overrides it. */
  readonly assumeReach?: AssumedReach | undefined;
  /** Milliseconds since 1970. */
  now(): number;
}

/** Gathers all facts about one target. Never throws: a failure is a fact about the target. */
export async function gather(target: Target, options: GatherTargetOptions): Promise<Facts> {
  const { name, role } = target;
  const assumed = { ...options.assumeReach, ...target.assumeReach };
  const facts = {
    name,
    role,
    ...(target.nodeVersion === undefined ? {} : { nodeVersion: target.nodeVersion }),
    conf: target.conf,
    gatheredAt: new Date(options.now()).toISOString(),
    ...(Object.keys(assumed).length === 0 ? {} : { assumed }),
  };
  if (isUnread(facts) || target.open !== undefined) return { ...facts, live: null, ...target.open };
  try {
    const { target: whole, local } = await locate(target, options.machine);
    const live = await gatherLive(whole, { ...options, kinds }, local);
    const inForce = await reachInForce(live, options.machine);
    return { ...facts, ...asAnswering({ conf: whole.conf, live }), ...inForce };
  } catch (error) {
    return { ...facts, live: null, defect: error instanceof Error ? error.message : String(error) };
  }
}

/** What narrows and widens the reach of a node on its machine: the rules in force, and programs that forward to it. */
async function reachInForce(
  { process }: LiveFacts,
  machine: Machine,
): Promise<Pick<Facts, 'closed' | 'hops' | 'signs'>> {
  const node = seenValue(process);
  if (node === null) return {};
  const beside = machine.beside(node);
  const sockets = seenValue(node.sockets) ?? [];
  const isWide = sockets.some(({ address }) => reachOfHost(address).reach !== 'loopback');
  // To a node on loopback no packets are translated, unless the kernel routes them.
  const isAsked = isWide || (sockets.length > 0 && beside.routesLoopback === true);
  const rules = isAsked ? await machine.rulesFor(node.pid) : null;
  const { closedBy } = await import('./deployment/firewalls/in-force.js');
  const closed = rules === null ? [] : closedBy(rules);
  const { relaysBeside } = await import('./deployment/local-relays.js');
  const given = { ...beside, rules: rules?.dumps ?? [], closed };
  const { hops, signs } =
    node.settings === null ? { hops: [], signs: [] } : relaysBeside(node.settings, given);
  return {
    ...(closed.length === 0 || !isWide ? {} : { closed }),
    ...(hops.length === 0 ? {} : { hops }),
    ...(signs.length === 0 ? {} : { signs }),
  };
}

/** With the settings of the process read as those of the kind that answers, where kinds share a program. */
function asAnswering({ conf, live }: Pick<Facts, 'conf'> & { readonly live: LiveFacts }) {
  if (live.process.state !== 'seen') return { conf, live };
  const process = live.process.value;
  const kind = kindBehind(kinds, process, live.endpoints);
  const own = kind === null ? null : running([kind], process);
  if (own === null) return { conf, live };
  const isOwn = conf?.state === 'seen' && conf.value.settings.source.kind === 'process';
  return {
    conf: isOwn ? seen(own.conf) : conf,
    live: { ...live, process: seen({ ...process, settings: own.conf.settings }) },
  };
}

/** Finds the target's process and adds its interfaces; without a conf its settings come from the process. */
export async function locate(
  given: Target,
  machine: Machine,
): Promise<{ readonly target: Target; readonly local: Local }> {
  const target = await withNames(given, machine);
  const found = target.simulated ? noProcess.process : processOf(target, machine);
  const own = found.state === 'seen' ? running(kinds, found.value) : null;
  const conf = target.conf ?? (own === null ? null : seen(own.conf));
  const declared = conf?.state === 'seen' ? conf.value.settings.listeners : [];
  const configured = { listeners: declared, peerPorts: [] };
  const sources = [
    ...(own === null ? [] : [{ settings: withKind(kinds, own.conf.settings), source: 'process' as const }]),
    ...(target.conf?.state === 'seen'
      ? [{ settings: withKind(kinds, target.conf.value.settings), source: 'conf' as const }]
      : []),
  ];
  const grpc = openedPorts('grpc', target, ...sources);
  const engine = target.engine ?? openedPorts('authrpc', target, ...sources);
  if (found.state !== 'seen' || own === null) {
    return {
      target: { ...target, conf },
      local: { process: found, expected: target.simulated ? [] : [configured], grpc, engine },
    };
  }
  const { settings } = own.conf;
  const process = { ...found.value, settings };
  const fromHost = (ports: typeof engine) =>
    ports.map((port) => ({ ...port, url: urlFromHost(process, port.url) }));
  const started = { listeners: settings.listeners, peerPorts: own.peerPorts };
  return {
    target: targetFromHost(withStarted({ ...target, conf }, process, kinds), process),
    local: {
      process: seen(process),
      expected: [started, configured],
      grpc: fromHost(grpc),
      engine: fromHost(engine),
    },
  };
}

/** With the addresses of the host names in its URLs. */
async function withNames(target: Target, machine: Machine): Promise<Target> {
  const dialled = target.endpoints.flatMap(({ address }) => urlsOf(address.endpoint));
  const names = await namesOf([...dialled, ...target.metrics.map(({ url }) => url)], machine.resolve);
  return Object.keys(names).length === 0 ? target : { ...target, names };
}

/** The named process, or the one found by the settings or by the ports of the endpoints. */
function processOf({ process, conf, endpoints, names }: Target, machine: Machine): Seen<ProcessFacts> {
  if (process !== undefined) return seen(process);
  if (endpoints.some((one) => isElsewhere(one, names))) return noProcess.process;
  if (conf?.state === 'seen') return findProcess(withKind(kinds, conf.value.settings), machine.processes());
  const urls = endpoints.flatMap(({ address }) => urlsOf(address.endpoint));
  const owner = urls.length === 0 ? null : ownerOf(urls, machine.processes(), names);
  return owner === null ? noProcess.process : seen(owner);
}

/** Whether the target's settings could not be read. */
export function isUnread({ conf }: Pick<Facts, 'conf'>): boolean {
  return conf !== null && conf.state !== 'seen';
}
