/** What a rule says of given facts, in short: a line a finding, and one for each question that stays open. */
import { exampleFacts } from '../../../src/node/commands/example.js';
import type { Facts } from '../../../src/node/facts/facts.js';
import type { Finding, Place } from '../../../src/node/facts/report.js';
import { judge } from '../../../src/node/judge/judge.js';
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

/** The verdict, the findings and what stays open. */
export function saidOf(id: string, facts: Facts): string[] {
  const rule = rules.find((one) => one.id === id);
  if (rule === undefined) throw new Error(`no rule ${id}`);
  const [{ verdict, findings, open } = { verdict: 'none', findings: [], open: [] }] = judge(facts, [rule]);
  return [verdict, ...findings.map(summary), ...open.map(({ code, about }) => `? ${code} ${about}`)];
}

/** The same of a conf of these lines, below those that every conf needs. */
export function saidOfConf(id: string, lines: readonly string[], mode?: number): string[] {
  const conf = ['NETWORK="mainnet"', 'DATA_DIR=/srv/kend', ...lines, ''].join('\n');
  return saidOf(id, exampleFacts(mode === undefined ? { conf } : { conf, mode }));
}
