/** The nodes that a command of a container, a unit or a script starts. */
import { isScripted, type Starter } from '../../kinds/find.js';
import type { Kind } from '../../kinds/kind.js';
import type { Scope } from '../launch/files.js';
import type { Container, Launch, LaunchVariable, Start } from '../launch/launch.js';
import { isKnown, Placed } from '../text/placed.js';
import type { Steps } from '../text/steps.js';
import { baseName, type Started, startedBy } from './commands.js';
import { Follower, placeOf, type ScriptStart, type WrittenConf } from './follow.js';

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
  /** The text of a file, by the path at which the command sees it; null: unknown. */
  file?(path: string): Placed | null;
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
  const first = new Follower(kinds, steps);
  const found = attempt(command, first, null);
  // The last attempt takes all of them to hold.
  const affordable = Math.floor(steps.left / (steps.taken - before + 1)) - 1;
  const tried = first.undecided.slice(0, Math.max(0, Math.min(maxConditions, affordable)));
  const cases = tried.flatMap((test) =>
    attempt(command, new Follower(kinds, steps, (place) => place === placeOf(test)), test),
  );
  for (const launch of [...cases, ...(tried.length > 0 ? allHolding(command) : [])]) {
    const same = found.findIndex((one) => one.launcher === launch.launcher && one.name === launch.name);
    const before = found[same];
    if (before === undefined) found.push(launch);
    else found[same] = { ...before, alternatives: [...before.alternatives, launch] };
  }
  if (first.undecided.length > tried.length)
    command.files.miss({
      name: null,
      decides: 'settings',
      reason: 'it depends on more conditions than kaiactl tries',
    });
  const { used, missing } = command.files;
  return found.map((one) => ({ ...one, files: used, missing }));
}

/** The nodes where all unknown conditions hold, including conditions nested in others. */
function allHolding(command: Command): Launch[] {
  const follower = new Follower(command.kinds, command.steps, () => true);
  const launches = attempt(command, follower, null);
  const [first, ...others] = follower.undecided;
  if (first === undefined || others.length === 0) return [];
  const when = Placed.join([first, ...others.flatMap((test) => [test.as(' and '), test])]);
  return launches.map((launch) => ({ ...launch, when }));
}

function attempt(command: Command, follower: Follower, when: Placed | null): Launch[] {
  const { environment, words } = command;
  for (const script of command.before ?? []) follower.follow(script, environment);
  const started = startedBy(command.kinds, words) ?? byImage(command);
  if (started === null) followFile(command, follower);
  else if ('script' in started) follower.follow(started.script, environment);
  else {
    const own = new Map(environment);
    for (const { name, value } of started.environment)
      own.set(name, { value, at: value.span(), indeterminate: null });
    follower.starts.push({ ...started, at: words[0] as Placed, exported: own });
  }
  return launchesFrom(command, follower, when);
}

/** Follows a script file that the command runs. */
function followFile({ words, environment, file }: Command, follower: Follower): void {
  const path = words.find(({ text }) => /\.sh$|entrypoint/.test(baseName(text)));
  const script = path === undefined ? null : (file?.(path.text) ?? null);
  if (script !== null) follower.follow(script, environment);
}

/** A command of flags only is passed to the entrypoint of the image, which is the program in the image of a node. */
function byImage({ kinds, words, image }: Command): Started | null {
  const [first] = words;
  if (first === undefined || image == null || !first.text.startsWith('-')) return null;
  const kind = kinds.find(({ signs }) => signs.image.test(image.text));
  if (kind === undefined) return null;
  const program = kind.programs.find((one) =>
    new RegExp(`\\b(?:${one}|${kind.launcherOf(one)})\\b`).test(image.text),
  );
  const launcher = program === undefined ? null : kind.launcherOf(program);
  return launcher === null
    ? { kind, launcher: kind.usualLauncher, guessed: true, words, environment: [] }
    : { kind, launcher, words, environment: [] };
}

function launchesFrom(command: Command, { starts, confs }: Follower, when: Placed | null): Launch[] {
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
  return [...launches, ...written];
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
  const conf = written ?? mounted(command, started);
  const lines = conf === null || conf.lines.length === 0 ? null : Placed.join(conf.lines);
  return {
    ...base(command, when),
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

/** The conf at the path where the launcher of the image looks for it. */
function mounted({ file }: Command, { kind, launcher }: Starter): Omit<WrittenConf, keyof Starter> | null {
  for (const path of isScripted(kind) ? kind.launchers.confsInImage(launcher) : []) {
    const text = file?.(path) ?? null;
    if (text !== null) return { base: 'none', lines: [text] };
  }
  return null;
}
