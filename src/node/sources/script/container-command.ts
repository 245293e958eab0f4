/** Containers that a script runs: each is a command with the image, the mounts and the variables of its run. */
import type { Unread, Writes } from '../launch/files.js';
import { LineIndex } from '../text/line-index.js';
import type { Placed } from '../text/placed.js';
import { unfilled } from '../text/placeholders.js';
import { buildOf, builtElsewhere, recipeOfBuild } from './built-image.js';
import type { Command } from './command.js';
import { containerOf, networksOf, sharedWith, unknownNetwork } from './container-reach.js';
import { checksOf, commandOf, environmentOf, mountsOf, nameOf } from './container-run.js';
import type { Follower } from './follow.js';
import type { StartedContainer } from './followed.js';
import { mountedAt } from './mounts.js';
import { networksMade } from './networks.js';

export function inContainer(
  { run, at, exported }: StartedContainer,
  command: Command,
  follower: Follower,
): Command {
  const { kinds, name, steps } = command;
  const from = new LineIndex(at.span().file, '');
  const files = command.files.after(writesOf(command, follower, null), from);
  const own = nameOf(run);
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
export function tellChanged({ name, files }: Command, { containers }: Follower): void {
  for (const { container, does, path, at } of containers.changesElsewhere) {
    const reason = `it ${does} ${path} in the container ${container}, which is started elsewhere`;
    files.unfollowed({ name, at: at.span(), reason: reason.replaceAll(unfilled, '…') });
  }
}

export function writesOf({ files }: Command, follower: Follower, when: Placed | null): Writes {
  return { files: follower.files, run: follower.ran, when, by: files };
}
