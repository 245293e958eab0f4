/** One cause, several targets: a finding in a file that several targets use is reported once. */
import { groupBy } from '../util/group-by.js';
import type { Finding, TargetReport } from './facts/report.js';
import { compareSeverity, type FailOn } from './facts/severity.js';
import { verdictOf } from './pipeline.js';

/** Targets that a message names. */
const maxNamed = 5;

/** A comment in a file that several targets use is unused only if none of them needs it. */
const ofEveryTarget = 'unused-suppression';

interface Row {
  readonly target: TargetReport;
  readonly finding: Finding;
}

/**
 * The reports, with each cause as a finding of one target: the first where it is the most severe. That finding names the
 * other targets, and their reports name that target; their verdicts stay. Suppressed findings stay where they are.
 * `failOn`: for targets without their own.
 */
export function shareCauses(targets: readonly TargetReport[], failOn: FailOn): TargetReport[] {
  if (targets.length < 2) return [...targets];
  const merged = new Map<Finding, Finding>();
  const leads = new Map<Finding, Row>();
  const needed = new Set<Finding>();
  for (const rows of groupBy(rowsOf(targets), causeOf).values()) {
    const lead = rows.reduce((a, b) => (compareSeverity(b.finding.severity, a.finding.severity) < 0 ? b : a));
    if (lead.finding.rule === ofEveryTarget && rows.length < usersOf(lead.finding, targets))
      for (const { finding } of rows) needed.add(finding);
    const others = rows.filter(({ target }) => target !== lead.target);
    if (others.length === 0) continue;
    merged.set(lead.finding, naming(lead, [...new Set(others.map(({ target }) => target.name))]));
    for (const { finding } of others) leads.set(finding, lead);
  }
  const apart = targets.map((target) => without(target, needed, failOn));
  return merged.size === 0 ? apart : apart.map((target) => withShared(target, merged, leads));
}

function rowsOf(targets: readonly TargetReport[]): Row[] {
  return targets.flatMap((target) =>
    target.findings.flatMap((finding) =>
      'endpoint' in finding.at || finding.suppressed !== null ? [] : [{ target, finding }],
    ),
  );
}

/** Equal for findings that one edit resolves. */
function causeOf({ finding: { rule, subject, at } }: Row): string {
  if ('endpoint' in at) return '';
  const { file, line, column, endLine, endColumn } = at;
  return JSON.stringify([rule, subject, file, line, column, endLine, endColumn]);
}

/** How many targets read the file of a finding. */
function usersOf({ at }: Finding, targets: readonly TargetReport[]): number {
  if ('endpoint' in at) return 0;
  return targets.filter(({ conf, files }) => conf?.path === at.file || files?.includes(at.file) === true)
    .length;
}

function naming({ target, finding }: Row, others: readonly string[]): Finding {
  const prefix = `${target.name.split(': ')[0]}: `;
  const shown = others
    .slice(0, maxNamed)
    .map((name) => (name.startsWith(prefix) ? name.slice(prefix.length) : name));
  const more = others.length > shown.length ? ` and ${others.length - shown.length} more` : '';
  return {
    ...finding,
    message: `${finding.message} Other targets with this cause: ${shown.join(', ')}${more}.`,
    targets: [target.name, ...others],
  };
}

/** The report without findings that do not hold. */
function without(target: TargetReport, needed: ReadonlySet<Finding>, failOn: FailOn): TargetReport {
  const findings = target.findings.filter((one) => !needed.has(one));
  if (findings.length === target.findings.length) return target;
  const isGone = (rule: string) => rule === ofEveryTarget && !findings.some((one) => one.rule === rule);
  return {
    ...target,
    findings,
    ...(target.checks === undefined
      ? {}
      : { checks: target.checks.map((one) => (isGone(one.rule) ? { ...one, verdict: 'pass' } : one)) }),
    verdict: verdictOf(findings, target.undetermined, target.failOn ?? failOn),
  };
}

function withShared(
  target: TargetReport,
  merged: ReadonlyMap<Finding, Finding>,
  leads: ReadonlyMap<Finding, Row>,
): TargetReport {
  const shared = target.findings.flatMap((one) => {
    const { rule, subject, severity } = one;
    const lead = leads.get(one);
    return lead === undefined ? [] : [{ rule, subject, severity, target: lead.target.name }];
  });
  const findings = target.findings.flatMap((one) => (leads.has(one) ? [] : (merged.get(one) ?? one)));
  return { ...target, findings, ...(shared.length === 0 ? {} : { shared }) };
}
