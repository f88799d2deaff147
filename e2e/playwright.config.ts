import { defineConfig } from 'playwright/test';
import { findHeadlessShell } from '#e2e/support/browser/find-browser.ts';

const args = [
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  ...[
    '--disable-gpu',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--no-first-run',
    // What Chrome does on a person's computer; headless is more generous in a new tab.
    '--autoplay-policy=document-user-activation-required',
  ],
];
// These hear, are hidden, show notifications, count requests or meet two versions, as in a window.
const inWindow = /\/(portal\/[^/]+|pages\/(first-minutes|budget|two-versions)|owner\/join)\.spec\.ts$/;
// Those with the providers of others take minutes, and are a step of their own.
const { BROWSER_STEP: step = 'browser' } = process.env;
const isProviders = step === 'providers';
const headlessShell = findHeadlessShell();
const [everywhere, withoutWindow] = [process.env.CHROMIUM_PATH, headlessShell].map((executablePath) => ({
  launchOptions: { executablePath, args },
}));

export default defineConfig({
  testDir: '.',
  testMatch: process.env.PICTURES
    ? '**/*.take.ts'
    : isProviders
      ? 'providers/*.spec.ts'
      : /e2e\/(?!providers\/).*\.spec\.ts$/,
  outputDir: `./.out/${step}`,
  fullyParallel: true,
  forbidOnly: true,
  // More than processors: a third of the time a test waits.
  workers: 3,
  retries: process.env.CI ? 1 : 0,
  timeout: 90_000,
  expect: { timeout: 15_000 },
  reporter: [['list'], ['json', { outputFile: `./.out/${step}.json` }]],
  use: {
    baseURL: process.env.SERVICE_URL,
    locale: 'id-ID',
    screenshot: 'only-on-failure',
    ...everywhere,
  },
  projects:
    headlessShell && !isProviders
      ? [
          { name: 'in a window', testMatch: inWindow },
          { name: 'without a window', testIgnore: inWindow, use: withoutWindow },
        ]
      : undefined,
});
