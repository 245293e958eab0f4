/** A policy: limits on what a node may offer, by interface. */
import type { Reach } from './severity.js';

/** The interfaces that a policy has sections for. */
export const policyInterfaces = [
  'http',
  'ws',
  'grpc',
  'ipc',
  'metrics',
  'pprof',
  'https',
  'socket',
  'beacon',
  'mcp',
] as const;
export type PolicyInterface = (typeof policyInterfaces)[number];

/** A sentence of a guide, and its address. */
export interface Sentence {
  readonly text: string;
  readonly from: string;
}

/** A limit, and the sentence of a guide that sets it; null when the policy's author sets it. */
export interface Limit<T> {
  readonly value: T;
  readonly says: Sentence | null;
}

export function limit<const T>(value: T, says: Sentence): Limit<T> {
  return { value, says };
}

/** `any`: every client; `listed`: those that the settings list. */
export type Admitted = 'listed' | 'any';

/** The limits of one interface. An absent field is not limited. */
export interface Clause {
  readonly open?: Limit<boolean>;
  /** By current names; `rpc` always answers and need not be listed. */
  readonly modules?: Limit<readonly string[]>;
  readonly reach?: Limit<Reach>;
  /** Origins whose pages may call it. */
  readonly origins?: Limit<Admitted>;
  /** http: Host names under which it may be called. */
  readonly hosts?: Limit<Admitted>;
  /** The required state of unsafe debug methods where debug is offered. */
  readonly 'unsafe-debug'?: Limit<'disabled' | 'any'>;
}

export interface Policy {
  readonly name: string;
  /** Incremented whenever the limits change. */
  readonly version: number;
  /** The kinds of node it is for; absent for every kind. */
  readonly kinds?: readonly string[];
  /** For people: its purpose. */
  readonly about: string;
  /** An interface without a section must be closed, except ipc, which other machines cannot reach. */
  readonly interfaces: Readonly<Partial<Record<PolicyInterface, Clause>>>;
}
