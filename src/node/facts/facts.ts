/** Everything gathered about one target: what the rules judge, and what --save-facts writes. */

import type { LiveFacts } from './live.js';
import type { Seen } from './seen.js';
import type { AssumedReach, Settings } from './settings.js';
import type { Shell } from './shell.js';

/** A source of settings that was read; `shell` is there when it is a conf, which is a script. */
export interface Conf {
  readonly settings: Settings;
  readonly shell: Shell | null;
  /** The same node where conditions hold that cannot be known: one each. */
  readonly alternatives?: readonly { readonly when: string; readonly conf: Conf }[];
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
