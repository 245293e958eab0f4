import { defineConfig } from 'vitest/config';

/**
 * What mutants are tried on: tests that run the source itself, without a build, a child process or a chain. Those named
 * in KAIACTL_MUTATION_TESTS (with blanks between) instead, where a folder's own tests tell enough in minutes.
 */
export default defineConfig({
  test: {
    testTimeout: 30_000,
    include: process.env.KAIACTL_MUTATION_TESTS?.split(' ') ?? [
      'test/{http,jsonrpc,util}/**/*.test.ts',
      'test/node/{facts,fix,judge,kinds,report,sources}/**/*.test.ts',
      'test/node/{fixtures,policy,rules}.test.ts',
      'test/node/probe/{allowlist,answers,probes}.test.ts',
      'test/survey/{answers,group,pay,protocol,tokens}.test.ts',
      'test/survey/server/{exchanges,hostile,reservation}.test.ts',
      'test/survey/store/sqlite.test.ts',
    ],
    exclude: ['test/node/sources/limits.test.ts', 'test/node/judge/hostile.test.ts'],
  },
});
