/** One lint for an editor: the targets that the open files are a part of. */
import { closeSync, constants, type Dirent, existsSync, openSync, readSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, dirname, relative, resolve, sep } from 'node:path';
import type { KaiactlError } from '../../errors.js';
import type { Host } from '../../host.js';
import { progress } from '../../terminal/progress.js';
import { unsearched } from '../../util/ignored.js';
import type { Conf, Facts } from '../facts/facts.js';
import type { TargetReport } from '../facts/report.js';
import { kinds } from '../kinds/index.js';
import { shareCauses } from '../shared-causes.js';
import { realPath } from '../sources/file.js';
import { readAssumedReach, readConfOptions } from './conf-options.js';
import type { GateOptions } from './gates.js';
import { candidates } from './gather-confs.js';
import { judgingOf } from './judging.js';
import type { VerbOptions } from './options/verbs.js';
import { readPaths } from './read-paths.js';

export type Options = VerbOptions<'lsp'> & Pick<GateOptions, 'overridable'>;

/** A file in an editor. */
export interface Document {
  /** As the editor writes it. */
  readonly uri: string;
  readonly version: number;
  /** The real path. */
  readonly path: string;
  readonly text: string;
}

export interface Looked {
  /** Those with an open file, each cause once. */
  readonly targets: readonly TargetReport[];
  /** The settings of those targets. */
  readonly confs: readonly Conf[];
  /** Why a file could not be read. */
  readonly failures: readonly KaiactlError[];
}

/**
 * Lints a folder with the texts of open files, and ends early when the signal aborts.
 * @throws {KaiactlError} on a policy, a baseline or a kaiactl.ini that cannot be used
 */
export async function look(
  { folder, path }: Scope,
  documents: readonly Document[],
  options: Options,
  given: Host,
  signal: AbortSignal,
): Promise<Looked> {
  const host = { ...given, cwd: folder, signal, open: textsOf(documents) };
  const silent = { ...options, ...readConfOptions(options, kinds), quiet: true, verbose: false };
  const assumed = readAssumedReach(options.assumeReach);
  const judging = await judgingOf(silent, host);
  const failures: KaiactlError[] = [];
  const search = await candidates([path], silent, host);
  const reports: TargetReport[] = [];
  const confs: Conf[] = [];
  const isOpen = (file: string) => host.open.has(realPath(resolve(folder, file)));
  const unseen = progress(0, 'files', host, true);
  for await (const { targets, problems, editables } of readPaths(search, silent, host, unseen)) {
    failures.push(...problems);
    for (const facts of targets.filter((one) => filesOf(one).some(isOpen))) {
      if (signal.aborted) break;
      reports.push(await judging.judge(assumed === undefined ? facts : { ...facts, assumed }, { editables }));
      if (facts.conf?.state === 'seen') confs.push(facts.conf.value);
    }
  }
  return { targets: shareCauses(reports, judging.failOn), confs, failures };
}

/** The files in which a finding of the target may be. */
function filesOf({ name, conf, signs = [] }: Facts): string[] {
  const signed = signs.flatMap(({ at }) => (at === null ? [] : [at.file]));
  if (conf?.state !== 'seen') return [name, ...signed];
  const { source, files = [] } = conf.value.settings;
  return [source.path, ...files.map(({ path }) => path), ...signed];
}

/** By real path. An editor takes the byte order mark out of a text and writes it again. */
function textsOf(documents: readonly Document[]): ReadonlyMap<string, string> {
  return new Map(
    documents.map(({ path, text }) => [
      path,
      hasMark(path) && !text.startsWith('\uFEFF') ? `\uFEFF${text}` : text,
    ]),
  );
}

/** Whether a file on disk starts with a byte order mark. */
function hasMark(path: string): boolean {
  let file: number | null = null;
  try {
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const head = Buffer.alloc(3);
    return readSync(file, head, 0, head.length, 0) === head.length && head.equals(Buffer.from('\uFEFF'));
  } catch {
    return false;
  } finally {
    if (file !== null) closeSync(file);
  }
}

/** Entries of a folder that is linted while someone types. */
const maxEntries = 500;

export interface Scope {
  /** Absolute. */
  readonly folder: string;
  /** Relative to the folder: `.`, or the only file. */
  readonly path: string;
}

/**
 * The largest folder with at most `limit` entries that holds the file: the folder that the editor has open, else one below
 * it. Without one, or for a file that was never saved, the file alone.
 */
export async function scopeOf(file: string, opened: readonly string[], limit = maxEntries): Promise<Scope> {
  const [top = dirname(file)] = opened
    .filter((folder) => file.startsWith(folder.endsWith(sep) ? folder : folder + sep))
    .sort((a, b) => b.length - a.length);
  const steps = relative(top, dirname(file)).split(sep);
  const folders = ['.', ...steps.map((_, at) => steps.slice(0, at + 1).join(sep))];
  for (const below of existsSync(file) ? new Set(folders.map((one) => resolve(top, one))) : [])
    if (await isSmall(below, limit)) return { folder: below, path: '.' };
  return { folder: dirname(file), path: basename(file) };
}

async function isSmall(root: string, limit: number): Promise<boolean> {
  const folders = [root];
  let left = limit;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const entries: Dirent[] = await readdir(folder, { withFileTypes: true }).catch(() => []);
    left -= entries.length;
    if (left < 0) return false;
    const inside = entries.filter((one) => one.isDirectory() && !unsearched.has(one.name));
    folders.push(...inside.map(({ name }) => resolve(folder, name)));
  }
  return true;
}

/** Lints; its result is dropped when the signal has aborted. */
type Look = (signal: AbortSignal) => Promise<Looked | null>;

/**
 * What is linted together, again when the typing pauses.
 * @param lint its errors are its own: it returns null for one
 */
export function unitOf(lint: Look, show: (found: Looked) => void, debounceMs: number) {
  let abort = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<Looked | null> | null = null;

  /** A text changed: ends the lint under way, and lints again when the typing pauses. */
  function changed(): void {
    stop();
    timer = setTimeout(() => void now(), debounceMs);
  }

  /** What the texts of now give; null if they changed meanwhile, or cannot be linted. */
  function now(): Promise<Looked | null> {
    clearTimeout(timer);
    running ??= run(abort.signal);
    return running;
  }

  function stop(): void {
    clearTimeout(timer);
    abort.abort();
    abort = new AbortController();
    running = null;
  }

  async function run(signal: AbortSignal): Promise<Looked | null> {
    const found = await lint(signal);
    if (signal.aborted || found === null) return null;
    show(found);
    return found;
  }
  return { changed, now, stop };
}
