/** Reads scripts and command lines. */

import type { Context, Launches } from '../launch/launch.js';
import type { LineIndex } from '../text/line-index.js';
import { Placed } from '../text/placed.js';
import { launchesOf } from './container.js';

/** A script that starts a node, or writes its conf. */
export function readScript(file: LineIndex, { files, steps, kinds }: Context): Launches {
  const script = Placed.at(file, file.text.startsWith('\uFEFF') ? 1 : 0);
  const launches = launchesOf({
    name: null,
    words: [],
    environment: new Map(),
    container: null,
    before: [script],
    files: files.scope(),
    steps,
    kinds,
  });
  return { launches, problems: [], notes: [] };
}

/** A line as its user typed it. */
export function readCommandLine(file: LineIndex, context: Context): Launches {
  return readScript(file, context);
}
