/** Reads the facts of paths on the command line, one file at a time, in the given order. */

import { statSync } from 'node:fs';
import { dirname, resolve, sep } from 'node:path';
import { KaiactlError } from '../../errors.js';
import type { Host } from '../../host.js';
import { escapeForRegExp } from '../../util/escape-for-reg-exp.js';
import { type Ignores, ignoring, unsearched } from '../../util/ignored.js';
import { maskUrls } from '../../util/mask-url.js';
import { visible } from '../../util/visible.js';
import { count } from '../../util/words.js';
import { isConfName, recognisable } from '../deployment/classify.js';
import { findConfs, isFolder } from '../deployment/collect.js';
import type { Found } from '../deployment/found.js';
import type { Deployment } from '../deployment/join.js';
import { loadCommandLine, loadNodes } from '../deployment/load.js';
import type { Loaded, LoadOptions } from '../deployment/load-options.js';
import { NoNode } from '../deployment/not-settings.js';
import { projectOf } from '../deployment/project.js';
import type { SearchOptions } from '../deployment/search.js';
import type { Facts } from '../facts/facts.js';
import { notSeen, seen } from '../facts/seen.js';
import type { Kind } from '../kinds/kind.js';
import { scriptedKinds } from '../kinds/scripted.js';
import { realPath } from '../sources/file.js';
import { type Editables, joinEditables } from '../sources/text/editable.js';
import { knownVersion } from './conf-options.js';
import { type GateOptions, trustedFile } from './gates.js';
import type { Gathered } from './gather-signs.js';
import { findRepositorySettings } from './ini.js';
import type { VerbOptions } from './options/verbs.js';
import { factsOf } from './unaccounted.js';

export type { Gathered };

/** The files of the paths on the command line. */
export interface Candidates {
  readonly paths: readonly string[];
  /** The folder of each file that was found in one, not named. */
  readonly met: ReadonlyMap<string, Deployment>;
  /** The files with words of the ledger, by the folder that they were found in. */
  readonly signed: ReadonlyMap<Deployment, readonly string[]>;
  /** For stderr. */
  readonly notes: readonly string[];
  /** For example folders without a conf. */
  readonly problems: readonly KaiactlError[];
  /** How many files and folders --exclude and kaiactl.ini exclude. */
  readonly excluded: number;
}

export type GatherOptions = LoadOptions &
  Partial<Pick<VerbOptions<'lint'>, 'verbose' | 'exclude' | 'skipForeign'>> &
  Pick<GateOptions, 'overridable' | 'startedIn' | 'trustConfig'>;

/** The kinds of node that a run may meet: files that are named as confs hold only those that scripts start. */
export async function kindsFor(
  { paths, commandLine, nodeVersion }: Pick<VerbOptions<'lint'>, 'commandLine' | 'nodeVersion'> & Paths,
  cwd: string,
): Promise<readonly Kind[]> {
  const isConf = (path: string) => isConfName(scriptedKinds, path) && isFile(resolve(cwd, path));
  const needsAll = commandLine !== undefined || nodeVersion !== undefined || paths.length === 0;
  return needsAll || !paths.every(isConf) ? (await import('../kinds/index.js')).kinds : scriptedKinds;
}

interface Paths {
  readonly paths: readonly string[];
}

/** Finds the files. @throws {KaiactlError} without a path, when no conf is installed (exit 2) */
export async function candidates(
  paths: readonly string[],
  options: GatherOptions,
  host: Host,
): Promise<Candidates> {
  const { cwd } = host;
  const known = new Map<string, string>();
  const met = new Map<string, Deployment>();
  const signed = new Map<Deployment, readonly string[]>();
  const notes: string[] = [];
  const problems: KaiactlError[] = [];
  let excluded = 0;
  if (paths.includes(''))
    problems.push(new KaiactlError('a path is empty', { hint: 'Name a file, or . for this folder.' }));
  const named = paths.filter((path) => path !== '').map((path) => [path]);
  const real = named.flat().map((path) => (path === '-' ? path : realPath(resolve(cwd, path))));
  for (const [at, asked] of (paths.length === 0 ? [[]] : named).entries()) {
    const [folder = '.'] = asked;
    if (await isRepeated(real, at, options, cwd)) continue;
    const isExcluded = await excludesOf(folder, options, cwd);
    if (isFile(resolve(cwd, folder)) && isExcludedPath(resolve(cwd, folder), isExcluded)) {
      excluded += 1;
      notes.push(`${visible(folder)} is excluded`);
      continue;
    }
    const outside = options.followOutside === true;
    const how = { isExcluded, outside, signal: host.signal, open: host.open };
    const joined = asked.length === 0 ? null : await joinedWith(folder, how, options, host);
    if (joined !== null) {
      const { deployment, starts } = joined;
      for (const path of starts) {
        known.set(resolve(cwd, path), path);
        met.set(path, deployment);
      }
      const own = joined.signed.filter((path) => resolve(cwd, path) === resolve(cwd, folder));
      signed.set(deployment, [...(signed.get(deployment) ?? []), ...own]);
      continue;
    }
    const found = await findConfs(options.kinds, asked, cwd, how);
    excluded += found.excluded;
    problems.push(...found.problems);
    const isFolder = found.paths.length !== 1 || found.paths[0] !== folder;
    const deployment = isFolder ? await deploymentOf(folder, found, options, host) : null;
    if (deployment !== null) signed.set(deployment, found.signed);
    const ignored = found.ignored.filter((path) => deployment?.isUsed(path) !== true);
    const saysReach = (path: string) => deployment?.saysReach(path) === true;
    const others = ignored.filter((path) => !saysReach(path));
    const { verbose = false } = options;
    notes.push(
      ...found.notes,
      ...(verbose ? countedNotes(found.own, ofOwn, true) : []),
      ...countedNotes(ignored.filter(saysReach), ofReach, verbose),
      ...countedNotes(others, ofNoNode, verbose),
      ...firewallNotes(deployment?.found.filtering ?? [], verbose),
    );
    if (found.excluded > 0) notes.push(`${count(found.excluded, 'path')} excluded`);
    for (const path of found.paths) {
      const key = path === '-' ? path : resolve(cwd, path);
      if (!known.has(key)) known.set(key, path);
      if (deployment !== null && path !== folder) met.set(path, deployment);
    }
    if (found.paths.length + found.signed.length === 0)
      problems.push(emptyFolder(asked[0] ?? '', options.kinds));
  }
  return { paths: [...known.values()], met, signed, notes, problems, excluded };
}

/** The starts of a named file's project that depend on it; null if it is read alone. */
async function joinedWith(path: string, how: SearchOptions, options: GatherOptions, host: Host) {
  // A conf is judged as its launcher reads it, and without loading more.
  const isAlone = isConfName(options.kinds, path) || !isFile(resolve(host.cwd, path));
  const project = isAlone ? null : projectOf(path, host.cwd);
  if (project === null) return null;
  const isExcluded: Ignores = (one, isFolder) =>
    project.isOutside(one, isFolder) || how.isExcluded?.(one, isFolder) === true;
  const found = await findConfs(options.kinds, [project.folder], host.cwd, { ...how, isExcluded });
  const deployment = await deploymentOf(project.folder, found, options, host);
  const starts = await deployment.startsWith(path);
  return starts.length === 0 ? null : { deployment, starts, signed: found.signed };
}

async function deploymentOf(folder: string, found: Found, options: GatherOptions, host: Host) {
  const { Deployment } = await import('../deployment/join.js');
  const how = await withRepositorySettings(resolve(host.cwd, folder), options, host.cwd);
  return await Deployment.of(folder, found, how, host);
}

/** --exclude is relative to the folder that is named (of a file: to the working folder), `exclude` of kaiactl.ini to its own folder. */
async function excludesOf(
  path: string,
  { exclude: patterns = [], startedIn, trustConfig }: GatherOptions,
  cwd: string,
): Promise<Ignores> {
  const folder = resolve(cwd, path);
  const trusted = trustedFile(trustConfig, cwd);
  const repository = path === '-' ? null : await findRepositorySettings(folder, trusted);
  const own = repository?.values.exclude ?? [];
  return ignoring([
    anchored(trusted === undefined ? dirname(repository?.file ?? folder) : cwd, own),
    anchored(isFile(folder) ? (startedIn ?? cwd) : folder, patterns),
  ]);
}

/** Paths that begin with `./`, or with the folder, are paths from the folder. */
function anchored(folder: string, patterns: readonly string[]) {
  const start = new RegExp(`^(!?)(?:\\./|${escapeForRegExp(folder)}/)`);
  return { folder, patterns: patterns.map((one) => one.replace(start, '$1/')) };
}

/** Whether a folder was named before, or another folder that was named is read with it. All paths are real. */
async function isRepeated(all: readonly string[], at: number, options: GatherOptions, cwd: string) {
  const own = all[at] ?? '-';
  if (own === '-' || !isFolder(own)) return false;
  for (const [index, wider] of all.entries()) {
    if (own === wider && index < at) return true;
    if (!own.startsWith(`${wider}${sep}`)) continue;
    if (
      own
        .slice(wider.length)
        .split(sep)
        .some((name) => unsearched.has(name))
    )
      continue;
    if (!isExcludedPath(own, await excludesOf(wider, options, cwd))) return true;
  }
  return false;
}

/** Whether a path that was named, or a folder above it, is excluded. */
function isExcludedPath(path: string, isExcluded: Ignores): boolean {
  for (let one = path; one !== dirname(one); one = dirname(one))
    if (isExcluded(one, one !== path || !isFile(one))) return true;
  return false;
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

const ofReach = (files: number) => `${count(files, 'file')} of proxies: read for who reaches a node`;
const ofOwn = (files: number) => `${count(files, 'file')} that kaiactl wrote: skipped`;
/** A sign in one of them is reported. */
const ofNoNode = (files: number) =>
  `${count(files, 'other file')}: no node is read from ${files === 1 ? 'it' : 'them'}`;

export const idleFilesNote = (files: number) =>
  `${count(files, 'file')} of settings that ${files === 1 ? 'starts' : 'start'} no node`;

/** Counts the files of a folder that are not read as settings; `verbose` lists them. */
export function countedNotes(
  paths: readonly string[],
  counted: (files: number) => string,
  verbose: boolean,
): string[] {
  if (paths.length === 0) return [];
  const what = counted(paths.length);
  return verbose
    ? [`${what}:`, ...paths.map((path) => `  ${visible(path)}`)]
    : [`${what} (--verbose lists them)`];
}

/** Files of firewalls limit nothing: which rules are in force is known on the machine. */
function firewallNotes(unread: readonly string[], verbose: boolean): string[] {
  const what = (files: number) =>
    `no firewall narrows who reaches a node: the rules in ${count(files, 'file')} are not read; --assume-reach states what a firewall closes`;
  return countedNotes(unread, what, verbose);
}

function emptyFolder(path: string, kinds: readonly Kind[]): KaiactlError {
  return new KaiactlError(`${visible(path)} holds no node's settings`, {
    details: recognisable(kinds),
  });
}

/** Reads one file; an unreadable file becomes a target without facts. Returns null for a file that was found in a folder (`met`) and holds no settings. */
export async function gather(
  path: string,
  options: GatherOptions,
  host: Host,
  met: Deployment | null,
): Promise<Gathered | null> {
  const name = path === '-' ? (options.stdinFilename ?? 'stdin') : maskUrls(path);
  const how = async () =>
    path === '-'
      ? options
      : await withRepositorySettings(dirname(resolve(host.cwd, path)), options, host.cwd);
  const load = async () => (met === null ? await loadNodes(path, await how(), host) : await met.load(path));
  const found = await gathered(name, load, options.kinds, host, met !== null);
  if (found === null) return null;
  if (met === null && onlyAssigns(found)) return found;
  const { withCallers, withRelays, withSigns } = await import('./gather-signs.js');
  if (met !== null)
    return withCallers(
      withRelays(found, (settings) => met.relaysOf(settings)),
      met.callers,
    );
  const all = await withSigns(found, host);
  const [problem] = all.problems;
  const isSkipped =
    options.skipForeign === true && problem instanceof NoNode && !isConfName(options.kinds, name);
  return isSkipped ? { targets: [], problems: [], notes: [`skipped ${problem.message}`] } : all;
}

const value = String.raw`(?:[\w.,:/*{}-]|\$(?!\()|\$\(\([\w +]+\)\))*`;
const flags = String.raw`[-$](?:[^"$\x60\\]|\$(?!\())*`;
/** A line of a conf that runs nothing: a comment, or a word or flags for a variable. */
const assignment = new RegExp(
  `^[ \\t]*(?:#.*|[A-Z]\\w*=(?:"(?:${flags}|${value})"|${value})[ \\t]*(?:#.*)?)?\\r?$`,
);

/** Whether no line of a conf runs anything: it calls nothing, forwards nothing and starts nothing else. */
function onlyAssigns({ targets: [first], problems }: Gathered): boolean {
  if (problems.length > 0 || first?.conf?.state !== 'seen') return false;
  const { kind, lines } = first.conf.value.settings.source;
  return kind === 'conf' && lines.every((line) => assignment.test(line));
}

/** The release of the nodes of a folder, where the kaiactl.ini above gives it and no option does. */
async function withRepositorySettings(
  folder: string,
  options: GatherOptions,
  cwd: string,
): Promise<LoadOptions> {
  const isOpen = options.nodeVersion === undefined || options.overridable?.has('nodeVersion') === true;
  const found = isOpen ? await findRepositorySettings(folder, trustedFile(options.trustConfig, cwd)) : null;
  const given = found?.values['node-version']?.at(-1);
  if (found === null || given === undefined) return options;
  const { kinds } = await import('../kinds/index.js');
  const iniVersion = knownVersion(kinds, given, `${found.placeOf('node-version')}: node-version `);
  return { ...options, nodeVersion: undefined, iniVersion };
}

/** The targets of a folder, with those that cannot be read. @throws {KaiactlError} when it holds none (exit 2) */
export async function gatherFolder(
  folder: string,
  options: GatherOptions,
  host: Host,
): Promise<{ readonly targets: readonly Facts[]; readonly editables: Editables }> {
  const { paths, met, problems } = await candidates([folder], options, host);
  const targets: Facts[] = [];
  const editables: (Editables | undefined)[] = [];
  for (const path of paths) {
    const deployment = met.get(path) ?? null;
    if (host.signal.aborted || deployment?.partOf(path) != null) continue;
    const found = await gather(path, options, host, deployment);
    targets.push(...(found?.targets ?? []));
    editables.push(found?.editables);
  }
  if (targets.length > 0) return { targets, editables: joinEditables(editables) };
  throw problems[0] ?? emptyFolder(folder, options.kinds);
}

export async function gatherCommandLine(text: string, options: LoadOptions, host: Host): Promise<Gathered> {
  const load = () => loadCommandLine(text, options, host);
  const found = await gathered('--command-line', load, options.kinds, host);
  const { withSigns } = await import('./gather-signs.js');
  return await withSigns(found as Gathered, host);
}

async function gathered(
  name: string,
  load: () => Promise<Loaded>,
  kinds: readonly Kind[],
  host: Host,
  met = false,
): Promise<Gathered | null> {
  const base = { role: null, live: null, gatheredAt: new Date(host.now()).toISOString() };
  try {
    const { nodes, unfollowed, problems, notes, editables } = await load();
    const named = (node: string | null) => ({ ...base, name: node === null ? name : `${name}: ${node}` });
    const targets = [
      ...nodes.map(({ name: node, conf, assigned = [] }) => ({
        ...named(node),
        conf: seen(conf),
        ...(assigned.length === 0 ? {} : { assigned }),
      })),
      ...unfollowed.map(({ name: node, sign }) => factsOf(named(node).name, sign, base.gatheredAt)),
    ];
    const unread = problems.map(({ message }) => ({ ...base, name, conf: notSeen('unreadable', message) }));
    return { targets: [...targets, ...unread], problems: met ? [] : problems, notes, editables };
  } catch (error) {
    if (met && error instanceof NoNode && !isConfName(kinds, name)) return null;
    if (!(error instanceof KaiactlError)) {
      if (!met) throw error;
      const defect = error instanceof Error ? error.message : String(error);
      return { targets: [{ ...base, name, conf: null, defect }], problems: [], notes: [] };
    }
    const target = { ...base, name, conf: notSeen('unreadable', error.message) };
    return { targets: [target], problems: met ? [] : [error], notes: [] };
  }
}
