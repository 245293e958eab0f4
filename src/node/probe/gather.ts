/** Looks at a target's interfaces, all at once, and at every socket its process listens on. */
import type { ConnectionOptions } from '../../jsonrpc/channel.js';
import { deadline } from '../../jsonrpc/deadline.js';
import type { LiveFacts, ProcessFacts } from '../facts/live.js';
import type { Reach } from '../facts/reach.js';
import { notSeen, type Seen, seenValue } from '../facts/seen.js';
import { bindOf, type Listening } from './local/bind.js';
import { machineSockets, type Place } from './local/sockets.js';
import { probePort } from './ports.js';
import type { Depth } from './probes/probe.js';
import { probeEndpoint } from './run.js';
import { accountFor, type Expected, furtherEndpoints, usesOf, withoutGuesses } from './sockets.js';
import type { Target } from './target.js';

export interface GatherOptions {
  readonly connection: ConnectionOptions;
  readonly timeoutMs: number;
  readonly depth: Depth;
  readonly process: Place;
  /** Who reaches an interface, by its kind, where the operator says so. */
  readonly assumeReach?: Readonly<Partial<Record<string, Reach>>>;
  readonly signal: AbortSignal;
}

/** The node's process, and what its settings and its conf's open. */
export interface Local {
  readonly process: Seen<ProcessFacts>;
  readonly expected: readonly Expected[];
}

/** For a target no process belongs to. */
export const noProcess: Local = {
  process: notSeen('not-applicable', 'without settings there is no process to find'),
  expected: [],
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
  const listening: Listening = { machine: await machineSockets(options.process), node: sockets };
  const bound = (url: string) =>
    target.simulated ? notSeen('not-applicable', 'it is simulated') : bindOf(url, listening);
  try {
    const endpoints = [...target.endpoints, ...further].map(async ({ address, source }) => {
      const facts = await probeEndpoint({ address, source, options: connection, depth, signal: end.signal });
      return facts.endpoint.kind === 'ipc' ? facts : { ...facts, bind: bound(facts.endpoint.url) };
    });
    const ports = depth === 'none' ? [] : target.metrics;
    const metrics = ports.map(async (port) => ({
      ...(await probePort(port, connection, end.signal)),
      bind: bound(port.url),
    }));
    const asked = await Promise.all(endpoints);
    return {
      ...(options.assumeReach === undefined ? {} : { assumed: options.assumeReach }),
      endpoints: withoutGuesses(asked, uses),
      metrics: await Promise.all(metrics),
      process: local.process,
      sockets: accountFor(sockets, uses, asked),
    };
  } finally {
    end.clear();
  }
}
