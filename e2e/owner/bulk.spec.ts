import { expect, test } from '#e2e/support/browser/browser.ts';
import { makeCompany } from '#e2e/support/data/company.ts';
import { listEmployees } from '#server/employees/employee-list.ts';
import { editEmployee } from '#server/employees/employees.ts';

test.use({ viewport: { width: 360, height: 740 } });

test('on a phone: all that match get a role, some are reminded, a list updates people by number', async ({
  page,
  company,
  signIn,
}) => {
  test.slow();
  const other = await makeCompany();
  await other.hire('Gudang Orang Lain', 'Gudang');
  for (let number = 1; number <= 53; number++) await company.hire(`Gudang ${number}`, 'Gudang');
  const siti = await company.hire('Siti Contoh', 'Kasir');
  await company.giveAccount(siti);
  await signIn(page, company.username);
  const dialog = page.getByRole('dialog');
  const choose = async (action: string) => {
    await page.getByRole('button', { name: 'Tindakan', exact: true }).click();
    await page.getByRole('menuitem', { name: action }).click();
  };

  // More people than the page shows.
  await page.goto('/owner/employees?q=gudang');
  await page.getByRole('button', { name: 'Pilih beberapa' }).click();
  await page.getByRole('checkbox', { name: 'Pilih Gudang 53' }).check();
  await choose('Pilih semua');
  await page.getByRole('button', { name: 'Pilih semua 53 yang cocok' }).click();
  await expect(page.getByText('53 dipilih')).toBeVisible();
  await choose('Ubah peran');
  await dialog.getByRole('combobox', { name: 'Peran baru' }).fill('Operator');
  await dialog.getByRole('button', { name: 'Ubah peran' }).click();
  await expect(page.getByText('Peran 53 orang diubah.')).toBeVisible();
  const roles = (await listEmployees(company.owner, {}, { limit: 100 })).map(({ role }) => role);
  expect(roles.filter((role) => role === 'Operator')).toHaveLength(53);
  expect(await listEmployees(other.owner)).toMatchObject([{ role: 'Gudang' }]);

  // Siti has an account and never opened the portal.
  await page.goto('/owner/employees?portal=never&account=own');
  await page.getByRole('button', { name: 'Pilih beberapa' }).click();
  await page.getByRole('checkbox', { name: 'Pilih Siti Contoh' }).check();
  await choose('Ingatkan 1');
  await dialog.getByRole('button', { name: 'Siapkan 1 pesan' }).click();
  const message = dialog.getByRole('link', { name: 'Kirim pengingat untuk Siti Contoh lewat WhatsApp' });
  await expect(message).toHaveAttribute('href', /portal/);
  await dialog.getByRole('button', { name: 'Tutup' }).last().click();

  // Her first number comes with the list: it matches her by name.
  await page.goto('/owner/employees/import');
  const text = 'Nomor staf;Nama;Peran\nK-01;Siti Contoh;Kepala kasir\nK-02;Rina Baru;Kasir';
  await page.getByRole('textbox', { name: 'Daftar karyawan' }).fill(text);
  await page.getByRole('button', { name: 'Periksa daftar' }).click();
  await expect(page.getByText('1 orang baru. 1 berubah.')).toBeVisible();
  const row = page.locator('[data-line="2"]');
  await expect(row).toContainText('tadinya Kasir');
  await expect(row).toContainText('tadinya belum ada');
  // Somebody changes her meanwhile: nothing is saved, and the page shows it.
  await editEmployee(company.owner, siti.employeeId, { name: 'Siti Aminah', role: 'Kasir' });
  await editEmployee(company.owner, siti.employeeId, { name: 'Siti Contoh', role: 'Kasir senior' });
  await page.getByRole('button', { name: 'Tambahkan 1, perbarui 1' }).click();
  await expect(page.getByText('Data karyawan berubah sejak daftar ini ditampilkan.')).toBeVisible();
  await expect(row).toContainText('tadinya Kasir senior');
  await page.getByRole('button', { name: 'Tambahkan 1, perbarui 1' }).click();
  await expect(page.getByText('1 karyawan diperbarui.')).toBeVisible();

  await page.goto('/owner/employees?q=K-0');
  await expect(page.locator('[data-employee]')).toHaveCount(2);
  await expect(page.locator('[data-employee]').filter({ hasText: 'Siti Contoh' })).toContainText('Kepala kasir · K-01');
});
