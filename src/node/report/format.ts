/** What a report format is. */
import type { Report } from '../facts/report.js';

export interface RenderOptions {
  /** Columns of the terminal. */
  readonly columns: number;
  /** True for what matters less: suppressed findings, clean targets of a large run. */
  readonly verbose: boolean;
}

/** Report → text, ending in a newline. Pure. */
export type Render = (report: Report, options: RenderOptions) => string;

/** More targets than this are shown by cause, one line each, unless --verbose. */
export const fewNodes = 5;
