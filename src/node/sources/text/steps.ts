/** The cost of reading a file, counted in steps: the same on every machine. */

/** The reading ends here; nothing after this point is known. */
export class Lost extends Error {}

/** About 0.3 s on a slow machine. A conf of a few hundred lines takes a few thousand steps. */
export const maxSteps = 100_000;

/** The reason for indeterminate values in the rest of the file. */
export const tooManySteps = 'the file takes too many steps to follow';

/** Counts the work on one file, about a microsecond a step, and limits it. */
export class Steps {
  taken = 0;
  readonly limit: number;
  /** How many commands share the steps: none may use up with what it tries what the others need. */
  commands = 1;

  constructor(limit = maxSteps) {
    this.limit = limit;
  }

  /** Steps until the reading ends; 0 when it has ended. */
  get left(): number {
    return Math.max(0, this.limit - this.taken);
  }

  /** Steps that one of the commands may try with. */
  get share(): number {
    return Math.min(this.left, Math.floor(this.limit / (this.commands === 1 ? 1 : 2 * this.commands)));
  }

  /** Counts work that must not be interrupted: the next `take` ends the reading. */
  count(steps: number): void {
    this.taken += steps;
  }

  /** @throws {Lost} beyond the limit */
  take(steps = 1): void {
    this.taken += steps;
    if (this.taken > this.limit) throw new Lost(tooManySteps);
  }
}
