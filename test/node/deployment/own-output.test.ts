/** What kaiactl wrote into a folder is no input of its next run. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isOwnOutput } from '../../../src/node/deployment/own-output.js';
import type { Report } from '../../../src/node/facts/report.js';
import { kaiactl } from '../offline.js';

const compose = `services:
  n:
    image: ethereum/client-go:v1.13.14
    command: --http --http.addr 0.0.0.0 --http.api eth,admin
    ports: ["8545:8545"]
`;

const formats =
  'text concise json ndjson sarif junit github gitlab checkstyle markdown html csv rdjson'.split(' ');

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'kaiactl-own-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'compose.yaml'), compose);
  mkdirSync(join(folder, 'out'));
  return folder;
}

async function lint(cwd: string, ...more: readonly string[]) {
  const { stdout, stderr } = await kaiactl(['node', 'lint', '.', '--format', 'json', ...more], { cwd });
  return { report: JSON.parse(stdout) as Report, stderr };
}

test.each(formats)('a report in %s that lies in the folder is skipped', async (format) => {
  const cwd = makeFolder();
  const { stdout } = await kaiactl(['node', 'lint', '.', '--format', format], { cwd });
  writeFileSync(join(cwd, 'out', `report.${format}`), stdout);
  const { report } = await lint(cwd);
  expect(report.targets.map(({ name }) => name)).toEqual(['compose.yaml: n']);
  expect(report.targets[0]?.undetermined).toEqual([]);
});

test('a baseline and saved facts are skipped, and --verbose says so', async () => {
  const cwd = makeFolder();
  await kaiactl(['node', 'lint', '.', '--write-baseline', 'out/baseline.json'], { cwd });
  const { report, stderr } = await lint(cwd, '--verbose');
  expect(report.targets.map(({ name }) => name)).toEqual(['compose.yaml: n']);
  expect(stderr).toContain('1 file that kaiactl wrote: skipped:');
});

test('the original that a fix keeps is skipped beside the fixed file, and read without it', async () => {
  const cwd = makeFolder();
  await kaiactl(['node', 'lint', '.', '--fix', '--unsafe-fixes', '--backup'], { cwd });
  const { report } = await lint(cwd);
  expect([report.summary.critical, report.targets.map(({ name }) => name)]).toEqual([0, ['compose.yaml: n']]);
  rmSync(join(cwd, 'compose.yaml'));
  expect((await lint(cwd)).report.summary.critical).toBe(1);
});

test('a start with the header of a report in a comment is judged', async () => {
  const cwd = makeFolder();
  writeFileSync(join(cwd, 'compose.yaml'), `# {"schema":"kaiactl/report-1"}\n${compose}`);
  const { report } = await lint(cwd);
  expect(report.summary.critical).toBe(1);
});

test.each(['{"schema":"other/report-1"}', 'geth --http', '<testsuites name="vitest">', 'target,role\n'])(
  '%j is not output of kaiactl',
  (text) => {
    expect(isOwnOutput(text)).toBe(false);
  },
);
