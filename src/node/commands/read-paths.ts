/** Reads the nodes of paths, and what of their folders no node accounts for. */
import type { Host } from '../../host.js';
import type { Progress } from '../../terminal/progress.js';
import { oncePerKey } from '../../util/once-per.js';
import { Turns } from '../../util/turns.js';
import { visible } from '../../util/visible.js';
import type { Deployment } from '../deployment/join.js';
import type { Facts } from '../facts/facts.js';
import {
  type Candidates,
  countedNotes,
  type Gathered,
  type GatherOptions,
  gather,
  gatherCommandLine,
  idleFilesNote,
} from './gather-confs.js';
import type { VerbOptions } from './options/verbs.js';
import { Ledger } from './unaccounted.js';

/** The targets of a file, and the folder that it was found in. */
export interface Read extends Gathered {
  /** Null for --command-line, and without targets of its own. */
  readonly path: string | null;
  readonly deployment: Deployment | null;
  /** Notes on the search, and with --verbose on files; they come before the report. */
  readonly asides: readonly string[];
}

/** Yields the targets of --command-line, of each file and of the signs in the folders; `shown` counts the files. */
export async function* readPaths(
  search: Candidates | null,
  options: GatherOptions & Pick<VerbOptions<'lint'>, 'commandLine' | 'verbose'>,
  host: Host,
  shown: Progress,
): AsyncGenerator<Read> {
  const { commandLine: line, verbose } = options;
  const aside = (notes: readonly string[], problems: Read['problems'] = []): Read => ({
    targets: [],
    path: null,
    deployment: null,
    asides: notes,
    problems,
    notes: [],
  });
  const read = (found: Gathered, path: string | null, deployment: Deployment | null = null): Read => ({
    ...found,
    path,
    deployment,
    asides: verbose ? found.targets.flatMap(listFiles) : [],
  });
  yield aside(search?.notes ?? [], search?.problems);
  if (line !== undefined) yield read(await gatherCommandLine(line, options, host), null);
  /** What the targets of a folder account for. */
  const ledgerOf = oncePerKey((deployment: Deployment) => new Ledger(deployment, host.cwd));
  const idle: string[] = [];
  const turns = new Turns();
  for (const path of search?.paths ?? []) {
    await turns.take();
    if (host.signal.aborted) break;
    const deployment = search?.met.get(path) ?? null;
    const start = deployment?.partOf(path) ?? null;
    if (deployment !== null && start !== null) {
      ledgerOf(deployment).addPart(path);
      if (verbose) yield aside([`${visible(path)} is part of ${visible(start)}`]);
    } else {
      const gathered = await gather(path, options, host, deployment);
      if (gathered !== null && deployment !== null) ledgerOf(deployment).add(gathered.targets);
      if (gathered !== null) yield read(gathered, path, deployment);
      else idle.push(path);
    }
    shown.step();
  }
  yield aside(countedNotes(idle, idleFilesNote, verbose));
  for (const [deployment, signed] of search?.signed ?? []) {
    const ledger = ledgerOf(deployment);
    const now = () => new Date(host.now()).toISOString();
    const notes: string[] = [];
    for (const path of signed) {
      const file = host.signal.aborted ? null : deployment.textOf(path);
      const open = file === null ? null : await ledger.open(file, now());
      notes.push(...(open?.notes ?? []));
      if (open !== null && open.targets.length > 0)
        yield read({ ...open, notes: [], problems: [] }, path, deployment);
    }
    const others = `${notes.length} starts of other clients open nothing, or on loopback only: not judged (--verbose lists them)`;
    yield read({ targets: [], problems: [], notes: verbose || notes.length < 4 ? notes : [others] }, null);
    for (const one of [
      ...ledger.askUnread(deployment.found.unread, now()),
      ...ledger.looseKeys(deployment.found.ignored, now()),
    ])
      yield read({ targets: [one], problems: [], notes: [] }, one.name, deployment);
  }
}

/** The files of a target that is read from several, as a note. */
function listFiles({ name, conf }: Facts): string[] {
  const files = conf?.state === 'seen' ? (conf.value.settings.files ?? []) : [];
  if (files.length < 2) return [];
  const list = new Set(files.map(({ path, role }) => `${visible(path)} (${role})`));
  return [`${visible(name)}: read from ${[...list].join(', ')}`];
}
