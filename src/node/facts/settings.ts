/**
 * The settings of a node. Every source of settings yields this type, and rules about exposure see nothing else. Facts
 * about launchers and flags are those of kaiachain/kaia v2.2.1.
 */

import { oncePer } from '../../util/once-per.js';
import type { ContainerPlace, Hop } from './hops.js';
import type { ReleaseFound } from './release.js';
import type { Reach } from './severity.js';
import type { Span } from './span.js';

/**
 * The name of the entry of an environment for all variables that have no entry of their own. Its `indeterminate`
 * says what may set them: "export $(…) (run.sh:3)".
 */
export const otherVariables = '*';

/** One word of the command line the launcher builds, in order. */
export interface Word {
  /** null when the word, or the number of words, cannot be known offline. */
  readonly text: string | null;
  /** The conf variable it was expanded from; null for the launcher's own words. */
  readonly variable: string | null;
  /** The place in the conf: exact for a word of the variable of extra flags, else the value of the assignment. */
  readonly at: Span | null;
  /** Of `--flag=value`: the place of the value where a variable sets it; absent if it follows the flag. */
  readonly valueAt?: Span;
}

/** Where a setting's value comes from. */
export type Origin =
  | { readonly kind: 'assignment'; readonly variable: string; readonly flag: string; readonly at: Span }
  | {
      readonly kind: 'flag';
      /** As it is written: one of the flag’s names. Empty for words that may be any flag. */
      readonly flag: string;
      readonly at: Span | null;
      /** Absent: in the conf’s variable of extra flags. */
      readonly on?: 'command line';
    }
  | { readonly kind: 'environment'; readonly variable: string; readonly at: Span | null } // at: an `export` in the conf
  | { readonly kind: 'launcher'; readonly flag: string } // the script adds it unasked
  | { readonly kind: 'packaged'; readonly variable: string } // the packaged conf that lines are appended to
  /** A file of settings; `key` null: it is not read, and may set it. */
  | {
      readonly kind: 'yaml' | 'toml';
      readonly path: string;
      readonly key: string | null;
      readonly at: Span | null;
    }
  | { readonly kind: 'default' };

/** The place an origin names, if it has one. */
export function spanOf(origin: Origin | undefined): Span | null {
  return origin !== undefined && 'at' in origin ? origin.at : null;
}

/** Whether it is a flag that is written on the command line, whether or not its value is known; an opaque word has no flag. */
export function isWritten(origin: Origin | undefined): boolean {
  return origin?.kind === 'flag' && origin.flag !== '';
}

/** Whether it is an unknown word, which may set any flag. */
export function isOpaque(origin: Origin): boolean {
  return origin.kind === 'flag' && origin.flag === '';
}

/** A value, its origin and the values it overrides. It is null if it is unset, or unknown with the reason in `indeterminate`. */
export interface Setting<T extends SettingValue = SettingValue> {
  readonly value: T | null;
  readonly origin: Origin;
  readonly shadowed: readonly { readonly value: T | null; readonly origin: Origin }[];
  readonly indeterminate: string | null;
}
export type SettingValue = string | number | boolean;

/** The settings that are not defaults, in the order of the flags: a program has hundreds of flags, and few are given. */
export const givenIn = oncePer((values: Settings['values']): readonly [flag: string, setting: Setting][] =>
  Object.keys(values)
    .filter((flag) => (values[flag]?.origin.kind ?? 'default') !== 'default')
    .map((flag) => [flag, values[flag] as Setting]),
);

/** A reason why the launcher or the node does not start, or a warning of theirs. */
export interface StartProblem {
  readonly kind:
    | 'data-dir-missing' // DATA_DIR empty: the launcher exits
    | 'launcher-refuses' // a refuse-to-start step
    | 'unknown-flag' // of no release known here; another may have it
    | 'bad-syntax' // ---x
    | 'ending-flag' // --help, --version: prints a text and exits
    | 'conflicting-flags' // two names of one flag, or --ipcdisable with --ipcpath
    | 'stray-word' // "Unknown command"
    | 'dropped-line' // systemd ignores the line (not fatal)
    | 'lone-backslash' // a backslash that continues no line
    | 'one-argument' // '--http.api eth' as one word
    | 'expanded-word' // a * without quotes (not fatal)
    | 'typographic-mark' // –rpc, “eth”
    | 'bad-value' // --rpcport abc, --flag=maybe
    | 'missing-value'
    | 'dropped-setting' // the launcher drops a value with blanks (not fatal)
    | 'ignored-variable' // the release reads no environment (not fatal)
    | 'network-ignored'; // NETWORK and NETWORK_ID both set (not fatal)
  /** Whether it keeps a node of the releases known here from starting. */
  readonly fatal: boolean;
  /** Of an unknown flag: `certain` when the release is stated, `inferred` when it follows from a name; absent if it is not known. */
  readonly release?: 'certain' | 'inferred';
  readonly message: string;
  readonly at: Span | null;
  readonly variable: string | null;
  readonly flags: readonly string[];
}

/** A value with which the node does not start, or warns if not `fatal`. */
export function badValue(
  values: Settings['values'],
  flag: string,
  message: string,
  fatal = true,
): StartProblem {
  const origin = values[flag]?.origin;
  const variable = origin !== undefined && 'variable' in origin ? origin.variable : null;
  return { kind: 'bad-value', fatal, message, at: spanOf(origin), variable, flags: [flag] };
}

/** Whether the node certainly does not start. An unknown flag may exist in another release. */
export function isStartRefused(problems: readonly StartProblem[]): boolean {
  return problems.some(
    ({ fatal, kind, release }) => fatal && (kind !== 'unknown-flag' || release === 'certain'),
  );
}

export const listenerKinds = [
  'http',
  'https', // JSON-RPC over TLS on a port of its own
  'ws',
  'socket', // JSON-RPC over plain TCP
  'authrpc', // the engine API, which asks for a token
  'engine-ipc', // the engine API over a local socket
  'graphql', // a server of its own in some releases of geth
  'grpc',
  'beacon', // the Beacon API of a consensus client in the same program
  'mcp', // a server of the Model Context Protocol
  'metrics',
  'pprof',
  'mainbridge',
  'ipc',
] as const;
export type ListenerKind = (typeof listenerKinds)[number];
/** The kinds that are a local socket, which has a path instead of an address. */
export type LocalKind = 'ipc' | 'engine-ipc';
/** The kinds with a port. */
export type PortKind = Exclude<ListenerKind, LocalKind>;

/** Whether it is a local socket, which users of this machine open by its path. */
export function isLocal(kind: ListenerKind): kind is LocalKind {
  return kind === 'ipc' || kind === 'engine-ipc';
}
/** The reach of interfaces as the operator states it: kaiactl cannot see a firewall or a proxy. */
export type AssumedReach = Readonly<Partial<Record<ListenerKind, Reach>>>;

/** One name of a module list. */
export interface ListedModule {
  /** As written. */
  readonly name: string;
  readonly at: Span | null;
}

/** One interface as the settings open it; at most one of each kind. Addresses are those that the node binds. */
export interface Listener {
  readonly kind: ListenerKind;
  /** `unknown` when a setting it depends on is indeterminate: `reason` says which. */
  readonly state: 'on' | 'off' | 'unknown';
  readonly reason: string | null;
  /** The settings that decide it, by flag name; see Settings.values. */
  readonly decidedBy: readonly string[];
  /** null for a local socket, or when indeterminate. */
  readonly host: string | null;
  readonly port: number | null;
  /** The flag that sets the host, where it is that of another interface on the same port. */
  readonly boundBy?: string;
  /** Of a local socket: its path; null when DATA_DIR is unknown. */
  readonly path: string | null;
  /** Of a local socket: the permission bits that a flag gives it; null if it is not known. It is absent if no flag gives any. */
  readonly mode?: number | null;
  /** The module list as written (split at commas, klay not yet mapped); null if it is not given, or not governed by a list. */
  readonly listed: readonly ListedModule[] | null;
  /** Modules really offered, sorted, `klay` mapped to `kaia`, unknown names gone, `rpc` included; null when unknown. */
  readonly modules: readonly string[] | null;
  /** Of a list that is not known: the modules offered where it is empty. */
  readonly ifEmpty?: readonly string[];
  /** Whether the built-in list applies because none was given. */
  readonly builtInList: boolean;
  /** http: CORS origins; ws: Origin list. It is empty if there is none. It is null if it is indeterminate or not applicable. */
  readonly origins: readonly string[] | null;
  /** http only: accepted Host names. It is null if it is indeterminate or not applicable. */
  readonly vhosts: readonly string[] | null;
  /** The list whose `*` no setting wrote: the node lacks its check. */
  readonly unchecked?: 'origins' | 'vhosts';
  /** What every caller has to show; absent if there is nothing. The token of `authrpc` needs no mention. */
  readonly login?: 'token';
  /** The reach as the operator states it. */
  readonly assumed?: Reach;
  /** The node does not start: it opens this interface only after a fix. */
  readonly refused?: true;
  /** Only in a container with its own network. */
  readonly container?: ContainerPlace;
  /** How callers get to it, besides the address that it binds; absent if there is no other way. */
  readonly hops?: readonly Hop[];
}

/** A flag under the source's own name for it, whether or not the launcher passes it to the node. */
export interface Key {
  /** `RPC_API` in a conf. */
  readonly name: string;
  /** As the launcher reads it: a switch is true or false. It is null if it is unset or indeterminate. */
  readonly value: SettingValue | null;
  /** The value as written, with quotes. null when the source does not set it. */
  readonly at: Span | null;
  /** Whether the value at `at` alone decides this setting and no other, so that it can be replaced. */
  readonly alone: boolean;
  /** Whether a line with a syntax issue fails to set it. */
  readonly malformed: boolean;
}

/**
 * How a fact about a file is known: by the file's name, its folder, an option of the user or the command that starts the
 * node; or it is guessed from the file's contents.
 */
export const bases = ['name', 'path', 'option', 'launch', 'guess'] as const;
export type Basis = (typeof bases)[number];

const sourceKinds = [
  'conf',
  'command line',
  'yaml',
  'toml',
  'environment',
  'compose',
  'kubernetes',
  'dockerfile',
  'systemd',
  'script',
  'cloud-init',
  'ansible',
  'process',
] as const;
/** The kind of file, by its contents. */
export type SourceKind = (typeof sourceKinds)[number];

/** The file of the settings. */
export interface Source {
  readonly kind: SourceKind;
  /** Whether the kind is a guess: its names are used by other programs too, or much of its text is not a conf's. */
  readonly guessed?: true;
  /** As given by the user. */
  readonly path: string;
  /** The file's lines without line ends, for excerpts. */
  readonly lines: readonly string[];
  /** The lines of other files that places refer to, by file name. */
  readonly others?: Readonly<Record<string, readonly string[]>>;
  readonly comments: readonly { readonly text: string; readonly at: Span }[];
  /** Ranges over several lines: a comment can only precede or follow them. */
  readonly multiline: readonly Span[];
  /** Permission bits, without those that git does not keep, and ownership; null for stdin and templates. */
  readonly file: { readonly mode: number; readonly uid: number } | null;
}

/** What findings and comments refer to. */
export type SourceText = Pick<Source, 'path' | 'lines' | 'others' | 'comments' | 'multiline'>;

/** The lines of a file that places refer to; empty for an unknown one. */
export function linesIn(
  { path, lines, others = {} }: Omit<SourceText, 'comments' | 'multiline'>,
  file: string,
): readonly string[] {
  return file === path ? lines : (others[file] ?? []);
}

/** The permission bits by path: of the file that starts the node, and of the files it uses. */
export function modesOf({ source, files = [] }: Settings): ReadonlyMap<string, number> {
  const { file, path } = source;
  const used = files.flatMap((one) =>
    one.mode === undefined || one.path === path ? [] : [[one.path, one.mode] as const],
  );
  return new Map(file === null ? used : [[path, file.mode], ...used]);
}

/** Permission bits as people write them: `0640`. */
export function octalOf(mode: number): string {
  return mode.toString(8).padStart(4, '0');
}

/** How a deployment uses a file. */
export type FileRole =
  | 'starts'
  | 'conf'
  | 'run'
  | 'sourced'
  | 'written'
  | 'environment'
  | 'mounted'
  | 'copied'
  | 'built'
  | 'extended'
  | 'included'
  | 'overriding'
  | 'selected'
  | 'patched';

/** A file that was read for a node. */
export interface UsedFile {
  readonly path: string;
  readonly role: FileRole;
  /** Permission bits, without those that git does not keep; absent if they were not read from a file on disk. */
  readonly mode?: number;
}

/** What decides something about a node and is not among the files. */
export interface MissingFile {
  /** The path or name; null if it is not known. Of a variable, its name. */
  readonly name: string | null;
  /**
   * `settings`: any setting that the start does not say itself may differ. `reach`: who reaches the interfaces. `variable`:
   * what one variable holds, which only seems unset.
   */
  readonly decides: 'settings' | 'reach' | 'variable';
  /** A clause for people: "the volume kend-conf holds the conf, and its content is not among the files". */
  readonly reason: string;
}

/** What files hold, as readers of them say it. */
export const passwords: ReadonlySet<string> = new Set(['a password', 'the password of an account']);
const keys = ['keys of accounts', 'the key of an account', 'the key of a validator'];
export const accountKeys: ReadonlySet<string> = new Set(keys);

/** A file or folder with secrets: its path and mode, never its contents. */
export interface SecretFile {
  readonly path: string;
  readonly mode: number;
  /** The flag that sets its path; empty where none does. */
  readonly flag: string;
  /** The interface that lets in whoever has it. */
  readonly opens?: 'authrpc';
  /** Where a file of the start names it. */
  readonly at?: Span;
  /** "the node’s key" */
  readonly holds: string;
  /** Whether it is a part of a checkout of git. */
  readonly isTracked?: true;
  /** Whether that checkout has a remote on a public host, or a licence for everybody. */
  readonly isPublished?: true;
  /** Whether it is a secret that public repositories print. */
  readonly isPublic?: true;
}

export interface Settings {
  /** The id of the kind of node: `kaia`. */
  readonly kind: string;
  /** Which release it is, or may be; absent if it is not known. */
  readonly release?: ReleaseFound;
  /** The script that starts the node, or would: `kend`. */
  readonly launcher: string;
  /** How the launcher is known. With a guess, the worst possible launcher is judged. */
  readonly by: Basis;
  /** Which packaging of the launcher: `tar`. */
  readonly package: string;
  readonly packageBy: Basis;
  /** The node's role in the inventory. */
  readonly role?: string | null;
  readonly source: Source;
  /** Service, container or unit, if the file starts several nodes. */
  readonly name?: string;
  /** Where the node is started; absent when the file itself starts it. */
  readonly at?: Span;
  /** Calls that change the node after its start: its words hold their effect. */
  readonly called?: readonly Span[];
  /** Lines of a conf that nothing reads, because the binary is started itself. */
  readonly unread?: readonly Span[];
  /** The node's arguments, in order; null when the source does not start it. */
  readonly start: readonly Word[] | null;
  /** Keyed by the flag's first name without dashes: `rpcapi`, `rpc.unsafe-debug.disable`, … */
  readonly values: Readonly<Record<string, Setting>>;
  /** The flags for which this source has its own name. */
  readonly keys: Readonly<Record<string, Key>>;
  readonly listeners: readonly Listener[];
  /** The files that made this node, the one that starts it first; absent for the source alone. */
  readonly files?: readonly UsedFile[];
  readonly missing?: readonly MissingFile[];
  /** Files with keys and passwords that the settings name and this machine has; absent when not checked. */
  readonly secretFiles?: readonly SecretFile[];
  readonly startable: boolean;
  readonly problems: readonly StartProblem[];
}
