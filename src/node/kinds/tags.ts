/** Tags of releases, and the periods between them. */
import type { Period } from '../facts/release.js';

const numbers = new Map<string, number>();

/** A tag as a number that counts up with the releases. */
function numberOf(tag: string): number {
  const known = numbers.get(tag);
  if (known !== undefined) return known;
  const [major = 0, minor = 0, patch = 0] = tag.slice(1).split('.').map(Number);
  const number = (major * 1_000_000 + minor) * 10_000 + patch;
  numbers.set(tag, number);
  return number;
}

/** Compares versions as numbers: below 0 when the first is older. */
export function compare(one: string, other: string): number {
  return numberOf(one) - numberOf(other);
}

/** True for a tag of the period, both ends included. */
export function isWithin(tag: string, { since, until }: Period): boolean {
  return (
    (since === undefined || compare(tag, since) >= 0) && (until === undefined || compare(tag, until) <= 0)
  );
}
