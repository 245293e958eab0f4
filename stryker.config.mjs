/** Mutation testing: `npm run test:mutation [-- file…]`; without files, all whose logic the tests are to hold. */
export default {
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'vitest.mutation.ts', related: true },
  coverageAnalysis: 'perTest',
  mutate: ['src/node/{judge,rules,fix,probe,sources}/**/*.ts', 'src/survey/**/*.ts'],
  // Texts are for people and have tests of their own; what a rule says may change freely.
  mutator: { excludedMutations: ['StringLiteral'] },
  ignoreStatic: true,
  concurrency: 2,
  timeoutMS: 10_000,
  disableTypeChecks: false,
  // Stryker would rewrite it through TypeScript's own API, which TypeScript 7 has not got; nothing here needs it.
  tsconfigFile: 'none',
  ignorePatterns: ['dist', 'coverage', 'reports', 'docs', '.git'],
  tempDirName: '.stryker-tmp',
  cleanTempDir: 'always',
  reporters: ['clear-text', 'html'],
  clearTextReporter: { allowColor: false, allowEmojis: false, reportTests: false, logTests: false },
  htmlReporter: { fileName: 'node_modules/.cache/stryker.html' },
  thresholds: { high: 90, low: 85, break: null },
};
