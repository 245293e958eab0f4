/** `kaiactl node lint [paths…]`: reads, judges, reports and fixes settings. Runs nothing and sends nothing. */

import { type ExitCode, explainAll, KaiactlError } from '../../errors.js';
import { type Host, print } from '../../host.js';
import { progress } from '../../terminal/progress.js';
import { recognisable } from '../deployment/classify.js';
import { NoNode } from '../deployment/not-settings.js';
import { noModes } from '../sources/file.js';
import { atRoot } from './checkout-root.js';
import { isAsked, noService, readAssumedReach, readConfOptions } from './conf-options.js';
import { fixingOf } from './fixing.js';
import { candidates, kindsFor } from './gather-confs.js';
import { judgingOf } from './judging.js';
import type { VerbOptions } from './options/verbs.js';
import { openReporting, shareInBatches, showsEdits } from './output.js';
import { checkOutputs } from './outputs.js';
import { readPaths } from './read-paths.js';
import { collectEarly } from './spool.js';

export type Options = VerbOptions<'lint'> & { readonly paths: readonly string[] };

/**
 * Lints every file of the paths; errors of a file go to stderr and do not end the run. When interrupted, reports the
 * results so far and returns 130.
 */
export async function run(given: Options, startedWith: Host): Promise<ExitCode> {
  const { options: asked, host } = atRoot(given, startedWith);
  const { signal } = host;
  // At 25 %, many files take a fifth more time.
  collectEarly(80);
  checkOutputs(asked, host);
  const options = { ...asked, ...readConfOptions(asked, await kindsFor(asked, host.cwd)) };
  const assumed = readAssumedReach(options.assumeReach);
  const judging = await judgingOf(options, host);
  const fixing = await fixingOf(options, judging, host);
  const prints = fixing === null || fixing.printed() === null;
  const reporting = shareInBatches(openReporting(options, judging.failOn, host, prints), judging.failOn);
  const failures: KaiactlError[] = [];
  const isNamed = options.commandLine === undefined || options.paths.length > 0;
  const search = isNamed ? await candidates(options.paths, options, host) : null;
  // A bar would be drawn into what someone types.
  const isTyped = options.paths.includes('-') && host.stdin.isTTY === true;
  const shown = progress(search?.paths.length ?? 0, 'files', host, options.quiet || isTyped);
  const say = async (notes: readonly string[]) => {
    if (options.quiet || notes.length === 0) return;
    shown.hide();
    await print(host.stderr, notes.map((note) => `kaiactl: ${note}\n`).join(''));
  };
  if (host.platform === 'win32') await say([noModes]);
  let nodes = 0;
  let noted = false;
  for await (const read of readPaths(search, options, host, shown)) {
    const { targets, path, deployment, asides, problems, notes, editables = new Map() } = read;
    failures.push(...problems);
    await say(asides);
    noted ||= notes.length > 0;
    const all = targets.map((facts) => (assumed === undefined ? facts : { ...facts, assumed }));
    const isFixed = fixing !== null && path !== null;
    const now = isFixed ? await fixing.fix(path, all, editables, deployment) : { facts: all, editables };
    for (const facts of now.facts.filter(({ conf }) => isAsked(conf, options))) {
      if (signal.aborted) break;
      const edits = showsEdits(options, nodes++, host);
      await reporting.add(await judging.judge(facts, { edits, editables: now.editables }));
    }
    await say(notes);
  }
  shown.end();
  const isSkipped = options.skipForeign === true && (search?.excluded ?? 0) > 0;
  if (nodes === 0 && !noted && !isSkipped && failures.length === 0 && !signal.aborted) {
    const details = recognisable(options.kinds);
    const nothing = new KaiactlError('no file holds a node’s settings', { details });
    failures.push(options.service === undefined ? nothing : noService(options.service));
  }
  if (fixing !== null) {
    failures.push(...fixing.failures);
    await say([fixing.summary()]);
  }
  await judging.end(failures.length > 0);
  if (failures.length > 0) await print(host.stderr, `${explainAll(failures, options.verbose).join('\n')}\n`);
  return await reporting.end({
    inputFailed: failures.length > 0,
    instead: fixing?.printed() ?? (isLacking(failures, nodes) && options.format === 'text' ? '' : null),
    ...(search === null ? {} : { excluded: search.excluded }),
  });
}

/** Whether every target is a file that does not exist or starts no node: the errors tell it all. */
function isLacking(failures: readonly KaiactlError[], targets: number): boolean {
  const isTold = (error: KaiactlError) =>
    error instanceof NoNode || (error.cause as NodeJS.ErrnoException | undefined)?.code === 'ENOENT';
  return failures.length > 0 && targets === failures.length && failures.every(isTold);
}
