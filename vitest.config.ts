import './platform/config/require-node.js';
import fs from 'node:fs';
import { defineConfig } from 'vitest/config';
import type { Reporter } from 'vitest/node';

// Subjects whose tests start services of their own; the step is named `server`.
const serverFolders = ['machines', 'transport', 'command', 'accounts', 'owner', 'portal'];

// `npm run test:release` runs these files of a folder, `npm run test:all` the others.
const ofRelease = '.release.test.ts';
const { LANE } = process.env;
const tests = (folder: string) => `e2e/${folder}/**/*${LANE === 'release' ? ofRelease : '.test.ts'}`;
const exclude = LANE === 'change' ? [`**/*${ofRelease}`] : [];

const unitTests = ['server', 'db', 'platform', 'app', 'release', 'e2e/runner', 'e2e/structure'].flatMap((folder) =>
  fs.globSync(`${folder}/**/*.test.ts`),
);
// A unit test needs a database when it imports from db/, or support that writes rows.
const importsDatabase = /'#db\/|'#e2e\/support\/(data\/|service\/(databases|stage))/;
const needsDatabase = (file: string) => importsDatabase.test(fs.readFileSync(file, 'utf8'));

// The error of a test that passed at its second try, which no other reporter prints.
const firstTries: Reporter = {
  onTestCaseResult(test) {
    if (!test.diagnostic()?.flaky) return;
    for (const { message, stack } of test.result().errors ?? [])
      console.log(`first try: ${test.fullName}: ${stack ?? message}`);
  },
};

export default defineConfig({
  test: {
    reporters: ['default', firstTries],
    exclude,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Vitest's own second is too short beside a busy machine's other tests.
    expect: { poll: { timeout: 30_000 } },
    pool: 'threads',
    maxWorkers: 3,
    retry: process.env.CI ? 1 : 0,
    projects: [
      {
        extends: true,
        test: {
          name: 'pure',
          env: { AUTH_SECRET: 'a secret of the tests, and of nothing else' },
          include: unitTests.filter((file) => !needsDatabase(file)),
        },
      },
      {
        extends: true,
        test: {
          name: 'unit',
          globalSetup: ['e2e/runner/setup/database.ts', 'e2e/structure/across-companies.ts'],
          setupFiles: ['e2e/runner/setup/record-statements.ts'],
          include: unitTests.filter(needsDatabase),
        },
      },
      ...['api', 'server', 'docs', 'tenancy', 'workflows', 'package'].map((name) => ({
        extends: true as const,
        test: {
          name,
          include: (name === 'server' ? serverFolders : [name]).map((folder) => `e2e/${folder}/**/*.test.ts`),
          globalSetup: 'e2e/runner/setup/service.ts',
          setupFiles: ['e2e/runner/setup/tidy.ts', 'e2e/runner/setup/watch.ts'],
        },
      })),
      {
        extends: true,
        test: { name: 'install', include: ['e2e/install/**/*.test.ts'], testTimeout: 900_000, maxConcurrency: 2 },
      },
      // Firefox and WebKitGTK need a processor each.
      {
        extends: true,
        test: {
          name: 'browsers',
          include: [tests('browsers')],
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
          globalSetup: ['e2e/runner/setup/service.ts', 'e2e/clients/tools.ts'],
          hookTimeout: 600_000,
        },
      },
      // Each takes away only what is its own. Where figures count, one runs after another; otherwise they mostly wait.
      {
        extends: true,
        test: {
          name: 'faults',
          include: [tests('faults')],
          sequence: { groupOrder: 1 },
          globalSetup: 'e2e/runner/setup/service.ts',
          setupFiles: ['e2e/runner/setup/tidy.ts'],
          ...(process.env.FAULTS === 'full'
            ? { testTimeout: 3_600_000, maxWorkers: 1 }
            : { testTimeout: 240_000, maxWorkers: 2 }),
        },
      },
    ],
  },
});
