/** Every reading of a conf: under its conditions, in its releases, as it is and once it has Unix line ends. */

import { withAssumed } from '../facts/assumed.js';
import { asWritten, type Facts, repairedOf } from '../facts/facts.js';
import type { Policy } from '../facts/policy.js';
import type { Finding, Undetermined } from '../facts/report.js';
import { seen } from '../facts/seen.js';
import { compareSeverity } from '../facts/severity.js';
import type { Kind } from '../kinds/kind.js';
import { kindKnown } from '../kinds/node.js';
import { type Judged, questionOf, withConditional } from './alternatives.js';
import { orderFindings } from './finding.js';
import { type Judgement, judge } from './judge.js';
import type { Rule } from './rule/rule.js';
import { suppress } from './suppress/suppress.js';

/**
 * All findings and open questions. A conf with carriage returns is judged as it is and with Unix line ends; its words only
 * with Unix line ends.
 */
export function judgeReadings(
  given: Facts,
  rules: readonly Rule[],
  kinds: readonly Kind[],
  policy: Policy | null,
) {
  const conf = given.conf?.state === 'seen' ? given.conf.value : null;
  const repaired = conf === null ? null : repairedOf(conf);
  if (conf === null || repaired === null) return judgeOnce(given, rules, kinds, policy);
  const [words, others] = [rules.filter(isAboutWords), rules.filter((one) => !isAboutWords(one))];
  const own = judgeOnce({ ...given, conf: seen(asWritten(conf)) }, others, kinds, policy);
  const once = judgeOnce(
    { ...given, conf: seen(repaired) },
    given.live === null ? rules : words,
    kinds,
    policy,
  );
  const { findings, undetermined } = withRepaired(own, once, rules);
  const isLeft = ({ rule, verdict }: Judgement) =>
    verdict !== 'fail' || findings.some((one) => one.rule === rule.id);
  const ofRule = new Map(
    [...once.judgements, ...own.judgements.filter(isLeft)].map((one) => [one.rule, one]),
  );
  return {
    ...own,
    judgements: rules.flatMap((rule) => ofRule.get(rule) ?? []),
    findings: orderFindings(findings),
    undetermined,
  };
}

function judgeOnce(given: Facts, rules: readonly Rule[], kinds: readonly Kind[], policy: Policy | null) {
  const facts = withAssumed(given);
  const judged = (one: Facts, by: readonly Rule[]): Judgement[] =>
    suppress(
      one,
      judge(one, by, kinds, policy, () => plannedBy(one, by)),
    );
  const plannedBy = (one: Facts, by: readonly Rule[]): Finding[] =>
    suppress(one, judge({ ...one, live: null }, by, kinds, policy)).flatMap(({ findings }) => findings);
  const judgements = judged(facts, rules);
  // A conditional line overrides another on purpose, so only rules about exposure apply.
  const exposing = rules.filter(({ on }) => on !== 'shell');
  const { findings, undetermined } = withConditional(
    facts,
    kinds,
    together(judgements),
    (other) => together(judged(other, exposing)),
    exposing.filter(({ anyRelease }) => anyRelease !== true),
  );
  return {
    judgements,
    findings: orderFindings(findings),
    undetermined,
    kind: facts.conf?.state === 'seen' ? kindKnown(kinds, facts.conf.value.settings) : null,
  };
}

function together(judgements: readonly Judgement[]) {
  return {
    findings: judgements.flatMap((one) => one.findings),
    undetermined: judgements.flatMap(openQuestions),
  };
}

function openQuestions({ rule, verdict, open }: Judgement): Undetermined[] {
  const defect = verdict === 'defect' ? { defect: true as const } : {};
  return open.map((one) => ({ rule: rule.id, ...one, ...defect }));
}

/** Rules about words: the carriage returns would be found again by each of them. */
export function isAboutWords({ on }: Pick<Rule, 'on'>): boolean {
  return on === 'settings' || on === 'shell';
}

const condition = 'when the file has Unix line ends: ';

/**
 * Findings of both readings, the more severe of each subject. Those that hold only with Unix line ends say so; of the
 * others, those go that a graver finding on the same line is about.
 */
function withRepaired(written: Judged, repaired: Judged, rules: readonly Rule[]): Judged {
  const words = new Set(rules.filter(isAboutWords).map(({ id }) => id));
  const isWorse = (a: Finding, b: Finding) => compareSeverity(a.severity, b.severity) < 0;
  const more = repaired.findings.filter(
    (one) => !written.findings.some((other) => isSame(one, other) && !isWorse(one, other)),
  );
  const kept = written.findings.filter(
    (one) => !more.some((other) => isSame(one, other) || (isOfSameCause(one, other) && isWorse(other, one))),
  );
  const asked = new Set(written.undetermined.map(questionOf));
  const open = repaired.undetermined.filter((one) => !asked.has(questionOf(one)));
  return {
    findings: [
      ...kept,
      ...more.map((one) =>
        words.has(one.rule) ? one : { ...one, message: `${capitalized(condition)}${one.message}` },
      ),
    ],
    undetermined: [
      ...written.undetermined,
      ...open.map((one) => (words.has(one.rule) ? one : { ...one, reason: `${condition}${one.reason}` })),
    ],
  };
}

function isSame(a: Finding, b: Finding): boolean {
  return a.rule === b.rule && a.subject === b.subject;
}

function isOfSameCause(a: Finding, b: Finding): boolean {
  const isOnSameLine = 'file' in a.at && 'file' in b.at && a.at.file === b.at.file && a.at.line === b.at.line;
  return a.subject === b.subject && b.suppressed === null && isOnSameLine;
}

function capitalized(text: string): string {
  return text.replace(/^./, (letter) => letter.toUpperCase());
}
