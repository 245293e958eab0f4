/** The packed tarball: its files, its size, and that it installs and runs. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { afterAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { readByPython } from '../../node/report/tools.js';
import { isLong } from '../../seed.js';

const root = new URL('../../..', import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'kaiactl-package-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Packed {
  readonly filename: string;
  readonly size: number;
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string }[];
}

/** npm pack needs no network; what it packs is what a user gets. dist/ is built already, and others use it now. */
function pack(): Packed {
  const text = execFileSync(
    'npm',
    ['pack', '--ignore-scripts', '--json', '--silent', '--pack-destination', folder],
    {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  );
  const parsed = JSON.parse(text) as Packed[] | Record<string, Packed>;
  const packed = Object.values(parsed)[0];
  if (packed === undefined) throw new Error('npm pack packed nothing');
  return packed;
}

const packed = pack();
const home = join(folder, 'node_modules', 'kaiactl');
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

test('the packed tarball holds the listed files and runs alone in another folder', () => {
  const paths = packed.files.map((file) => file.path);
  const strange = paths.filter(
    (path) =>
      !/^(bin\/kaiactl\.js|bin\/package\.json|dist\/.*\.(c?js|c?js\.map|d\.ts|json)|dist\/kaiactl\.1|dist\/(secp256k1|poseidon_hash_wasm_bg)\.wasm|dist\/THIRD-PARTY-NOTICES\.txt|fixtures\/demo\/.*|package\.json|docs\/(?:(?:rules|internals)\/)?[\w.-]+\.(md|png|svg)|(README|README\.ko|CHANGELOG|CONTRIBUTING|SECURITY)\.md|LICENSE)$/.test(
        path,
      ),
  );
  expect(strange).toEqual([]);
  expect(packed.size).toBeLessThan(4_800_000);
  expect(packed.unpackedSize).toBeLessThan(12_000_000);
  const { dependencies, optionalDependencies } = manifest;
  expect([dependencies, Object.keys(optionalDependencies)]).toEqual([undefined, ['libsql']]);

  // As a user installs it, man page included; with nothing to fetch it is there in seconds.
  const prefix = join(folder, 'installed');
  const install = ['install', '--global', '--prefix', prefix, '--offline', '--omit=optional', '--no-audit'];
  execFileSync('npm', [...install, join(folder, packed.filename)], { stdio: 'ignore' });
  expect(existsSync(join(prefix, 'bin/kaiactl'))).toBe(true);
  expect(existsSync(join(prefix, 'share/man/man1/kaiactl.1'))).toBe(true);
  mkdirSync(join(folder, 'node_modules'));
  renameSync(join(prefix, 'lib/node_modules/kaiactl'), home);
  // npm may have added what is optional from its cache.
  rmSync(join(home, 'node_modules'), { recursive: true, force: true });
  const version = spawnSync(process.execPath, [join(home, 'bin/kaiactl.js'), '--version'], {
    encoding: 'utf8',
  });
  expect(version.stdout).toMatch(/^kaiactl \d+\.\d+\.\d+\n$/);
  const help = spawnSync(process.execPath, [join(home, 'bin/kaiactl.js'), 'node', '--help'], {
    encoding: 'utf8',
  });
  expect(help.status).toBe(0);
  expect(help.stdout).toContain('lint');
  const demo = spawnSync(process.execPath, [join(home, 'bin/kaiactl.js'), 'node', 'demo', 'demo'], {
    cwd: folder,
    encoding: 'utf8',
  });
  expect([demo.stdout, demo.status]).toEqual(['demo/kend.conf\n', 0]);
  expect(existsSync(join(folder, 'demo/kend.conf'))).toBe(true);

  const [, code = '', printed] =
    /```js\n([\s\S]*?)```\n\n```text\n([\s\S]*?)```/.exec(
      readFileSync(join(root, 'docs/library.md'), 'utf8'),
    ) ?? [];
  const example = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
    cwd: folder,
    encoding: 'utf8',
  });
  expect([example.stderr, example.stdout]).toEqual(['', printed]);
});

test('of the scripts only the mutation tests and those for Linux need a POSIX shell', () => {
  const posix = /\bsh -c\b|\bexec\b|\btest -e\b|(^|&& )[A-Z_]+=|'|\|\| true/;
  const names = Object.entries<string>(manifest.scripts).filter(([, script]) => posix.test(script));
  expect(names.map(([name]) => name)).toEqual(['test:mutation', 'test:node']);
});

test('an install of the tarball has no script that npm asks for consent to', () => {
  const asked = ['preinstall', 'install', 'postinstall'];
  expect(asked.filter((name) => name in manifest.scripts)).toEqual([]);
  // npm runs it after an install in a checkout, and alone of all scripts for a dependency by its git address: pre-commit's way.
  expect(manifest.scripts.prepare).toBe('node tools/prepare.js');
});

test('a command that needs a missing optional package names the package', () => {
  const store = join(folder, 'groups.db');
  const { status, stderr } = spawnSync(
    process.execPath,
    [join(home, 'bin/kaiactl.js'), 'survey', 'serve', '--store', store, '--survey', `0x${'5a'.repeat(20)}`],
    { encoding: 'utf8', cwd: folder, timeout: 300_000 },
  );
  expect(stderr).toContain('a store in a file needs the package libsql, which is not installed');
  expect(stderr).toContain(
    `npm install --global libsql@${manifest.optionalDependencies.libsql.slice(1, 4)} `,
  );
  expect(status).toBe(2);
});

test('the notices name every package in the program, with a licence that may be passed on', () => {
  const text = readFileSync(join(home, 'dist/THIRD-PARTY-NOTICES.txt'), 'utf8');
  const said = text.split(/\n\n-{80}\n\n/).slice(1);
  const licences = said.map((one) => /^License: ([^\n.]+)/m.exec(one)?.[1]?.trim());
  expect(said.length).toBeGreaterThan(50);
  expect(new Set(licences)).toEqual(new Set(['MIT', 'ISC', 'Apache-2', 'BSD-3-Clause']));
  for (const name of ['commander', 'ws', 'node-fetch', 'ethers', 'fastify'])
    expect(text).toMatch(new RegExp(`^${name} \\d`, 'm'));
});

/** What the published schema of CycloneDX 1.5 has to say against each document. */
function cyclonedx(...documents: readonly object[]): unknown[][] {
  const library = dirname(new URL(import.meta.resolve('@cyclonedx/cyclonedx-library/package.json')).pathname);
  const schema = (name: string) =>
    JSON.parse(readFileSync(join(library, `res/schema/${name}.SNAPSHOT.schema.json`), 'utf8'));
  const ajv = new Ajv({ strict: false, allErrors: true });
  for (const name of ['spdx', 'jsf-0.82'])
    ajv.addSchema(schema(name), `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json`);
  addFormats.default(ajv);
  ajv.addFormat('iri-reference', true);
  ajv.addFormat('idn-email', true);
  const validate = ajv.compile(schema('bom-1.5'));
  return documents.map((document) => (validate(document) ? [] : [...(validate.errors ?? [])]));
}

test('the bill of materials names the same packages, and what npm installs beside them', () => {
  const text = execFileSync(process.execPath, [join(root, 'tools/sbom.js')], { encoding: 'utf8' });
  const bom = JSON.parse(text) as {
    bomFormat: string;
    components: { name: string; version: string; purl: string; licenses: object[] }[];
    dependencies: { ref: string; dependsOn: string[] }[];
  };
  const names = bom.components.map(({ name, version }) => `${name} ${version}`);
  const noticed = readFileSync(join(home, 'dist/THIRD-PARTY-NOTICES.txt'), 'utf8')
    .split(/\n\n-{80}\n\n/)
    .slice(1)
    .map((one) => one.split('\n')[0]);
  const [errors, ofBroken] = cyclonedx(bom, { ...bom, components: [{ type: 'thing', name: 'x' }] });
  expect(errors).toEqual([]);
  expect(ofBroken).not.toEqual([]);
  // Its start takes seconds: `npm run test:install` asks the library for Python as well.
  if (isLong) {
    const wrong = JSON.stringify({ ...bom, unknown: 1 });
    const { bom: strict } = readByPython<{ bom: unknown[][] }>({ bom: [text, wrong] });
    if (strict !== null) expect(strict).toEqual([[], [expect.any(String)]]);
  }
  expect(noticed.filter((one) => one !== undefined && !names.includes(one))).toEqual([]);
  expect(names.filter((one) => !noticed.includes(one)).map((one) => one.replace(/ .*|\/.*/, ''))).toEqual(
    expect.arrayContaining(['libsql', '@libsql']),
  );
  expect(
    bom.components.filter(({ purl, licenses }) => !purl.startsWith('pkg:npm/') || !licenses?.length),
  ).toEqual([]);
  expect(text).not.toMatch(/"type": "distribution"|vitest|rolldown/);
});

// The types are resolved in each way of TypeScript, for seconds: `npm run test:install`.
test.runIf(isLong)('the package matches its package.json, for bundlers and for types', async () => {
  const { checkPackage, createPackageFromTarballData } = await import('@arethetypeswrong/core');
  const { publint } = await import('publint');
  const { formatMessage } = await import('publint/utils');
  const tarball = readFileSync(join(folder, packed.filename));
  const { messages } = await publint({ pack: { tarball: new Uint8Array(tarball).buffer } });
  // An owner sets the address of the repository; a release without it is refused.
  const others = messages.filter(({ code }) => code !== 'INVALID_REPOSITORY_VALUE');
  expect(others.map((message) => formatMessage(message, { name: 'kaiactl' }))).toEqual([]);
  const types = await checkPackage(createPackageFromTarballData(new Uint8Array(tarball)));
  // The package is for import alone: require, and the resolution before exports, are not promised.
  const promised = (types.types === false ? [{ kind: 'no types' }] : types.problems).filter(
    (one) =>
      !('resolutionKind' in one) || one.resolutionKind === 'node16-esm' || one.resolutionKind === 'bundler',
  );
  expect(promised).toEqual([]);
});

test('a stack names the files of src/', () => {
  const breaks = "data:text/javascript,process.stdout.write=()=>{throw new TypeError('broken')}";
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--import', breaks, join(root, 'bin/kaiactl.js'), 'node', 'explain', '--verbose'],
    { encoding: 'utf8' },
  );
  expect(status).toBe(70);
  expect(stderr).toMatch(/src\/host\.ts:\d+/);
});

/** Names of the packages that files import, the platform's own aside. */
function imported(paths: readonly string[]): string[] {
  const names = paths.flatMap((path) => {
    const text = readFileSync(join(root, path), 'utf8');
    const specs = [...text.matchAll(/(?: from |import\()'((?!node:)[@\w][^']*)'/g)].map(
      ([, spec = '']) => spec,
    );
    return specs.map((spec) => /^(?:@[^/]+\/)?[^/]+/.exec(spec)?.[0] ?? '');
  });
  return [...new Set(names)].sort();
}

test('npm start installs what the program and its build use, and nothing else', () => {
  const src = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' });
  const sources = src.filter((name) => name.endsWith('.ts')).map((name) => join('src', name));
  const tools = ['build', 'bundled', 'install', 'notices', 'plugins', 'sbom'].map(
    (name) => `tools/${name}.js`,
  );
  const types = /^@types\/|^@commander-js\/extra-typings$|^typescript$/;
  const { devDependencies, optionalDependencies } = manifest;
  const named = Object.keys({ ...devDependencies, ...optionalDependencies }).filter(
    (name) => !types.test(name),
  );
  expect(imported([...sources, ...tools])).toEqual(named.sort());
});

test('the lock names no registry', () => {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const resolved = Object.values(packages as Record<string, { resolved?: string }>).map(
    (one) => one.resolved,
  );
  // The workspace of the tests is a folder.
  expect(resolved.filter((place) => place !== undefined)).toEqual(['test']);
});

test('package.json names the repository as soon as the pages do', () => {
  const page = readFileSync(join(root, 'docs/ci.md'), 'utf8');
  const [, owner] = /uses: (\S+)\/kaiactl@/.exec(page) ?? [];
  // There is no address yet: OWNER stands for one.
  expect(manifest.repository).toMatch(owner === 'OWNER' ? /^$/ : `${owner}/kaiactl`);
});

test('the workflow runs what package.json has, on all that is supported', () => {
  const text = readFileSync(join(root, '.github/workflows/ci.yml'), 'utf8');
  const { jobs } = parse(text) as {
    jobs: Record<'test' | 'start', { strategy: { matrix: object }; steps: { run?: string }[] }>;
  };
  const runs = ({ steps }: { steps: { run?: string }[] }) => steps.flatMap(({ run }) => run ?? []);
  expect(jobs.test.strategy.matrix).toEqual({ node: [20, 22, 24] });
  expect(runs(jobs.test)).toEqual(['npm ci', 'npm run ci']);
  expect(jobs.start.strategy.matrix).toEqual({ os: ['macos-latest', 'windows-latest'] });
  expect(runs(jobs.start).slice(0, 3)).toEqual(['npm ci', 'npm run check', 'node tools/build.js']);
});

test('every npm script that a file names is in package.json', () => {
  const listed = execFileSync(
    'git',
    ['grep', '-IhoE', 'npm .*run( --silent)? [a-z:]+', '--', ':!CHANGELOG.md'],
    {
      cwd: root,
      encoding: 'utf8',
    },
  );
  const named = new Set(
    [...listed.matchAll(/\bnpm (?:--\S+ \S+ )?run(?: --silent)? ([a-z][a-z:]*)/g)].map(([, one = '']) => one),
  );
  expect(named.size).toBeGreaterThan(10);
  expect([...named].filter((one) => !(one in manifest.scripts))).toEqual([]);
});

test.each(['README.md', 'README.ko.md'])('every link of %s leads to a file of the package', (name) => {
  const links = [...readFileSync(join(root, name), 'utf8').matchAll(/\]\(([^)#\s]+)/g)].map(
    ([, to = '']) => to,
  );
  const paths = new Set(packed.files.map(({ path }) => path));
  expect(links.length).toBeGreaterThan(20);
  expect(links.filter((to) => !to.startsWith('https://') && !paths.has(to))).toEqual([]);
});
