/** `kaiactl node lint [paths…]`: read, judge, report, fix on request; nothing is run and nothing is sent. */

import type { LintOptions } from '../../cli/options/lint.js';
import { type ExitCode, explain, KaiactlError } from '../../errors.js';
import { type Host, print } from '../../host.js';
import { progress } from '../../terminal/progress.js';
import { visible } from '../../util/visible.js';
import { isConfName, recognisable } from '../sources/recognise.js';
import { readAssumedReach } from './assume-reach.js';
import { readConfOptions } from './conf-options.js';
import { fixingOf } from './fixing.js';
import { candidates, type Gathered, gather, gatherCommandLine } from './gather-confs.js';
import { judgingOf } from './judging.js';
import { destinations, showsEdits } from './output.js';
import { openReporting } from './reporting.js';

export type Options = LintOptions & { readonly paths: readonly string[] };

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
  const reporting = openReporting(options, judging.failOn, host);
  const line = options.commandLine;
  const named = line !== undefined && options.paths.length === 0;
  const { paths, met, notes, problems } = named
    ? { paths: [], met: new Set<string>(), notes: [], problems: [] }
    : await candidates(options.paths, host.cwd, options.verbose);
  const say = async (note: string) => {
    if (!options.quiet) await print(host.stderr, `kaiactl: ${note}\n`);
  };
  for (const note of notes) await say(note);
  const failures: string[] = [];
  const fail = (failure: KaiactlError) => failures.push(`${explain(failure).join('\n')}\n`);
  problems.forEach(fail);
  let nodes = 0;
  const take = async (gathered: Gathered, path: string | null = null) => {
    gathered.problems.forEach(fail);
    const all = gathered.targets.map((facts) => (assumed === undefined ? facts : { ...facts, assumed }));
    const now = fixing === null || path === null ? all : await fixing.fix(path, all);
    for (const facts of now)
      await reporting.add(await judging.judge(facts, showsEdits(options, nodes++, host)));
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
  if (nodes === 0 && failures.length === 0 && !host.signal.aborted)
    fail(new KaiactlError('nothing that was found is a node’s settings', { hint: recognisable }));
  await judging.end();
  fixing?.failures.forEach(fail);
  if (fixing !== null) await say(fixing.summary());
  for (const failure of failures) await print(host.stderr, failure);
  return await reporting.end({ inputFailed: failures.length > 0, instead: fixing?.printed() ?? null });
}
