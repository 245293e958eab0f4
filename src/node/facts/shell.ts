/** What only a conf has, which is a bash script its launcher sources: the shell's side of the settings. */
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

/** A value nobody can know without running something. */
export interface IndeterminateValue {
  /** The variable, or null for a whole construct. */
  readonly variable: string | null;
  readonly reason: string;
  readonly at: Span;
}

export interface Shell {
  readonly assignments: readonly Assignment[];
  /** Shell variables after the file was read: absent: unset, null: indeterminate. */
  readonly variables: Readonly<Record<string, string | null>>;
  /** Names that `export` (or `set -a`) put into the node's environment. */
  readonly exported: readonly string[];
  readonly syntaxIssues: readonly SyntaxIssue[];
  readonly indeterminate: readonly IndeterminateValue[];
  /** Variables that this launcher reads, sorted; where the package is a guess, those that it reads in any package. */
  readonly reads: readonly string[];
  /**
   * For each variable the file assigns that a launcher reads or a packaged conf or the documentation names:
   * the launchers that read it, as `kend (tar)`; empty: none does. Absent: nobody knows the name.
   */
  readonly readers: Readonly<Record<string, readonly string[]>>;
  /** For each variable this launcher tests with `-eq 1`: whether the test holds; null when that cannot be known. */
  readonly switches: Readonly<Record<string, boolean | null>>;
}
