import { expect, type Locator, type Page } from 'playwright/test';
import { popUps, within20s } from '#e2e/support/browser/browser.ts';

/** The bell, when it says that so many are unread. */
export const bell = (page: Page, unread: number) =>
  page.getByRole('link', { name: unread ? `Notifikasi, ${unread} belum dibaca` : 'Notifikasi, semua sudah dibaca' });

/** What shows the state of the sound in the header, and opens its panel. */
export const soundButton = (page: Page) => page.getByRole('banner').getByRole('button', { name: /^Suara · / });

export const statusBar = (page: Page) => page.locator('.status-bar');

export const expectPopUp = (page: Page, text: string | RegExp) =>
  expect(popUps(page).filter({ hasText: text })).toBeVisible(within20s);

/** Waits until the sound of a portal page is on: what arrives before that does not ring. */
export const expectSoundOn = (page: Page) => expect(page.locator('[data-sound=on]').first()).toBeVisible();

export async function turnSoundOn(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().click();
  await expectSoundOn(page);
}

/** Checks that a page plays no further tone for longer than the 5 s between two chimes. */
export async function expectNoMoreTones(page: Page): Promise<void> {
  const played = () => (window as unknown as { tones: number }).tones;
  const before = await page.evaluate(played);
  const more = page.waitForFunction((count) => (window as unknown as { tones: number }).tones > count, before, {
    timeout: 7000,
  });
  await expect(more).rejects.toThrow(/Timeout/);
}

/** Holds the feed of the next page back until the returned function is called. */
export async function holdFeed(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(/\/portal\/(feed|stream)\?/, async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}

export const understood = (within: Page | Locator) => within.getByRole('button', { name: /^Sudah baca & paham/ });
