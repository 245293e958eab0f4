/**
 * The launches of a command: the nodes that its scripts started, with the confs that they wrote, or that are installed on
 * the machine outside of containers.
 */
import { basename, dirname, posix } from 'node:path';
import type { ReleaseRange } from '../../facts/release.js';
import type { MissingFile } from '../../facts/settings.js';
import { isScripted, type Starter } from '../../kinds/find.js';
import type { ScriptedKind } from '../../kinds/kind.js';
import type { Launch, Start } from '../launch/launch.js';
import { LineIndex } from '../text/line-index.js';
import { Placed } from '../text/placed.js';
import { ownFolder, unfilled } from '../text/placeholders.js';
import { showText } from '../text/unknown.js';
import type { Command } from './command.js';
import { flagsOf } from './console.js';
import type { Follower } from './follow.js';
import type { ScriptStart, WrittenConf } from './followed-files.js';
import { startsIn } from './image-start.js';
import { releasesBeside } from './launcher-script.js';
import { fileAt, pathIn } from './paths.js';
import { releaseNames } from './release-names.js';

export function launchesFrom(command: Command, follower: Follower, when: Placed | null): Launch[] {
  const { confs } = follower;
  const starts = follower.starts
    .filter(
      (start) => !startsUnit(start, follower) && startsIn(command.image?.text ?? '', start.kind, start.words),
    )
    .map((start) => ({ ...start, words: start.words?.map(besideScript) ?? null }));
  const paths = starts.length + confs.size === 0 ? [] : packagesIn(command);
  const launches = starts.map((start) => ({
    ...launchOf({ ...command, paths }, start, follower, when),
    open: (path: string) =>
      follower.read(pathIn(start.folder ?? '', path), 'conf') ??
      (path.startsWith('./') ? follower.read(`${ownFolder}${path.slice(1)}`, 'conf') : null),
    secretAt: (path: string) => follower.secretAt(pathIn(start.folder ?? '', path)),
  }));
  const unstarted = [...confs.values()].filter(
    ({ launcher, isUnsure }) => isUnsure !== true && !starts.some((one) => one.launcher === launcher),
  );
  const written = unstarted.flatMap((conf) => {
    const [line] = conf.lines;
    if (line === undefined || starts.some(({ words }) => words !== null)) return [];
    return [
      {
        ...base(command, paths, when),
        kind: conf.kind,
        launcher: conf.launcher,
        by: 'name' as const,
        start: { kind: 'launcher', conf: Placed.join(conf.lines), base: conf.base } satisfies Start,
        environment: command.environment,
        at: line.span(),
        unread: [],
      },
    ];
  });
  return commandedTo(command, follower, [...launches, ...written]);
}

/** The word with a path below the folder of the script as from there. */
function besideScript(word: Placed): Placed {
  return word.text.includes(unfilled)
    ? word
    : word.replace(new RegExp(ownFolder, 'g'), (_, at) => at.as('.'));
}

/** Whether it is `systemctl start kend` where the scripts wrote this unit: its own command starts the node. */
function startsUnit({ program, launcher }: ScriptStart, { written }: Follower): boolean {
  return program === '' && [...written.keys()].some((path) => path.endsWith(`/${launcher}.service`));
}

/** The launches, each with an alternative for what calls do to the running node. */
function commandedTo({ name, files }: Command, { commanded }: Follower, launches: readonly Launch[]) {
  const [first] = commanded;
  if (first === undefined) return [...launches];
  const reason = 'its commands may open interfaces or unlock accounts of a node that is started elsewhere';
  if (launches.length === 0) files.unfollowed({ name, at: first.at.span(), reason });
  for (const name of commanded.flatMap(({ calls, at }) => (calls.length === 0 ? showText(at) : [])))
    files.miss({
      name,
      decides: 'settings',
      reason: `${name}, which the console loads, is not among the files`,
    });
  return launches.map((launch) => {
    const called = commanded.flatMap(({ calls }) => calls.map((one) => one.at.span()));
    const words = commanded.flatMap((one) => flagsOf(launch.kind, one));
    if (words.length === 0) return launch;
    const after = { ...launch, start: startWith(launch, words), when: first.at, called };
    return { ...launch, alternatives: [...launch.alternatives, after] };
  });
}

function startWith({ kind, start }: Launch, words: readonly Placed[]): Start {
  if (start.kind === 'binary') return { ...start, words: [...start.words, ...words] };
  const extra = kind.launchers?.extraFlags ?? '';
  const [first] = words;
  if (first === undefined) return start;
  const added = Placed.join([first.as(`\n${extra}="$${extra}`), ...words], ' ');
  const line = Placed.join([added, first.as('"\n')]);
  return { ...start, conf: start.conf === null ? line : Placed.join([start.conf, line]) };
}

function base({ name, container, files, image }: Command, paths: readonly string[], when: Placed | null) {
  const { used, missing } = files;
  const from = { image: image?.text ?? null, paths, files: [...used], missing: [...missing] };
  return { name, container, ...from, when, alternatives: [] };
}

/** The words that name a release of one of the kinds. */
export function packagesIn({ kinds, words, before = [], origins = [], environment }: Command): string[] {
  const known = [...environment].flatMap(([name, { value }]) =>
    value === null ? [] : [[name, value.text] as const],
  );
  const texts = [...before, ...words].map(({ text }) => text);
  return releaseNames([...texts, ...origins], new Map(known)).filter((path) =>
    kinds.some(({ evidence }) => evidence.ofPackage(path) !== null),
  );
}

/** The project that the program was built from, by the folder of its checkout, and those that the script clones. */
export function projectsBuilt({ words, before = [], origins = [] }: Command): string[] {
  const texts = [...before, ...words].map(({ text }) => text);
  const folders = texts.flatMap((text) => /(?<![\w.-])([\w.-]+)\/build\/bin\/[\w.-]+$/.exec(text)?.[1] ?? []);
  const clones = [...texts, ...origins].flatMap((text) => [
    ...text.matchAll(/\bgit\s+clone\b[^\n;&|]*?[/:]([\w.-]+\/[\w.-]+?)(?:\.git)?(?=["'\s]|$)/g),
  ]);
  return folders.length > 0 ? folders : clones.flatMap(([, name = '']) => name);
}

function launchOf(
  command: Located,
  started: ScriptStart,
  { confs, functions }: Follower,
  when: Placed | null,
): Launch {
  const { kind, launcher, words, exported } = started;
  const written = confs.get(launcher);
  const isOnMachine = command.container === null && command.image === undefined;
  const read = isOnMachine ? installedConf : confRead;
  const conf: Conf | null = words === null ? read(command, started, written) : (written ?? null);
  const missing = [
    ...(conf?.missing === undefined ? [] : [conf.missing]),
    ...(words === null ? [...functions].map((name) => shadowing(name, launcher)) : []),
  ];
  const lines = conf === null || conf.lines.length === 0 ? null : Placed.join(conf.lines);
  // Nothing would be found in it, and the node without the condition would pass.
  if (words === null && when !== null && lines?.text.trim() === unfilled) {
    const reason = `when ${when.text.replaceAll(/\s+/g, ' ')}, the conf is written in a way that is not followed`;
    command.files.miss({ name: null, decides: 'settings', reason });
  }
  const known = base(command, command.paths, when);
  return {
    ...known,
    missing: [...known.missing, ...missing],
    script: conf?.script ?? null,
    kind,
    launcher,
    by: started.guessed === true ? 'guess' : 'launch',
    start:
      words === null
        ? { kind: 'launcher', conf: lines, base: conf?.base ?? 'packaged' }
        : { kind: 'binary', words },
    environment: exported,
    at: started.at.span(),
    unread: words === null || written === undefined ? [] : written.lines.map((line) => line.span()),
  };
}

/** A function that the launcher runs in the place of a program or a builtin. */
function shadowing(name: string, launcher: string): MissingFile {
  const reason = `the script exports the function ${name}, which ${launcher} may run in the place of the program`;
  return { name: null, decides: 'settings', reason };
}

/** The lines of a conf and what they are appended to; `missing`: the conf of a base `unknown`. */
interface Conf extends Pick<WrittenConf, 'base' | 'lines' | 'missing'> {
  /** The releases of the launcher beside it. */
  readonly script?: ReleaseRange | null;
}

/** A command, and the words in it that name a release. */
interface Located extends Command {
  readonly paths: readonly string[];
}

/** The conf that the launcher reads: what is at its path in the container, and what scripts write there. */
function confRead(command: Command, starter: Starter, written: Conf | undefined): Conf | null {
  if (written !== undefined && written.base !== 'packaged') return written;
  const own = mounted(command, starter);
  if (written === undefined || own === null) return written ?? own;
  return { ...own, lines: [...own.lines, ...written.lines] };
}

/** The conf at the path where the launcher of the image looks for it; null for the packaged one. */
function mounted({ file, files, image }: Command, { kind, launcher }: Starter): Conf | null {
  if (!isScripted(kind)) return null;
  const missing = (name: string, reason: string): Conf => {
    files.miss({ name, decides: 'settings', reason });
    return { base: 'none', lines: [] };
  };
  for (const path of kind.launchers.confsInImage(launcher)) {
    const text = file?.(path, 'conf') ?? null;
    if (text === null) continue;
    return 'problem' in text ? missing(path, text.problem) : { base: 'none', lines: [text, text.as('\n')] };
  }
  if (image == null || kind.evidence.ofImage(image.text) !== null) return null;
  const reason = `the conf of ${launcher} is in the image ${image.text}, which is not among the files`;
  return missing(image.text, reason);
}

/** The folder that the paths of places start at. */
const here = new LineIndex('', '');

/**
 * The lines of the conf and what they are appended to. A conf that is not among the files is missing, unless the scripts
 * name the folder of the official image.
 */
function installedConf(
  { before = [], words, paths: packages, files, file }: Located,
  start: ScriptStart,
  written: Conf | undefined,
): Conf {
  const { kind, launcher, at } = start;
  const scripts = [...before, ...words];
  if (!isScripted(kind)) return written ?? { base: 'none', lines: [] };
  if (written !== undefined && written.base !== 'packaged') return written;
  const lines = written?.lines ?? [];
  const paths = pathsOf(kind, start);
  for (const path of paths) {
    const conf = file?.(path, 'conf') ?? null;
    if (conf === null || 'problem' in conf) continue;
    const script = releasesBeside([kind], conf.span().file, (path) => files.peek(path, here));
    return { base: 'none', lines: [conf, at.as('\n'), ...lines], script };
  }
  if (isInImage(kind, launcher, [at, ...scripts]) || isUnpacked(start, packages, scripts))
    return { base: 'packaged', lines };
  const [name = `${launcher}.conf`] = paths;
  const script = releasesBeside([kind], name, (path) => files.peek(path, new LineIndex(at.span().file, '')));
  const reason = `${name}, which ${launcher} reads, is not among the files`;
  return { base: 'unknown', lines, missing: { name, decides: 'settings', reason }, script };
}

/** Where the launcher looks: beside its folder `bin`, and where the RPM installs it. */
function pathsOf({ launchers }: ScriptedKind, { launcher, program = '', folder = '' }: ScriptStart) {
  const path = pathIn(folder, program);
  const above = program.includes('/') && !path.startsWith('/usr/') ? /^(.*\/)?bin\/[^/]*$/.exec(path) : null;
  const beside = above === null ? null : fileAt(`${above[1] ?? ''}conf/${launcher}.conf`);
  const installed = launchers.installedConfs.filter((one) => one.endsWith(`/${launcher}.conf`));
  return beside === null ? installed : [beside, ...installed];
}

/**
 * Whether the launcher is in the folder of an archive whose release a script names, or in a folder that `tar -C` unpacks
 * such an archive into: its conf is the packaged one.
 */
function isUnpacked(
  { program = '', folder = '' }: ScriptStart,
  packages: readonly string[],
  scripts: readonly Placed[],
): boolean {
  const [, own] = /([^/]+)\/bin\/[^/]*$/.exec(posix.normalize(pathIn(folder, program))) ?? [];
  const [archive] = packages.flatMap((name) => /\b(k\w+)-v\d/.exec(name)?.[1] ?? []);
  if (own === undefined || archive === undefined) return false;
  const unpacked = scripts.flatMap(({ text }) =>
    [...text.matchAll(unpacks)].map(([, to = '']) => basename(to)),
  );
  return new RegExp(`^${archive}-(?:linux|darwin)-\\w+$`).test(own) || unpacked.includes(own);
}

const unpacks = /\btar\b.*?[ \t](?:-C|--directory)[ =]*["']?([^\s"']+)/g;

function isInImage({ launchers }: ScriptedKind, launcher: string, scripts: readonly Placed[]): boolean {
  const folders = launchers
    .confsInImage(launcher)
    .filter((path) => !launchers.installedConfs.includes(path))
    .map((path) => `${dirname(dirname(path))}/`);
  return scripts.some(({ text }) => folders.some((folder) => text.includes(folder)));
}
