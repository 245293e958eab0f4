/** The shell's variables with changes that are forgotten: what a launcher does to them must not outlast its reading. */
import type { Shell } from '../shell/state.js';
import type { Value } from '../shell/value.js';

export type Scratch = Pick<Shell, 'steps' | 'look' | 'set'>;

export function scratchOf(shell: Shell): Scratch {
  const written = new Map<string, Value>();
  return {
    steps: shell.steps,
    look: (name) => written.get(name) ?? shell.look(name),
    set(name, value) {
      written.set(name, value);
      return value;
    },
  };
}
