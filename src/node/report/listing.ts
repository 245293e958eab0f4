/** What formats ask of a report: findings in order of severity, places as words. */
import type { Reach } from '../facts/reach.js';
import type { Finding, InterfaceReport, Place, TargetReport, Targets } from '../facts/report.js';
import { compareSeverity } from '../facts/severity.js';

export interface Listed {
  /** The target's name. */
  readonly target: string;
  readonly finding: Finding;
}

/** So many of the findings that are not suppressed, the most severe first, else in the order of the report. */
export async function mostSevere(targets: Targets, most: number): Promise<Listed[]> {
  let kept: Listed[] = [];
  for await (const { name, findings } of targets) {
    const open = findings.filter(({ suppressed }) => suppressed === null);
    kept = [...kept, ...open.map((finding) => ({ target: name, finding }))]
      .sort((a, b) => compareSeverity(a.finding.severity, b.finding.severity))
      .slice(0, most);
  }
  return kept;
}

/** `kend.conf:27:16`, or the endpoint. */
export function placeName(at: Place): string {
  return 'endpoint' in at ? at.endpoint : `${at.file}:${at.line}:${at.column}`;
}

/** The file a target was read from, else its name. */
export function sourceName(target: TargetReport): string {
  return target.conf?.path ?? target.name;
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

/** True when the target's interfaces were asked, not only read from a conf. */
export function isLive(target: TargetReport): boolean {
  return target.interfaces.some(({ requests }) => requests !== undefined);
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
