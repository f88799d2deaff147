import type { Page } from 'playwright/test';
import { expect, test } from '#e2e/support/browser/browser.ts';
import { downloadCsv } from '#e2e/support/browser/owner-pages.ts';
import { type Company, makeCompany } from '#e2e/support/data/company.ts';
import { listAudit } from '#server/audit/list.ts';
import { editEmployee } from '#server/employees/employees.ts';

const rows = (page: Page) => page.locator('[data-action]');

// Another company with entries of its own, which must never appear.
async function makeNeighbour(): Promise<{ company: Company; entryId: number; employeeId: number; requestId: string }> {
  const company = await makeCompany('Perusahaan Tetangga');
  const { employeeId } = await company.hire('Tetangga Contoh', 'Sopir');
  await company.newKey('Kunci Tetangga');
  const entry = (await listAudit(company.owner)).entries[0];
  return { company, entryId: entry?.id ?? 0, employeeId, requestId: entry?.requestId ?? '' };
}

async function expectNoNeighbour(page: Page): Promise<void> {
  await expect(page.locator('body')).not.toContainText('Tetangga');
}

test('the audit log lists sends and changes of keys and employees with their actor, newest first', async ({
  page,
  company,
  signIn,
  send,
}) => {
  await makeNeighbour();
  const employee = await company.hire('Budi Contoh', 'Sopir');
  await editEmployee(company.owner, employee.employeeId, { name: 'Budi Contoh', role: 'Kurir' });
  await send({ judul: 'Kirim paket', user_id: employee.employeeId });
  await company.deactivate(employee);
  await send({ judul: 'Tidak sampai', user_id: employee.employeeId });
  await signIn(page, company.username, '/owner/audit');
  await expect(rows(page)).toHaveCount(7);
  const expected = [
    /Kunci “Sistem Uji”.*Mengirim “Tidak sampai” ke Budi Contoh.*Tidak ada penerima/s,
    /Pemilik Uji.*Menonaktifkan Budi Contoh/s,
    /WIB.*Kunci “Sistem Uji”.*Mengirim “Kirim paket” ke Budi Contoh.*1 orang/s,
    /Pemilik Uji.*Membuat kunci Sistem Uji \([0-9a-f]{8}\)/s,
    /Mengubah karyawan Budi Contoh \(Sopir\) menjadi Budi Contoh \(Kurir\)/,
    /Menambah karyawan Budi Contoh \(Sopir\)/,
    /Membuat perusahaan/,
  ];
  for (const [index, text] of expected.entries()) await expect(rows(page).nth(index)).toContainText(text);
  await expectNoNeighbour(page);
});

test('filters are in the address, survive a reload, and apply to the CSV too', async ({
  page,
  company,
  signIn,
  send,
}) => {
  const neighbour = await makeNeighbour();
  const employee = await company.hire('Siti Contoh', 'Kasir');
  await company.hire('Orang Lain');
  await send({ judul: '=Pertama', user_id: employee.employeeId });
  await send({ judul: 'Untuk semua' });
  await signIn(page, company.username, '/owner/audit');
  await page.getByRole('combobox', { name: 'Oleh', exact: true }).selectOption({ label: 'Kunci mana pun' });
  await page.getByRole('searchbox', { name: 'Karyawan' }).fill('siti');
  await expect(page).toHaveURL('/owner/audit?employee=siti&who=key');
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page)).toContainText('Mengirim “=Pertama” ke Siti Contoh');
  await page.reload();
  await expect(page.getByRole('searchbox', { name: 'Karyawan' })).toHaveValue('siti');
  await expect(rows(page)).toHaveCount(1);

  const { lines } = await downloadCsv(page);
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain(
    ';Kunci “Sistem Uji”;notification.send;Mengirim “=Pertama” ke Siti Contoh;Siti Contoh;1;Sampai;',
  );

  await page.getByRole('link', { name: 'Hapus saringan', exact: true }).click();
  await expect(rows(page)).toHaveCount(6);
  await page.goto('/owner/audit?action=change&from=2020-01-01&to=2020-01-02');
  await expect(page.getByText('Tidak ada yang cocok dengan saringan ini.')).toBeVisible();
  for (const search of [
    `employee=${neighbour.employeeId}`,
    'employee=tetangga',
    'key=2147483',
    'before=x&who=y&from=2026-99-99',
  ]) {
    await page.goto(`/owner/audit?${search}`);
    await expectNoNeighbour(page);
  }
});

test('an entry has its own page, is found by its request id, and arrow keys move between rows', async ({
  page,
  company,
  signIn,
  send,
}) => {
  const neighbour = await makeNeighbour();
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

  expect((await page.goto(`/owner/audit/${neighbour.entryId}`))?.status()).toBe(404);
  await expectNoNeighbour(page);
  await page.goto(`/owner/audit?request=${neighbour.requestId}`);
  await expect(page.getByText('Mungkin permintaannya gagal atau hanya membaca.')).toBeVisible();
  await page.goto('/owner/audit?request=abc');
  await expect(page.getByText('Ini bukan ID permintaan.')).toBeVisible();
  await page.goto('/owner/audit?request=7c9e6679-7425-40de-944b-e07fc1f90ae7');
  await expect(page.getByText('ID jenis lama ini tidak menyebutkan waktunya')).toBeVisible();
});
