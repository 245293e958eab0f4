/** A YAML file for --conf by itself: a node that is started with it and nothing else. */
import { flagsOf } from '../../kinds/kaia/flags.js';
import { usualLauncher } from '../../kinds/kaia/names.js';
import { type Launches, loneLaunch } from '../launch.js';
import type { LineIndex } from '../text/line-index.js';
import { layerOf } from './layer.js';

/** The settings of the node, whatever launcher names the file. */
export function readNodeYaml(file: LineIndex): Launches {
  const layer = layerOf(file, flagsOf(usualLauncher));
  if (layer.values.size === 0 && layer.problem === null) return { launches: [], problems: [], notes: [] };
  const launch = loneLaunch({ at: file.span({ start: 0, end: 0 }), file: layer });
  return { launches: [launch], problems: [], notes: [] };
}
