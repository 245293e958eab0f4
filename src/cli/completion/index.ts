/** Completion scripts, from the outline of the command line. */
import type { CommandOutline } from '../outline.js';
import { bash } from './bash.js';
import { fish } from './fish.js';
import { zsh } from './zsh.js';

const scripts = { bash, zsh, fish };

/** The script for a shell. It holds all words and never runs kaiactl, so that completion is fast. */
export function completionScript(shell: keyof typeof scripts, commands: readonly CommandOutline[]): string {
  return scripts[shell](commands);
}
