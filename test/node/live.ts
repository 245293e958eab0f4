/** Runs the verbs of `kaiactl node` that look at nodes: audit, modules, simulate, watch and policy. */
import { nodeVerbs } from '../../src/cli/node.js';
import type { Host } from '../../src/host.js';
import { type RunOptions, runWith } from '../cli/run-with.js';
import { programOf } from '../cli/verbs.js';
import { outcomeOf } from '../peers/outcome.js';

const main = programOf('node', nodeVerbs);

export const run = (argv: readonly string[], options: RunOptions = {}) => runWith(main, argv, options);
export const kaiactl = (argv: readonly string[], given: Partial<Host> = {}) => outcomeOf(main, argv, given);
