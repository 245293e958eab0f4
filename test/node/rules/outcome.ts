/** What a rule comes to on given facts, in short: a line a finding, and one for each question that stays open. */
import { exampleFacts } from '../../../src/node/commands/explain.js';
import type { Facts } from '../../../src/node/facts/facts.js';
import type { Finding, Place } from '../../../src/node/facts/report.js';
import { type Judgement, judge } from '../../../src/node/judge/judge.js';
import { rules } from '../../../src/node/rules/index.js';

const placeOf = (at: Place) => ('endpoint' in at ? at.endpoint : `${at.line}:${at.column}`);

function summary({ severity, subject, at, evidence, edits = [], related = [] }: Finding): string {
  const parts = [
    `${severity} ${subject} at ${placeOf(at)}`,
    ...(evidence === null ? [] : [JSON.stringify(evidence)]),
    ...edits.map(
      ({ line, column, endLine, endColumn, text }) =>
        `${line}:${column}-${endLine}:${endColumn} ${JSON.stringify(text)}`,
    ),
    ...(related.length === 0 ? [] : [`beside ${related.map((one) => placeOf(one.at)).join(', ')}`]),
  ];
  return parts.join(' · ');
}

function judged(id: string, facts: Facts): Judgement {
  const rule = rules.find((one) => one.id === id);
  const [judgement] = rule === undefined ? [] : judge(facts, [rule]);
  if (judgement === undefined) throw new Error(`no rule ${id}`);
  return judgement;
}

/** The verdict, the findings and what stays open. */
export function outcomeOf(id: string, facts: Facts): string[] {
  const { verdict, findings, open } = judged(id, facts);
  return [verdict, ...findings.map(summary), ...open.map(({ code, about }) => `? ${code} ${about}`)];
}

/** Its sentences. */
export function sentencesOf(id: string, facts: Facts): string {
  return judged(id, facts)
    .findings.map(({ message, fix }) => `${message}\n${fix}`)
    .join('\n');
}

/** A conf of these lines, below those that every conf needs. */
export function confOf(lines: readonly string[], mode?: number): Facts {
  const conf = ['NETWORK="mainnet"', 'DATA_DIR=/srv/kend', ...lines, ''].join('\n');
  return exampleFacts(mode === undefined ? { conf } : { conf, mode });
}

/** The outcome of such a conf. */
export function outcomeOfConf(id: string, lines: readonly string[], mode?: number): string[] {
  return outcomeOf(id, confOf(lines, mode));
}
