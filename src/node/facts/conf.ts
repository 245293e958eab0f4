/**
 * What a node's configuration file says, as plain JSON: the shape `config/` produces and `rules/` judge.
 * Facts about launchers, flags and the shell are those of kaiachain/kaia v2.2.1.
 */
import type { Launcher, Package } from '../kinds/kaia/names.js';
import type { Span } from './span.js';

/** One effective-or-not `NAME=value` in the file, in file order. */
export interface Assignment {
  readonly variable: string;
  /** What bash assigns here; null when it cannot be known offline (see `indeterminate`). */
  readonly value: string | null;
  /** Why the value cannot be known; null when it is known. */
  readonly indeterminate: string | null;
  /** The whole `NAME=value` (or `export NAME`, `unset NAME`: then `value` is "" and `kind` says so). */
  readonly at: Span;
  /** The right-hand side as written, quotes included; equals `at`'s end where it is empty. */
  readonly valueAt: Span;
  readonly kind: 'assign' | 'append' | 'unset';
  /** True when this assignment decides the variable's final value (several can, with `append`). */
  readonly effective: boolean;
  /** True inside an `if`, `&&`, … whose outcome cannot be known offline. */
  readonly conditional: boolean;
}

/** Something in the file that is not what its author meant; see the node facts on parsing syntaxIssues. */
export interface SyntaxIssue {
  readonly kind:
    | 'spaces-around-equals' // RPC_ENABLE = 0
    | 'blank-after-equals' // RPC_API= "klay"
    | 'stray-words' // RPC_API=klay, eth
    | 'command' // any other command: executed by the launcher, never by kaiactl
    | 'separator' // RPC_API=klay;personal
    | 'unclosed-quote'
    | 'curly-quote'
    | 'carriage-return' // a CRLF line
    | 'byte-order-mark'
    | 'nul-byte'
    | 'invalid-utf8'
    | 'lower-case-name' // rpc_enable=1
    | 'unsupported-syntax' // outside the subset: loops, functions, here-documents, …
    | 'syntax-error'; // bash stops reading here
  readonly at: Span;
  /** The variable it was about, when that is plain. */
  readonly variable: string | null;
  /** What it becomes, as a sentence: "bash runs RPC_ENABLE as a command, so the variable stays unset". */
  readonly becomes: string;
  /** False when what stands there was probably meant (a plain command line): informative only. */
  readonly likelyMistake: boolean;
}

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
  | { readonly kind: 'flag'; readonly flag: string; readonly at: Span | null } // written in ADDITIONAL
  | { readonly kind: 'environment'; readonly variable: string; readonly at: Span | null } // at: an `export` in the conf
  | { readonly kind: 'launcher'; readonly flag: string } // the script adds it unasked
  | { readonly kind: 'yaml'; readonly path: string; readonly at: Span | null } // may come from a --conf file
  | { readonly kind: 'default' };

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
    | 'unknown-flag'
    | 'conflicting-flags' // two names of one flag, or --ipcdisable with --ipcpath
    | 'stray-word' // "Unknown command"
    | 'bad-value' // --rpcport abc, --flag=maybe
    | 'missing-value'
    | 'dropped-setting' // the launcher drops a value with blanks (not fatal)
    | 'network-ignored'; // NETWORK and NETWORK_ID both set (not fatal)
  /** True when it keeps the node from starting. */
  readonly fatal: boolean;
  readonly message: string;
  readonly at: Span | null;
  readonly variable: string | null;
  readonly flags: readonly string[];
}

/** A value nobody can know without running something. */
export interface IndeterminateValue {
  /** The variable, or null for a whole construct. */
  readonly variable: string | null;
  readonly reason: string;
  readonly at: Span;
}

export const listenerKinds = ['http', 'ws', 'grpc', 'metrics', 'pprof', 'mainbridge', 'ipc'] as const;
export type ListenerKind = (typeof listenerKinds)[number];

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
  /** The settings that decide it, by flag name; see ConfFacts.settings. */
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
}

/** Everything known about one conf file. */
export interface ConfFacts {
  /** As given by the user. */
  readonly path: string;
  readonly launcher: Launcher;
  readonly package: Package;
  /** How launcher and package were found: "file name", "content", "--launcher", … */
  readonly inferredFrom: string;
  /** The file's lines without line ends, for excerpts. */
  readonly lines: readonly string[];
  /** Permission bits and ownership; null when read from stdin. */
  readonly file: { readonly mode: number; readonly uid: number } | null;
  readonly assignments: readonly Assignment[];
  /** Shell variables after the file was read: absent: unset, null: indeterminate. */
  readonly variables: Readonly<Record<string, string | null>>;
  /** Names that `export` (or `set -a`) put into the node's environment. */
  readonly exported: readonly string[];
  readonly syntaxIssues: readonly SyntaxIssue[];
  readonly comments: readonly { readonly text: string; readonly at: Span }[];
  readonly words: readonly Word[];
  /** Keyed by the flag's first name without dashes: `rpcapi`, `rpc.unsafe-debug.disable`, … */
  readonly settings: Readonly<Record<string, Setting>>;
  readonly listeners: readonly Listener[];
  readonly startable: boolean;
  readonly problems: readonly StartProblem[];
  readonly indeterminate: readonly IndeterminateValue[];
  /** Variables this launcher and package read, sorted. */
  readonly reads: readonly string[];
  /**
   * For each variable the file assigns that a launcher reads or a packaged conf or the documentation names:
   * the launchers that read it, as `kend (tar)`; empty: none does. Absent: nobody knows the name.
   */
  readonly readers: Readonly<Record<string, readonly string[]>>;
  /** For each variable this launcher tests with `-eq 1`: whether the test holds; null when that cannot be known. */
  readonly switches: Readonly<Record<string, boolean | null>>;
}
