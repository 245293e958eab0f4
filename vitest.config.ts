import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';
import { compiledSources } from './tools/compiled.js';

/** Tests that run only where their count is given, by the scripts of package.json; `.ci/run` runs them short. */
const longModes = {
  KAIACTL_TEST_FAULTS: ['test/whole/{faults/**,keep-going.test.ts,upstream-faults.test.ts}'],
  // Installs, the package, the site, editors, CI, and walks of pages; statistics of hundreds of joins; tables of many rows
  // and of addresses in namespaces; bursts; every fixture as a simulated node, which is audited;
  // and snippets that nginx, Caddy, nft and systemd check.
  KAIACTL_TEST_LONG: [
    'test/whole/{delivery/**,addresses.test.ts,burst.test.ts,geth-releases.test.ts,loop.test.ts,unlinkable.test.ts}',
    'test/whole/deployments/rendered.test.ts',
    'test/node/harden/checked.test.ts',
  ],
  KAIACTL_TEST_CARRIERS: ['test/whole/{carriers,same-everywhere}.test.ts'],
  // Generated networks, and the rules of their kernel.
  KAIACTL_TEST_REACH: ['test/whole/reach/**', 'test/node/deployment/firewalls/kernel.test.ts'],
  // Of a chain, each run has groups, and answers that are verified.
  KAIACTL_TEST_CHAIN: ['test/whole/chain/{admin,burst,chain,large,replicas,verify-answers}.test.ts'],
  // Children, namespaces, signals, servers of one database, a browser.
  KAIACTL_TEST_MACHINE: [
    'test/whole/{engine-port,hangup,lasting-names,processes,replicas,restart,rim,unjudged-processes,unlocked}.test.ts',
    'test/survey/server/chromium.test.ts',
  ],
  KAIACTL_TEST_KILLS: ['test/survey/commands/kill.test.ts', 'test/survey/server/kill.test.ts'],
};

/** Helpers that run commands, a server or other programs, or generate cases; a source of that name is none. */
const helpers = [
  ...['run', 'offline', 'live', 'program', 'command', 'stepped-watch', 'support'],
  ...['child-node', 'programs', 'real', 'anvil', 'backends', 'postgres', 'oracle', 'generated', 'random'],
].join('|');
const runsProgram = new RegExp(`from '(?:.*/src/main|(?!.*/src/)\\.[./\\w-]*/(?:${helpers}))\\.js'`);

/**
 * What a related run leaves out: tests of the whole program and of a wing that the sources are not in, and those that run
 * programs, except beside the sources.
 */
function unrelated(words: readonly string[]): string[] {
  const root = import.meta.dirname;
  const sources = words.filter((word) => !word.startsWith('-'));
  const folders = sources.flatMap((path) => {
    const test = relative(root, resolve(path)).replace(/^src/, 'test').replace(/\.ts$/, '');
    return [test, dirname(test)];
  });
  const tests = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .map((path) => join('test', path))
    .filter((path) => path.endsWith('.test.ts') && !folders.includes(dirname(path)));
  const wings = ['node', 'survey'].map((wing) => `test/${wing}`);
  const [other] = wings.filter((wing) => folders.every((path) => !path.startsWith(wing)));
  const isInWing = folders.every((path) => wings.some((wing) => path.startsWith(wing)));
  const apart = other !== undefined && isInWing ? [`${other}/**`] : [];
  return ['test/whole/**', ...apart, ...tests.filter((path) => runsProgram.test(readFileSync(join(root, path), 'utf8')))];
}

const at = process.argv.indexOf('related');
const whole = at < 0 ? [] : unrelated(process.argv.slice(at + 1));
const left = Object.entries(longModes).flatMap(([name, files]) => (process.env[name] === undefined ? files : []));

// Relations, coverage and watching are of the sources themselves.
const isOfSources = at > 0 || process.argv.some((word) => /^(?:watch|dev|--watch|--coverage.*)$/.test(word));

export default defineConfig({
  plugins: isOfSources ? [] : [compiledSources],
  test: {
    globalSetup: 'test/build.ts',
    // Tests of chains, servers and deadlines wait most of their time.
    maxWorkers: (at < 0 ? 2 : 1) * availableParallelism(),
    // No test measures time: these limits end what hangs, and are far above what a busy machine needs.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
    // Loading the program anew for each file would take a quarter of the time.
    isolate: false,
    // Fewer collections of new objects, and no threads of V8 beside busy workers: each 3 to 12 % less time of the processor.
    // Most code of a test runs a few times: compiled plainly at once and optimised late, it takes a fifth less.
    execArgv: [
      '--max-semi-space-size=64',
      '--single-threaded',
      '--always-sparkplug',
      '--interrupt-budget=1000000',
    ],
    exclude: [...configDefaults.exclude, '.stryker-tmp/**', 'fixtures/**', ...whole, ...left],
    coverage: {
      provider: 'v8',
      include: ['src/**'],
      reporter: ['text-summary', 'html'],
      // What a slow machine lets time out should not cost the number.
      reportOnFailure: true,
    },
  },
});
