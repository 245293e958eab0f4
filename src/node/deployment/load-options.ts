/** The options of reading a source, and the result. */
import type { KaiactlError } from '../../errors.js';
import type { Assigned, Conf } from '../facts/facts.js';
import type { OpenSign } from '../facts/sign.js';
import type { Kind } from '../kinds/kind.js';
import type { ConfOptions } from '../sources/conf/conf.js';
import type { Editables, Texts } from '../sources/text/editable.js';
import type { Placed } from '../sources/text/placed.js';
import type { DeploymentFiles } from './files.js';

export interface LoadOptions extends ConfOptions {
  /** The kinds of node that are looked for. */
  readonly kinds: readonly Kind[];
  /** The file name of stdin, for places and to infer the launcher. Default: `-`. */
  readonly stdinFilename?: string | undefined;
  /** The name of the file in places and reports. Default: its path. */
  readonly shownAs?: string | undefined;
  /** The conf that lines of a script are appended to. Default: the packaged conf. */
  readonly base?: string | undefined;
  /** The name of the node, where a source starts several. */
  readonly service?: string | undefined;
  /** Whether files that the source names may lie outside its folder. */
  readonly followOutside?: boolean | undefined;
  /** Values for names from outside, in the place of those of the files. */
  readonly given?: ReadonlyMap<string, Placed> | undefined;
  /** Texts in the place of those of files. */
  readonly texts?: Texts | undefined;
  /** The files of the deployment. Default: those of the source's folder. */
  readonly files?: DeploymentFiles | undefined;
}

/** What the nodes of a source depend on from outside. */
export interface Asked {
  /** The names, each with the first place that reads it. */
  readonly names: ReadonlyMap<string, Placed>;
  /** The paths of files whose values were read. */
  readonly heard: ReadonlySet<string>;
  /** The paths of files of variables that would be read if they were there. */
  readonly sought: ReadonlySet<string>;
}

/** One node of a source. */
export interface LoadedNode {
  /** The name of the service, container or unit; null if the source starts only one. */
  readonly name: string | null;
  readonly conf: Conf;
  /** Its readings with values that other files assign. */
  readonly assigned?: readonly Assigned[];
}

export interface Loaded {
  readonly nodes: readonly LoadedNode[];
  /** Starts that are not followed, by the name of their node. */
  readonly unfollowed: readonly { readonly name: string | null; readonly sign: OpenSign }[];
  /** Parts of the file that could not be read. */
  readonly problems: readonly KaiactlError[];
  readonly notes: readonly string[];
  /** Absent: they depend on nothing from outside. */
  readonly asked?: Asked;
  /** The files whose edits can be tried. It is absent if there is none. */
  readonly editables?: Editables;
}
