import { expect, signOut, steady, test, within20s } from '#e2e/support/browser/browser.ts';
import { startPlainBrowser } from '#e2e/support/browser/hidden-tab.ts';
import { service } from '#e2e/support/browser/host-page.ts';
import { toOne, writeManualDraft } from '#e2e/support/data/sends.ts';

// Two people at one computer, in one browser.

const text = 'Gaji Anda 5 juta';

test('after a sign-out no tab shows the first person’s notifications', async ({ page, context, company, signIn }) => {
  const [first, second] = [await company.hire('Yang Pertama'), await company.hire('Yang Kedua')];
  const username = await company.giveAccount(first);
  await writeManualDraft(company, { ...toOne(first.employeeId), title: text });
  await signIn(page, username);
  const other = steady(await context.newPage());
  await other.goto('/portal/notifications');
  await expect(other.getByText(text).first()).toBeVisible();
  await signOut(page);
  await expect(other.getByText(text)).toHaveCount(0);
  for (const step of ['goBack', 'goForward'] as const) {
    await page[step]();
    await expect(page.locator('[name=username]')).toBeVisible();
    await expect(page.getByText(text)).toHaveCount(0);
  }
  await signIn(page, await company.giveAccount(second));
  await expect(other.getByText(text)).toHaveCount(0);
  await page.goBack();
  await expect(page.getByText(text)).toHaveCount(0);
  // Signing in from the emptied page as the second person loads it anew.
  await other.bringToFront();
  await expect(other.getByText(text)).toHaveCount(0);
});

// Playwright keeps every tab visible. Here the other tab hides the page.
test('a page whose session ended is hidden, and comes back with its texts', async ({ company, signIn }) => {
  const browser = await startPlainBrowser();
  try {
    const { context } = browser;
    const page = steady(await context.newPage());
    await signIn(page, company.username, `${service}/owner/sends/new`);
    const title = page.locator('[name=title]');
    await title.fill('Rapat besok');
    const cookies = await context.cookies();
    const lookElsewhere = async () => {
      const other = await context.newPage();
      await expect.poll(() => page.evaluate(() => document.visibilityState)).toBe('hidden');
      await other.close();
      await page.bringToFront();
    };
    await context.clearCookies();
    await lookElsewhere();
    await expect(title).toBeHidden(within20s);
    await context.addCookies(cookies);
    await lookElsewhere();
    await expect(title).toBeVisible(within20s);
    await expect(title).toHaveValue('Rapat besok');
  } finally {
    await browser.stop();
  }
});
