/** A rule: metadata, examples and one pure check. One file per rule in rules/; its index.ts lists them. */
import type { Facts } from '../../facts/facts.js';
import type { Policy } from '../../facts/policy.js';
import type { Evidence, Finding, Place } from '../../facts/report.js';
import type { BlindSpot } from '../../facts/seen.js';
import type { Severity } from '../../facts/severity.js';
import type { ConfShell } from '../../facts/shell.js';
import type { Fix } from '../../fix/proposal/fix.js';
import type { Capabilities } from '../../kinds/kind.js';
import type { NodeSettings } from '../../kinds/node.js';
import type { Live } from '../live/live.js';

/** A finding as a rule writes it; judge adds rule id, title, fingerprint and suppression. */
export type Draft = Pick<Finding, 'message' | 'subject' | 'at'> & {
  readonly fix: Fix;
  /** Default: the rule's severity. */
  readonly severity?: Severity | undefined;
  readonly related?: readonly { readonly at: Place; readonly note: string }[];
  readonly evidence?: Evidence;
};

/** The result of a check: findings, and facts it needed and did not have. */
export interface Verdict {
  readonly findings: readonly Draft[];
  /** Missing facts, each with its reason. Without findings, any blind spot makes the verdict undetermined. */
  readonly blindSpots: readonly BlindSpot[];
  /** Rules on `either`: subjects that the live node disproves, whatever the settings say. */
  readonly refuted?: readonly string[];
  /** False if the rule does not apply to this target (default: true). */
  readonly applicable?: boolean;
  /** Whether an option left out what it looks at of the live node: then it passes by no settings. */
  readonly leftOut?: boolean;
}

/** A verdict on an applicable rule. */
export function decideVerdict(findings: readonly Draft[], blindSpots: readonly BlindSpot[] = []): Verdict {
  return { findings, blindSpots };
}

/** The verdict if the rule does not apply. */
export const notApplicable: Verdict = { findings: [], blindSpots: [], applicable: false };

/** The verdicts on each of these as one; without any, the rule does not apply. */
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

/** Several verdicts as one; applicable if any of them is. */
export function joinVerdicts(...all: readonly Verdict[]): Verdict {
  return {
    findings: all.flatMap(({ findings }) => findings),
    blindSpots: all.flatMap(({ blindSpots }) => blindSpots),
    refuted: all.flatMap(({ refuted = [] }) => refuted),
    applicable: all.some(({ applicable }) => applicable !== false),
  };
}

/** An example, used as test and as documentation. */
export type Example =
  | {
      readonly conf: string;
      readonly launcher?: string;
      readonly package?: string;
      readonly mode?: number;
      /** The role of the node, as an inventory gives it. */
      readonly role?: string;
      /** The other rules that it breaks. */
      readonly also?: readonly string[];
    }
  | CommandLine
  | { readonly facts: Facts; readonly shown: string };

/** An example command line of a node without a conf. */
export interface CommandLine {
  /** Variables, the program and its words, separated by single spaces. */
  readonly command: string;
  /** The value of --node-version. */
  readonly release?: string;
  /** The other rules that it breaks. */
  readonly also?: readonly string[];
}

/** An example conf: these lines, then those that every node needs to start. */
export function conf(...lines: readonly string[]): Example {
  return { conf: [...lines, 'NETWORK="mainnet"', 'DATA_DIR=/srv/kend', ''].join('\n') };
}

/** A file of kaiachain/kaia at the newest release that the rules were checked against. */
export const kaia = (path: string): string => `https://github.com/kaiachain/kaia/blob/v2.2.1/${path}`;

/** A file of ethereum/go-ethereum at the release that the rules were checked against. */
export const geth = (path: string): string => `https://github.com/ethereum/go-ethereum/blob/v1.17.8/${path}`;

/** The scripts that read a conf: those of the tar packages and of the RPM packages. */
export const launchers = [kaia('build/packaging/linux/bin/kend'), kaia('build/rpm/etc/init.d/kend')];

/** A section of the bash manual. */
export const bash = (section: string): string =>
  `https://www.gnu.org/software/bash/manual/html_node/${section}.html`;

/** A Linux manual page. */
export const linux = (page: string): string => `https://man7.org/linux/man-pages/${page}.html`;

/** A section of an RFC. */
export const rfc = (number: number, section: string): string =>
  `https://www.rfc-editor.org/rfc/rfc${number}#section-${section}`;

export interface Meta {
  /** Kebab-case noun for the failing state, equal to the file name. */
  readonly id: string;
  /** Former ids, which suppressions accept. */
  readonly aliases?: readonly string[];
  /** Whether a suppression must name its modules, so that it does not cover modules added later. */
  readonly perModule?: true;
  /**
   * What it needs of the newest release of a kind of node; absent if it applies to every node that has what it looks at,
   * including those of unknown kind.
   */
  readonly needs?: (kind: Capabilities) => boolean;
  /** Whether it judges files as such: what a release makes of them changes nothing. */
  readonly anyRelease?: true;
  /** Whether it applies only with a policy. */
  readonly byPolicy?: true;
  /**
   * Rules whose finding on the same interface says as much as one of this rule, where it is at least as severe; one of this
   * rule itself, where it is more severe.
   */
  readonly saidBy?: readonly string[];
  /** The usual maximum; a draft may override it. */
  readonly severity: Severity;
  /** One sentence in the present tense that states the problem. */
  readonly title: string;
  /** Why it matters: a short paragraph. Only rules limited to a kind name that kind, with the source of each fact. */
  readonly why: string;
  /** The general advice. */
  readonly fix: string;
  /** When the finding may be suppressed: `If …`, or `Never: …`. */
  readonly ignore: string;
  /** Where its facts are stated: addresses, or pages of this project such as `docs/lint.md#fixes`. */
  readonly sources: readonly string[];
  /** Flags, with their dashes, and variables that it is about and that only some releases have. */
  readonly names?: readonly string[];
  readonly examples: { readonly bad: Example; readonly good: Example };
}

/** The facts that a rule gets; it runs where they exist. */
export type Check =
  /** Settings from any source; `ofFiles`: the keys that a start names whose settings are not read, and its own file. */
  | {
      readonly on: 'settings';
      check(settings: NodeSettings): Verdict;
      ofFiles?(keys: NonNullable<Facts['keys']>): Verdict;
    }
  /** A conf as a script: only nodes with launchers have one. */
  | { readonly on: 'shell'; check(shell: ConfShell, settings: NodeSettings): Verdict }
  | { readonly on: 'live'; check(live: Live): Verdict }
  | { readonly on: 'both'; check(settings: NodeSettings, live: Live): Verdict }
  /** `afterRestart`: findings that the settings alone have, and the live node does not have yet. */
  | {
      readonly on: 'restart';
      check(settings: NodeSettings, live: Live, afterRestart: readonly Finding[]): Verdict;
    }
  /**
   * The same question for settings and live node. Findings of both with the same subject become one. `exposure`: they say
   * what is open now, so that the running process decides while a restart is pending.
   */
  | {
      readonly on: 'either' | 'exposure';
      ofSettings(settings: NodeSettings, policy: Policy | null): Verdict;
      ofLive(live: Live, policy: Policy | null): Verdict;
    };

export type Rule = Meta & Check;
