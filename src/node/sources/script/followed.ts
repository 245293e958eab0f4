/** What scripts do: the nodes and containers they start, and the confs they write. */
import type { MissingFile } from '../../facts/settings.js';
import type { Starter } from '../../kinds/find.js';
import type { ConfBase, Environment } from '../launch/launch.js';
import type { Placed } from '../text/placed.js';
import type { StartedNode } from './commands.js';
import type { ContainerRun } from './container-run.js';

/** A conf that scripts wrote. */
export interface WrittenConf extends Starter {
  /** `packaged`: the lines are appended to the packaged conf. */
  readonly base: ConfBase;
  readonly lines: readonly Placed[];
  /** True for one that may be among the files of a folder, an archive or a repository. */
  readonly isUnsure?: boolean;
  /** The file that it is a copy of, which is not among the files. */
  readonly missing?: MissingFile;
}

export interface ScriptStart extends StartedNode {
  /** The folder it is started in. */
  readonly folder?: string;
  readonly at: Placed;
  readonly exported: Environment;
}

export interface StartedContainer {
  readonly run: ContainerRun;
  readonly at: Placed;
  readonly exported: Environment;
}

/** Something that a tool does on the machine. `when`: the condition that it depends on. */
export type Action = { readonly when?: Placed | null } & (
  | { readonly script: Placed; readonly folder?: string }
  | { readonly words: readonly Placed[] }
  | { readonly path: string; readonly text: Placed; readonly mode: 'append' | 'replace' }
  | { readonly run: ContainerRun; readonly at: Placed }
);
