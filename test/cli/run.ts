/** Runs one command line of the whole program in this process. */
import { main } from '../../src/main.js';
import { type RunOptions, runWith } from './run-with.js';

/** `run(['node', 'lint', 'kend.conf'])`: exit code and both streams. */
export const run = (argv: readonly string[], options: RunOptions = {}) => runWith(main, argv, options);
