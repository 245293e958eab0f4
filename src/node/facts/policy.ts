/** A policy: the most a node may offer, interface by interface. */
import type { Reach } from './severity.js';

/** The interfaces a policy speaks of: a section each. */
export const policyInterfaces = ['http', 'ws', 'grpc', 'ipc', 'metrics', 'pprof'] as const;
export type PolicyInterface = (typeof policyInterfaces)[number];

/** A sentence of a guide, and its address. */
export interface Sentence {
  readonly text: string;
  readonly from: string;
}

/** One limit, and the sentence it comes from; null: the policy's own author set it. */
export interface Limit<T> {
  readonly value: T;
  readonly says: Sentence | null;
}

/** `any`: whoever asks; `listed`: those named in the settings. */
export type Admitted = 'listed' | 'any';

/** The most one interface may do. What is absent is not limited. */
export interface Clause {
  readonly open?: Limit<boolean>;
  /** Under today's names; `rpc` always answers and need not be listed. */
  readonly modules?: Limit<readonly string[]>;
  readonly reach?: Limit<Reach>;
  /** Pages of which origins may call it. */
  readonly origins?: Limit<Admitted>;
  /** http: under which names it may be called. */
  readonly hosts?: Limit<Admitted>;
  /** What is asked of the switch --rpc.unsafe-debug.disable where debug is offered. */
  readonly 'unsafe-debug'?: Limit<'disabled' | 'any'>;
}

export interface Policy {
  readonly name: string;
  /** Counts up whenever what it allows changes. */
  readonly version: number;
  /** The kinds of node it is written for; absent: every kind. */
  readonly kinds?: readonly string[];
  /** For people: whom it is for. */
  readonly about: string;
  /** An interface without a section stays closed; ipc, which no setting opens to others, stays as it is. */
  readonly interfaces: Readonly<Partial<Record<PolicyInterface, Clause>>>;
}
