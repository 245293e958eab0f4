/** What a run loads: modules that a command does not need stay on disk. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const root = new URL('../..', import.meta.url).pathname;
const heavy = [
  'ethers',
  'fastify',
  'libsql',
  'jose',
  'prom-client',
  'pg',
  '@railgun-community/poseidon-hash-wasm',
];

interface Chunk {
  readonly fileName: string;
  readonly inputs: readonly string[];
  readonly imports: readonly string[];
}
const chunks = JSON.parse(
  readFileSync(`${root}node_modules/.cache/kaiactl/chunks.json`, 'utf8'),
) as readonly Chunk[];

/** Packages that loading these files of dist/ loads at once, bundled or not, without any `await import`. */
function loaded(
  files: readonly string[],
  seen = new Set<string>(),
  packages = new Set<string>(),
): Set<string> {
  for (const file of files) {
    if (seen.has(file)) continue;
    seen.add(file);
    const chunk = chunks.find(({ fileName }) => fileName === file);
    if (chunk === undefined) {
      if (!file.startsWith('node:')) packages.add(file);
      continue;
    }
    for (const path of chunk.inputs) {
      const name = /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1];
      if (name !== undefined) packages.add(name);
    }
    loaded(chunk.imports, seen, packages);
  }
  return packages;
}

/** The file of dist/ that a file of src/ is in. */
function file(path: string): string {
  const holder = chunks.find(({ fileName, inputs }) => fileName.endsWith('.cjs') && inputs.includes(path));
  if (holder === undefined) throw new Error(`dist/ does not hold ${path}: run npm run build`);
  return holder.fileName;
}
const program = ['src/main.ts', 'src/cli/program.ts'].map(file);
const command = (name: string) => file(`src/node/commands/${name}.ts`);

test('--version loads no package at all', () => {
  expect([...loaded(['main.cjs'])]).toEqual([]);
});

test.each(['lint', 'settings', 'explain', 'audit', 'modules', 'simulate', 'watch'])(
  '%s never loads what only surveys need',
  (name) => {
    const packages = loaded([...program, command(name)]);
    expect(packages).toContain('commander');
    expect(heavy.filter((one) => packages.has(one))).toEqual([]);
  },
);

test('help loads the command line alone', () => {
  const files = new Set<string>();
  expect([...loaded(program, files)].sort()).toEqual(['commander', 'get-east-asian-width']);
  expect(files).not.toContain(command('lint'));
});

/** The files of ours that loading a command loads. */
function ownFiles(name: string): readonly Chunk[] {
  const files = new Set<string>();
  loaded([...program, command(name)], files);
  return chunks.filter(
    ({ fileName, inputs }) => files.has(fileName) && inputs.some((path) => path.startsWith('src/')),
  );
}

test.each([
  ['lint', ['cli', 'lint', 'main']],
  ['settings', ['cli', 'kinds', 'lint', 'main', 'offline']],
  ['explain', ['cli', 'kinds', 'lint', 'main', 'offline']],
])('%s loads a few files of ours and of small packages', (name, files) => {
  expect([...loaded([...program, command(name)])].sort()).toEqual([
    'commander',
    'get-east-asian-width',
    'ignore',
    'ini',
    'ipaddr.js',
  ]);
  expect(ownFiles(name).map(({ fileName }) => fileName.replace(/[-.].*/, ''))).toEqual(
    expect.arrayContaining(files),
  );
  expect(ownFiles(name)).toHaveLength(files.length);
});

/** The folders of sources/ and kinds/ that lint of a conf needs; of the other two, how a file is told from a conf. */
const ofConfs =
  /^src\/node\/(?:sources\/(?:(?:argv|conf|environment|launch|script|shell|text)\/[\w/-]+|kubernetes\/names|systemd\/unit-words|[\w-]+)|kinds\/(?:(?:kaia|others)\/)?[\w-]+)\.ts$/;

test('lint of a conf loads no reader of another format, and no kind of node that a conf is not of', () => {
  const inputs = ownFiles('lint').flatMap((chunk) => chunk.inputs);
  const gathering = inputs.filter((path) => /^src\/node\/(?:sources|kinds)\//.test(path));
  expect(gathering.filter((path) => !ofConfs.test(path))).toEqual([]);
  expect(gathering.filter((path) => path.endsWith('/kinds/all.ts'))).toEqual([]);
  expect(inputs.filter((path) => /firewalls|forwards\/|ledger\/(?:open|relays|search)/.test(path))).toEqual(
    [],
  );
});

test('a command line and a file of another name load every kind of node', () => {
  expect(file('src/node/kinds/geth/index.ts')).toMatch(/^kinds-/);
  expect(file('src/node/kinds/kaia/index.ts')).toMatch(/^lint-/);
});

test('lint loads only the requested format', () => {
  const names = ['sarif', 'junit', 'html', 'csv'].map((name) => file(`src/node/report/${name}.ts`));
  const files = new Set<string>();
  loaded([...program, command('lint')], files);
  expect(names.filter((name) => files.has(name))).toEqual([]);
});

test('audit loads the readers of firewalls only for a node whose rules it reads', () => {
  const files = new Set<string>();
  loaded([...program, command('audit')], files);
  const readers = ['in-force', 'listing'].map((name) => file(`src/node/deployment/firewalls/${name}.ts`));
  expect(readers.filter((name) => files.has(name))).toEqual([]);
});

test('serving a survey does load them, so the test above can fail', () => {
  const packages = [...loaded([file('src/survey/commands/join.ts')])];
  expect(packages.some((one) => one.startsWith('ethers'))).toBe(true);
});
