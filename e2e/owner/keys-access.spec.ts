import { sql } from '#db/client.ts';
import { expect, reloadUntil, test } from '#e2e/support/browser/browser.ts';
import {
  callFrom,
  chooseForKey,
  keyRow,
  saveKey,
  shownKey,
  watchForForeignData,
} from '#e2e/support/browser/keys-page.ts';
import { principalOf } from '#e2e/support/data/calls.ts';

test.beforeEach(({ page }) => watchForForeignData(page));

test('revoking shows the last use of a key; a key in use needs its name typed', async ({
  page,
  company,
  signIn,
  baseURL,
}) => {
  const key = await company.newKey('skrip lama');
  const unused = await company.newKey('cadangan');
  const headers = { 'X-API-Key': key };
  await signIn(page, company.username, '/owner/keys');
  const dialog = page.getByRole('dialog');
  await chooseForKey(page, 'cadangan', 'Cabut');
  await expect(dialog).toContainText('Permintaan berikutnya dengan kunci ini langsung ditolak (401)');
  await expect(dialog).toContainText('belum pernah dipakai');
  await expect(dialog.getByRole('button', { name: 'Batal' })).toBeFocused();
  await dialog.getByRole('button', { name: 'Cabut', exact: true }).click();
  await expect(keyRow(page, 'cadangan')).toHaveCount(0);
  expect((await callFrom(baseURL, { headers: { 'X-API-Key': unused } })).status).toBe(401);

  await chooseForKey(page, 'skrip lama', 'Cabut');
  await expect(dialog).toContainText('belum pernah dipakai');
  expect((await callFrom(baseURL, { headers })).status).toBe(200);
  await expect(dialog).toContainText('Kunci ini masih dipakai');
  await expect(dialog).toContainText('dari 203.0.113.7 · curl/8.5');
  await expect(dialog).toContainText('1 permintaan dalam 24 jam terakhir');
  await dialog.getByRole('button', { name: 'Cabut', exact: true }).click();
  await expect(dialog).toContainText('Belum sama dengan nama kunci');
  expect((await callFrom(baseURL, { headers })).status).toBe(200);
  await dialog.getByRole('textbox').fill('skrip lama');
  await dialog.getByRole('button', { name: 'Cabut', exact: true }).click();
  await expect(keyRow(page, 'skrip lama')).toHaveCount(0);
  expect((await callFrom(baseURL, { headers, address: '203.0.113.50', client: 'cron-gaji' })).status).toBe(401);

  await reloadUntil(page, () => expect(page.locator('[data-calling]')).toContainText('“skrip lama”', { timeout: 500 }));
  await page.locator('[data-calling]').click();
  await expect(keyRow(page, 'skrip lama')).toContainText('203.0.113.50 · cron-gaji');
  await expect(keyRow(page, 'cadangan')).toBeVisible();
  await expect(keyRow(page, 'kunci tetangga')).toHaveCount(0);
});

test('a replacement works beside the old key until its traffic has moved and the old key is revoked', async ({
  page,
  company,
  signIn,
  baseURL,
}) => {
  const old = await company.newKey('gaji');
  const call = (key: string) => callFrom(baseURL, { headers: { 'X-API-Key': key }, client: 'skrip-gaji' });
  await signIn(page, company.username, '/owner/keys');
  expect((await call(old)).status).toBe(200);
  await chooseForKey(page, 'gaji', 'Buat kunci pengganti');
  await expect(page.getByRole('textbox', { name: 'Nama kunci' })).toHaveValue('gaji 2');
  await page.getByRole('dialog').getByRole('button', { name: 'Buat kunci pengganti' }).click();
  const replacement = await shownKey(page);
  await saveKey(page);
  const pair = keyRow(page, 'gaji 2');
  const expectState = (state: string) =>
    reloadUntil(page, () => expect(pair).toHaveAttribute('data-state', state, { timeout: 500 }));
  await expectState('waiting');
  await expect(pair).toContainText('Kunci baru, belum dipakai');
  expect([(await call(replacement)).status, (await call(old)).status]).toEqual([200, 200]);
  await expectState('both');
  // The state `moved` needs a day without a call of the old key.
  const { companyId, id } = await principalOf(old);
  await sql()`update key_uses set first_at = now() - interval '2 days', last_at = now() - interval '2 days'
    where company_id = ${companyId} and key_id = ${id}`;
  await expectState('moved');
  await expect(pair).toContainText('Sudah menggantikan kunci lama');
  await expect(keyRow(page, 'gaji')).toContainText('Sudah pindah: cabut kunci ini');
  await chooseForKey(page, 'gaji', 'Cabut');
  await page.getByRole('dialog').getByRole('button', { name: 'Cabut', exact: true }).click();
  await expect(keyRow(page, 'gaji')).toHaveCount(0);
  expect([(await call(replacement)).status, (await call(old)).status]).toEqual([200, 401]);
});
