import type { Page } from 'playwright/test';
import { entries, expect, test } from '#e2e/support/browser/browser.ts';

// Opens a page whose scripts are held back, as by a slow network. Returns the function that lets them run.
async function openWithoutScripts(page: Page, address: string): Promise<() => Promise<void>> {
  const held = Promise.withResolvers<void>();
  await page.route('**/_next/static/**/*.js', async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.goto(address, { waitUntil: 'commit' });
  return async () => {
    held.resolve();
    await page.locator('html[data-ready]').waitFor({ state: 'attached' });
  };
}

test('a filter and words count that come before the scripts', async ({ page, context, signInAsEmployee, send }) => {
  await signInAsEmployee(page);
  await send({ judul: 'Gaji Oktober', jenis: 'gaji' });
  await send({ judul: 'Bonus', jenis: 'bonus' });
  for (const [choose, query] of [
    [(slow: Page) => slow.getByLabel('Jenis').selectOption('Gaji'), 'kind=gaji'],
    [(slow: Page) => slow.getByRole('searchbox').fill('Oktober'), 'search=Oktober'],
  ] as const) {
    const slow = await context.newPage();
    const run = await openWithoutScripts(slow, '/portal/notifications');
    await slow.getByTitle('Cari judul atau isi').click();
    await choose(slow);
    await run();
    await expect(slow).toHaveURL(`/portal/notifications?${query}`);
    await expect(entries(slow)).toHaveText(/Gaji Oktober/);
    await slow.goBack();
    await expect(entries(slow)).toHaveCount(2);
    await slow.reload();
    await expect(slow.getByLabel('Jenis')).toHaveValue('');
    await expect(slow).toHaveURL('/portal/notifications');
  }
});

test('rows ticked and days chosen before the scripts run count then', async ({ company, context, openOwner }) => {
  for (const name of ['Ani', 'Budi', 'Citra']) await company.hire(name);
  await openOwner();
  const slow = await context.newPage();
  const run = await openWithoutScripts(slow, '/owner/employees');
  for (const name of ['Ani', 'Citra']) await slow.getByRole('checkbox', { name }).check();
  await run();
  await expect(slow.getByText('2 dipilih')).toBeVisible();
  await expect(slow.getByRole('checkbox', { name: 'Budi' })).not.toBeChecked();
  const log = await context.newPage();
  const runLog = await openWithoutScripts(log, '/owner/audit');
  await log.getByLabel('Tanggal').selectOption('range');
  await runLog();
  await expect(log.getByRole('textbox', { name: 'Dari' })).toBeVisible();
});
