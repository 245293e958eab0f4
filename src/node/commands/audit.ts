/** `kaiactl node audit [targets…]`: gathers facts from nodes, judges and reports them. */

import { setMaxListeners } from 'node:events';
import { type ExitCode, exit, explain, KaiactlError } from '../../errors.js';
import { type Host, interruptible, print } from '../../host.js';
import type { ConnectionOptions } from '../../jsonrpc/channel.js';
import { widthOf } from '../../terminal/capabilities.js';
import { progress } from '../../terminal/progress.js';
import { visible } from '../../util/visible.js';
import { count } from '../../util/words.js';
import type { Facts } from '../facts/facts.js';
import { type GatherTargetOptions, gather, isUnread, locate } from '../gather.js';
import { kinds } from '../kinds/index.js';
import { isElsewhere, type Machine, parseEndpoint, planOf, type Target } from '../probe/index.js';
import { jsonText } from '../report/escape.js';
import { noModes } from '../sources/file.js';
import { atRoot } from './checkout-root.js';
import { type ReadTarget, readAssumedReach, seenOrUnreadable } from './conf-options.js';
import { addressesOf, expectProxies, readConnection } from './connection.js';
import { concurrency as concurrencyOf, inOrder, paceAt } from './fleet.js';
import { judgingOf } from './judging.js';
import type { VerbOptions } from './options/verbs.js';
import { openReporting, shareInBatches } from './output.js';
import { checkOutputs } from './outputs.js';
import { planTarget, planText } from './plan.js';
import { foundLine, machineOfHost, noNodeJudged } from './processes.js';
import { judgeSaved, type Sinks } from './saved-audit.js';
import { maskedFacts, saveFacts } from './saved-facts.js';
import { collectEarly, Spool } from './spool.js';
import { isOfMachine, readTargets } from './targets.js';
import { unjudgedProcesses } from './unjudged-processes.js';

export type Options = VerbOptions<'audit'> & { readonly targets: readonly string[] };

/** Audits the targets concurrently and reports them in the given order. */
export async function run(given: Options, startedWith: Host): Promise<ExitCode> {
  const { options, host } = atRoot(given, startedWith);
  checkOutputs(options, host);
  const judging = await judgingOf(options, host);
  const reporting = shareInBatches(openReporting(options, judging.failOn, host), judging.failOn);
  const sinks = { judging, reporting, host };
  if (options.facts !== undefined) return conclude(sinks, await judgeSaved(options, options.facts, sinks));
  const { timeoutMs, options: connection } = readConnection(options, host.env);
  const machine = machineOfHost(host);
  if (options.inventory !== undefined || options.targetsFrom !== undefined) collectEarly();
  const targets = await readTargets({ ...options, ...stdinList(options) }, machine, host);
  check(options, targets, connection);
  if (options.plan) {
    await print(host.stdout, await plan(targets, machine, options, host));
    return exit.ok;
  }
  await sayScope(targets, machine, options, host);
  const asking: GatherTargetOptions = {
    connection,
    timeoutMs,
    depth: options.probe,
    machine,
    signal: host.signal,
    assumeReach: readAssumedReach(options.assumeReach),
    now: () => host.now(),
  };
  const unread = await interruptible(host, () => askAll(targets, asking, options, sinks));
  const isUnjudged = isOfMachine(options) && targets.every(({ process }) => process === undefined);
  if (isUnjudged) await print(host.stderr, `${explain(noNodeJudged()).join('\n')}\n`);
  return conclude(sinks, unread || isUnjudged);
}

/** Says which nodes were found on this machine, and what is not looked at here. */
async function sayScope(
  targets: readonly ReadTarget[],
  machine: Machine,
  options: Options,
  { stdout, stderr, platform }: Host,
): Promise<void> {
  if (isOfMachine(options)) {
    // The text report of several nodes begins with their names.
    if (options.format !== 'text' || targets.length < 2)
      await print(options.format === 'text' ? stdout : stderr, foundLine(targets));
    for (const note of unjudgedProcesses(machine).notes) await print(stderr, `kaiactl: ${note}\n`);
  }
  if (options.quiet) return;
  const isLocal = ({ endpoints }: Target) => endpoints.some((one) => !isElsewhere(one));
  if (platform !== 'linux' && !options.simulate && targets.some(isLocal)) await print(stderr, linuxOnly);
  if (platform === 'win32' && targets.some(({ conf }) => conf !== null))
    await print(stderr, `kaiactl: ${noModes}\n`);
}

const linuxOnly =
  'kaiactl: processes are read on Linux only: the node’s own process, its sockets and its environment are not looked at\n';

/** @throws {KaiactlError} on an unusable proxy, or on a target without a conf for --simulate (exit 2) */
function check({ simulate }: Options, targets: readonly Target[], connection: ConnectionOptions): void {
  const metrics = targets.flatMap((target) => target.metrics.map(({ url }) => url));
  if (!simulate) expectProxies(addressesOf(targets), connection, metrics);
  const bare = targets.find(({ conf, open }) => conf === null && open === undefined);
  if (simulate && bare !== undefined)
    throw new KaiactlError(`--simulate needs confs, and ${visible(bare.name)} is not a conf`);
}

async function plan(
  targets: readonly Target[],
  machine: Machine,
  { probe, format }: Options,
  host: Host,
): Promise<string> {
  const plans = await Promise.all(
    targets.map(async (target) => {
      const { target: whole, local } = await locate(target, machine);
      return planTarget(target, planOf(whole, probe, kinds, local));
    }),
  );
  const logging = kinds.filter(({ probes }) => probes.logged).map(({ id }) => id);
  return format === 'json' ? jsonText({ plan: plans }) : planText(plans, logging, widthOf(host.stdout, host));
}

/** Gathers, judges and reports each target; returns whether the settings of a target could not be read. */
async function askAll(
  targets: readonly ReadTarget[],
  asking: GatherTargetOptions,
  { concurrency, rate, simulate, saveFacts: file, quiet }: Options,
  { judging, reporting, host }: Sinks,
): Promise<boolean> {
  const limit = concurrencyOf(concurrency);
  const pace = paceAt(rate, host.signal);
  // Each running audit adds one listener, which is not a leak.
  setMaxListeners(limit + 10, host.signal);
  const kept = new Spool<unknown>();
  const shown = progress(targets.length, 'nodes', host, quiet);
  let unread = false;
  const isLate = lateAfter(host);
  let left = 0;
  const audit = async (target: ReadTarget) => {
    if (isLate()) return null;
    await pace();
    const { timeoutMs = asking.timeoutMs } = target;
    const facts = await (simulate ? gatherSimulated : gather)(target, { ...asking, timeoutMs });
    unread ||= isUnread(facts);
    shown.step();
    const report = await judging.judge(facts, { editables: target.editables });
    return { report, saved: file === undefined ? null : maskedFacts(facts) };
  };
  for await (const result of inOrder(targets, limit, audit)) {
    if (result === null) left += 1;
    else {
      await reporting.add(result.report);
      if (result.saved !== null) await kept.push(result.saved);
    }
  }
  shown.end();
  if (left > 0) await print(host.stderr, `kaiactl: ${count(left, 'target')} left out of the report\n`);
  if (file !== undefined) await saveFacts(file, kept, host);
  return unread;
}

/** Whether a run was interrupted so long ago that it ends without the rest. */
function lateAfter({ signal, now }: Host): () => boolean {
  let at = signal.aborted ? now() : Number.POSITIVE_INFINITY;
  signal.addEventListener('abort', () => (at = now()), { once: true });
  return () => now() - at > maxEndMs;
}

/** Milliseconds after an interrupt in which targets that were not asked are still reported. */
const maxEndMs = 300;

/** `-` is a list of targets on stdin; with --stdin-filename it is one file of settings. */
function stdinList({ targets, stdinFilename, targetsFrom }: Options): Partial<Options> {
  if (stdinFilename !== undefined || targetsFrom !== undefined || !targets.includes('-')) return {};
  return { targets: targets.filter((word) => word !== '-'), targetsFrom: '-' };
}

/** Facts of a simulated node of the target's conf, on free loopback ports, instead of the real one. */
async function gatherSimulated(target: Target, options: GatherTargetOptions): Promise<Facts> {
  const { conf } = target;
  if (conf?.state !== 'seen') return gather(target, options);
  const facts = await seenOrUnreadable(async () => {
    const { simulate } = await import('../simulator/node.js');
    const node = await simulate(conf.value.settings, { freePorts: true });
    const addresses = [node.http, node.ws, node.ipc === null ? null : `ipc:${node.ipc}`];
    const ports = (['metrics', 'pprof'] as const).flatMap((kind) => {
      const url = node[kind];
      return url === null ? [] : [{ kind, url, source: 'conf' as const }];
    });
    const simulated: Target = {
      ...target,
      simulated: true,
      endpoints: addresses.flatMap((one) =>
        one === null ? [] : [{ address: parseEndpoint(one), source: 'conf' }],
      ),
      metrics: ports,
      engine: node.authrpc === null ? [] : [{ url: node.authrpc, source: 'conf', unknown: null }],
    };
    return await gather(simulated, options).finally(() => node.close());
  });
  return facts.state === 'seen'
    ? { ...facts.value, simulated: true }
    : gather({ ...target, conf: facts }, options);
}

async function conclude({ judging, reporting, host }: Sinks, inputFailed: boolean): Promise<ExitCode> {
  await judging.end(inputFailed);
  const code = await reporting.end({ inputFailed });
  if (code === exit.interrupted)
    await print(host.stderr, 'kaiactl: interrupted; the report has the rest as not seen, or lacks it\n');
  return code;
}
