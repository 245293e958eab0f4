/** The outcome of a rule on given facts: its verdict, its findings, and a line for each open question. */

import type { Facts } from '../../../src/node/facts/facts.js';
import type { Finding, Place } from '../../../src/node/facts/report.js';
import { seen } from '../../../src/node/facts/seen.js';
import { worldsOf } from '../../../src/node/facts/worlds.js';
import { type Judgement, judge } from '../../../src/node/judge/judge.js';
import { isAboutWords } from '../../../src/node/judge/worst.js';
import { kinds } from '../../../src/node/kinds/index.js';
import { policyOfRole } from '../../../src/node/kinds/node.js';
import { rules } from '../../../src/node/rules/index.js';
import { exampleFacts } from '../editables.js';

/** A finding, without its words. */
export interface Outcome {
  readonly severity: string;
  readonly subject: string | null;
  /** `line:column`, or an endpoint. */
  readonly at: string;
  readonly evidence?: unknown;
  /** `at`: `line:column-endLine:endColumn`. */
  readonly edits?: readonly { readonly at: string; readonly text: string }[];
  /** The related places. */
  readonly beside?: readonly string[];
}

const placeOf = (at: Place) => ('endpoint' in at ? at.endpoint : `${at.line}:${at.column}`);

function summary({ severity, subject, at, evidence, edits = [], related = [] }: Finding): Outcome {
  return {
    severity,
    subject,
    at: placeOf(at),
    ...(evidence === null ? {} : { evidence }),
    ...(edits.length === 0
      ? {}
      : {
          edits: edits.map(({ line, column, endLine, endColumn, text }) => ({
            at: `${line}:${column}-${endLine}:${endColumn}`,
            text,
          })),
        }),
    ...(related.length === 0 ? {} : { beside: related.map((one) => placeOf(one.at)) }),
  };
}

function judged(id: string, given: Facts): Judgement {
  const rule = rules.find((one) => one.id === id);
  const facts = rule !== undefined && isAboutWords(rule) ? withUnixEnds(given) : given;
  const [judgement] = rule === undefined ? [] : judge(facts, [rule], kinds, policyOfRole(kinds, facts.role));
  if (judgement === undefined) throw new Error(`no rule ${id}`);
  return judgement;
}

/** Rules about words see a conf with Unix line ends. */
function withUnixEnds(facts: Facts): Facts {
  const repaired =
    facts.conf?.state === 'seen' ? worldsOf(facts.conf.value).find(({ ends }) => ends === 'unix') : undefined;
  return repaired === undefined ? facts : { ...facts, conf: seen(repaired.conf) };
}

/** The verdict, the findings and what stays open. */
export function outcomeOf(id: string, facts: Facts): (string | Outcome)[] {
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
export function outcomeOfConf(id: string, lines: readonly string[], mode?: number): (string | Outcome)[] {
  return outcomeOf(id, confOf(lines, mode));
}

/** The outcome as lines: the verdict, each finding with its evidence, edits and related places, and what stays open. */
export function formatOutcome(outcome: readonly (string | Outcome)[]): string[] {
  return outcome.flatMap((one) => {
    if (typeof one === 'string') return one;
    const { severity, subject, at, evidence, edits = [], beside = [] } = one;
    return [
      `${severity} ${subject} at ${at}`,
      ...(evidence === undefined ? [] : [`  ${JSON.stringify(evidence)}`]),
      ...edits.map(({ at, text }) => `  edit ${at} ${JSON.stringify(text)}`),
      ...(beside.length === 0 ? [] : [`  beside ${beside.join(' ')}`]),
    ];
  });
}
