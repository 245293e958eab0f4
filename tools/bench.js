/** Bundles the benchmarks into one file; packages are loaded from node_modules. */
import { build } from 'rolldown';

process.chdir(new URL('..', import.meta.url).pathname);
await build({
  input: 'test/bench/run.ts',
  external: /^[^./]/,
  platform: 'node',
  tsconfig: false,
  resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
  output: { file: 'node_modules/.cache/kaiactl/bench.mjs', codeSplitting: false },
  logLevel: 'warn',
});
