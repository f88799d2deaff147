import { readFile } from 'node:fs/promises';
import { unzipSync } from 'fflate';
import type { Page } from 'playwright/test';
import { sql } from '#db/client.ts';
import { expect, test } from '#e2e/support/browser/browser.ts';
import { ageProof, provePassword } from '#e2e/support/browser/owner-pages.ts';
import { makeCompany } from '#e2e/support/data/company.ts';
import { listAudit } from '#server/audit/list.ts';
import { findRetention } from '#server/companies/retention.ts';

const section = (page: Page, name: string) => page.getByRole('region', { name });

test('changes of company, time zone and name are in the audit log with old and new value', async ({
  page,
  company,
  signIn,
}) => {
  const other = await makeCompany('Perusahaan Tetangga');
  await signIn(page, company.username, '/owner/settings/company');
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
  expect((await listAudit(other.owner)).entries).toHaveLength(1);
  await expect(page.locator('body')).not.toContainText('Tetangga');
});

test('a shorter retention asks first and says how many notifications it deletes', async ({
  page,
  company,
  signIn,
  send,
}) => {
  const other = await makeCompany();
  await company.hire();
  await send({});
  await send({});
  await sql()`update notifications set created_at = now() - interval '120 days'
    where company_id = ${company.owner.companyId} and no = 1`;
  await signIn(page, company.username, '/owner/settings/data');
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
  expect((await findRetention(other.owner)).keepNotificationsDays).toBeNull();
  await form.getByLabel('Simpan permintaan gagal').selectOption({ label: '7 hari' });
  await form.getByRole('button', { name: 'Simpan' }).click();
  await expect.poll(async () => (await findRetention(company.owner)).keepRefusalsDays).toBe(7);
  await expect(dialog).toBeHidden();
});

test('an owner lists their sessions and ends another one or all others', async ({ page, company, signIn, visit }) => {
  const other = await makeCompany();
  const chrome = 'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/142.0.0.0 Mobile Safari/537.36';
  const firefox = 'Mozilla/5.0 (Windows NT 10.0; rv:145.0) Gecko/20100101 Firefox/145.0';
  const open = async (userAgent: string, username: string) => {
    const one = await visit({ userAgent });
    await signIn(one, username);
    return one;
  };
  const [phone, office, foreign] = [
    await open(chrome, company.username),
    await open(firefox, company.username),
    await open('Mozilla/5.0 (iPad) Safari/604.1', other.username),
  ];
  await signIn(page, company.username, '/owner/settings');
  const list = section(page, 'Tempat Anda masuk');
  await expect(list.locator('[data-session]')).toHaveCount(3);
  await expect(list.locator('[data-session]').first()).toContainText('Perangkat ini');
  await expect(list).not.toContainText('iPad');
  await list.getByRole('button', { name: 'Akhiri sesi Chrome di Android' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Akhiri sesi' }).click();
  await expect(list.locator('[data-session]')).toHaveCount(2);
  await phone.goto('/owner');
  await expect(phone).toHaveURL(/\/login/);
  await office.goto('/owner/settings');
  await office.getByRole('button', { name: /^Akhiri sesi / }).click();
  await office.getByRole('dialog').getByRole('button', { name: 'Akhiri sesi' }).click();
  await expect(office.getByText('Anda tidak masuk di tempat lain.')).toBeVisible();
  await page.reload();
  await expect(page).toHaveURL(/\/login/);
  await foreign.goto('/owner/settings');
  await expect(foreign.locator('[data-session]')).toHaveCount(1);
  const ended = (await listAudit(company.owner)).entries.filter(({ action }) => action === 'session.end');
  expect(ended.map(({ details }) => details.client)).toContain('Chrome, Android');
  expect(ended).toHaveLength(2);
});

test('an owner chooses when idle sessions end; an employee ends one of theirs', async ({
  page,
  company,
  signIn,
  visit,
}) => {
  const username = await company.giveAccount(await company.hire());
  const [phone, office] = [await visit(), await visit()];
  for (const one of [phone, office]) await signIn(one, username);
  await office.goto('/portal/account');
  await office.getByRole('button', { name: /^Akhiri sesi / }).click();
  await office.getByRole('dialog').getByRole('button', { name: 'Akhiri sesi' }).click();
  await expect(office.getByText('Anda tidak masuk di tempat lain.')).toBeVisible();
  await phone.goto('/portal');
  await expect(phone).toHaveURL(/\/login/);
  await signIn(page, company.username, '/owner/settings/access');
  await ageProof(company, 11);
  await page.reload();
  await page.getByLabel('Karyawan', { exact: true }).selectOption('Setelah 8 jam');
  await section(page, 'Kapan sesi').getByRole('button', { name: 'Simpan' }).click();
  await provePassword(page);
  await expect(page.getByText('Tersimpan. Berlaku mulai sekarang')).toBeVisible();
  await sql()`update sessions set seen_at = now() - interval '9 hours' where company_id = ${company.owner.companyId}`;
  await office.goto('/portal');
  await expect(office).toHaveURL(/\/login/);
  await page.reload();
  await expect(page).toHaveURL('/owner/settings/access');
});

test('an export asks for the password, survives a reload, and belongs to its company only', async ({
  page,
  company,
  signIn,
  send,
  visit,
}) => {
  const other = await makeCompany('Perusahaan Tetangga');
  await other.hire('Tetangga Contoh');
  await company.hire('Karyawan Kami');
  await send({ judul: 'Dalam salinan' });
  await signIn(page, company.username);
  await ageProof(company, 11);
  await page.goto('/owner/settings/data');
  await page.getByRole('button', { name: 'Buat salinan' }).click();
  await provePassword(page);
  await expect(page.locator('[data-export]')).toBeVisible();
  await page.reload();
  const download = page.getByRole('link', { name: /^Unduh zip/ });
  await expect(download).toBeVisible();
  const downloading = page.waitForEvent('download');
  await download.click();
  const files = unzipSync(await readFile(await (await downloading).path()));
  const text = Object.values(files)
    .map((file) => Buffer.from(file).toString())
    .join('\n');
  expect(text).toContain('Dalam salinan');
  expect(text).not.toContain('Tetangga');

  const file = (await download.getAttribute('href')) ?? '';
  const foreign = await visit();
  await signIn(foreign, other.username, '/owner/settings/data');
  for (const path of [file, file.replace('file', 'state')])
    expect((await foreign.request.get(path)).status()).toBe(404);
  await expect(foreign.locator('[data-export]')).toHaveCount(0);
});
