/** `kaiactl node watch [targets…]`: audits repeatedly and prints changes. */

import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ExitCode, exit, explain, KaiactlError } from '../../errors.js';
import { type Host, print } from '../../host.js';
import { widthOf } from '../../terminal/capabilities.js';
import { count } from '../../util/words.js';
import { manifest } from '../../version.js';
import type { Report, TargetReport } from '../facts/report.js';
import { gather, isUnread } from '../gather.js';
import { kinds } from '../kinds/index.js';
import { machineOf, type Target } from '../probe/index.js';
import { diffReports, type ReportDiff } from '../report/diff.js';
import { diffText } from '../report/diff-text.js';
import { prometheus } from '../report/prometheus.js';
import { summarise } from '../summarise.js';
import { expectProxies, readConnection, readTimeout } from './connection.js';
import { concurrency, inOrder, paced } from './fleet.js';
import { judgingOf } from './judging.js';
import type { WatchOptions } from './options/live.js';
import { readTargets } from './targets.js';
import { type Metrics, post, serveMetrics, writeAtomically } from './watch-outlets.js';

export type Options = WatchOptions & { readonly targets: readonly string[] };

/** State between two rounds. */
interface Watch {
  report: Report | null;
  targets: readonly Target[];
  /** True after SIGHUP: the next round reads the targets again. */
  stale: boolean;
}

/**
 * Runs until it is interrupted; failures of targets do not end it.
 * @throws {KaiactlError} on invalid options, before the first round (exit 2)
 */
export async function run(options: Options, host: Host): Promise<ExitCode> {
  const intervalMs = readTimeout(options.interval, '--interval ');
  readWebhook(options.webhook);
  await judgingOf(options, host);
  const watch: Watch = { report: null, targets: await targetsOf(options, host), stale: false };
  host.onHangup?.(() => {
    watch.stale = true;
  });
  setMaxListeners(concurrency(options.concurrency) + 20, host.signal);
  let metrics = '';
  const port = options.listen === undefined ? null : await serveMetrics(options.listen, () => metrics);
  await started(watch.targets.length, port, options, host);
  while (!host.signal.aborted) {
    try {
      metrics = (await round(watch, options, host)) ?? metrics;
    } catch (error) {
      await print(host.stderr, `${explain(error).join('\n')}\n`);
    }
    // Jitter spreads watches that started together.
    const wait = intervalMs * (0.9 + 0.2 * Math.random());
    await sleep(wait, undefined, { signal: host.signal }).catch(() => {});
  }
  await port?.close();
  return exit.interrupted;
}

async function started(nodes: number, port: Metrics | null, options: Options, host: Host): Promise<void> {
  if (options.quiet) return;
  const where = port === null ? '' : `; metrics at ${port.url}`;
  await print(host.stderr, `kaiactl: watching ${count(nodes, 'node')}${where}\n`);
}

/** Audits all targets once and prints changes; returns the metrics, or null when interrupted. */
async function round(watch: Watch, options: Options, host: Host): Promise<string | null> {
  if (watch.stale) await reload(watch, options, host);
  const report = await look(watch.targets, options, host);
  if (host.signal.aborted) return null;
  const before = watch.report;
  watch.report = report;
  if (before !== null) await tell({ ...diffReports(before, report), exitCode: exit.ok }, options, host);
  const text = prometheus(report, Math.floor(host.now() / 1000));
  if (options.textfile !== undefined) await writeAtomically(options.textfile, text, host);
  return text;
}

/** Reads the targets again; keeps them if that fails. */
async function reload(watch: Watch, options: Options, host: Host): Promise<void> {
  watch.stale = false;
  try {
    watch.targets = await targetsOf(options, host);
    if (!options.quiet) await print(host.stderr, `kaiactl: watching ${watch.targets.length} nodes\n`);
  } catch (error) {
    await print(host.stderr, `${explain(error).join('\n')}\n  The previous nodes are still watched.\n`);
  }
}

async function targetsOf(options: Options, host: Host): Promise<readonly Target[]> {
  const targets = await readTargets(
    options,
    machineOf({ proc: '/proc', platform: host.platform, kinds }),
    host,
  );
  const urls = targets.flatMap(({ endpoints }) =>
    endpoints.flatMap(({ address }) => (address.endpoint.kind === 'ipc' ? [] : [address.raw])),
  );
  expectProxies(urls, readConnection(options, host.env).options);
  return targets;
}

async function look(targets: readonly Target[], options: Options, host: Host): Promise<Report> {
  const judging = await judgingOf(options, host);
  const { timeoutMs, options: connection } = readConnection(options, host.env);
  const machine = machineOf({ proc: '/proc', platform: host.platform, kinds });
  const how = { connection, depth: options.probe, machine, signal: host.signal, now: () => host.now() };
  const pace = paced(options.rate, host.signal);
  const startedAt = host.now();
  let unread = false;
  const audit = async (target: Target): Promise<TargetReport> => {
    await pace();
    const facts = await gather(target, { ...how, timeoutMs: target.timeoutMs ?? timeoutMs });
    unread ||= isUnread(facts);
    return judging.judge(facts);
  };
  const reports: TargetReport[] = [];
  for await (const one of inOrder(targets, concurrency(options.concurrency), audit)) reports.push(one);
  const times = { startedAt, finishedAt: host.now() };
  return summarise(reports, { ...manifest(), ...times, failOn: judging.failOn, inputFailed: unread });
}

async function tell(diff: ReportDiff, { format, webhook }: Options, host: Host): Promise<void> {
  if (diff.targets.length === 0) return;
  const text =
    format === 'json'
      ? `${JSON.stringify(diff)}\n`
      : `${diff.after}\n${diffText(diff, widthOf(host.stdout, host))}\n`;
  await print(host.stdout, text);
  if (webhook === undefined) return;
  const failure = await post(webhook, diff, host.signal);
  // The URL may hold a secret: print only its host.
  if (failure !== null)
    await print(host.stderr, `kaiactl: the webhook at ${new URL(webhook).host} failed: ${failure}\n`);
}

function readWebhook(text: string | undefined): void {
  const url = text === undefined || !URL.canParse(text) ? null : new URL(text);
  if (text === undefined || url?.protocol === 'https:' || url?.protocol === 'http:') return;
  throw new KaiactlError('--webhook is not an http or https URL', {
    hint: 'Set a URL that holds a secret as KAIACTL_WEBHOOK.',
  });
}
