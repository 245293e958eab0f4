/** Reads Dockerfiles: ENTRYPOINT and CMD of the last stage, in both forms. */

import { recipeOf } from '../image/recipe.js';
import type { Context, Launches } from '../launch/launch.js';
import { launchesOf } from '../script/launches.js';
import type { LineIndex } from '../text/line-index.js';

/** Reads a Dockerfile whose context is its folder. */
export function readDockerfile(file: LineIndex, { files, steps, kinds }: Context): Launches {
  const recipe = recipeOf(file, { context: file, steps });
  if (recipe === null) return { launches: [], problems: [], notes: [] };
  const scope = files.scope();
  const launches = launchesOf({
    name: null,
    words: [...recipe.entrypoint, ...recipe.command],
    environment: recipe.environment,
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
