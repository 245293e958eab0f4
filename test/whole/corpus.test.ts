/** Folders without a node stay quiet: the packages and the project itself. */
import { expect, test } from 'vitest';
import { kaiactl } from '../peers/run.js';

const root = new URL('../..', import.meta.url).pathname;

/** The files a folder is found to hold settings in, and the messages. */
async function lint(...words: string[]) {
  const { stdout, stderr } = await kaiactl(['node', 'lint', ...words, '--format', 'json', '--exit-zero'], {
    cwd: root,
  });
  expect(stderr).not.toMatch(/internal error|^\s+at /m);
  const targets = stdout === '' ? [] : (JSON.parse(stdout).targets as { name: string }[]);
  return { names: targets.map(({ name }) => name), stderr };
}

/** `npm run test:many` reads the thousands of files of the packages. */
const long = process.env.KAIACTL_TEST_LONG !== undefined;

test.runIf(long)('no package the project is built from holds a node’s settings', async () => {
  const { names, stderr } = await lint('node_modules');
  // A development node, which names itself; the compiled sources of the project, which hold the examples of the rules.
  const others = names.filter((name) => !/ganache|anvil|hardhat|\.cache\/kaiactl\/src-/.test(name));
  expect(others).toEqual([]);
  expect(Number(/(\d+) other files: /.exec(stderr)?.[1])).toBeGreaterThan(1_000);
});

test('of the project itself only the fixtures hold a node’s settings', async () => {
  // The source holds the examples of the rules, and the tests write starts.
  const { names, stderr } = await lint(
    '.',
    ...['fixtures', 'dist', 'src'].flatMap((one) => ['--exclude', one]),
  );
  expect(names.filter((name) => !name.startsWith('test/'))).toEqual([]);
  expect(stderr).toMatch(/\d+ paths excluded/);
});
