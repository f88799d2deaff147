import {
  countTones,
  entries,
  expect,
  expectSoundOn,
  popUps,
  steady,
  test,
  within20s,
} from '#e2e/support/browser/browser.ts';
import { startPlainBrowser } from '#e2e/support/browser/hidden-tab.ts';
import { lacks } from '#e2e/support/programs.ts';

// Chromium slows the timers of a hidden page after one minute. The test waits for that.
test.setTimeout(180_000);
test.beforeEach(() => test.info().skip(lacks('chromium'), 'the headless shell shows every tab'));

test('a hidden tab with slowed timers rings within 20 s; the pop-up moves to the visible tab', async ({
  baseURL,
  company,
  signIn,
  send,
}) => {
  const { context, stop } = await startPlainBrowser();
  const page = steady(context.pages()[0] ?? (await context.newPage()));
  const tones = await countTones(page);
  const username = await company.giveAccount(await company.hire());
  await signIn(page, username, `${baseURL}/portal/notifications`);
  await page.locator('h1').click();
  await expectSoundOn(page);
  await page.evaluate(() => {
    const slow = window as unknown as { ticks: number[] };
    slow.ticks = [];
    setInterval(() => slow.ticks.push(performance.now()), 1000);
  });
  const other = await context.newPage();
  await other.bringToFront();
  await expect.poll(() => page.evaluate(() => document.visibilityState)).toBe('hidden');

  await send({ judul: 'Baru saja tersembunyi' });
  await expect.poll(tones, within20s).toBe(2);
  await expect(popUps(page).filter({ hasText: 'Baru saja tersembunyi' })).toHaveCount(1, within20s);

  // Two ticks more than 30 s apart prove that the browser slows the page's timers down.
  const slowed = () =>
    page.evaluate(() => {
      const { ticks } = window as unknown as { ticks: number[] };
      return ticks.some((at, index) => at - (ticks[index - 1] ?? at) > 30_000);
    });
  await expect.poll(slowed, { timeout: 150_000, intervals: [2000] }).toBe(true);
  await send({ judul: 'Sudah lama tersembunyi' });
  await expect.poll(tones, within20s).toBe(4);

  // The pop-up moves from the hidden tab to the visible one.
  const visible = steady(other);
  await visible.goto(`${baseURL}/portal/notifications`);
  await expect(
    popUps(visible)
      .filter({ hasText: '2' })
      .or(popUps(visible).filter({ hasText: 'Sudah lama' }))
      .first(),
  ).toBeVisible(within20s);
  await page.bringToFront();
  await expect(popUps(page)).toHaveCount(0, within20s);
  await expect(entries(visible)).toHaveCount(2);
  expect(await tones()).toBe(4);
  await stop();
});
