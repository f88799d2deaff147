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

test('a page says that the database is not reachable, and a retry restores it (X1)', async ({ page }) => {
  // Its service starts, which takes a minute while another test builds the pages.
  test.slow();
  await withFreshService({ SIGN_UP: 'open' }, async (service, { name, server }) => {
    await setUpCompany(page, service.url);
    await server.unsafe(`alter database ${name} allow_connections false`);
    await server`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name}`;
    await page.goto(`${service.url}/owner/audit`);
    await expect(page.getByText('Terjadi kesalahan')).toBeVisible();
    await expect(page.getByText(/Nomor untuk bantuan: \d+/)).toBeVisible();
    await server.unsafe(`alter database ${name} allow_connections true`);
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

test.describe('without a service worker, which would answer instead of the network', () => {
  test.use({ serviceWorkers: 'block' });

  test('built files are compressed and cached for good, and pages are never cached', async ({ page, request }) => {
    await page.goto('/login');
    const scripts = await page
      .locator('script[src]')
      .evaluateAll((all) => all.map((one) => (one as HTMLScriptElement).src));
    const answer = await request.get(scripts[0] ?? '', { headers: { 'Accept-Encoding': 'gzip' } });
    expect(answer.headers()['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(answer.headers()['content-encoding']).toBe('gzip');
    const smaller = await request.get(scripts[0] ?? '', { headers: { 'Accept-Encoding': 'gzip, deflate, br' } });
    expect(smaller.headers()['content-encoding']).toBe('br');
    expect(Number(smaller.headers()['content-length'])).toBeLessThan(Number(answer.headers()['content-length']));
    const plain = await request.get(scripts[0] ?? '', { headers: { 'Accept-Encoding': 'identity' } });
    expect(plain.headers()['content-encoding']).toBeUndefined();
    expect((await plain.body()).equals(await smaller.body()), 'the same once unpacked').toBe(true);
    expect((await request.get(`${new URL(scripts[0] ?? '').origin}/_next/static/chunks/none.js`)).status()).toBe(404);
    expect((await request.get('/login')).headers()['cache-control']).toContain('no-store');
  });

  test('favicon, icons and manifest exist', async ({ page, request, baseURL }) => {
    await page.goto('/login');
    const address = async (rel: string) => page.locator(`link[rel~="${rel}"]`).first().getAttribute('href');
    const icons = [await address('icon'), await address('apple-touch-icon')];
    const manifest = await request.get((await address('manifest')) ?? '');
    const listed = ((await manifest.json()) as { icons: { src: string; sizes: string }[] }).icons;
    expect(listed.map(({ sizes }) => sizes)).toEqual(['192x192', '512x512', '512x512']);
    for (const src of [...icons, ...listed.map((icon) => icon.src), '/favicon.ico']) {
      const answer = await request.get(src ?? '');
      expect([src, answer.status()]).toEqual([src, 200]);
      expect(answer.headers()['content-type']).toMatch(/^image\//);
      expect(new URL(answer.url()).origin).toBe(baseURL);
    }
  });

  test('the offline page loads no other file', async ({ context }) => {
    const page = await context.newPage();
    const requested: string[] = [];
    page.on('request', (request) => requested.push(new URL(request.url()).pathname));
    await page.goto('/offline.html');
    await expect(page.getByRole('heading', { name: 'Anda sedang offline' })).toBeVisible();
    // The page requests itself again to find out whether the network is back.
    expect([...new Set(requested)]).toEqual(['/offline.html']);
  });
});
