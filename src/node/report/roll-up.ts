/** Totals over all targets of a report, in constant memory. */

import { columns } from '../../terminal/wrap.js';
import { visible } from '../../util/visible.js';
import { count } from '../../util/words.js';
import type { ReportStream, TargetReport } from '../facts/report.js';
import { compareSeverity, type FailOn, type Severity } from '../facts/severity.js';
import { acceptedCriticals, isLive } from './listing.js';

/** A rule with open findings, and the targets that have them. */
export interface Cause {
  readonly rule: string;
  /** The worst of its findings. */
  readonly severity: Severity;
  /** The index of its first finding of that severity. */
  readonly first: number;
  /** Targets. */
  readonly count: number;
  /** The first names of targets with the finding, and without it. */
  readonly having: readonly string[];
  readonly lacking: readonly string[];
}

export interface RollUp {
  /** Targets. */
  readonly count: number;
  /** Files; one file may start several nodes. */
  readonly files: number;
  readonly verdicts: Readonly<Record<TargetReport['verdict'], number>>;
  /** Findings that are not suppressed. */
  readonly findings: number;
  /** Suppressed critical findings. */
  readonly accepted: number;
  readonly causes: readonly Cause[];
  /** Every rule with a finding, suppressed ones too. */
  readonly rules: ReadonlySet<string>;
  /** The values of --fail-on of the targets. */
  readonly thresholds: ReadonlySet<FailOn>;
  /** True when at least one target was audited. */
  readonly live: boolean;
  /** True when all interfaces are known from settings only. */
  readonly offline: boolean;
  /** Columns of the longest name on a terminal. */
  readonly nameColumns: number;
}

/** More names than any format shows in a line. */
const maxNames = 60;

/** Iterates over the targets once. */
export async function rollUp({ targets, failOn }: ReportStream): Promise<RollUp> {
  const verdicts = { pass: 0, fail: 0, undetermined: 0 };
  const causes = new Causes();
  const rules = new Set<string>();
  const thresholds = new Set<FailOn>();
  let [findings, accepted, interfaces, unasked, live, nameColumns] = [0, 0, 0, 0, false, 0];
  let [files, path] = [0, ''];
  for await (const target of targets) {
    verdicts[target.verdict] += 1;
    findings += target.findings.filter(({ suppressed }) => suppressed === null).length;
    accepted += acceptedCriticals(target).length;
    for (const { rule } of target.findings) rules.add(rule);
    thresholds.add(target.failOn ?? failOn);
    live ||= isLive(target);
    interfaces += target.interfaces.length;
    unasked += target.interfaces.filter(({ state }) => state === 'not-checked').length;
    nameColumns = Math.max(nameColumns, columns(visible(target.name)));
    // The nodes of a file are adjacent.
    if (target.conf === null || target.conf.path !== path) files += 1;
    path = target.conf?.path ?? '';
    causes.add(target);
  }
  const counts = { count: causes.targets, files, verdicts, findings, accepted };
  const offline = interfaces > 0 && unasked === interfaces;
  return { ...counts, causes: causes.all(), rules, thresholds, live, offline, nameColumns };
}

type Growing = {
  -readonly [key in keyof Cause]: Cause[key] extends readonly string[] ? string[] : Cause[key];
};

class Causes {
  /** Targets seen. */
  targets = 0;
  #findings = 0;
  readonly #names: string[] = [];
  readonly #causes = new Map<string, Growing>();

  add({ name, findings, shared = [] }: TargetReport): void {
    const own = new Set<string>();
    for (const { rule, severity } of [
      ...findings.filter(({ suppressed }) => suppressed === null),
      ...shared,
    ]) {
      this.#findings += 1;
      own.add(rule);
      const cause = this.#causes.get(rule);
      if (cause === undefined) {
        const lacking = [...this.#names];
        this.#causes.set(rule, { rule, severity, first: this.#findings, count: 0, having: [], lacking });
      } else if (compareSeverity(severity, cause.severity) < 0)
        Object.assign(cause, { severity, first: this.#findings });
    }
    for (const cause of this.#causes.values()) {
      const has = own.has(cause.rule);
      if (has) cause.count += 1;
      const names = has ? cause.having : cause.lacking;
      if (names.length < maxNames) names.push(name);
    }
    if (this.#names.length < maxNames) this.#names.push(name);
    this.targets += 1;
  }

  all(): readonly Cause[] {
    return [...this.#causes.values()];
  }
}

/** The worst verdict of all targets; undetermined without targets. */
export function verdictOf({ verdicts, count }: RollUp): TargetReport['verdict'] {
  if (verdicts.fail > 0) return 'fail';
  return count === 0 || verdicts.undetermined > 0 ? 'undetermined' : 'pass';
}

/** `2 of 3 targets fail`. */
export function headline(all: RollUp): string {
  if (all.count === 0) return 'Nothing was looked at';
  const worst = verdictOf(all);
  const number = all.verdicts[worst];
  const some = `${number} of ${count(all.count, 'target')}`;
  if (worst === 'fail') return `${some} ${number === 1 ? 'fails' : 'fail'}`;
  if (worst === 'undetermined') return `${some} not fully seen`;
  const but = all.accepted === 0 ? '' : `, ${all.accepted} critical suppressed`;
  return `${all.count === 1 ? 'The target passes' : `All ${all.count} targets pass`}${but}`;
}
