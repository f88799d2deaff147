import type { Page } from 'playwright/test';
import { expect, test } from '#e2e/support/browser/browser.ts';
import { composer, downloadCsv } from '#e2e/support/browser/owner-pages.ts';
import { writeManualDraft } from '#e2e/support/data/sends.ts';
import { markAllRead, recordShown } from '#server/inbox/read-state.ts';
import { closeQuestion } from '#server/sends/history/changes.ts';

const rows = (page: Page) => page.locator('[data-send]');
const recipients = (page: Page) => page.locator('[data-person]');
const stat = (page: Page, name: string) => page.locator(`[data-stat=${name}]`);

test('sends are listed with their outcome, filtered, and downloaded as CSV', async ({ company, send, openOwner }) => {
  const [satu, dua] = [await company.hire('Satu Uji'), await company.hire('Dua Uji')];
  await send({ judul: '=1+1; rumus', jenis: 'gaji', user_id: satu.employeeId });
  await send({ judul: 'Untuk semua' });
  await writeManualDraft(company, { title: 'Tulisan tangan' });
  await recordShown(satu, [1, 2]);
  await markAllRead(satu, 2);
  const page = await openOwner();
  await page.getByRole('link', { name: 'Pesan', exact: true }).click();
  await expect(rows(page)).toHaveCount(3);
  await expect(rows(page).nth(0)).toContainText(/Tulisan tangan.*Semua.*Pemilik Uji.*WIB/s);
  await expect(rows(page).nth(0)).toContainText('0 dari 2 sudah membaca');
  const bar = (row: number, name: string) => rows(page).nth(row).getByRole('img', { name });
  const part = (row: number, tone: string) => rows(page).nth(row).locator(`[data-tone=${tone}]`);
  await expect(bar(0, '0 tampil · 2 belum dibaca')).toBeVisible();
  await expect(rows(page).nth(1)).toContainText('1 dari 2 sudah membaca');
  await expect(bar(1, '1 tampil · 1 belum dibaca')).toBeVisible();
  await recordShown(dua, [3]);
  await page.reload();
  await expect(bar(0, '1 tampil · 2 belum dibaca')).toBeVisible();
  expect(await part(0, 'accent').evaluate(({ clientWidth }) => clientWidth), 'nobody has read it').toBe(0);
  await expect(part(0, 'outline')).toHaveCSS('background-color', 'rgba(0, 0, 0, 0)');
  await expect(page.getByRole('columnheader', { name: 'Hasil' })).toContainText('SudahTampil');
  await expect(rows(page).nth(2)).toContainText(/Gaji.*=1\+1; rumus.*Satu Uji.*Sistem Uji.*1 dari 1 sudah membaca/s);

  await page.getByRole('combobox', { name: 'Status' }).selectOption('Belum dibaca semua');
  await expect(page).toHaveURL('/owner/sends?state=unread');
  await expect(rows(page)).toHaveCount(2);
  await page.getByRole('link', { name: 'Hapus saringan Status: Belum dibaca semua' }).click();
  await expect(rows(page)).toHaveCount(3);
  await page.goto(`/owner/sends?employee=${dua.employeeId}`);
  await expect(rows(page)).toHaveCount(2);
  await page.getByRole('combobox', { name: 'Status' }).selectOption('Belum dibaca semua');
  await expect(page).toHaveURL(`/owner/sends?state=unread&employee=${dua.employeeId}`);
  await page.getByRole('link', { name: 'Hapus saringan Karyawan: Dua Uji' }).click();
  await expect(page).toHaveURL('/owner/sends?state=unread');
  await page.goto('/owner/sends?sender=hand');
  await expect(rows(page)).toHaveCount(1);
  await page.goto('/owner/sends?employee=999999999');
  await expect(page.getByText('Tidak ada yang cocok dengan saringan ini.')).toBeVisible();

  await page.goto('/owner/sends?kind=gaji');
  const lines = await downloadCsv(page);
  expect(lines).toHaveLength(2);
  expect(lines[0]).toContain('Nomor;Waktu (UTC);Pengirim');
  expect(lines[1]).toMatch(/^1;\d{4}-.*Z;Sistem Uji;kunci;Satu Uji;\d+;"'=1\+1; rumus";Gaji;1;1;1;0;tidak/);
});

test('a send lists recipients with times; a proof names what is unknown', async ({ company, call, openOwner }) => {
  const [satu, dua] = [await company.hire('Satu Uji', 'Kasir'), await company.hire('Dua Uji', 'Sopir')];
  const fields = { judul: 'Rapat', isi: 'Pukul sepuluh', url: '/portal/help' };
  const { requestId } = await call({ key: await company.newKey('Sistem Bukti'), fields });
  await recordShown(satu, [1]);
  await markAllRead(satu, 1);
  const page = await openOwner('/owner/sends');
  await page.getByRole('link', { name: 'Lihat pesan: Rapat' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Rapat' })).toBeVisible();
  for (const [name, count] of Object.entries({ reach: 2, shown: 1, read: 1, unread: 1 }))
    await expect(stat(page, name)).toHaveText(String(count));
  await expect(page.getByText(requestId)).toBeHidden();
  await page.getByText('Rincian teknis').click();
  await expect(page.getByText(requestId)).toBeVisible();
  await expect(recipients(page)).toHaveCount(2);
  await expect(recipients(page).nth(0)).toContainText(/Satu Uji.*Kasir.*WIB.*WIB/s);
  await expect(recipients(page).nth(1)).toContainText(/Dua Uji.*Belum tampil.*Belum dibaca/s);
  await page.emulateMedia({ media: 'print' });
  for (const control of [page.getByRole('link', { name: 'Semua', exact: true }), page.getByText('Kirim lagi')])
    await expect(control).toBeHidden();
  await expect(recipients(page).nth(0).locator('time').first(), 'paper needs the day').toHaveText(
    /^\d+ \p{L}+ \d{4}, \d\d\.\d\d WIB$/u,
    { useInnerText: true },
  );
  await page.emulateMedia({ media: 'screen' });
  const lines = await downloadCsv(page);
  expect(lines).toHaveLength(3);
  expect(lines[2]).toBe(`${dua.employeeId};Dua Uji;Sopir;ya;;tidak;`);
  await page.getByRole('link', { name: 'Belum', exact: true }).click();
  await expect(recipients(page)).toHaveCount(1);

  await page.getByRole('link', { name: 'Bukti penyampaian untuk Dua Uji' }).click();
  await expect(page.getByRole('heading', { name: 'Bukti penyampaian' })).toBeVisible();
  const proof = page.locator('.facts');
  const sender = 'Sistem dengan kunci API “Sistem Bukti”';
  for (const text of [company.owner.companyName, 'Dua Uji', sender, 'Pukul sepuluh', requestId])
    await expect(proof).toContainText(text);
  await expect(proof).toContainText(/Tidak ada catatan pernah tampil.*Belum dibaca.*Tidak diminta/s);
  await page.goto(`/owner/sends/1/${satu.employeeId}`);
  await expect(proof).toContainText(/Tampil di layarnya\s*\d+ \S+ \d{4}.*WIB.*Dibaca\s*\d+ \S+ \d{4}.*WIB/s);
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('button', { name: 'Cetak' })).toBeHidden();
  await page.emulateMedia({ media: 'screen' });

  for (const missing of ['0', 'x', '7/csv'])
    expect((await page.request.get(`/owner/sends/${missing}`)).status()).toBe(404);
});

test('an open and a closed question are two rows; the home page reminds', async ({ company, openOwner }) => {
  await company.hire();
  const ask = () => writeManualDraft(company, { title: 'Siapa *ikut*?', answers: ['Ya', 'Tidak'] });
  await closeQuestion(company.owner, await ask());
  await ask();
  const page = await openOwner('/owner/sends');
  await expect(rows(page)).toHaveCount(2);
  await expect(page.locator('[data-repeats]')).toHaveCount(0);
  await page.goto('/owner');
  await expect(page.getByRole('button', { name: '1 belum: Ingatkan: Siapa ikut?' })).toBeVisible();
});

test('own answers outlive a look at ready ones; a problem marks its field', async ({ openOwner }) => {
  const page = await openOwner('/owner/sends/new');
  const ask = page.getByRole('button', { name: /^Minta jawaban/ });
  const choose = (text: string) => page.getByRole('radiogroup', { name: 'Minta jawaban' }).getByText(text).click();
  const field = (place: number) => page.getByRole('textbox', { name: `Jawaban ${place}` });
  await ask.click();
  await choose('Tulis sendiri');
  await field(1).fill('Merah');
  await field(3).fill('x'.repeat(25));
  await expect(field(3)).toHaveAttribute('aria-invalid', 'true');
  await expect(field(1)).not.toHaveAttribute('aria-invalid', 'true');
  await field(3).fill('');
  await choose('Ya / Tidak');
  await choose('Tidak diminta');
  await choose('Tulis sendiri');
  await expect(field(1)).toHaveValue('Merah');
  await ask.click();
  await expect(field(1)).toBeHidden();
  await composer(page).title.fill('Warna');
  await composer(page).body.fill('Pilih satu.');
  await composer(page).submit.click();
  await expect(page.getByText('Tulis paling sedikit dua jawaban')).toBeVisible();
  await expect(field(1)).toBeFocused();
  await field(2).fill('merah ');
  await expect(page.getByText('Setiap jawaban harus berbeda')).toBeVisible();
  await field(2).fill('Biru');
  await expect(page.getByText('Tulis paling sedikit dua jawaban')).toBeHidden();
  await expect(field(2)).toBeFocused();
});
