/** Releases of a kind of node, in words and in order. */
import { joinFirst } from '../../util/words.js';
import type { ReleaseSpan } from '../facts/facts.js';
import type { ReleaseFound, ReleaseRange } from '../facts/release.js';
import type { Kind, KindReleases, Period, Release } from './kind.js';

/** `kaia v1.0.3` */
export function releaseName(id: string): string {
  return id.replace('/', ' ');
}

/** The release that an operator names; of a series of which none is known, its first one. */
export function readRelease({ evidence: { ofVersion } }: Pick<Kind, 'evidence'>, text: string | undefined) {
  return text === undefined ? null : (ofVersion(text) ?? ofVersion(`${text}.0`));
}

/** `klaytn v1.8.0 to v1.12.1`, or one release. */
export function rangeName({ since, until }: Pick<ReleaseRange, 'since' | 'until'>): string {
  if (since === until) return releaseName(since);
  const [product] = since.split('/');
  const last = until.startsWith(`${product}/`) ? until.slice(until.indexOf('/') + 1) : releaseName(until);
  return `${releaseName(since)} to ${last}`;
}

/** `from klaytn v1.10.0`, `up to kaia v2.1.0` or `kaia v0.9.0 to v1.0.0`. */
export function periodName({ since, until }: Period): string {
  if (since !== undefined && until !== undefined) return rangeName({ since, until });
  if (since !== undefined) return `from ${releaseName(since)}`;
  return until === undefined ? 'every release' : `up to ${releaseName(until)}`;
}

/** `kaia v1.0.3`, or the range of releases where the exact one is not known: `geth v1.5.0 to v1.10.8 (newer ones refuse --rpc)`. */
export function foundName({ value, refused, fork, unlike, ...range }: ReleaseFound): string {
  const { since, until } = range;
  const other =
    value === null || value === since || value === until ? '' : ` (judged as ${rangeName(range)})`;
  const named = unlike === undefined ? '' : ` by its flags, not ${unlike}, as its image is named`;
  const name = `${value === null ? rangeName(range) : releaseName(value)}${other}${refusal(refused)}${named}`;
  return fork === undefined ? name : `judged as ${name}, from which ${fork} descends`;
}

function refusal(flags: readonly string[] = []): string {
  const names = flags.map((flag) => (/^[A-Z]/.test(flag) ? flag : `--${flag}`));
  return names.length === 0 ? '' : ` (newer ones refuse ${joinFirst(names, 3)})`;
}

/** `releases up to geth v1.10.8 (newer ones refuse --rpc)`: ranges of the releases that a node may be. */
export function rangesName(
  kind: Pick<KindReleases, 'releases'>,
  ranges: readonly ReleaseSpan[],
  found: ReleaseFound | undefined,
): string {
  const [oldest, newest] = [kind.releases[0]?.id, kind.releases.at(-1)?.id];
  const joined = joinedRanges(kind, ranges);
  const names = joined.map(({ since, until }) => {
    if (since === oldest && until !== newest) return periodName({ until });
    return until === newest && since !== until ? `${periodName({ since })} on` : rangeName({ since, until });
  });
  const isLatest = joined[0]?.until === found?.until;
  return `releases ${names.join(' and ')}${refusal(isLatest ? found?.refused : [])}`;
}

/** The range of all known releases, for a node without evidence of its release. */
export function anyRelease({ releases }: Pick<KindReleases, 'releases'>): ReleaseFound {
  const [first, last] = [releases[0], releases.at(-1)] as [Release, Release];
  return { value: null, by: 'none', since: first.id, until: last.id };
}

/** Whether the release is older than the other. */
export function isBefore({ releases }: Pick<KindReleases, 'releases'>, id: string, other: string): boolean {
  const at = (one: string) => releases.findIndex((release) => release.id === one);
  return at(id) < at(other);
}

/** Ranges of releases, newest first, where one that follows another is joined to it. */
export function joinedRanges(
  { releases }: Pick<KindReleases, 'releases'>,
  ranges: readonly Required<Period>[],
): Required<Period>[] {
  const at = (id: string) => releases.findIndex((release) => release.id === id);
  const joined: Required<Period>[] = [];
  for (const { since, until } of [...ranges].sort((a, b) => at(b.since) - at(a.since))) {
    const newer = joined.at(-1);
    if (newer !== undefined && at(until) + 1 >= at(newer.since))
      joined[joined.length - 1] = { since, until: newer.until };
    else joined.push({ since, until });
  }
  return joined;
}

/** Whether it is a single known release. */
export function isExact({ value, since, until }: ReleaseRange): boolean {
  return value !== null && value === since && value === until;
}

/** `kaia v1.0.3`, or `the releases known here (klaytn v1.5.0 to kaia v2.2.1)` where the release is not known. */
export function releasesOf(kind: KindReleases, release: ReleaseFound | null | undefined): string {
  if (release != null && isExact(release)) return releaseName(release.since);
  return `the releases known here (${rangeName(anyRelease(kind))})`;
}

/** A clause that names the release which added or removed `what`; null if the kind's own release is within the period. */
export function otherReleases(kind: KindReleases, what: string, { since, until }: Period): string | null {
  const { release } = kind;
  if (since !== undefined && isBefore(kind, release.id, since))
    return `${what} came with ${releaseName(since)}`;
  if (until !== undefined && isBefore(kind, until, release.id))
    return `the last release with ${what} is ${releaseName(until)}`;
  return null;
}

/**
 * A kind at a release, of a fork or of none (empty), which is made when it is first asked for: a run seldom meets all. `make`
 * gets what `Kind.at` promises.
 */
export function madeOnce(
  make: (release: string, fork: string, at: (release: string, fork?: string) => Kind) => Kind,
): (release: string, fork?: string) => Kind {
  const made = new Map<string, Kind>();
  const at = (release: string, fork = ''): Kind => {
    const name = `${release} ${fork}`;
    const known = made.get(name) ?? make(release, fork, (other, of = fork) => at(other, of));
    made.set(name, known);
    return known;
  };
  return at;
}
