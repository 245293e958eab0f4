/** A flag that the node's release does not have. */
import { isStated, type ReleaseFound } from '../../facts/release.js';
import type { Settings, StartProblem } from '../../facts/settings.js';
import type { KindReleases, KindWords } from '../../kinds/kind.js';
import { isBefore, isExact, otherReleases, releaseName, releasesOf } from '../../kinds/release.js';

/** Why the flag is not known, and how certain it is that the node does not start with it. */
export function unknownFlag(
  kind: KindReleases & KindWords,
  release: ReleaseFound,
  written: string,
  name: string,
): Pick<StartProblem, 'message' | 'release'> {
  const known = releasesOf(kind, release);
  const elsewhere = otherReleases(kind, written, kind.flags.period(name) ?? {});
  const another = kind.flags.ofAnyProgram(name) === null ? '' : ' for this binary, but for another';
  const none = `${written} is not a flag of ${known}${another}`;
  if (release.fork !== undefined) return { message: `${elsewhere ?? none}; ${release.fork} may have it` };
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

/** The problems, with those of flags that were removed before another one was added: no release has both. */
export function withSeparateFlags(
  kind: KindReleases & KindWords,
  { problems, start }: Settings,
): StartProblem[] {
  return problems.map((problem) => {
    const [old = ''] = problem.flags;
    const until = problem.kind === 'unknown-flag' ? kind.flags.period(old)?.until : undefined;
    if (until === undefined) return problem;
    for (const word of start ?? []) {
      const added = kind.dialect.flagIn(word.text ?? '') ?? '';
      const since = kind.flags.period(added)?.since;
      if (word.at === null || since === undefined || !isBefore(kind, until, since)) continue;
      const { file, line } = word.at;
      const place = file === problem.at?.file ? `line ${line}` : `${file}:${line}`;
      const both = `no known release has both --${old} and --${added} (${place})`;
      const message = `${both}: --${added} came with ${releaseName(since)}, --${old} ended with ${releaseName(until)}; the node does not start`;
      const { release: _, ...rest } = problem;
      return { ...rest, kind: 'conflicting-flags', message, flags: [old, added] };
    }
    return problem;
  });
}
