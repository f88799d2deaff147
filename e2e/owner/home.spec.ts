import type { Page } from 'playwright/test';
import { expect, popUps, test, within20s } from '#e2e/support/browser/browser.ts';
import { composer } from '#e2e/support/browser/owner-pages.ts';
import { bell } from '#e2e/support/browser/portal-pages.ts';

const step = (page: Page, name: string) => page.locator(`[data-step=${name}]`);

test('the home page lists first steps and updates live until one was seen', async ({ send, openOwner }) => {
  const page = await openOwner();
  await expect(step(page, 'person')).toHaveAttribute('aria-current', 'step');
  await step(page, 'person').getByRole('button', { name: 'Tambahkan saya' }).click();
  await expect(step(page, 'greeting')).toHaveAttribute('aria-current', 'step');
  await page.goto('/owner');
  await send({ judul: 'Halo pertama', isi: 'Salam dari sistem' });
  await expect(popUps(page)).toContainText('Salam dari sistem', within20s);
  await expect(bell(page, 1)).toBeVisible();
  await expect(page.getByText('Pemilik Uji sudah melihatnya')).toBeVisible(within20s);
  await page.getByRole('button', { name: 'Buka Beranda' }).click();
  await expect(page.getByRole('heading', { name: 'Portal siap berbunyi' })).toBeVisible();
  await expect(page.locator('#recent')).toContainText('Halo pertama');
  await expect(page.locator('#by-day'), 'one bar is no picture').toHaveCount(0);
  await page.getByRole('link', { name: 'Kirim pesan' }).click();
  await composer(page).title.fill('Rapat besok');
  await page.goto('/owner');
  await page.getByRole('link', { name: 'Kirim pesan' }).click();
  await expect(composer(page).title).toHaveValue('Rapat besok');
});

test('a repeated text raises an alarm; it withdraws and revokes', async ({ call, company, openPortal, openOwner }) => {
  const portal = await openPortal();
  const page = await openOwner('/owner/settings');
  const key = await company.newKey('skrip berputar');
  const sendAs = async (judul = 'Stok malam') => (await call({ key, fields: { judul } })).status;
  const ping = async () => (await call({ key })).status;
  expect(await sendAs('Bukan ini')).toBe(200);
  for (let time = 0; time < 5; time++) expect(await sendAs()).toBe(200);
  const line = page.locator('[data-alarm-line]');
  await expect(line).toContainText('1 peringatan');
  await line.click();
  await expect(page).toHaveURL('/owner#alarms');
  await expect(line).toHaveCount(0);
  const alarm = page.locator('[data-alarm=repeated-broadcast]');
  await expect(alarm).toContainText('Kunci “skrip berputar” mengirim teks yang sama ke semua orang 5 kali');
  expect(await sendAs(), 'nothing is refused because of it').toBe(200);
  await page.reload();
  const sends = alarm.getByRole('link', { name: 'Lihat pesannya' });
  await expect(sends).toHaveAttribute('href', /\/owner\/sends\?sender=\d+&search=Stok%20malam/);
  const more = alarm.getByRole('button', { name: 'Tindakan lain untuk skrip berputar' });
  const inMenu = (name: string) => page.getByRole('menuitem', { name });
  await more.click();
  await inMenu('Tarik 6 pesan ini').click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('Pesan hilang dari semua portal.');
  await dialog.getByRole('button', { name: 'Tarik 6 pesan ini' }).click();
  await expect(dialog).toBeHidden();
  await more.click();
  await expect(inMenu('Tutup')).toBeVisible();
  await expect(inMenu('Tarik 6 pesan ini')).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(sends).toBeVisible();
  await portal.goto('/portal/notifications');
  await expect(portal.locator('body')).not.toContainText('Stok malam');
  await expect(portal.locator('body')).toContainText('Bukan ini');

  await more.click();
  await inMenu('Cabut kunci ini sekarang').click();
  await dialog.getByRole('button', { name: 'Cabut', exact: true }).click();
  await expect(dialog.getByRole('textbox'), 'asks for the name').toHaveAttribute('aria-invalid', 'true');
  expect(await ping()).toBe(200);
  await dialog.getByRole('textbox').fill('skrip berputar');
  await dialog.getByRole('button', { name: 'Cabut', exact: true }).click();
  await expect(alarm).toHaveCount(0);
  expect(await ping()).toBe(401);
});

test('on a phone every page is in the menu; those of keys come with a key', async ({ page, company, signIn }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await signIn(page, company.username);
  const menu = page.locator('nav.frame-bottom');
  await expect(menu.getByRole('link')).toHaveText(['Beranda', 'Pesan', 'Karyawan', 'Sistem', 'Pengaturan']);
  const tabs = page.locator('.link-tabs').first().getByRole('link');
  await menu.getByRole('link', { name: 'Sistem' }).click();
  await expect(page.getByText('Belum ada kunci API')).toBeVisible();
  await expect(tabs).toHaveCount(0);
  await company.newKey('gaji');
  await page.goto('/owner');
  const tabsOf = {
    Pesan: ['Terkirim', 'Terjadwal', 'Template', 'Statistik', 'Wajib dikonfirmasi'],
    Karyawan: ['Daftar', 'Permintaan', 'Undangan'],
    Sistem: ['Kunci API', 'Permintaan gagal', 'Peringatan', 'Dokumentasi'],
    Pengaturan: ['Akun', 'Perusahaan', 'Pemilik & manajer', 'Riwayat audit', 'Data'],
  };
  for (const [name, texts] of Object.entries(tabsOf)) {
    await menu.getByRole('link', { name }).click();
    await expect(tabs).toHaveText(texts);
    await expect(menu.locator('[aria-current=page]')).toHaveText(name);
  }
  await page.getByRole('button', { name: /^Akun / }).click();
  await page.getByRole('dialog').getByText('Gelap').click();
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
});

test('one search finds all there is; a manager finds no key', async ({ company, signIn, visit, send, openOwner }) => {
  const { employeeId } = await company.hire('Gajihan Uji');
  await company.newKey('gaji pusat');
  await send({ judul: 'Gaji November', jenis: 'gaji' });
  const page = await openOwner();
  await page.keyboard.press('Control+k');
  const found = (who: Page) => who.getByRole('list', { name: 'Hasil pencarian' }).getByRole('link');
  await page.getByRole('searchbox', { name: 'Cari' }).fill('gaji');
  await expect(found(page)).toHaveText([/Gajihan Uji/, /Gaji November/, 'gaji pusat']);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`/owner/employees/${employeeId}`);
  await page.getByRole('button', { name: 'Cari (Ctrl K)' }).click();
  await page.getByRole('searchbox', { name: 'Cari' }).fill('riwayat');
  await expect(found(page)).toHaveText('Riwayat audit');

  const manager = await visit();
  const { username } = await company.addManager();
  await signIn(manager, username);
  await manager.keyboard.press('Control+k');
  await manager.getByRole('searchbox', { name: 'Cari' }).fill('gaji');
  await expect(found(manager)).toHaveText([/Gajihan Uji/, /Gaji November/]);
});
