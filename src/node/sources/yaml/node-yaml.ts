/** A node's own YAML file by itself: a node that is started with it and nothing else. */
import { flagsOf } from '../argv/node.js';
import { type Context, type Launches, loneLaunch } from '../launch.js';
import type { LineIndex } from '../text/line-index.js';
import { layerOf } from './layer.js';

/** The settings of the node, whatever launcher names the file. */
export function readNodeYaml(file: LineIndex, { kinds: [kind] }: Context): Launches {
  const layer = kind === undefined ? null : layerOf(file, flagsOf(kind, kind.usualLauncher));
  if (kind === undefined || layer === null || (layer.values.size === 0 && layer.problem === null))
    return { launches: [], problems: [], notes: [] };
  const launch = loneLaunch({ kind, at: file.span({ start: 0, end: 0 }), file: layer });
  return { launches: [launch], problems: [], notes: [] };
}
