/** What the reader makes of a conf's text: commands, words and their parts, with offsets into the text. */
import type { Range } from '../text/range.js';

/** A piece of a word. `quoted` pieces are not split at blanks and are never a pattern. */
export type Part =
  | { readonly kind: 'text'; readonly text: string; readonly quoted: boolean }
  | (Range & {
      readonly kind: 'parameter';
      readonly name: string;
      /** '' for a plain expansion, '#' for the length, or one of - := :- = + :+ ? :?. */
      readonly operator: string;
      readonly operand: Word | null;
      readonly quoted: boolean;
    })
  | (Range & { readonly kind: 'arithmetic'; readonly expression: Word; readonly quoted: boolean })
  /** $(…), `…`: runs a command. Its value is never known. */
  | { readonly kind: 'command'; readonly quoted: boolean }
  /** ~ where bash puts a home folder. */
  | { readonly kind: 'tilde'; readonly ofUser: boolean }
  /** An expansion outside the subset; `names` are variables it may assign. */
  | {
      readonly kind: 'other';
      readonly reason: string;
      readonly quoted: boolean;
      readonly names: readonly string[];
      /** True when bash may refuse it and drop the rest of the command line. */
      readonly mayFail?: boolean;
    }
  /** An expansion bash refuses when it comes to it: the rest of the command line is not run. */
  | { readonly kind: 'bad' };

export interface Word extends Range {
  readonly parts: readonly Part[];
}

/** NAME=value or NAME+=value in front of (or instead of) a command. */
export interface AssignmentSyntax extends Range {
  readonly name: string;
  readonly append: boolean;
  /** NAME=(…) and NAME[…]=…: a word we do not evaluate. */
  readonly array: boolean;
  /** What stands between the brackets of NAME[…]=: bash evaluates it as arithmetic. */
  readonly subscript: string | null;
  readonly value: Word;
}

/** Where output goes, or input comes from; its word's expansions happen in the shell itself. */
export interface Redirection extends Word {
  /** `>>`, `2>`, `<<-`, … */
  readonly operator: string;
  /** The here-document it announces. */
  readonly document: HereDocument | null;
}

/** A here-document; its body follows the line that announces it. */
export interface HereDocument {
  readonly delimiter: string;
  /** True when nothing in it is expanded. */
  readonly quoted: boolean;
  readonly stripTabs: boolean;
  /** Where the body stands, its last line end included; null until it was read. */
  body: Range | null;
}

export interface SimpleCommand extends Range {
  readonly kind: 'simple';
  readonly assignments: readonly AssignmentSyntax[];
  readonly words: readonly Word[];
  readonly redirections: readonly Redirection[];
}

export type Command =
  | SimpleCommand
  | (Range & { readonly kind: 'sequence'; readonly commands: readonly Command[] })
  | (Range & { readonly kind: 'and' | 'or'; readonly left: Command; readonly right: Command })
  | (Range & { readonly kind: 'not'; readonly command: Command })
  /** A pipeline of two or more, (…) or …&: runs in a subshell, so no variable of the file changes. */
  | (Range & {
      readonly kind: 'subshell';
      readonly background: boolean;
      /** True when each command reads what the one before it writes. */
      readonly piped: boolean;
      readonly commands: readonly Command[];
    })
  | (Range & {
      readonly kind: 'redirected';
      readonly command: Command;
      readonly redirections: readonly Redirection[];
    })
  | (Range & {
      readonly kind: 'if';
      readonly test: Command;
      readonly body: Command;
      /** What stands behind else; behind elif another if. */
      readonly otherwise: Command | null;
    })
  /** for, while, until, select: `assigns` are names the loop itself sets. */
  | (Range & {
      readonly kind: 'loop';
      readonly keyword: string;
      readonly assigns: readonly string[];
      readonly words: readonly Word[];
      readonly body: Command;
    })
  | (Range & { readonly kind: 'case'; readonly subject: Word; readonly bodies: readonly Command[] })
  | (Range & { readonly kind: 'function'; readonly name: string; readonly body: Command })
  | (Range & { readonly kind: 'condition'; readonly test: Condition })
  | (Range & { readonly kind: 'arithmetic'; readonly expression: Word });

/** What stands between [[ and ]]. */
export type Condition =
  | { readonly kind: 'and' | 'or'; readonly left: Condition; readonly right: Condition }
  | { readonly kind: 'not'; readonly condition: Condition }
  | { readonly kind: 'unary'; readonly operator: string; readonly operand: Word }
  | { readonly kind: 'binary'; readonly operator: string; readonly left: Word; readonly right: Word };
