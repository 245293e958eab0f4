import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

const root = new URL('../../..', import.meta.url).pathname;

/** The files a folder is found to hold settings in, and what else was said. */
function lint(path: string) {
  const words = ['bin/kaiactl.js', 'node', 'lint', path, '--format', 'json', '--exit-zero'];
  const { status, stdout, stderr } = spawnSync(process.execPath, words, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  expect(stderr).not.toMatch(/internal error|^\s+at /m);
  const targets = stdout === '' ? [] : (JSON.parse(stdout).targets as { name: string }[]);
  return { status, names: targets.map(({ name }) => name), stderr };
}

test('no package the project is built from holds a node’s settings', () => {
  const { names, stderr } = lint('node_modules');
  expect(names).toEqual([]);
  expect(Number(/(\d+) files ignored/.exec(stderr)?.[1])).toBeGreaterThan(1_000);
});

test('of the project itself only the fixtures hold a node’s settings', () => {
  const names = lint('.').names.filter((name) => !name.startsWith('fixtures/'));
  expect(names).toEqual([]);
});
