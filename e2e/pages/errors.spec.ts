import { expect, test } from '#e2e/support/browser/browser.ts';
import { setUpCompany, withFreshService } from '#e2e/support/data/fresh-service.ts';
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
