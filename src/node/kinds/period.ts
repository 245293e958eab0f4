/** The releases in which something is there, both ends included; no end: the first or the last release known. */
export interface Period {
  readonly since?: string;
  readonly until?: string;
}
