import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright/test';
import { expect, statusBar, test } from '#e2e/support/browser/browser.ts';
import { password } from '#e2e/support/data/company.ts';
import { withFreshService } from '#e2e/support/service/databases.ts';
import { generateKey } from '#server/keys/keys.ts';

test('an owner’s page stays offline, keeps what was typed, and goes on when the network is back', async ({
  page,
  context,
  company,
  signIn,
}) => {
  await company.hire('Siti Uji');
  await signIn(page, company.username, '/owner/employees');
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => null));
  await page.getByRole('button', { name: 'Tambah karyawan' }).first().click();
  await page.getByRole('textbox', { name: 'Nama' }).fill('Budi Uji');
  await context.setOffline(true);
  await expect(statusBar(page)).toContainText('Anda sedang offline. Halaman ini tetap ada');
  await page.getByRole('textbox', { name: 'Peran' }).fill('Kasir');
  const submit = page.getByRole('dialog').locator('[type=submit]');
  await submit.click();
  await expect(page.getByRole('dialog')).toContainText('Belum ada yang dikirim, dan isian Anda tetap ada.');
  await expect(page.getByRole('textbox', { name: 'Nama' })).toHaveValue('Budi Uji');
  await page.keyboard.press('Escape');
  // The list stays, also when a link is pressed or a filter asks for another address.
  await page.getByRole('link', { name: 'Siti Uji' }).click();
  await page.evaluate(() => location.assign('/owner/employees?q=siti'));
  await expect(page.getByRole('link', { name: 'Siti Uji' })).toBeVisible();
  await expect(page).toHaveURL('/owner/employees');
  await context.setOffline(false);
  await expect(page).toHaveURL('/owner/employees?q=siti');
  await expect(page.getByRole('link', { name: 'Siti Uji' })).toBeVisible();
  await expect(statusBar(page)).toBeEmpty();
});

test('a page of an owner that is opened offline opens by itself when the network is back', async ({
  page,
  context,
  company,
  signIn,
}) => {
  await company.newKey();
  await signIn(page, company.username);
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => null));
  await context.setOffline(true);
  // Not `page`, which waits for our own scripts.
  const cold = await context.newPage();
  await cold.goto('/owner/keys');
  await expect(cold.getByRole('heading', { name: 'Anda sedang offline' })).toBeVisible();
  await context.setOffline(false);
  await expect(cold.getByRole('heading', { name: 'Kunci API', exact: true })).toBeVisible();
});

test('a page says that the database is not reachable, and a retry restores it', async ({ page }) => {
  // Its service starts, which takes a minute while another test builds the pages.
  test.slow();
  await withFreshService({ SIGN_UP: 'open' }, async (service, { name, admin }) => {
    await setUpCompany(page, service.url);
    await admin.unsafe(`alter database ${name} allow_connections false`);
    await admin`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name}`;
    await page.goto(`${service.url}/owner/audit`);
    await expect(page.getByText('Terjadi kesalahan')).toBeVisible();
    await expect(page.getByText(/Nomor untuk bantuan: \d+/)).toBeVisible();
    await admin.unsafe(`alter database ${name} allow_connections true`);
    const headers = { 'X-API-Key': generateKey() };
    const ping = () => fetch(`${service.url}/api/v1/notif.php?aksi=ping`, { headers });
    await expect.poll(async () => (await ping()).status, 'the service has found it again').toBe(401);
    await page.getByRole('button', { name: 'Coba lagi' }).click();
    await expect(page.getByRole('heading', { name: 'Riwayat audit' })).toBeVisible();
  });
});

// The owner is signed in afterwards.
async function setUpCompany(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/setup`);
  await page.locator('[name=companyName]').fill('PT Baru Contoh');
  await page.locator('[name=ownerName]').fill('Pemilik Uji');
  await page.locator('[name=username]').fill(`pemilik-${randomUUID()}`);
  await page.locator('[name=password]').fill(password);
  await page.keyboard.press('Enter');
  await page.waitForURL(`${url}/owner`);
}
