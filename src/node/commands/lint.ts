/** `kaiactl node lint [paths…]`: read, judge, report, fix on request; nothing is run and nothing is sent. */

import { type ExitCode, explain, KaiactlError } from '../../errors.js';
import { type Host, print } from '../../host.js';
import { progress } from '../../terminal/progress.js';
import { visible } from '../../util/visible.js';
import { version } from '../../version.js';
import type { TargetReport } from '../facts/report.js';
import { summarise } from '../pipeline.js';
import { isConfName, recognisable } from '../sources/recognise.js';
import { readAssumedReach } from './assume-reach.js';
import { type ConfOptions, readConfOptions } from './conf-options.js';
import { type FixOptions, fixingOf } from './fixing.js';
import { candidates, type Gathered, gather, gatherCommandLine } from './gather-confs.js';
import { judgingOf } from './judging.js';
import { deliver, destinations, type ReportingOptions, showsEdits } from './output.js';

export interface Options extends ReportingOptions, ConfOptions, FixOptions {
  readonly paths: readonly string[];
  /** Judged beside the paths, or alone. */
  readonly commandLine?: string;
  readonly assumeReach?: readonly string[];
}

/**
 * Lints every conf the paths lead to; one that cannot be read is said on stderr and the others go on.
 * When interrupted, reports what is known so far and returns 130.
 */
export async function run(options: Options, host: Host): Promise<ExitCode> {
  destinations(options);
  readConfOptions(options);
  const assumed = readAssumedReach(options.assumeReach);
  const judging = await judgingOf(options, host);
  const fixing = await fixingOf(options, judging, host);
  const startedAt = host.now();
  const line = options.commandLine;
  const named = line !== undefined && options.paths.length === 0;
  const { paths, met, notes, problems } = named
    ? { paths: [], met: new Set<string>(), notes: [], problems: [] }
    : await candidates(options.paths, host.cwd, options.verbose);
  const say = async (note: string) => {
    if (!options.quiet) await print(host.stderr, `kaiactl: ${note}\n`);
  };
  for (const note of notes) await say(note);
  const failures = [...problems];
  const targets: TargetReport[] = [];
  const take = async (gathered: Gathered, path: string | null = null) => {
    failures.push(...gathered.problems);
    const all = gathered.targets.map((facts) => (assumed === undefined ? facts : { ...facts, assumed }));
    const now = fixing === null || path === null ? all : await fixing.fix(path, all);
    for (const facts of now)
      targets.push(await judging.judge(facts, showsEdits(options, targets.length, host)));
    for (const note of gathered.notes) await say(note);
  };
  if (line !== undefined) await take(await gatherCommandLine(line, options, host));
  const shown = progress(paths.length, 'files', host, options.quiet);
  for (const path of paths) {
    if (host.signal.aborted) break;
    const gathered = await gather(path, options, host, met.has(path) && !isConfName(path));
    if (gathered === null) await say(`passed over ${visible(path)}: it starts no node`);
    else await take(gathered, path);
    shown.step();
  }
  shown.end();
  if (targets.length === 0 && failures.length === 0 && !host.signal.aborted)
    failures.push(new KaiactlError('nothing that was found is a node’s settings', { hint: recognisable }));
  await judging.end();
  failures.push(...(fixing?.failures ?? []));
  if (fixing !== null) await say(fixing.summary());
  for (const failure of failures) await print(host.stderr, `${explain(failure).join('\n')}\n`);
  const report = summarise(targets, {
    version: version(),
    startedAt,
    finishedAt: host.now(),
    failOn: judging.failOn,
    allowBlind: options.allowBlind,
    exitZero: options.exitZero,
    inputFailed: failures.length > 0,
    interrupted: host.signal.aborted,
  });
  await deliver(report, options, host, fixing?.printed() ?? null);
  return report.exitCode;
}
