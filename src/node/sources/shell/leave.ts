/** How bash leaves a line, the file or our sight. */
import type { Range } from '../text/range.js';

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

/** Nothing can be said about anything from here on. */
export class Lost extends Error {}
