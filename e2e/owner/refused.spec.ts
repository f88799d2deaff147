import type { Page } from 'playwright/test';
import { expect, test } from '#e2e/fixtures/browser.ts';
import { keep, makeCall, principalOf } from '#e2e/fixtures/calls.ts';
import { callFrom, keyRow } from '#e2e/fixtures/keys-page.ts';
import { downloadCsv } from '#e2e/fixtures/owner-pages.ts';
import { type Company, makeCompany } from '#harness/company.ts';
import { fingerprintOf, revokeKey } from '#server/keys/keys.ts';

const rows = (page: Page) => page.locator('[data-refused]');

async function makeCaller(company: Company, name: string) {
  const text = await company.newKey(name);
  const key = await principalOf(text);
  const refused = (code: string, daysAgo = 0) =>
    makeCall({
      key,
      fingerprint: fingerprintOf(text),
      refusal: { code },
      operation: 'GET',
      at: new Date(Date.now() - daysAgo * 24 * 60 * 60 * 1000),
    });
  return { text, key, refused };
}

test('refused calls are listed with reason, remedy and origin, never with the text of the key', async ({
  page,
  company,
  signIn,
  baseURL,
}) => {
  const other = await makeCompany();
  const [mine, foreign] = [await makeCaller(company, 'gaji'), await makeCaller(other, 'tetangga')];
  const json = { 'X-API-Key': mine.text, 'Content-Type': 'application/json' };
  const body = JSON.stringify({ judul: 'x', isi: 'y', url: 'https://example.test' });
  const { requestId } = await callFrom(baseURL, { method: 'POST', headers: json, body });
  await callFrom(baseURL, { headers: { 'X-API-Key': foreign.text }, search: '?aksi=salah' });
  await revokeKey(company.owner, mine.key.id);
  await callFrom(baseURL, { headers: { 'X-API-Key': mine.text }, client: `robot ${mine.text}` });
  await signIn(page, company.username, '/owner/audit');
  await page.getByRole('link', { name: 'Permintaan gagal' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Permintaan gagal');
  await expect(async () => {
    await page.reload();
    await expect(rows(page)).toHaveCount(2, { timeout: 500 });
  }).toPass();
  await expect(rows(page).nth(0)).toContainText('Kunci sudah dicabut');
  await expect(rows(page).nth(0)).toContainText('Pasang kunci yang baru, atau matikan skripnya');
  await expect(rows(page).nth(1)).toContainText('gaji');
  await expect(rows(page).nth(1)).toContainText('Tautan harus ke dalam portal');
  const detail = page.locator('.list-detail');
  await expect(detail).toHaveCount(0);
  await rows(page).nth(1).getByRole('button').click();
  for (const part of ['400', 'harus path di dalam portal', 'send', '203.0.113.7', 'curl/8.5', requestId])
    await expect(detail).toContainText(part);
  const content = await page.content();
  expect(content).not.toContain(mine.text.slice(4, 12));
  expect(content).not.toContain('tetangga');
});

test('refused calls are filtered by key, reason, day and request id', async ({ page, company, signIn }) => {
  const other = await makeCompany();
  const [one, two] = [await makeCaller(company, 'satu'), await makeCaller(company, 'dua')];
  const foreign = await makeCaller(other, 'tetangga');
  const old = one.refused('field_blank', 3);
  const foreignCall = foreign.refused('field_blank');
  await keep(one.refused('json_malformed'), two.refused('json_malformed'), old, foreignCall);
  await signIn(page, company.username, '/owner/audit/refused');
  await expect(rows(page)).toHaveCount(3);
  await expect(page.getByRole('combobox', { name: 'Kunci' })).not.toContainText('tetangga');
  await page.getByRole('combobox', { name: 'Alasan' }).selectOption('JSON rusak');
  await expect(rows(page)).toHaveCount(2);
  await page.getByRole('combobox', { name: 'Kunci' }).selectOption('dua');
  await expect(rows(page)).toHaveCount(1);
  await expect(page).toHaveURL(new RegExp(`\\?key=${two.key.id}&reason=json_malformed$`));
  await page.reload();
  await expect(page.getByRole('combobox', { name: 'Kunci' })).toHaveValue(String(two.key.id));
  await page.getByRole('link', { name: 'Hapus saringan', exact: true }).click();
  await expect(rows(page)).toHaveCount(3);

  const day = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Jakarta' }).format(old.at);
  await page.getByRole('combobox', { name: 'Tanggal' }).selectOption('Pilih tanggal…');
  const written = day.split('-').reverse().join('/');
  await page.getByRole('textbox', { name: 'Dari' }).fill(written);
  await page.getByRole('textbox', { name: 'Sampai' }).fill(written);
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page)).toHaveAttribute('data-refused', 'field_blank');

  await page.goto(`/owner/audit/refused?request=${old.requestId}`);
  await expect(rows(page)).toHaveCount(1);
  await page.goto(`/owner/audit/refused?request=${foreignCall.requestId}`);
  await expect(rows(page)).toHaveCount(0);
  await expect(page.getByText('Tidak ada permintaan gagal dengan ID ini')).toBeVisible();
  await page.goto('/owner/audit/refused?request=salah');
  await expect(page.getByText('Ini bukan ID permintaan')).toBeVisible();
  await page.goto(`/owner/audit/refused?key=${foreign.key.id}`);
  await expect(page.getByText('Tidak ada yang cocok dengan saringan ini')).toBeVisible();
});

test('refused calls are paged and downloaded as CSV with the same filters', async ({
  page,
  company,
  signIn,
  baseURL,
}) => {
  const foreign = await makeCaller(await makeCompany(), 'tetangga');
  const caller = await makeCaller(company, '=rumus');
  for (let count = 0; count < 11; count++)
    await keep(...Array.from({ length: 5 }, () => caller.refused('field_blank')));
  await keep(caller.refused('json_malformed'), foreign.refused('json_malformed'));
  await signIn(page, company.username, '/owner/audit/refused');
  await expect(rows(page)).toHaveCount(50);
  await page.getByRole('link', { name: 'Lebih lama' }).click();
  await expect(rows(page)).toHaveCount(6);
  await page.goto('/owner/audit/refused?reason=field_blank');
  const { name, lines } = await downloadCsv(page);
  expect(name).toMatch(/^refused-\d{4}-\d\d-\d\d\.csv$/);
  expect(lines).toHaveLength(56);
  expect(lines[0]).toContain('Waktu;Kunci;Status HTTP;Alasan');
  // A quote keeps a spreadsheet from running a name that is a formula.
  expect(lines[1]).toMatch(/^"?20[^;]*;"?'=rumus"?;400;Kolom kosong;/);
  expect(lines.join()).not.toContain('tetangga');
  expect((await fetch(`${baseURL}/owner/audit/refused/csv`)).status).toBe(401);
});

test('equal refused calls share a few rows with the number of the others', async ({ page, company, signIn }) => {
  const [caller, foreign] = [await makeCaller(company, 'banjir'), await makeCaller(await makeCompany(), 'tetangga')];
  await keep(...Array.from({ length: 205 }, () => caller.refused('rate_limited')), foreign.refused('rate_limited'));
  await signIn(page, company.username, '/owner/audit/refused');
  await expect(rows(page)).toHaveCount(5);
  await expect(rows(page).filter({ hasText: '+200 yang serupa' })).toHaveCount(1);
  await page.goto('/owner/keys');
  await expect(keyRow(page, 'banjir')).toContainText('205 gagal');
});

test('calls that were counted and not kept are said, with the filters of the list', async ({
  page,
  company,
  signIn,
}) => {
  const caller = await makeCaller(company, 'gaji');
  await revokeKey(company.owner, caller.key.id);
  const refused = () => ({ ...caller.refused('key_rejected'), key: null });
  // 20 of one address in an hour are kept.
  for (let batch = 0; batch < 9; batch++) await keep(...Array.from({ length: 4 }, refused));
  await keep(caller.refused('aksi_missing'));
  await signIn(page, company.username, '/owner/audit/refused');
  await expect(page.locator('[data-not-kept="16"]')).toContainText('16 lagi hanya dihitung, tidak disimpan.');
  await page.goto('/owner/audit/refused?reason=aksi_missing');
  await expect(rows(page)).toHaveCount(1);
  await expect(page.locator('[data-not-kept]')).toHaveCount(0);
});
