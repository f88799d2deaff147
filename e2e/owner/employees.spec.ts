import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright/test';
import { expect, popUps, submitAccount, test } from '#e2e/support/browser/browser.ts';
import { ageProof, provePassword } from '#e2e/support/browser/owner-pages.ts';
import { makeCompany } from '#e2e/support/data/company.ts';
import { createInvitation, findInvitation } from '#server/employees/invitations.ts';

const rows = (page: Page) => page.locator('[data-employee]');

async function choose(page: Page, name: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `Tindakan untuk ${name}` }).click();
  await page.getByRole('menuitem', { name: action, exact: true }).click();
}

test('an owner adds, invites, edits, deactivates and activates an employee', async ({ page, company, signIn }) => {
  const other = await makeCompany();
  await other.hire('Orang Lain');
  await signIn(page, company.username, '/owner/employees');
  await expect(page.getByText('Tambahkan karyawan pertama')).toBeVisible();
  await page.getByRole('button', { name: 'Tambah karyawan' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Simpan' }).click();
  await expect(dialog.getByText('Wajib diisi')).toHaveCount(2);
  // The problem of a field disappears when somebody types in it.
  await dialog.getByRole('textbox', { name: 'Nama' }).pressSequentially('S');
  await expect(dialog.getByText('Wajib diisi')).toHaveCount(1);
  await expect(dialog.getByRole('textbox', { name: 'Peran' })).toHaveAttribute('aria-invalid', 'true');
  await dialog.getByRole('textbox', { name: 'Nama' }).fill('  Ujang <b>  ');
  await dialog.getByRole('textbox', { name: 'Peran' }).fill('Kasir');
  await dialog.getByRole('button', { name: 'Simpan' }).click();
  const row = rows(page);
  await expect(row).toContainText('Ujang <b>');
  await expect(row.getByText('Nonaktif', { exact: true })).toHaveCount(0);
  const line = page.locator('[role=status] .status-bar').filter({ hasText: 'Ujang <b> sudah ditambahkan.' });
  await line.getByRole('button', { name: 'Undang', exact: true }).click();
  await expect(dialog.getByRole('textbox', { name: 'Tautan undangan' })).toHaveValue(/\/invite\//);
  await dialog.getByRole('button', { name: 'Tutup' }).last().click();
  await expect(line).toHaveCount(0);

  await choose(page, 'Ujang <b>', 'Ubah');
  await dialog.getByRole('textbox', { name: 'Peran' }).fill('Kepala kasir');
  await dialog.getByRole('button', { name: 'Simpan' }).click();
  await expect(row).toContainText('Kepala kasir');

  await choose(page, 'Ujang <b>', 'Nonaktifkan');
  await expect(dialog).toContainText('tidak menerima pesan baru');
  await dialog.getByRole('button', { name: 'Nonaktifkan' }).click();
  await expect(row.getByText('Nonaktif', { exact: true }).filter({ visible: true })).toBeVisible();
  await choose(page, 'Ujang <b>', 'Aktifkan');
  await dialog.getByRole('button', { name: 'Aktifkan' }).click();
  await expect(row.getByText('Nonaktif', { exact: true })).toHaveCount(0);
  await page.getByRole('button', { name: 'Tindakan lain' }).click();
  await page.getByRole('menuitem', { name: 'Tambahkan saya' }).click();
  await expect(row.filter({ hasText: 'Pemilik Uji' })).toBeVisible();
  await expect(page.getByText('Orang Lain')).toHaveCount(0);
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
  await signIn(page, company.username, '/owner/employees');
  await page.getByRole('button', { name: 'Undang Siti Contoh' }).click();
  const link = await page.getByRole('textbox', { name: 'Tautan undangan' }).inputValue();
  expect(link).toMatch(new RegExp(`^${baseURL}/invite/[\\w-]{43}$`));
  const share = await page.getByRole('link', { name: 'Kirim lewat WhatsApp' }).getAttribute('href');
  expect(decodeURIComponent(share ?? '')).toContain(link);
  await page.getByRole('dialog').getByRole('button', { name: 'Tutup' }).last().click();
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page)).toContainText('Undangan sampai');

  const invited = await visit();
  await invited.goto(link);
  await expect(invited.getByRole('heading', { name: 'Selamat datang, Siti Contoh' })).toBeVisible();
  await submitAccount(invited, 'a', 'pendek');
  await expect(invited.getByText('Belum benar')).toBeVisible();
  await expect(invited.getByText('Minimal 10 karakter', { exact: true })).toBeVisible();
  const username = `siti-${randomUUID()}`;
  await submitAccount(invited, username);
  await expect(invited).toHaveURL('/portal/notifications');
  await send({ judul: 'Selamat bergabung', user_id: employee.employeeId });
  await expect(popUps(invited).filter({ hasText: 'Selamat bergabung' })).toBeVisible({ timeout: 20_000 });

  await invited.goto(link);
  await expect(invited).toHaveURL('/portal/notifications');
  await page.goto(`/owner/employees?q=${username}`);
  await expect(rows(page)).toContainText('Siti Contoh');
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
  await provePassword(page);
  await expect(page.getByRole('textbox', { name: 'Tautan undangan' })).toHaveValue(/invite/);
  const first = await page.getByRole('textbox', { name: 'Tautan undangan' }).inputValue();
  await page.getByRole('dialog').getByRole('button', { name: 'Tutup' }).last().click();
  await expect(page.locator('#account')).toContainText('Undangan berlaku sampai');
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

test('a row is a target as a whole, and filters act on change and are taken off by their chips', async ({
  page,
  company,
  signIn,
}) => {
  await company.hire('Budi Contoh', 'Sopir');
  const { employeeId } = await company.hire('Siti Contoh', 'Kasir');
  await company.deactivate(await company.hire('Rina Contoh', 'Kasir'));
  await signIn(page, company.username, '/owner/employees');
  await page.getByRole('combobox', { name: 'Status' }).selectOption('Aktif');
  await expect(page).toHaveURL('/owner/employees?state=active');
  await expect(rows(page)).toHaveCount(2);
  const search = page.getByRole('searchbox', { name: 'Cari' });
  await search.fill('kas');
  await expect(page).toHaveURL('/owner/employees?q=kas&state=active');
  await expect(search).toBeFocused();
  await expect(rows(page)).toHaveCount(1);
  await search.pressSequentially('ir');
  await expect(page).toHaveURL('/owner/employees?q=kasir&state=active');
  await expect(search).toHaveValue('kasir');

  await page.getByRole('link', { name: 'Hapus saringan Status: Aktif' }).click();
  await expect(page).toHaveURL('/owner/employees?q=kasir');
  await expect(rows(page)).toHaveCount(2);
  await expect(page.getByRole('combobox', { name: 'Status' })).toHaveValue('');
  await page.goBack();
  await expect(page.getByRole('combobox', { name: 'Status' })).toHaveValue('active');
  await expect(rows(page)).toHaveCount(1);
  // Not on the name: anywhere in the row.
  const box = await rows(page).first().boundingBox();
  await rows(page)
    .first()
    .click({ position: { x: (box?.width ?? 0) / 2, y: 8 } });
  await expect(page).toHaveURL(`/owner/employees/${employeeId}`);
});

test('on a phone a button shows the filters', async ({ page, company, signIn }) => {
  for (let hired = 0; hired < 2; hired++) await company.hire(`Karyawan ${hired}`);
  await page.setViewportSize({ width: 360, height: 740 });
  await signIn(page, company.username, '/owner/employees');
  expect((await rows(page).first().boundingBox())?.height).toBeCloseTo(64, 0);
  await page.getByRole('button', { name: 'Saringan' }).click();
  await page.getByLabel('Akun portal').selectOption('Belum diundang');
  await expect(page).toHaveURL('/owner/employees?account=uninvited');
  await page.getByRole('button', { name: 'Saringan 1' }).click();
  await expect(page.getByLabel('Akun portal', { exact: true })).toBeHidden();
  await expect(rows(page)).toHaveCount(2);
});
