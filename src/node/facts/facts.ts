/** Everything gathered about one target: what the rules judge, and what --save-facts writes. */
import type { ConfFacts } from './conf.js';
import type { LiveFacts } from './live.js';
import type { Seen } from './seen.js';

export interface Facts {
  /** The target's name as reports show it. */
  readonly name: string;
  readonly role: string | null;
  /** null: no conf belongs to the target. Not seen: it was asked for and could not be read. */
  readonly conf: Seen<ConfFacts> | null;
  /** null: nothing live was asked for. */
  readonly live: LiveFacts | null;
  /** Why gathering itself failed, which is a defect of kaiactl. */
  readonly defect?: string;
  /** When it was gathered: ISO 8601, UTC. */
  readonly gatheredAt: string;
}

/** The parts of Facts a rule can ask for. */
export type FactName = 'conf' | 'live';
