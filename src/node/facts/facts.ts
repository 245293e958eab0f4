/** The facts about one target. Rules judge them, and --save-facts writes them. */
import type { PortGate } from './firewall.js';
import type { RelayHop } from './hops.js';
import type { LiveFacts } from './live.js';
import type { ReleaseFound } from './release.js';
import type { NotSeen, Seen } from './seen.js';
import type { AssumedReach, SecretFile, Settings, SourceText } from './settings.js';
import type { ConfShell } from './shell.js';
import type { Caller, OpenSign } from './sign.js';

/** A span of releases that includes both of its ends. */
export type ReleaseSpan = Pick<ReleaseFound, 'since' | 'until'>;

/** The same node under a condition, or at other releases. */
export interface Alternative {
  /** The condition, as a clause; null if only the releases differ. */
  readonly when: string | null;
  /** An unknown value that may change this reading: "$OPTS (run.sh:7)". Absent if there is none. */
  readonly unless?: string;
  readonly conf: Conf;
  /** Default: the releases of the conf that it belongs to. */
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
  /** The node under each unknown condition, and at each other release that it may have. */
  readonly alternatives?: readonly Alternative[];
}

/** A node that is read with values from another file, for names that the node depends on and no reader resolved. */
export interface Assigned {
  /** Null if it cannot be known; the question is then asked in any case. */
  readonly conf: Conf | null;
  /** The question, which is asked if the node is worse with these values. */
  readonly sign: OpenSign;
  /** Whether every value could be read. */
  readonly isKnown: boolean;
}

export interface Facts {
  /** The target's name as reports show it. */
  readonly name: string;
  readonly role: string | null;
  /** The release that the user states. */
  readonly nodeVersion?: string;
  /** Null if the target has no settings; not seen if they could not be read. */
  readonly conf: Seen<Conf> | null;
  /** Null if no live node was probed. */
  readonly live: LiveFacts | null;
  /** Set for a simulated node. */
  readonly simulated?: true;
  /** The reach of interfaces as the operator states it. */
  readonly assumed?: AssumedReach;
  /** Words of its files about an interface that no target explains. */
  readonly signs?: readonly OpenSign[];
  /** The node with the values that other files assign. */
  readonly assigned?: readonly Assigned[];
  /** The forwarders of its files that lead to its interfaces. */
  readonly hops?: readonly RelayHop[];
  /** The ports of a running node that the firewall of its machine closes. */
  readonly closed?: readonly PortGate[];
  /** Keys of a checkout that its file names, where its settings are not read. */
  readonly keys?: { readonly files: readonly SecretFile[]; readonly source: SourceText };
  /** The calls in its files, which a fix may break. */
  readonly callers?: readonly Caller[];
  /** Why a part of the target was not seen, such as the processes of this machine. Absent if all of it was. */
  readonly unseen?: NotSeen;
  /** Why gathering failed, which is a defect of kaiactl. */
  readonly defect?: string;
  /** ISO 8601, UTC. */
  readonly gatheredAt: string;
}

/** Returns the text that findings refer to; null if it is not known. */
export function sourceOf({ conf, keys }: Facts): SourceText | null {
  return conf?.state === 'seen' ? conf.value.settings.source : (keys?.source ?? null);
}
