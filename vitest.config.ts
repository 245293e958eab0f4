import { configDefaults, defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    globalSetup: 'test/build.ts',
    maxWorkers: '100%',
    exclude: [...configDefaults.exclude, '.stryker-tmp/**'],
    coverage: { provider: 'v8', include: ['src/**'], reporter: ['text-summary', 'html'] },
  },
});
