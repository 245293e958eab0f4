/** What a reader of one file is given, where no other file is there. */
import { DeploymentFiles } from '../../../src/node/deployment/files.js';
import { View } from '../../../src/node/deployment/view.js';
import { kinds } from '../../../src/node/kinds/index.js';
import type { Context } from '../../../src/node/sources/launch/launch.js';
import { Steps } from '../../../src/node/sources/text/steps.js';

export function contextOf(): Context {
  return {
    files: new View(new DeploymentFiles({ cwd: null, root: '.', outside: false })),
    steps: new Steps(),
    kinds,
  };
}
