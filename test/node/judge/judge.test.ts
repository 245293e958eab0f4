import { expect, test } from 'vitest';
import type { Facts } from '../../../src/node/facts/facts.js';
import { indeterminate, notSeen } from '../../../src/node/facts/seen.js';
import { advise } from '../../../src/node/fix/proposal/fix.js';
import { orderFindings } from '../../../src/node/judge/finding.js';
import { judge as judgeOf } from '../../../src/node/judge/judge.js';
import {
  type Check,
  type Draft,
  decideVerdict,
  type Rule,
  type Verdict,
} from '../../../src/node/judge/rule/rule.js';
import { kinds } from '../../../src/node/kinds/index.js';
import { accountsListed } from '../../../src/node/rules/accounts-listed.js';
import { rules } from '../../../src/node/rules/index.js';
import { exampleFacts } from '../editables.js';
import { judgeTarget } from '../pipeline.js';
import { confOf, factsOf, span } from './facts.js';

const judge = (facts: Facts, rules: readonly Rule[]) => judgeOf(facts, rules, kinds);

const draft: Draft = { subject: 'X', message: 'wrong', fix: advise('Set X.'), at: span(1, 1, 4) };

const meta = (id: string) => ({
  id,
  severity: 'high' as const,
  title: 't',
  why: 'w',
  fix: 'f',
  ignore: '',
  sources: [],
  examples: { bad: { conf: '' }, good: { conf: '' } },
});

function rule(id: string, check: () => Verdict, on: Check = { on: 'settings', check }): Rule {
  return { ...meta(id), ...on };
}

const facts = factsOf(confOf(['X=1']));

test('a rule can end in every verdict', () => {
  const seen = judge(facts, [
    rule('passes', () => decideVerdict([])),
    rule('fails', () => decideVerdict([draft])),
    rule('blind', () => decideVerdict([], [indeterminate('http', 'the port is computed')])),
    rule('idle', () => ({ findings: [], blindSpots: [], applicable: false })),
    rule('asks-live', () => decideVerdict([draft]), { on: 'live', check: () => decideVerdict([draft]) }),
  ]);
  expect(seen.map(({ verdict }) => verdict)).toEqual([
    'pass',
    'fail',
    'undetermined',
    'not-applicable',
    'not-applicable',
  ]);
});

test('a rule that throws is a defect and the others still run', () => {
  const [first, second] = judge(facts, [
    rule('throws', () => {
      throw new TypeError('cannot read x');
    }),
    rule('fails', () => decideVerdict([draft])),
  ]);
  expect(first).toMatchObject({
    verdict: 'defect',
    open: [{ code: 'defect', about: null, reason: 'kaiactl failed here: cannot read x' }],
  });
  expect(second?.verdict).toBe('fail');
});

test('a conf that could not be read leaves every question open', () => {
  const unread: Facts = { ...facts, conf: notSeen('not-permitted', 'permission denied') };
  const [only] = judge(unread, [rule('fails', () => decideVerdict([draft]))]);
  expect(only).toMatchObject({
    verdict: 'undetermined',
    findings: [],
    open: [{ code: 'not-permitted', about: null, reason: 'permission denied' }],
  });
});

test('a rule that needs either fact runs with one of them', () => {
  const [only] = judge(facts, [
    {
      ...meta('either'),
      on: 'either',
      ofSettings: () => decideVerdict([draft]),
      ofLive: () => decideVerdict([]),
    },
  ]);
  expect(only?.verdict).toBe('fail');
});

test('findings keep their fingerprint when the line moves, and lose it when subject or text changes', () => {
  const print = (lines: string[], over: Partial<Draft>) =>
    judge(factsOf(confOf(lines)), [rule('r', () => decideVerdict([{ ...draft, ...over }]))])[0]?.findings[0]
      ?.fingerprint;
  const before = print(['X=1'], {});
  expect(before).toMatch(/^[0-9a-f]{16}$/);
  expect(print(['', '# moved', '  X=1'], { at: span(3, 3, 6) })).toBe(before);
  expect(print(['X=1'], { severity: 'low' })).toBe(before);
  expect(print(['X=2'], {})).not.toBe(before);
  expect(print(['X=1'], { subject: 'Y' })).not.toBe(before);
});

test('secrets leave messages, fixes and source lines', () => {
  const line = 'ADDITIONAL="--nodekeyhex c0ffee"';
  const [only] = judge(factsOf(confOf([line])), [
    rule('r', () => decideVerdict([{ ...draft, message: `saw --nodekeyhex c0ffee`, fix: advise(line) }])),
  ]);
  expect(JSON.stringify(only?.findings)).not.toContain('c0ffee');
  expect(only?.findings[0]?.source).toBe('ADDITIONAL="--nodekeyhex ******"');
});

test('findings are ordered by severity, then place, then rule', () => {
  const at = (id: string, severity: 'high' | 'low', line: number) =>
    judge(factsOf(confOf(['', '', ''])), [
      rule(id, () => decideVerdict([{ ...draft, severity, at: span(line, 1, 2) }])),
    ]).flatMap(({ findings }) => findings);
  const mixed = [...at('d', 'low', 1), ...at('c', 'high', 3), ...at('b', 'high', 2), ...at('a', 'high', 3)];
  expect(orderFindings(mixed).map((one) => one.rule)).toEqual(['b', 'a', 'c', 'd']);
});

test('a listed account is one finding; without ipc it is unknown whether it is unlocked', () => {
  const { bad } = accountsListed.examples;
  const report = judgeTarget(exampleFacts(bad), { failOn: 'high' });
  expect(report.findings.map(({ rule }) => rule)).toEqual(['accounts-listed']);
  expect(report.undetermined.map(({ rule, code }) => [rule, code])).toEqual([
    ['unlocked-account', 'not-asked'],
  ]);
});

test('a report tells how every rule ended, passes too', () => {
  const { checks = [] } = judgeTarget(exampleFacts({ conf: 'DATA_DIR=/srv/kend\nNETWORK=mainnet\n' }), {
    failOn: 'high',
  });
  const of = (id: string) => checks.find(({ rule }) => rule === id)?.verdict;
  expect(checks.length).toBe(rules.length);
  expect([of('public-bind'), of('open-socket')]).toEqual(['pass', 'not-applicable']);
});
