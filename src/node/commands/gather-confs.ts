/** Reads the facts of paths on the command line, one file at a time, in the given order. */

import { existsSync, statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { KaiactlError } from '../../errors.js';
import type { Host } from '../../host.js';
import { maskUrls } from '../../util/mask-url.js';
import { visible } from '../../util/visible.js';
import { count } from '../../util/words.js';
import { isConfName, recognisable } from '../deployment/classify.js';
import { type Found, findConfs } from '../deployment/collect.js';
import { type Excludes, excluding } from '../deployment/exclude.js';
import { mayForward } from '../deployment/forwards.js';
import type { Deployment } from '../deployment/join.js';
import { callersIn } from '../deployment/ledger/callers.js';
import type { Relayed } from '../deployment/ledger/relays.js';
import { writesScript } from '../deployment/ledger/scripts.js';
import { loadCommandLine, loadNodes } from '../deployment/load.js';
import type { Loaded, LoadOptions } from '../deployment/load-options.js';
import { NoNode } from '../deployment/not-settings.js';
import type { Facts } from '../facts/facts.js';
import { notSeen, seen } from '../facts/seen.js';
import type { Settings } from '../facts/settings.js';
import type { Caller } from '../facts/sign.js';
import { kinds } from '../kinds/index.js';
import { LineIndex } from '../sources/text/line-index.js';
import { knownVersion, readConfOptions } from './conf-options.js';
import type { GateOptions } from './gates.js';
import { findRepositorySettings } from './ini.js';
import type { LintOptions } from './options/offline.js';
import type { ConfOptions } from './options/shared.js';
import { factsOf, Ledger } from './unaccounted.js';

/** One file: a target for each node that it starts. */
export interface Gathered {
  readonly targets: readonly Facts[];
  /** Why the file or a part of it could not be read. If nothing could be read, the facts of the target hold it too. */
  readonly problems: readonly KaiactlError[];
  readonly notes: readonly string[];
}

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

export type GatherOptions = ConfOptions &
  Partial<Pick<LintOptions, 'verbose' | 'exclude' | 'skipForeign'>> &
  Pick<GateOptions, 'overridable' | 'startedIn'>;

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
  for (const asked of paths.length === 0 ? [[]] : named) {
    const [folder = '.'] = asked;
    const isExcluded = await excludesOf(folder, options, cwd);
    if (isExcludedFile(resolve(cwd, folder), isExcluded)) {
      excluded += 1;
      notes.push(`${visible(folder)} is excluded`);
      continue;
    }
    const outside = options.followOutside === true;
    const how = { isExcluded, outside, signal: host.signal, open: host.open };
    const found = await findConfs(kinds, asked, cwd, how);
    excluded += found.excluded;
    problems.push(...found.problems);
    const isFolder = found.paths.length !== 1 || found.paths[0] !== folder;
    const deployment = isFolder ? await deploymentOf(folder, found, options, host) : null;
    if (deployment !== null) signed.set(deployment, found.signed);
    const ignored = found.ignored.filter((path) => deployment?.isUsed(path) !== true);
    const saysReach = (path: string) => deployment?.saysReach(path) === true;
    notes.push(
      ...found.notes,
      ...(options.verbose === true ? countedNotes(found.own, ofOwn, true) : []),
      ...countedNotes(ignored.filter(saysReach), ofReach, options.verbose === true),
      ...countedNotes(
        ignored.filter((path) => !saysReach(path)),
        ofNoNode,
        options.verbose === true,
      ),
    );
    notes.push(...firewallNotes(deployment?.unreadFirewalls ?? [], options.verbose === true));
    if (found.excluded > 0) notes.push(`${count(found.excluded, 'path')} excluded`);
    for (const path of found.paths) {
      const key = path === '-' ? path : resolve(cwd, path);
      if (!known.has(key)) known.set(key, path);
      if (deployment !== null && path !== folder) met.set(path, deployment);
    }
    if (found.paths.length + found.signed.length === 0) problems.push(emptyFolder(asked[0] ?? ''));
  }
  return { paths: [...known.values()], met, signed, notes, problems, excluded };
}

async function deploymentOf(folder: string, found: Found, options: GatherOptions, host: Host) {
  const { Deployment } = await import('../deployment/join.js');
  const how = await withRepositorySettings(resolve(host.cwd, folder), options);
  return await Deployment.of(folder, found, how, host);
}

/** Patterns of --exclude are relative to the folder asked for, for a file to the working folder; those of kaiactl.ini to its own folder. */
async function excludesOf(
  path: string,
  { exclude: patterns = [], startedIn }: GatherOptions,
  cwd: string,
): Promise<Excludes> {
  const folder = resolve(cwd, path);
  const repository = path === '-' ? null : await findRepositorySettings(folder);
  const own = repository?.values.exclude ?? [];
  return excluding([
    { folder: dirname(repository?.file ?? folder), patterns: own },
    { folder: isFile(folder) ? (startedIn ?? cwd) : folder, patterns },
  ]);
}

/** True for a file that was named, as a hook names it, where it or a folder above it is excluded. */
function isExcludedFile(path: string, isExcluded: Excludes): boolean {
  if (!isFile(path)) return false;
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder))
    if (isExcluded(folder, true)) return true;
  return isExcluded(path, false);
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

const ofReach = (files: number) =>
  `${count(files, 'file')} of proxies or firewalls: read for who reaches a node`;
const ofOwn = (files: number) => `${count(files, 'file')} that kaiactl wrote: skipped`;
/** A sign in one of them is reported. */
const ofNoNode = (files: number) => `${count(files, 'other file')}: not a node's settings`;

/** Counts the files of a folder that are not read as settings; `verbose` lists them. */
function countedNotes(
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

/** Why a firewall limits nothing. */
function firewallNotes(unread: readonly string[], verbose: boolean): string[] {
  const what = (files: number) =>
    `no firewall narrows who reaches a node: ${count(files, 'file')} of rules would not load or cannot be understood; --assume-reach states what a firewall closes`;
  return countedNotes(unread, what, verbose);
}

function emptyFolder(path: string): KaiactlError {
  return new KaiactlError(`${visible(path)} holds no node's settings`, {
    details: recognisable(kinds),
  });
}

/** Reads one file; an unreadable file becomes a target without facts. null: found in a folder (`met`), not settings. */
export async function gather(
  path: string,
  options: GatherOptions,
  host: Host,
  met: Deployment | null,
): Promise<Gathered | null> {
  const name = path === '-' ? (options.stdinFilename ?? 'stdin') : maskUrls(path);
  const how = async () =>
    path === '-'
      ? readConfOptions(options)
      : await withRepositorySettings(dirname(resolve(host.cwd, path)), options);
  const load = async () => (met === null ? await loadNodes(path, await how(), host) : await met.load(path));
  const found = await gathered(name, load, host, met !== null);
  if (found === null) return null;
  if (met !== null)
    return withCallers(
      withRelays(found, (settings) => met.relaysOf(settings)),
      met.callers,
    );
  const all = await withSigns(found, host);
  const [problem] = all.problems;
  const isSkipped = options.skipForeign === true && problem instanceof NoNode && !isConfName(kinds, name);
  return isSkipped ? { targets: [], problems: [], notes: [`skipped ${problem.message}`] } : all;
}

function withCallers(found: Gathered, callers: readonly Caller[]): Gathered {
  if (callers.length === 0) return found;
  return { ...found, targets: found.targets.map((facts) => ({ ...facts, callers })) };
}

function withRelays(found: Gathered, relaysOf: (settings: Settings) => Relayed): Gathered {
  const targets = found.targets.map((facts) => {
    if (facts.conf?.state !== 'seen') return facts;
    const { signs, ways, closed = [] } = relaysOf(facts.conf.value.settings);
    return {
      ...facts,
      ...(signs.length === 0 ? {} : { signs: [...(facts.signs ?? []), ...signs] }),
      ...(ways.length === 0 ? {} : { ways }),
      ...(closed.length === 0 ? {} : { closed }),
    };
  });
  return { ...found, targets };
}

/** A file that was named by itself: with the signs that the targets of the file do not account for. */
async function withSigns(found: Gathered, host: Host): Promise<Gathered> {
  const { targets, problems } = found;
  const [problem] = problems;
  const file = problem instanceof NoNode ? problem.file : problem === undefined ? textOf(targets) : null;
  if (file === null) return found;
  const own = withCallers(found, callersIn(file));
  const relayed = mayForward(file.text) ? await withOwnRelays(own, file) : own;
  const keyOf = (path: string) => resolve(host.cwd, path);
  const isBeside = (tail: string) => existsSync(resolve(dirname(keyOf(file.file)), basename(tail)));
  const holds = (tail: string) => isBeside(tail) || writesScript(file.text, tail);
  const ledger = new Ledger({ keyOf, holds }, host.cwd);
  if (problem === undefined) ledger.add(targets);
  const open = await ledger.open(file, new Date(host.now()).toISOString());
  if (open.targets.length + open.notes.length === 0) return relayed;
  const notes = [...found.notes, ...open.notes];
  return problem === undefined
    ? { ...found, targets: [...relayed.targets, ...open.targets], notes }
    : { targets: open.targets, problems: [], notes };
}

async function withOwnRelays(found: Gathered, file: LineIndex): Promise<Gathered> {
  const { relaysIn, relaysOf } = await import('../deployment/ledger/relays.js');
  const { relays } = relaysIn([file]);
  return withRelays(found, (settings) => relaysOf(settings, relays));
}

function textOf(targets: readonly Facts[]): LineIndex | null {
  const first = targets.find(({ conf }) => conf?.state === 'seen')?.conf;
  if (first?.state !== 'seen') return null;
  const { path, lines } = first.value.settings.source;
  return new LineIndex(path, lines.join('\n'));
}

/** The release of the nodes of a folder, where the kaiactl.ini above gives it and no option does. */
async function withRepositorySettings(folder: string, options: GatherOptions): Promise<LoadOptions> {
  const how = readConfOptions(options);
  const isOpen = how.nodeVersion === undefined || options.overridable?.has('nodeVersion') === true;
  const found = isOpen ? await findRepositorySettings(folder) : null;
  const given = found?.values['node-version']?.at(-1);
  if (found === null || given === undefined) return how;
  const iniVersion = knownVersion(given, `${found.placeOf('node-version')}: node-version `);
  return { ...how, nodeVersion: undefined, iniVersion };
}

/** The targets of a folder, with those that cannot be read. @throws {KaiactlError} when it holds none (exit 2) */
export async function gatherFolder(folder: string, options: GatherOptions, host: Host): Promise<Facts[]> {
  const { paths, met, problems } = await candidates([folder], options, host);
  const targets: Facts[] = [];
  for (const path of paths) {
    const deployment = met.get(path) ?? null;
    if (host.signal.aborted || deployment?.partOf(path) != null) continue;
    targets.push(...((await gather(path, options, host, deployment))?.targets ?? []));
  }
  if (targets.length > 0) return targets;
  throw problems[0] ?? emptyFolder(folder);
}

export async function gatherCommandLine(text: string, options: ConfOptions, host: Host): Promise<Gathered> {
  const found = await gathered(
    '--command-line',
    () => loadCommandLine(text, readConfOptions(options), host),
    host,
  );
  return found as Gathered;
}

async function gathered(
  name: string,
  load: () => Promise<Loaded>,
  host: Host,
  met = false,
): Promise<Gathered | null> {
  const base = { role: null, live: null, gatheredAt: new Date(host.now()).toISOString() };
  try {
    const { nodes, unfollowed, problems, notes } = await load();
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
    return { targets: [...targets, ...unread], problems: met ? [] : problems, notes };
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
