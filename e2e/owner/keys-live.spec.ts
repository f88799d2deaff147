import { bell, expect, popUps, test, within20s } from '#e2e/fixtures/browser.ts';
import { principalOf } from '#e2e/fixtures/calls.ts';
import { setUpCompany, withFreshService } from '#e2e/fixtures/fresh-service.ts';
import { callFrom, chooseForKey, createOnPage, saveKey } from '#e2e/fixtures/keys-page.ts';
import { makeCompany } from '#harness/company.ts';

test('the dialog shows the first ping and each refusal live, and nothing of another company', async ({
  page,
  company,
  signIn,
  baseURL,
}) => {
  const other = await makeCompany();
  const foreign = await other.newKey('tetangga');
  await signIn(page, company.username, '/owner/keys');
  const key = await createOnPage(page, 'cron');
  const live = page.getByRole('region', { name: 'Pantauan langsung' });
  await expect(live).toContainText('Menunggu permintaan pertama…');
  await callFrom(baseURL, { headers: { 'X-API-Key': foreign }, address: '198.51.100.66' });
  await callFrom(baseURL, { headers: { 'X-API-Key': foreign }, address: '198.51.100.66', method: 'DELETE' });
  await callFrom(baseURL, { address: '198.51.100.66' });

  await callFrom(baseURL, { headers: { 'X-API-Key': key } });
  await expect(live).toContainText(/Ping diterima .*detik.* dari 203\.0\.113\.7 · curl\/8\.5/);
  await expect(page.getByRole('status').filter({ hasText: 'Permintaan diterima.' })).toBeAttached();
  const refused = live.locator('[data-live=refused]');
  const wrong = [
    [{ headers: { Authorization: key } }, 'Kata Bearer tidak ada'],
    [{ headers: { 'X-API-Key': key, Authorization: `Bearer ${key}` } }, 'jangan keduanya'],
    [{ headers: { 'X-API-Key': key }, method: 'DELETE' }, 'Alamat ini hanya menjawab GET, HEAD, dan POST'],
    [
      {
        headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
        method: 'POST',
        body: JSON.stringify({ judul: 'x'.repeat(121), isi: 'y' }),
      },
      'Kolom "judul" maksimal 120 karakter; yang dikirim 121',
    ],
  ] as const;
  for (const [init, sentence] of wrong) {
    await callFrom(baseURL, init);
    await expect(refused.first()).toContainText(sentence);
  }
  await expect(live).not.toContainText('198.51.100.66');
  await expect(live).not.toContainText('tanpa kunci');
});

test('a test send reaches the owner, who is added as an employee first', async ({ page, context, company, signIn }) => {
  const other = await makeCompany();
  await signIn(page, company.username, '/owner/keys');
  const key = await createOnPage(page, 'tes saya');
  await page.getByRole('button', { name: 'Kirim tes ke saya' }).click();
  await page.getByRole('button', { name: 'Tambahkan saya dan kirim tes' }).click();
  await expect(page.getByText('Terkirim. Buka portal Anda')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Pantauan langsung' })).toContainText('Pesan diterima');
  const portal = await context.newPage();
  await portal.goto('/portal');
  await expect(bell(portal, 1)).toBeVisible();
  await portal.bringToFront();
  await page.getByRole('button', { name: 'Kirim tes ke saya' }).click();
  await expect(popUps(portal).filter({ hasText: 'Tes kunci: tes saya' })).toBeVisible(within20s);
  await portal.close();
  await saveKey(page);
  await page.goto('/owner/audit');
  await expect(page.getByRole('table')).toContainText('Kunci “tes saya”');
  expect((await principalOf(key)).companyId).not.toBe(other.owner.companyId);
});

test('the row of a key opens its live activity; a foreign key is not found', async ({
  page,
  company,
  signIn,
  baseURL,
}) => {
  const key = await company.newKey('cron');
  const foreign = await principalOf(await (await makeCompany()).newKey('cron'));
  await signIn(page, company.username, '/owner/keys');
  await chooseForKey(page, 'cron', 'Pantau');
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('Menunggu permintaan pertama…');
  await callFrom(baseURL, { headers: { 'X-API-Key': key }, search: '?aksi=karyawan', client: 'n8n' });
  await expect(dialog).toContainText(/Permintaan daftar nama diterima .* dari 203\.0\.113\.7 · n8n/);
  const getActivity = (id: number) => page.request.get(`/owner/keys/${id}/watch`);
  expect((await getActivity((await principalOf(key)).id)).headers()['cache-control']).toContain('no-store');
  expect((await getActivity(foreign.id)).status()).toBe(404);
  expect((await fetch(`${baseURL}/owner/keys/${foreign.id}/watch`)).status).toBe(401);
});

test('a hint appears when no request arrives for half a minute', async ({ page, company, signIn }) => {
  await makeCompany();
  await page.clock.install();
  await signIn(page, company.username, '/owner/keys');
  await createOnPage(page, 'sunyi');
  await expect(page.getByText('sebagian hosting menghapus header Authorization')).toHaveCount(0);
  await page.clock.fastForward(31_000);
  await expect(page.getByText('sebagian hosting menghapus header Authorization')).toBeVisible();
});

test('a request without a key is shown live only while the service has a single company', async ({ page }) => {
  test.setTimeout(240_000);
  await withFreshService({ SIGN_UP: 'open' }, async ({ url }) => {
    const signUp = async (companyName: string) => {
      await setUpCompany(page, url, companyName);
      await page.goto(`${url}/owner/keys`);
      await createOnPage(page, 'cron');
    };
    await signUp('Perusahaan Satu');
    const live = page.getByRole('region', { name: 'Pantauan langsung' });
    await callFrom(url, { address: '203.0.113.21' });
    await expect(live.locator('[data-live=refused]')).toContainText('Permintaan datang tanpa kunci');
    await expect(live).toContainText('mungkin hosting Anda menghapusnya: pakai X-API-Key');
    await saveKey(page);
    await page.goto(`${url}/owner/audit/refused?key=none`);
    await expect(page.locator('[data-refused]')).toHaveCount(1);
    await page.locator('[data-refused]').getByRole('button').click();
    await expect(page.getByRole('table')).toContainText('203.0.113.21');

    await page.context().clearCookies();
    await signUp('Perusahaan Dua');
    await callFrom(url, { address: '203.0.113.22' });
    const key = await page.getByRole('textbox', { name: 'Kunci API' }).inputValue();
    await callFrom(url, { headers: { 'X-API-Key': key } });
    await expect(live).toContainText('Ping diterima');
    await expect(live.locator('[data-live=refused]')).toHaveCount(0);
    await saveKey(page);
    await page.goto(`${url}/owner/audit/refused`);
    await expect(page.getByText('Tidak ada permintaan gagal')).toBeVisible();
  });
});
