/** Changes from one report to a later one. */
import type { Finding, Report, TargetReport, Undetermined } from '../facts/report.js';
import { compareSeverity } from '../facts/severity.js';
import { type Change, changesOf } from './changes.js';

/** Why a finding is gone: fixed, suppressed, or not seen. */
export type Gone = 'fixed' | 'suppressed' | 'not-seen';

export interface TargetDiff {
  readonly name: string;
  /** Null if the target is not in that report. */
  readonly before: TargetReport['verdict'] | null;
  readonly after: TargetReport['verdict'] | null;
  /** What happened to the node: restarted, opened, unlocked. */
  readonly changes: readonly Change[];
  readonly new: readonly Finding[];
  readonly gone: readonly { readonly why: Gone; readonly finding: Finding }[];
  readonly changed: readonly { readonly from: Finding['severity']; readonly finding: Finding }[];
  /** Checks that are undetermined now and were not before; of a new target, why it was not read. */
  readonly unseen: readonly Undetermined[];
}

export interface ReportDiff {
  readonly schema: 'kaiactl/report-diff-1';
  /** Start times of the reports; `before` null means that everything is new. */
  readonly before: string | null;
  readonly after: string;
  /** Changed targets in the order of the later report, then targets that only the earlier report has. */
  readonly targets: readonly TargetDiff[];
  readonly summary: {
    readonly new: number;
    readonly gone: number;
    readonly changed: number;
    readonly unseen: number;
  };
  readonly exitCode: number;
}

/** A diff whose targets are read one at a time. */
export type DiffStream = Omit<ReportDiff, 'targets'> & {
  readonly targets: AsyncIterable<TargetDiff> | Iterable<TargetDiff>;
};

/**
 * Matches targets by name, else by data folder, and findings by fingerprint. `before` null means that everything is new. The caller
 * sets `exitCode`.
 */
export function diffReports(before: Report | null, after: Report): Omit<ReportDiff, 'exitCode'> {
  const [then, now] = [before?.targets ?? [], after.targets];
  const summary = new DiffSummary();
  const targets = pairsOf(then.map(headOf), now.map(headOf)).flatMap(([earlier, later]) => {
    const diff = diffTarget(
      earlier === null ? undefined : then[earlier],
      later === null ? undefined : now[later],
    );
    return summary.add(diff) ? [diff] : [];
  });
  return diffOf(before?.startedAt ?? null, after.startedAt, targets, summary);
}

/** @param before - the start of the earlier report; null if there is none */
export function diffOf<T>(before: string | null, after: string, targets: T, { total }: DiffSummary) {
  return { schema: 'kaiactl/report-diff-1', before, after, targets, summary: total } as const;
}

export class DiffSummary {
  readonly total = { new: 0, gone: 0, changed: 0, unseen: 0 };

  /** False for a target without a change. */
  add(target: TargetDiff): boolean {
    for (const name of ['new', 'gone', 'changed', 'unseen'] as const) this.total[name] += target[name].length;
    return isChange(target);
  }
}

/** By what the targets of two reports are matched. */
export interface Head {
  readonly index: number;
  readonly name: string;
  /** The program and the data folder of its process. */
  readonly place: string | null;
}

export function headOf({ name, process }: TargetReport, index: number): Head {
  return { index, name, place: process?.dataDir == null ? null : `${process.program} ${process.dataDir}` };
}

/** The indexes of the targets to compare, in the order of the diff. Returns null if the target is not in that report. */
export function pairsOf(
  before: readonly Head[],
  after: readonly Head[],
): (readonly [before: number | null, after: number | null])[] {
  const later = keyed(after, ({ name }) => name);
  const earlier = renamed(
    keyed(before, ({ name }) => name),
    later,
  );
  const keys = [...later.keys(), ...[...earlier.keys()].filter((key) => !later.has(key))];
  return keys.map((key) => [earlier.get(key)?.index ?? null, later.get(key)?.index ?? null]);
}

/** A node without a conf is named by its pid: after a restart it is found again by its program and data folder. */
function renamed(earlier: ReadonlyMap<string, Head>, later: ReadonlyMap<string, Head>): Map<string, Head> {
  const places = new Map(
    [...later].flatMap(([key, { place }]) =>
      earlier.has(key) || place === null ? [] : [[place, key] as const],
    ),
  );
  return new Map(
    [...earlier].map(([key, head]) => {
      const place = later.has(key) ? null : head.place;
      return [(place === null ? undefined : places.get(place)) ?? key, head];
    }),
  );
}

function isChange({ name: _, before, after, ...lists }: TargetDiff): boolean {
  return before !== after || Object.values(lists).some(({ length }) => length > 0);
}

/** At least one of them is defined. */
export function diffTarget(before: TargetReport | undefined, after: TargetReport | undefined): TargetDiff {
  if (before === undefined || after === undefined) return compareTargets(before, after);
  if (before.last === undefined && after.last !== undefined) return wentDown(before, after);
  if (before.last === undefined || after.last !== undefined) return compareTargets(before, after);
  const { changes, ...diff } = compareTargets(before.last, after);
  const isTold = changes.some(({ change }) => change === 'restarted' || change === 'started');
  const up: Change = { change: 'up', process: after.process ?? null };
  return { ...diff, changes: isTold ? changes : [up, ...changes] };
}

/** A node that is down fixed nothing: its findings are compared when it runs again. */
function wentDown(before: TargetReport, after: TargetReport): TargetDiff {
  const { name, verdict, undetermined } = after;
  const reason = undetermined[0]?.reason ?? 'no interface answers';
  const down: Change = { change: 'down', process: before.process ?? null, reason };
  const lists = { new: [], gone: [], changed: [], unseen: [] };
  return { name, before: before.verdict, after: verdict, changes: [down], ...lists };
}

/** The changes of a target, whether it is down or not. */
export function compareTargets(
  before: TargetReport | undefined,
  after: TargetReport | undefined,
): TargetDiff {
  const [earlier, later] = [findingsOf(before), findingsOf(after)];
  const now = [...later].filter(([, { suppressed }]) => suppressed === null);
  const then = [...earlier].filter(([, { suppressed }]) => suppressed === null);
  const wasOpen = (key: string): boolean => earlier.get(key)?.suppressed === null;
  const isOpen = (key: string): boolean => later.get(key)?.suppressed === null;
  const asked = new Set(before?.undetermined.map(question));
  // A new target has a line: where nothing was found, why it is undetermined.
  const isOpening = now.length === 0 && after?.undetermined.every(({ rule }) => rule !== 'gather') === true;
  return {
    name: after?.name ?? before?.name ?? '',
    before: before?.verdict ?? null,
    after: after?.verdict ?? null,
    changes: before === undefined || after === undefined ? [] : changesOf(before, after),
    new: now.filter(([key]) => !wasOpen(key)).map(([, finding]) => finding),
    gone: then
      .filter(([key]) => !isOpen(key))
      .map(([key, finding]) => ({ why: whyGone(finding, later.get(key), after), finding })),
    changed: now.flatMap(([key, finding]) => {
      const from = earlier.get(key);
      if (from === undefined || from.suppressed !== null) return [];
      return compareSeverity(from.severity, finding.severity) === 0 ? [] : [{ from: from.severity, finding }];
    }),
    unseen: (after?.undetermined ?? []).filter((open) =>
      before === undefined ? isOpening || isCause(open) : !asked.has(question(open)),
    ),
  };
}

/** Whether no rule asked the question: why a target was not read, or is not judged. */
function isCause({ rule, subject }: Undetermined): boolean {
  return rule === 'gather' || subject !== undefined;
}

/** A finding is fixed if its rule was checked again, on everything that the target consists of. */
function whyGone(finding: Finding, later: Finding | undefined, after: TargetReport | undefined): Gone {
  if (later !== undefined) return 'suppressed';
  const isUnseen =
    after === undefined ||
    after.undetermined.some(({ rule }) => rule === finding.rule || rule === 'gather') ||
    after.checks?.some(({ rule, verdict }) => rule === finding.rule && verdict === 'undetermined') === true;
  return isUnseen ? 'not-seen' : 'fixed';
}

function question({ rule, about }: Undetermined): string {
  return `${rule} ${about?.replace(/^process \d+$/, 'process') ?? ''}`;
}

function findingsOf(target: TargetReport | undefined): Map<string, Finding> {
  return keyed(target?.findings ?? [], ({ fingerprint }) => fingerprint);
}

/** By name and occurrence: repeated names stay separate. */
function keyed<T>(all: readonly T[], name: (one: T) => string): Map<string, T> {
  const seen = new Map<string, number>();
  return new Map(
    all.map((one) => {
      const number = (seen.get(name(one)) ?? 0) + 1;
      seen.set(name(one), number);
      return [`${number} ${name(one)}`, one];
    }),
  );
}
