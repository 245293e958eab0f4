/** Targets as lines of ndjson, and back. */
import { text as collected } from 'node:stream/consumers';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import type { Report, TargetReport } from '../../../src/node/facts/report.js';
import { kinds } from '../../../src/node/kinds/index.js';
import { LineReader, LineWriter, lineSchema, ndjson } from '../../../src/node/report/ndjson.js';
import { fleetReport, fullReport, hostileReport, reportOf, targetOf } from './reports.js';
import { sampleReport } from './sample.js';

const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true });
addFormats.default(ajv);
const valid = ajv.compile(lineSchema(kinds));

async function linesOf(report: Report): Promise<Record<string, unknown>[]> {
  const text = await collected(ndjson(report, { columns: 80, verbose: false, kinds }));
  expect(text.endsWith('\n')).toBe(true);
  return text
    .slice(0, -1)
    .split('\n')
    .map((line) => JSON.parse(line));
}

/** What a line tells of a target: its checks by verdict, without those that did not apply. */
function told({ checks, ...target }: TargetReport): TargetReport {
  if (checks === undefined) return target;
  const applied = checks.filter(({ verdict }) => verdict !== 'not-applicable');
  const verdicts = [...new Set(applied.map(({ verdict }) => verdict))];
  return { ...target, checks: verdicts.flatMap((one) => applied.filter(({ verdict }) => verdict === one)) };
}

const down = targetOf((what) => what, 'en-2', { last: targetOf((what) => what, 'en-2') });
const reports: [string, Report][] = [
  ['full', fullReport()],
  ['hostile', hostileReport()],
  ['empty', reportOf([])],
  ['judged', sampleReport()],
  ['of a fleet', fleetReport(40)],
  ['of a node that is down', reportOf([down])],
];

test.each(reports)(
  'a %s report has a valid line for each target, and its summary last',
  async (_name, report) => {
    const lines = await linesOf(report);
    for (const line of lines) {
      valid(line);
      expect(valid.errors).toBeNull();
    }
    const { targets, ...head } = JSON.parse(JSON.stringify(report));
    expect(lines).toHaveLength(targets.length + 1);
    expect(lines.at(-1)).toEqual({ ...head, schema: 'kaiactl/report-lines-1' });
  },
);

test('the schema notices what is wrong', async () => {
  const [target, last] = (await linesOf(fullReport())) as [object, object];
  for (const wrong of [{ verdict: 'fine' }, { as: 0 }, { checks: [] }, { undetermined: [{ rule: 'a' }] }])
    expect([wrong, valid({ ...target, ...wrong })]).toEqual([wrong, false]);
  expect(valid({ ...last, schema: 'kaiactl/report-1' })).toBe(false);
});

test.each(reports)('the targets of a %s report are read from its lines', async (_name, report) => {
  const lines = await linesOf(report);
  const reader = new LineReader();
  const targets = lines.slice(0, -1).map((line) => reader.target(line, JSON.stringify(line).length));
  expect(targets).toEqual(JSON.parse(JSON.stringify(report.targets.map(told))));
});

describe('a line', () => {
  const release = { value: 'kaia/v2.2.1', since: 'kaia/v2.2.1', until: 'kaia/v2.2.1', by: 'client' } as const;
  const line = (over: Partial<TargetReport>) =>
    JSON.parse(new LineWriter().target(targetOf((what) => what, 'en-1', over)));

  test('lacks nulls, the range of a known release, and checks that did not apply', () => {
    const checks = [
      { rule: 'a', verdict: 'pass' },
      { rule: 'b', verdict: 'not-applicable' },
      { rule: 'c', verdict: 'undetermined' },
    ] as const;
    const one = line({ role: null, conf: null, release, checks });
    expect(one).not.toHaveProperty('role');
    expect(one).not.toHaveProperty('conf');
    expect(one.release).toEqual({ value: 'kaia/v2.2.1', by: 'client' });
    expect(one.checks).toEqual({ pass: ['a'], undetermined: ['c'] });
    const range = { ...release, since: 'kaia/v2.2.0' };
    expect(line({ release: range }).release).toEqual(range);
  });

  test('names rules in a row that are undetermined for one reason together', () => {
    const late = { code: 'timeout', about: null, reason: 'late' } as const;
    const undetermined = [
      { rule: 'a', ...late },
      { rule: 'b', ...late },
      { rule: 'c', ...late, reason: 'later' },
      { rule: 'd', ...late },
    ];
    expect(line({ undetermined }).undetermined).toEqual([
      { rules: ['a', 'b'], code: 'timeout', reason: 'late' },
      { rules: ['c'], code: 'timeout', reason: 'later' },
      { rules: ['d'], code: 'timeout', reason: 'late' },
    ]);
  });

  test('refers to the first line with the same checks', () => {
    const writer = new LineWriter();
    const all = [targetOf((what) => what, 'a'), targetOf((what) => what, 'b', { checks: [] })];
    const [first, second, third] = [...all, all[0]!].map((one) => JSON.parse(writer.target(one)));
    expect([first.as, second.as, third.as]).toEqual([undefined, undefined, 1]);
    expect(third).not.toHaveProperty('checks');
  });
});

describe('lines that nobody wrote', () => {
  const target = targetOf((what) => what);

  test('a reference to no earlier line leaves what is no list of checks', () => {
    const reader = new LineReader();
    for (const as of [1, 0, -1, '1', {}, 7]) {
      const { checks: _, ...rest } = target;
      expect(reader.target({ ...rest, as }, 100).checks).not.toEqual(target.checks);
    }
  });

  test('lists of a line make no target that is much longer', () => {
    const entry = { rules: Array(1000).fill('a'), code: 'timeout', reason: 'x'.repeat(1 << 20) };
    const read = new LineReader().target({ ...target, undetermined: [entry, entry] } as never, 1 << 21);
    expect(read.undetermined).toMatchObject([{ rules: entry.rules }, { rules: entry.rules }]);
  });

  test.each([null, 1, 'x', [1], { pass: 1 }, { pass: [{}] }])('checks may be %j', (checks) => {
    expect(() =>
      new LineReader().target({ ...target, checks, undetermined: checks } as never, 100),
    ).not.toThrow();
  });
});
