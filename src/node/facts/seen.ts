import { channelCodes } from '../../jsonrpc/failure.js';

/**
 * Why a fact was not seen: how a question failed, or why none was put. `left-out` the operator chose so;
 * `not-applicable` there is nothing to see; `indeterminate` it cannot be known offline; `other-namespace` it lies in a network that is
 * not kaiactl's; `defect` kaiactl itself failed.
 */
export const notSeenCodes = [
  ...channelCodes,
  'left-out',
  'not-applicable',
  'indeterminate',
  'other-namespace',
  'defect',
] as const;
export type NotSeenCode = (typeof notSeenCodes)[number];

/** A fact that was not seen. */
export interface NotSeen {
  readonly state: 'not-seen';
  /** What a branch asks. */
  readonly code: NotSeenCode;
  /** What a person reads: a clause without a full stop. */
  readonly detail: string;
}

/** How a fact was seen. What could not be seen is never nothing: the wrapper that keeps blindness from passing. */
export type Seen<T> = { readonly state: 'seen'; readonly value: T } | NotSeen;

/** A value that was seen. */
export function seen<T>(value: T): { readonly state: 'seen'; readonly value: T } {
  return { state: 'seen', value };
}

/** A fact that was not seen, and why. */
export function notSeen(code: NotSeenCode, detail: string): NotSeen {
  return { state: 'not-seen', code, detail };
}

/** The value, or null when it was not seen. */
export function seenValue<T>(fact: Seen<T>): T | null {
  return fact.state === 'seen' ? fact.value : null;
}

/** True when there is nothing to see, or nobody wanted to: then no question stays open. */
export function isMoot(fact: Seen<unknown>): boolean {
  return fact.state === 'not-seen' && (fact.code === 'not-applicable' || fact.code === 'left-out');
}

/** Part of a question that stays open. */
export interface BlindSpot {
  readonly code: NotSeenCode;
  /** What it is about: an interface, an endpoint, a flag; null: the target as a whole. */
  readonly about: string | null;
  readonly reason: string;
}

/** What could not be seen of something, as an open question. */
export function blindSpot(about: string | null, { code, detail }: NotSeen): BlindSpot {
  return { code, about, reason: detail };
}

/** What cannot be known offline. */
export function indeterminate(about: string | null, reason: string): BlindSpot {
  return { code: 'indeterminate', about, reason };
}

/** True when nobody listens there. */
export function isRefused(fact: Seen<unknown>): boolean {
  return fact.state === 'not-seen' && fact.code === 'refused';
}
