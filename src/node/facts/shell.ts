/** Facts about a conf as a bash script, which its launcher sources. */
import type { Span } from './span.js';

/** One `NAME=value` of the file. */
export interface Assignment {
  readonly variable: string;
  /** What bash assigns here; null when it cannot be known offline (see `indeterminate`). */
  readonly value: string | null;
  /** Why the value cannot be known; null when it is known. */
  readonly indeterminate: string | null;
  /** The whole `NAME=value` (or `export NAME`, `unset NAME`, with `value` "" and `kind` `unset`). */
  readonly at: Span;
  /** The right-hand side as written, quotes included; equals `at`'s end where it is empty. */
  readonly valueAt: Span;
  readonly kind: 'assign' | 'append' | 'unset';
  /** Whether this assignment decides the variable's final value (several can, with `append`). */
  readonly effective: boolean;
  /** True inside an `if`, `&&`, … whose outcome cannot be known offline. */
  readonly conditional: boolean;
}

/** Text that bash reads in another way than its author meant. */
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
  /** The variable it concerns, if known. */
  readonly variable: string | null;
  /** Its effect, as a sentence: "bash runs RPC_ENABLE as a command, so the variable stays unset". */
  readonly becomes: string;
  /** False when the author probably meant it, as with a plain command. */
  readonly likelyMistake: boolean;
  /** The other places of an issue that repeats. */
  readonly more?: readonly Span[];
  /** Of carriage returns: how the node starts with Unix line ends. */
  readonly repaired?: {
    /** Whether the words of the start stay the same. */
    readonly isSame: boolean;
    /** Interfaces that only then are on, or offer more: their modules then; null if there is no list, or it is not known. */
    readonly opens: readonly { readonly kind: string; readonly modules: readonly string[] | null }[];
    /** Whether only the file as it is keeps the node from starting. */
    readonly starts: boolean;
  };
}

/** A value that cannot be known offline, and the reason of one in a line of a template. */
export const leftOut = 'a template may leave the line out';
export interface IndeterminateValue {
  /** The variable, or null for a whole construct. */
  readonly variable: string | null;
  readonly reason: string;
  readonly at: Span;
}

export interface ConfShell {
  readonly assignments: readonly Assignment[];
  /** Shell variables at the end of the file. They are absent if unset, and null if indeterminate. */
  readonly variables: Readonly<Record<string, string | null>>;
  /** Names exported to the node's environment. */
  readonly exported: readonly string[];
  readonly syntaxIssues: readonly SyntaxIssue[];
  readonly indeterminate: readonly IndeterminateValue[];
  /** Variables that this launcher reads, sorted; in any package if the package is a guess. */
  readonly reads: readonly string[];
  /**
   * For each variable the file assigns that a launcher reads or a packaged conf or the documentation names:
   * the launchers that read it, as `kend (tar)`; empty when none does. Absent for unknown names.
   */
  readonly readers: Readonly<Record<string, readonly string[]>>;
  /** For each variable this launcher tests with `-eq 1`: whether the test holds; null when that cannot be known. */
  readonly switches: Readonly<Record<string, boolean | null>>;
}
