/** Settings by release: which releases a node may be, and what its settings mean to each of them. */
import { isDeepStrictEqual } from 'node:util';
import type { Alternative, Conf, ReleaseSpan } from '../../facts/facts.js';
import type { Period, ReleaseBasis, ReleaseFound, ReleaseRange } from '../../facts/release.js';
import { givenIn, isLocal, isWritten, type Settings, type StartProblem } from '../../facts/settings.js';
import { changeSettings } from '../../facts/worlds.js';
import type { Kind, KindModules, KindProbes, KindReleases, KindWords, Uses } from '../../kinds/kind.js';
import { anyRelease, isBefore, joinedRanges, readRelease } from '../../kinds/release.js';
import { maskPlaceholders } from '../text/placeholders.js';
import { withAlternatives } from './readings.js';
import { withSeparateFlags } from './unknown-flag.js';

/** Evidence of a node's release, known before its settings are read. */
export interface Evidence {
  /** The value of --node-version. */
  readonly nodeVersion?: string | undefined;
  /** The release of a kaiactl.ini, which a running program and an image's tag outweigh. */
  readonly iniVersion?: string | undefined;
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
  kind: KindReleases,
  { nodeVersion, iniVersion, image, paths = [], script, running }: Evidence,
) {
  const { ofImage, ofPackage } = kind.evidence;
  const by = (basis: ReleaseBasis, range: ReleaseRange | null | undefined): ReleaseFound[] =>
    range == null ? [] : [{ ...range, by: basis }];
  const ofTag = image == null ? null : ofImage(image);
  const ofIni = readRelease(kind, iniVersion);
  const found = [
    ...by('option', readRelease(kind, nodeVersion)),
    ...(running == null ? [] : [running]),
    ...(ofTag?.value == null ? [] : by('image', ofTag)),
    ...(ofIni !== null && ofTag !== null && isApart(kind, ofIni, ofTag) ? [] : by('option', ofIni)),
    ...by('image', ofTag),
    ...agreeing(paths.flatMap((path) => by('package', ofPackage(path)))),
    ...by('script', script),
  ];
  return found.find(({ value }) => value !== null) ?? found[0] ?? anyRelease(kind);
}

/** Whether they are two ranges without a common release. */
function isApart(kind: KindReleases, one: ReleaseRange, other: ReleaseRange): boolean {
  return isBefore(kind, one.until, other.since) || isBefore(kind, other.until, one.since);
}

/** Evidence of one release; nothing where texts name several. */
function agreeing(found: readonly ReleaseFound[]): readonly ReleaseFound[] {
  return new Set(found.map(({ since, until, value }) => value ?? `${since} ${until}`)).size > 1 ? [] : found;
}

/**
 * Reads settings as each release that the node may be and that starts with them: the newest of these is the main reading,
 * older ones with a different result are its alternatives. A release that refuses the start opens nothing, so it is only
 * named in the release found. Where all of them refuse, each is read as it would be without the refusal.
 */
export function byRelease<K extends Kind, C extends Conf>(
  kind: K,
  found: ReleaseFound,
  read: (kind: K, release: ReleaseFound) => C,
): C {
  const last = read(kind.at(found.until, found.fork), found);
  const other = outvoting(kind, found, last);
  if (other !== null) return byRelease(kind, other, read);
  if (found.since === found.until) return last;
  const names = namesIn(kind, last);
  const uses = usesOf(kind, last, names);
  const evidence = spanOf(kind, found, evidenceIn(kind, names));
  const accepting = spanOf(kind, evidence, neededFor(kind, names, uses));
  // Words that no release takes together may be a mistake: they exclude none.
  const { since, until } = isBefore(kind, accepting.until, accepting.since) ? evidence : accepting;
  const newest =
    until === found.until ? last : read(kind.at(until, found.fork), { ...found, value: null, since, until });
  const others = (newest.alternatives ?? []).flatMap(({ conf }) => [...usesOf(kind, conf)]);
  const own = newest === last ? uses : usesOf(kind, newest);
  const parts = kind.parts(since, until, others.length === 0 ? own : new Map([...own, ...others]));
  const readings = parts.map((part): Reading<C> => {
    const release = { ...found, ...part, value: null };
    return { release, conf: part.until === until ? newest : read(kind.at(part.until, found.fork), release) };
  });
  const left = starting(kind, readings);
  const [main, ...older] = mergeReadings(kind, left.toReversed()) as [Same<C>, ...Same<C>[]];
  const [oldest, latest] = [left[0], left.at(-1)] as [Reading<C>, Reading<C>];
  const range = { since: oldest.release.since, until: latest.release.until };
  const isNarrower = range.since !== found.since || range.until !== found.until;
  const release: ReleaseFound = {
    ...found,
    ...(isNarrower && found.value === null ? { by: 'settings' } : {}),
    ...range,
    ...refusedAfter(kind, range.until, last, main.conf),
  };
  const { settings } = main.conf;
  const alternatives = older.flatMap(({ conf, releases }) => inReleases(conf, releases));
  const merged = { ...settings, problems: withSeparateFlags(kind, settings), release };
  const releases = older.length === 0 ? {} : { releases: main.releases };
  return withAlternatives({ ...main.conf, settings: merged, ...releases }, alternatives);
}

/** What flags say of the release: they outvote a name if they came after the releases of its fork, or if only a fork has them. */
function outvoting(kind: Kind, { fork, unlike, value, until }: ReleaseFound, { settings }: Conf) {
  const unknown = settings.problems.filter((problem) => problem.kind === 'unknown-flag');
  const names = unknown.map(({ flags: [name = ''] }) => name);
  if (fork !== undefined) {
    const periods = names.flatMap((name) => kind.flags.period(name)?.since ?? []);
    const later = periods.filter((since) => isBefore(kind, until, since));
    return later.length > 1 ? { ...anyRelease(kind), unlike: fork } : null;
  }
  if (unlike !== undefined || value !== null) return null;
  const isNone = (name: string) => kind.flags.ofAnyRelease(name) === null;
  const [own] = names.filter(isNone).flatMap((name) => kind.evidence.ofFlag(name) ?? []);
  return own === undefined ? null : { ...own, by: 'settings' as const };
}

/**
 * The readings without a refusal that others lack; all of them where each has one. A mistake that only the newest release
 * finds, such as a bad value in a file that older ones do not read, excludes it as little as one that all find.
 */
function starting<C extends Conf>(kind: Kind, readings: readonly Reading<C>[]): readonly Reading<C>[] {
  const refusals = readings.map(({ conf, release }) => refusalsOf(kind.at(release.until), conf));
  const newest = refusals.at(-1) ?? [];
  const excludes = (problem: StartProblem) =>
    !refusals.every((all) => isAmong(all, problem)) &&
    (problem.kind === 'unknown-flag' || isUnknownKey(problem) || !isAmong(newest, problem));
  const left = readings.filter((_, index) => refusals[index]?.some(excludes) !== true);
  if (left.length > 0) return left;
  const [{ conf }] = readings as [Reading<C>];
  if (maskPlaceholders(conf.settings.source.lines.join('\n')).optional === null) return readings;
  const gone = refusals.flatMap((all) => all.filter(excludes));
  // The template decides which flags of other releases the node gets.
  const without = (settings: Settings): Settings => {
    const problems = settings.problems.filter((one) => one.kind !== 'unknown-flag' || !isAmong(gone, one));
    return { ...settings, problems, startable: !problems.some(({ fatal }) => fatal) };
  };
  return readings.map((one) => ({ ...one, conf: changeSettings(one.conf, without) }));
}

/**
 * What keeps the node from starting, by what it is, whatever the message says of the release. The guard of unlocked accounts
 * is a switch that people turn off.
 */
function refusalsOf({ flags: { unlock } }: KindWords, { settings: { problems } }: Conf) {
  return problems.filter(
    (problem) => problem.fatal && (problem.kind === 'unknown-flag' || problem.flags[0] !== unlock),
  );
}

function isAmong(all: readonly StartProblem[], { kind, flags, at }: StartProblem): boolean {
  return all.some(
    (one) => one.kind === kind && isDeepStrictEqual(one.flags, flags) && isDeepStrictEqual(one.at, at),
  );
}

/** The flags and keys of a file for which the releases after this one refuse the start. */
function refusedAfter(
  kind: KindWords,
  until: string,
  { settings }: Conf,
  main: Conf,
): Pick<ReleaseFound, 'refused'> {
  const gone = settings.problems.flatMap((problem) => {
    const [flag] = problem.flags;
    const isGone = isUnknownKey(problem)
      ? !isAmong(main.settings.problems, problem)
      : problem.kind === 'unknown-flag' && flag !== undefined && kind.flags.period(flag)?.until === until;
    return problem.fatal && isGone ? [flag as string] : [];
  });
  return gone.length === 0 ? {} : { refused: [...new Set(gone)] };
}

/** Whether it is a key, `Node.HTTPHost`, that the release does not know. */
function isUnknownKey({ kind, flags: [name = ''] }: StartProblem): boolean {
  return kind === 'bad-value' && /^[A-Z]\w*\./.test(name);
}

/** A conf and its own alternatives, as alternatives for these releases. */
function inReleases({ alternatives = [], ...conf }: Conf, releases: readonly ReleaseSpan[]): Alternative[] {
  return [{ when: null, conf }, ...alternatives].map((one) => ({ ...one, releases }));
}

/** The releases of a span that lie in all of these periods. A period outside the span limits nothing. */
function spanOf<T extends ReleaseSpan>(kind: KindReleases, span: T, periods: readonly (Period | null)[]): T {
  let { since, until } = span;
  for (const period of periods) {
    const { since: first = since, until: last = until } = period ?? {};
    if (isBefore(kind, span.until, first) || isBefore(kind, last, span.since)) continue;
    if (isBefore(kind, since, first)) since = first;
    if (isBefore(kind, last, until)) until = last;
  }
  return { ...span, since, until };
}

/** The first release that knows each variable and module, for names that show a release. */
function evidenceIn({ evidence }: KindReleases, { variables, modules }: UsedNames): (Period | null)[] {
  return [...variables, ...modules].map((name) => {
    const since = evidence.ofName(name)?.since;
    return since === undefined ? null : { since };
  });
}

/** The releases that start with each flag of the command line, and with these values. */
function neededFor(kind: KindReleases & KindWords, { words }: UsedNames, uses: Uses): (Period | null)[] {
  const since = kind.evidence.ofUses(uses)?.since;
  return [...words.map((word) => kind.flags.period(word)), since === undefined ? null : { since }];
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
function mergeReadings<C extends Conf>(kind: Kind, newestFirst: readonly Reading<C>[]): Same<C>[] {
  const groups: { readonly meaning: unknown; readonly all: [Reading<C>, ...Reading<C>[]] }[] = [];
  for (const one of newestFirst) {
    const own = newestFirst.length === 1 ? null : meaning(kind.at(one.release.until), one.conf);
    const same = groups.find((group) => isDeepStrictEqual(group.meaning, own));
    if (same === undefined) groups.push({ meaning: own, all: [one] });
    else same.all.push(one);
  }
  return groups.map(({ all }) => {
    const found = all.map(({ release }) => release);
    return { conf: all[0].conf, releases: joinedRanges(kind, found) };
  });
}

/**
 * What a release makes of a conf, as far as it decides on findings: who reaches each open interface, the severities of its
 * privileged modules, whether the node starts, and two switches, those of alternatives too. It is enough since a rule that
 * is asked in other releases grades what an open interface gives away. Some read more: whether a list, a cap or another
 * flag has an effect (latent-module, unknown-module, unbounded-work, overriding-flag), and flags that are refused, which
 * name their releases themselves. Of releases that differ in that alone, the newest is judged for all.
 */
function meaning(
  { modules: { isPrivileged, catalogue }, flags, probes }: KindModules & KindProbes & KindWords,
  { settings, alternatives = [] }: Conf,
): unknown {
  const { listeners, startable } = settings;
  const open = listeners.map(({ modules, ...one }) =>
    one.state === 'off' || isLocal(one.kind)
      ? [one.state]
      : [one, modules?.filter(isPrivileged).map((name) => [name, catalogue[name]?.severity])],
  );
  const decisive = [settings, ...alternatives.map(({ conf }) => conf.settings)].map(({ values }) =>
    [flags.unlock ?? '', probes.unsafeDebug?.flag ?? ''].map((name) => {
      const { value = null, origin } = values[name] ?? {};
      return value || (isWritten(origin) && '?') || null;
    }),
  );
  return [open, startable, decisive];
}

/** The names in settings that may tell the release. */
interface UsedNames {
  /** Listed modules. */
  readonly modules: readonly string[];
  /** Variables of the environment that set a flag. */
  readonly variables: readonly string[];
  /** Flags that anything but a launcher's variables sets. */
  readonly flags: readonly string[];
  /** Flags as they are written on the command line, without those that the launcher adds. */
  readonly words: readonly string[];
}

function namesIn(
  { dialect }: KindWords,
  { settings: { listeners, values, start, problems } }: Conf,
): UsedNames {
  const modules = listeners.flatMap(
    (one) => one.listed?.map(({ name }) => name) ?? (one.ifEmpty ? [''] : []),
  );
  const variables: string[] = [];
  // Keys that the file may not have are among those of problems.
  const flags = problems.flatMap((problem) => problem.flags);
  for (const [name, { origin, shadowed, indeterminate }] of givenIn(values)) {
    if (origin.kind !== 'launcher' && origin.kind !== 'assignment' && indeterminate === null)
      flags.push(name);
    if (origin.kind === 'environment') variables.push(origin.variable);
    for (const below of shadowed)
      if (below.origin.kind === 'environment') variables.push(below.origin.variable);
  }
  const words = (start ?? []).flatMap((word) =>
    word.at === null ? [] : (dialect.flagIn(word.text ?? '') ?? []),
  );
  return { modules, variables, flags, words };
}

/** Everything that releases may take differently; modules that can do no harm are left out. */
function usesOf(kind: KindModules & KindWords, conf: Conf, names = namesIn(kind, conf)): Uses {
  const { settings, shell } = conf;
  const { modules, variables, flags, words } = names;
  const uses = new Map<string, string | null>();
  for (const name of shell?.reads ?? []) {
    const value = shell?.variables[name];
    if (value !== undefined && value !== '') uses.set(name, value);
  }
  const privileged = modules.filter(kind.modules.isPrivileged);
  for (const name of [settings.package, ...privileged, ...variables, ...flags, ...words]) uses.set(name, '');
  return uses;
}
