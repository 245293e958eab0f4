/** What a rule is: metadata, examples and one pure check. One file per rule; index.ts lists them. */

import type { Facts } from '../../facts/facts.js';
import type { Policy } from '../../facts/policy.js';
import type { Finding, Place } from '../../facts/report.js';
import type { BlindSpot } from '../../facts/seen.js';
import type { Settings } from '../../facts/settings.js';
import type { Severity } from '../../facts/severity.js';
import type { Shell } from '../../facts/shell.js';
import type { Fix } from '../fix/fix.js';
import type { Live } from '../live/live.js';
/** A finding as a rule writes it; judge adds rule id, title, fingerprint and suppression. */
export type Draft = Pick<Finding, 'message' | 'subject' | 'at'> & {
  readonly fix: Fix;
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
  /** Of a rule on `either`: subjects that the node shows not to be so, whatever the settings say. */
  readonly refuted?: readonly string[];
  /** False when the question does not arise for this target (default true). */
  readonly applicable?: boolean;
}

/** The verdict of a rule that looked everywhere it had to. */
export function found(findings: readonly Draft[], blindSpots: readonly BlindSpot[] = []): Verdict {
  return { findings, blindSpots };
}

/** The verdict where the question does not arise. */
export const notApplicable: Verdict = { findings: [], blindSpots: [], applicable: false };

/** The verdict on these, one by one; where there are none the question does not arise. */
export function foundInEach<T>(
  all: readonly T[],
  of: { readonly [K in 'findings' | 'blindSpots' | 'refuted']?: (one: T) => Verdict[K] },
): Verdict {
  return {
    findings: all.flatMap((one) => of.findings?.(one) ?? []),
    blindSpots: all.flatMap((one) => of.blindSpots?.(one) ?? []),
    refuted: all.flatMap((one) => of.refuted?.(one) ?? []),
    applicable: all.length > 0,
  };
}

/** Several verdicts as one: the question arises where it arises in any. */
export function joined(...all: readonly Verdict[]): Verdict {
  return {
    findings: all.flatMap(({ findings }) => findings),
    blindSpots: all.flatMap(({ blindSpots }) => blindSpots),
    refuted: all.flatMap(({ refuted = [] }) => refuted),
    applicable: all.some(({ applicable }) => applicable !== false),
  };
}

/** An example that is test and documentation at once. */
export type Example =
  | {
      readonly conf: string;
      readonly launcher?: string;
      readonly package?: string;
      readonly mode?: number;
      /** The role of the node, as an inventory gives it. */
      readonly role?: string;
    }
  | { readonly facts: Facts; readonly shown: string };

/** An example conf: these lines, and below them what any node needs to start. */
export function conf(...lines: readonly string[]): Example {
  return { conf: [...lines, 'NETWORK="mainnet"', 'DATA_DIR=/srv/kend', ''].join('\n') };
}

export interface Meta {
  /** kebab-case noun for the failing state; equals the file's name. */
  readonly id: string;
  /** Names it had before; suppressions accept them. */
  readonly aliases?: readonly string[];
  /** True when a suppression must name the modules it is for, so that one added later is not covered. */
  readonly perModule?: true;
  /** The kinds of node it holds for; absent: every node, one whose kind is not known included. */
  readonly kinds?: readonly string[];
  /** True when it has nothing to ask of a node without a policy. */
  readonly byPolicy?: true;
  /** The most severe it usually gets; a draft can say otherwise. */
  readonly severity: Severity;
  /** One sentence in the present tense: what is wrong. */
  readonly title: string;
  /** Why it matters: a short paragraph, with the source of each fact. */
  readonly why: string;
  /** What to do about it, in general. */
  readonly fix: string;
  readonly examples: { readonly bad: Example; readonly good: Example };
}

/** What a rule looks at is all it sees; it runs where that is there. */
export type Check =
  /** Settings from any source. */
  | { readonly on: 'settings'; check(settings: Settings): Verdict }
  /** A conf as the script it is. */
  | { readonly on: 'shell'; check(shell: Shell, settings: Settings): Verdict }
  | { readonly on: 'live'; check(live: Live): Verdict }
  | { readonly on: 'both'; check(settings: Settings, live: Live): Verdict }
  /** One question put to whichever is there, `policy` the one it is judged by. What both find of one subject is one finding. */
  | {
      readonly on: 'either';
      ofSettings(settings: Settings, policy: Policy | null): Verdict;
      ofLive(live: Live, policy: Policy | null): Verdict;
    };

export type Rule = Meta & Check;
