import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser } from 'playwright/test';
import {
  bell,
  countTones,
  expect,
  expectNoMoreTones,
  expectSoundOn,
  popUps,
  soundButton,
  steady,
  test,
  within20s,
} from '#e2e/support/browser/browser.ts';
import { writeManualDraft } from '#e2e/support/data/sends.ts';

test.use({ viewport: { width: 360, height: 740 } });

const missed = 300;

test('what was missed in quiet hours never rings; 300 after a night offline are one summary and one ring', async ({
  page,
  company,
  signInAsEmployee,
}) => {
  const tones = await countTones(page);
  const offline = async (work: () => Promise<void>) => {
    await page.context().setOffline(true);
    await work();
    await page.context().setOffline(false);
  };
  await signInAsEmployee(page);
  await page.goto('/portal/help');
  await soundButton(page).click();
  const menu = page.getByRole('dialog');
  await expect(menu.locator('[data-connection=connected]')).toHaveText('Terhubung');
  await menu.getByRole('button', { name: 'Senyap selama 1 jam' }).click();
  await expect(menu.getByText(/^Senyap sampai \d\d\.\d\d$/)).toBeVisible();
  await page.keyboard.press('Escape');
  await offline(async () => {
    for (let count = 1; count <= 30; count++) await writeManualDraft(company, { title: `Saat tenang ${count}` });
  });
  // Back during the quiet: everything is listed, and nothing rings, also not when it ends.
  await expect(bell(page, 30)).toBeVisible(within20s);
  await soundButton(page).click();
  await menu.getByRole('button', { name: 'Matikan senyap' }).click();
  await expect(menu.getByRole('button', { name: 'Senyap selama 1 jam' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expectSoundOn(page);
  await expect(popUps(page)).toHaveCount(0);
  expect(await tones()).toBe(0);
  // The next absence is one summary of what came in it, and one ring.
  await offline(async () => {
    for (let count = 1; count <= missed; count++)
      await writeManualDraft(company, { title: `Terlewat ${count}`, mustConfirm: count === 150 });
  });
  await expect(bell(page, 30 + missed)).toBeVisible(within20s);
  await expect(popUps(page)).toHaveCount(1);
  // A chime has two tones.
  await expect.poll(tones, within20s).toBeGreaterThanOrEqual(2);
  await expect(popUps(page)).toContainText(`${missed} notifikasi baru`);
  await expectNoMoreTones(page);
  await popUps(page).getByRole('link', { name: 'Lihat semua' }).click();
  await expect(page.getByText(`${30 + missed} belum dibaca`)).toBeVisible();
  await expect(popUps(page)).toHaveCount(0);
});

// A gap of 15 s between two ticks is a sleep.
const sleepMs = 18_000;

// As at the sleep of a laptop: no process of the browser runs, then all timers are due at once.
async function whileAsleep(browser: Browser, work: () => Promise<void>): Promise<void> {
  const devTools = await browser.newBrowserCDPSession();
  const { processInfo } = await devTools.send('SystemInfo.getProcessInfo');
  const signal = (name: 'SIGSTOP' | 'SIGCONT') => {
    for (const { id } of processInfo) process.kill(id, name);
  };
  const woken = sleep(sleepMs);
  signal('SIGSTOP');
  try {
    await work();
    await woken;
  } finally {
    signal('SIGCONT');
  }
  await devTools.detach();
}

test('after the sleep of a laptop, two windows side by side show one summary and ring once', async ({
  page,
  context,
  browser,
  company,
  signInAsEmployee,
}) => {
  const other = steady(await context.newPage());
  const windows = [page, other];
  const tones = await Promise.all(windows.map(countTones));
  await signInAsEmployee(page);
  for (const window of windows) {
    await window.goto('/portal/help');
    await window.locator('h1').click();
  }
  for (const window of windows) {
    await expectSoundOn(window);
    await expect(window.locator('[data-connection=connected]').first()).toContainText('Terhubung');
  }
  await whileAsleep(browser, async () => {
    for (let count = 1; count <= 40; count++) await writeManualDraft(company, { title: `Terlewat ${count}` });
  });
  for (const window of windows) await expect(bell(window, 40)).toBeVisible(within20s);
  const countAll = async (count: (window: typeof page, index: number) => Promise<number>) =>
    (await Promise.all(windows.map(count))).reduce((sum, one) => sum + one, 0);
  await expect.poll(() => countAll((window) => popUps(window).count()), within20s).toBe(1);
  const texts = await Promise.all(windows.map((window) => popUps(window).allTextContents()));
  expect(texts.flat().join()).toContain('40 notifikasi baru');
  await expect.poll(() => countAll(async (_, index) => (await tones[index]?.()) ?? 0), within20s).toBe(2);
  await Promise.all(windows.map(expectNoMoreTones));
});
