/** What formats ask of a report: findings in order of severity, places as words. */
import type { Reach } from '../facts/reach.js';
import type { Finding, InterfaceReport, Place, Report, TargetReport } from '../facts/report.js';
import { atLeast, compareSeverity } from '../facts/severity.js';

export interface Listed {
  readonly target: TargetReport;
  readonly finding: Finding;
}

/** Findings that are not suppressed, the most severe first, else in the order of the report. */
export function openFindings(report: Report): Listed[] {
  return report.targets
    .flatMap((target) => target.findings.map((finding) => ({ target, finding })))
    .filter(({ finding }) => finding.suppressed === null)
    .sort((a, b) => compareSeverity(a.finding.severity, b.finding.severity));
}

/** True when the finding makes the run end with 1. */
export function fails(finding: Finding, failOn: Report['failOn']): boolean {
  return finding.suppressed === null && failOn !== 'none' && atLeast(finding.severity, failOn);
}

/** `kend.conf:27:16`, or the endpoint. */
export function placeName(at: Place): string {
  return 'endpoint' in at ? at.endpoint : `${at.file}:${at.line}:${at.column}`;
}

/** The file a target was read from, else its name. */
export function sourceName(target: TargetReport): string {
  return target.conf?.path ?? target.name;
}

/** `1 finding`, `2 findings`. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/** Critical findings that somebody accepted: they fail nothing, and their target is never called clean. */
export function acceptedCriticals({ findings }: TargetReport): Finding[] {
  return findings.filter(({ severity, suppressed }) => severity === 'critical' && suppressed !== null);
}

/** A target's verdict in words: `pass, 1 critical suppressed`. */
export function standing(target: TargetReport): string {
  const accepted = acceptedCriticals(target).length;
  return accepted === 0 ? target.verdict : `${target.verdict}, ${accepted} critical suppressed`;
}

/** The worst verdict of all targets; without one, nothing was seen. */
export function verdictOf({ targets }: Report): TargetReport['verdict'] {
  if (targets.some(({ verdict }) => verdict === 'fail')) return 'fail';
  const blind = targets.length === 0 || targets.some(({ verdict }) => verdict === 'undetermined');
  return blind ? 'undetermined' : 'pass';
}

/** `2 of 3 targets fail`: the sentence above a report. */
export function headline(report: Report): string {
  const { targets } = report;
  if (targets.length === 0) return 'Nothing was looked at';
  const worst = verdictOf(report);
  const number = targets.filter(({ verdict }) => verdict === worst).length;
  const some = `${number} of ${count(targets.length, 'target')}`;
  if (worst === 'fail') return `${some} ${number === 1 ? 'fails' : 'fail'}`;
  if (worst === 'undetermined') return `${some} not fully seen`;
  const accepted = targets.reduce((sum, target) => sum + acceptedCriticals(target).length, 0);
  const but = accepted === 0 ? '' : `, ${accepted} critical suppressed`;
  return `${targets.length === 1 ? 'The target passes' : `All ${targets.length} targets pass`}${but}`;
}

/** Who reaches an interface, in words. */
export const reachNames: Readonly<Record<Reach, string>> = {
  any: 'any address',
  private: 'private network',
  loopback: 'this machine',
  ipc: 'this machine',
};

/** `any address (socket)`: who, and what says so. */
export function reachedBy({ reach, reachBy, transport }: InterfaceReport): string {
  if (reach === undefined) return '–';
  return transport === 'ipc' || reachBy === undefined
    ? reachNames[reach]
    : `${reachNames[reach]} (${reachBy})`;
}
