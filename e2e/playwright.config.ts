import { defineConfig } from 'playwright/test';
import { findHeadlessShell } from '#e2e/support/browser/find-browser.ts';

const args = [
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  ...['gpu', 'background-networking', 'component-update', 'sync'].map((name) => `--disable-${name}`),
  '--no-first-run',
  // The rule of Chrome on a person's computer; headless Chrome allows sound in a new tab.
  '--autoplay-policy=document-user-activation-required',
];
// These tests need a window: they play sound, hide tabs, show notifications or meet two versions.
const inWindow = /\/(portal\/[^/]+|pages\/(first-minutes|two-versions\.release)|owner\/join)\.spec\.ts$/;
// Tests with Keycloak and Dex take minutes, so they are a step of their own.
const { BROWSER_STEP: step = 'browser', LANE } = process.env;
const isProviders = step === 'providers';
// Files of the other lane (e2e/runner/steps.ts). The projects say this, because theirs replaces the general one.
const ofOther = LANE === 'change' ? [/\.release\.spec\.ts$/] : LANE === 'release' ? [/(?<!\.release)\.spec\.ts$/] : [];
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
  // More workers than processors, because a test waits for a third of its time.
  workers: 3,
  retries: process.env.CI ? 1 : 0,
  timeout: 90_000,
  expect: { timeout: 15_000 },
  reporter: 'list',
  use: { baseURL: process.env.SERVICE_URL, locale: 'id-ID', screenshot: 'only-on-failure', ...everywhere },
  projects:
    headlessShell && !isProviders
      ? [
          { name: 'in a window', testMatch: inWindow, testIgnore: ofOther },
          { name: 'without a window', testIgnore: [inWindow, ...ofOther], use: withoutWindow },
        ]
      : [{ testIgnore: isProviders ? [] : ofOther }],
});
