/** Facts, a baseline and a report of version 1, as released: every later version reads them. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Finding, Report } from '../../../src/node/facts/report.js';
import { kinds } from '../../../src/node/kinds/index.js';
import { probesOf } from '../../../src/node/probe/probes/index.js';
import { expectValid } from '../../peers/report.js';
import { kaiactl } from '../../peers/run.js';

const written = (name: string) => new URL(`../../../fixtures/version-1/${name}`, import.meta.url).pathname;
const facts = written('facts.json');
const [baseline, report] = [written('baseline.json'), written('report.json')];

let folder = '';
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'kaiactl-written-'));
  // With KAIACTL_TEST_WRITE, missing files are written: only before a release, which fixes them.
  if (process.env.KAIACTL_TEST_WRITE === undefined || existsSync(report)) return;
  await kaiactl(['node', 'audit', '--facts', facts, '--report', `json=${report}`]);
  await kaiactl(['node', 'audit', '--facts', facts, '--write-baseline', baseline]);
});
afterAll(() => rmSync(folder, { recursive: true }));

async function judged(...words: string[]): Promise<{ code: number; targets: Report['targets'] }> {
  const { code, stdout, stderr } = await kaiactl(['node', 'audit', '--format', 'json', ...words]);
  if (stdout === '') throw new Error(stderr);
  return { code, targets: (expectValid(stdout) as Report).targets };
}

test('facts: a simulated node and a process beside its conf', async () => {
  const { code, targets } = await judged('--facts', facts);
  expect(code).toBe(1);
  for (const { findings, undetermined, conf, kind, kindBy } of targets) {
    expect(undetermined.filter(({ defect }) => defect === true)).toEqual([]);
    expect(undetermined.map(({ reason }) => reason)).not.toContain('not asked when these facts were saved');
    expect(conf).toMatchObject({ launcher: 'kend', package: 'tar' });
    expect({ kind, kindBy }).toEqual({ kind: 'kaia', kindBy: 'answer' });
    const found = findings.map(({ rule, subject }) => `${rule} ${subject}`);
    expect(found).toContain('unsafe-debug http debug');
    expect(found).toContain('privileged-module http personal');
    // The process beside its conf does not serve ws yet.
    const later = findings.flatMap(({ evidence }) => (evidence?.afterRestart ?? []) as Finding[]);
    const whenever = [...found, ...later.map(({ rule, subject }) => `${rule} ${subject}`)];
    expect(whenever).toContain('wildcard-origins WS_ORIGINS');
  }
  const [simulated, running] = targets;
  expect(simulated?.interfaces.filter(({ state }) => state === 'open')).toHaveLength(4);
  expect(running?.findings.map(({ rule }) => rule)).toContain('pending-restart');
});

test('a baseline accepts every finding of its facts', async () => {
  const { code, targets } = await judged('--facts', facts, '--baseline', baseline);
  // What could not be seen stays open.
  expect(code).toBe(3);
  const open = targets.flatMap(({ findings }) => findings.filter(({ suppressed }) => suppressed === null));
  expect(open).toEqual([]);
});

test('a report is rendered and compared with one of today', async () => {
  const today = join(folder, 'today.json');
  await kaiactl(['node', 'audit', '--facts', facts, '--report', `json=${today}`]);
  const { code, stdout, stderr } = await kaiactl(['report', 'diff', report, today]);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toContain('Nothing changed.');
});

test.each(probesOf(kinds).map((probe) => (probe.fact === 'methods' ? null : probe.fact)))(
  'facts without the probe of %s are refused, not judged as if it had passed',
  async (name) => {
    if (name === null) return;
    const document = JSON.parse(readFileSync(facts, 'utf8'));
    for (const target of document.targets)
      for (const endpoint of target.live.endpoints) delete endpoint[name];
    const file = join(folder, 'facts.json');
    writeFileSync(file, JSON.stringify(document));
    const { code, stderr } = await kaiactl(['node', 'audit', '--facts', file]);
    expect([code, stderr]).toEqual([2, expect.stringContaining('does not hold facts')]);
  },
);
