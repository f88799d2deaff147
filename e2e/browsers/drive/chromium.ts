import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type BrowserContext, chromium, type Page } from 'playwright/test';
import { startDesktop } from '#e2e/browsers/drive/desktop.ts';
import { type Driven, type Profile, type Tab, waitUntilReady } from '#e2e/browsers/drive/tab.ts';
import type { Network } from '#e2e/browsers/network/network.ts';
import { findBrowser } from '#e2e/support/browser/find-browser.ts';

// Playwright's flags that keep every tab visible, its timers fast and its loudspeaker silent.
const lively = ['background-timer-throttling', 'backgrounding-occluded-windows', 'renderer-backgrounding'];
const withoutFlags = ['--mute-audio', ...lively.map((name) => `--disable-${name}`)];
const flags = ['--autoplay-policy=document-user-activation-required', '--lang=id-ID', '--disable-gpu'];

/** Starts Chromium with a window on a desktop of its own. A new profile only clears the cookies of the same one. */
export async function startChromium(network?: Network): Promise<Driven> {
  const desktop = await startDesktop();
  const program = join(desktop.folder, 'chromium');
  const command = [...(network?.enter ?? []), findBrowser().path];
  await writeFile(program, `#!/bin/sh\nexec ${command.map((word) => `'${word}'`).join(' ')} "$@"\n`);
  await chmod(program, 0o755);
  try {
    const context = await chromium.launchPersistentContext(join(desktop.folder, 'profile'), {
      executablePath: program,
      headless: false,
      viewport: null,
      ignoreHTTPSErrors: true,
      ignoreDefaultArgs: withoutFlags,
      args: network?.http2 === false ? [...flags, '--disable-http2'] : flags,
      env: desktop.variables,
      chromiumSandbox: process.getuid?.() !== 0,
    });
    const stop = async () => {
      await context.close();
      await desktop.stop();
    };
    return { desktop, newProfile: () => openProfile(context), stop };
  } catch (error) {
    await desktop.stop();
    throw error;
  }
}

async function openProfile(context: BrowserContext): Promise<Profile> {
  await context.clearCookies();
  const pages: Page[] = [];
  const newTab = async () => {
    const page = await context.newPage();
    pages.push(page);
    return drivePage(context, page);
  };
  const openedTab = async () => drivePage(context, context.pages().at(-1) as Page);
  return { newTab, openedTab, close: async () => void (await Promise.all(pages.map((page) => page.close()))) };
}

function drivePage(context: BrowserContext, page: Page): Tab {
  let cover: Page | undefined;
  const evaluate = async <Value>(expression: string) =>
    (await page.evaluate(`Promise.resolve(${expression}).then((value) => value ?? null)`)) as Value;
  const press = (locator: string) => page.locator(locator).filter({ visible: true }).first().click();
  const ready = () => waitUntilReady(evaluate);
  return {
    open: async (url) => {
      await page.goto(url);
      await ready();
    },
    reload: async () => {
      await page.reload();
      await ready();
    },
    evaluate,
    press,
    type: async (locator, text) => {
      await press(locator);
      await page.keyboard.type(text);
    },
    hide: async () => {
      cover = await context.newPage();
      await cover.bringToFront();
    },
    show: async () => {
      await page.bringToFront();
      await cover?.close();
      cover = undefined;
    },
    frame: () => Promise.reject(new Error('Chromium is driven here without frames')),
  };
}
