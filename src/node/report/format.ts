/** What a report format is. */
import type { ReportStream } from '../facts/report.js';

export interface RenderOptions {
  /** Columns of the terminal. */
  readonly columns: number;
  /** True for what matters less: suppressed findings, clean targets of a large run. */
  readonly verbose: boolean;
}

/**
 * Report → text in pieces, the last ending in a newline. Pure. It goes through the targets as often as it needs (once for
 * what stands above them) and keeps none of them.
 */
export type Render = (report: ReportStream, options: RenderOptions) => AsyncIterable<string>;

/** More targets than this are shown by cause, one line each, unless --verbose. */
export const fewNodes = 5;
