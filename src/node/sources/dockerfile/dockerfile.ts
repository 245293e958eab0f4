/** Reads Dockerfiles: ENTRYPOINT and CMD of the last stage, in both forms. */

import { recipeOf } from '../image/recipe.js';
import type { Context, Launches } from '../launch/launch.js';
import { launchesOf } from '../script/launches.js';
import type { LineIndex } from '../text/line-index.js';
import { Placed } from '../text/placed.js';

/** Reads a Dockerfile whose context is its folder. */
export function readDockerfile(file: LineIndex, { files, steps, kinds }: Context): Launches {
  const scope = files.scope();
  const outside = (name: string, at: Placed) => scope.outside(name, at);
  const recipe = recipeOf(file, { context: file, steps, outside });
  if (recipe === null) return { launches: [], problems: [], notes: [] };
  const environment = [...recipe.environment].map(([name, variable]) => {
    const value = outside(name, variable.value ?? Placed.at(file, 0, 0));
    return [name, value === undefined ? variable : { value, at: value.span(), indeterminate: null }] as const;
  });
  const launches = launchesOf({
    name: null,
    words: [...recipe.entrypoint, ...recipe.command],
    environment: new Map(environment),
    // Ports are published where the image is run.
    container: null,
    image: recipe.image,
    before: recipe.scripts,
    origins: recipe.origins,
    checks: [recipe.check],
    file: (path, role) => recipe.file(path, scope, role),
    files: scope,
    steps,
    kinds,
  });
  return { launches, problems: [], notes: [] };
}
