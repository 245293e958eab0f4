/** What the server needs of a place that keeps groups, be it a file or a chain. */
import type { AccountKey } from '../protocol/account-key.js';
import { Refused } from '../protocol/refused.js';
import type { Receipt } from '../protocol/wire.js';
import type { Rows } from './storage.js';

/** A group as it is now. A new object for every version of it, so that an answer can be kept beside it. */
export interface Group {
  /** Decimal; "0" is the first group. */
  readonly groupId: string;
  /** Decimal commitments in leaf order; a removed member's place holds "0". */
  readonly members: readonly string[];
  /** The members of an earlier version, if they are the first of these. */
  readonly grownFrom?: readonly string[];
}

/** A survey as its operator sees it. */
export interface Served {
  readonly survey: string;
  /** Null: they cannot be read now. */
  readonly members: number | null;
  readonly closed: boolean;
}

/** What whoever joins next will meet. */
export interface Health {
  /** Null when a join would go through, else why not (without addresses). */
  readonly problem: string | null;
  /** Figures for those who watch the server. */
  readonly facts: Readonly<Record<string, number | string | null>>;
}

/** Whether one who joins still has their place. */
export type Held = (rows: Rows) => Promise<boolean>;

export interface GroupStore {
  readonly kind: 'embedded' | 'chain';
  /** The chain its surveys live on; null for an embedded store. Bound by typed-data signatures. */
  readonly chainId: number | null;
  /**
   * @param fresh everything that was there before the call is to be in it, whatever was heard of it
   * @throws {Refused} when the survey is not one, or cannot be read completely
   */
  group(survey: string, fresh?: boolean): Promise<Group>;
  /**
   * Adds the member and resolves when that is durable.
   * @param held asked within the transaction that writes the join down, under `joinLock`; if not, nothing is written
   * @throws {Refused} when the group does not take it
   */
  join(survey: string, commitment: bigint, held?: Held): Promise<Receipt>;
  /** Commitments that were sent to the survey's group and may yet come to be in it. */
  underWay(survey: string): Promise<readonly string[]>;
  /** Resolves when the join cannot be taken back any more; false when it was, or nobody will know. */
  final(receipt: Receipt): Promise<boolean>;
  /** What the account signs with. @throws {Refused} when that cannot be read */
  accountKey(account: string): Promise<AccountKey>;
  /** Those that are served by name. */
  surveys(): Promise<readonly Served[]>;
  /** Serves one more. @throws {Refused} when it is not one */
  add(survey: string): Promise<void>;
  /** Takes no more members into it; those it has stay. @throws {Refused} when it is not served */
  finish(survey: string): Promise<void>;
  /** Never rejects. */
  health(): Promise<Health>;
  /** Resolves when nothing is under way any more. */
  close(): Promise<void>;
}

/** What one is told whose join is under way, or may be. */
export function joining(): Refused {
  return new Refused('ALREADY_JOINING', 'a join is under way', 'wait and look at the members');
}
