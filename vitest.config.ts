import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Vitest's own second is too short beside a busy machine's other tests.
    expect: { poll: { timeout: 30_000 } },
    pool: 'threads',
    maxWorkers: 3,
    retry: process.env.CI ? 1 : 0,
    globalSetup: 'e2e/runner/setup/database.ts',
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          globalSetup: 'e2e/runner/setup/statements.ts',
          setupFiles: ['e2e/runner/setup/record-statements.ts'],
          include: ['server', 'db', 'app', 'supply', 'e2e/runner', 'e2e/structure'].map(
            (folder) => `${folder}/**/*.test.ts`,
          ),
        },
      },
      ...['api', 'server', 'docs', 'tenancy', 'workflows'].map((name) => ({
        extends: true as const,
        test: {
          name,
          include: [`e2e/${name}/**/*.test.ts`],
          globalSetup: 'e2e/runner/setup/service.ts',
          setupFiles: ['e2e/runner/setup/tidy.ts', 'e2e/runner/setup/watch.ts'],
        },
      })),
      // Firefox and WebKitGTK need a processor each.
      {
        extends: true,
        test: {
          name: 'browsers',
          include: ['e2e/browsers/**/*.test.ts'],
          sequence: { groupOrder: 2 },
          maxWorkers: 2,
          globalSetup: 'e2e/runner/setup/service.ts',
          setupFiles: ['e2e/runner/setup/tidy.ts'],
        },
      },
      // Compilers and package managers take minutes when they begin with empty caches.
      {
        extends: true,
        test: {
          name: 'clients',
          include: ['e2e/clients/**/*.test.ts'],
          sequence: { groupOrder: 3 },
          maxWorkers: 2,
          globalSetup: ['e2e/runner/setup/service.ts', 'e2e/runner/setup/generators.ts'],
          hookTimeout: 600_000,
        },
      },
      // Each takes away only what is its own. Where figures count, one after another, so that none disturbs another's; otherwise they mostly wait.
      {
        extends: true,
        test: {
          name: 'faults',
          include: ['e2e/faults/**/*.test.ts'],
          sequence: { groupOrder: 1 },
          globalSetup: 'e2e/runner/setup/service.ts',
          setupFiles: ['e2e/runner/setup/tidy.ts'],
          ...(process.env.FAULTS === 'full'
            ? { testTimeout: 3_600_000, maxWorkers: 1 }
            : { testTimeout: 600_000, maxWorkers: 2 }),
        },
      },
    ],
  },
});
