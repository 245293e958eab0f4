/** What the files of a deployment, or the processes of a machine, say about an interface and no target accounts for. */
import type { ListenerKind } from './settings.js';
import type { Span } from './span.js';

/** The rules of the ledger: each is an open question without a severity. */
export const ledgerRules = ['unfollowed-start', 'unjudged-node', 'relayed-interface'] as const;
export type LedgerRule = (typeof ledgerRules)[number];

/** What to do about clients that are meant; `subjects`: as acknowledgements name them. */
export function acknowledging(subjects: readonly string[]): string {
  return `If it is meant: acknowledge = unjudged-node(${subjects.join(', ')}) in kaiactl.ini`;
}

/** One open question, with its first place. */
export interface OpenSign {
  readonly rule: LedgerRule;
  /** What an acknowledgement names: `reth@any+admin`. */
  readonly subject: string;
  /** It is null if it is no place in a file, but the target as a whole. */
  readonly at: Span | null;
  /** The line at `at`, without secrets; null where there is none. */
  readonly source: string | null;
  /** A clause for people, without a full stop. */
  readonly reason: string;
  /** The comments on the line and on the lines above it, each with the keyword of a suppression. */
  readonly comments: readonly string[];
  /** The interface that is relayed. */
  readonly interface?: ListenerKind;
}

/** A call of a JSON-RPC method in a file of the deployment. */
export interface Caller {
  /** `personal_unlockAccount` */
  readonly method: string;
  readonly at: Span;
  /** The interface and the port in the address that it names; null if it is not known. */
  readonly over: 'http' | 'ws' | null;
  readonly port: number | null;
}
