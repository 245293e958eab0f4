/** A survey as a table with a plot, and as a page: counts by the hour, and no markup of others. */
import { expect, test } from 'vitest';
import { overviewPage } from '../../../src/survey/commands/overview-page.js';
import { everyHour, overviewRows, overviewText } from '../../../src/survey/commands/overview-text.js';
import { overview } from '../../../src/survey/server/overview.js';
import type { Policy } from '../../../src/survey/store/policies.js';

const policy: Policy = {
  onePerUser: true,
  scheme: 'eip712',
  closesAt: Date.parse('2026-12-31T18:00Z'),
  maxMembers: 50_000,
  allowlist: false,
};
const at = Date.parse('2026-11-23T18:40Z');
const thisHour = Math.floor(at / 3_600_000);
const about = {
  survey: '0x6b6664134a7bf5A4519B95bC2331bC8405633d4f',
  groupId: '0',
  closed: false,
  policy,
  payments: { disputed: 2 },
  at,
};
const counted = (joins: readonly number[], refused: readonly [string, number][] = []) => [
  ...joins.map((count, n) => ({ hour: thisHour - joins.length + 1 + n, outcome: 'accepted', count })),
  ...refused.map(([outcome, count]) => ({ hour: thisHour, outcome, count })),
];
const small = overview(
  { ...about, members: 30 },
  counted(
    [2, 8, 20],
    [
      ['ALREADY_JOINED', 3],
      ['<b>x', 9],
    ],
  ),
);

test('joins are counted by day and in all, refusals by reason', () => {
  expect(small).toMatchObject({
    joinsToday: 30,
    joinsCounted: 30,
    lastJoin: '2026-11-23T18Z',
    refusals: [
      { reason: '<b>x', count: 9 },
      { reason: 'ALREADY_JOINED', count: 3 },
    ],
    hours: [
      { hour: '2026-11-23T16Z', joins: 2, refused: 0 },
      { hour: '2026-11-23T17Z', joins: 8, refused: 0 },
      { hour: '2026-11-23T18Z', joins: 20, refused: 12 },
    ],
  });
  const long = overview({ ...about, members: 1 }, counted(Array.from({ length: 30 }, () => 1)));
  expect(long).toMatchObject({ joinsToday: 19, joinsCounted: 30 });
  expect(overviewRows(small).split('\n').slice(0, 2)).toEqual(['hour,joins,refused', '2026-11-23T16Z,2,0']);
});

test('a survey is printed as a table with a plot', () => {
  expect(overviewText(small, 80).split('\n')).toEqual([
    'survey                     0x6b6664134a7bf5A4519B95bC2331bC8405633d4f',
    'state                      open',
    'members                    30',
    'joins today                30 (UTC)',
    'joins counted              30',
    'last join                  2026-11-23 18h UTC',
    'joins per user             one',
    'signatures                 eip712',
    'closes at                  2026-12-31T18:00Z',
    'limit of members           50,000',
    'who may join               everybody',
    'payments disputed (store)  2',
    'refused: <b>x              9',
    'refused: ALREADY_JOINED    3',
    '',
    'joins per hour (UTC)',
    ' 20   █',
    '      █',
    '      █',
    '     ▃█',
    '     ██',
    '  0 ▅██',
    '    11-23 16h to 11-23 18h',
    '',
  ]);
});

test.each([80, 40, 20])('no line is wider than %i columns, for any number of joins', (width) => {
  for (const hours of [[], [0], [1], Array.from({ length: 500 }, (_, n) => n * 1000)]) {
    const text = overviewText(overview({ ...about, members: 50_000 }, counted(hours)), width);
    const plot = text.slice(text.indexOf('\n\n'));
    expect(plot.split('\n').filter((line) => line.length > Math.max(width, 31))).toEqual([]);
  }
  const none = overviewText(overview({ ...about, members: 0 }, []), width);
  expect(none).toContain('no joins were counted yet');
});

test('hours without joins are shown, up to now', () => {
  const [first] = counted([5]);
  const later = {
    ...overview({ ...about, members: 5 }, first === undefined ? [] : [first]),
    at: at + 3 * 3_600_000,
  };
  expect(everyHour(later, 10).map(({ joins }) => joins)).toEqual([5, 0, 0, 0]);
  expect(everyHour(later, 2).map(({ joins }) => joins)).toEqual([0, 0]);
});

test('the page needs no network and no script, and escapes what others wrote', () => {
  const page = overviewPage(small);
  expect(page).toContain("default-src 'none'; style-src 'sha256-");
  expect(page).not.toMatch(/<script|https?:|<b>x/);
  expect(page).toContain('&lt;b&gt;x');
  expect(page.match(/<rect /g)).toHaveLength(3);
  expect(page).toContain('<h1>30 members · <span class="open">open</span></h1>');
  const none = overviewPage(overview({ ...about, members: 0, closed: true }, []));
  expect(none).toContain('<h1>0 members · <span class="closed">closed</span></h1>');
  expect(none).not.toMatch(/<rect |NaN|Infinity/);
});
