/** The image that a command of a script builds, wherever it is run. */
import { posix } from 'node:path';
import { type Recipe, recipeOf } from '../image/recipe.js';
import { LineIndex } from '../text/line-index.js';
import { isKnown, type Placed } from '../text/placed.js';
import { pairOf } from '../text/words.js';
import type { Command } from './command.js';
import { commandsIn, type ImageBuild, imageBuild, optionsNamed, scripts } from './container-run.js';
import { fileAt, pathIn } from './paths.js';

/** A build, and the folder that its command runs in, relative to the file with the command. */
interface Build extends ImageBuild {
  readonly folder: string;
}

type Reading = Pick<Command, 'files' | 'steps'>;

/** The last of these builds that gives its image this name, with its tag or with another one. */
export function buildOf<T extends Build>(name: string, builds: readonly T[]): T | null {
  const named = (of: (name: string) => string) =>
    builds.findLast((one) => optionsNamed(one, 'tag').some(({ text }) => of(text) === of(name)));
  // A name without a tag has the tag `latest`.
  return named((name) => (name === untagged(name) ? `${name}:latest` : name)) ?? named(untagged) ?? null;
}

function untagged(name: string): string {
  return name.replace(/:[^/]*$/, '');
}

/** The image of a build; null if its Dockerfile is not among the files. `from`: the file with the command. */
export function recipeOfBuild(build: Build, from: LineIndex, { files, steps }: Reading): Recipe | null {
  const { context, folder } = build;
  const at = fileAt(pathIn(folder, context.text)) ?? '.';
  const given = optionsNamed(build, 'file').at(-1);
  const path =
    given === undefined ? posix.join(at, 'Dockerfile') : (fileAt(pathIn(folder, given.text)) ?? '');
  const file = files.read(path, from, 'built');
  if ('problem' in file) {
    const name = optionsNamed(build, 'tag').at(-1)?.text ?? null;
    files.miss({ name, decides: 'settings', reason: `docker build: ${file.problem}` });
    return null;
  }
  const args = optionsNamed(build, 'build-arg').map(pairOf);
  return recipeOf(file, {
    context: new LineIndex(posix.join(posix.dirname(from.file), at, 'x'), ''),
    steps,
    arguments: new Map(args.flatMap(([key, value]) => (value === null ? [] : [[key, value] as const]))),
    target: optionsNamed(build, 'target').at(-1)?.text,
  });
}

const command = /\b(?:docker|podman|nerdctl)(?:[ \t]+(?:image|buildx))?[ \t]+build\b(?:\\\n|[^\n;&|])*/g;

/**
 * The image of this name, where a command in any script of the deployment builds it: of a compose file or a manifest the
 * image itself is no file. Null if no script does. Commands are read as they are written, from the folder of their script.
 */
export function builtElsewhere(image: Placed | null, { files, steps }: Reading): Recipe | null {
  if (image === null || !isKnown(image.text)) return null;
  const bare = untagged(image.text);
  for (const file of files.named(scripts)) {
    if (!file.text.includes(bare)) continue;
    const found = commandsIn(file, command).flatMap((words) => imageBuild(words) ?? []);
    const builds = found.map((one) => ({ ...one, folder: '' }));
    const build = buildOf(image.text, builds);
    if (build !== null) return recipeOfBuild(build, file, { files, steps });
  }
  return null;
}
