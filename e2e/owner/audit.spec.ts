import type { Page } from 'playwright/test';
import { expect, test } from '#e2e/support/browser/browser.ts';
import { reloadUntil } from '#e2e/support/browser/owner-pages.ts';
import { makeKey } from '#e2e/support/data/calls.ts';
import { listAudit } from '#server/audit/list.ts';
import { revokeKey } from '#server/keys/keys.ts';
import { newRequestId } from '#server/request-id.ts';

const rows = (page: Page) => page.locator('[data-action]');

test('an entry has a page and is found by its request id', async ({ company, send, openOwner }) => {
  const employee = await company.hire('Rina Contoh', 'Kasir');
  await send({ judul: 'Slip gaji', jenis: 'gaji', user_id: employee.employeeId });
  const sent = (await listAudit(company.owner)).entries[0];
  const page = await openOwner('/owner/audit');
  await page.getByRole('searchbox').fill(` ${sent?.requestId.toUpperCase()} `);
  await expect(rows(page)).toHaveCount(1);
  await rows(page).getByRole('link').click();
  await expect(page).toHaveURL(`/owner/audit/${sent?.id}`);
  const main = page.getByRole('main');
  const facts = [/Judul\s*Slip gaji/, /Nama penerima\s*Rina Contoh/, /penerima\s*1/, /Kunci “Sistem Uji”/];
  for (const fact of [...facts, sent?.requestId ?? 'x']) await expect(main).toContainText(fact);
  await page.getByRole('link', { name: 'Semua catatan tentang karyawan ini' }).click();
  await expect(rows(page)).toHaveCount(2);

  const links = rows(page).getByRole('link');
  await links.nth(0).press('Enter');
  await expect(page).toHaveURL(`/owner/audit/${sent?.id}`);

  await page.goto(`/owner/audit?employee=${newRequestId()}`);
  await expect(page.getByText('Mungkin permintaannya gagal atau hanya membaca.')).toBeVisible();
});

const refusedRows = (page: Page) => page.locator('[data-refused]');

test('refused calls have reason, remedy and origin, never the key', async ({ company, call, openOwner }) => {
  const { key, text } = await makeKey(company, 'gaji');
  const { requestId } = await call({ key: text, fields: { url: 'https://example.test' } });
  await revokeKey(company.owner, key.id);
  await call({ key: text, client: `robot ${text}` });
  const page = await openOwner();
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
  expect(await page.content()).not.toContain(text.slice(4, 12));
});
