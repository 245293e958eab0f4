/** The nodes that a command of a container, a unit or a script starts. */

import { posix } from 'node:path';
import type { FileRole } from '../../facts/settings.js';
import { isScripted, type Starter, scripted, starterOfProgram } from '../../kinds/find.js';
import type { Kind } from '../../kinds/kind.js';
import { type Recipe, recipeOf } from '../image/recipe.js';
import type { Scope, Unread, Writes } from '../launch/files.js';
import type { Container, Launch, LaunchVariable, Start } from '../launch/launch.js';
import { LineIndex } from '../text/line-index.js';
import { isKnown, Placed } from '../text/placed.js';
import { Lost, type Steps } from '../text/steps.js';
import { pairOf } from '../text/words.js';
import { baseName, type Started, startedBy } from './commands.js';
import { commandOf, containerOf, environmentOf, mountsOf, nameOf, valuesOf } from './container-run.js';
import {
  type Action,
  Follower,
  placeOf,
  type ScriptStart,
  type StartedContainer,
  type WrittenConf,
} from './follow.js';
import { installedConf } from './installed-conf.js';
import { mountedAt } from './mounts.js';
import { fileAt, pathIn } from './paths.js';

export interface Command {
  /** The kinds of node that it may start. */
  readonly kinds: readonly Kind[];
  readonly name: string | null;
  /** The words of the command. If it is a shell, its script is followed. */
  readonly words: readonly Placed[];
  readonly environment: ReadonlyMap<string, LaunchVariable>;
  readonly container: Container | null;
  /** The name of the container image, whose entrypoint may start a node. */
  readonly image?: Placed | null;
  /** Scripts that ran before, such as RUN in a Dockerfile. */
  readonly before?: readonly Placed[];
  /** The path of the scripts that ran before, where it is known. */
  readonly self?: { readonly path: string };
  /** What a tool does on the machine before it. */
  readonly actions?: readonly Action[];
  /** Commands that run before it. */
  readonly first?: readonly (readonly Placed[])[];
  /** Commands that run once the command does. */
  readonly after?: readonly (readonly Placed[])[];
  /** The text of a file, by the path at which the command sees it; null: nothing is mounted or copied there. */
  file?(path: string, role: FileRole): Placed | Unread | null;
  /** The folder that relative paths start at. Default: that of the image, which is not known. */
  readonly folder?: string;
  /** The files of the deployment as this command's nodes use them. */
  readonly files: Scope;
  /** Counts the work, together with what else is read of the file. */
  readonly steps: Steps;
}

/** The limit of unknown conditions that are tried one by one; for a script that takes many steps fewer are tried. */
const maxConditions = 12;

/** The cost of a command in steps, besides following it. */
const stepsPerLaunch = 100;

/** The nodes a command starts, with an alternative for each unknown condition that holds, and one for all of them. */
export function launchesOf(command: Command): Launch[] {
  const { kinds, steps } = command;
  steps.count(stepsPerLaunch + command.environment.size + command.words.length);
  if (steps.left === 0) return [];
  const before = steps.taken;
  const open = (path: string, role: FileRole) => command.file?.(path, role) ?? null;
  const first = new Follower({ kinds, steps, open });
  const found = attempt(command, first, null);
  if (found.length === 0) tellUnfollowed(command, first.unread);
  // The last attempt takes all of them to hold.
  const affordable = Math.floor(steps.left / (steps.taken - before + 1)) - 1;
  const tried = first.undecided.slice(0, Math.max(0, Math.min(maxConditions, affordable)));
  const cases = tried.flatMap((test) =>
    attempt(command, new Follower({ kinds, steps, open, holds: (place) => place === placeOf(test) }), test),
  );
  const all = new Follower({ kinds, steps, open, holds: () => true });
  for (const launch of [...cases, ...(tried.length > 0 ? allHolding(command, all) : [])])
    addAlternative(found, launch);
  if (first.undecided.length > tried.length)
    command.files.miss({
      name: null,
      decides: 'settings',
      reason: 'it depends on more conditions than kaiactl tries',
    });
  const { used, missing } = command.files;
  // A container that a script runs has its own image and its own missing files.
  const isOwn = ({ image = null }: Launch) => image === (command.image?.text ?? null);
  return found.map((one) => ({
    ...one,
    files: used,
    missing: isOwn(one) ? [...new Set([...missing, ...one.missing])] : one.missing,
  }));
}

/** Adds a launch to those of the same nodes. */
export function addAlternative(found: Launch[], launch: Launch): void {
  const same = found.findIndex((one) => one.launcher === launch.launcher && one.name === launch.name);
  const before = found[same];
  if (before === undefined) found.push(launch);
  else found[same] = { ...before, alternatives: [...before.alternatives, launch] };
}

/** A container of a node's image may start a node where its script cannot be read, or where only the image says what runs. */
function tellUnfollowed({ name, kinds, image, words, files }: Command, unread: readonly string[]): void {
  if (image == null) return;
  const [first] = words;
  const [reason] = unread;
  const at = (first ?? image).span();
  if (first === undefined && kinds.some((kind) => programIn(kind, image.text) !== null))
    files.unfollowed({ name, at, reason: `the image ${image.text}, which is not read, decides what runs` });
  else if (reason !== undefined && kinds.some(({ signs }) => signs.image.test(image.text)))
    files.unfollowed({ name, at, reason });
}

/** The program that the name of an image says; null: it says none. */
function programIn(kind: Kind, image: string): string | null {
  const names = (program: string) => `\\b(?:${program}|${kind.launcherOf(program)})\\b`;
  return kind.programs.find((program) => new RegExp(names(program)).test(image)) ?? null;
}

/** The nodes where all unknown conditions hold, including conditions nested in others. */
function allHolding(command: Command, follower: Follower): Launch[] {
  const launches = attempt(command, follower, 'all');
  return follower.undecided.length < 2 ? [] : launches;
}

/** All conditions that a follower met; null: none. */
function conditionOf({ undecided: [first, ...others] }: Follower): Placed | null {
  return first === undefined
    ? null
    : Placed.join([first, ...others.flatMap((test) => [test.as(' and '), test])]);
}

/** `when`: the condition that holds; `all`: all of them do. */
function attempt(command: Command, follower: Follower, when: Placed | 'all' | null): Launch[] {
  try {
    followAll(command, follower);
  } catch (error) {
    // The steps are spent: the launches until here count, and the reader of the file reports the rest.
    if (!(error instanceof Lost)) throw error;
  }
  const holding = when === 'all' ? conditionOf(follower) : when;
  // What a container writes stays in it, but for a deployment.
  const writes = writesOf(command, follower, holding);
  command.files.wrote(command.image === undefined ? writes : { ...writes, files: follower.generated });
  const contained = follower.containers.flatMap((one) => launchesOf(inContainer(one, command, follower)));
  const isContained = ({ by, launcher }: Launch) =>
    by === 'name' && contained.some((one) => one.launcher === launcher);
  return [
    ...launchesFrom(command, follower, holding).filter((one) => !isContained(one)),
    ...contained.map((launch) => (launch.when === null ? { ...launch, when: holding } : launch)),
  ];
}

function writesOf({ files }: Command, follower: Follower, when: Placed | null): Writes {
  return { files: follower.files, run: follower.ran, when, by: files };
}

/** @throws {Lost} after too many steps */
function followAll(command: Command, follower: Follower): void {
  const { environment, words, folder = '' } = command;
  for (const script of command.before ?? [])
    follower.follow(script, environment, { ...command.self, folder });
  const runAll = (hooks: readonly (readonly Placed[])[] = []) => {
    for (const hook of hooks) if (hook[0] !== undefined) follower.run(hook, hook[0], environment, folder);
  };
  for (const action of command.actions ?? []) follower.act(action, environment, folder);
  runAll(command.first);
  const [first] = words;
  const isRun = first !== undefined && follower.run(words, first, environment, folder);
  const started = isRun && follower.unread.length === 0 ? null : (byImage(command) ?? byContent(command));
  const at = first ?? command.image;
  if (started !== null && at != null) follower.start({ ...started, at, exported: environment });
  runAll(command.after);
}

/** The command of a container that a script runs. */
function inContainer({ run, at, exported }: StartedContainer, command: Command, follower: Follower): Command {
  const { kinds, name, steps } = command;
  const from = new LineIndex(at.span().file, '');
  const files = command.files.after(writesOf(command, follower, null), from);
  const mounts = mountsOf(run, from);
  const recipe = builtAs(run.image.text, from, { files, follower, steps });
  return {
    kinds,
    name: nameOf(run) ?? name,
    words: commandOf(run, recipe),
    environment: new Map([...(recipe?.environment ?? []), ...environmentOf(run, exported, from, files)]),
    container: containerOf(run),
    image: recipe === null ? run.image : recipe.image,
    before: recipe?.scripts ?? [],
    file: (path) => mountedAt(mounts, path, files) ?? recipe?.file(path, files) ?? null,
    files,
    steps,
  };
}

/** The image of this name, where the scripts build it; null: they do not, or its Dockerfile is not among the files. */
function builtAs(
  name: string,
  from: LineIndex,
  { files, follower, steps }: { files: Scope; follower: Follower; steps: Steps },
): Recipe | null {
  const build = follower.built.findLast((one) => valuesOf(one, 'tag').some(({ text }) => text === name));
  if (build === undefined) return null;
  const { context, folder } = build;
  const at = fileAt(pathIn(folder, context.text)) ?? '.';
  const given = valuesOf(build, 'file').at(-1);
  const file = files.read(
    given === undefined ? posix.join(at, 'Dockerfile') : (fileAt(pathIn(folder, given.text)) ?? ''),
    from,
    'built',
  );
  if ('problem' in file) {
    files.miss({ name, decides: 'settings', reason: `docker build: ${file.problem}` });
    return null;
  }
  const args = valuesOf(build, 'build-arg').map(pairOf);
  return recipeOf(file, {
    context: new LineIndex(posix.join(posix.dirname(from.file), at, 'x'), ''),
    steps,
    arguments: new Map(args.flatMap(([key, value]) => (value === null ? [] : [[key, value] as const]))),
    target: valuesOf(build, 'target').at(-1)?.text,
  });
}

/**
 * A command of flags only is passed to the entrypoint of the image: the program, in the image of a node. The image of
 * another name is one of a node where few other programs have one of the flags.
 */
function byImage({ kinds, words, image }: Command): Started | null {
  const [first] = words;
  if (first === undefined || image == null || !first.text.startsWith('-')) return null;
  const kind =
    kinds.find(({ signs }) => signs.image.test(image.text)) ??
    kinds.find(
      ({ signs }) => !signs.otherProgram.test(image.text) && words.some(({ text }) => signs.flag.test(text)),
    );
  if (kind === undefined) return null;
  const program = programIn(kind, image.text);
  const launcher = program === null ? null : kind.launcherOf(program);
  return launcher === null
    ? { kind, launcher: kind.usualLauncher, guessed: true, words, environment: [] }
    : { kind, launcher, words, environment: [] };
}

/** An image of any name whose own program runs, with a variable that opens an interface of a node, or a launcher's conf. */
function byContent({ kinds, words, image, environment, file }: Command): Started | null {
  if (image == null) return null;
  const run = words.length === 0 ? null : startedBy(kinds, words);
  const program = run !== null && 'path' in run ? run.path.text : null;
  if (words.length > 0 && (program === null || starterOfProgram(kinds, baseName(program)) !== null))
    return null;
  const own = { guessed: true, environment: [] } as const;
  const kind = kinds.find((one) => [...environment.keys()].some((name) => opensInterface(one, name)));
  if (kind !== undefined) return { ...own, kind, launcher: kind.usualLauncher, words: [] };
  const confs = scripted(kinds)
    .filter(({ evidence }) => evidence.ofImage(image.text) === null)
    .flatMap((one) =>
      one.launchers.names.flatMap((launcher) =>
        one.launchers.confsInImage(launcher).flatMap((path) => {
          const text = file?.(path, 'conf') ?? null;
          return text === null ? [] : [{ text, kind: one, launcher }];
        }),
      ),
    );
  const found = confs.find(({ text }) => !('problem' in text)) ?? confs[0];
  return found === undefined ? null : { ...own, kind: found.kind, launcher: found.launcher, words: null };
}

/** True for a variable of a node's own that switches http or ws on. */
function opensInterface({ signs, flags, interfaces, programOf, usualLauncher }: Kind, name: string): boolean {
  if (!signs.variable.test(name)) return false;
  const { http, ws } = interfaces.flags;
  const flag = flags.of(programOf(usualLauncher)).byEnvironment.get(name)?.name;
  return flag !== undefined && (flag === http.enable || flag === ws.enable);
}

function launchesFrom(command: Command, follower: Follower, when: Placed | null): Launch[] {
  const { confs } = follower;
  const starts = follower.starts.filter((start) => !startsUnit(start, follower));
  const launches = starts.map((start) => launchOf(command, start, confs, when));
  const unstarted = [...confs.values()].filter(
    ({ launcher }) => !starts.some((one) => one.launcher === launcher),
  );
  const written = unstarted.flatMap((conf) => {
    const [line] = conf.lines;
    if (line === undefined || starts.some(({ words }) => words !== null)) return [];
    return [
      {
        ...base(command, when),
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

/** True for `systemctl start kend` where the scripts wrote this unit: its own command starts the node. */
function startsUnit({ program, launcher }: ScriptStart, { written }: Follower): boolean {
  return program === '' && [...written.keys()].some((path) => path.endsWith(`/${launcher}.service`));
}

/** The launches, each with an alternative for what consoles do to the running node. */
function commandedTo(
  { name, files }: Command,
  { commanded }: Follower,
  launches: readonly Launch[],
): Launch[] {
  const [first] = commanded;
  if (first === undefined) return [...launches];
  const reason = 'its commands may open interfaces or unlock accounts of a node that is started elsewhere';
  if (launches.length === 0) files.unfollowed({ name, at: first.at.span(), reason });
  for (const { words, at } of commanded)
    if (words.length === 0)
      files.miss({
        name: at.text,
        decides: 'settings',
        reason: `${at.text}, which the console loads, is not among the files`,
      });
  const words = commanded.flatMap((one) => one.words);
  if (words.length === 0) return [...launches];
  return launches.map((launch) => {
    const after = { ...launch, start: startWith(launch, words), when: first.at };
    return { ...launch, alternatives: [...launch.alternatives, after] };
  });
}

function startWith({ kind, start }: Launch, words: readonly Placed[]): Start {
  if (start.kind === 'binary') return { ...start, words: [...start.words, ...words] };
  const extra = kind.launchers?.extraFlags ?? '';
  const [first] = words;
  if (first === undefined) return start;
  const spaced = words.flatMap((word) => [word.as(' '), word]);
  const line = Placed.join([first.as(`\n${extra}="$${extra}`), ...spaced, first.as('"\n')]);
  return { ...start, conf: start.conf === null ? line : Placed.join([start.conf, line]) };
}

function base({ kinds, name, container, files, image, words, before = [] }: Command, when: Placed | null) {
  const { used, missing } = files;
  const paths = [...before, ...words]
    .flatMap(({ text }) => text.match(/[^\s'"]+/g) ?? [])
    .filter((path) => kinds.some(({ evidence }) => evidence.ofPackage(path) !== null));
  const from = { image: image?.text ?? null, paths, files: [...used], missing: [...missing] };
  return { name, container, ...from, when, alternatives: [] };
}

function launchOf(
  command: Command,
  started: ScriptStart,
  confs: ReadonlyMap<string, WrittenConf>,
  when: Placed | null,
): Launch {
  const { kind, launcher, words, exported } = started;
  const written = confs.get(launcher);
  const own = new Map(exported);
  for (const { name, value } of started.environment)
    own.set(name, { value: isKnown(value.text) ? value : null, at: value.span(), indeterminate: null });
  const { before = [], container, image } = command;
  const conf: (Conf & Partial<ReturnType<typeof installedConf>>) | null =
    words === null && container === null && image === undefined
      ? installedConf(
          started,
          written,
          [...before, ...command.words],
          (path) => command.file?.(path, 'conf') ?? null,
          command.files,
        )
      : words === null
        ? confOf(command, started, written)
        : (written ?? null);
  const missing = conf?.missing === undefined ? [] : [conf.missing];
  const lines = conf === null || conf.lines.length === 0 ? null : Placed.join(conf.lines);
  const known = base(command, when);
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
    environment: own,
    at: started.at.span(),
    unread: words === null || written === undefined ? [] : written.lines.map((line) => line.span()),
  };
}

type Conf = Pick<WrittenConf, 'base' | 'lines'>;

/** The conf that the launcher reads: what is at its path in the container, and what scripts write there. */
function confOf(command: Command, starter: Starter, written: Conf | undefined): Conf | null {
  if (written?.base === 'none') return written;
  const own = mounted(command, starter);
  if (written === undefined || own === null) return written ?? own;
  return { ...own, lines: [...own.lines, ...written.lines] };
}

/** The conf at the path where the launcher of the image looks for it; null: the packaged one. */
function mounted({ file, files, image }: Command, { kind, launcher }: Starter): Conf | null {
  if (!isScripted(kind)) return null;
  for (const path of kind.launchers.confsInImage(launcher)) {
    const text = file?.(path, 'conf') ?? null;
    if (text === null) continue;
    if (!('problem' in text)) return { base: 'none', lines: [text, text.as('\n')] };
    files.miss({ name: path, decides: 'settings', reason: text.problem });
    return { base: 'none', lines: [] };
  }
  if (image == null || kind.evidence.ofImage(image.text) !== null) return null;
  const reason = `the conf of ${launcher} is in the image ${image.text}, which is not among the files`;
  files.miss({ name: image.text, decides: 'settings', reason });
  return { base: 'none', lines: [] };
}
