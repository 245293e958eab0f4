/** `kaiactl node watch [targets…]`: audits repeatedly and prints changes. */

import { setMaxListeners } from 'node:events';
import { existsSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { type ExitCode, exit, explain, writeFailure } from '../../errors.js';
import { type Host, interruptible, print } from '../../host.js';
import { lineWidthOf, widthOf } from '../../terminal/capabilities.js';
import { count } from '../../util/words.js';
import { manifest } from '../../version.js';
import type { Report, TargetReport } from '../facts/report.js';
import { gather, isUnread } from '../gather.js';
import type { Machine, Target } from '../probe/index.js';
import { diffReports } from '../report/diff.js';
import { changesText } from '../report/diff-text.js';
import { logLines } from '../report/escape.js';
import { maxListed, nodeRows } from '../report/text-nodes.js';
import { plain } from '../report/text-paint.js';
import { summarise } from '../summarise.js';
import { readConnection, readTimeout } from './connection.js';
import { type Clock, concurrency, inOrder, paceAt, systemClock } from './fleet.js';
import { judgingOf } from './judging.js';
import type { VerbOptions } from './options/verbs.js';
import { checkOutputs } from './outputs.js';
import { machineOfHost } from './processes.js';
import { loadReport, wholeReport } from './saved-report.js';
import { isOfMachine } from './targets.js';
import { healthReply, listenOn, notFound } from './watch-listener.js';
import type { WatchCounts } from './watch-metrics.js';
import { type Sources, sourcesOf, unseenReport, withDown } from './watch-sources.js';
import { type Webhook, webhookOf } from './watch-webhook.js';

export type Options = VerbOptions<'watch'> & { readonly targets: readonly string[] };

/** State between two rounds. */
interface Watch {
  readonly sources: Sources;
  readonly webhook: Webhook | null;
  /** Of the previous round; null before the first one. */
  report: Report | null;
  /** Whether the first state has been printed. */
  begun: boolean;
  /** Milliseconds since 1970; null before the first completed round. */
  completedAt: number | null;
  readonly counts: WatchCounts;
}

/**
 * Runs until it is interrupted; failures of targets do not end it.
 * @throws {KaiactlError} on invalid options, before the first round (exit 2)
 */
export function run(options: Options, host: Host, clock: Clock = systemClock): Promise<ExitCode> {
  return interruptible(host, async () => {
    const watch = options.serveProbe ? (await import('./watch-probe.js')).serveProbes : untilInterrupted;
    return watch(options, host, clock);
  });
}

async function untilInterrupted(options: Options, host: Host, clock: Clock): Promise<ExitCode> {
  const intervalMs = readTimeout(options.interval, '--interval ');
  checkOutputs(options, host);
  const counts: WatchCounts = { rounds: 0, blindRounds: 0, delivered: 0, failedDeliveries: 0, pending: 0 };
  const before = options.state === undefined ? null : await loadState(options.state, host);
  const webhook = webhookOf(options, { before, counts, clock, host });
  await judgingOf(options, host);
  const sources = await sourcesOf(options, host);
  setMaxListeners(concurrency(options.concurrency) + 20, host.signal);
  const watch: Watch = { sources, webhook, report: before, begun: false, completedAt: null, counts };
  let metrics = '';
  const port = options.listen === undefined ? null : await serveMetrics(options.listen, () => metrics);
  if (!options.quiet)
    await print(host.stderr, `kaiactl: watching${port === null ? '' : `; metrics at ${port.url}`}\n`);
  const pause = pauses(clock, host);
  while (!host.signal.aborted) {
    metrics = (await round(watch, options, host)) ?? metrics;
    // Jitter spreads watches that started together.
    await pause(intervalMs * (0.9 + 0.2 * Math.random()));
  }
  await port?.close();
  return exit.interrupted;
}

/** Waits between rounds. SIGHUP ends the wait, also one that has not begun. */
function pauses(clock: Clock, { signal, onHangup }: Host): (ms: number) => Promise<void> {
  let hungUp = false;
  let wake = (): void => {};
  onHangup?.(() => {
    hungUp = true;
    wake();
  });
  return async (ms) => {
    const nap = new AbortController();
    wake = () => nap.abort();
    signal.addEventListener('abort', wake, { once: true });
    if (!hungUp && !signal.aborted) await clock.wait(ms, nap.signal);
    signal.removeEventListener('abort', wake);
    hungUp = false;
  };
}

/** Audits all targets once and prints changes; returns the metrics, or null when interrupted. */
async function round(watch: Watch, options: Options, host: Host): Promise<string | null> {
  const { counts, webhook } = watch;
  const report = await look(watch, options, host);
  if (host.signal.aborted) return null;
  counts.rounds += 1;
  await tell(watch, report, options, host);
  watch.report = report;
  await webhook?.deliver(report);
  const isMeasured = options.textfile !== undefined || options.listen !== undefined;
  const measure = isMeasured ? (await import('./watch-metrics.js')).watchMetrics : () => '';
  const text = await measure(report, watch.completedAt, counts);
  try {
    if (options.textfile !== undefined) await writeAtomically(options.textfile, text, host);
    // Changes that the webhook has not received are in the next difference, also after a restart.
    if (options.state !== undefined && counts.pending === 0) await saveState(options.state, report, host);
  } catch (error) {
    await print(host.stderr, `${explain(error).join('\n')}\n`);
  }
  return text;
}

/** The report of this round. If it cannot be made, a report in which nothing was seen. */
async function look(watch: Watch, options: Options, host: Host): Promise<Report> {
  const startedAt = host.now();
  try {
    const machine = machineOfHost(host);
    const report = await audit(await watch.sources.read(machine), machine, watch.report, options, host);
    watch.completedAt = host.now();
    return report;
  } catch (error) {
    watch.counts.blindRounds += 1;
    await print(host.stderr, `${explain(error).join('\n')}\n`);
    return unseenReport(watch.report, error, startedAt);
  }
}

async function audit(
  targets: readonly Target[],
  machine: Machine,
  before: Report | null,
  options: Options,
  host: Host,
): Promise<Report> {
  const judging = await judgingOf(options, host);
  const { timeoutMs, options: connection } = readConnection(options, host.env);
  const how = { connection, depth: options.probe, machine, signal: host.signal, now: () => host.now() };
  const pace = paceAt(options.rate, host.signal);
  const startedAt = host.now();
  let unread = false;
  const one = async (target: Target): Promise<TargetReport> => {
    await pace();
    const facts = await gather(target, { ...how, timeoutMs: target.timeoutMs ?? timeoutMs });
    unread ||= isUnread(facts);
    return judging.judge(facts, { edits: 'none' });
  };
  const reports: TargetReport[] = [];
  for await (const each of inOrder(targets, concurrency(options.concurrency), one)) reports.push(each);
  const now = host.now();
  const all = withDown(reports, { before, isMachine: isOfMachine(options), now });
  const times = { startedAt, finishedAt: now };
  return summarise(all, { ...manifest(), ...times, failOn: judging.failOn, inputFailed: unread });
}

/** Prints the state of all nodes in the first round, and what has changed since the previous report. */
async function tell(watch: Watch, report: Report, { format, verbose }: Options, host: Host): Promise<void> {
  const all = { ...diffReports(null, report), exitCode: exit.ok };
  if (!watch.begun) {
    const names = report.targets.map(({ name }) => name);
    const rows = await nodeRows(report.targets, names, {
      width: lineWidthOf(host.stdout, host),
      paint: plain,
      failOn: report.failOn,
      noun: 'nodes',
      each: verbose || names.length <= maxListed,
    });
    const lines = [`${report.startedAt} · ${count(names.length, 'node')}`, ...rows, ''].join('\n');
    await print(host.stdout, format === 'json' ? `${JSON.stringify(all)}\n` : `${logLines(lines)}\n`);
    watch.begun = true;
  }
  if (watch.report === null) return;
  const diff = { ...diffReports(watch.report, report), exitCode: exit.ok };
  if (diff.targets.length === 0) return;
  const text =
    format === 'json'
      ? `${JSON.stringify(diff)}\n`
      : `${diff.after}\n${changesText(diff, widthOf(host.stdout, host))}\n`;
  await print(host.stdout, text);
}

/** Writes a new file beside the old one and renames it, so that a reader sees either text and never a part. */
export async function writeAtomically(
  file: string,
  text: string,
  { cwd }: Host,
  mode = 0o666,
): Promise<void> {
  const path = resolve(cwd, file);
  const temporary = join(dirname(path), `.kaiactl-${crypto.randomUUID()}`);
  try {
    await writeFile(temporary, text, { flag: 'wx', mode, flush: true });
    await rename(temporary, path);
  } catch (error) {
    throw writeFailure(file, error);
  } finally {
    await rm(temporary, { force: true });
  }
}

/** @throws {KaiactlError} on an invalid address, or when the port cannot be opened (exit 2) */
export async function serveMetrics(address: string, text: () => string) {
  const own = (await import('./watch-metrics.js')).selfMetrics();
  const { origin, close } = await listenOn(address, async ({ method, url }) => {
    if (method !== 'GET') return notFound;
    if (url === '/metrics') return { status: 200, text: `${text()}${await own()}` };
    return healthReply(url, ['/metrics']) ?? notFound;
  });
  return { url: `${origin}/metrics`, close };
}

/**
 * The last report whose changes were told, from the file of --state; null when there is no file yet.
 * @throws {KaiactlError} when it holds anything else, so that no other file is replaced (exit 2)
 */
export async function loadState(file: string, host: Host): Promise<Report | null> {
  const path = resolve(host.cwd, file);
  return existsSync(path) ? await wholeReport(await loadReport(path, host)) : null;
}

/** Readable by its owner only. @throws when the file cannot be written */
export async function saveState(file: string, report: Report, host: Host): Promise<void> {
  await writeAtomically(file, `${JSON.stringify(report)}\n`, host, 0o600);
}
