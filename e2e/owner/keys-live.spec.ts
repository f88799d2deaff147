import { bell, expect, popUps, test, within20s } from '#e2e/support/browser/browser.ts';
import { callFrom, createOnPage, saveKey } from '#e2e/support/browser/keys-page.ts';
import { principalOf } from '#e2e/support/data/calls.ts';
import { makeCompany } from '#e2e/support/data/company.ts';
import { draftLimits } from '#server/notifications/field-rules.ts';

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
        body: JSON.stringify({ judul: 'x'.repeat(draftLimits.title + 1), isi: 'y' }),
      },
      `Kolom "judul" maksimal ${draftLimits.title} karakter; yang dikirim ${draftLimits.title + 1}`,
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
  await expect(page.getByRole('table')).toContainText('tes saya');
  expect((await principalOf(key)).companyId).not.toBe(other.owner.companyId);
});
