/** What it costs to read a file, counted: the same on every machine. */
import { Lost } from './leave.js';

/** About 0.3 s on a slow machine. A conf of a few hundred lines takes some thousands. */
export const maxSteps = 100_000;

/** Why nothing is known of what follows. */
export const tooManySteps = 'the file takes too many steps to follow';

/** Counts the work on one file, about a microsecond a step, and ends it where it grows out of hand. */
export class Steps {
  taken = 0;

  /** Steps until the reading ends; 0 when it has ended. */
  get left(): number {
    return Math.max(0, maxSteps - this.taken);
  }

  /** Work that cannot be left half done: the next step ends the reading. */
  count(steps: number): void {
    this.taken += steps;
  }

  /** @throws {Lost} beyond `maxSteps` */
  take(steps = 1): void {
    this.taken += steps;
    if (this.taken > maxSteps) throw new Lost(tooManySteps);
  }
}
