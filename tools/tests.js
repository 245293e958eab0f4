/** Runs a set of tests with its settings, which the command line may override: `node tools/tests.js bash 20000`. */
import { spawnSync } from 'node:child_process';

const long = { KAIACTL_TEST_LONG: '1' };

/** Files, fixed variables, and the variables of the words that follow, with their defaults. */
const sets = {
  docs: {
    files: ['docs.test.ts', 'readings.test.ts', 'test/node/rules/conf.test.ts'],
    fixed: { UPDATE: '1' },
  },
  bash: {
    files: ['test/node/sources', 'test/whole/limits.test.ts'],
    given: { KAIACTL_TEST_BASH_CONFS: '20000' },
  },
  sources: {
    files: ['test/whole/same-everywhere.test.ts', 'test/whole/carriers.test.ts'],
    given: { KAIACTL_TEST_COMMAND_LINES: '20000', KAIACTL_TEST_CARRIERS: '1000' },
  },
  geth: {
    files: [
      'test/whole/geth-oracle.test.ts',
      'test/whole/geth-starts.test.ts',
      'test/node/fix/geth-fixes.test.ts',
    ],
    given: { KAIACTL_TEST_GETH: '5000' },
  },
  fix: { files: ['test/node/fix/property.test.ts'], given: { KAIACTL_TEST_FIXES: '20000' } },
  identical: {
    files: ['test/whole/identical.test.ts'],
    given: { KAIACTL_TEST_CHECKOUT: '', KAIACTL_TEST_SETTINGS: '20000', KAIACTL_TEST_BUT_WORDS: '' },
  },
  kill: {
    files: ['test/survey/commands/kill.test.ts', 'test/survey/server/kill.test.ts'],
    given: { KAIACTL_TEST_KILLS: '30' },
  },
  faults: {
    files: ['test/whole/faults', 'test/whole/keep-going.test.ts', 'test/whole/upstream-faults.test.ts'],
    given: { KAIACTL_TEST_FAULTS: '100' },
  },
  postgres: {
    files: [
      'test/survey/store',
      ...['offline', 'policy', 'payment-states'].map((name) => `test/survey/server/${name}`),
    ],
    fixed: { KAIACTL_TEST_POSTGRES: '1' },
  },
  machine: {
    files: [
      ...'engine-port hangup lasting-names processes replicas restart rim unjudged-processes unlocked'
        .split(' ')
        .map((name) => `test/whole/${name}.test.ts`),
      'test/survey/server/chromium.test.ts',
    ],
    fixed: { KAIACTL_TEST_MACHINE: '1' },
  },
  signatures: {
    files: ['test/survey/protocol/secp256k1.test.ts'],
    given: { KAIACTL_TEST_SIGNATURES: '6000' },
  },
  reach: {
    files: ['test/whole/reach', 'test/node/deployment/firewalls/kernel.test.ts'],
    given: { KAIACTL_TEST_REACH: '1000' },
  },
  watch: {
    files: ['test/whole/watch-long.test.ts'],
    given: { KAIACTL_TEST_ROUNDS: '10000', KAIACTL_TEST_TARGETS: '200' },
  },
  many: {
    files: [
      '--no-file-parallelism',
      ...'addresses burst corpus deployments geth-releases hostile loop memory node-version redaction unlinkable url-secrets'
        .split(' ')
        .map((name) => `test/whole/${name}`),
      'test/node/commands/fleet.test.ts',
      'test/node/deployment/unread.test.ts',
      'test/node/harden/checked.test.ts',
      'test/node/kinds/impact.test.ts',
      'test/node/sources/bad-input.test.ts',
      'test/survey/group/group.test.ts',
      'test/survey/server/payment-states.test.ts',
      'test/survey/store/written.test.ts',
      'test/node/sources/argv/unknown-flag.test.ts',
    ],
    fixed: long,
    given: { KAIACTL_TEST_REPORT_TARGETS: '20000' },
  },
  install: {
    files: ['test/whole/delivery'],
    fixed: long,
  },
  chain: { files: ['test/whole/chain'], given: { KAIACTL_TEST_CHAIN: '50000' } },
};

process.chdir(new URL('..', import.meta.url).pathname);
const [name, ...words] = process.argv.slice(2);
const { files, fixed, given = {} } = sets[name];
const settings = Object.fromEntries(
  Object.entries(given).map(([variable, value], at) => [variable, words[at] || value]),
);
const rest = words.slice(Object.keys(given).length);
const { status } = spawnSync(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...files, ...rest], {
  stdio: 'inherit',
  env: { ...process.env, ...fixed, ...settings },
});
process.exitCode = status ?? 1;
