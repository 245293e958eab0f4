/** When a fact holds. */
import type { Period } from '../kind.js';
import { isWithin } from '../tags.js';
import type { Flavour, FlavourRelease } from './flavours.js';

export function releaseNamed({ releases }: Flavour, id: string): FlavourRelease {
  const known = releases.find((one) => one.id === id);
  if (known === undefined) throw new Error(`${id} is not a release of this node`);
  return known;
}

/** True when a fact with this period, in tags of geth, holds for the release; of a fork the release it is based on counts. */
export function holdsAt(flavour: Flavour, release: string, period: Period): boolean {
  return isWithin(releaseNamed(flavour, release).base, period);
}
