/** The facts about one target: rules judge them, and --save-facts writes them. */
import type { PortGate } from './firewall.js';
import type { RelayHop } from './hops.js';
import type { LiveFacts } from './live.js';
import type { ReleaseFound } from './release.js';
import type { NotSeen, Seen } from './seen.js';
import type { AssumedReach, SecretFile, Settings, SourceText } from './settings.js';
import type { ConfShell } from './shell.js';
import type { Caller, OpenSign } from './sign.js';

/** From one release to another, both included. */
export type ReleaseSpan = Pick<ReleaseFound, 'since' | 'until'>;

/** The same node where a condition holds, or where it is of other releases. */
export interface Alternative {
  /** The condition, as a clause; null if only the releases differ. */
  readonly when: string | null;
  /** What is unknown and may change this reading, which holds what is written: "$OPTS (run.sh:7)". Absent: nothing. */
  readonly unless?: string;
  readonly conf: Conf;
  /** Absent: the releases of the conf that it belongs to. */
  readonly releases?: readonly ReleaseSpan[];
  /** The node once its file has Unix line ends. */
  readonly isRepaired?: true;
}

/** Settings from one source; `shell` is set for a conf, which is a bash script. */
export interface Conf {
  readonly settings: Settings;
  readonly shell: ConfShell | null;
  /** The releases that this reading holds for, where those among `alternatives` hold for others. */
  readonly releases?: readonly ReleaseSpan[];
  /** The node if an unknown condition holds, for each such condition, and in other releases that it may be. */
  readonly alternatives?: readonly Alternative[];
}

/** A node with values that a file gives to names that it depends on, where no reader used them. */
export interface Assigned {
  /** Null where it cannot be known, which asks in any case. */
  readonly conf: Conf | null;
  /** Asked where the node is worse so. */
  readonly sign: OpenSign;
  /** False where a value cannot be read. */
  readonly isKnown: boolean;
}

export interface Facts {
  /** The target's name as reports show it. */
  readonly name: string;
  readonly role: string | null;
  /** The release it is, as the user says. */
  readonly nodeVersion?: string;
  /** It is null if the target has no settings. Not seen: its settings could not be read. */
  readonly conf: Seen<Conf> | null;
  /** null when nothing live was probed. */
  readonly live: LiveFacts | null;
  /** Set for a simulated node. */
  readonly simulated?: true;
  /** The reach of interfaces as the operator states it. */
  readonly assumed?: AssumedReach;
  /** What its files say of an interface and no target accounts for. */
  readonly signs?: readonly OpenSign[];
  /** Its readings with values that other files assign. */
  readonly assigned?: readonly Assigned[];
  /** The forwarders of its files that lead to its interfaces. */
  readonly hops?: readonly RelayHop[];
  /** The ports of a running node that the rules in force on its machine close. */
  readonly closed?: readonly PortGate[];
  /** Keys of a checkout that its file names, where its settings are not read. */
  readonly keys?: { readonly files: readonly SecretFile[]; readonly source: SourceText };
  /** The calls in its files, which a fix may break. */
  readonly callers?: readonly Caller[];
  /** Why something that the target may hold was not seen, such as processes of this machine. It is absent if there is nothing. */
  readonly unseen?: NotSeen;
  /** Why gathering failed, which is a defect of kaiactl. */
  readonly defect?: string;
  /** ISO 8601, UTC. */
  readonly gatheredAt: string;
}

/** The text that findings refer to; null if none is known. */
export function sourceOf({ conf, keys }: Facts): SourceText | null {
  return conf?.state === 'seen' ? conf.value.settings.source : (keys?.source ?? null);
}
