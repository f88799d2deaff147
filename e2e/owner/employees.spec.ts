import { randomUUID } from 'node:crypto';
import { expect, popUps, steady, test } from '#e2e/fixtures/browser.ts';
import { password } from '#e2e/fixtures/company.ts';

test('an owner adds, edits, deactivates and activates an employee', async ({ page, company, signIn }) => {
  await signIn(page, company.username);
  await page.goto('/owner/employees');
  await expect(page.getByText('Tambahkan karyawan pertama')).toBeVisible();
  await page.getByRole('button', { name: 'Tambah karyawan' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Simpan' }).click();
  await expect(dialog.getByText('Wajib diisi')).toHaveCount(2);
  await dialog.getByRole('textbox', { name: 'Nama' }).fill('  Ujang <b>  ');
  await dialog.getByRole('textbox', { name: 'Peran' }).fill('Kasir');
  await dialog.getByRole('button', { name: 'Simpan' }).click();
  const row = page.locator('[data-employee]');
  await expect(row).toContainText('Ujang <b>');
  await expect(row).toContainText('Aktif');

  await page.getByRole('button', { name: 'Ubah Ujang <b>' }).click();
  await dialog.getByRole('textbox', { name: 'Peran' }).fill('Kepala kasir');
  await dialog.getByRole('button', { name: 'Simpan' }).click();
  await expect(row).toContainText('Kepala kasir');

  await page.getByRole('button', { name: 'Nonaktifkan Ujang <b>' }).click();
  await expect(dialog).toContainText('tidak menerima notifikasi baru');
  await dialog.getByRole('button', { name: 'Nonaktifkan' }).click();
  await expect(row.getByText('Nonaktif', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Aktifkan Ujang <b>' }).click();
  await dialog.getByRole('button', { name: 'Aktifkan' }).click();
  await expect(row.getByText('Aktif', { exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Nonaktifkan Ujang <b>' })).toBeVisible();
});

test('an invitation link is handed over, makes an account once and leads into a portal that rings', async ({
  page,
  browser,
  baseURL,
  company,
  signIn,
  send,
}) => {
  const employee = await company.hire('Siti Contoh');
  await signIn(page, company.username);
  await page.goto('/owner/employees');
  await page.getByRole('button', { name: 'Undang Siti Contoh' }).click();
  const link = await page.getByRole('textbox', { name: 'Tautan undangan' }).inputValue();
  expect(link).toMatch(new RegExp(`^${baseURL}/invite/[\\w-]{43}$`));
  const share = await page.getByRole('link', { name: 'Kirim lewat WhatsApp' }).getAttribute('href');
  expect(decodeURIComponent(share ?? '')).toContain(link);

  const invited = steady(await (await browser.newContext({ baseURL, locale: 'id-ID' })).newPage());
  await invited.goto(link);
  await expect(invited.getByRole('heading', { name: 'Selamat datang, Siti Contoh' })).toBeVisible();
  await invited.locator('[name=username]').fill('a');
  await invited.locator('[name=password]').fill('pendek');
  await invited.getByRole('button', { name: 'Buat akun dan masuk' }).click();
  await expect(invited.getByText('Tidak sesuai')).toBeVisible();
  await expect(invited.getByText('Minimal 10 karakter', { exact: true })).toBeVisible();
  await invited.locator('[name=username]').fill(`siti-${randomUUID()}`);
  await invited.locator('[name=password]').fill(password);
  await invited.getByRole('button', { name: 'Buat akun dan masuk' }).click();
  await expect(invited.getByRole('heading', { name: 'Halo, Siti Contoh' })).toBeVisible();
  await send({ judul: 'Selamat bergabung', user_id: employee.employeeId });
  await expect(popUps(invited).filter({ hasText: 'Selamat bergabung' })).toBeVisible({ timeout: 20_000 });

  await invited.goto(link);
  await expect(invited.getByRole('heading', { name: 'Undangan tidak berlaku' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('button', { name: 'Tautan masuk baru untuk Siti Contoh' })).toBeVisible();
});
