import { expect, test } from '#e2e/fixtures/browser.ts';
import { setUpCompany, withFreshService } from '#e2e/fixtures/fresh-service.ts';
import { generateKey } from '#server/keys/keys.ts';

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

test('an owner’s page says that it is offline, and that the session has ended', async ({
  page,
  context,
  company,
  signIn,
}) => {
  await signIn(page, company.username);
  await context.setOffline(true);
  await expect(page.locator('.status-bar')).toContainText('Anda sedang offline');
  await context.setOffline(false);
  await expect(page.locator('.status-bar')).not.toContainText('offline');
  await page.goto('/owner/keys');
  await context.clearCookies();
  await expect(page.locator('.status-bar')).toContainText('Sesi berakhir');
  await page.locator('.status-bar').getByRole('link', { name: 'Masuk' }).click();
  await expect(page).toHaveURL('/login?returnTo=%2Fowner%2Fkeys');
});
