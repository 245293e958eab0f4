/** What a rule is: metadata, examples and one pure check. One file per rule; index.ts lists them. */

import type { FactName, Facts } from '../facts/facts.js';
import type { Finding, Place } from '../facts/report.js';
import type { BlindSpot } from '../facts/seen.js';
import type { Severity } from '../facts/severity.js';
import type { Launcher, Package } from '../kinds/kaia/names.js';

/** A finding as a rule writes it; judge adds rule id, title, fingerprint and suppression. */
export type Draft = Pick<Finding, 'message' | 'fix' | 'subject' | 'at'> & {
  /** Default: the rule's severity. */
  readonly severity?: Severity;
  readonly related?: readonly { readonly at: Place; readonly note: string }[];
  readonly evidence?: Readonly<Record<string, unknown>>;
};

/** What a check found, and what it could not see: a reason a fact it needed is missing. */
export interface Verdict {
  readonly findings: readonly Draft[];
  /** What stays open, and why. Non-empty means undetermined unless there are findings. */
  readonly blindSpots: readonly BlindSpot[];
  /** False when the question does not arise for this target (default true). */
  readonly applicable?: boolean;
}

/** An example that is test and documentation at once. */
export type Example =
  | {
      readonly conf: string;
      readonly launcher?: Launcher;
      readonly package?: Package;
      readonly mode?: number;
    }
  | { readonly facts: Facts; readonly shown: string };

export interface Rule {
  /** kebab-case noun for the failing state; equals the file's name. */
  readonly id: string;
  /** Names it had before; suppressions accept them. */
  readonly aliases?: readonly string[];
  /** The most severe it usually gets; a draft can say otherwise. */
  readonly severity: Severity;
  /** One sentence in the present tense: what is wrong. */
  readonly title: string;
  /** Why it matters: a short paragraph, with the source of each fact. */
  readonly why: string;
  /** What to do about it, in general. */
  readonly fix: string;
  readonly needs: readonly FactName[];
  /** True when one of `needs` is enough: the check then sees which are there. */
  readonly needsAny?: boolean;
  readonly examples: { readonly bad: Example; readonly good: Example };
  /** Sees facts in which everything named in `needs` is present. */
  check(facts: Facts): Verdict;
}
