/** The interface of the two group stores: embedded and on chain. */
import { Refused } from '../protocol/refused.js';
import type { AccountKey, SignatureRules } from '../protocol/signature.js';
import type { Receipt } from '../protocol/wire.js';
import type { Rows } from './storage.js';

/** One version of a group. Each version is a new object, so that answers can be cached by it. */
export interface Group {
  /** Decimal, from "0". */
  readonly groupId: string;
  /** Decimal commitments in leaf order; "0" replaces a removed member. */
  readonly members: readonly string[];
  /** The members of an earlier version, of which these are a continuation. */
  readonly grownFrom?: readonly string[];
}

/** A survey as `survey admin list` shows it. */
export interface Served {
  readonly survey: string;
  /** Their number; null if it cannot be read now. */
  readonly members: number | null;
  readonly closed: boolean;
}

export interface NodeState {
  /** Its position among the --rpc-url options, from 1: its URL may hold a key. */
  readonly node: number;
  readonly state: 'used' | 'ready' | 'behind' | 'unreachable' | 'other-chain';
  /** Its newest block; null if it did not answer. */
  readonly block: number | null;
}

/** Whether the next join would succeed. */
export interface Health {
  /** Why a join would fail, without addresses; null if it would succeed. */
  readonly problem: string | null;
  /** The chain's nodes; absent without a chain. */
  readonly nodes?: readonly NodeState[];
  /** Figures for monitoring. A figure that has no meaning for this server is absent; null if it could not be read. */
  readonly facts: Readonly<Record<string, number | string | null>>;
}

/** Largest `joinsLeft` that is reported: it means this number or more. */
export const maxJoinsLeft = 1_000_000;

export interface Backlog {
  readonly queued: number;
  /** Sent, and not final yet. */
  readonly sent: number;
  /** Age of the oldest queued call; null if none is queued. */
  readonly oldestSeconds: number | null;
  /** Age of the oldest transaction that was sent and is not mined; null if there is none. */
  readonly unminedSeconds: number | null;
}

/** Whether a reservation is still valid, asked within a transaction. */
export type Held = (rows: Rows) => Promise<boolean>;

export interface GroupStore {
  readonly kind: 'embedded' | 'chain';
  /** The chain of its surveys, which typed-data signatures cover; null for an embedded store. */
  readonly chainId: number | null;
  /**
   * @param fresh the result includes everything written before the call; a cached group may not
   * @throws {Refused} when the survey is unknown, or cannot be read completely
   */
  group(survey: string, fresh?: boolean): Promise<Group>;
  /**
   * Adds the member; resolves when the join is durable.
   * @param held asked within the transaction that records the join, under `joinLock`; if false, nothing is written
   * @throws {Refused} when the group rejects it
   */
  join(survey: string, commitment: bigint, held?: Held): Promise<Receipt>;
  /** Commitments that were sent to the survey's group and may still become members. */
  underWay(survey: string): Promise<readonly string[]>;
  /** Resolves with true once the join is final; false if it was undone, or its outcome is unknown. */
  final(receipt: Receipt): Promise<boolean>;
  /** The keys that sign for the account. @throws {Refused} when they cannot be read */
  accountKey(account: string): Promise<AccountKey>;
  /** Whether the account is a contract that accepts the signature; null if this store has no chain. */
  readonly contractSigns: SignatureRules['contractSigns'];
  surveys(): Promise<readonly Served[]>;
  /** Serves another survey. @throws {Refused} when there is no survey at the address */
  add(survey: string): Promise<void>;
  /** Closes a survey for joins, or opens it again; its members stay. @throws {Refused} when it is not served */
  setClosed(survey: string, closed: boolean): Promise<void>;
  /** Never rejects. */
  health(): Promise<Health>;
  /** Compares every group with its tree, so that `health` knows the result. Never rejects. */
  verify(): Promise<void>;
  /** Null: this server sends no transactions. */
  backlog(): Promise<Backlog | null>;
  /** Resolves when running work has ended. */
  close(): Promise<void>;
}

export type Traces = ReturnType<typeof tracesOf>;

/** Where to look for an interrupted join. */
export function tracesOf(store: GroupStore, survey: string) {
  return {
    members: async () => (await store.group(survey, true)).members,
    underWay: () => store.underWay(survey),
  };
}

/** The refusal while another join of the same user is, or may be, under way. */
export function joining(): Refused {
  return new Refused('ALREADY_JOINING', 'a join is under way', 'wait, then check the member list');
}
