import { expect, test } from 'vitest';
import type { Finding } from '../../../../src/node/facts/report.js';
import type { Severity } from '../../../../src/node/facts/severity.js';
import {
  accept,
  type BaselineEntry,
  byFingerprint,
  entriesOf,
  entryFor,
} from '../../../../src/node/judge/suppress/baseline.js';
import { span } from '../facts.js';

function finding(fingerprint: string, over: Partial<Finding> = {}): Finding {
  return {
    rule: 'open-profiler',
    severity: 'high',
    title: 't',
    message: 'm',
    fix: 'f',
    subject: 's',
    at: span(1, 1, 2),
    source: null,
    related: [],
    evidence: null,
    fingerprint,
    suppressed: null,
    ...over,
  };
}
function entry(fingerprint: string, count: number, severity: Severity = 'high'): BaselineEntry {
  return { fingerprint, rule: 'open-profiler', severity, target: 't', subject: 's', at: 'kend.conf', count };
}
const byComment = { reason: 'known', until: null };
const accepted = { reason: 'in the baseline', until: null, baseline: true } as const;
const keyOf = ({ fingerprint }: Finding) => fingerprint;
const named = (target: string) => target;
/** Which of the findings the entries cover. */
const covered = (findings: readonly Finding[], entries: readonly BaselineEntry[], name = 't') =>
  accept({ name, findings }, { entries: byFingerprint(entries), keyOf, named }).map(
    ({ suppressed }) => suppressed?.baseline ?? false,
  );

test('a baseline covers the target that it was written for, and a running one by its endpoint', () => {
  expect(covered([finding('a')], [entry('a', 1)], 'u')).toEqual([false]);
  expect(covered([finding('a', { at: { endpoint: 'http://h:1' } })], [entry('a', 1)], 'u')).toEqual([true]);
});

test.each<[string, string[], number, boolean[]]>([
  ['as many as it holds', ['a', 'a'], 2, [true, true]],
  ['no more than it holds', ['a', 'a', 'a'], 2, [true, true, false]],
  ['a single one of two', ['a', 'a'], 1, [true, false]],
  ['none where it holds none', ['a'], 0, [false]],
  ['nothing else', ['b', 'a'], 2, [false, true]],
])('a baseline covers %s', (_, fingerprints, count, expected) => {
  expect(
    covered(
      fingerprints.map((one) => finding(one)),
      [entry('a', count)],
    ),
  ).toEqual(expected);
});

test('each fingerprint is counted separately', () => {
  const findings = ['a', 'b', 'a', 'b'].map((one) => finding(one));
  expect(covered(findings, [entry('a', 1), entry('b', 2)])).toEqual([true, true, false, true]);
});

test.each<[Severity, boolean]>([
  ['critical', false],
  ['high', true],
  ['low', true],
])('a finding accepted as high is covered as %s: %s', (severity, expected) => {
  expect(covered([finding('a', { severity })], [entry('a', 1)])).toEqual([expected]);
});

test('suppressed and worsened findings use up no entry', () => {
  const findings = [
    finding('a', { suppressed: byComment }),
    finding('a', { severity: 'critical' }),
    finding('a'),
  ];
  const result = accept({ name: 't', findings }, { entries: byFingerprint([entry('a', 1)]), keyOf, named });
  expect(result.map(({ suppressed }) => suppressed)).toEqual([byComment, null, accepted]);
});

test('entries count open findings and those a baseline covers, not those of a comment', () => {
  const findings = [
    finding('a', { suppressed: accepted }),
    finding('a'),
    finding('a', { suppressed: byComment }),
    finding('b', { severity: 'low', at: { endpoint: 'http://node' } }),
  ];
  const named = (place: string) => `named ${place}`;
  const one = { ...entry('a', 2), target: 'named t', at: 'named kend.conf' };
  expect(entriesOf({ name: 't', findings }, keyOf, named)).toEqual([
    one,
    one,
    { ...one, fingerprint: 'b', severity: 'low', at: 'named http://node', count: 1 },
  ]);
});

test('the largest count of several entries of one fingerprint applies in any order', () => {
  for (const counts of [
    [1, 3, 2],
    [3, 1],
  ])
    expect(
      entryFor(
        counts.map((count) => entry('a', count)),
        finding('a'),
        't',
      )?.count,
    ).toBe(3);
});
