/** Parts are read as the programs render them: `kubectl kustomize`, `helm template` and `docker compose config`. */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { lintIn } from './lint-in.js';

const root = new URL('../../../fixtures/deployments', import.meta.url).pathname;
const scratch = mkdtempSync(join(tmpdir(), 'kaiactl-rendered-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).sort();

/** The findings of each workload, without the places, which differ. */
async function findings(path: string, start: string | null): Promise<Record<string, string[]>> {
  const { targets } = await lintIn(path, '--min-severity', 'info');
  const own = targets.filter(({ name }) => start === null || name.startsWith(start));
  return Object.fromEntries(
    own.map(({ name, findings: found, shared = [], undetermined }) => [
      name.slice(name.indexOf(': ') + 2),
      [
        ...[...found, ...shared].map(({ rule, subject, severity }) => `${rule} ${subject} ${severity}`),
        ...undetermined.map(({ rule, code }) => `${rule} ${code}`),
      ].sort(),
    ]),
  );
}

/** `suffix`: the end of the names of the nodes that these values start. */
async function expectSame(folder: string, start: string, rendered: string, suffix = ''): Promise<void> {
  const whole = mkdtempSync(join(scratch, 'whole-'));
  writeFileSync(join(whole, 'all.yaml'), rendered, { mode: 0o600 });
  const all = Object.entries(await findings(join(root, folder), start));
  const own = all.filter(([name]) => (suffix === '' ? !name.includes(' (with ') : name.endsWith(suffix)));
  const parts = Object.fromEntries(
    own.map(([name, said]) => [name.slice(0, name.length - suffix.length), said]),
  );
  expect(parts).not.toEqual({});
  expect(parts).toEqual(await findings(whole, null));
}

/** True when a program runs; otherwise the tests that need it are skipped. */
function runs(...[program = '', ...words]: readonly string[]): boolean {
  if (spawnSync(program, words, { stdio: 'ignore' }).status === 0) return true;
  process.stderr.write(
    `SKIPPED: deployments as ${program} renders them: ${program} ${words[0]} is not installed\n`,
  );
  return false;
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

/** Kustomizations that no other one uses. Resources from elsewhere would be downloaded, and a broken one is rejected. */
const kustomizations = files.filter(
  (path) =>
    /kustomization\.yaml$/.test(path) &&
    !isBase(path) &&
    !/:\/\/|\[$/m.test(readFileSync(join(root, path), 'utf8')),
);

describe.skipIf(!runs('kubectl', 'version', '--client'))('kubectl kustomize', () => {
  test.each(kustomizations)('%s', async (path) => {
    const [folder = '', ...below] = path.split('/');
    const text = execFileSync('kubectl', ['kustomize', dirname(join(root, path))], { encoding: 'utf8' });
    await expectSame(folder, `${below.join('/')}: `, text);
  });
});

/** Charts whose dependencies and values are in their folder, with each of the files of values; a parent renders its subcharts. */
const charts = files
  .filter(
    (path) =>
      /Chart\.yaml$/.test(path) &&
      !path.startsWith('k8s-helm-elsewhere/') &&
      !/\/charts\/[^/]+\/Chart\.yaml$/.test(path) &&
      (!/^dependencies:/m.test(readFileSync(join(root, path), 'utf8')) ||
        existsSync(join(root, dirname(path), 'charts'))),
  )
  .flatMap((path) => {
    const others = readdirSync(join(root, dirname(path))).filter((name) => /^values-.*\.yaml$/.test(name));
    return [null, ...others].map((values) => [dirname(path), values] as const);
  });

describe.skipIf(!runs('helm', 'version'))('helm template', () => {
  test.each(charts)('%s with %s', async (chart, values) => {
    const [folder = '', ...below] = chart.split('/');
    const own = values === null ? [] : ['-f', join(root, chart, values)];
    const text = execFileSync('helm', ['template', join(root, chart), ...own], { encoding: 'utf8' });
    const suffix = values === null ? '' : ` (with ${values})`;
    await expectSame(folder, below.map((name) => `${name}/`).join(''), text, suffix);
  });
});

/** Compose projects: a folder, and lists of files where commands name them. */
const lists: Readonly<Record<string, readonly (readonly string[])[]>> = {
  'compose-selected': [
    ['docker-compose.yml', 'docker-compose.prod.yml'],
    ['docker-compose.yml', 'docker-compose.debug.yml'],
  ],
};
/** Compose refuses a missing env_file, and repeats an anchor's secret in every service. */
const notCompared = new Set(['compose-volume', 'secret-anchor']);
const projects = files
  .filter((path) => /^[^/]+\/(?:docker-)?compose\.ya?ml$/.test(path))
  .flatMap((path) => (lists[dirname(path)] ?? [[]]).map((list) => [dirname(path), list] as const))
  .filter(([folder]) => !notCompared.has(folder));
/** Version 1 does not read what these projects use. */
const isRecent = ([program = '', ...words]: readonly string[]): boolean =>
  /^v?[2-9]/.test(spawnSync(program, [...words, 'version', '--short'], { encoding: 'utf8' }).stdout ?? '');
const compose = [['docker-compose'], ['docker', 'compose']].find(
  (words) => runs(...words, 'version') && isRecent(words),
);

describe.skipIf(compose === undefined)('docker compose config', () => {
  test.each(projects)('%s %j', async (folder, list) => {
    const [program = '', ...words] = compose ?? [];
    const whole = join(mkdtempSync(join(scratch, 'whole-')), folder);
    cpSync(join(root, folder), whole, { recursive: true });
    const options = list.flatMap((path) => ['-f', path]);
    const text = execFileSync(program, [...words, ...options, 'config'], { cwd: whole, encoding: 'utf8' });
    for (const path of readdirSync(whole, { recursive: true, encoding: 'utf8' }))
      if (/compose|\.env$|\.sh$|Makefile/.test(path) && !/start\.sh$|entrypoint\.sh$/.test(path))
        rmSync(join(whole, path), { recursive: true, force: true });
    writeFileSync(join(whole, 'compose.yaml'), text);
    const [, ...others] = list;
    const suffix = others.length === 0 ? '' : ` (with ${others.join(', ')})`;
    const parts = await findings(join(root, folder), null);
    const own = Object.entries(parts).filter(([name]) => name.endsWith(suffix));
    expect(own).not.toEqual([]);
    expect(
      Object.fromEntries(own.map(([name, said]) => [name.slice(0, name.length - suffix.length), said])),
    ).toEqual(await findings(whole, 'compose.yaml'));
  });
});
