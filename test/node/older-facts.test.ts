/** Facts saved by each version of their format, made by the build of its day, are judged for ever. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Report } from '../../src/node/facts/report.js';
import { kinds } from '../../src/node/kinds/index.js';
import { probesOf } from '../../src/node/probe/probes/index.js';
import { expectValid } from '../peers/report.js';
import { kaiactl } from '../peers/run.js';

const folder = new URL('../../fixtures/facts', import.meta.url).pathname;
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

test('there is one of each version', () => {
  expect(golden).toHaveLength(10);
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
    expect(found).toContain('wildcard-origins WS_ORIGINS');
  }
  const [simulated, running] = targets;
  expect(simulated?.interfaces.filter(({ state }) => state === 'open')).toHaveLength(4);
  // What the process was started with is compared with the conf in every version.
  expect(running?.findings.map(({ rule }) => rule)).toContain('pending-restart');
});

test.each(golden)('%s: what its version did not ask is not seen, never a pass', async (name) => {
  const { targets } = await judged(join(folder, name));
  const reasons = targets.flatMap(({ undetermined }) =>
    undetermined.map(({ code, reason }) => `${code} ${reason}`),
  );
  const unasked = 'not-asked not asked when these facts were saved';
  // The first versions knew no probes of namespaces; in the later ones nothing is left to ask.
  if (Number.parseInt(name, 10) < 6) expect(reasons).toContain(unasked);
  else expect(reasons).not.toContain(unasked);
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
