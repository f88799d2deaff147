import { expect, reloadUntil, test } from '#e2e/support/browser/browser.ts';
import { callFrom, keyRow, watchForForeignData } from '#e2e/support/browser/keys-page.ts';
import { ageProof, provePassword } from '#e2e/support/browser/owner-pages.ts';
import { expireKey, keep, principalOf } from '#e2e/support/data/calls.ts';
import { makeCompany } from '#e2e/support/data/company.ts';
import { fingerprintOf } from '#server/keys/keys.ts';
import { sendNotification } from '#server/sends/by-key.ts';

test.beforeEach(({ page }) => watchForForeignData(page));

test('the page of a key shows its traffic with a table, its sends and refusals, and its actions', async ({
  page,
  company,
  signIn,
}) => {
  const text = await company.newKey('n8n gaji');
  const key = await principalOf(text);
  const foreign = await principalOf(await (await makeCompany()).newKey('kunci tetangga'));
  const fingerprint = fingerprintOf(text);
  await keep(...Array.from({ length: 3 }, () => ({ key, fingerprint })), {
    key,
    fingerprint,
    rejection: { code: 'aksi_missing' },
  });
  await sendNotification(
    key,
    { recipients: { to: 'everyone' }, title: 'Gaji November', body: 'y', kind: 'gaji', url: null },
    'x',
  );
  await signIn(page, company.username, '/owner/keys');
  await expect(keyRow(page, 'n8n gaji').getByRole('img', { name: '4 permintaan dalam 24 jam terakhir' })).toBeVisible();
  // The whole row is the target of its link.
  await keyRow(page, 'n8n gaji').click({ position: { x: 300, y: 6 } });
  await expect(page).toHaveURL(new RegExp(`/owner/keys/${key.id}$`));

  for (const name of ['24 jam terakhir', '30 hari terakhir']) {
    const section = page.getByRole('region', { name });
    await expect(section.getByRole('img', { name: `${name}: 4 permintaan, 1 gagal` })).toBeVisible();
    await section.getByText('Angka dalam tabel').click();
    await expect(section.getByRole('row').last()).toContainText('4');
  }
  await expect(page.getByRole('region', { name: 'Pesan terakhir' })).toContainText('Gaji November');
  await expect(page.getByRole('region', { name: 'Permintaan gagal' })).toContainText('Parameter aksi tidak ada');
  for (const [button, title] of [
    ['Pantau', 'Pantau kunci “n8n gaji”'],
    ['Buat kunci pengganti', 'Buat pengganti untuk “n8n gaji”'],
    ['Cabut', 'Cabut kunci “n8n gaji”?'],
  ] as const) {
    await page.getByRole('button', { name: 'Tindakan untuk kunci n8n gaji' }).click();
    await page.getByRole('menuitem', { name: button, exact: true }).click();
    await expect(page.getByRole('dialog', { name: title })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
  }
  await page.getByRole('link', { name: 'Gaji November' }).click();
  await expect(page).toHaveURL(/\/owner\/sends\/1$/);
  expect((await page.request.get(`/owner/keys/${foreign.id}`)).status()).toBe(404);
});

test('a key near its end is pointed out; once expired it gets 401, its owner reads why and extends it', async ({
  page,
  company,
  signIn,
  baseURL,
}) => {
  const text = await company.newKey('cron malam');
  const { id } = await principalOf(text);
  const call = async () => (await callFrom(baseURL, { headers: { 'X-API-Key': text } })).status;
  await company.hire();
  await expireKey(text, 3 * 24 * 60 * 60);
  expect(await call()).toBe(200);
  await signIn(page, company.username, '/owner/keys');
  await expect(keyRow(page, 'cron malam')).toContainText(/Sampai \d/);
  await page.goto(`/owner/keys/${id}`);
  await expect(page.locator('[data-notice=soon]')).toContainText('Kunci ini berlaku sampai');

  await expireKey(text);
  expect(await call()).toBe(401);
  await reloadUntil(page, () =>
    expect(page.locator('[data-refused=key_rejected]')).toContainText('Kunci sudah berakhir', { timeout: 500 }),
  );
  await expect(page.locator('[data-notice=expired]')).toContainText('hanya Anda yang melihat alasannya');
  await page.goto(`/owner/audit/refused?key=${id}`);
  await expect(page.locator('[data-refused=key_rejected]')).toContainText('Kunci sudah berakhir');
  await page.goto('/owner/keys');
  await expect(keyRow(page, 'cron malam')).toContainText('Berakhir');

  // To give access again needs the password.
  await ageProof(company, 11);
  await page.goto(`/owner/keys/${id}`);
  await page.getByRole('button', { name: 'Ubah', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Ubah kunci' });
  await dialog.getByRole('button', { name: '90 hari' }).click();
  await expect(dialog).toContainText('Hari terakhir:');
  await dialog.getByRole('button', { name: 'Simpan' }).click();
  await provePassword(page);
  await expect(page.locator('[data-notice]')).toHaveCount(0);
  expect(await call()).toBe(200);
});

test('the page of a revoked key keeps its figures and offers no action', async ({ page, company, signIn }) => {
  const text = await company.newKey('lama');
  const { id } = await principalOf(text);
  await signIn(page, company.username, `/owner/keys/${id}`);
  await page.getByRole('button', { name: 'Tindakan untuk kunci lama' }).click();
  await page.getByRole('menuitem', { name: 'Cabut', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cabut', exact: true }).click();
  await expect(page.locator('[data-notice=revoked]')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Ubah' })).toHaveCount(0);
  await page.getByRole('link', { name: 'Semua kunci' }).click();
  await expect(keyRow(page, 'lama')).toBeVisible();
});
