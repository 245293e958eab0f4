/** `kaiactl node audit [targets…]`: ask the nodes, judge what they showed, report. */

import { setMaxListeners } from 'node:events';
import type { AuditOptions } from '../../cli/options/audit.js';
import { type ExitCode, exit, KaiactlError } from '../../errors.js';
import { type Host, print } from '../../host.js';
import { progress } from '../../terminal/progress.js';
import { widthOf } from '../../terminal/width.js';
import { visible } from '../../util/visible.js';
import type { Facts } from '../facts/facts.js';
import type { TargetReport } from '../facts/report.js';
import { notSeen } from '../facts/seen.js';
import { type GatherTargetOptions, gather, isUnread, locate } from '../gather.js';
import { machineOf, planOf, type Target } from '../probe/index.js';
import { readAssumedReach } from './assume-reach.js';
import { expectProxies, readConnection } from './connection.js';
import { concurrency, inOrder, paced, shardOf } from './fleet.js';
import { type Judging, judgingOf } from './judging.js';
import { destinations } from './output.js';
import { planJson, planned, planText } from './plan.js';
import { foundLine } from './processes.js';
import { openReporting, type Reporting } from './reporting.js';
import { factsSpool, loadFacts, maskedFacts, saveFacts } from './saved-facts.js';
import { simulated } from './simulated.js';
import { readTargets } from './targets.js';

export type Options = AuditOptions & { readonly targets: readonly string[] };

/** Audits all targets at once, few at a time, and reports them in the order given. */
export async function run(options: Options, host: Host): Promise<ExitCode> {
  destinations(options);
  const judging = await judgingOf(options, host);
  const reporting = openReporting(options, judging.failOn, host);
  if (options.facts !== undefined) return judgeSaved(options, options.facts, judging, reporting, host);
  const { timeoutMs, options: connection } = readConnection(options, host.env);
  const limit = concurrency(options.concurrency);
  const machine = machineOf({ proc: '/proc', platform: host.platform });
  const pace = paced(options.rate, host.signal);
  const targets = shardOf(
    await readTargets({ ...options, ...stdinList(options) }, machine, host),
    options.shard,
  );
  if (!options.simulate) expectProxies(targets.flatMap(urlsOf), connection);
  const bare = targets.find(({ conf }) => conf === null);
  if (options.simulate && bare !== undefined) {
    throw new KaiactlError(`--simulate makes a node from a conf, and ${visible(bare.name)} is not a conf`);
  }
  // One listener a node at work, which is not a leak.
  setMaxListeners(limit + 10, host.signal);
  if (options.plan) {
    const plans = targets.map((target) =>
      planned(target, planOf(locate(target, machine).target, options.probe)),
    );
    await print(
      host.stdout,
      options.format === 'json' ? planJson(plans) : planText(plans, widthOf(host.stdout, host)),
    );
    return exit.ok;
  }
  const asking = {
    connection,
    timeoutMs,
    depth: options.probe,
    machine,
    signal: host.signal,
    assumeReach: readAssumedReach(options.assumeReach),
  };
  const how = { ...asking, now: () => host.now() };
  if (options.targets.length === 0 && options.inventory === undefined && options.targetsFrom === undefined)
    await print(options.format === 'text' ? host.stdout : host.stderr, foundLine(targets));
  const kept = factsSpool();
  const shown = progress(targets.length, 'nodes', host, options.quiet);
  let unread = false;
  const audit = async (target: Target) => {
    await pace();
    const own = target.timeoutMs === undefined ? how : { ...how, timeoutMs: target.timeoutMs };
    const facts = await (options.simulate ? gatherSimulated : gather)(target, own);
    unread ||= isUnread(facts);
    shown.step();
    const saved = options.saveFacts === undefined ? null : maskedFacts(facts);
    return { report: await judging.judge(facts), saved };
  };
  for await (const { report, saved } of inOrder(targets, limit, audit)) {
    await reporting.add(report);
    if (saved !== null) await kept.push(saved);
  }
  shown.end();
  if (options.saveFacts !== undefined) await saveFacts(options.saveFacts, kept, host);
  kept.close();
  return conclude(reporting, unread, judging, host);
}

/** `-` names the targets on stdin, one a line; with a name given for it, it is one file of settings. */
function stdinList({ targets, stdinFilename, targetsFrom }: Options): Partial<Options> {
  if (stdinFilename !== undefined || targetsFrom !== undefined || !targets.includes('-')) return {};
  return { targets: targets.filter((word) => word !== '-'), targetsFrom: '-' };
}

function urlsOf({ endpoints, metrics }: Target): string[] {
  const dialled = endpoints.flatMap(({ address }) => (address.endpoint.kind === 'ipc' ? [] : [address.raw]));
  return [...dialled, ...metrics.map(({ url }) => url)];
}

/** A node made from the target's conf, asked instead of the real one. */
async function gatherSimulated(target: Target, options: GatherTargetOptions): Promise<Facts> {
  if (isUnread(target)) return gather(target, options);
  try {
    const facts = await simulated(target, (node) => gather(node, options));
    return { ...facts, simulated: true };
  } catch (error) {
    if (!(error instanceof KaiactlError)) throw error;
    return gather({ ...target, conf: notSeen('unreadable', error.message) }, options);
  }
}

async function judgeSaved(
  options: Options,
  file: string,
  judging: Judging,
  reporting: Reporting,
  host: Host,
): Promise<ExitCode> {
  if (options.targets.length > 0 || options.inventory !== undefined) {
    throw new KaiactlError('--facts judges what was saved: no target can be named beside it');
  }
  const facts = await loadFacts(file, host);
  const assumed = readAssumedReach(options.assumeReach);
  for (const one of facts) {
    const loaded = assumed === undefined ? one : { ...one, assumed: { ...one.assumed, ...assumed } };
    await reporting.add(await judgeLoaded(loaded, file, judging));
  }
  return conclude(reporting, facts.some(isUnread), judging, host);
}

/** Where a rule trips over facts from a file, the file is at fault: what --save-facts writes was judged before. */
async function judgeLoaded(facts: Facts, file: string, judging: Judging): Promise<TargetReport> {
  let report: TargetReport | null = null;
  let cause: unknown;
  try {
    report = await judging.judge(facts);
  } catch (error) {
    if (error instanceof KaiactlError) throw error;
    cause = error;
  }
  const tripped = report?.undetermined.find(({ defect }) => defect === true);
  if (report !== null && tripped === undefined) return report;
  throw new KaiactlError(`${file}: the facts of a target are not as --save-facts writes them`, {
    notes: tripped === undefined ? [] : [`${tripped.rule} cannot be judged from them`],
    hint: 'Write them again with kaiactl node audit … --save-facts FILE.',
    cause,
  });
}

async function conclude(
  reporting: Reporting,
  inputFailed: boolean,
  judging: Judging,
  host: Host,
): Promise<ExitCode> {
  await judging.end();
  const code = await reporting.end({ inputFailed });
  if (code === exit.interrupted)
    await print(host.stderr, 'kaiactl: interrupted; what was not asked is reported as not seen\n');
  return code;
}
