import type { Page } from 'playwright/test';
import { expect, reloadUntil, test } from '#e2e/support/browser/browser.ts';
import { callFrom } from '#e2e/support/browser/keys-page.ts';
import { keep, makeCall, principalOf } from '#e2e/support/data/calls.ts';
import { type Company, makeCompany } from '#e2e/support/data/company.ts';
import { fingerprintOf, revokeKey } from '#server/keys/keys.ts';

const rows = (page: Page) => page.locator('[data-refused]');

async function makeCaller(company: Company, name: string) {
  const text = await company.newKey(name);
  const key = await principalOf(text);
  const refused = (code: string, daysAgo = 0) =>
    makeCall({
      key,
      fingerprint: fingerprintOf(text),
      rejection: { code },
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
  await signIn(page, company.username);
  await page.getByRole('link', { name: 'Sistem' }).click();
  await page.getByRole('link', { name: 'Permintaan gagal' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Permintaan gagal');
  await reloadUntil(page, () => expect(rows(page)).toHaveCount(2, { timeout: 500 }));
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
