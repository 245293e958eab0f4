import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    globalSetup: 'test/build.ts',
    coverage: { provider: 'v8', include: ['src/**'], reporter: ['text-summary', 'html'] },
  },
});
