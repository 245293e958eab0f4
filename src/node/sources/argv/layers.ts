/** Merges a command line, an environment, the node's own file and defaults; the first of them that sets a flag counts. */

import {
  asWritten,
  joinOccurrences,
  type Occurrence,
  type ParsedWords,
  valueOnceStarted,
} from '../../dialect/occurrence.js';
import type { ReleaseFound } from '../../facts/release.js';
import {
  type Origin,
  otherVariables,
  type Setting,
  type SettingValue,
  type StartProblem,
  spanOf,
} from '../../facts/settings.js';
import type { Span } from '../../facts/span.js';
import type { ConfigFile, ConfigFileReading, Flag, FlagSet, Kind, KindWords } from '../../kinds/kind.js';
import { releaseName } from '../../kinds/release.js';
import { shade, shadeByEnvironment, shadeByFile } from './shade.js';
import { unknownFlag } from './unknown-flag.js';

/** One variable of the node's environment; `value` null if it cannot be known. */
export interface EnvironmentVariable {
  readonly value: string | null;
  readonly indeterminate: string | null;
  readonly origin: Origin;
}

/** The values of the node's own file of flags, by the flags' first names. */
export interface FileLayer {
  readonly format: 'yaml' | 'toml';
  readonly path: string;
  readonly values: ReadonlyMap<
    string,
    {
      /** Its name in the file. */
      readonly key: string;
      readonly value: SettingValue | null;
      /** Why the node refuses it; null if it does not. */
      readonly refused: string | null;
      /** Why it cannot be known; null if it is known, or refused. */
      readonly unknown: string | null;
      readonly at: Span;
    }
  >;
  /** `key`: the one that the release does not have. */
  readonly problem: { readonly message: string; readonly at: Span; readonly key?: string } | null;
  /** Keys that are no flags of the release; absent if they have no effect. */
  readonly unknownKeys?: readonly { readonly key: string; readonly at: Span }[];
}

/** The same file as a release reads it. */
export type FlagFile = (kind: Kind) => FileLayer;

type Layer = Omit<Setting, 'shadowed'>;

/** What sets flags, besides the command line. */
export interface Sources {
  /** At the release that reads them. */
  readonly kind: Kind;
  readonly release: ReleaseFound;
  readonly launcher: string;
  readonly environment: ReadonlyMap<string, EnvironmentVariable>;
  /** The node's own file of flags, if it was read. */
  readonly file: FileLayer | null;
}

/**
 * The effective setting of every flag the binary accepts, keyed by the flag's first name.
 * @param isWritten whether unknown words are taken to leave written values as they are
 */
export function settle(
  { kind, launcher, release, environment, file }: Sources,
  parsed: Pick<ParsedWords, 'occurrences' | 'maybe'>,
  isWritten = false,
) {
  const problems: StartProblem[] = [];
  const program = kind.programOf(launcher);
  const flags = kind.flags.of(program);
  const settings: Record<string, Setting> = { ...flags.defaults };
  const given = new Map<Flag, Layer[]>();
  const { configFile } = kind;
  const reads = configFile?.reads(program) ?? 'all';
  const layer = file === null ? null : counting(file, reads);
  if (layer !== null) {
    addFile(kind, flags, given, layer, problems);
    problems.push(...unknownKeys(kind, release, layer));
  }
  for (const [name, variable] of environment)
    addEnvironment(kind, flags, given, name, variable, environment, problems);
  problems.push(...ignored(kind, flags, environment));
  const uses = isWritten ? asWritten(parsed.occurrences) : parsed.occurrences;
  for (const occurrence of kind.dialect.effective(kind.flags, uses)) {
    const { flag } = occurrence;
    const below = flag.type === 'list' && kind.flags.listsAddUp ? given.get(flag)?.[0] : undefined;
    add(given, flag, below?.origin.kind === 'environment' ? joinOccurrences(below, occurrence) : occurrence);
  }
  if (layer !== null && configFile?.format === 'toml') {
    for (const [address, enable] of configFile.switches)
      keepInFile(given, flags.byName.get(address), flags.byName.get(enable), configFile.keepsAddress);
  }
  const unread =
    configFile === null || reads === 'nothing' ? null : fileNamed(configFile, parsed.occurrences);
  for (const [flag, layers] of given) settings[flag.name] = stackLayers(layers, settings[flag.name]);
  if (configFile !== null && unread !== null && file === null && !isWritten)
    shadeByFile(configFile, flags, settings, given, unread.origin, unread.name);
  const setter = environment.get(otherVariables)?.indeterminate ?? null;
  if (setter !== null && !isWritten) shadeByEnvironment(flags, settings, setter, configFile);
  const maybe = parsed.maybe.filter(({ flags: names }) => !isWritten || names !== null);
  for (const { flags: names, reason, origin, at } of maybe) {
    const kept = overriding(kind, parsed.occurrences, at);
    const all =
      names?.flatMap((name) => flags.byName.get(name.slice(2))?.name ?? []) ?? Object.keys(settings);
    const shaded = all.filter((name) => !kept.has(name));
    shade(settings, shaded, reason, origin);
  }
  problems.push(...kind.flags.exclusive.flatMap((pair) => conflicts(pair, settings)));
  return { settings, problems };
}

/**
 * The flags that are given behind an unknown word and override what it may say. The word may end with a flag that takes
 * the next word as its value.
 */
function overriding(
  { flags: { literal } }: KindWords,
  occurrences: readonly Occurrence[],
  unknownAt: number,
) {
  const later = occurrences.filter(({ at, doubts }) => at > unknownAt + 1 && doubts.length === 0);
  const single = later.filter(({ flag: { name, type } }) => type !== 'list' && !literal.has(name));
  return new Set(single.map(({ flag }) => flag.name));
}

function add(given: Map<Flag, Layer[]>, flag: Flag, layer: Layer | Occurrence): void {
  // The occurrences of a counted flag add up: none overrides another.
  const layers = flag.type === 'count' ? [] : (given.get(flag) ?? []);
  layers.unshift({ value: layer.value, origin: layer.origin, indeterminate: layer.indeterminate });
  given.set(flag, layers);
}

function stackLayers([top, ...below]: readonly Layer[], fallback: Setting | undefined): Setting {
  const shadowed = below.map(({ value, origin }) => ({ value, origin }));
  if (fallback !== undefined && fallback.value !== null && fallback.value !== false) {
    shadowed.push({ value: fallback.value, origin: fallback.origin });
  }
  const { value, origin, indeterminate } = top as Layer;
  return { value, origin, indeterminate, shadowed };
}

/** Variables that newer releases read, where this one reads none. */
function ignored(
  kind: Kind,
  { byEnvironment }: FlagSet,
  environment: ReadonlyMap<string, EnvironmentVariable>,
): StartProblem[] {
  if (environment.size === 0) return [];
  const program = kind.programOf(kind.usualLauncher);
  const newest = kind.at(kind.releases.at(-1)?.id ?? kind.release.id, '').flags.of(program).byEnvironment;
  if ([...byEnvironment.keys()].some((name) => newest.has(name))) return [];
  return [...environment].flatMap(([name, { origin }]) => {
    const flag = newest.get(name);
    if (flag === undefined) return [];
    const message = `${releaseName(kind.release.id)} does not read ${name}: it has no effect`;
    const at = spanOf(origin);
    return [{ kind: 'ignored-variable', fatal: false, message, at, variable: name, flags: [flag.name] }];
  });
}

/** The first variable of a flag that is set counts. */
function addEnvironment(
  kind: Kind,
  flags: FlagSet,
  given: Map<Flag, Layer[]>,
  name: string,
  variable: EnvironmentVariable,
  environment: ReadonlyMap<string, EnvironmentVariable>,
  problems: StartProblem[],
): void {
  const flag = flags.byEnvironment.get(name);
  if (flag === undefined || flag.environment.find((one) => environment.has(one)) !== name) return;
  const { value: text, origin, indeterminate } = variable;
  if (text === null) {
    add(given, flag, { value: null, origin, indeterminate });
    return;
  }
  const parsed = kind.dialect.variable(flag.type, text);
  if (parsed === null) return;
  if ('value' in parsed) add(given, flag, { value: parsed.value, origin, indeterminate: null });
  else {
    const message = `the environment sets ${name} to “${text}”, but ${parsed.refused}: the node does not start`;
    problems.push(refusal(message, spanOf(origin), [flag.name], name));
    add(given, flag, { ...valueOnceStarted(kind.flags, flag, `the node refuses “${text}”`), origin });
  }
}

function refusal(
  message: string,
  at: Span | null,
  flags: string[],
  variable: string | null = null,
): StartProblem {
  return { kind: 'bad-value', fatal: true, message, at, variable, flags };
}

function addFile(
  kind: Kind,
  flags: FlagSet,
  given: Map<Flag, Layer[]>,
  { format, path, values, problem }: FileLayer,
  problems: StartProblem[],
): void {
  const refuse = (message: string, at: Span, names: string[]) => problems.push(refusal(message, at, names));
  if (problem !== null)
    refuse(`the node cannot read ${path}: ${problem.message}`, problem.at, [problem.key ?? []].flat());
  for (const [name, { key, value, refused, unknown, at }] of values) {
    const flag = flags.byName.get(name);
    if (flag === undefined) continue;
    const origin: Origin = { kind: format, path, key, at };
    if (refused !== null) {
      refuse(`the file ${path} sets ${key}, but ${refused}: the node does not start`, at, [name]);
      const started = valueOnceStarted(kind.flags, flag, `the node refuses what ${path} says`);
      add(given, flag, { ...started, origin });
    } else add(given, flag, { value, origin, indeterminate: unknown });
  }
}

/** Keys with which the node does not start. */
function unknownKeys(
  kind: Kind,
  release: ReleaseFound,
  { unknownKeys: keys = [] }: FileLayer,
): StartProblem[] {
  return keys.map(({ key, at }) => ({
    kind: 'unknown-flag',
    fatal: true,
    at,
    variable: null,
    flags: [key],
    ...unknownFlag(kind, release, key, key),
  }));
}

/** An address in the file opens its interface: above it, the flags of both count only where the switch is on. */
function keepInFile(
  given: Map<Flag, Layer[]>,
  address: Flag | undefined,
  enable: Flag | undefined,
  keepsAddress: boolean,
): void {
  if (address === undefined || enable === undefined) return;
  const [switched] = given.get(enable) ?? [];
  const isOn = !keepsAddress && switched?.value === true && switched.origin.kind !== 'toml';
  if (isOn || given.get(address)?.at(-1)?.origin.kind !== 'toml') return;
  for (const flag of [enable, address]) {
    const [top, ...layers] = (given.get(flag) ?? []).toReversed();
    if (top === undefined) continue;
    // The switch may be on, and then the address above the file counts.
    const inDoubt = flag === address && layers.length > 0 ? (switched?.indeterminate ?? null) : null;
    const kept = inDoubt === null ? top : { ...top, value: null, indeterminate: inDoubt };
    given.set(flag, [kept, ...layers.toReversed()]);
  }
}

/** The part of a file that the node reads; null if there is none. */
function counting(file: FileLayer, reads: ConfigFileReading): FileLayer | null {
  if (reads === 'all') return file;
  const switches = [...file.values].filter(([, { value }]) => typeof value === 'boolean');
  return reads === 'nothing' ? null : { ...file, values: new Map(switches) };
}

/** Of a file in either format, the extension of its name tells which. */
export function formatOf({ format }: Pick<ConfigFile, 'format'>, path: string): FileLayer['format'] {
  if (format !== 'flags') return format;
  return /\.toml$/i.test(path) ? 'toml' : 'yaml';
}

/** The node's own file of flags as the command line names it: "/etc/geth.toml (run.sh:7)". */
export function fileNamed(
  file: ConfigFile,
  occurrences: readonly Occurrence[],
): { readonly name: string; readonly origin: Origin } | null {
  const settings = occurrences.findLast(({ flag }) => flag.name === file.flag);
  if (settings === undefined) return null;
  const at = spanOf(settings.origin);
  const path = String(settings.value ?? '');
  const place = at === null ? '' : ` (${at.file}:${at.line})`;
  return {
    name: settings.unknown?.name ?? `${path === '' ? `--${file.flag}` : path}${place}`,
    origin: { kind: formatOf(file, path), key: null, path, at },
  };
}

function conflicts(
  [name, other]: readonly [string, string],
  { [name]: on, [other]: beside }: Readonly<Record<string, Setting>>,
): StartProblem[] {
  // A switch counts even if it is given as false (cmd/utils/flags.go, CheckExclusive).
  const isSet = (setting: Setting | undefined): setting is Setting =>
    setting !== undefined &&
    !['default', 'toml'].includes(setting.origin.kind) &&
    setting.indeterminate === null;
  if (!isSet(on) || !isSet(beside)) return [];
  const message = `--${name} and --${other} exclude each other: the node does not start`;
  const at = spanOf(on.origin) ?? spanOf(beside.origin);
  return [{ kind: 'conflicting-flags', fatal: true, message, at, variable: null, flags: [name, other] }];
}
