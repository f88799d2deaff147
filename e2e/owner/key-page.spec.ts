import { expect, popUps, test, within20s } from '#e2e/support/browser/browser.ts';
import { chooseForKey, createOnPage, keyRow, reloadUntil, saveKey } from '#e2e/support/browser/owner-pages.ts';
import { bell } from '#e2e/support/browser/portal-pages.ts';
import { keep, makeKey } from '#e2e/support/data/calls.ts';
import { makeCompany } from '#e2e/support/data/company.ts';
import { keyDraft } from '#e2e/support/data/sends.ts';
import { draftLimits } from '#server/notifications/field-rules.ts';
import { sendNotification } from '#server/sends/by-key.ts';

test('the page of a key shows use, failed requests, sends and actions', async ({ company, openOwner }) => {
  const { key, fingerprint } = await makeKey(company, 'n8n gaji');
  const call = { key, fingerprint };
  await keep(call, call, call, { ...call, rejection: { code: 'aksi_missing' } });
  await sendNotification(key, { ...keyDraft, title: 'Gaji November', kind: 'gaji' }, 'x');
  const page = await openOwner('/owner/keys');
  await expect(keyRow(page, 'n8n gaji').getByRole('img', { name: '4 permintaan dalam 24 jam terakhir' })).toBeVisible();
  // The whole row is the target of its link.
  await keyRow(page, 'n8n gaji').click({ position: { x: 300, y: 6 } });
  await expect(page).toHaveURL(new RegExp(`/owner/keys/${key.id}$`));

  await expect(page.getByText('4 permintaan · 1 gagal dalam 24 jam')).toBeVisible();
  await page.getByText('Permintaan per jam').click();
  await expect(page.getByRole('definition').filter({ hasText: /^4$/ })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Pesan terakhir' })).toContainText('Gaji November');
  await expect(page.getByRole('region', { name: 'Permintaan gagal' })).toContainText('Parameter aksi tidak ada');
  for (const [button, title] of [
    ['Pantau', 'Pantau kunci “n8n gaji”'],
    ['Buat kunci pengganti', 'Buat pengganti untuk “n8n gaji”'],
    ['Cabut', 'Cabut kunci “n8n gaji”?'],
  ] as const) {
    await chooseForKey(page, 'n8n gaji', button);
    await expect(page.getByRole('dialog', { name: title })).toBeVisible();
    await page.keyboard.press('Escape');
  }
  await page.getByRole('link', { name: 'Gaji November' }).click();
  await expect(page).toHaveURL(/\/owner\/sends\/1$/);
});

test('revoking shows the last use; a used key needs its name typed', async ({ company, call, openOwner }) => {
  const key = await company.newKey('skrip lama');
  const unused = await company.newKey('cadangan');
  const page = await openOwner('/owner/keys');
  const dialog = page.getByRole('dialog');
  await chooseForKey(page, 'cadangan', 'Cabut');
  await expect(dialog).toContainText('Permintaan berikutnya dengan kunci ini langsung ditolak (401)');
  await expect(dialog).toContainText('belum pernah dipakai');
  await expect(dialog.getByRole('button', { name: 'Batal' })).toBeFocused();
  await dialog.getByRole('button', { name: 'Cabut', exact: true }).click();
  await expect(keyRow(page, 'cadangan')).toHaveCount(0);
  expect((await call({ key: unused })).status).toBe(401);

  await chooseForKey(page, 'skrip lama', 'Cabut');
  await expect(dialog).toContainText('belum pernah dipakai');
  expect((await call({ key })).status).toBe(200);
  await expect(dialog).toContainText('Kunci ini masih dipakai');
  await expect(dialog).toContainText('dari 203.0.113.7 · curl/8.5');
  await expect(dialog).toContainText('1 permintaan dalam 24 jam terakhir');
  await dialog.getByRole('button', { name: 'Cabut', exact: true }).click();
  await expect(dialog).toContainText('Belum sama dengan nama kunci');
  expect((await call({ key })).status).toBe(200);
  await dialog.getByRole('textbox').fill('skrip lama');
  await dialog.getByRole('button', { name: 'Cabut', exact: true }).click();
  await expect(keyRow(page, 'skrip lama')).toHaveCount(0);
  expect((await call({ key, address: '203.0.113.50', client: 'cron-gaji' })).status).toBe(401);

  await reloadUntil(page, () => expect(page.locator('[data-calling]')).toContainText('“skrip lama”', { timeout: 500 }));
  await page.locator('[data-calling]').click();
  await expect(keyRow(page, 'skrip lama')).toContainText('203.0.113.50 · cron-gaji');
  await expect(keyRow(page, 'cadangan')).toBeVisible();
});

test('the dialog shows pings and refusals live, of its company only', async ({ call, openOwner }) => {
  const other = await makeCompany();
  const foreign = await other.newKey('tetangga');
  const page = await openOwner('/owner/keys');
  const key = await createOnPage(page, 'cron');
  const live = page.getByRole('region', { name: 'Pantauan langsung' });
  await expect(live).toContainText('Menunggu permintaan pertama…');
  for (const strange of [{ key: foreign }, { key: foreign, method: 'DELETE' }, {}])
    await call({ ...strange, address: '198.51.100.66' });

  await call({ key });
  await expect(live).toContainText(/Ping diterima .*(?:detik|baru saja).* dari 203\.0\.113\.7 · curl\/8\.5/);
  await expect(page.getByRole('status').filter({ hasText: 'Permintaan diterima.' })).toBeAttached();
  const refused = live.locator('[data-live=refused]');
  const wrong = [
    [{ headers: { Authorization: key } }, 'Kata Bearer tidak ada'],
    [{ key, headers: { Authorization: `Bearer ${key}` } }, 'jangan keduanya'],
    [{ key, method: 'DELETE' }, 'Alamat ini hanya menjawab GET, HEAD, dan POST'],
    [
      { key, fields: { judul: 'x'.repeat(draftLimits.title + 1) } },
      `Kolom "judul" maksimal ${draftLimits.title} karakter; yang dikirim ${draftLimits.title + 1}`,
    ],
  ] as const;
  for (const [init, sentence] of wrong) {
    await call(init);
    await expect(refused.first()).toContainText(sentence);
  }
  await expect(live).not.toContainText('198.51.100.66');
  await expect(live).not.toContainText('tanpa kunci');
});

test('a test send reaches the owner, who is added as an employee first', async ({ context, openOwner }) => {
  const page = await openOwner('/owner/keys');
  await createOnPage(page, 'tes saya');
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
});
