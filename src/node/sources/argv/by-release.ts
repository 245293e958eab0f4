/** Settings by release: which releases a node may be, and what its settings mean to each of them. */
import { groupBy } from '../../../util/group-by.js';
import type { Alternative, Conf, ReleaseSpan } from '../../facts/facts.js';
import type { ReleaseBasis, ReleaseFound, ReleaseRange } from '../../facts/release.js';
import type { Kind } from '../../kinds/kind.js';
import { anyRelease, isBefore, isNext } from '../../kinds/release.js';

/** Evidence of a node's release, known before its settings are read. */
export interface Evidence {
  /** The value of --node-version. */
  readonly nodeVersion?: string | undefined;
  /** The name of the container's image. */
  readonly image?: string | null | undefined;
  /** Paths that may hold the name of a package. */
  readonly paths?: readonly string[] | undefined;
  /** The release that the running program reports. */
  readonly running?: ReleaseFound | null | undefined;
}

/** The releases that fit the evidence. Evidence of a single release comes before evidence of a range. */
export function releaseBy(kind: Kind, { nodeVersion, image, paths = [], running }: Evidence): ReleaseFound {
  const { ofVersion, ofImage, ofPackage } = kind.evidence;
  const by = (basis: ReleaseBasis, range: ReleaseRange | null | undefined): ReleaseFound[] =>
    range == null ? [] : [{ ...range, by: basis }];
  const found = [
    ...by('option', nodeVersion === undefined ? null : ofVersion(nodeVersion)),
    ...(running == null ? [] : [running]),
    ...by('image', image == null ? null : ofImage(image)),
    ...paths.flatMap((path) => by('package', ofPackage(path))),
  ];
  return found.find(({ value }) => value !== null) ?? found[0] ?? anyRelease(kind);
}

/**
 * Reads settings as each candidate release. The newest is the main reading. Older releases with a different result are
 * its alternatives, unless they do not start with these settings.
 */
export function byRelease<K extends Kind, C extends Conf>(
  kind: K,
  found: ReleaseFound,
  read: (kind: K, release: ReleaseFound) => C,
): C {
  const newest = read(kind.at(found.until), found);
  if (found.since === found.until) return newest;
  const since = sinceNames(kind, found, newest);
  const readings = kind.parts(since, found.until, namesIn(newest)).map((part): Reading<C> => {
    const release = { ...found, ...part, value: null };
    return { release, conf: part.until === found.until ? newest : read(kind.at(part.until), release) };
  });
  const left = readings.filter(({ conf }) => conf === newest || conf.settings.startable);
  const [main, ...others] = merged(kind, left.reverse()) as [Same<C>, ...Same<C>[]];
  // If the newest does not start either, the settings may be a mistake: they exclude no release.
  const first = newest.settings.startable ? (left.at(-1) as Reading<C>).release.since : since;
  const narrowed = first === found.since || found.value !== null ? {} : { by: 'settings' as const };
  const release = { ...found, ...narrowed, since: first };
  const alternatives = others.flatMap(({ conf, releases }) => inReleases(conf, releases));
  return {
    ...main.conf,
    settings: { ...main.conf.settings, release },
    ...(others.length === 0 ? {} : { releases: main.releases }),
    ...withOthers(main.conf, alternatives),
  };
}

/** A conf and its own alternatives, as alternatives for these releases. */
function inReleases({ alternatives = [], ...conf }: Conf, releases: readonly ReleaseSpan[]): Alternative[] {
  return [{ when: null, conf }, ...alternatives].map((one) => ({ ...one, releases }));
}

/** The oldest release that knows the names in the settings. */
function sinceNames(kind: Kind, { since, until }: ReleaseFound, conf: Conf): string {
  for (const name of [...variablesOf(conf), ...modulesOf(conf)]) {
    const bound = kind.evidence.ofName(name)?.since ?? since;
    if (isBefore(kind, since, bound) && !isBefore(kind, until, bound)) return bound;
  }
  return since;
}

interface Reading<C extends Conf> {
  readonly release: ReleaseFound;
  readonly conf: C;
}

/** A reading, and the releases in which it is the same, newest first. */
interface Same<C extends Conf> {
  readonly conf: C;
  readonly releases: readonly ReleaseSpan[];
}

/** Merges readings with equal meaning; each group keeps the reading of its newest release. */
function merged<C extends Conf>(kind: Kind, newestFirst: readonly Reading<C>[]): Same<C>[] {
  const groups = groupBy(newestFirst, ({ conf }) => meaning(kind, conf));
  return [...groups.values()].map((all) => {
    const releases: ReleaseSpan[] = [];
    for (const { release } of all) {
      const before = releases.at(-1);
      if (before !== undefined && isNext(kind, release.until, before.since))
        releases[releases.length - 1] = { since: release.since, until: before.until };
      else releases.push({ since: release.since, until: release.until });
    }
    return { conf: (all[0] as Reading<C>).conf, releases };
  });
}

/** The judged part of settings as a comparable text; only privileged modules count. */
function meaning({ modules: { isPrivileged }, probes }: Kind, { settings }: Conf): string {
  const { listeners, values, startable } = settings;
  const open = listeners.map(({ modules, ...one }) =>
    one.state === 'off' || one.kind === 'ipc' ? [one.state] : [one, modules?.filter(isPrivileged)],
  );
  const decisive = ['unlock', probes.unsafeDebug?.flag ?? ''].map((name) => values[name]?.value || null);
  return JSON.stringify([open, startable, decisive]);
}

function withOthers({ alternatives = [] }: Conf, others: readonly Alternative[]) {
  const all = [...alternatives, ...others];
  return all.length === 0 ? {} : { alternatives: all };
}

/** What of settings a release may know or not, or take otherwise: flags, variables, modules that can do harm, the package. */
function* namesIn(conf: Conf): Generator<string> {
  const { settings, shell } = conf;
  yield settings.package;
  // The launcher's own words stand nowhere, and are flags of its release.
  for (const { text, at } of settings.start ?? []) {
    const [, name] = (at === null ? null : /^--?([^-=][^=]*)/.exec(text ?? '')) ?? [];
    if (name !== undefined) yield name;
  }
  yield* modulesOf(conf);
  yield* variablesOf(conf);
  for (const [name, value] of Object.entries(shell?.variables ?? {})) if (value !== '') yield name;
}

function modulesOf({ settings: { listeners } }: Conf): string[] {
  return listeners.flatMap(({ listed }) => listed ?? []).map(({ name }) => name);
}

/** The variables of the environment that set a flag. */
function variablesOf({ settings: { values } }: Conf): string[] {
  return Object.values(values)
    .flatMap(({ origin, shadowed }) => [origin, ...shadowed.map((below) => below.origin)])
    .flatMap((origin) => (origin.kind === 'environment' ? origin.variable : []));
}
