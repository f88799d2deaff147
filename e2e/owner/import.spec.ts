import type { Page } from 'playwright/test';
import { expect, test } from '#e2e/support/browser/browser.ts';
import type { Company } from '#e2e/support/data/company.ts';
import { listEmployees } from '#server/employees/employee-list.ts';

const line = (page: Page, number: number) => page.locator(`[data-line="${number}"]`);
const apply = (page: Page, count: number) => page.getByRole('button', { name: `Tambahkan ${count} karyawan` });
const list = (page: Page) => page.getByRole('textbox', { name: 'Daftar karyawan' });

async function openPreview(page: Page, text: string): Promise<void> {
  await page.goto('/owner/employees/import');
  await list(page).fill(text);
  await page.getByRole('button', { name: 'Periksa daftar' }).click();
  await expect(page).toHaveURL(/\/import\/[0-9a-f-]{36}$/);
  await expect(page.getByRole('heading', { name: 'Periksa dulu daftarnya' })).toBeVisible();
}

const names = async ({ owner }: Company) => (await listEmployees(owner)).map(({ name }) => name).toSorted();

test('a pasted list is previewed; problems left out, namesakes added on request', async ({ company, openOwner }) => {
  await company.hire('Sudah Ada');
  const page = await openOwner();
  const rows = ['Nama;Jabatan', '"Uji, S.Kom";Kasir', 'Uji Satu;Gudang', ';Sopir', 'Tanpa Peran;'];
  rows.push(`${'n'.repeat(125)};Kasir`, 'UJI SATU;Sopir', 'Sudah Ada;Kasir');
  await openPreview(page, rows.join('\r\n'));
  await expect(page.getByText('2 orang siap ditambahkan. 5 baris bermasalah.')).toBeVisible();
  await expect(line(page, 4)).toContainText('Nama belum diisi');
  await expect(line(page, 5)).toContainText('Peran belum diisi');
  await expect(line(page, 6)).toContainText('Nama terlalu panjang: 125 karakter, maksimal 120');
  await expect(line(page, 7)).toContainText('Nama yang sama ada di baris 3');
  await expect(line(page, 8)).toContainText('Sudah ada karyawan dengan nama ini');
  expect(await names(company)).toEqual(['Sudah Ada']);

  await page.reload();
  await page.getByRole('link', { name: 'Siap (2)' }).click();
  await expect(line(page, 2)).toContainText('Uji, S.Kom');

  await expect(page.getByText('5 baris bermasalah akan dilewati.')).toBeVisible();
  await page.getByLabel('Tambahkan juga 2 orang lain yang namanya sama').check();
  await apply(page, 2).click();
  await expect(page.getByText('4 karyawan sudah ditambahkan.')).toBeVisible();
  await expect(page.getByText('3 baris dilewati:')).toBeVisible();
  await expect(line(page, 4)).toContainText('Nama belum diisi');
  expect(await names(company)).toEqual(['Sudah Ada', 'Sudah Ada', 'UJI SATU', 'Uji Satu', 'Uji, S.Kom']);
  await page.getByRole('link', { name: 'Lihat karyawan' }).click();
  await expect(page.getByText('5 karyawan')).toBeVisible();
});

test('people of an Excel file are shown by columns, which may be chosen anew', async ({ company, openOwner }) => {
  const page = await openOwner('/owner/employees/import');
  await page.locator('input[type=file]').setInputFiles('e2e/owner/lists/libreoffice-form.xlsx');
  await expect(page.getByText('Terbaca 10 karyawan · judul kolom di baris 5')).toBeVisible();
  const columns = page.getByRole('region', { name: 'Kolom yang dipakai' });
  const sample = columns.getByRole('list').first().getByRole('listitem');
  await expect(sample).toHaveText(['Budi SantosoStaff Gudang', 'Siti NugrohoKasir', 'Agus Lestari, S.KomHRD']);
  await expect(columns.getByText('Tidak dipakai: NIK, Tgl Masuk, No HP, Email, Divisi.')).toBeVisible();
  await expect(columns.getByText('7 baris dilewati karena bukan orang')).toBeVisible();
  await expect(columns.getByText('Baris 14: KARYAWAN KONTRAK')).toBeVisible();
  await columns.getByLabel('Peran').selectOption('Divisi');
  await expect(columns.getByText('BUDI SANTOSO → Budi Santoso')).toBeVisible();
  await expect(sample.first()).toHaveText('Budi SantosoOperasional');
  await columns.getByLabel('Nama', { exact: true }).selectOption('NIK');
  await page.getByRole('button', { name: 'Periksa daftar' }).click();
  await expect(line(page, 8)).toContainText('Nama hanya berisi angka');
  await page.goBack();
  await page.locator('input[type=file]').setInputFiles('e2e/owner/lists/libreoffice-form.xlsx');
  await expect(page.getByText('Terbaca 10 karyawan')).toBeVisible();
  await page.getByRole('button', { name: 'Periksa daftar' }).click();
  await apply(page, 10).click();
  await expect(page.getByText('10 karyawan sudah ditambahkan.')).toBeVisible();
  expect((await names(company)).slice(0, 2)).toEqual(['Agus Lestari, S.Kom', 'Andi Setiawan']);
});

test('a broken file leaves the page as it was; a pasted list is read anew', async ({ openOwner }) => {
  const page = await openOwner('/owner/employees/import');
  const choose = page.locator('input[type=file]');
  const broken = Buffer.from('PK\u0003\u0004 and nothing more');
  await choose.setInputFiles({ name: 'rusak.xlsx', mimeType: 'application/zip', buffer: broken });
  await expect(page.getByText('rusak.xlsx tidak bisa dibaca sebagai file Excel.')).toBeVisible();
  await choose.setInputFiles({ name: 'besar.csv', mimeType: 'text/csv', buffer: Buffer.alloc(5_000_001, 'a') });
  await expect(page.getByText('besar.csv lebih besar dari 5 MB.')).toBeVisible();
  await expect(list(page)).toBeVisible();
  const good = 'e2e/owner/lists/libreoffice-plain.xlsx';
  await choose.setInputFiles(good);
  await expect(page.getByText('Terbaca 12 karyawan')).toBeVisible();
  // A browser tells of a file only if it is another one than before.
  await expect(choose).toHaveValue('');
  await choose.setInputFiles({ name: 'rusak.xlsx', mimeType: 'application/zip', buffer: broken });
  await expect(page.getByText('rusak.xlsx tidak bisa dibaca sebagai file Excel.')).toBeVisible();
  await expect(page.getByText('Terbaca 12 karyawan')).toHaveCount(0);
  await choose.setInputFiles(good);
  await page.getByRole('button', { name: 'Tempel saja' }).click();
  await expect(list(page)).toBeFocused();

  // Chosen columns are those of one list: a list that is pasted over it is read anew.
  const paste = async (text: string) => {
    await list(page).focus();
    await page.keyboard.press('ControlOrMeta+A');
    await list(page).evaluate((field, text) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', text);
      const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
      if (field.dispatchEvent(event)) document.execCommand('insertText', false, text);
    }, text);
  };
  const sample = page.getByRole('region', { name: 'Kolom yang dipakai' }).getByRole('listitem');
  await paste('Nama,Panggilan,Jabatan\nBudi Santoso,Budi,Kasir');
  await page.getByLabel('Nama', { exact: true }).selectOption('Panggilan');
  await expect(sample).toHaveText(['BudiKasir']);
  await paste('Nama,Telepon,Jabatan\nSiti Aminah,0812,Sopir');
  await expect(sample).toHaveText(['Siti AminahSopir']);
});
