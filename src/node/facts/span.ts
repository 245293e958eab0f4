/** A place in a file. Lines and columns count from 1, columns in UTF-16 units; the end is exclusive. */
export interface Span {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}
