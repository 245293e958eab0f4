/** `kaiactl node lint [paths…]`: read, judge, report; nothing is run and nothing is sent. */

import { type ExitCode, explain } from '../../errors.js';
import { type Host, print } from '../../host.js';
import { progress } from '../../terminal/progress.js';
import { version } from '../../version.js';
import type { TargetReport } from '../facts/report.js';
import { judgeTarget, summarise } from '../pipeline.js';
import { type ConfOptions, readConfOptions } from './conf-options.js';
import { candidates, gather } from './gather-confs.js';
import { deliver, destinations, type ReportingOptions } from './output.js';

export interface Options extends ReportingOptions, ConfOptions {
  readonly paths: readonly string[];
}

/**
 * Lints every conf the paths lead to; one that cannot be read is said on stderr and the others go on.
 * When interrupted, reports what is known so far and returns 130.
 */
export async function run(options: Options, host: Host): Promise<ExitCode> {
  destinations(options);
  readConfOptions(options);
  const startedAt = host.now();
  const { paths, notes, problems } = await candidates(options.paths, host.cwd, options.verbose);
  if (!options.quiet) for (const note of notes) await print(host.stderr, `kaiactl: ${note}\n`);
  const failures = [...problems];
  const targets: TargetReport[] = [];
  const shown = progress(paths.length, 'files', host, options.quiet);
  for (const path of paths) {
    if (host.signal.aborted) break;
    const { facts, problem } = await gather(path, options, host);
    if (problem !== null) failures.push(problem);
    targets.push(judgeTarget(facts, options));
    shown.step();
  }
  shown.end();
  for (const failure of failures) await print(host.stderr, `${explain(failure).join('\n')}\n`);
  const report = summarise(targets, {
    version: version(),
    startedAt,
    finishedAt: host.now(),
    failOn: options.failOn,
    allowBlind: options.allowBlind,
    exitZero: options.exitZero,
    inputFailed: failures.length > 0,
    interrupted: host.signal.aborted,
  });
  await deliver(report, options, host);
  return report.exitCode;
}
