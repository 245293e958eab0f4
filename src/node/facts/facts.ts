/** The facts about one target: rules judge them, and --save-facts writes them. */
import type { LiveFacts } from './live.js';
import type { Seen } from './seen.js';
import type { AssumedReach, Settings } from './settings.js';
import type { Shell } from './shell.js';

/** The key of a field that is not data: JSON and saved facts omit it. */
export const editable: unique symbol = Symbol('editable');

/** A file that can be edited by line and column: UTF-8, with every character in the text. */
export interface Editable {
  readonly text: string;
  /** The nodes that the file starts. */
  readonly confs: readonly Conf[];
  /**
   * The nodes that the file would start with this text.
   * @throws {KaiactlError} when the text is not a node's settings
   */
  read(text: string, as?: Asked): readonly Conf[];
}

/** A launcher or a package that is given instead of inferred. */
export interface Asked {
  readonly launcher?: string;
  readonly package?: string;
}

/** Settings from one source; `shell` is set for a conf, which is a bash script. */
export interface Conf {
  readonly settings: Settings;
  readonly shell: Shell | null;
  /** The node if an unknown condition holds, for each such condition. */
  readonly alternatives?: readonly { readonly when: string; readonly conf: Conf }[];
  /** The file it was read from; absent when it cannot be edited or the facts were saved. */
  readonly [editable]?: Editable;
}

export interface Facts {
  /** The target's name as reports show it. */
  readonly name: string;
  readonly role: string | null;
  /** null: the target has no settings. Not seen: its settings could not be read. */
  readonly conf: Seen<Conf> | null;
  /** null when nothing live was probed. */
  readonly live: LiveFacts | null;
  /** Set for a simulated node. */
  readonly simulated?: true;
  /** The reach of interfaces as the operator states it. */
  readonly assumed?: AssumedReach;
  /** Why gathering failed, which is a defect of kaiactl. */
  readonly defect?: string;
  /** ISO 8601, UTC. */
  readonly gatheredAt: string;
}
