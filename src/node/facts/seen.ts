import type { Unseen } from '../../jsonrpc/failure.js';

/** How a fact was seen. What could not be seen is never nothing: the wrapper that keeps blindness from passing. */
export type Seen<T> =
  | { readonly state: 'seen'; readonly value: T }
  | { readonly state: Unseen; readonly reason: string };

/** A value that was seen. */
export function seen<T>(value: T): Seen<T> {
  return { state: 'seen', value };
}

/** The value, or null when it was not seen. */
export function seenValue<T>(fact: Seen<T>): T | null {
  return fact.state === 'seen' ? fact.value : null;
}

/** A fact nobody asked for, and why. */
export function skipped(reason: string): { readonly state: 'skipped'; readonly reason: string } {
  return { state: 'skipped', reason };
}
