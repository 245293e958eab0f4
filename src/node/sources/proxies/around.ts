/** The files around the file of a proxy. */
import type { GatedHop } from '../../reach/hop.js';
import type { LineIndex } from '../text/line-index.js';
import type { Directive, Includable } from './directive.js';

/** The files around the file of a proxy. */
export interface FilesAround {
  /** The text of a file by the end of its path; null: it is not beside the file of the proxy. */
  readonly beside: (path: string) => string | null;
  /**
   * The directives of the files that a path or a pattern names, in their order; null: they are not among the files, it is
   * not known which they are, or one is not understood.
   * @param from - the file that a relative path starts from; absent: the file of the proxy
   */
  readonly included: (path: string, parse: Includable, from?: LineIndex) => readonly Directive[] | null;
  /** The other files of its machine. */
  readonly others: () => readonly LineIndex[];
}

/** A file that stands alone. */
export const noFiles: FilesAround = { beside: () => null, included: () => null, others: () => [] };

/** Reads a file of one format. null: the text is not of this format as a whole. */
export type ProxyReader = (text: string, around: FilesAround) => readonly GatedHop[] | null;
