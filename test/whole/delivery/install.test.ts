/** Every way to get kaiactl runs this checkout: nothing asks a registry for a package of that name. */
import { execFile, execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';

const root = new URL('../../..', import.meta.url).pathname;
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'kaiactl-install-'));
const clone = join(folder, 'clone');
const prefix = join(folder, 'prefix');

/** Names of packages that npm asked the registry for. */
const asked: string[] = [];
let registry: Server;

beforeAll(async () => {
  const absent = new Set(['.git', 'coverage', 'dist', 'node_modules'].map((name) => join(root, name)));
  cpSync(root, clone, { recursive: true, filter: (path) => !absent.has(path) });
  // A build there keeps its own list of chunks.
  mkdirSync(join(clone, 'node_modules'));
  for (const name of readdirSync(join(root, 'node_modules')))
    if (name !== '.cache') symlinkSync(join(root, 'node_modules', name), join(clone, 'node_modules', name));
  // The packages are behind links, and `npm ci` would remove them.
  mkdirSync(join(folder, 'bin'));
  const npm = execFileSync('sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).trim();
  writeFileSync(join(folder, 'bin/npm'), `#!/bin/sh\n[ "$1" = ci ] && exit 99\nexec "${npm}" "$@"\n`);
  chmodSync(join(folder, 'bin/npm'), 0o755);
  registry = createServer(({ url = '' }, response) => {
    asked.push(decodeURIComponent(url.slice(1)));
    response.writeHead(404).end('{}');
  });
  await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  registry.close();
  rmSync(folder, { recursive: true, force: true });
});

/** What a script prints that runs with npm's cache and registry empty. */
async function inClone(script: string, env: Readonly<Record<string, string>> = {}, cwd = clone) {
  const { port } = registry.address() as AddressInfo;
  const npm = { npm_config_registry: `http://127.0.0.1:${port}`, npm_config_prefix: prefix };
  const quiet = { npm_config_update_notifier: 'false' };
  const path = { PATH: `${folder}/bin:${prefix}/bin:${process.env.PATH}`, HOME: folder };
  return promisify(execFile)('bash', ['-eo', 'pipefail', '-c', script], {
    cwd,
    env: { ...npm, ...quiet, ...path, ...env },
  });
}

/** The commands of a page that install kaiactl, without their comments. */
function commands(page: string): string {
  const [, block = ''] = /```sh\n(npm pack\b[\s\S]*?)```/.exec(read(page)) ?? [];
  return block.replace(/ *#.*/g, '');
}

/** Installs and builds a checkout, which takes long: `npm run test:install`. */
const installing = test.skipIf(process.env.KAIACTL_TEST_LONG === undefined);

installing('the action builds the checkout it comes from, and runs it', async () => {
  const [step] = parse(read('action.yml')).runs.steps;
  const inputs = { PATHS: '.', FAIL_ON: 'none', RUNNER_TEMP: folder, GITHUB_OUTPUT: join(folder, 'output') };
  const summary = { GITHUB_STEP_SUMMARY: join(folder, 'summary'), GITHUB_ACTION_PATH: clone };
  const { stdout } = await inClone(step.run, { ...inputs, ...summary }, join(root, 'fixtures/demo'));
  expect(stdout).toMatch(/^::error .*file=fixtures\/demo\/kend\.conf/m);
  expect(existsSync(join(clone, 'dist/main.cjs'))).toBe(true);
  expect(asked).toEqual([]);
});

installing('the commands of the README install this checkout from a clone', async () => {
  await inClone(commands('README.md'));
  const { stdout } = await inClone('command -v kaiactl; kaiactl --version', {}, folder);
  expect(stdout).toBe(`${prefix}/bin/kaiactl\nkaiactl ${JSON.parse(read('package.json')).version}\n`);
  expect(asked.filter((name) => name.includes('kaiactl'))).toEqual([]);
  // What is optional is asked for: the registry is not out of sight.
  expect(asked).toContain('libsql');
  expect(commands('README.ko.md')).toBe(commands('README.md'));
});

installing('a release is a tarball, its bill of materials, and their checksums', async () => {
  const refused = await inClone('! .ci/release 2>&1 && test ! -e release');
  expect(refused.stdout).toContain('package.json has no repository');
  const owned = 'npm pkg set repository=https://example.org/o/kaiactl';
  const { stdout } = await inClone(`${owned} && .ci/release && cd release && sha256sum --check SHA256SUMS`);
  const name = `kaiactl-${JSON.parse(read('package.json')).version}`;
  expect(stdout).toBe(`${name}.sbom.cdx.json: OK\n${name}.tgz: OK\n`);
  const bom = JSON.parse(readFileSync(join(clone, `release/${name}.sbom.cdx.json`), 'utf8'));
  expect(bom.components.length).toBeGreaterThan(50);
});

test.each([
  ['', [], ''],
  ['', ['missing: kaiactl-tests@file:/x/test, required by kaiactl@0.1.0', 'extraneous: a@1 /x'], ''],
  ['', ['missing: ws@^8.23.0, required by kaiactl@0.1.0'], 'ci --no-workspaces'],
  ['', ['invalid: ws@7.0.0 /x/node_modules/ws'], 'ci --no-workspaces'],
  ['--tests', ['extraneous: a@1 /x'], ''],
  ['--tests', ['missing: kaiactl-tests@file:/x/test, required by kaiactl@0.1.0'], 'ci'],
])('tools/install.js %s where npm ls says %j runs npm %s', (option, problems, expected) => {
  const bin = mkdtempSync(join(folder, 'npm-'));
  const ls = JSON.stringify({ problems });
  const script = `#!/bin/sh\n[ "$1" = ls ] && echo '${ls}' && exit 1\necho "$*" >> "${bin}/ran"\n`;
  writeFileSync(join(bin, 'npm'), script, { mode: 0o755 });
  const words = ['tools/install.js', option].filter((word) => word !== '');
  const env = { ...process.env, PATH: `${bin}:${process.env.PATH}` };
  execFileSync(process.execPath, words, { cwd: root, env, stdio: 'ignore' });
  const ran = existsSync(join(bin, 'ran')) ? readFileSync(join(bin, 'ran'), 'utf8') : '';
  const kept = ran.split(/\s+/).filter((word) => ['ci', '--no-workspaces'].includes(word));
  expect(kept.join(' ')).toBe(expected);
});

/** A package manager's command that takes its package from a registry, in words up to a name that is no path. */
const fromRegistry =
  /\b(?:npx|bunx|pnpx|(?:npm|pnpm|yarn|bun)\b[^\n;&|]*? (?:add|dlx|exec|i|install|x))(?: +(?:-\S+|[\w.@^~/-]*[@./][\w.@^~/-]*))* +["']?kaiactl(?=$|[\s"'`@])/m;

test('no page, workflow, template or message takes kaiactl from a registry', () => {
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  });
  const checked = files
    .split('\n')
    .filter((path) => statSync(join(root, path), { throwIfNoEntry: false })?.isFile() === true)
    .filter((path) => path !== 'test/whole/delivery/install.test.ts');
  expect(checked).toEqual(expect.arrayContaining(['README.md', 'action.yml', 'docs/ci.md', 'src/main.ts']));
  expect(checked.filter((path) => fromRegistry.test(read(path)))).toEqual([]);
});

test.each([
  'npx kaiactl',
  'npx --yes "kaiactl@${VERSION}" node lint',
  'npm install --global kaiactl',
  'npm i libsql@0.5 kaiactl@latest',
  'npm --prefix x exec kaiactl',
  'pnpm dlx kaiactl node lint',
])('%s would install from a registry', (command) => expect(command).toMatch(fromRegistry));

test.each(['npm install --global ./kaiactl-0.1.0.tgz', 'npm install --global libsql@0.5'])(
  '%s does not',
  (command) => expect(command).not.toMatch(fromRegistry),
);
