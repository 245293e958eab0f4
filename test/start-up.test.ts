import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const root = new URL('..', import.meta.url).pathname;
const dist = `${root}dist/`;
const heavy = ['ethers', 'fastify', 'libsql', 'jose', 'prom-client', 'pg', '@semaphore-protocol/group'];

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

function chunk(name: string): string {
  const found = readdirSync(dist).find((file) => new RegExp(`^${name}-[\\w-]{8}\\.js$`).test(file));
  if (found === undefined) throw new Error(`dist/ has no chunk for ${name}: run npm run build`);
  return found;
}

test('--version loads no package at all', () => {
  expect([...loaded(['main.js'])]).toEqual([]);
});

test.each(['lint', 'settings', 'explain', 'audit', 'modules', 'simulate'])(
  '%s never loads what only surveys need',
  (name) => {
    const packages = loaded(['main.js', chunk('program'), chunk(name)]);
    expect(packages).toContain('commander');
    expect(heavy.filter((one) => packages.has(one))).toEqual([]);
  },
);

test.each(['lint', 'settings', 'explain'])(
  '%s loads two files of ours, and the command line alone',
  (name) => {
    const files = new Set<string>();
    const packages = loaded(['main.js', chunk('program'), chunk(name)], files);
    expect([...packages].sort()).toEqual(['commander', 'ini']);
    const code = chunks.filter(
      ({ fileName, inputs }) => files.has(fileName) && inputs.some((path) => path.startsWith('src/')),
    );
    expect(code.map(({ fileName }) => fileName.replace(/-.*/, '')).sort()).toEqual(['base', 'offline']);
  },
);

test('lint loads no format before it is asked for one', () => {
  const names = readdirSync(dist).filter((file) => /^(sarif|junit|html|csv)-[\w-]{8}\.js$/.test(file));
  expect(names).toHaveLength(4);
  const files = new Set<string>();
  loaded(['main.js', chunk('program'), chunk('lint')], files);
  expect(names.filter((name) => files.has(name))).toEqual([]);
});

test('serving a survey does load them, so the test above can fail', () => {
  const packages = [...loaded([chunk('join')])];
  expect(packages.some((one) => one.startsWith('ethers'))).toBe(true);
});
