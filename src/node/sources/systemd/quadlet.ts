/** Reads the `.container` units of podman. */
import type { Scope } from '../launch/files.js';
import type { Context, Launches } from '../launch/launch.js';
import {
  type ContainerRun,
  checksOf,
  commandOf,
  containerOf,
  environmentOf,
  mountsOf,
} from '../script/container-run.js';
import { launchesOf } from '../script/launches.js';
import { mountedAt } from '../script/mounts.js';
import type { LineIndex } from '../text/line-index.js';
import type { Placed } from '../text/placed.js';
import { directives } from './directives.js';
import { unitWords } from './unit-words.js';

/** The option of `podman run` that each key sets. */
const options: Readonly<Record<string, string>> = {
  Entrypoint: 'entrypoint',
  Environment: 'env',
  EnvironmentFile: 'env-file',
  HealthCmd: 'health-cmd',
  Mount: 'mount',
  Network: 'network',
  Pod: 'pod',
  PublishPort: 'publish',
  Volume: 'volume',
};
/** Keys with several words. */
const lists: ReadonlySet<string> = new Set(['Environment', 'Exec']);

/** The options of the pod that a container is in: its ports and its network. */
function podOptions(
  options: readonly (readonly [string, Placed])[],
  file: LineIndex,
  files: Scope,
): [string, Placed][] {
  return options.flatMap(([option, name]) => {
    const unit = option === 'pod' ? files.read(name.text, file, 'selected') : null;
    if (unit === null) return [];
    if ('problem' in unit) {
      files.miss({ name: name.text, decides: 'reach', reason: `Pod: ${unit.problem}` });
      return [];
    }
    const keys: Readonly<Record<string, string>> = { PublishPort: 'publish', Network: 'network' };
    return directives(unit, 'Pod').flatMap(({ name: key, value }): [string, Placed][] => {
      const own = keys[key];
      return own === undefined ? [] : [[own, value.trim()]];
    });
  });
}

/** A word of Exec: systemd takes $$ as a $ of the container's command. */
function withoutEscapes(word: Placed): Placed {
  return word.replace(/\$\$/g, (_, at) => at.slice(0, 1));
}

/** Reads the section [Container] as `podman run` with the same options. */
export function readQuadlet(file: LineIndex, { files: all, steps, kinds }: Context): Launches {
  const files = all.scope();
  const found = directives(file, 'Container');
  const run: { image: Placed | null; options: [string, Placed][]; words: Placed[] } = {
    image: null,
    options: [],
    words: [],
  };
  for (const { name, value } of found) {
    const words = lists.has(name) ? unitWords(value) : [value.trim()];
    const option = Object.hasOwn(options, name) ? options[name] : undefined;
    if (name === 'Image') run.image = value.trim();
    else if (name === 'Exec') run.words = words.map(withoutEscapes);
    else if (option !== undefined) run.options.push(...words.map((word): [string, Placed] => [option, word]));
  }
  const { image } = run;
  run.options.push(...podOptions(run.options, file, files));
  if (image === null) return { launches: [], problems: [], notes: [] };
  const container: ContainerRun = { ...run, image };
  const mounts = mountsOf(container, file);
  const launches = launchesOf({
    name: null,
    words: commandOf(container),
    environment: environmentOf(container, new Map(), file, files),
    container: containerOf(container),
    image,
    checks: checksOf(container),
    file: (path, role) => mountedAt(mounts, path, files, role),
    files,
    steps,
    kinds,
  });
  return { launches, problems: [], notes: [] };
}
