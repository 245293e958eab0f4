/** Mutation testing: `npm run test:mutation [-- file…]`; without files, all whose logic the tests are to hold. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// A test that a mutant ends leaves its files behind, and Stryker may kill the process that runs it.
const temporary = mkdtempSync(join(tmpdir(), 'kaiactl-mutation-'));
process.env.TMPDIR = temporary;
process.once('exit', () => rmSync(temporary, { recursive: true, force: true }));

/** Tests that run the source itself in milliseconds: no build, no other program, no chain. */
const folders = [
  'test/node',
  ...['client', 'commands', 'group', 'protocol', 'store'].map((name) => `test/survey/${name}`),
  ...['cli', 'http', 'jsonrpc', 'terminal', 'util'].map((name) => `test/${name}`),
];
const slow =
  /\/(?:bad-input|bash|checked|child|fleet|hostile|kill|limits|property|proxied|secp256k1|watch)\.test/;
const others = [
  ...['compile-cache', 'input', 'version'].map((name) => `test/${name}`),
  ...['fixtures', 'source-fixtures', 'survey-both-ends', 'written'].map((name) => `test/whole/${name}`),
  ...['fixes', 'folders', 'odd-files', 'shared', 'unfollowed'].map(
    (name) => `test/whole/deployments/${name}`,
  ),
  ...['account-key', 'follow', 'node', 'outbox', 'sender', 'store'].map((name) => `test/survey/chain/${name}`),
  ...['admin', 'browser', 'exchanges', 'hostile', 'operations', 'parts', 'portal', 'rendering'].map(
    (name) => `test/survey/server/${name}`,
  ),
  ...['reservation', 'sandbox', 'settings', 'start', 'tokens'].map((name) => `test/survey/server/${name}`),
];

// Random tests that are cheap by the piece run a few pieces.
process.env.KAIACTL_TEST_COMMAND_LINES ??= '10';

function testsIn(folder) {
  const paths = readdirSync(folder, { recursive: true }).map((name) => join(folder, name));
  return paths.filter((path) => path.endsWith('.test.ts') && !slow.test(path)).sort();
}

export default {
  testRunner: 'in-process',
  plugins: ['./tools/mutation-runner.js'],
  // A test that takes longer is left out: a mutant that lives would cost as much each time.
  inProcess: {
    slowestMs: 2500,
    tests: process.env.KAIACTL_MUTATION_TESTS?.split(' ') ?? [
      ...folders.flatMap(testsIn),
      ...others.map((name) => `${name}.test.ts`),
    ],
  },
  coverageAnalysis: 'perTest',
  mutate: ['src/**/*.ts'],
  // Texts are for people and have tests of their own; what a rule says may change freely.
  mutator: { excludedMutations: ['StringLiteral'] },
  ignoreStatic: true,
  // The process is one, and so is what the tests leave in it.
  concurrency: 1,
  timeoutMS: 10_000,
  disableTypeChecks: false,
  // Stryker would rewrite it through TypeScript's own API, which TypeScript 7 has not got; nothing here needs it.
  tsconfigFile: 'none',
  // Stryker cannot copy the link to a folder in this fixture.
  ignorePatterns: ['dist', 'coverage', 'reports', '.git', 'fixtures/deployments/linked-mount'],
  tempDirName: '.stryker-tmp',
  cleanTempDir: 'always',
  reporters: ['clear-text', 'html', 'json', 'progress-append-only'],
  clearTextReporter: { allowColor: false, allowEmojis: false, reportTests: false, logTests: false },
  htmlReporter: { fileName: 'node_modules/.cache/stryker.html' },
  jsonReporter: { fileName: 'node_modules/.cache/stryker.json' },
  thresholds: { high: 90, low: 85, break: Number(process.env.KAIACTL_MUTATION_BREAK ?? 0) },
};
