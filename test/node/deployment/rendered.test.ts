/** Kustomizations and charts are read as `kubectl kustomize` and `helm template` render them. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { Report } from '../../../src/node/facts/report.js';
import { kaiactl } from '../../peers/run.js';

const root = new URL('../../../fixtures/deployments', import.meta.url).pathname;
const scratch = mkdtempSync(join(tmpdir(), 'kaiactl-rendered-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).sort();

/** The findings of each workload, without the places, which differ. */
async function findings(path: string, start: string | null): Promise<Record<string, string[]>> {
  const { stdout } = await kaiactl(
    ['node', 'lint', '.', '--exclude', 'expected.json', '--format', 'json', '--min-severity', 'info'],
    { cwd: path },
  );
  const { targets }: Report = JSON.parse(stdout);
  const own = targets.filter(({ name }) => start === null || name.startsWith(start));
  return Object.fromEntries(
    own.map(({ name, findings: found, undetermined }) => [
      name.slice(name.indexOf(': ') + 2),
      [
        ...found.map(({ rule, subject, severity }) => `${rule} ${subject} ${severity}`),
        ...undetermined.map(({ rule, code }) => `${rule} ${code}`),
      ].sort(),
    ]),
  );
}

async function expectSame(folder: string, start: string, rendered: string): Promise<void> {
  const whole = mkdtempSync(join(scratch, 'whole-'));
  writeFileSync(join(whole, 'all.yaml'), rendered, { mode: 0o600 });
  const parts = await findings(join(root, folder), start);
  expect(parts).not.toEqual({});
  expect(parts).toEqual(await findings(whole, null));
}

/** True when a program runs; a test that needs it is skipped otherwise, and vitest says so. */
function runs(...[program = '', ...words]: readonly string[]): boolean {
  return spawnSync(program, words, { stdio: 'ignore' }).status === 0;
}

const isBase = (path: string): boolean =>
  files.some(
    (one) =>
      /kustomization\.yaml$/.test(one) &&
      one !== path &&
      [...readFileSync(join(root, one), 'utf8').matchAll(/[\w./-]+/g)].some(
        ([word]) => join(dirname(one), word) === dirname(path),
      ),
  );

/** Kustomizations that no other one uses. Resources from elsewhere would be downloaded. */
const kustomizations = files.filter(
  (path) =>
    /kustomization\.yaml$/.test(path) &&
    !isBase(path) &&
    !/:\/\//.test(readFileSync(join(root, path), 'utf8')),
);

describe.skipIf(!runs('kubectl', 'version', '--client'))('kubectl kustomize', () => {
  test.each(kustomizations)('%s', async (path) => {
    const [folder = '', ...below] = path.split('/');
    const text = execFileSync('kubectl', ['kustomize', dirname(join(root, path))], { encoding: 'utf8' });
    await expectSame(folder, `${below.join('/')}: `, text);
  });
});

/** Charts whose dependencies are among the files. */
const charts = files.filter(
  (path) => /Chart\.yaml$/.test(path) && !/^dependencies:/m.test(readFileSync(join(root, path), 'utf8')),
);

describe.skipIf(!runs('helm', 'version'))('helm template', () => {
  test.each(charts)('%s', async (path) => {
    const [folder = '', ...below] = dirname(path).split('/');
    const text = execFileSync('helm', ['template', dirname(join(root, path))], { encoding: 'utf8' });
    await expectSame(folder, [...below, 'templates/'].join('/'), text);
  });
});
