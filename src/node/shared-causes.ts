/** One cause, several targets or interfaces: a finding at a place that they share is reported once. */
import { isDeepStrictEqual } from 'node:util';
import { groupBy } from '../util/group-by.js';
import { joinFirst } from '../util/words.js';
import type { Finding, TargetReport } from './facts/report.js';
import { compareSeverity, type FailOn } from './facts/severity.js';
import { verdictOf } from './pipeline.js';

/** Targets that a message names. */
const maxNamed = 5;

/** A comment in a file that several targets use is unused only if none of them needs it. */
const ofEveryTarget = 'unused-suppression';

interface CauseRow {
  readonly target: TargetReport;
  readonly finding: Finding;
}

/**
 * Reports each shared cause once, at the first target and interface where it is the most severe. That finding names the other
 * targets, and their reports name that target. Verdicts do not change, and suppressed findings stay where they are.
 * `failOn`: for targets without their own.
 */
export function shareCauses(targets: readonly TargetReport[], failOn: FailOn): TargetReport[] {
  const merged = new Map<Finding, Finding>();
  const leads = new Map<Finding, CauseRow>();
  const needed = new Set<Finding>();
  const all = rowsOf(targets);
  for (const rows of groupBy(all, causesOf(all)).values()) {
    const lead = rows.reduce((a, b) => (compareSeverity(b.finding.severity, a.finding.severity) < 0 ? b : a));
    if (lead.finding.rule === ofEveryTarget && rows.length < usersOf(lead.finding, targets))
      for (const { finding } of rows) needed.add(finding);
    const others = rows.filter(({ finding }) => finding !== lead.finding);
    if (others.length === 0) continue;
    merged.set(lead.finding, naming(lead, others));
    for (const { finding } of others) leads.set(finding, lead);
  }
  const apart = targets.map((target) => without(target, needed, failOn));
  return merged.size === 0 ? apart : apart.map((target) => withShared(target, merged, leads));
}

function rowsOf(targets: readonly TargetReport[]): CauseRow[] {
  return targets.flatMap((target) =>
    target.findings.flatMap((finding) =>
      isOfOneNode(finding) || finding.suppressed !== null ? [] : [{ target, finding }],
    ),
  );
}

/** Whether it is about a running node, whatever its file is. */
function isOfOneNode({ rule, at, related = [] }: Finding): boolean {
  return rule === 'pending-restart' || [at, ...related.map((one) => one.at)].some((one) => 'endpoint' in one);
}

/**
 * Equal for findings that one edit resolves: of one subject at one place, of one module where it is written, of several
 * interfaces with the same edits, or of one file with a secret, whatever names it.
 */
function causesOf(rows: readonly CauseRow[]): (row: CauseRow) => string {
  const edits = new Map(
    rows.flatMap(({ finding }) =>
      (finding.edits ?? []).length === 0 ? [] : [[keyOf(finding, finding.subject), finding.edits]],
    ),
  );
  return ({ finding }) => {
    if (finding.evidence?.module !== undefined) return keyOf(finding, ofInterface(finding).thing);
    if (finding.evidence?.path !== undefined) return JSON.stringify([finding.rule, finding.evidence.path]);
    const own = keyOf(finding, finding.subject);
    const same = edits.get(own);
    return same === undefined ? own : JSON.stringify([keyOf(finding, ofInterface(finding).thing), same]);
  };
}

function keyOf({ rule, at }: Finding, thing: string): string {
  return JSON.stringify([rule, thing, at]);
}

/** The parts of a subject such as `ws personal`; others have no interface. */
function ofInterface({ subject, evidence }: Finding): {
  readonly name: string | null;
  readonly thing: string;
} {
  const { interface: name } = evidence ?? {};
  return name !== undefined && subject.startsWith(`${name} `)
    ? { name, thing: subject.slice(name.length + 1) }
    : { name: null, thing: subject };
}

/** How many targets read the file of a finding. */
function usersOf({ at }: Finding, targets: readonly TargetReport[]): number {
  if ('endpoint' in at) return 0;
  return targets.filter(({ conf, files }) => conf?.path === at.file || files?.includes(at.file) === true)
    .length;
}

function naming({ target, finding }: CauseRow, rows: readonly CauseRow[]): Finding {
  const own = ofInterface(finding).name;
  const interfaces = new Set(rows.map((one) => ofInterface(one.finding).name ?? own));
  interfaces.delete(own);
  const others = new Set(rows.map((one) => one.target.name));
  others.delete(target.name);
  const prefix = `${target.name.split(': ')[0]}: `;
  const names = [...others].map((name) => (name.startsWith(prefix) ? name.slice(prefix.length) : name));
  const message = [
    finding.message,
    ...(interfaces.size === 0 ? [] : [`Other interfaces with this cause: ${[...interfaces].join(', ')}.`]),
    ...(others.size === 0 ? [] : [`Other targets with this cause: ${joinFirst(names, maxNamed)}.`]),
  ].join(' ');
  const isShort = rows.some((one) => !isDeepStrictEqual(one.finding.edits, finding.edits));
  const edited = interfaces.size > 0 && isShort ? { edits: [], safety: null } : {};
  return {
    ...finding,
    ...edited,
    message,
    ...(others.size === 0 ? {} : { targets: [target.name, ...others] }),
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
  leads: ReadonlyMap<Finding, CauseRow>,
): TargetReport {
  const shared = target.findings.flatMap((one) => {
    const { rule, subject, severity } = one;
    const lead = leads.get(one);
    return lead === undefined || lead.target === target
      ? []
      : [{ rule, subject, severity, target: lead.target.name }];
  });
  const findings = target.findings.flatMap((one) => (leads.has(one) ? [] : (merged.get(one) ?? one)));
  return { ...target, findings, ...(shared.length === 0 ? {} : { shared }) };
}
