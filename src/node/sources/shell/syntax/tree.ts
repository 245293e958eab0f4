/** The syntax tree of a conf: commands, words and their parts, with offsets into the text. */
import type { Range } from '../../text/line-index.js';

/** Characters of a value and the range they are written in; where both have the same length, characters match one by one. */
export interface Run extends Range {
  readonly text: string;
}

/** A part of a word. A `quoted` part is not split at blanks and is never a pattern. */
export type Part =
  | { readonly type: 'text'; readonly text: string; readonly quoted: boolean; readonly runs: readonly Run[] }
  | (Range & {
      readonly type: 'parameter';
      readonly name: string;
      /** The word in the brackets of ${NAME[…]}; null if there are no brackets. */
      readonly subscript: Word | null;
      /** Whether it is ${!NAME…}. */
      readonly indirect: boolean;
      /** '' for a plain expansion, 'length', 'names@' for ${!NAME@}, else the characters behind the name: `:-`, `##`, `/`, … */
      readonly operator: string;
      /** Of ${X/from/to} and ${X:2:3} both. */
      readonly operands: readonly Word[];
      readonly quoted: boolean;
    })
  | (Range & { readonly type: 'arithmetic'; readonly expression: Word; readonly quoted: boolean })
  /** $(…) or `…`: only an observer may know its output. */
  | (Range & { readonly type: 'command'; readonly quoted: boolean })
  /** ~ for a home folder. */
  | { readonly type: 'tilde'; readonly ofUser: boolean }
  /** An expansion outside the subset; `names` are the variables it may assign. */
  | {
      readonly type: 'other';
      readonly reason: string;
      readonly quoted: boolean;
      readonly names: readonly string[];
      /** Whether bash may reject it and skip the rest of the command line. */
      readonly mayFail?: boolean;
      /** The elements of a list after `declare NAME=`. */
      readonly items?: readonly Word[];
    }
  /** An expansion that bash rejects at run time: it skips the rest of the command line. */
  | { readonly type: 'bad' };

export interface Word extends Range {
  readonly parts: readonly Part[];
}

/** NAME=value or NAME+=value, alone or before a command. */
export interface AssignmentSyntax extends Range {
  readonly name: string;
  readonly append: boolean;
  /** The elements of NAME=(…); null for other assignments. */
  readonly items: readonly Word[] | null;
  /** The subscript of NAME[…]=. */
  readonly subscript: Word | null;
  readonly value: Word;
}

/** A redirection. The shell itself expands its word. */
export interface Redirection extends Word {
  /** `>>`, `2>`, `<<-`, … */
  readonly operator: string;
  readonly document: HereDocument | null;
}

export interface HereDocument {
  readonly delimiter: string;
  /** Whether its body is not expanded. */
  readonly quoted: boolean;
  readonly stripTabs: boolean;
  /** The body with its last line end; null until it was read. */
  body: Range | null;
}

export interface SimpleCommand extends Range {
  readonly type: 'simple';
  readonly assignments: readonly AssignmentSyntax[];
  readonly words: readonly Word[];
  readonly redirections: readonly Redirection[];
}

/** One of the alternatives of a case command. */
export interface Clause {
  readonly patterns: readonly Word[];
  /** Null if it runs nothing. */
  readonly body: Command | null;
  /** Whether it ends in ;& or ;;&, after which other clauses may run. */
  readonly fallsThrough: boolean;
}

export type Command =
  | SimpleCommand
  | (Range & { readonly type: 'sequence'; readonly commands: readonly Command[] })
  | (Range & { readonly type: 'and' | 'or'; readonly left: Command; readonly right: Command })
  | (Range & { readonly type: 'not'; readonly command: Command })
  /** `time`, which runs the command in the current shell. */
  | (Range & { readonly type: 'timed'; readonly command: Command })
  /** Runs in a subshell in the background; bash sets NAME and NAME_PID. */
  | (Range & { readonly type: 'coproc'; readonly name: string; readonly command: Command })
  /** A pipeline of two or more, (…) or …&: runs in a subshell and changes no variable. */
  | (Range & {
      readonly type: 'subshell';
      readonly background: boolean;
      /** Whether this is a pipeline. */
      readonly piped: boolean;
      readonly commands: readonly Command[];
    })
  | (Range & {
      readonly type: 'redirected';
      readonly command: Command;
      readonly redirections: readonly Redirection[];
    })
  | (Range & {
      readonly type: 'if';
      readonly test: Command;
      readonly body: Command;
      /** The commands after else; after elif another if. */
      readonly otherwise: Command | null;
    })
  /** for, while, until, select; `assigns` are the names the loop itself sets. */
  | (Range & {
      readonly type: 'loop';
      readonly keyword: string;
      readonly assigns: readonly string[];
      /** Of a for loop without `in`: "$@". */
      readonly words: readonly Word[];
      /** The three expressions of for ((…)); null in other loops, and where they cannot be told apart. */
      readonly header: readonly Word[] | null;
      readonly body: Command;
    })
  | (Range & { readonly type: 'case'; readonly subject: Word; readonly clauses: readonly Clause[] })
  | (Range & { readonly type: 'function'; readonly name: string; readonly body: Command })
  | (Range & { readonly type: 'condition'; readonly test: Condition })
  | (Range & { readonly type: 'arithmetic'; readonly expression: Word });

export type Condition =
  | { readonly type: 'and' | 'or'; readonly left: Condition; readonly right: Condition }
  | { readonly type: 'not'; readonly condition: Condition }
  | { readonly type: 'unary'; readonly operator: string; readonly operand: Word }
  | { readonly type: 'binary'; readonly operator: string; readonly left: Word; readonly right: Word };
