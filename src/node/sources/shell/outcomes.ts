/** Several outcomes of what cannot be known. */

import { Discard, Stop } from './leave.js';
import { copyOf, type Memory, merged } from './memory.js';
import type { Shell } from './state.js';

/**
 * Follows each of several outcomes from the same start and keeps what they agree on.
 * An outcome that ends the launcher does not count; one that leaves the line or the file puts the rest in doubt.
 */
export function alternatives(shell: Shell, runs: readonly (() => void)[]): void {
  const start = shell.memory;
  const doubt = { ...shell.doubt };
  const ends: Memory[] = [];
  const reason = `it depends on a condition that cannot be known (line ${shell.lineOf(shell.here.start)})`;
  let thrown: unknown = null;
  const after = { ...doubt };
  for (const one of runs) {
    shell.step(start.variables.size / 2);
    shell.memory = copyOf(start);
    shell.doubt = { ...doubt };
    shell.conditional += 1;
    try {
      one();
      ends.push(shell.memory);
    } catch (error) {
      if (!(error instanceof Discard || error instanceof Stop)) throw error;
      thrown ??= error;
      if (error instanceof Stop && error.how === 'exit') {
        shell.mayExit.push({ reason: error.message, at: error.at });
      } else if (error instanceof Stop) {
        after.file ??= 'the file may have been left before';
        ends.push(shell.memory);
      } else {
        after.unit ??= 'the line may have been left before';
        ends.push(shell.memory);
      }
    } finally {
      shell.conditional -= 1;
    }
    after.unit ??= shell.doubt.unit;
    after.file ??= shell.doubt.file;
  }
  shell.doubt = after;
  const [first, ...rest] = ends;
  if (first === undefined) throw thrown;
  shell.memory = rest.reduce((left, right) => merged(left, right, reason), first);
}
