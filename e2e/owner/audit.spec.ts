import { expect, test } from '#e2e/fixtures/browser.ts';
import { editEmployee } from '#server/employees.ts';

const rows = (page: import('playwright/test').Page) => page.locator('[data-action]');

test('the audit log says who did what, newest first: every send and every change of keys and employees', async ({
  page,
  company,
  signIn,
  send,
}) => {
  const employee = await company.hire('Budi Contoh', 'Sopir');
  await editEmployee(company.owner, employee.employeeId, { name: 'Budi Contoh', role: 'Kurir' });
  await send({ judul: 'Kirim paket', user_id: employee.employeeId });
  await company.deactivate(employee);
  await send({ judul: 'Tidak sampai', user_id: employee.employeeId });
  await signIn(page, company.username);
  await page.goto('/owner/audit');
  await expect(rows(page)).toHaveCount(7);
  const expected = [
    /Kunci “Sistem Uji”.*Mengirim “Tidak sampai” ke Budi Contoh.*0.*Terkirim 0: karyawan tidak aktif.*[0-9a-f]{8}-/s,
    /Pemilik Uji.*Menonaktifkan Budi Contoh/s,
    /WIB.*Kunci “Sistem Uji”.*Mengirim “Kirim paket” ke Budi Contoh.*1.*[0-9a-f]{8}-[0-9a-f]{4}-/s,
    /Pemilik Uji.*Membuat kunci Sistem Uji \([0-9a-f]{8}\)/s,
    /Mengubah karyawan Budi Contoh \(Sopir\) menjadi Budi Contoh \(Kurir\)/,
    /Menambah karyawan Budi Contoh \(Sopir\)/,
    /Membuat perusahaan/,
  ];
  for (const [index, text] of expected.entries()) await expect(rows(page).nth(index)).toContainText(text);
});

test('it is paged by key: older ones follow, each once', async ({ page, company, signIn }) => {
  for (let hired = 0; hired < 54; hired++) await company.hire(`Orang ${hired}`);
  await signIn(page, company.username);
  await page.goto('/owner/audit');
  await expect(rows(page)).toHaveCount(50);
  await company.hire('Menyela');
  await page.getByRole('link', { name: 'Lebih lama' }).click();
  await expect(rows(page)).toHaveCount(5);
  await expect(rows(page).nth(0)).toContainText('Orang 3 ');
  await expect(page.getByRole('link', { name: 'Lebih lama' })).toBeHidden();
  await page.getByRole('link', { name: 'Kembali ke terbaru' }).click();
  await expect(rows(page).nth(0)).toContainText('Menyela');
});
