/** Facts saved by each version of their format, made by the build of its day, are judged for ever. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Finding, Report } from '../../../src/node/facts/report.js';
import { kinds } from '../../../src/node/kinds/index.js';
import { probesOf } from '../../../src/node/probe/probes/index.js';
import { expectValid } from '../../peers/report.js';
import { kaiactl } from '../live.js';

const folder = new URL('../../../fixtures/facts', import.meta.url).pathname;
const golden = readdirSync(folder).sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10));

let folderOfTest = '';
beforeAll(() => {
  folderOfTest = mkdtempSync(join(tmpdir(), 'kaiactl-older-'));
});
afterAll(() => rmSync(folderOfTest, { recursive: true }));

async function judged(file: string): Promise<{ code: number; targets: Report['targets'] }> {
  const words = ['node', 'audit', '--format', 'json', '--facts', file];
  const { code, stdout, stderr } = await kaiactl(words);
  if (stdout === '') throw new Error(stderr);
  return { code, targets: (expectValid(stdout) as Report).targets };
}

test('a file of saved facts exists for each version', () => {
  expect(golden).toHaveLength(11);
});

test.each(golden)('%s: a simulated node and a process beside its conf', async (name) => {
  const { code, targets } = await judged(join(folder, name));
  expect(code).toBe(1);
  for (const { findings, undetermined, conf, kind, kindBy } of targets) {
    expect(undetermined.filter(({ defect }) => defect === true)).toEqual([]);
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
  // What the process was started with is compared with the conf in every version.
  expect(running?.findings.map(({ rule }) => rule)).toContain('pending-restart');
});

test.each(golden)('%s: a probe that its version lacks is unseen, never a pass', async (name) => {
  const { targets } = await judged(join(folder, name));
  const reasons = targets.flatMap(({ undetermined }) =>
    undetermined.map(({ code, reason }) => `${code} ${reason}`),
  );
  const unasked = 'not-asked not asked when these facts were saved';
  // The first versions knew no probes of namespaces; in the later ones nothing is left to ask.
  if (Number.parseInt(name, 10) < 6) expect(reasons).toContain(unasked);
  else expect(reasons).not.toContain(unasked);
});

test.each([
  ['10-kind.json', 'not-asked not asked when these facts were saved'],
  ['11-unlocked.json', null],
])('%s: whether a listed account is unlocked is undetermined where ipc was not asked', async (name, open) => {
  const document = JSON.parse(readFileSync(join(folder, name), 'utf8'));
  for (const target of document.targets)
    for (const { accounts } of target.live.endpoints)
      if (accounts.state === 'seen') accounts.value = ['0x71562b71999873db5b286df957af199ec94617f7'];
  const { targets } = await judged(saved(document));
  const [simulated] = targets;
  const reasons = simulated?.undetermined.filter(({ rule }) => rule === 'unlocked-account') ?? [];
  expect(reasons.map(({ code, reason }) => `${code} ${reason}`)).toEqual(open === null ? [] : [open]);
});

const newest = () => JSON.parse(readFileSync(join(folder, golden.at(-1) ?? ''), 'utf8'));
function saved(document: unknown): string {
  const file = join(folderOfTest, 'facts.json');
  writeFileSync(file, JSON.stringify(document));
  return file;
}

test.each(probesOf(kinds).map((probe) => (probe.fact === 'methods' ? probe.method : probe.fact)))(
  'facts without %s load, as if its probe had been added since',
  async (name) => {
    const document = newest();
    for (const target of document.targets)
      for (const endpoint of target.live.endpoints) {
        delete endpoint[name];
        delete endpoint.methods[name];
      }
    const { targets } = await judged(saved(document));
    expect(targets).toHaveLength(2);
    expect(targets.flatMap(({ undetermined }) => undetermined.filter(({ defect }) => defect))).toEqual([]);
  },
);
