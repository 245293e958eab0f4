/** Where the columns of the text report begin. */
import { columns } from '../../terminal/columns.js';
import { visible } from '../../util/visible.js';
import type { Finding, Place } from '../facts/report.js';

/** Rule and place, message, source. */
export interface Layout {
  readonly place: number;
  readonly message: number;
  readonly source: number;
  /** False where the source line stands below its place. */
  readonly beside: boolean;
}
/** For terminals that are wide enough. */
export const roomy: Layout = { place: 9, message: 30, source: 17, beside: false };
/** For terminals below this width: what stands beside another thing otherwise stands below it. */
const narrow = 60;
/** For those that are not. */
export const tight: Layout = { place: 2, message: 2, source: 4, beside: false };
/** Places longer than this get a line of their own. */
const longestPlace = 24;

/** For a terminal of this width. */
export function layoutFor(width: number, findings: readonly Finding[]): Layout {
  if (width < narrow) return tight;
  const places = findings.flatMap(({ at, related }) => [at, ...related.map((one) => one.at)]);
  const longest = Math.max('fix'.length, ...places.map((at) => columns(nameOf(at))));
  // Source lines stand beside their places, unless one of those is too long.
  if (longest > longestPlace) return roomy;
  return { ...roomy, source: Math.max(roomy.source, roomy.place + longest + 3), beside: true };
}

/** The label between two columns, with a blank behind it at the least. */
export function pad(label: string, from: number, to: number): string {
  return ' '.repeat(from) + label + ' '.repeat(Math.max(1, to - from - columns(label)));
}

/** `file:line:column`, or the endpoint. */
export function nameOf(at: Place): string {
  return 'endpoint' in at ? visible(at.endpoint) : `${visible(at.file)}:${at.line}:${at.column}`;
}
