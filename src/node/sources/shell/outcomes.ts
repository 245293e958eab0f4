/** How a command can end early, and what several possible outcomes agree on. */
import type { Range } from '../text/line-index.js';
import type { Memory } from './memory.js';
import type { Shell } from './state.js';

/** Bash drops the rest of the command line it has read (a failing expansion). */
export class Discard extends Error {}

/** Bash stops reading the file (`return`), or the launcher itself ends (`exit`, ${X:?}). */
export class Stop extends Error {
  readonly how: 'return' | 'exit';
  readonly at: Range;

  constructor(how: Stop['how'], reason: string, at: Range) {
    super(reason);
    this.how = how;
    this.at = at;
  }
}

/** A round of a loop ends, or the loop does; `maybe`: that is not known. */
export class RoundEnd extends Error {
  readonly how: 'continue' | 'break' | 'maybe';

  constructor(how: RoundEnd['how']) {
    super(how);
    this.how = how;
  }
}

/** Why a value is unknown after a command that may have ended its command line. */
export const lineMayEnd = 'bash may have skipped the rest of the line';

export const fileMayEnd = 'bash may have stopped reading the file';

/**
 * Follows each outcome from the same start and keeps what all of them agree on. An outcome that ends the launcher does
 * not count. One that ends the line or the file makes what follows unknown.
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
        shell.journal.addExit({ reason: error.message, at: error.at });
      } else {
        if (error instanceof Stop) after.file ??= fileMayEnd;
        else after.unit ??= lineMayEnd;
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
