/** Which findings count, and with which severity: the settings of a team, applied after the rules. */
import { isDeepStrictEqual } from 'node:util';
import type { Finding } from '../facts/report.js';
import type { ListenerKind } from '../facts/settings.js';
import { atLeast, compareSeverity, type Severity } from '../facts/severity.js';
import type { Judgement } from './judge.js';
import type { Rule } from './rule/rule.js';
import type { Acknowledgement } from './suppress/open-signs.js';

export interface Gates {
  /** Findings below it are not reported. */
  readonly minSeverity: Severity;
  /** Ids of the rules to run; null for every rule. */
  readonly only: ReadonlySet<string> | null;
  /** Ids of the rules to ignore. */
  readonly ignore: ReadonlySet<string>;
  /** Overrides the severity of a rule's findings, by rule id. */
  readonly severity: ReadonlyMap<string, Severity>;
  /** Open questions of the files that do not count. */
  readonly acknowledged: readonly Acknowledgement[];
}

/** The judgements of the selected rules. A failed judgement without remaining findings or open questions is left out. */
export function applyGates(judgements: readonly Judgement[], gates: Gates): Judgement[] {
  return judgements
    .filter(({ rule }) => isSelected(rule.id, gates))
    .map((judgement) => ({ ...judgement, findings: countedFindings(judgement.findings, gates) }))
    .filter(({ verdict, findings, open }) => verdict !== 'fail' || findings.length + open.length > 0);
}

/**
 * The findings of the selected rules, with overridden severities, from `minSeverity` up. Those that repeat another of them
 * name it.
 */
export function countedFindings(
  findings: readonly Finding[],
  gates: Gates,
  rules: readonly Rule[] = [],
): Finding[] {
  const counted = findings.flatMap((one) => {
    const severity = severityUnder(gates, one);
    return severity === null ? [] : [{ ...one, severity }];
  });
  return withRepeatsNamed(counted, rules);
}

/** Counts the findings that these gates hide, or weigh otherwise than their rules; null if there are none. */
export function changesBy(gates: Gates, findings: readonly Finding[]) {
  const shown = findings.filter((one) => severityUnder(gates, one) !== null);
  const hidden = findings.length - shown.length;
  const severities = shown.filter((one) => severityUnder(gates, one) !== one.severity).length;
  return hidden + severities === 0 ? null : { hidden, severities };
}

/** Returns the severity that a finding is reported with; null if it is not reported. */
function severityUnder(gates: Gates, { rule, severity }: Finding): Severity | null {
  const own = gates.severity.get(rule) ?? severity;
  return isSelected(rule, gates) && atLeast(own, gates.minSeverity) ? own : null;
}

/** Whether it is a rule that counts. */
export function isSelected(id: string, { only, ignore }: Gates): boolean {
  return (only?.has(id) ?? true) && !ignore.has(id);
}

/**
 * The findings; one that says nothing new names the finding that says it, as one edit closes both. Its rule names the rules
 * that say as much of the same interface. No severity depends on another finding.
 */
export function withRepeatsNamed(findings: readonly Finding[], rules: readonly Rule[]): Finding[] {
  const saidBy = new Map(rules.map(({ id, saidBy: names }) => [id, names]));
  const saying = (one: Finding): Finding | undefined => {
    const { rule, severity, suppressed, evidence } = one;
    const names = saidBy.get(rule);
    // Pages add nothing where any address calls.
    const isOpenAnyway = severity === 'low' && evidence?.bound === 'any';
    const isUsual = severity === 'medium' && (evidence?.bound === undefined || isOpen(one, findings));
    if (names === undefined || suppressed !== null || !(isUsual || isOpenAnyway)) return undefined;
    const said = sayingAsMuch(one, names, findings) ?? leadOf(one, findings) ?? firstOnPort(one, findings);
    return said === undefined ? undefined : (saying(said) ?? said);
  };
  return findings.map((one) => {
    const said = saying(one);
    return said === undefined ? one : { ...one, saidBy: said.fingerprint };
  });
}

/** The gravest finding of the named rules that says as much of the interface. */
function sayingAsMuch(
  one: Finding,
  names: readonly string[],
  findings: readonly Finding[],
): Finding | undefined {
  const atMost = (other: Finding) => (other.rule === one.rule ? -1 : 0);
  return findings
    .filter((other) => names.includes(other.rule) && other.suppressed === null && sharesInterface(one, other))
    .filter((other) => compareSeverity(other.severity, one.severity) <= atMost(other))
    .sort((a, b) => compareSeverity(a.severity, b.severity))[0];
}

/** The first module of the list that a finding names one of, if possible one that is found whatever the release. */
function leadOf(one: Finding, findings: readonly Finding[]): Finding | undefined {
  if (one.evidence?.module === undefined) return undefined;
  const list = findings.filter(
    (other) =>
      other.rule === one.rule &&
      other.severity === 'medium' &&
      other.suppressed === null &&
      isDeepStrictEqual(interfacesOf(one), interfacesOf(other)),
  );
  const lead = list.find(({ evidence }) => evidence?.conditional !== true) ?? list[0];
  return lead === one ? undefined : lead;
}

/** Whether another finding says that any address reaches the interface, and closes it. */
function isOpen(one: Finding, findings: readonly Finding[]): boolean {
  return findings.some(
    (other) =>
      other.suppressed === null &&
      other.evidence?.closes === true &&
      other.evidence.reach === 'any' &&
      sharesInterface(one, other),
  );
}

/** The first finding of the same rule at the port of http and ws, if it is another one. */
function firstOnPort(one: Finding, findings: readonly Finding[]): Finding | undefined {
  const port = one.evidence?.port;
  if (typeof port !== 'number') return undefined;
  const first = findings.find(
    ({ rule, suppressed, evidence }) => rule === one.rule && suppressed === null && evidence?.port === port,
  );
  return first === one ? undefined : first;
}

/** The interfaces that a finding is about. */
export function interfacesOf({ evidence }: Finding): readonly (ListenerKind | undefined)[] {
  const { interface: one, interfaces = [one] } = evidence ?? {};
  return interfaces;
}

/** Whether two findings are about one interface. */
export function sharesInterface(one: Finding, other: Finding): boolean {
  const names = interfacesOf(one);
  return interfacesOf(other).some((name) => names.includes(name));
}
