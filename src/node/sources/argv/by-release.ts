/** Settings by release: which releases a node may be, and what its settings mean to each of them. */
import { groupBy } from '../../../util/group-by.js';
import type { Alternative, Conf, ReleaseSpan } from '../../facts/facts.js';
import type { ReleaseBasis, ReleaseFound, ReleaseRange } from '../../facts/release.js';
import { isWritten } from '../../facts/settings.js';
import type { Kind, Uses } from '../../kinds/kind.js';
import { anyRelease, isBefore, joinedRanges } from '../../kinds/release.js';
import { nameOf, withSeparateFlags } from './unknown-flag.js';

/** Evidence of a node's release, known before its settings are read. */
export interface Evidence {
  /** The value of --node-version. */
  readonly nodeVersion?: string | undefined;
  /** The name of the container's image. */
  readonly image?: string | null | undefined;
  /** Paths that may hold the name of a package. */
  readonly paths?: readonly string[] | undefined;
  /** The releases whose launcher has the same script. */
  readonly script?: ReleaseRange | null | undefined;
  /** The release that the running program reports. */
  readonly running?: ReleaseFound | null | undefined;
}

/** The releases that fit the evidence. Evidence of a single release comes before evidence of a range. */
export function releaseBy(
  kind: Kind,
  { nodeVersion, image, paths = [], script, running }: Evidence,
): ReleaseFound {
  const { ofVersion, ofImage, ofPackage } = kind.evidence;
  const by = (basis: ReleaseBasis, range: ReleaseRange | null | undefined): ReleaseFound[] =>
    range == null ? [] : [{ ...range, by: basis }];
  const found = [
    ...by('option', nodeVersion === undefined ? null : ofVersion(nodeVersion)),
    ...(running == null ? [] : [running]),
    ...by('image', image == null ? null : ofImage(image)),
    ...paths.flatMap((path) => by('package', ofPackage(path))),
    ...by('script', script),
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
  const names = namesIn(newest);
  const uses = usesOf(kind, newest, names);
  const since = boundOf(kind, found, evidenceIn(kind, names));
  // If the newest does not start either, the settings may be a mistake: they exclude no release.
  const { startable } = newest.settings;
  const starting = startable ? boundOf(kind, { ...found, since }, neededFor(kind, names, uses)) : since;
  const others = (newest.alternatives ?? []).flatMap(({ conf }) => [...usesOf(kind, conf, namesIn(conf))]);
  const parts = kind.parts(starting, found.until, new Map([...uses, ...others]));
  const readings = parts.map((part): Reading<C> => {
    const release = { ...found, ...part, value: null };
    return { release, conf: part.until === found.until ? newest : read(kind.at(part.until), release) };
  });
  const left = readings.filter(
    ({ conf, release }) => conf === newest || isLeft(kind.at(release.until), conf),
  );
  const [main, ...older] = merged(kind, left.reverse()) as [Same<C>, ...Same<C>[]];
  const first = startable ? (left.at(-1) as Reading<C>).release.since : since;
  const narrowed = first === found.since || found.value !== null ? {} : { by: 'settings' as const };
  const release = { ...found, ...narrowed, since: first };
  const alternatives = older.flatMap(({ conf, releases }) => inReleases(conf, releases));
  const { settings } = main.conf;
  const problems = startable ? settings.problems : withSeparateFlags(kind, settings);
  return {
    ...main.conf,
    settings: { ...settings, problems, release },
    ...(older.length === 0 ? {} : { releases: main.releases }),
    ...withOthers(main.conf, alternatives),
  };
}

/** True unless the release refuses the start; the guard of unlocked accounts is a switch that people turn off. */
function isLeft({ flags: { unlock } }: Kind, { settings: { startable, problems } }: Conf): boolean {
  return startable || problems.every(({ fatal, flags: [flag] }) => !fatal || flag === unlock);
}

/** A conf and its own alternatives, as alternatives for these releases. */
function inReleases({ alternatives = [], ...conf }: Conf, releases: readonly ReleaseSpan[]): Alternative[] {
  return [{ when: null, conf }, ...alternatives].map((one) => ({ ...one, releases }));
}

/** The last of some first releases, if it is one of those found. */
function boundOf(
  kind: Kind,
  { since, until }: ReleaseFound,
  bounds: readonly (string | undefined)[],
): string {
  return bounds.reduce<string>(
    (oldest, bound = since) =>
      isBefore(kind, oldest, bound) && !isBefore(kind, until, bound) ? bound : oldest,
    since,
  );
}

/** The first release that knows each variable and module, for names that show a release. */
function evidenceIn({ evidence }: Kind, { variables, modules }: Names): (string | undefined)[] {
  return [...variables, ...modules].map((name) => evidence.ofName(name)?.since);
}

/** The first releases that start with each flag of the command line, and with these values. */
function neededFor({ evidence, flags }: Kind, { words }: Names, uses: Uses): (string | undefined)[] {
  return [...words.map((word) => flags.period(word)?.since), evidence.ofUses(uses)?.since];
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
  const groups =
    newestFirst.length === 1
      ? new Map([['', newestFirst]])
      : groupBy(newestFirst, ({ conf, release }) => meaning(kind.at(release.until), conf));
  return [...groups.values()].map((all) => ({
    conf: (all[0] as Reading<C>).conf,
    releases: joinedRanges(
      kind,
      all.map(({ release }) => release),
    ),
  }));
}

/** The judged part of a conf as a comparable text; only privileged modules count, and of alternatives the decisive flags. */
function meaning(
  { modules: { isPrivileged }, flags, probes }: Kind,
  { settings, alternatives = [] }: Conf,
): string {
  const { listeners, startable } = settings;
  const open = listeners.map(({ modules, ...one }) =>
    one.state === 'off' || one.kind === 'ipc' ? [one.state] : [one, modules?.filter(isPrivileged)],
  );
  const decisive = [settings, ...alternatives.map(({ conf }) => conf.settings)].map(({ values }) =>
    [flags.unlock ?? '', probes.unsafeDebug?.flag ?? ''].map((name) => {
      const { value = null, origin } = values[name] ?? {};
      return value || (isWritten(origin) && '?') || null;
    }),
  );
  return JSON.stringify([open, startable, decisive]);
}

function withOthers({ alternatives = [] }: Conf, others: readonly Alternative[]) {
  const all = [...alternatives, ...others];
  return all.length === 0 ? {} : { alternatives: all };
}

/** The names in settings that may tell the release. */
interface Names {
  /** Listed modules. */
  readonly modules: readonly string[];
  /** Variables of the environment that set a flag. */
  readonly variables: readonly string[];
  /** Flags that anything but a launcher's variables sets. */
  readonly flags: readonly string[];
  /** Flags as they are written on the command line, without those that the launcher adds. */
  readonly words: readonly string[];
}

function namesIn({ settings: { listeners, values, start } }: Conf): Names {
  const modules = listeners.flatMap(({ listed }) => (listed ?? []).map(({ name }) => name));
  const variables: string[] = [];
  const flags: string[] = [];
  for (const [name, { origin, shadowed, indeterminate }] of Object.entries(values)) {
    if (origin.kind === 'default') continue;
    if (origin.kind !== 'launcher' && origin.kind !== 'assignment' && indeterminate === null)
      flags.push(name);
    for (const one of [origin, ...shadowed.map((below) => below.origin)])
      if (one.kind === 'environment') variables.push(one.variable);
  }
  const words = (start ?? []).flatMap((word) => (word.at === null ? [] : (nameOf(word) ?? [])));
  return { modules, variables, flags, words };
}

/** Everything that releases may take differently; modules that can do no harm are left out. */
function usesOf({ modules: { isPrivileged } }: Kind, { settings, shell }: Conf, names: Names): Uses {
  const given = (shell?.reads ?? []).flatMap((name) => {
    const value = shell?.variables[name];
    return value === undefined || value === '' ? [] : [[name, value] as const];
  });
  const { modules, variables, flags, words } = names;
  const others = [settings.package, ...modules.filter(isPrivileged), ...variables, ...flags, ...words];
  return new Map([...given, ...others.map((name) => [name, ''] as const)]);
}
