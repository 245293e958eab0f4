/** What a source is read with, and the nodes it starts. */
import type { KaiactlError } from '../../errors.js';
import type { Conf } from '../facts/facts.js';
import type { Kind } from '../kinds/kind.js';
import type { ConfOptions } from './conf/conf.js';

export interface LoadOptions extends ConfOptions {
  /** The kinds of node that are looked for. */
  readonly kinds: readonly Kind[];
  /** The name stdin goes by: for places, and to infer the launcher. Default: `-`. */
  readonly stdinFilename?: string | undefined;
  /** The conf that lines found elsewhere are appended to. Default: the packaged one. */
  readonly base?: string | undefined;
  /** Which of the nodes is meant, where a source starts several. */
  readonly service?: string | undefined;
  /** True when files that the source names may lie outside its folder. */
  readonly followOutside?: boolean | undefined;
}

/** One node of a source. */
export interface LoadedNode {
  /** Service, container or unit; null: the source starts just one. */
  readonly name: string | null;
  readonly conf: Conf;
}

export interface Loaded {
  readonly nodes: readonly LoadedNode[];
  /** Parts of the file that could not be read; the others were. */
  readonly problems: readonly KaiactlError[];
  readonly notes: readonly string[];
}
