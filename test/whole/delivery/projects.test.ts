/** `npm run test:projects`: what it prints of checkouts, and the list of projects. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';

const root = new URL('../../..', import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'kaiactl-projects-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function file(path: string, text: string): void {
  mkdirSync(join(folder, path, '..'), { recursive: true });
  writeFileSync(join(folder, path), text);
}

file('checkouts/a+node/kend.conf', 'RPC_ENABLE=1\nRPC_API="klay,personal"\nRPC_ADDR=0.0.0.0\n');
file('checkouts/b+none/README', 'No node is here.\n');
// An earlier build that finds one thing less, one more, and knows no code for a folder without a node.
file(
  'before/dist/main.cjs',
  `const { main, nodeHost } = require(${JSON.stringify(join(root, 'dist/main.cjs'))});
exports.nodeHost = nodeHost;
exports.main = (host) => {
  const older = (text) => text.replace(/("rule": *)"public-bind"/g, '$1"older-rule"');
  const write = host.stdout.write.bind(host.stdout);
  host.stdout.write = (text, ...rest) => write(older(String(text)), ...rest);
  return main(host);
};
`,
);

const run = (...words: string[]) =>
  spawnSync(process.execPath, [join(root, 'tools/projects.js'), ...words], { encoding: 'utf8' });

test('without another build, each checkout has its rows, seconds and lines', () => {
  const { stdout, status } = run(join(folder, 'checkouts'));
  expect(stdout).toMatch(/^a\+node: [1-9]\d* rows, \d+\.\d\d s, [1-9]\d* lines\n/);
  expect(stdout).toMatch(/^b\+none: 0 rows, \d+\.\d\d s, 1 lines$/m);
  expect(stdout).toMatch(/\n2 projects: \d+\.\d\d s, \d+ lines\n$/);
  expect(status).toBe(0);
});

test('the same build differs nowhere; another one by rule, subject and place', () => {
  const same = run(join(folder, 'checkouts'), root);
  expect(same.stdout).toMatch(/^2 projects, 0 differ: \S+ s, \d+ lines → \S+ s, \d+ lines\n$/);
  expect(same.status).toBe(0);
  const other = run(join(folder, 'checkouts'), join(folder, 'before'));
  const rows = other.stdout.split('\n').filter((line) => line.startsWith('  '));
  expect(rows).toEqual([
    expect.stringMatching(/^ {2}- \w+ older-rule .* kend\.conf:\d+$/),
    expect.stringMatching(/^ {2}\+ \w+ public-bind .* kend\.conf:\d+$/),
  ]);
  expect(other.stdout).toContain('2 projects, 1 differ: ');
  expect(other.status).toBe(1);
});

test('without a folder it says how it is called', () => {
  expect(run()).toMatchObject({ status: 2, stderr: expect.stringContaining('usage: ') });
});

test('the list pins 60 projects, at least ten of them of Kaia, each once', async () => {
  const tool = new URL('../../../tools/projects.js', import.meta.url).href;
  const { readProjects }: { readProjects(text: string): { name: string; chain: string }[] } = await import(
    tool
  );
  const text = readFileSync(join(root, 'test/projects.tsv'), 'utf8');
  const projects = readProjects(text);
  expect(projects).toHaveLength(60);
  expect(new Set(projects.map(({ name }) => name)).size).toBe(60);
  expect(projects.filter(({ chain }) => chain === 'kaia').length).toBeGreaterThanOrEqual(10);
  for (const line of ['a/b\tmain\tkaia\tshell', `../x\t${'a'.repeat(40)}`, `--x/y\t${'a'.repeat(40)}`])
    expect(() => readProjects(line)).toThrow('not a pinned project');
});
