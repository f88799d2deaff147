import type { Page } from 'playwright/test';
import { expect, test } from '#e2e/support/browser/browser.ts';
import { password } from '#e2e/support/data/company.ts';
import { withFreshService } from '#e2e/support/data/fresh-service.ts';

// It starts a service, which takes a minute while another test builds the pages.
test.setTimeout(270_000);

async function fillCompany(page: Page): Promise<void> {
  await page.locator('[name=companyName]').fill('PT Baru Contoh');
  await page.locator('[name=timeZone]').selectOption('Asia/Makassar');
}

async function fillAccount(page: Page, username: string): Promise<void> {
  await page.locator('[name=ownerName]').fill('Pemilik Baru');
  await page.locator('[name=username]').fill(username);
  await page.locator('[name=password]').fill(password);
}

test('the first company needs the code from the log, and afterwards the page returns 404', async ({ page }) => {
  await withFreshService({}, async (service) => {
    await expect.poll(() => service.output()).toMatch(/with the code \S+/);
    const code = /with the code (\S+)/.exec(service.output())?.[1] ?? '';
    expect(code).toMatch(/^[2-9A-Z]{4}-[2-9A-Z]{4}-[2-9A-Z]{4}$/);
    expect(service.output(), 'a configured database gets no demo data').not.toContain('karyawan1');
    await page.goto(service.url);
    await expect(page).toHaveURL(`${service.url}/setup`);
    await expect(page.locator('[name=code]')).toBeFocused();
    await fillCompany(page);
    await fillAccount(page, 'pemilik-baru');
    await page.locator('[name=code]').fill('2222-2222-2222');
    await page.keyboard.press('Enter');
    await expect(page.getByText('Kode awal salah')).toBeVisible();
    await expect(page.locator('[name=code]')).toBeFocused();
    await page.locator('[name=code]').fill(code.toLowerCase().replaceAll('-', ' '));
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(`${service.url}/owner`);
    await expect(page.locator('.frame-name')).toHaveText('PT Baru Contoh');
    expect((await page.goto(`${service.url}/setup`))?.status()).toBe(404);
  });
});
