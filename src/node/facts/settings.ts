/**
 * What the settings of a node say, wherever they stand: every source of settings yields this, and rules about what is
 * exposed see nothing else. Facts about launchers and flags are those of kaiachain/kaia v2.2.1.
 */
import type { Reach } from './severity.js';
import type { Span } from './span.js';

/** One word of the command line the launcher builds, in order. */
export interface Word {
  /** null when the word (or how many words there are) cannot be known offline. */
  readonly text: string | null;
  /** The conf variable it was expanded from; null for the launcher's own words. */
  readonly variable: string | null;
  /** Where in the conf the text stands: exact for a word of ADDITIONAL, else the value of the assignment. */
  readonly at: Span | null;
}

/** Where a setting's value comes from. */
export type Origin =
  | { readonly kind: 'assignment'; readonly variable: string; readonly flag: string; readonly at: Span }
  | {
      readonly kind: 'flag';
      readonly flag: string;
      readonly at: Span | null;
      /** Absent: in ADDITIONAL. */
      readonly on?: 'command line';
    }
  | { readonly kind: 'environment'; readonly variable: string; readonly at: Span | null } // at: an `export` in the conf
  | { readonly kind: 'launcher'; readonly flag: string } // the script adds it unasked
  | { readonly kind: 'packaged'; readonly variable: string } // the packaged conf that lines are appended to
  | { readonly kind: 'yaml'; readonly path: string; readonly at: Span | null } // may come from a --conf file
  | { readonly kind: 'default' };

/** The place an origin names, if it has one. */
export function spanOf(origin: Origin | undefined): Span | null {
  return origin !== undefined && 'at' in origin ? origin.at : null;
}

/** A value with its origin and what it hides. `null`: not set, or unknown when `indeterminate` says why. */
export interface Setting<T extends SettingValue = SettingValue> {
  readonly value: T | null;
  readonly origin: Origin;
  readonly shadowed: readonly { readonly value: T | null; readonly origin: Origin }[];
  readonly indeterminate: string | null;
}
export type SettingValue = string | number | boolean;

/** Why the launcher or the node would not start, or what they would say. */
export interface StartProblem {
  readonly kind:
    | 'data-dir-missing' // DATA_DIR empty: the launcher exits
    | 'launcher-refuses' // a refuse-to-start step
    | 'unknown-flag' // of no release known here; another may have it
    | 'bad-syntax' // ---x
    | 'ending-flag' // --help, --version: a text is printed, and that is all
    | 'conflicting-flags' // two names of one flag, or --ipcdisable with --ipcpath
    | 'stray-word' // "Unknown command"
    | 'bad-value' // --rpcport abc, --flag=maybe
    | 'missing-value'
    | 'dropped-setting' // the launcher drops a value with blanks (not fatal)
    | 'network-ignored'; // NETWORK and NETWORK_ID both set (not fatal)
  /** True when it keeps a node of the releases known here from starting. */
  readonly fatal: boolean;
  readonly message: string;
  readonly at: Span | null;
  readonly variable: string | null;
  readonly flags: readonly string[];
}

/** True when the node is refused its start for certain: a flag that is merely not known another release may have. */
export function isStartRefused(problems: readonly StartProblem[]): boolean {
  return problems.some(({ fatal, kind }) => fatal && kind !== 'unknown-flag');
}

export const listenerKinds = ['http', 'ws', 'grpc', 'metrics', 'pprof', 'mainbridge', 'ipc'] as const;
export type ListenerKind = (typeof listenerKinds)[number];
/** Who reaches an interface, where the operator says what no tool can see, such as a firewall or a proxy. */
export type AssumedReach = Readonly<Partial<Record<ListenerKind, Reach>>>;

/** One name of a module list. */
export interface ListedModule {
  /** As written. */
  readonly name: string;
  readonly at: Span | null;
}

/** What the settings open, one per kind, always all kinds. Addresses are what the node binds, not what is dialable. */
export interface Listener {
  readonly kind: ListenerKind;
  /** `unknown` when a setting it depends on is indeterminate: `reason` says which. */
  readonly state: 'on' | 'off' | 'unknown';
  readonly reason: string | null;
  /** The settings that decide it, by flag name; see Settings.values. */
  readonly decidedBy: readonly string[];
  /** null for ipc, or when indeterminate. */
  readonly host: string | null;
  readonly port: number | null;
  /** ipc only: the socket path; null when DATA_DIR is unknown. */
  readonly path: string | null;
  /** The module list as written (split at commas, klay not yet mapped); null: not given, or not governed by a list. */
  readonly listed: readonly ListedModule[] | null;
  /** Modules really offered, sorted, `klay` mapped to `kaia`, unknown names gone, `rpc` included; null when unknown. */
  readonly modules: readonly string[] | null;
  /** True when the built-in list applies because none was given. */
  readonly builtInList: boolean;
  /** http: CORS origins; ws: Origin list. Empty: none. null: indeterminate or not applicable. */
  readonly origins: readonly string[] | null;
  /** http only: accepted Host names. null: indeterminate or not applicable. */
  readonly vhosts: readonly string[] | null;
  /** Who reaches it, where the operator says what no tool can see. */
  readonly assumed?: Reach;
  /** The node is refused its start: it opens this once that is mended. */
  readonly refused?: true;
  /** Only in a container of its own network: what lets others in. */
  readonly container?: Admission;
}

/** Who is let in to a container's port, beside the container itself. */
export interface Admission {
  /** null: nobody but the network. */
  readonly published: Published | null;
  /** Who reaches a port that nothing publishes: "other containers of its network". */
  readonly network: string;
}

/** A port of a container as others dial it. */
export interface Published {
  /** '0.0.0.0' is every address. null: it cannot be known. */
  readonly host: string | null;
  /** null: it cannot be known. */
  readonly port: number | null;
  readonly at: Span;
  /** A clause for people: "ports publishes it". */
  readonly because: string;
  /** What takes the place of the text at `at` so that this machine alone is let in; null: nothing simple. */
  readonly instead: string | null;
}

/** What the source says of a flag under its own name for it, whether or not that reaches the node. */
export interface Key {
  /** `RPC_API` in a conf. */
  readonly name: string;
  /** As the launcher takes it: a switch is true or false. null: not set, or indeterminate. */
  readonly value: SettingValue | null;
  /** The value as it stands, quotes included. null: not set in the source. */
  readonly at: Span | null;
  /** True when the value at `at` decides the setting alone and nothing else: another can be put there. */
  readonly alone: boolean;
  /** True when a line was meant to set it and does not: a syntax issue says so. */
  readonly malformed: boolean;
}

/**
 * How something about a file is known: by the file's name, by its folder, by an option of the user, by what starts the
 * node; or it is only guessed from what the file says.
 */
export const bases = ['name', 'path', 'option', 'launch', 'guess'] as const;
export type Basis = (typeof bases)[number];

const sourceKinds = [
  'conf',
  'command line',
  'yaml',
  'environment',
  'compose',
  'kubernetes',
  'dockerfile',
  'systemd',
  'script',
  'process',
] as const;
/** What kind of file it is, by what it says. */
export type SourceKind = (typeof sourceKinds)[number];

/** The file the settings stand in. */
export interface Source {
  readonly kind: SourceKind;
  /** True when the kind is only guessed: names that other programs use too, or much text that is no conf's. */
  readonly guessed?: true;
  /** As given by the user. */
  readonly path: string;
  /** The file's lines without line ends, for excerpts. */
  readonly lines: readonly string[];
  /** The lines of other files that places lie in, by the files' names. */
  readonly others?: Readonly<Record<string, readonly string[]>>;
  readonly comments: readonly { readonly text: string; readonly at: Span }[];
  /** What goes on over several lines, so that a comment can only stand above or behind it. */
  readonly multiline: readonly Span[];
  /** Permission bits and ownership; null when read from stdin. */
  readonly file: { readonly mode: number; readonly uid: number } | null;
}

/** A file or folder that holds secrets: its path and mode, never what it holds. */
export interface SecretFile {
  readonly path: string;
  readonly mode: number;
  /** The flag that decides where it is. */
  readonly flag: string;
  /** "the node’s key" */
  readonly holds: string;
}

export interface Settings {
  /** The id of the kind of node: `kaia`. */
  readonly kind: string;
  /** The script that starts the node, or would: `kend`. */
  readonly launcher: string;
  /** How the launcher is known; what depends on a guess is judged by the worst that fits. */
  readonly by: Basis;
  /** Which packaging of the launcher: `tar`. */
  readonly package: string;
  readonly packageBy: Basis;
  /** What the inventory says the node is for. */
  readonly role?: string | null;
  readonly source: Source;
  /** Service, container or unit, where the file starts several. */
  readonly name?: string;
  /** Where the node is started; absent: the file itself starts it. */
  readonly at?: Span;
  /** Lines of a conf that nothing reads, because the binary is started itself. */
  readonly unread?: readonly Span[];
  /** The node's arguments, in order; null: the source does not start it. */
  readonly start: readonly Word[] | null;
  /** Keyed by the flag's first name without dashes: `rpcapi`, `rpc.unsafe-debug.disable`, … */
  readonly values: Readonly<Record<string, Setting>>;
  /** The flags this source has a name of its own for. */
  readonly keys: Readonly<Record<string, Key>>;
  readonly listeners: readonly Listener[];
  /** Files with keys and passwords that the settings name and this machine has; absent: nobody looked. */
  readonly secretFiles?: readonly SecretFile[];
  readonly startable: boolean;
  readonly problems: readonly StartProblem[];
}
