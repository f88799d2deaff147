import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: 'threads',
    maxWorkers: 3,
    retry: process.env.CI ? 1 : 0,
    projects: [
      {
        extends: true,
        test: { name: 'unit', include: ['server/**/*.test.ts', 'db/**/*.test.ts', 'app/**/*.test.ts'] },
      },
      { extends: true, test: { name: 'interface', include: ['e2e/api/**/*.test.ts'] } },
      { extends: true, test: { name: 'front', include: ['e2e/front/**/*.test.ts'] } },
      { extends: true, test: { name: 'docs', include: ['e2e/docs/**/*.test.ts'] } },
    ],
  },
});
