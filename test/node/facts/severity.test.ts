import { expect, test } from 'vitest';
import {
  atLeast,
  type FailOn,
  fails,
  isWhole,
  mostSevere,
  narrower,
  type Severity,
  severities,
  wider,
} from '../../../src/node/facts/severity.js';

const failing = (failOn: FailOn, suppressed: object | null, of: typeof fails) =>
  severities.filter((severity) => of({ severity, suppressed }, failOn)).join();

test.each<[FailOn, fails: string, whole: string]>([
  ['critical', 'critical', 'critical'],
  ['medium', 'critical,high,medium', 'critical,high,medium'],
  ['info', severities.join(), severities.join()],
  ['none', '', 'critical,high'],
])('with --fail-on %s, %s fail the run and %s are shown whole', (failOn, failed, whole) => {
  expect(failing(failOn, null, fails)).toBe(failed);
  expect(failing(failOn, null, isWhole)).toBe(whole);
  expect(failing(failOn, {}, fails) + failing(failOn, {}, isWhole)).toBe('');
  if (failOn !== 'none') expect(severities.filter((one) => atLeast(one, failOn)).join()).toBe(failed);
});

test.each<[Severity[], Severity]>([
  [['low'], 'low'],
  [['low', 'high', 'medium'], 'high'],
  [['critical', 'info'], 'critical'],
])('of %j, %s is the most severe', (all, expected) => {
  expect(mostSevere(all)).toBe(expected);
});

test('of two reaches the wider and the narrower', () => {
  const all = [null, 'loopback', 'private', 'any'] as const;
  const pairs = all.flatMap((a, one) =>
    all.map((b, two) => ({ a, b, high: all[Math.max(one, two)], low: all[Math.min(one, two)] })),
  );
  for (const { a, b, high, low } of pairs) expect([wider(a, b), narrower(a, b)]).toEqual([high, low]);
});
