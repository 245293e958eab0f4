/** Releases of a kind of node, in words and in order. */
import type { ReleaseFound, ReleaseRange } from '../facts/release.js';
import type { Kind, Period, Release } from './kind.js';

/** `kaia v1.0.3` */
export function releaseName(id: string): string {
  return id.replace('/', ' ');
}

/** `klaytn v1.8.0 to v1.12.1`, or one release. */
export function rangeName({ since, until }: Pick<ReleaseRange, 'since' | 'until'>): string {
  if (since === until) return releaseName(since);
  const [product] = since.split('/');
  const last = until.startsWith(`${product}/`) ? until.slice(until.indexOf('/') + 1) : releaseName(until);
  return `${releaseName(since)} to ${last}`;
}

/** The release of a node in words: what it is, or else what it may be. */
export function foundName({ value, ...range }: ReleaseFound): string {
  return value === null ? rangeName(range) : releaseName(value);
}

/** Every release known: what a node may be of which nothing tells the release. */
export function anyRelease({ releases }: Pick<Kind, 'releases'>): ReleaseFound {
  const [first, last] = [releases[0], releases.at(-1)] as [Release, Release];
  return { value: null, by: 'none', since: first.id, until: last.id };
}

/** True when the release is older than the other. */
export function isBefore({ releases }: Pick<Kind, 'releases'>, id: string, other: string): boolean {
  const at = (one: string) => releases.findIndex((release) => release.id === one);
  return at(id) < at(other);
}

/** True when no release known lies between the two. */
export function isNext({ releases }: Pick<Kind, 'releases'>, id: string, later: string): boolean {
  return releases[releases.findIndex((release) => release.id === id) + 1]?.id === later;
}

/** True when it is known which release it is, and everything of it. */
export function isExact({ value, since, until }: ReleaseRange): boolean {
  return value !== null && value === since && value === until;
}

/** `kaia v1.0.3`, or `the releases known here (klaytn v1.5.0 to kaia v2.2.1)` of a node whose release is not known. */
export function releasesOf(kind: Kind, release: ReleaseFound | null | undefined): string {
  if (release != null && isExact(release)) return releaseName(release.since);
  return `the releases known here (${rangeName(anyRelease(kind))})`;
}

/** Why a release does not have what others have, as a clause; null: no release has it. */
export function otherReleases(kind: Kind, what: string, { since, until }: Period): string | null {
  const { release } = kind;
  if (since !== undefined && isBefore(kind, release.id, since))
    return `${what} came with ${releaseName(since)}`;
  if (until !== undefined && isBefore(kind, until, release.id))
    return `the last release with ${what} is ${releaseName(until)}`;
  return null;
}
