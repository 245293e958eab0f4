/** The interface of a report format. */
import type { ReportStream } from '../facts/report.js';
import type { Kind } from '../kinds/kind.js';

export interface RenderOptions {
  readonly columns: number;
  /** Columns after which a finding or a node in one line is cut. Default: `columns`. */
  readonly lineColumns?: number;
  /** Lines of the terminal; absent for a file or a pipe, which takes any number. */
  readonly rows?: number;
  /** The terminal shows links. */
  readonly links?: boolean;
  /** Show each finding whole, suppressed ones too, target by target. */
  readonly verbose: boolean;
  /** The kinds of node that targets may be, for the severity of their modules. */
  readonly kinds: readonly Kind[];
}

/**
 * Report → pieces of text; the last ends in a newline. Pure. It may iterate over the targets several times, for example
 * for totals above them, and keeps none of them.
 */
export type Render = (report: ReportStream, options: RenderOptions) => AsyncIterable<string>;

/** Targets whose edits the text shows without --verbose: each edit is tried, which takes time. */
export const fewNodes = 20;

/** The largest report that is read again, and so that is written. */
export const maxReport = { mib: 4096, targets: 1_000_000 } as const;
