/** `kaiactl node lint [paths…]`: reads, judges, reports and fixes settings. Runs nothing and sends nothing. */

import { type ExitCode, explainAll, KaiactlError } from '../../errors.js';
import { type Host, print } from '../../host.js';
import { progress } from '../../terminal/progress.js';
import { oncePerKey } from '../../util/once-per.js';
import { Turns } from '../../util/turns.js';
import { visible } from '../../util/visible.js';
import { recognisable } from '../deployment/classify.js';
import type { Deployment } from '../deployment/join.js';
import { NoNode } from '../deployment/not-settings.js';
import type { Facts } from '../facts/facts.js';
import type { TargetReport } from '../facts/report.js';
import { shareCauses } from '../shared-causes.js';
import { noModes } from '../sources/file.js';
import { atRoot } from './checkout-root.js';
import { readAssumedReach, readConfOptions } from './conf-options.js';
import { fixingOf } from './fixing.js';
import {
  type Candidates,
  candidates,
  type Gathered,
  type GatherOptions,
  gather,
  gatherCommandLine,
  kindsFor,
} from './gather-confs.js';
import { judgingOf } from './judging.js';
import type { LintOptions } from './options/offline.js';
import { destinations, openReporting, showsEdits } from './output.js';
import { Ledger } from './unaccounted.js';

export type Options = LintOptions & { readonly paths: readonly string[] };

/** Targets in memory at a time, among which a cause is reported once. */
const maxHeld = 500;

/**
 * Lints every file of the paths; errors of a file go to stderr and do not end the run. When interrupted, reports the
 * results so far and returns 130.
 */
export async function run(given: Options, startedWith: Host): Promise<ExitCode> {
  const { options: asked, host } = atRoot(given, startedWith);
  const { signal } = host;
  destinations(asked);
  const options = { ...asked, ...readConfOptions(asked, await kindsFor(asked, host.cwd)) };
  const assumed = readAssumedReach(options.assumeReach);
  const judging = await judgingOf(options, host);
  const fixing = await fixingOf(options, judging, host);
  const prints = fixing === null || fixing.printed() === null;
  const reporting = openReporting(options, judging.failOn, host, prints);
  const failures: KaiactlError[] = [];
  const say = async (note: string) => {
    if (!options.quiet) await print(host.stderr, `kaiactl: ${note}\n`);
  };
  if (host.platform === 'win32') await say(noModes);
  let nodes = 0;
  let held: TargetReport[] = [];
  const release = async () => {
    for (const target of shareCauses(held, judging.failOn)) await reporting.add(target);
    held = [];
  };
  const search = await searchOf(options, host);
  let noted = false;
  for await (const { targets, path, deployment, notes, editables = new Map() } of read(
    search,
    options,
    host,
    { failures, say },
  )) {
    noted ||= notes.length > 0;
    const all = targets.map((facts) => (assumed === undefined ? facts : { ...facts, assumed }));
    const isFixed = fixing !== null && path !== null;
    const now = isFixed ? await fixing.fix(path, all, editables, deployment) : { facts: all, editables };
    for (const facts of now.facts) {
      if (signal.aborted) break;
      const edits = showsEdits(options, nodes++, host);
      held.push(await judging.judge(facts, { edits, editables: now.editables }));
    }
    if (held.length >= maxHeld) await release();
  }
  await release();
  const isSkipped = options.skipForeign === true && (search?.excluded ?? 0) > 0;
  if (nodes === 0 && !noted && !isSkipped && failures.length === 0 && !signal.aborted) {
    const details = recognisable(options.kinds);
    failures.push(new KaiactlError('no file holds a node’s settings', { details }));
  }
  await judging.end();
  if (fixing !== null) {
    failures.push(...fixing.failures);
    await say(fixing.summary());
  }
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

/** The files of the paths; null if only --command-line is judged. */
async function searchOf(
  options: GatherOptions & Pick<Options, 'commandLine' | 'paths'>,
  host: Host,
): Promise<Candidates | null> {
  const named = options.commandLine === undefined || options.paths.length > 0;
  return named ? await candidates(options.paths, options, host) : null;
}

interface Asides {
  readonly failures: KaiactlError[];
  say(note: string): Promise<void>;
}

/** The targets of a file, and the folder that it was found in. `path` null for --command-line. */
interface Read extends Pick<Gathered, 'targets' | 'notes' | 'editables'> {
  readonly path: string | null;
  readonly deployment: Deployment | null;
}

type ReadOptions = GatherOptions & Pick<LintOptions, 'commandLine' | 'quiet' | 'verbose'>;

/** The targets of each file, and of --command-line. */
export async function* read(
  search: Candidates | null,
  options: ReadOptions,
  host: Host,
  { failures, say: print }: Asides,
): AsyncGenerator<Read> {
  const { commandLine: line, quiet, verbose } = options;
  const paths = search?.paths ?? [];
  const shown = progress(paths.length, 'files', host, quiet);
  const say = (note: string) => {
    shown.hide();
    return print(note);
  };
  for (const note of search?.notes ?? []) await say(note);
  failures.push(...(search?.problems ?? []));
  const take = async function* (
    { targets, problems, notes, editables }: Gathered,
    path: string | null,
    deployment: Deployment | null = null,
  ) {
    failures.push(...problems);
    if (verbose) for (const target of targets) await sayFiles(target, say);
    yield { targets, path, deployment, notes, editables };
    for (const note of notes) await say(note);
  };
  if (line !== undefined) yield* take(await gatherCommandLine(line, options, host), null);
  /** What the targets of a folder account for. */
  const ledgerOf = oncePerKey((deployment: Deployment) => new Ledger(deployment, host.cwd));
  const turns = new Turns();
  for (const path of paths) {
    await turns.take();
    if (host.signal.aborted) break;
    const deployment = search?.met.get(path) ?? null;
    const start = deployment?.partOf(path) ?? null;
    if (deployment !== null && start !== null) {
      ledgerOf(deployment).addPart(path);
      if (verbose) await say(`${visible(path)} is part of ${visible(start)}`);
      shown.step();
      continue;
    }
    const gathered = await gather(path, options, host, deployment);
    if (gathered !== null) {
      if (deployment !== null) ledgerOf(deployment).add(gathered.targets);
      yield* take(gathered, path, deployment);
    }
    if (gathered === null && options.verbose) await say(`ignored ${visible(path)}: it starts no node`);
    shown.step();
  }
  for (const [deployment, signed] of search?.signed ?? []) {
    for (const path of signed) {
      const file = host.signal.aborted ? null : deployment.textOf(path);
      if (file === null) continue;
      const open = await ledgerOf(deployment).open(file, new Date(host.now()).toISOString());
      if (open.targets.length + open.notes.length > 0)
        yield* take({ ...open, problems: [] }, path, deployment);
    }
    const unread = ledgerOf(deployment).askUnread(deployment.unread, new Date(host.now()).toISOString());
    for (const one of unread) yield* take({ targets: [one], problems: [], notes: [] }, one.name, deployment);
  }
  shown.end();
}

/** Lists the files of a target that is read from several. */
async function sayFiles({ name, conf }: Facts, say: Asides['say']): Promise<void> {
  const files = conf?.state === 'seen' ? (conf.value.settings.files ?? []) : [];
  if (files.length < 2) return;
  const list = new Set(files.map(({ path, role }) => `${visible(path)} (${role})`));
  await say(`${visible(name)}: read from ${[...list].join(', ')}`);
}
