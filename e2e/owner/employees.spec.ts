import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright/test';
import { expect, popUps, test } from '#e2e/fixtures/browser.ts';
import { ageProof, downloadCsv } from '#e2e/fixtures/owner-pages.ts';
import { makeCompany, password } from '#harness/company.ts';
import { createInvitation, findInvitation } from '#server/employees/invitations.ts';

const rows = (page: Page) => page.locator('[data-employee]');

async function choose(page: Page, name: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `Tindakan untuk ${name}` }).click();
  await page.getByRole('menuitem', { name: action, exact: true }).click();
}

test('an owner adds, edits, deactivates and activates an employee', async ({ page, company, signIn }) => {
  const other = await makeCompany();
  await other.hire('Orang Lain');
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
  const row = rows(page);
  await expect(row).toContainText('Ujang <b>');
  await expect(row).toContainText('Aktif');

  await choose(page, 'Ujang <b>', 'Ubah');
  await dialog.getByRole('textbox', { name: 'Peran' }).fill('Kepala kasir');
  await dialog.getByRole('button', { name: 'Simpan' }).click();
  await expect(row).toContainText('Kepala kasir');

  await choose(page, 'Ujang <b>', 'Nonaktifkan');
  await expect(dialog).toContainText('tidak menerima notifikasi baru');
  await dialog.getByRole('button', { name: 'Nonaktifkan' }).click();
  await expect(row.getByText('Nonaktif', { exact: true })).toBeVisible();
  await choose(page, 'Ujang <b>', 'Aktifkan');
  await dialog.getByRole('button', { name: 'Aktifkan' }).click();
  await expect(row.getByText('Aktif', { exact: true })).toBeVisible();
  await expect(page.getByText('Orang Lain')).toHaveCount(0);
});

test('after an employee is added, a line names them and offers an invitation', async ({ page, company, signIn }) => {
  await signIn(page, company.username);
  await page.goto('/owner/employees');
  await page.getByRole('button', { name: 'Tambah karyawan' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Nama' }).fill('Siti Baru');
  await dialog.getByRole('textbox', { name: 'Peran' }).fill('Kasir');
  await dialog.getByRole('button', { name: 'Simpan' }).click();
  const line = page.locator('[role=status] .status-bar').filter({ hasText: 'Siti Baru sudah ditambahkan.' });
  await expect(line).toBeVisible();
  await line.getByRole('button', { name: 'Undang', exact: true }).click();
  await expect(dialog.getByRole('textbox', { name: 'Tautan undangan' })).toHaveValue(/\/invite\//);
  await dialog.getByRole('button', { name: 'Tutup' }).last().click();
  await expect(page.getByText('Siti Baru sudah ditambahkan.')).toHaveCount(0);
  await expect(rows(page)).toContainText('Siti Baru');
});

test('the problem of a field disappears when the user types in that field', async ({ page, company, signIn }) => {
  await signIn(page, company.username);
  await page.goto('/owner/employees');
  await page.getByRole('button', { name: 'Tambah karyawan' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Simpan' }).click();
  await expect(dialog.getByText('Wajib diisi')).toHaveCount(2);
  await dialog.getByRole('textbox', { name: 'Nama' }).pressSequentially('S');
  await expect(dialog.getByText('Wajib diisi')).toHaveCount(1);
  await expect(dialog.getByRole('textbox', { name: 'Peran' })).toHaveAttribute('aria-invalid', 'true');
  await expect(dialog.getByRole('textbox', { name: 'Nama' })).toHaveValue('S');
});

test('the slash key focuses the search, types a slash inside fields, and can be switched off', async ({
  page,
  company,
  signIn,
}) => {
  await company.hire();
  await signIn(page, company.username);
  await page.goto('/owner/employees');
  const search = page.getByRole('searchbox', { name: 'Cari' });
  // The list is hydrated after the frame around it.
  await expect(async () => {
    await page.keyboard.press('/');
    await expect(search).toBeFocused({ timeout: 500 });
  }).toPass();
  await search.fill('');
  await page.keyboard.press('/');
  await expect(search).toHaveValue('/');
  await page.goto('/owner/settings');
  await page.getByRole('switch', { name: 'Pintasan satu tombol' }).press('Space');
  await page.goto('/owner/employees');
  await expect(search).not.toHaveAttribute('aria-keyshortcuts');
  await page.keyboard.press('/');
  await expect(search).not.toBeFocused();
});

test('an invitation link creates one account and opens a portal that rings', async ({
  page,
  baseURL,
  company,
  signIn,
  send,
  visit,
}) => {
  const other = await makeCompany();
  await other.hire('Siti Contoh');
  const employee = await company.hire('Siti Contoh');
  await signIn(page, company.username);
  await page.goto('/owner/employees');
  await page.getByRole('button', { name: 'Undang Siti Contoh' }).click();
  const link = await page.getByRole('textbox', { name: 'Tautan undangan' }).inputValue();
  expect(link).toMatch(new RegExp(`^${baseURL}/invite/[\\w-]{43}$`));
  const share = await page.getByRole('link', { name: 'Kirim lewat WhatsApp' }).getAttribute('href');
  expect(decodeURIComponent(share ?? '')).toContain(link);
  await page.getByRole('dialog').getByRole('button', { name: 'Tutup' }).last().click();
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page)).toContainText('Sudah diundang, berlaku sampai');

  const invited = await visit();
  await invited.goto(link);
  await expect(invited.getByRole('heading', { name: 'Selamat datang, Siti Contoh' })).toBeVisible();
  await invited.locator('[name=username]').fill('a');
  await invited.locator('[name=password]').fill('pendek');
  await invited.getByRole('button', { name: 'Buat akun dan masuk' }).click();
  await expect(invited.getByText('Belum benar')).toBeVisible();
  await expect(invited.getByText('Minimal 10 karakter', { exact: true })).toBeVisible();
  const username = `siti-${randomUUID()}`;
  await invited.locator('[name=username]').fill(username);
  await invited.locator('[name=password]').fill(password);
  await invited.getByRole('button', { name: 'Buat akun dan masuk' }).click();
  await expect(invited.getByRole('heading', { name: 'Halo, Siti Contoh' })).toBeVisible();
  await send({ judul: 'Selamat bergabung', user_id: employee.employeeId });
  await expect(popUps(invited).filter({ hasText: 'Selamat bergabung' })).toBeVisible({ timeout: 20_000 });

  await invited.goto(link);
  await expect(invited.getByRole('heading', { name: 'Undangan tidak berlaku' })).toBeVisible();
  await page.reload();
  await expect(rows(page)).toContainText(username);
});

test('an invitation needs a recent password, and a confirmation if it ends an earlier link', async ({
  page,
  company,
  signIn,
}) => {
  const other = await makeCompany();
  const foreign = await createInvitation(other.owner, (await other.hire('Siti Contoh')).employeeId);
  const { employeeId } = await company.hire('Siti Contoh');
  await signIn(page, company.username);
  await ageProof(company, 11);
  await page.goto(`/owner/employees/${employeeId}`);
  await page.getByRole('button', { name: 'Undang' }).click();
  await page.getByLabel('Kata sandi sekarang').fill(password);
  await page.getByRole('button', { name: 'Lanjutkan' }).click();
  await expect(page.getByRole('textbox', { name: 'Tautan undangan' })).toHaveValue(/invite/);
  const first = await page.getByRole('textbox', { name: 'Tautan undangan' }).inputValue();
  await page.getByRole('dialog').getByRole('button', { name: 'Tutup' }).last().click();
  await expect(page.locator('#account')).toContainText('Sudah diundang');
  await page.getByRole('button', { name: 'Undang' }).click();
  await expect(page.getByRole('dialog')).toContainText('Tautan sebelumnya tidak berlaku lagi');
  await expect(page.getByRole('textbox', { name: 'Tautan undangan' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Buat tautan' }).click();
  await expect(page.getByRole('textbox', { name: 'Tautan undangan' })).toHaveValue(/invite/);
  await page.goto(first);
  await expect(page.getByRole('heading', { name: 'Undangan tidak berlaku' })).toBeVisible();
  expect(typeof foreign === 'string' ? null : await findInvitation(foreign.token)).toMatchObject({
    companyName: other.owner.companyName,
  });
});

test('employees are searched, filtered, counted, paged and downloaded as CSV', async ({ page, company, signIn }) => {
  const other = await makeCompany();
  for (let hired = 0; hired < 53; hired++) await company.hire(`Uji ${hired}`, hired % 2 ? 'Kasir' : 'Gudang; "A"');
  await other.hire('Uji 54', 'Kasir');
  await company.deactivate(await company.hire('Uji Nonaktif', '=1+1'));
  await signIn(page, company.username);
  await page.goto('/owner/employees');
  await expect(page.getByText('54 karyawan')).toBeVisible();
  await expect(rows(page)).toHaveCount(50);
  await expect(rows(page).first()).toContainText('Uji Nonaktif');
  await page.getByRole('link', { name: 'Lebih lama' }).click();
  await expect(rows(page)).toHaveCount(4);
  await page.getByRole('link', { name: 'Kembali ke terbaru' }).click();
  await expect(rows(page)).toHaveCount(50);

  await page.locator('body').press('/');
  const search = page.getByRole('searchbox', { name: 'Cari' });
  await expect(search).toBeFocused();
  await search.fill('kasir');
  await search.press('Enter');
  await expect(page).toHaveURL('/owner/employees?q=kasir');
  await expect(page.getByText('26 karyawan cocok')).toBeVisible();
  await expect(rows(page)).toHaveCount(26);
  await page.goto('/owner/employees?q=uji&state=inactive');
  await expect(search).toHaveValue('uji');
  await expect(rows(page)).toHaveCount(1);
  const { name, lines } = await downloadCsv(page);
  expect(name).toMatch(/^employees-\d{4}-\d\d-\d\d\.csv$/);
  expect(lines[0]).toMatch(/^\u{feff}user_id;Nama;Peran;Status;/u);
  expect(lines.slice(1)).toEqual([expect.stringMatching(/^\d+;Uji Nonaktif;'=1\+1;Nonaktif;/)]);
  const all = await (await page.request.get('/owner/employees/csv')).text();
  expect(all.trimEnd().split('\r\n')).toHaveLength(55);
  expect(all).not.toContain('Uji 54');

  await page.goto('/owner/employees?q=Uji 54');
  await expect(page.getByText('Tidak ada yang cocok dengan saringan ini.')).toBeVisible();
  await page.getByRole('link', { name: 'Hapus saringan' }).click();
  await expect(page.getByText('54 karyawan')).toBeVisible();
  await expect(search).toHaveValue('');
});

test('the page of an employee shows account and portal; foreign employees are not found', async ({
  page,
  company,
  signIn,
  signInAsEmployee,
  visit,
}) => {
  const other = await makeCompany();
  const foreign = await other.hire('Orang Lain');
  const portal = await visit();
  const employee = await signInAsEmployee(portal, 'Budi Contoh');
  await signIn(page, company.username);
  await page.goto('/owner/employees');
  await page.getByRole('link', { name: 'Budi Contoh' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Budi Contoh' })).toBeVisible();
  await expect(page).toHaveTitle(/^Budi Contoh/);
  await expect(page.locator('#data').getByText('Ditambahkan', { exact: true })).toBeVisible();
  await expect(page.locator('#account')).toContainText('Di 1 browser');
  await expect(async () => {
    await page.reload();
    await expect(page.locator('#portal')).toContainText(/Browser 1.*Terakhir terlihat/, { timeout: 500 });
  }).toPass({ timeout: 40_000 });
  await expect(page.getByRole('link', { name: 'Notifikasi yang diterima' })).toHaveAttribute(
    'href',
    `/owner/sends?employee=${employee.employeeId}`,
  );

  await page.getByRole('button', { name: 'Akhiri semua sesi' }).click();
  await expect(page.getByRole('dialog')).toContainText('langsung keluar dari portal di semua browser');
  await page.getByRole('dialog').getByRole('button', { name: 'Akhiri semua sesi' }).click();
  await expect(page.locator('#account')).toContainText('Tidak di mana pun');
  await portal.goto('/portal');
  await expect(portal).toHaveURL(/\/login/);

  for (const id of [String(foreign.employeeId), '0', 'abc', '99999999999']) {
    await page.goto(`/owner/employees/${id}`);
    await expect(page.getByRole('heading', { name: 'Halaman tidak ditemukan' })).toBeVisible();
    await expect(page.getByText('Orang Lain')).toHaveCount(0);
  }
  await portal.context().close();
});
