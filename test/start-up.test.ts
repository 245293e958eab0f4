import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const root = new URL('..', import.meta.url).pathname;
const dist = `${root}dist/`;
const heavy = ['ethers', 'fastify', 'libsql', 'jose', 'prom-client', 'pg', '@semaphore-protocol/group'];

interface Output {
  readonly inputs: Readonly<Record<string, { readonly bytesInOutput: number }>>;
  readonly imports: readonly { readonly path: string; readonly kind: string; readonly external?: boolean }[];
}
const { outputs } = JSON.parse(readFileSync(`${root}node_modules/.cache/kaiactl/meta.json`, 'utf8')) as {
  outputs: Readonly<Record<string, Output>>;
};

/** Packages that loading these files of dist/ loads at once, bundled or not, without any `await import`. */
function loaded(
  files: readonly string[],
  seen = new Set<string>(),
  packages = new Set<string>(),
): Set<string> {
  for (const file of files) {
    if (seen.has(file)) continue;
    seen.add(file);
    const { inputs, imports } = outputs[`dist/${file}`] as Output;
    for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
      const name = /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1];
      if (name !== undefined && bytesInOutput > 0) packages.add(name);
    }
    const now = imports.filter(({ kind }) => kind === 'import-statement');
    for (const { path, external } of now) if (external && !path.startsWith('node:')) packages.add(path);
    const chunks = now.filter(({ external }) => !external).map(({ path }) => path.slice('dist/'.length));
    loaded(chunks, seen, packages);
  }
  return packages;
}

function chunk(name: string): string {
  const found = readdirSync(dist).find((file) => new RegExp(`^${name}-[A-Z0-9]+\\.js$`).test(file));
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

test('lint and settings load the command line, lint the reader of kaiactl.ini, and nothing else', () => {
  expect([...loaded(['main.js', chunk('program'), chunk('lint')])].sort()).toEqual(['commander', 'ini']);
  expect([...loaded(['main.js', chunk('program'), chunk('settings')])]).toEqual(['commander']);
});

test('lint loads no format before it is asked for one', () => {
  const names = readdirSync(dist).filter((file) => /^(text|sarif|junit|html|csv)-[A-Z0-9]+\.js$/.test(file));
  expect(names).toHaveLength(5);
  const files = new Set<string>();
  loaded(['main.js', chunk('program'), chunk('lint')], files);
  expect(names.filter((name) => files.has(name))).toEqual([]);
});

test('serving a survey does load them, so the test above can fail', () => {
  const packages = [...loaded([chunk('join')])];
  expect(packages.some((one) => one.startsWith('ethers'))).toBe(true);
});
