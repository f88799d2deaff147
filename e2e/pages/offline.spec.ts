import { expect, test } from '#e2e/support/browser/browser.ts';
import { fillSetup } from '#e2e/support/browser/owner-pages.ts';
import { statusBar } from '#e2e/support/browser/portal-pages.ts';
import { withFreshService } from '#e2e/support/service/databases.ts';
import { generateKey } from '#server/keys/keys.ts';

test('offline an owner’s page stays, keeps what was typed and goes on', async ({ context, company, openOwner }) => {
  await company.hire('Siti Uji');
  const page = await openOwner('/owner/employees');
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

test('a page opened offline opens by itself when the network is back', async ({ context, company, openOwner }) => {
  await company.newKey();
  const page = await openOwner();
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
    await page.goto(`${service.url}/setup`);
    await fillSetup(page);
    await page.keyboard.press('Enter');
    await page.waitForURL(`${service.url}/owner`);
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

test.describe('without a service worker, which would answer instead of the network', () => {
  test.use({ serviceWorkers: 'block' });

  test('built files are compressed and cached, all icons exist, and the offline page needs no other file', async ({
    page,
    request,
    baseURL,
    context,
  }) => {
    await page.goto('/login');
    const script = (await page.locator('script[src]').first().getAttribute('src')) ?? '';
    const get = (encoding: string) => request.get(script, { headers: { 'Accept-Encoding': encoding } });
    const [gzip, br, plain] = [await get('gzip'), await get('gzip, deflate, br'), await get('identity')];
    expect([gzip, br, plain].map((one) => one.headers()['content-encoding'])).toEqual(['gzip', 'br', undefined]);
    expect(gzip.headers()['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(Number(br.headers()['content-length'])).toBeLessThan(Number(gzip.headers()['content-length']));
    expect((await plain.body()).equals(await br.body()), 'the same once unpacked').toBe(true);
    expect((await request.get('/_next/static/chunks/none.js')).status()).toBe(404);

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

    const offline = await context.newPage();
    const requested = new Set<string>();
    offline.on('request', (asked) => requested.add(new URL(asked.url()).pathname));
    await offline.goto('/offline.html');
    await expect(offline.getByRole('heading', { name: 'Anda sedang offline' })).toBeVisible();
    // The page requests itself again to find out whether the network is back.
    expect([...requested]).toEqual(['/offline.html']);
  });
});
