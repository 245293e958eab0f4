import { channelCodes } from '../../jsonrpc/failure.js';

/**
 * Why a fact was not seen: how a request failed, or why none was sent. `left-out`: by an option of the operator;
 * `not-applicable`: it does not exist; `indeterminate`: it cannot be known offline; `other-namespace`: it is in another
 * network namespace; `missing-file`: what decides it is not among the files read; `unfollowed`: a file starts a node in a
 * way that cannot be followed; `defect`: kaiactl itself failed.
 */
export const notSeenCodes = [
  ...channelCodes,
  'left-out',
  'not-applicable',
  'indeterminate',
  'other-namespace',
  'missing-file',
  'unfollowed',
  'defect',
] as const;
export type NotSeenCode = (typeof notSeenCodes)[number];

/** A fact that was not seen. */
export interface NotSeen {
  readonly state: 'not-seen';
  /** For branches. */
  readonly code: NotSeenCode;
  /** For people: a clause without a full stop. */
  readonly detail: string;
}

/** A fact, or why it was not seen, so that a missing fact never counts as a pass. */
export type Seen<T> = { readonly state: 'seen'; readonly value: T } | NotSeen;

export function seen<T>(value: T): { readonly state: 'seen'; readonly value: T } {
  return { state: 'seen', value };
}

export function notSeen(code: NotSeenCode, detail: string): NotSeen {
  return { state: 'not-seen', code, detail };
}

/** The value; null when it was not seen. */
export function seenValue<T>(fact: Seen<T>): T | null {
  return fact.state === 'seen' ? fact.value : null;
}

/** Whether the fact does not exist or was left out: then no question stays open. */
export function isMoot(fact: Seen<unknown>): boolean {
  return isLeftOut(fact) || (fact.state === 'not-seen' && fact.code === 'not-applicable');
}

export function isLeftOut(fact: Seen<unknown>): boolean {
  return fact.state === 'not-seen' && fact.code === 'left-out';
}

/** A part of an open question. */
export interface BlindSpot {
  readonly code: NotSeenCode;
  /** An interface, an endpoint or a flag; null for the target as a whole. */
  readonly about: string | null;
  readonly reason: string;
}

/** A fact that was not seen, as an open question. */
export function blindSpot(about: string | null, { code, detail }: NotSeen): BlindSpot {
  return { code, about, reason: detail };
}

/** An open question that cannot be answered offline. */
export function indeterminate(about: string | null, reason: string): BlindSpot {
  return { code: 'indeterminate', about, reason };
}

/** Whether the connection was refused. */
export function isRefused(fact: Seen<unknown>): boolean {
  return fact.state === 'not-seen' && fact.code === 'refused';
}
