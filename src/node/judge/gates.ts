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
 * The findings of the selected rules, with overridden severities, from `minSeverity` up. What repeats another of them is
 * low, unless its rule's severity is overridden.
 */
export function countedFindings(
  findings: readonly Finding[],
  gates: Gates,
  rules: readonly Rule[] = [],
): Finding[] {
  const selected = findings
    .filter(({ rule }) => isSelected(rule, gates))
    .map((finding) => {
      const own = gates.severity.get(finding.rule);
      return own === undefined ? finding : { ...finding, severity: own };
    });
  const weighed = withoutRepeats(
    selected,
    rules.filter(({ id }) => !gates.severity.has(id)),
  );
  return weighed.filter(({ severity }) => atLeast(severity, gates.minSeverity));
}

/** Counts the findings that these gates hide or weigh otherwise than the gates that were asked for; null if there are none. */
export function changesBy(gates: Gates, asked: Gates, findings: readonly Finding[]) {
  const both = findings.map((one) => [severityUnder(asked, one), severityUnder(gates, one)] as const);
  const hidden = both.filter(([before, now]) => before !== null && now === null).length;
  const severities = both.filter(([before, now]) => before !== null && now !== null && before !== now).length;
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
 * The findings; a medium one that says nothing new is low, and what says nothing new names the finding that says it. Its
 * rule names the rules that say as much of the same interface. Of http and ws, the first keeps its severity, and of the
 * modules of a list: one edit closes them all.
 */
export function withoutRepeats(findings: readonly Finding[], rules: readonly Rule[]): Finding[] {
  const saidBy = new Map(
    rules.flatMap(({ id, saidBy: names }) => (names === undefined ? [] : [[id, names]])),
  );
  const saying = (one: Finding): Finding | undefined =>
    findings
      .filter(
        (other) =>
          saidBy.get(one.rule)?.includes(other.rule) === true &&
          other.suppressed === null &&
          sharesInterface(one, other) &&
          compareSeverity(other.severity, one.severity) < (other.rule === one.rule ? 0 : 1),
      )
      .sort((a, b) => compareSeverity(a.severity, b.severity))[0];
  const [first, told]: [Finding[], Finding[]] = [[], []];
  const othersOf = (one: Finding) => interfacesOf(one).filter((name) => name !== 'http' && name !== 'ws');
  const isAlike = (one: Finding, other: Finding) =>
    one.rule === other.rule &&
    one.evidence?.module === other.evidence?.module &&
    isDeepStrictEqual(othersOf(one), othersOf(other));
  /** The first module of its list, if possible one that is found whatever the release. */
  const leadOf = (one: Finding) => {
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
  };
  const isOpen = (one: Finding) =>
    findings.some(
      (other) =>
        other.suppressed === null &&
        other.evidence?.closes === true &&
        other.evidence.reach === 'any' &&
        sharesInterface(one, other),
    );
  /** http and ws at one port. */
  const isPortOf = (one: Finding, other: Finding) =>
    one.rule === other.rule &&
    typeof one.evidence?.port === 'number' &&
    one.evidence.port === other.evidence?.port;
  return findings.map((one) => {
    const { severity, suppressed, evidence } = one;
    // Pages add nothing where any address calls.
    const isOpenAnyway = severity === 'low' && evidence?.bound === 'any';
    const isUsual = severity === 'medium' && (evidence?.bound === undefined || isOpen(one));
    if (!(isUsual || isOpenAnyway) || suppressed !== null || !saidBy.has(one.rule)) return one;
    const said = saying(one) ?? leadOf(one) ?? told.find((other) => isPortOf(one, other));
    if (said !== undefined) {
      const low = { ...one, severity: 'low', saidBy: said.saidBy ?? said.fingerprint } as const;
      told.push(low);
      return low;
    }
    if (isOpenAnyway) return one;
    if (first.some((other) => isAlike(one, other))) return { ...one, severity: 'low' };
    first.push(one);
    return one;
  });
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
