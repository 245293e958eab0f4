import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';

/** Tests that run only where their count is given, by the scripts of package.json; `.ci/run` runs them short. */
const longModes = {
  KAIACTL_TEST_FAULTS: ['test/whole/faults/**'],
  KAIACTL_TEST_KILLS: ['test/survey/commands/kill.test.ts', 'test/survey/server/kill.test.ts'],
};
/** Tests of the whole program would be related to every source; `npm test` runs them. */
const whole = process.argv.includes('related') ? ['test/whole/**'] : [];
const left = Object.entries(longModes).flatMap(([name, files]) => (process.env[name] === undefined ? files : []));

export default defineConfig({
  test: {
    globalSetup: 'test/build.ts',
    // Tests of chains, servers and deadlines wait most of their time.
    maxWorkers: Math.ceil(1.5 * availableParallelism()),
    // No test measures time: these limits end what hangs, and are far above what a busy machine needs.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
    // Loading the program anew for each file would take a quarter of the time.
    isolate: false,
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
