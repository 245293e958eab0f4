import { expect, test } from 'vitest';
import { advise } from '../../../src/node/fix/proposal/fix.js';
import { complete } from '../../../src/node/judge/finding.js';
import { applyGates, type Gates } from '../../../src/node/judge/gates.js';
import type { Judgement } from '../../../src/node/judge/judge.js';
import { rules } from '../../../src/node/rules/index.js';
import { confOf, factsOf, span } from './facts.js';

test('a rule without remaining findings passes unless a question stays open', () => {
  const [rule] = rules as [Judgement['rule']];
  const facts = factsOf(confOf(['X']));
  const findings = complete(facts, rule, [
    { subject: 's', at: span(1, 1, 2), message: 'm', fix: advise('f') },
  ]);
  const judged = (over: Partial<Judgement>): Judgement => ({
    rule,
    verdict: 'fail',
    findings,
    open: [],
    ...over,
  });
  const gates: Gates = {
    minSeverity: 'critical',
    only: null,
    ignore: new Set<string>(),
    acknowledged: [],
    severity: new Map([[rule.id, 'low']]),
  };
  const open = [{ code: 'timeout', about: null, reason: 'late' }] as const;
  const kept = applyGates([judged({}), judged({ open }), judged({ findings: [], verdict: 'pass' })], gates);
  expect(
    kept.map(({ verdict, findings: left, open: asked }) => [verdict, left.length, asked.length]),
  ).toEqual([
    ['fail', 0, 1],
    ['pass', 0, 0],
  ]);
  expect(applyGates([judged({})], { ...gates, minSeverity: 'low' })).toHaveLength(1);
});
