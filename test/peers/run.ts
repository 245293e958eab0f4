/** Runs a command line of the whole program in this process. */
import type { Host } from '../../src/host.js';
import { main } from '../../src/main.js';
import { outcomeOf } from './outcome.js';

/** What the command line prints and ends with; the environment is empty unless given. */
export const kaiactl = (argv: readonly string[], given: Partial<Host> = {}) => outcomeOf(main, argv, given);
