/** Several outcomes of what cannot be known. */

import { Discard, Stop } from './leave.js';
import type { Memory } from './memory.js';
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
    shell.steps.take(4);
    shell.memory = start.branch();
    shell.doubt = { ...doubt };
    shell.conditional += 1;
    try {
      one();
      ends.push(shell.memory);
    } catch (error) {
      if (!(error instanceof Discard || error instanceof Stop)) throw error;
      thrown ??= error;
      if (error instanceof Stop && error.how === 'exit') {
        shell.addExit({ reason: error.message, at: error.at });
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
  if (ends.length === 0) throw thrown;
  for (const { changes } of ends) shell.steps.take(2 * changes);
  start.settle(ends, reason);
  shell.memory = start;
}
