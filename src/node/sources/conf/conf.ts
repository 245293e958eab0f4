/** A conf file → everything known about it. Pure: no file, no environment, no clock. */
import type { ReleaseRange } from '../../facts/release.js';
import type { Source } from '../../facts/settings.js';
import type { Inferred, ScriptedKind } from '../../kinds/kind.js';
import { byRelease, releaseBy } from '../argv/by-release.js';
import type { FlagFile } from '../argv/layers.js';
import { type Editable, isExact } from '../text/editable.js';
import { commentsOf, LineIndex } from '../text/line-index.js';
import type { Placed } from '../text/placed.js';
import { Steps } from '../text/steps.js';
import { readerOfConf } from './conf-settings.js';
import { type Decoded, decode } from './decode.js';
import type { GivenVariable, ReadConf } from './text.js';

export interface ConfOptions {
  /** Default: inferred. */
  readonly launcher?: string | undefined;
  readonly package?: string | undefined;
  /** The node's release, given by the user. */
  readonly nodeVersion?: string | undefined;
  /** The node's release as a kaiactl.ini gives it. */
  readonly iniVersion?: string | undefined;
  /** The releases whose launcher has the same script as the one that reads the file. */
  readonly script?: ReleaseRange | null | undefined;
  /** The environment that the launcher is started with. Default: unknown. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** The variables of the caller that other files set, overridden by `env`. */
  readonly variables?: ReadonlyMap<string, GivenVariable> | undefined;
  /** The absolute path, from which launcher and package are inferred. Default: `path`. */
  readonly absolutePath?: string | undefined;
  /** The node's own file of flags, once it was read. */
  readonly flagFile?: FlagFile | undefined;
  /** The text of a file that the conf sources; null if it is not among the files. */
  readonly open?: ((path: string) => Placed | null) | undefined;
  /** Whether it is only guessed that the file is a conf. */
  readonly guessed?: boolean | undefined;
  /** Permission bits and owner of the file; null when it is not a file. */
  readonly file?: Source['file'] | undefined;
}

/**
 * Reads a conf as its launcher does and derives the node's settings. `file` null if its text cannot be edited.
 * @throws {KaiactlError} when the bytes are not a conf: too large, or binary (exit 2)
 */
export function readConf(kind: ScriptedKind, path: string, bytes: Uint8Array, options: ConfOptions = {}) {
  const decoded = decode(path, bytes);
  const { text } = decoded;
  const conf = readingOf(kind, path, decoded, options);
  const read: Editable['read'] = (other, as = {}) => [
    readingOf(kind, path, decode(path, Buffer.from(other)), { ...options, ...as }),
  ];
  const alike = alikeOf(kind, path, conf, options);
  return {
    conf,
    file: isExact(text, bytes) ? { text, others: new Map(), confs: [conf], alike, read } : null,
  };
}

/** Everything but the text that decides how a conf is read. An inference from its path holds for every text. */
function alikeOf(kind: ScriptedKind, path: string, { settings }: ReadConf, options: ConfOptions) {
  const { flagFile, env, file, guessed, variables = new Map() } = options;
  const sources = settings.source.lines.some((line) => /(?:^|[\s;&|])(?:\.|source)\s/.test(line));
  if (flagFile !== undefined || sources || variables.size > 0) return null;
  const { launcher, by, package: from, packageBy } = settings;
  const release = releaseOf(kind, path, options);
  return JSON.stringify([kind.id, launcher, by, from, packageBy, release, env, file, guessed]);
}

function releaseOf(
  kind: ScriptedKind,
  path: string,
  { absolutePath = path, nodeVersion, iniVersion, script }: ConfOptions,
) {
  return releaseBy(kind, { nodeVersion, iniVersion, paths: [absolutePath], script });
}

function readingOf(kind: ScriptedKind, path: string, { text, syntaxIssues }: Decoded, options: ConfOptions) {
  const lineIndex = new LineIndex(path, text);
  const env = Object.entries(options.env ?? {}).map(
    ([name, value]) => [name, { value, at: null, indeterminate: null }] as const,
  );
  const source = {
    kind: 'conf' as const,
    ...(options.guessed === true ? { guessed: true as const } : {}),
    path,
    lines: lineIndex.lines(),
    comments: commentsOf(text, lineIndex),
    file: options.file ?? null,
  };
  const { absolutePath = path } = options;
  const conf = {
    kind,
    lineIndex,
    syntaxIssues,
    ...withOptions(kind.launchers.infer(absolutePath, text), options),
    env: new Map([...(options.variables ?? []), ...env]),
    open: options.open,
    isOpen: Object.keys(options.env ?? {}).length === 0,
    packaged: {},
    file: options.flagFile ?? null,
    source,
    steps: new Steps(),
  };
  return byRelease(kind, releaseOf(kind, path, options), readerOfConf(conf));
}

/** The launcher and package of the options, in place of the inferred ones. */
function withOptions(inferred: Inferred, { launcher, package: from }: ConfOptions): Inferred {
  return {
    ...inferred,
    ...(launcher === undefined ? {} : { launcher, by: 'option' }),
    ...(from === undefined ? {} : { package: from, packageBy: 'option' }),
  };
}
