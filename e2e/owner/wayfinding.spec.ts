import { expect, test } from '#e2e/support/browser/browser.ts';

test('on a phone every page is in the menu, the theme too; pages of keys come with the first key', async ({
  page,
  company,
  signIn,
}) => {
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
  await page.getByRole('dialog').getByTitle('Gelap').click();
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
});

test('one search finds people, messages, keys and pages; a manager finds no key', async ({
  page,
  company,
  signIn,
  visit,
  send,
}) => {
  const { employeeId } = await company.hire('Gajihan Uji');
  await company.newKey('gaji pusat');
  await send({ judul: 'Gaji November', jenis: 'gaji' });
  await signIn(page, company.username);
  await page.keyboard.press('Control+k');
  const found = page.getByRole('list', { name: 'Hasil pencarian' }).getByRole('link');
  await page.getByRole('searchbox', { name: 'Cari' }).fill('gaji');
  await expect(found).toHaveText([/Gajihan Uji/, /Gaji November/, 'gaji pusat']);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`/owner/employees/${employeeId}`);
  await page.getByRole('button', { name: 'Cari (Ctrl K)' }).click();
  await page.getByRole('searchbox', { name: 'Cari' }).fill('riwayat');
  await expect(found).toHaveText('Riwayat audit');

  const manager = await visit();
  const { username } = await company.addManager();
  await signIn(manager, username);
  await manager.keyboard.press('Control+k');
  await manager.getByRole('searchbox', { name: 'Cari' }).fill('gaji');
  await expect(manager.getByRole('list', { name: 'Hasil pencarian' }).getByRole('link')).toHaveText([
    /Gajihan Uji/,
    /Gaji November/,
  ]);
});

test('addresses of pages that went lead on', async ({ page, company, signIn }) => {
  await signIn(page, company.username);
  for (const [former, now] of [
    ['/owner/employees/sheet', '/owner/employees?state=active&account=uninvited&choose=all'],
    ['/owner/settings/export/3f2504e0-4f89-41d3-9a0c-0305e82c3301', '/owner/settings/data'],
    ['/owner/employees/join/poster', '/owner/employees/invitations'],
  ] as const) {
    await page.goto(former);
    await expect(page).toHaveURL(now);
  }
});
