/**
 * The nodes that a command of a container, a unit or a script starts. Containers that a script runs are each a command
 * with the image, the mounts and the variables of its run.
 */

import { kindsNamed, kindsOfImage } from '../../kinds/find.js';
import type { ReadRole, Unread, Writes } from '../launch/files.js';
import type { Launch } from '../launch/launch.js';
import { LineIndex } from '../text/line-index.js';
import { Placed } from '../text/placed.js';
import { unfilled } from '../text/placeholders.js';
import { Lost } from '../text/steps.js';
import { showText } from '../text/unknown.js';
import { buildOf, builtElsewhere, recipeOfBuild } from './built-image.js';
import type { Command } from './command.js';
import { mayOpen } from './console.js';
import { checksOf, commandOf, containerName, environmentOf, mountsOf } from './container-run.js';
import { setBy } from './exported.js';
import { conditionKey, Follower } from './follow.js';
import type { Follows, StartedContainer } from './followed-files.js';
import { byContent, byImage, tellUnfollowed } from './image-start.js';
import { launchesFrom, packagesIn, projectsBuilt } from './launches-from.js';
import { mountedAt } from './mounts.js';
import { containerOf, networksMade, networksOf, sharedWith, unknownNetwork } from './networks.js';

/** The limit of unknown conditions that are tried one by one; for a script that takes many steps fewer are tried. */
const maxConditions = 12;

/** The cost of a command in steps, besides following it. */
const stepsPerLaunch = 100;

/** The nodes a command starts, with an alternative for each unknown condition that holds, and one for all of them. */
export function launchesOf(given: Command): Launch[] {
  const packages = packagesIn(given);
  const projects = projectsBuilt(given);
  const ofImage = given.image == null ? given.kinds : kindsOfImage(given.kinds, given.image.text);
  const ofBuild = kindsNamed(ofImage, ({ signs }) => projects.some((name) => signs.image.test(name)));
  const kinds = kindsNamed(ofBuild, ({ evidence }) =>
    packages.some((path) => evidence.ofPackage(path) !== null),
  );
  const command = { ...given, kinds };
  const { steps } = command;
  steps.count(stepsPerLaunch + command.environment.size + command.words.length);
  if (steps.left === 0) return [];
  const before = steps.taken;
  const open = (path: string, role: ReadRole) => command.file?.(path, role) ?? null;
  const isImage = command.image != null;
  const outside = (name: string, at: Placed) => (isImage ? undefined : command.files.outside(name, at));
  const how = { kinds, steps, open, isImage, outside };
  const { first, found, assumed } = reached(command, how);
  const holds = (place: string) => assumed.has(place);
  if (found.length === 0) tellUnfollowed(command, first.unread);
  // The last attempt takes all of them to hold.
  const affordable = Math.floor(steps.share / (steps.taken - before + 1)) - 1;
  const tried = first.undecided.slice(0, Math.max(0, Math.min(maxConditions, affordable)));
  const cases = tried.flatMap((test) => {
    const own = conditionKey(test);
    const follower = new Follower({ ...how, holds: (place) => (place === own) !== holds(place) });
    return attempt(command, follower, holds(own) ? Placed.join([test.as('not '), test]) : test);
  });
  const all = new Follower({ ...how, holds: () => true });
  const kept = affordable > tried.length ? unchanged(command, first, { ...how, holds }, found) : [];
  for (const launch of [...cases, ...(tried.length > 0 ? allHolding(command, all) : []), ...kept])
    addAlternative(found, launch);
  const untried = first.undecided.slice(tried.length, tried.length + 1).map((test) => ({
    name: null,
    decides: 'settings' as const,
    reason: `it depends on more conditions than kaiactl tries: ${setBy(test).indeterminate}`,
  }));
  if (found.length > 0)
    for (const { at, reason } of first.cut)
      command.files.unfollowed({ name: command.name, at: at.span(), reason, isCut: true });
  const { used, missing } = command.files;
  // A container that a script runs has its own image and its own missing files.
  const isOwn = ({ image = null }: Launch) => image === (command.image?.text ?? null);
  return found.map((one) => ({
    ...one,
    ...(isOwn(one) ? unlikeImage(one, command) : {}),
    files: used,
    missing: [...(isOwn(one) ? new Set([...missing, ...one.missing]) : one.missing), ...untried],
  }));
}

/** What starts is of another kind than the name of its image says. */
function unlikeImage({ kind }: Launch, { image, kinds }: Command): Pick<Launch, 'unlike'> {
  const named = image == null ? [] : kinds.filter(({ signs }) => signs.image.test(image.text));
  if (image == null || named.length === 0 || named.includes(kind)) return {};
  const { file, line } = image.span();
  return { unlike: `${showText(image)} (${file}:${line})` };
}

/**
 * The run that takes unknown conditions not to hold. Where `exit` ends it before a node starts, the condition before the
 * `exit` is assumed to hold, and the one before that: bash starts a node only where it does not end.
 */
function reached(command: Command, options: Follows) {
  const run = (assumed: ReadonlySet<string>) => {
    const first = new Follower({ ...options, holds: (place) => assumed.has(place) });
    return { first, found: attempt(command, first, null), assumed };
  };
  const { taken: before, share } = options.steps;
  const plain = run(new Set());
  const cost = options.steps.taken - before + 1;
  let last = plain;
  while (last.found.length === 0 && last.first.hasExited) {
    const { first, assumed } = last;
    const next = first.undecided.findLast((test) => !assumed.has(conditionKey(test)));
    const isSpent = assumed.size === maxConditions || share < options.steps.taken - before + 2 * cost;
    if (next === undefined || isSpent) return plain;
    last = run(new Set([...assumed, conditionKey(next)]));
  }
  return last;
}

export function addAlternative(found: Launch[], launch: Launch): void {
  const same = found.findIndex((one) => one.launcher === launch.launcher && one.name === launch.name);
  const before = found[same];
  if (before === undefined) found.push(launch);
  else found[same] = { ...before, alternatives: [...before.alternatives, launch] };
}

/** The nodes where all unknown conditions hold, including conditions nested in others. */
function allHolding(command: Command, follower: Follower): Launch[] {
  const launches = attempt(command, follower, 'all');
  return follower.undecided.length < 2 ? [] : launches;
}

/** The nodes where commands that are not followed leave the variables as they are, if that makes a difference. */
function unchanged(command: Command, { opaque }: Follower, options: Follows, found: readonly Launch[]) {
  if (opaque === null || found.length === 0) return [];
  const before = new Set(found.map(startOf));
  const unless = setBy(opaque).indeterminate ?? opaque.text;
  const when = opaque.as(`${unless} changes nothing that is set before it`);
  const kept = attempt(command, new Follower({ ...options, isWritten: true }), when);
  return kept.filter((one) => !before.has(startOf(one))).map((one) => ({ ...one, when: null, unless }));
}

function startOf({ launcher, name, start, environment }: Launch): string {
  const words =
    start.kind === 'binary' ? start.words.map(({ text }) => text) : [start.base, start.conf?.text];
  const variables = [...environment].map(([variable, { value }]) => [variable, value?.text]);
  return JSON.stringify([launcher, name, words, variables]);
}

/** All conditions that a follower met; null if there is none. */
function conditionOf({ undecided }: Follower): Placed | null {
  return undecided.length === 0 ? null : Placed.join(undecided, ' and ');
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
  const isMachine = command.image === undefined;
  const kept = isMachine ? { paths: () => packagesIn(command) } : { files: follower.generated };
  command.files.wrote({ ...writes, ...kept });
  const contained = follower.containers.started.flatMap((one) =>
    launchesOf(inContainer(one, command, follower)),
  );
  tellChanged(command, follower);
  const isContained = ({ by, launcher }: Launch) =>
    by === 'name' && contained.some((one) => one.launcher === launcher);
  return [
    ...launchesFrom(command, follower, holding).filter((one) => !isContained(one)),
    ...contained.map((launch) => (launch.when === null ? { ...launch, when: holding } : launch)),
  ];
}

/** @throws {Lost} after too many steps */
function followAll(command: Command, follower: Follower): void {
  const { environment, words, folder = '' } = command;
  // The scripts of an image without a path are those of RUN: an image with one that fails is not built.
  const run = { ...command.self, folder, succeeds: command.self === undefined };
  for (const script of command.before ?? []) follower.follow(script, environment, run);
  const runAll = (hooks: readonly (readonly Placed[])[] = []) => {
    for (const hook of hooks) if (hook[0] !== undefined) follower.run(hook, hook[0], environment, folder);
  };
  for (const action of command.actions ?? []) follower.act(action, environment, folder);
  runAll(command.first);
  const [first] = words;
  const flags = byImage(command);
  const isRun = flags === null && first !== undefined && follower.run(words, first, environment, folder);
  const started = flags ?? (isRun && follower.unread.length === 0 ? null : byContent(command));
  const at = first ?? command.image;
  if (started !== null && at != null) follower.start({ ...started, at, exported: environment });
  runAll(command.after);
  runAll(command.checks?.filter(mayOpen));
}

function inContainer({ run, at, exported }: StartedContainer, command: Command, follower: Follower): Command {
  const { kinds, name, steps } = command;
  const from = new LineIndex(at.span().file, '');
  const files = command.files.after(writesOf(command, follower, null), from);
  const own = containerName(run);
  const mounts = mountsOf(run, from);
  const build = buildOf(run.image.text, follower.built);
  const recipe =
    build === null
      ? builtElsewhere(run.image, { files, steps })
      : recipeOfBuild(build, from, { files, steps });
  const owner = follower.containers.networkOwner(run);
  if (owner === null) {
    const reason = `it uses the network of the container ${sharedWith(run)}, which no script here runs`;
    files.miss({ name: sharedWith(run), decides: 'reach', reason });
  }
  const network = owner ?? run;
  const networks = [...networksMade(networksOf(network), files), ...follower.containers.networks];
  const unknown = unknownNetwork(network, networks);
  if (unknown !== null) files.miss({ name: own, decides: 'reach', reason: unknown });
  return {
    kinds,
    name: own ?? name,
    words: commandOf(run, recipe),
    environment: new Map([...(recipe?.environment ?? []), ...environmentOf(run, exported, from, files)]),
    container: containerOf(network, networks),
    image: recipe === null ? run.image : recipe.image,
    before: recipe?.scripts ?? [],
    origins: recipe?.origins ?? [],
    checks: checksOf(run, recipe),
    file: (path, role) =>
      changedAt(path, own, follower) ??
      mountedAt(mounts, path, files, role) ??
      recipe?.file(path, files, role) ??
      null,
    files,
    steps,
  };
}

function changedAt(path: string, container: string | null, { containers }: Follower): Unread | null {
  const change = containers.changeOf(container, path);
  return change && { problem: `line ${change.at.span().line} changes ${path} in the running container` };
}

/** Reports what is changed in containers that are started elsewhere. */
function tellChanged({ name, files }: Command, { containers }: Follower): void {
  for (const { container, does, path, at } of containers.changesElsewhere) {
    const reason = `it ${does} ${path} in the container ${container}, which is started elsewhere`;
    files.unfollowed({ name, at: at.span(), reason: reason.replaceAll(unfilled, '…') });
  }
}

function writesOf({ files }: Command, follower: Follower, when: Placed | null): Writes {
  return { files: follower.files, run: follower.ran, when, by: files };
}
