/** A stretch of a text, by offsets. */

/** Offsets into the text, the end exclusive. */
export interface Range {
  readonly start: number;
  readonly end: number;
}
