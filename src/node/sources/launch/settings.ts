/** Derives the settings of a node from its start in a file: from a conf, or from the words of its command line. */

import type { CommandWord } from '../../dialect/word.js';
import type { Conf } from '../../facts/facts.js';
import { isContainerOnly, isUnpublished } from '../../facts/reach.js';
import type { ReleaseFound } from '../../facts/release.js';
import {
  isLocal,
  type Listener,
  type MissingFile,
  otherVariables,
  type PortKind,
  type Settings,
  type Source,
} from '../../facts/settings.js';
import type { Span } from '../../facts/span.js';
import { isScripted } from '../../kinds/find.js';
import type { Kind, KindScripts } from '../../kinds/kind.js';
import { byRelease, releaseBy } from '../argv/by-release.js';
import type { EnvironmentVariable } from '../argv/layers.js';
import { settingsOfWords } from '../argv/node.js';
import { alternativesOf, withReadings } from '../argv/readings.js';
import type { ConfOptions } from '../conf/conf.js';
import { readerOfConf } from '../conf/conf-settings.js';
import { maxWords, tooManyWords } from '../conf/replay.js';
import type { ConfText, GivenVariable } from '../conf/text.js';
import { LineIndex } from '../text/line-index.js';
import { isKnown, Placed, PlacedIndex } from '../text/placed.js';
import type { Steps } from '../text/steps.js';
import { showText, unknownIn } from '../text/unknown.js';
import { WordPlaces } from '../text/word-places.js';
import { type Container, type Launch, unknownSettings } from './launch.js';

export interface LaunchOptions
  extends Pick<ConfOptions, 'launcher' | 'package' | 'nodeVersion' | 'iniVersion' | 'flagFile'> {
  readonly source: Omit<Source, 'multiline'>;
  /** The release that the running program reports. */
  readonly running?: ReleaseFound | null;
  /** Environment variables of the option --env, which override those of the file. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** The conf that lines are appended to. Default: the packaged conf. */
  readonly base?: LineIndex | null;
  /** Counts the work, together with what else is read of the file. */
  readonly steps: Steps;
}

/** The settings of a node that a file starts, and where another release or other conditions hold. */
export function confOfLaunch(launch: Launch, options: LaunchOptions): Conf {
  const { unlike } = launch;
  const found = {
    ...releaseBy(launch.kind, { ...launch, ...options }),
    ...(unlike === undefined ? {} : { unlike }),
  };
  return byRelease(launch.kind, found, readerOf(launch, options));
}

/** Reads a start for a release. */
type Reader = (kind: Kind, release: ReleaseFound) => Conf;

function readerOf(launch: Launch, options: LaunchOptions): Reader {
  const { start } = launch;
  const own =
    start.kind === 'binary' ? binaryReader(launch, start.words, options) : launcherReader(launch, options);
  const others = launch.alternatives.map((one) => ({
    condition:
      one.unless === undefined
        ? { when: (one.when?.text ?? '').replace(/\s+/g, ' ') }
        : { when: null, unless: one.unless },
    read: readerOf(one, options),
  }));
  return (kind, release) => {
    const conf = own(kind, release);
    const alternatives = [
      ...(conf.alternatives ?? []).map((one) => ({ ...one, conf: inPlace(one.conf, launch) })),
      ...others.flatMap(({ condition, read }) => alternativesOf(condition, read(kind, release))),
    ];
    return { ...inPlace(conf, launch), ...(alternatives.length === 0 ? {} : { alternatives }) };
  };
}

/** The settings with the name, place and container of the start. */
function inPlace(conf: Conf, launch: Launch): Conf {
  const { name, at, unread, files, missing, called } = launch;
  const start = conf.settings.source.path;
  const listeners = conf.settings.listeners.map((listener) => admitListener(listener, launch));
  const gaps = [...missing, ...listeners.flatMap((listener) => unsureOf(listener, launch))];
  const settings: Settings = {
    ...conf.settings,
    ...(name === null ? {} : { name }),
    at,
    ...(called === undefined ? {} : { called }),
    ...(unread.length === 0 ? {} : { unread }),
    files: [{ path: start, role: 'starts' }, ...files.filter(({ path }) => path !== start)],
    ...(gaps.length === 0 ? {} : { missing: gaps }),
    listeners,
  };
  return { ...conf, settings };
}

/** Reads the conf once for each packaged conf that its lines are appended to. */
function launcherReader(launch: Launch, options: LaunchOptions): Reader {
  const { start, kind } = launch;
  const launcher = options.launcher ?? launch.launcher;
  const from = options.package ?? usualPackage(kind);
  const given = start.kind === 'launcher' ? start : null;
  const base = given !== null && given.base !== 'none' && options.base ? Placed.at(options.base) : null;
  const parts = [base, base === null ? null : base.as('\n'), given?.conf ?? null].filter(
    (one) => one !== null,
  );
  const lineIndex =
    parts.length === 0 ? new LineIndex(launch.at.file, '') : new PlacedIndex(Placed.join(parts));
  const text: Omit<ConfText, 'kind' | 'packaged'> = {
    lineIndex,
    syntaxIssues: [],
    launcher,
    package: from,
    by: options.launcher === undefined ? launch.by : 'option',
    packageBy: options.package === undefined ? 'guess' : 'option',
    env: givenEnvironment(launch, options),
    unseen: unknownSettings(launch),
    file: options.flagFile ?? null,
    open: launch.open,
    source: options.source,
    steps: options.steps,
  };
  const isAppended = base === null && given?.base === 'packaged';
  const readers = new Map<string, ReturnType<typeof readerOfConf>>();
  return (kind, release) => {
    if (!isScripted(kind)) throw new Error(`${kind.id} has no launchers`);
    const packaged = isAppended ? kind.launchers.packagedConf(launcher, from) : {};
    const key = JSON.stringify(packaged);
    const read = readers.get(key) ?? readerOfConf({ ...text, kind, packaged });
    readers.set(key, read);
    return read(kind, release);
  };
}

function binaryReader(launch: Launch, words: readonly Placed[], options: LaunchOptions): Reader {
  const launcher = options.launcher ?? launch.launcher;
  const places = new WordPlaces();
  const known = words.slice(0, maxWords).map((word) => replayWord(word, places));
  const replayed = known.length === words.length ? known : [...known, unknownWord(launch.at, tooManyWords)];
  const environment = new Map<string, EnvironmentVariable>();
  for (const [name, { value, at, indeterminate }] of givenEnvironment(launch, options))
    environment.set(name, { value, indeterminate, origin: { kind: 'environment', variable: name, at } });
  for (const { value, at } of launch.environment.values())
    if (value !== null && at !== null) places.keep(value, at);
  return (kind, release) => {
    const { others, ...started } = settingsOfWords({
      kind,
      release,
      launcher,
      words: replayed,
      environment,
      file: launch.file ?? options.flagFile?.(kind) ?? null,
      before: [],
      after: launch.warnings ?? [],
      unseen: unknownSettings(launch),
      called: launch.called !== undefined,
      locate: ({ origin }, piece, after) => places.locate('at' in origin ? origin.at : null, piece, after),
    });
    const settings: Settings = {
      launcher,
      by: options.launcher === undefined ? launch.by : 'option',
      // The binary is the same in both packages.
      package: options.package ?? usualPackage(kind),
      packageBy: options.package === undefined ? 'launch' : 'option',
      source: { ...options.source, multiline: [] },
      keys: {},
      ...started,
    };
    return withReadings({ settings, shell: null }, others);
  };
}

/** The package that is assumed; '' for a kind without launchers. */
function usualPackage({ launchers }: KindScripts): string {
  return launchers?.packages[0] ?? '';
}

/** The variables of the file, overridden by those of the option --env. */
export function givenEnvironment(
  { environment }: Pick<Launch, 'environment'>,
  options: Pick<LaunchOptions, 'env'>,
): Map<string, GivenVariable> {
  const map = new Map<string, GivenVariable>();
  for (const [name, { value, at, indeterminate }] of environment) {
    const known = value !== null && isKnown(value.text);
    // Its reason names the command and the place.
    const isNamed = name === otherVariables && indeterminate !== null;
    const place = at === null ? name : `${name} (${at.file}:${at.line})`;
    const unset = isNamed ? indeterminate : `${place}: ${indeterminate ?? 'it is not known'}`;
    const why = value === null ? unset : whyUnknown(value);
    map.set(name, { value: known ? value.text : null, at, indeterminate: known ? null : why });
  }
  for (const [name, value] of Object.entries(options.env ?? {}))
    map.set(name, { value, at: null, indeterminate: null });
  return map;
}

/** Why a text with an unknown part is unknown. */
function whyUnknown(text: Placed): string {
  return `${unknownIn(text)} is not known`;
}

/** A word with an unknown part is unknown; after `--flag=` only the value is. */
function replayWord(word: Placed, places: WordPlaces): CommandWord {
  const at = places.keep(word);
  const known = isKnown(word.text);
  const [name = '', flag] = /^--?([A-Za-z][\w.-]*)=/.exec(word.text) ?? [];
  const valueAt = flag === undefined ? at : word.slice(name.length).span();
  const isApart = valueAt.file !== at.file || valueAt.line !== at.line;
  return {
    text: known ? word.text : null,
    variable: null,
    at,
    cause: null,
    causeAt: null,
    indeterminate: known ? null : whyUnknown(word),
    maybe: null,
    written: true,
    ...(known ? {} : { partly: word.text, unknown: unknownIn(word) }),
    ...(flag !== undefined && (isApart || valueAt.column !== at.column + name.length) ? { valueAt } : {}),
  };
}

/** One unknown word for any number of words. */
function unknownWord(at: Span, indeterminate: string): CommandWord {
  const unknown = { text: null, variable: null, cause: null, causeAt: null, maybe: null };
  return { ...unknown, at, indeterminate, written: true };
}

type TcpListener = Listener & { readonly kind: PortKind };

/** The listener with the published ports of its container, or with what its unit puts before its address. */
function admitListener(listener: Listener, launch: Launch): Listener {
  const { container, admits } = launch;
  const { kind, port, host } = listener;
  if (isLocal(kind)) return listener;
  const own = admits?.(port, host) ?? null;
  if (own !== null) return { ...listener, hops: [own] };
  if (container === null) return listener;
  const { published: _, ...place } = container;
  const hops = publishedFor({ ...listener, kind }, launch, container);
  return { ...listener, container: place, ...(hops.length === 0 ? {} : { hops }) };
}

/** The published ports of a listener. Where its port is not known, the usual one is judged. */
function publishedFor({ kind, port }: TcpListener, launch: Launch, { published }: Container) {
  const written = port === null ? writtenPort(kind, launch) : null;
  const known = port ?? launch.kind.interfaces.defaultPort(kind);
  return published.filter((one) =>
    one.unsure === undefined
      ? one.to === null || one.to === known
      : written !== null && variableName(one.unsure) === variableName(written),
  );
}

/** `$PORT` and `${PORT}` are the same. */
function variableName(reference: string): string {
  return reference.replace(/^["']?\$\{?(\w+)\}?["']?$/, '$1');
}

/** The port of a listener as its flag or its variable has it; null if neither is among the words. */
function writtenPort(listener: TcpListener['kind'], { kind, start, environment }: Launch): string | null {
  const name = kind.interfaces.flags[listener].port;
  const flag = name === null ? null : kind.flags.ofAnyRelease(name);
  if (name === null || start.kind !== 'binary') return null;
  const names = new Set([name, ...(flag?.aliases ?? [])]);
  const at = start.words.findLastIndex(({ text }) => names.has(flagIn(text)?.[1] ?? ''));
  const word = start.words[at];
  if (word === undefined) {
    const value = (flag?.environment ?? []).flatMap((one) => environment.get(one)?.value ?? []).at(0);
    return value === undefined ? null : showText(value);
  }
  const [own = ''] = flagIn(word.text) ?? [];
  const value = own.endsWith('=') ? word.slice(own.length) : start.words[at + 1];
  return value === undefined ? null : showText(value);
}

function flagIn(word: string): RegExpExecArray | null {
  return /^--?([\w.-]+)=?/.exec(word);
}

/** A port that is published, where it is not known whether it is the one of a listener. */
function unsureOf(listener: Listener, { container }: Launch): MissingFile[] {
  const { kind, port, state } = listener;
  if (!isUnpublished(listener) || isContainerOnly(listener) || state !== 'on') return [];
  const one = container?.published.find(({ unsure }) => port === null || unsure !== undefined);
  if (one === undefined) return [];
  const place = `${one.at.file}:${one.at.line}`;
  const reason =
    port === null
      ? `the port of ${kind} cannot be known offline, and ${place} publishes ${one.unsure ?? `port ${one.to}`}`
      : `${place} publishes a port that cannot be known offline: it may be ${port}, the port of ${kind}`;
  return [{ name: null, decides: 'reach', reason }];
}
