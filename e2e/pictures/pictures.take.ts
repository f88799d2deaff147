import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright/test';
import sharp from 'sharp';
import { folder, hashOfPage, type Picture, pages, takenFile } from '#e2e/pictures/pictures.ts';
import { test as base, expect, popUps } from '#e2e/support/browser/browser.ts';
import { openHostPage, openPanel } from '#e2e/support/browser/host-page.ts';
import { composer } from '#e2e/support/browser/owner-pages.ts';
import { makeCompany } from '#e2e/support/data/company.ts';
import { writeManualDraft } from '#e2e/support/data/sends.ts';

// `npm run pictures` runs this, and nothing else does.
const test = base.extend({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads this pattern
  company: async ({}, use) => use(await makeCompany('Toko Contoh Jaya')),
});

const phone = { viewport: { width: 360, height: 740 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true };
const desktop = { viewport: { width: 1200, height: 750 } };

async function take(page: Page, name: Picture): Promise<void> {
  await page.mouse.move(1, 1);
  await page.evaluate(() => document.fonts.ready);
  const shot = await page.screenshot({ animations: 'disabled', caret: 'hide' });
  await sharp(shot)
    .png({ palette: true, colours: 128, effort: 10 })
    .toFile(join(folder, `${name}.png`));
  const taken = JSON.parse(readFileSync(takenFile, 'utf8')) as Record<string, string>;
  const all = Object.entries({ ...taken, [name]: hashOfPage(pages[name]) }).sort(([a], [b]) => (a < b ? -1 : 1));
  writeFileSync(takenFile, `${JSON.stringify(Object.fromEntries(all), null, 2)}\n`);
}

const people = [
  ['Adi Santoso', 'Kasir'],
  ['Budi Wijaya', 'Gudang'],
  ['Citra Lestari', 'Kasir'],
  ['Dewi Kusuma', 'Admin'],
  ['Eka Pratama', 'Sopir'],
  ['Fajar Nugroho', 'Gudang'],
  ['Gita Siregar', 'Kasir'],
  ['Hadi Saputra', 'Satpam'],
] as const;

test('the pictures of the pages', async ({ company, signIn, send, visit }) => {
  test.setTimeout(300_000);
  const hired = [];
  for (const [name, role] of people) hired.push(await company.hire(name, role));
  const accounts = [];
  for (const one of hired.slice(0, 5)) accounts.push(await company.giveAccount(one));
  await company.newKey('Absensi');
  for (const [judul, isi, jenis] of [
    ['Jadwal minggu depan', 'Jadwal sudah ada di papan. Tukar giliran paling lambat Jumat.', 'info'],
    ['Slip gaji November', 'Slip gaji sudah dapat dilihat.', 'gaji'],
    ['Kasbon disetujui', 'Silakan ambil di kasir sebelum pukul 15.00.', 'kasbon'],
    ['Stok gudang', 'Mohon hitung ulang rak A sampai D hari ini.', 'info'],
  ])
    await send({ judul, isi, jenis });
  const body = 'Mulai Senin motor parkir di belakang. Mohon konfirmasi setelah membaca.';
  await writeManualDraft(company, { title: 'Aturan baru parkir', body, mustConfirm: true });

  const small = await visit(phone);
  await small.goto('/login');
  await take(small, 'login-phone');
  await signIn(small, accounts[0] ?? '');
  await expect(small.locator('[data-no]:visible').first()).toBeVisible();
  await take(small, 'inbox-phone');
  await small.goto('/portal/notifications/5');
  await take(small, 'notification-phone');

  const wide = await visit(desktop);
  await signIn(wide, accounts[1] ?? '');
  await expect(wide.locator('[data-sound=on]').first()).toBeVisible();
  await send({ judul: 'Rapat pukul 10', isi: 'Semua hadir di aula. Bawa catatan stok.' });
  await expect(popUps(wide).filter({ hasText: 'Rapat pukul 10' })).toBeVisible({ timeout: 20_000 });
  await take(wide, 'pop-up-desktop');

  const bell = await visit(desktop);
  await signIn(bell, accounts[2] ?? '');
  await using host = await openHostPage({ company, body: hostBody });
  await bell.goto(host.sister);
  await expect((await openPanel(bell)).locator('.bell-panel').getByText('Rapat pukul 10')).toBeVisible();
  await take(bell, 'bell-desktop');

  const owner = await visit(desktop);
  await signIn(owner, company.username);
  for (const [name, path] of [
    ['home-desktop', '/owner'],
    ['employees-desktop', '/owner/employees'],
    ['key-desktop', '/owner/keys'],
    ['send-desktop', '/owner/sends/5'],
    ['docs-desktop', '/docs/start'],
  ] as const) {
    await owner.goto(path);
    await take(owner, name);
  }
  const ownerPhone = await visit(phone);
  await signIn(ownerPhone, company.username, '/owner/settings/company');
  await take(ownerPhone, 'settings-phone');
  await ownerPhone.goto('/owner/sends/new');
  await composer(ownerPhone).title.fill('Rapat pukul 10');
  await composer(ownerPhone).body.fill('Semua hadir di aula. Bawa catatan stok.');
  await take(ownerPhone, 'composer-phone');
});

const hostBody = `<style>
  body { margin: 0; font: 15px system-ui, sans-serif; color: #1f2933; background: #f4f1ea; }
  header { align-items: center; background: #1d4d4f; color: #fff; padding: 10px 24px; }
  header b { flex: 1; font-size: 18px; } main { padding: 24px; max-width: 760px; }
  table { width: 100%; border-collapse: collapse; background: #fff; } td, th { text-align: left; padding: 12px; border-bottom: 1px solid #e3ded2; }
</style>
<header><b>Toko Contoh Jaya</b><staff-notifications></staff-notifications></header>
<main><h1>Stok gudang</h1><table><tr><th>Barang<th>Rak<th>Jumlah<tr><td>Beras 5 kg<td>A<td>120<tr><td>Minyak goreng 1 l<td>A<td>84
<tr><td>Gula pasir 1 kg<td>B<td>65<tr><td>Teh celup<td>C<td>210<tr><td>Sabun cuci<td>D<td>38</table></main>`;
