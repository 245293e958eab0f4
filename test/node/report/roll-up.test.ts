import { text as collected } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import type { Finding, TargetReport } from '../../../src/node/facts/report.js';
import type { Severity } from '../../../src/node/facts/severity.js';
import { kinds } from '../../../src/node/kinds/index.js';
import type { Render } from '../../../src/node/report/format.js';
import { html } from '../../../src/node/report/html.js';
import { markdown } from '../../../src/node/report/markdown.js';
import { countsOf, rollUp, whichOf, worstFirst } from '../../../src/node/report/roll-up.js';
import { reportOf, targetOf } from './reports.js';

/** Targets t0, t1, … with findings of one rule, each of these severities. */
function targets(...severities: readonly (readonly Severity[])[]): TargetReport[] {
  return severities.map((some, at) => {
    const target = targetOf((what) => what, `t${at}`);
    const [finding] = target.findings as [Finding];
    const findings = some.map((severity) => ({
      ...finding,
      rule: 'wildcard-origins',
      severity,
      suppressed: null,
    }));
    const fails = some.includes('critical') || some.includes('high');
    return { ...target, findings, undetermined: [], verdict: fails ? 'fail' : 'pass' } as TargetReport;
  });
}

test('targets are counted by the worst of their findings of a rule', async () => {
  const { causes } = await rollUp(reportOf(targets(['low', 'critical'], ['medium'], ['medium', 'low'], [])));
  expect(causes.map((one) => [one.count, countsOf(one)])).toEqual([[3, '1 critical · 2 medium']]);
});

test.each<[string, readonly (readonly Severity[])[], string]>([
  ['all', [['low'], ['low']], 'all'],
  ['few exceptions are named', [...Array(8).fill(['low']), [], [], []], 'all but t8, t9, t10'],
  ['many are not', [...Array(8).fill(['low']), [], [], [], []], 't0, t1, t2, t3 and 4 more'],
  [
    'of several severities those with the worst',
    [['low'], ['high'], ['low'], ['high'], ['medium']],
    't1, t3',
  ],
])('%s', async (_name, severities, expected) => {
  const given = targets(...severities);
  const all = await rollUp(reportOf(given));
  expect(whichOf(all.causes[0]!, all, 4, (name) => name)).toBe(expected);
});

test('the worst targets come first, in their own order otherwise', async () => {
  const given = targets([], ['medium'], ['critical'], ['high'], ['critical'], ['low']);
  const report = reportOf(given);
  const order: string[] = [];
  for await (const { name } of worstFirst(report.targets, await rollUp(report))) order.push(name);
  expect(order).toEqual(['t2', 't4', 't3', 't1', 't5', 't0']);
});

test('targets are counted by severity, whatever the number of their findings', async () => {
  const given = targets(['critical', 'critical', 'low'], ['critical'], ['low'], []);
  const [first, ...others] = given as [TargetReport, ...TargetReport[]];
  const findings = first.findings.map((one, at) =>
    at === 2 ? { ...one, suppressed: { reason: 'known', by: 'comment' } } : one,
  ) as unknown as Finding[];
  const { having } = await rollUp(reportOf([{ ...first, findings }, ...others]));
  expect(having).toEqual({
    critical: 2,
    high: 0,
    medium: 0,
    low: 1,
    info: 0,
    suppressed: 1,
    undetermined: 0,
  });
});

test.each<[string, Render, RegExp]>([
  ['the tiles of the page', html, /<b>2<\/b>critical/],
  ['the table of Markdown', markdown, /\| targets with \| critical .*\n.*\n\| +\| 2 /],
])('%s count targets, not findings', async (_name, render, expected) => {
  const given = reportOf(targets(['critical', 'critical', 'low'], ['critical'], ['low']));
  expect(await collected(render(given, { columns: 80, verbose: false, kinds }))).toMatch(expected);
});
