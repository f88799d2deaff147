import type { Page } from 'playwright/test';
import { expect, reloadUntil, test } from '#e2e/support/browser/browser.ts';
import { callFrom } from '#e2e/support/browser/owner-pages.ts';
import { makeCall, principalOf } from '#e2e/support/data/calls.ts';
import type { Company } from '#e2e/support/data/company.ts';
import { listAudit } from '#server/audit/list.ts';
import { fingerprintOf, revokeKey } from '#server/keys/keys.ts';
import { newRequestId } from '#server/request-id.ts';

const rows = (page: Page) => page.locator('[data-action]');

test('an entry has its own page, is found by its request id, and arrow keys move between rows', async ({
  page,
  company,
  signIn,
  send,
}) => {
  const employee = await company.hire('Rina Contoh', 'Kasir');
  await send({ judul: 'Slip gaji', jenis: 'gaji', user_id: employee.employeeId });
  const sent = (await listAudit(company.owner)).entries[0];
  await signIn(page, company.username, '/owner/audit');
  await page.getByRole('searchbox').fill(` ${sent?.requestId.toUpperCase()} `);
  await expect(rows(page)).toHaveCount(1);
  await rows(page).getByRole('link').click();
  await expect(page).toHaveURL(`/owner/audit/${sent?.id}`);
  const main = page.getByRole('main');
  for (const fact of [
    /Judul\s*Slip gaji/,
    /Nama penerima\s*Rina Contoh/,
    /penerima\s*1/,
    /Kunci “Sistem Uji”/,
    sent?.requestId ?? 'x',
  ])
    await expect(main).toContainText(fact);
  await page.getByRole('link', { name: 'Semua catatan tentang karyawan ini' }).click();
  await expect(rows(page)).toHaveCount(2);

  const links = rows(page).getByRole('link');
  await links.nth(0).press('Enter');
  await expect(page).toHaveURL(`/owner/audit/${sent?.id}`);

  await page.goto(`/owner/audit?request=${newRequestId()}`);
  await expect(page.getByText('Mungkin permintaannya gagal atau hanya membaca.')).toBeVisible();
  await page.goto('/owner/audit?request=abc');
  await expect(page.getByText('Ini bukan ID permintaan.')).toBeVisible();
  await page.goto('/owner/audit?request=7c9e6679-7425-40de-944b-e07fc1f90ae7');
  await expect(page.getByText('ID jenis lama ini tidak menyebutkan waktunya')).toBeVisible();
});

const refusedRows = (page: Page) => page.locator('[data-refused]');

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
  const mine = await makeCaller(company, 'gaji');
  const json = { 'X-API-Key': mine.text, 'Content-Type': 'application/json' };
  const body = JSON.stringify({ judul: 'x', isi: 'y', url: 'https://example.test' });
  const { requestId } = await callFrom(baseURL, { method: 'POST', headers: json, body });
  await revokeKey(company.owner, mine.key.id);
  await callFrom(baseURL, { headers: { 'X-API-Key': mine.text }, client: `robot ${mine.text}` });
  await signIn(page, company.username);
  await page.getByRole('link', { name: 'Sistem' }).click();
  await page.getByRole('link', { name: 'Permintaan gagal' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Permintaan gagal');
  await reloadUntil(page, () => expect(refusedRows(page)).toHaveCount(2, { timeout: 500 }));
  await expect(refusedRows(page).nth(0)).toContainText('Kunci sudah dicabut');
  await expect(refusedRows(page).nth(0)).toContainText('Pasang kunci yang baru, atau matikan skripnya');
  await expect(refusedRows(page).nth(1)).toContainText('gaji');
  await expect(refusedRows(page).nth(1)).toContainText('Tautan harus ke dalam portal');
  const detail = page.locator('.list-detail');
  await expect(detail).toHaveCount(0);
  await refusedRows(page).nth(1).getByRole('button').click();
  for (const part of ['400', 'harus path di dalam portal', 'send', '203.0.113.7', 'curl/8.5', requestId])
    await expect(detail).toContainText(part);
  expect(await page.content()).not.toContain(mine.text.slice(4, 12));
});
