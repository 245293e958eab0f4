/** JUnit XML: which findings fail. */
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import type { FailOn } from '../../../src/node/facts/severity.js';
import { kinds } from '../../../src/node/kinds/index.js';
import { formats } from '../../../src/node/report/index.js';
import { fullReport, reportOf, targetOf } from './reports.js';

async function failures(own: FailOn | undefined, ofRun: FailOn): Promise<number> {
  const { findings } = targetOf((what) => what);
  const high = findings.slice(0, 1).map((one) => ({ ...one, severity: 'high', suppressed: null }) as const);
  const target = targetOf((what) => what, 'en-1', {
    findings: high,
    undetermined: [],
    ...(own === undefined ? {} : { failOn: own }),
  });
  const report = { ...fullReport(), ...reportOf([target]), failOn: ofRun };
  const xml = await text((await formats.junit!(false))(report, { columns: 80, verbose: false, kinds }));
  return xml.match(/<failure /g)?.length ?? 0;
}

test.each<[FailOn | undefined, FailOn, number]>([
  [undefined, 'high', 1],
  [undefined, 'critical', 0],
  ['critical', 'low', 0],
  ['medium', 'none', 1],
])('a high finding of a target that fails at %s, in a run that fails at %s: %d failures', async (...row) => {
  const [own, ofRun, count] = row;
  expect(await failures(own, ofRun)).toBe(count);
});
