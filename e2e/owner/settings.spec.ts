import type { Page } from 'playwright/test';
import { sql } from '#db/client.ts';
import { expect, submitAccount, test } from '#e2e/support/browser/browser.ts';
import { makeJpeg, makePng } from '#e2e/support/data/pictures.ts';
import { findRetention } from '#server/companies/companies.ts';
import { findLogo } from '#server/companies/logo.ts';

const section = (page: Page, name: string) => page.getByRole('region', { name });

test('changes of company, time zone and name are in the audit log with old and new value', async ({ openOwner }) => {
  const page = await openOwner('/owner/settings/company');
  const form = section(page, 'Logo, nama, dan zona waktu');
  await form.getByLabel('Nama perusahaan').fill('   ');
  await form.getByRole('button', { name: 'Simpan' }).click();
  await expect(form.getByText('Wajib diisi')).toBeVisible();
  await form.getByLabel('Nama perusahaan').fill('Perusahaan Baru');
  await form.getByLabel('Zona waktu').selectOption('Asia/Jayapura');
  await form.getByRole('button', { name: 'Simpan' }).click();
  await expect(form.getByText('Tersimpan')).toBeVisible();
  await expect(page.getByRole('banner')).toContainText('Perusahaan Baru');
  await page.getByRole('link', { name: 'Akun' }).click();
  await page.getByRole('textbox', { name: 'Nama Anda' }).fill('Pemilik Baru');
  await section(page, 'Nama Anda').getByRole('button', { name: 'Simpan' }).click();
  await expect(page.getByRole('button', { name: 'Akun Pemilik Baru' })).toBeVisible();
  await page.getByRole('link', { name: 'Riwayat audit' }).click();
  await expect(page.locator('[data-action="account.rename"]')).toContainText('dari Pemilik Uji menjadi Pemilik Baru');
  const entry = page.locator('[data-action="company.edit"]');
  await expect(entry).toContainText('WIT');
  await expect(entry).toContainText('Zona waktu: Asia/Jakarta → Asia/Jayapura');
});

test('a shorter retention asks first and says how many it deletes', async ({ company, send, openOwner }) => {
  await company.hire();
  await send({});
  await send({});
  await sql()`update notifications set created_at = now() - interval '120 days'
    where company_id = ${company.owner.companyId} and no = 1`;
  const page = await openOwner('/owner/settings/data');
  const form = section(page, 'Berapa lama disimpan');
  await form.getByLabel('Simpan pesan').selectOption({ label: '90 hari' });
  await form.getByRole('button', { name: 'Simpan' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('saat ini 1 pesan');
  await dialog.getByRole('button', { name: 'Batal' }).click();
  expect((await findRetention(company.owner)).keepNotificationsDays).toBeNull();
  await form.getByRole('button', { name: 'Simpan' }).click();
  await dialog.getByRole('button', { name: 'Ya, hapus yang lama' }).click();
  await expect(form.getByText('Tersimpan.')).toBeVisible();
  expect((await findRetention(company.owner)).keepNotificationsDays).toBe(90);
  await form.getByLabel('Simpan permintaan gagal').selectOption({ label: '7 hari' });
  await form.getByRole('button', { name: 'Simpan' }).click();
  await expect.poll(async () => (await findRetention(company.owner)).keepRefusalsDays).toBe(7);
  await expect(dialog).toBeHidden();
});

const mimeType = 'application/octet-stream';
const file = (name: string, content: string | Buffer) => ({ name, mimeType, buffer: Buffer.from(content) });

const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="400" height="100" onload="parent.hacked=1">
  <script>parent.hacked=1</script><rect width="40" height="10"/></svg>`;

test('a logo is in the header, at the sign-in, on sheet and proof', async ({ company, send, visit, openOwner }) => {
  const employee = await company.hire('Siti Uji');
  await send({ user_id: employee.employeeId });
  const page = await openOwner('/owner/settings/company');
  const choose = page.locator('#company input[type=file]');
  const logo = (where = page) => where.locator('header img.company-logo');
  await choose.setInputFiles(file('foto.png', 'GIF89a, though its name says PNG'));
  await expect(page.getByText('File ini bukan gambar yang bisa dibaca.')).toBeVisible();
  await expect(logo()).toHaveCount(0);

  await choose.setInputFiles(file('logo.png', makePng(1600, 400, 0xcc)));
  await expect(page.getByText('Logo tersimpan.')).toBeVisible();
  await expect(logo()).toHaveJSProperty('naturalWidth', 768);
  await expect(logo()).toHaveJSProperty('naturalHeight', 192);
  const colour = await logo().evaluate((image) => {
    const context = document.createElement('canvas').getContext('2d');
    context?.drawImage(image as HTMLImageElement, 0, 0);
    return [...(context?.getImageData(9, 9, 1, 1).data ?? [])];
  });
  expect(colour).toEqual([0xcc, 0, 0, 255]);
  await choose.setInputFiles(file('logo.svg', svg));
  await expect(logo()).toHaveJSProperty('naturalWidth', 400);
  expect(await page.evaluate(() => 'hacked' in window)).toBe(false);
  await choose.setInputFiles(file('logo.jpg', makeJpeg(64, 32)));
  await expect(logo()).toHaveJSProperty('naturalWidth', 64);
  await choose.setInputFiles(file('logo.png', makePng(1600, 400, 0xcc)));
  await expect(logo()).toHaveJSProperty('naturalWidth', 768);
  const drawn = await findLogo(company.owner);
  await page.goto(`/owner/sends/1/${employee.employeeId}`);
  await expect(page.locator('main img.company-logo')).toHaveJSProperty('naturalWidth', 768);
  await page.goto('/owner/employees?account=uninvited&choose=all');
  await page.getByRole('button', { name: 'Undang 1' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Buat 1 tautan' }).click();
  await expect(page.locator('.sheet img.company-logo')).toHaveJSProperty('naturalWidth', 768);

  const guest = await visit();
  await guest.goto('/login');
  await expect(logo(guest)).toHaveCount(0);
  await guest.goto(`/invite/${await company.invite(employee)}`);
  await expect(logo(guest)).toHaveJSProperty('naturalWidth', 768);
  // After the sign-out, this browser still knows whose sign-in it shows.
  await submitAccount(guest, `siti-${employee.employeeId}`);
  await expect(guest).toHaveURL('/portal/notifications');
  await expect(logo(guest)).toHaveJSProperty('naturalWidth', 768);
  await guest.context().clearCookies({ name: /session-token/ });
  await guest.goto('/login');
  await expect(logo(guest)).toHaveAttribute('src', `/company-logo/${drawn?.version}`);
  await expect(logo(guest)).toHaveJSProperty('naturalWidth', 768);

  await page.goto('/owner/settings/company');
  await page.getByRole('button', { name: 'Hapus logo' }).click();
  await expect(page.getByText('Logo dihapus.')).toBeVisible();
  await expect(logo()).toHaveCount(0);
  await guest.reload();
  await expect(logo(guest)).toHaveCount(0);
});
