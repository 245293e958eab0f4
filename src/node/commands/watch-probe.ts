/** `node watch --serve-probe`: audits a node when Prometheus asks for it, as the blackbox exporter does. */

import { setMaxListeners } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { resolve } from 'node:path';
import { type ExitCode, exit, explain, KaiactlError } from '../../errors.js';
import { type Host, print } from '../../host.js';
import type { Facts } from '../facts/facts.js';
import { gather } from '../gather.js';
import { policies } from '../kinds/policies.js';
import type { Machine } from '../probe/index.js';
import { expectProxies, readConnection } from './connection.js';
import { type Clock, concurrency } from './fleet.js';
import { type InventoryNode, readInventory } from './inventory.js';
import { type Judging, judgingOf } from './judging.js';
import type { VerbOptions } from './options/verbs.js';
import { loadPolicy } from './policy-file.js';
import { isForeign, type Named, type Question, questionOf, refuse } from './probe-request.js';
import { machineOfHost } from './processes.js';
import { inventoryTarget } from './targets.js';
import { healthReply, listenOn, notFound, type Reply } from './watch-listener.js';
import { exporterMetrics, type ProbeResult, probeMetrics, selfMetrics } from './watch-metrics.js';

type Options = VerbOptions<'watch'> & { readonly targets: readonly string[] };

/** Read at the start, and again at SIGHUP. */
interface Loaded extends Named {
  readonly judging: Judging;
}

interface Probe {
  readonly facts: Facts;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly durationMs: number;
}

/**
 * Runs until it is interrupted.
 * @throws {KaiactlError} on invalid options, or an inventory, policy or baseline that cannot be read (exit 2)
 */
export async function serveProbes(options: Options, host: Host, clock: Clock): Promise<ExitCode> {
  const { listen, inventory } = expectOptions(options);
  const exporter = exporterOf(await load(inventory, options, host), {
    limit: concurrency(options.concurrency),
    probe: prober(options, host, clock),
    own: selfMetrics(),
    failed: async (error) => void (await print(host.stderr, `${explain(error).join('\n')}\n`)),
  });
  host.onHangup?.(() => void exporter.reload(() => load(inventory, options, host)));
  const listener = await listenOn(listen, (request) =>
    isForeign(request.headers.host, listener.bind)
      ? refuse(403, `the Host header is not ${listener.origin.slice(7)} or another name of this machine`)
      : exporter.answer(request),
  );
  if (!options.quiet) await print(host.stderr, `kaiactl: probes at ${listener.origin}/probe?target=NAME\n`);
  while (!host.signal.aborted) await clock.wait(dayMs, host.signal);
  await listener.close();
  await exporter.idle();
  return exit.interrupted;
}

const dayMs = 86_400_000;

async function load(inventory: string, options: Options, host: Host): Promise<Loaded> {
  const { nodes, problems } = await readInventory(resolve(host.cwd, inventory));
  for (const { error } of problems) throw error;
  const byName = new Map(nodes.map((node) => [node.name, node]));
  const own = options.policy === undefined ? [] : [await loadPolicy(options.policy, host)];
  expectProxies(
    nodes.flatMap(({ endpoints }) => endpoints),
    readConnection(options, host.env).options,
  );
  return {
    nodes: byName,
    policies: new Map([...Object.values(policies), ...own].map((policy) => [policy.name, policy])),
    judging: await judgingOf(options, host),
  };
}

function prober(options: Options, host: Host, clock: Clock): ExporterParts['probe'] {
  const { timeoutMs, options: connection } = readConnection(options, host.env);
  setMaxListeners(concurrency(options.concurrency) + 20, host.signal);
  const machine = recentMachine(host, clock);
  return async (node, limitMs) => {
    const [at, startedAt] = [host.now(), clock.now()];
    const facts = await gather(await inventoryTarget(node, options, host), {
      connection,
      depth: options.probe,
      machine: machine(),
      signal: host.signal,
      now: () => host.now(),
      timeoutMs: Math.min(node.timeoutMs ?? timeoutMs, limitMs),
    });
    return { facts, at, durationMs: clock.now() - startedAt };
  };
}

/** This machine. Nodes that are probed within a second share its processes and sockets: reading them takes most of a probe. */
function recentMachine(host: Host, clock: Clock): () => Machine {
  let held = { machine: machineOfHost(host), at: clock.now() };
  return () => {
    if (clock.now() - held.at > 1_000) held = { machine: machineOfHost(host), at: clock.now() };
    return held.machine;
  };
}

interface ExporterParts {
  /** The number of nodes that are audited concurrently. */
  readonly limit: number;
  probe(node: InventoryNode, limitMs: number): Promise<Probe>;
  /** The metrics of this process. */
  own(): Promise<string>;
  /** Reports an error. */
  failed(error: unknown): Promise<void>;
}

/** Answers requests. A node is audited once at a time: requests that ask meanwhile share the facts. */
function exporterOf(loaded: Loaded, parts: ExporterParts) {
  const running = new Map<string, Promise<Probe>>();
  const requests: Record<ProbeResult, number> = { completed: 0, failed: 0, refused: 0, invalid: 0 };

  /** Keeps what was loaded before if the files cannot be read. */
  async function reload(load: () => Promise<Loaded>): Promise<void> {
    try {
      loaded = await load();
    } catch (error) {
      await parts.failed(error);
    }
  }

  async function answer({ method, url = '', headers }: IncomingMessage): Promise<Reply> {
    const base = 'http://localhost';
    const asked = method === 'GET' && URL.canParse(url, base) ? new URL(url, base) : null;
    const sizes = { running: running.size, targets: loaded.nodes.size };
    if (asked?.pathname === '/metrics')
      return { status: 200, text: (await exporterMetrics(requests, sizes)) + (await parts.own()) };
    const health = healthReply(asked?.pathname, ['/metrics', '/targets', '/probe?target=NAME']);
    if (health !== null) return health;
    if (asked?.pathname === '/targets')
      return { status: 200, text: discovery(loaded), type: 'application/json' };
    if (asked?.pathname !== '/probe') return notFound;
    const question = questionOf(asked.searchParams, headers, loaded);
    const [result, reply] = 'status' in question ? (['invalid', question] as const) : await probe(question);
    requests[result] += 1;
    return reply;
  }

  /** Resolves when no node is being audited. */
  async function idle(): Promise<void> {
    await Promise.allSettled(running.values());
  }

  async function probe(question: Question): Promise<readonly [ProbeResult, Reply]> {
    const { judging } = loaded;
    const begun = begin(question);
    // A queue would shorten the time of a probe, and its result would blame the node.
    if (begun === null)
      return ['refused', refuse(503, 'too many nodes are being audited: raise --concurrency')];
    try {
      const { facts, ...times } = await begun;
      const report = await judging.judge(facts, { edits: 'none', policy: question.policy });
      return ['completed', { status: 200, text: await probeMetrics(report, times) }];
    } catch (error) {
      await parts.failed(error);
      return ['failed', refuse(500, 'the probe failed: kaiactl has printed why')];
    }
  }

  /** The probe of the node that is under way, or a new one; null if too many are under way. */
  function begin({ node, limitMs }: Question): Promise<Probe> | null {
    const found = running.get(node.name);
    if (found !== undefined || running.size >= parts.limit) return found ?? null;
    const begun = parts.probe(node, limitMs).finally(() => running.delete(node.name));
    running.set(node.name, begun);
    return begun;
  }

  return { reload, answer, idle };
}

/** Options of rounds, which --serve-probe does not make: a user who sets one expects its effect. */
const ofRounds = ['textfile', 'webhook', 'notifyInitial', 'state', 'rate'] as const;

/** @throws {KaiactlError} without an address and an inventory, or with anything that only rounds use (exit 2) */
function expectOptions(options: Options): { readonly listen: string; readonly inventory: string } {
  const { listen, inventory, targets, targetsFrom } = options;
  if (listen === undefined || inventory === undefined)
    throw new KaiactlError(`--serve-probe needs --${listen === undefined ? 'listen' : 'inventory'}`, {
      hint: 'For example --listen 127.0.0.1:9469 --inventory fleet.ini.',
    });
  if (targets.length > 0 || targetsFrom !== undefined)
    throw new KaiactlError('--serve-probe audits the nodes of --inventory only', {
      hint: 'Add a section for each target to the inventory.',
    });
  const idle = ofRounds.find((one) => options[one] !== undefined && options[one] !== false);
  const flag = idle?.replace(/[A-Z]/, (sign) => `-${sign.toLowerCase()}`);
  if (flag !== undefined)
    throw new KaiactlError(`--serve-probe has no rounds, which --${flag} needs`, {
      hint: 'Run a second watch without --serve-probe.',
    });
  return { listen, inventory };
}

/** The nodes for http_sd_configs. */
function discovery({ nodes }: Loaded): string {
  const groups = [...nodes.values()].map(({ name, role }) => ({
    targets: [name],
    labels: role === null ? {} : { role },
  }));
  return `${JSON.stringify(groups)}\n`;
}
