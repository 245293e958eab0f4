import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const dist = new URL('../dist/', import.meta.url).pathname;
const heavy = ['ethers', 'fastify', 'libsql', 'jose', 'prom-client', '@semaphore-protocol/group'];

/** Packages that loading these files of dist/ loads at once, without any `await import`. */
function loaded(
  files: readonly string[],
  seen = new Set<string>(),
  packages = new Set<string>(),
): Set<string> {
  for (const file of files) {
    if (seen.has(file)) continue;
    seen.add(file);
    const text = readFileSync(dist + file, 'utf8');
    const targets = [...text.matchAll(/^(?:import|export)\b[^;'"]*?["']([^"']+)["'];?$/gm)].map(
      ([, target = '']) => target,
    );
    for (const target of targets) if (!/^(\.|node:)/.test(target)) packages.add(target);
    loaded(
      targets.filter((target) => target.startsWith('./')).map((target) => target.slice(2)),
      seen,
      packages,
    );
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
    expect(
      heavy.filter((one) =>
        [...packages].some((loadedOne) => loadedOne === one || loadedOne.startsWith(`${one}/`)),
      ),
    ).toEqual([]);
  },
);

test('lint and settings load the command line and nothing else', () => {
  expect([...loaded(['main.js', chunk('program'), chunk('lint')])]).toEqual(['commander']);
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
