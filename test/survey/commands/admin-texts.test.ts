/** What an admin's action is said to have done. */
import { expect, test } from 'vitest';
import { adminReport } from '../../../src/survey/commands/admin-report.js';
import { formatAdded, formatChanged } from '../../../src/survey/commands/admin-texts.js';

const survey = '0x6b6664134a7bf5A4519B95bC2331bC8405633d4f';

test.each([
  [true, 'was served already'],
  [false, 'is added'],
  [undefined, 'is added'],
])('a survey that is added, known before: %s', (wasKnown, said) => {
  expect(formatAdded({ survey, wasKnown }).text).toBe(
    `survey ${survey} ${said}; it gets the policy of its server’s options\n`,
  );
});

test('a list that replaces another is told, also where the policy is as before', () => {
  const before = { onePerUser: true, scheme: 'any', closesAt: null, maxMembers: null, allowlist: true };
  const said = (listed?: number) => formatChanged({ survey, before, after: before, listed }).text;
  expect(said(2)).toBe(`survey ${survey}: its list is replaced: 2 names\n`);
  expect(said()).toBe(`survey ${survey}: nothing changed\n`);
});

test.each([
  ['list', 'surveys'],
  ['payments', 'payments'],
  ['outcomes', 'outcomes'],
  ['log', 'entries'],
] as const)('%s without rows says so', (report, rows) => {
  const { text, csv } = adminReport(report, { [rows]: [] });
  expect({ text, lines: csv.split('\n').length }).toEqual({ text: `no ${rows}\n`, lines: 2 });
});
