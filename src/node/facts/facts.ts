/** Everything gathered about one target: what the rules judge, and what --save-facts writes. */

import type { LiveFacts } from './live.js';
import type { Seen } from './seen.js';
import type { AssumedReach, Settings } from './settings.js';
import type { Shell } from './shell.js';

/** The key of what is not data: JSON, and what is saved, leave it out. */
export const editable: unique symbol = Symbol('editable');

/** A file that can be edited by line and column: UTF-8, and every character of it in the text. */
export interface Editable {
  readonly text: string;
  /** The nodes the file starts. */
  readonly confs: readonly Conf[];
  /**
   * The nodes it would start with this text, as what they may be.
   * @throws {KaiactlError} when that is not a node's settings
   */
  read(text: string, as?: Asked): readonly Conf[];
}

/** A launcher or a package that is given, instead of inferred. */
export interface Asked {
  readonly launcher?: string;
  readonly package?: string;
}

/** A source of settings that was read; `shell` is there when it is a conf, which is a script. */
export interface Conf {
  readonly settings: Settings;
  readonly shell: Shell | null;
  /** The same node where conditions hold that cannot be known: one each. */
  readonly alternatives?: readonly { readonly when: string; readonly conf: Conf }[];
  /** The file it was read from; absent: it cannot be edited, or the facts were saved. */
  readonly [editable]?: Editable;
}

export interface Facts {
  /** The target's name as reports show it. */
  readonly name: string;
  readonly role: string | null;
  /** null: no settings belong to the target. Not seen: they were asked for and could not be read. */
  readonly conf: Seen<Conf> | null;
  /** null: nothing live was asked for. */
  readonly live: LiveFacts | null;
  /** A simulated node was asked instead of the real one. */
  readonly simulated?: true;
  /** Who reaches an interface, where the operator says so. */
  readonly assumed?: AssumedReach;
  /** Why gathering itself failed, which is a defect of kaiactl. */
  readonly defect?: string;
  /** When it was gathered: ISO 8601, UTC. */
  readonly gatheredAt: string;
}
