/** A flag that the node's release does not have. */
import { isStated, type ReleaseFound } from '../../facts/release.js';
import type { StartProblem } from '../../facts/settings.js';
import type { Kind } from '../../kinds/kind.js';
import { isExact, otherReleases, releasesOf } from '../../kinds/release.js';

/** Why the flag is not known, and how certain it is that the node does not start with it. */
export function unknownFlag(
  kind: Kind,
  release: ReleaseFound,
  written: string,
  name: string,
): Pick<StartProblem, 'message' | 'release'> {
  const known = releasesOf(kind, release);
  const elsewhere = otherReleases(kind, written, kind.flags.period(name) ?? {});
  const another = kind.flags.ofAnyProgram(name) === null ? '' : ' for this binary, but for another';
  const none = `${written} is not a flag of ${known}${another}`;
  // Releases newer than all known may have what the last one lacks.
  if (!isExact(release))
    return elsewhere === null || release.value !== null
      ? { message: elsewhere ?? `${none}; another release may have it` }
      : { message: `${elsewhere}: a node of another release does not start with it`, release: 'inferred' };
  if (isStated(release))
    return { message: `${elsewhere ?? none}: the node does not start`, release: 'certain' };
  const ends = `${known} does not start, if the node is that release`;
  return { message: `${elsewhere ?? none}: ${ends}`, release: 'inferred' };
}
