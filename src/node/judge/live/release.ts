/** The release of a node that runs. */
import type { Conf, Facts } from '../../facts/facts.js';
import { isStated, type ReleaseBasis, type ReleaseFound, type ReleaseRange } from '../../facts/release.js';
import { seen } from '../../facts/seen.js';
import type { Settings } from '../../facts/settings.js';
import type { Kind, KindReleases } from '../../kinds/kind.js';
import { isBefore, isExact, readRelease, releaseName } from '../../kinds/release.js';

/**
 * As its operator says, else as its program and its answers do, else as its settings leave it. Returns null if nothing tells it, or
 * it is no node of these kinds.
 */
export function releaseSeen({ conf, live, nodeVersion }: Facts, kinds: readonly Kind[]): ReleaseFound | null {
  const own = conf?.state === 'seen' ? (conf.value.settings.release ?? null) : null;
  if (live === null || own?.by === 'option') return own;
  const build = live.process.state === 'seen' ? live.process.value.build : undefined;
  const clients = live.endpoints.flatMap(({ client }) => (client.state === 'seen' ? [client.value] : []));
  const found = kinds.flatMap(({ evidence, identity }) => [
    ...by('option', readRelease({ evidence }, nodeVersion)),
    ...by('build', build?.state === 'seen' ? evidence.ofBuild(build.value) : null),
    ...clients
      .filter((client) => identity.client.test(client))
      .flatMap((client) => by('client', evidence.ofClient(client))),
  ]);
  return found.find(({ value }) => value !== null) ?? own ?? found[0] ?? null;
}

function by(basis: ReleaseBasis, range: ReleaseRange | null): ReleaseFound[] {
  return range === null ? [] : [{ ...range, by: basis }];
}

/** The facts with the settings read as the release that the running node is. */
export function withRelease(facts: Facts, kinds: readonly Kind[]): Facts {
  const { conf, live } = facts;
  if (conf?.state !== 'seen' || live === null) return facts;
  const release = releaseSeen(
    facts,
    kinds.filter(({ id }) => id === conf.value.settings.kind),
  );
  if (release?.value == null) return facts;
  if (conf.value.releases !== undefined)
    return { ...facts, conf: seen(asRelease(conf.value, release, kinds)) };
  const { settings } = conf.value;
  const isProven = isExact(release) && isStated(release) && settings.release?.value === null;
  return isProven ? { ...facts, conf: seen({ ...conf.value, settings: proven(settings, release) }) } : facts;
}

/** Settings that every known release reads alike: what none of them knows, this one does not know either. */
function proven(settings: Settings, release: ReleaseFound): Settings {
  const problems = settings.problems.map((problem) => {
    const [flag] = problem.flags;
    if (problem.kind !== 'unknown-flag' || problem.release !== undefined) return problem;
    const message = `--${flag} is not a flag of ${releaseName(release.since)}: the node does not start with it`;
    return { ...problem, message, release: 'certain' as const };
  });
  return { ...settings, release, problems };
}

function asRelease(conf: Conf, release: ReleaseFound, kinds: readonly KindReleases[]): Conf {
  const { releases: _, alternatives = [], ...own } = conf;
  const kind = kinds.find(({ id }) => id === conf.settings.kind);
  const other = alternatives.find(
    ({ when, unless, releases, isRepaired }) =>
      when === null &&
      unless === undefined &&
      isRepaired !== true &&
      kind !== undefined &&
      releases?.some(
        ({ since, until }) => !isBefore(kind, release.until, since) && !isBefore(kind, until, release.until),
      ) === true,
  );
  const read = other?.conf ?? own;
  const same = alternatives.filter((one) => one !== other && one.releases === other?.releases);
  return {
    ...read,
    settings: { ...read.settings, release },
    alternatives: same.map(({ releases: _, ...one }) => one),
  };
}
