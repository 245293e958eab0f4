/** Completion scripts, from the outline of the command line. */
import { bash } from './bash.js';
import { fish } from './fish.js';
import { zsh } from './zsh.js';

/** The script of each shell. It holds all words and never runs kaiactl, so that completion is fast. */
export const completions = { bash, zsh, fish };
