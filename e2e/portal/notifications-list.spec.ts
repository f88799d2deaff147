import { sql } from '#db/client.ts';
import { entries, expect, test, within20s } from '#e2e/support/browser/browser.ts';
import { bell } from '#e2e/support/browser/portal-pages.ts';

test('unread, kind and search are filters of the address, and they combine', async ({ portal: page, send }) => {
  await send({ judul: 'Gaji Oktober', jenis: 'gaji' });
  await send({ judul: 'Gaji November', jenis: 'gaji' });
  await send({ judul: 'Diskon 50% kantin_A', isi: 'menu Gaji tidak disebut', jenis: 'info' });
  await page.goto('/portal/notifications');
  await expect(entries(page)).toHaveCount(3);
  await page.getByTitle('Cari judul atau isi').click();
  await page.getByLabel('Jenis').selectOption('Gaji');
  await expect(entries(page)).toHaveCount(2);
  // The filter follows the mark at once, before the service has stored it.
  await page.getByRole('button', { name: 'Tandai sudah dibaca: Gaji Oktober' }).click();
  await page.getByRole('link', { name: /^Belum dibaca( \(\d+\))?$/ }).click();
  await expect(entries(page)).toHaveCount(1);
  await expect(page).toHaveURL('/portal/notifications?filter=unread&kind=gaji');
  // Too narrow for a list with the notification beside it.
  await page.setViewportSize({ width: 1024, height: 720 });
  await page.reload();
  await expect(entries(page)).toHaveText(/Gaji November/);
  await entries(page).getByRole('link').click();
  await expect(bell(page, 1)).toBeVisible();
  await page.goBack();
  await expect(page.getByText('Tidak ada notifikasi yang cocok.'), 'it was read meanwhile').toBeVisible();
  await expect(entries(page)).toHaveCount(0);
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.goto('/portal/notifications');
  const search = page.getByRole('searchbox', { name: 'Cari judul atau isi' });
  // The words act while the person types.
  await page.getByTitle('Cari judul atau isi').click();
  await expect(search).toBeFocused();
  await search.fill('gaji');
  await expect(page).toHaveURL('/portal/notifications?search=gaji');
  await expect(entries(page)).toHaveCount(3);
  await page.goto('/portal/notifications?search=absen');
  await expect(page.getByText('Tidak ada notifikasi yang cocok.')).toBeVisible();
  await page.getByRole('link', { name: 'Hapus saringan', exact: true }).click();
  await expect(entries(page)).toHaveCount(3);
});

test('notifications are grouped by the company’s days, repeats in one row', async ({ portal: page, company, send }) => {
  for (const judul of ['Dahulu', 'Kemarin', 'Hari ini']) await send({ judul });
  const { companyId } = company.owner;
  // 00:30 in Jakarta is still the day before in UTC.
  await sql()`update notifications set created_at =
      date_trunc('day', now() at time zone 'Asia/Jakarta') at time zone 'Asia/Jakarta' - interval '1 day' + interval '30 minutes'
    where company_id = ${companyId} and title = 'Kemarin'`;
  await sql()`update notifications set created_at = '2026-01-05T17:30:00Z' where company_id = ${companyId} and title = 'Dahulu'`;
  await page.goto('/portal/notifications');
  await expect(page.locator('.day-head')).toHaveText(['Hari ini', 'Kemarin', 'Selasa, 6 Januari 2026']);
  await expect(entries(page).nth(2)).toContainText('6 Jan 2026, 00.30 WIB');
  for (let sent = 1; sent <= 3; sent++) await send({ judul: 'Stok malam', isi: `laporan ${sent}` });
  await page.reload();
  await expect(entries(page)).toHaveCount(4);
  await expect(entries(page).first()).toContainText(/Stok malam.*×3.*laporan 3/s);
  await entries(page).first().getByRole('button').click();
  await expect(entries(page)).toHaveText([/laporan 3/, /laporan 2/, /laporan 1/, /Hari ini/, /Kemarin/, /Dahulu/]);
});

test('marking all as read can be undone for 10 s, but not older reads', async ({ page, signInAsEmployee, send }) => {
  await page.clock.install();
  await signInAsEmployee(page, '/portal/notifications');
  await expect(page.getByText('Belum ada notifikasi. Pesan dari perusahaan akan muncul di sini.')).toBeVisible();
  for (const judul of ['Satu', 'Dua', 'Tiga']) await send({ judul });
  await page.goto('/portal/notifications');
  await page.getByRole('button', { name: 'Tandai sudah dibaca: Dua' }).click();
  await expect(bell(page, 2)).toBeVisible();
  await page.getByRole('button', { name: 'Tandai semua sudah dibaca' }).click();
  await expect(bell(page, 0)).toBeVisible();
  await page.getByRole('button', { name: 'Urungkan' }).click();
  await expect(bell(page, 2)).toBeVisible();
  await expect(page.locator('[data-read=true]')).toHaveText(/Dua/);
  await page.reload();
  await expect(bell(page, 2)).toBeVisible();
  await expect(page.locator('[data-read=true]')).toHaveText(/Dua/);
  await page.getByRole('button', { name: 'Tandai semua sudah dibaca' }).click();
  const undo = page.getByRole('button', { name: 'Urungkan' });
  await expect(undo).toBeVisible();
  await page.clock.fastForward(5000);
  await expect(undo).toBeVisible();
  await page.clock.fastForward(7000);
  await expect(undo).toHaveCount(0);
  await page.goto('/portal/notifications?filter=unread');
  await expect(page.getByText('Semua sudah dibaca', { exact: true })).toBeVisible();
});

test('the tab’s title and icon and an app’s badge show what is unread', async ({ page, signInAsEmployee, send }) => {
  await page.addInitScript(() => {
    const badge = window as unknown as { badge: number | null };
    navigator.setAppBadge = async (count) => {
      badge.badge = count ?? null;
    };
    navigator.clearAppBadge = async () => {
      badge.badge = 0;
    };
  });
  await signInAsEmployee(page);
  const badge = () => page.evaluate(() => (window as unknown as { badge: number | null }).badge);
  const icon = page.locator('link[rel=icon][type="image/svg+xml"]');
  await expect(icon).toHaveAttribute('href', /^\/icon\.svg/);
  await expect.poll(badge).toBe(0);
  await send({ judul: 'Belum dibaca' });
  await expect(page).toHaveTitle('(1) Notifikasi · Notifikasi Karyawan', within20s);
  await expect(icon).toHaveAttribute('href', '/icon-unread.svg');
  await expect.poll(badge).toBe(1);
  await page.getByRole('button', { name: 'Tandai semua sudah dibaca' }).click();
  await expect(page).toHaveTitle('Notifikasi · Notifikasi Karyawan');
  await expect(icon).toHaveAttribute('href', /^\/icon\.svg/);
});

test('on a row, j and k move, r marks, e archives, s snoozes, Enter opens', async ({ portal: page, send }) => {
  await send({ judul: 'Ketiga' });
  await send({ judul: 'Kedua' });
  await send({ judul: 'Pertama' });
  await page.goto('/portal/notifications');
  await page.keyboard.press('j');
  await expect(page.locator('[data-no]:focus')).toHaveCount(0);
  await entries(page).filter({ hasText: 'Pertama' }).focus();
  await page.keyboard.press('j');
  await page.keyboard.press('r');
  await expect(entries(page).filter({ hasText: 'Kedua' })).toHaveAttribute('data-read', 'true');
  await page.keyboard.press('r');
  await expect(entries(page).filter({ hasText: 'Kedua' })).toHaveAttribute('data-read', 'false');
  await page.keyboard.press('k');
  await expect(entries(page).filter({ hasText: 'Pertama' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/portal/notifications?open=3');
  await expect(page.getByRole('article')).toContainText('Pertama');
  await expect(entries(page).filter({ hasText: 'Pertama' })).toHaveAttribute('data-read', 'true');
  await page.reload();
  await expect(page.getByRole('article')).toContainText('Pertama');
  await page.goBack();
  await expect(page.getByRole('article')).toHaveCount(0);
  await entries(page).filter({ hasText: 'Kedua' }).focus();
  await page.keyboard.press('e');
  await expect(entries(page).filter({ hasText: 'Kedua' })).toContainText('Diarsipkan');
  await page.keyboard.press('j');
  await page.keyboard.press('s');
  const choices = page.getByRole('dialog', { name: 'Ingatkan lagi: Ketiga' });
  await choices.getByRole('button', { name: '1 jam lagi' }).click();
  await expect(entries(page).filter({ hasText: 'Ketiga' })).toContainText('Ditunda');
  await expect(choices).toHaveCount(0);
  await expect(page.getByRole('heading', { level: 3 })).toHaveText([/Pertama/, /Kedua/, /Ketiga/]);
});

test('an entry counts as shown once visible, and not as read', async ({ page, company, signInAsEmployee, send }) => {
  const { employeeId } = await signInAsEmployee(page);
  const { companyId } = company.owner;
  await page.goto('/portal/settings');
  await page.getByRole('button', { name: 'Senyap selama 1 jam' }).click();
  await expect(page.locator('#quiet').getByText(/^Senyap sampai/)).toBeVisible();
  for (let sent = 1; sent <= 12; sent++) await send({ judul: `Kiriman ${sent}` });
  const listShown = () => sql()<{ no: number }[]>`select no from receipts
    where company_id = ${companyId} and employee_id = ${employeeId} and shown_at is not null order by no`;
  const shown = async () => (await listShown()).map(({ no }) => no);
  expect(await shown()).toEqual([]);
  await page.goto('/portal/notifications');
  await expect.poll(shown).toContain(12);
  expect(await shown()).not.toContain(1);
  await expect(bell(page, 12)).toBeVisible();
  await entries(page)
    .filter({ has: page.getByRole('heading', { name: /Kiriman 1$/ }) })
    .scrollIntoViewIfNeeded();
  await expect.poll(shown).toContain(1);
  expect(await sql()`select 1 from receipts where company_id = ${companyId} and read_at is not null`).toHaveLength(0);
});

test('a mark that fails is undone with a message, and the list stays', async ({ portal: page, context, send }) => {
  await send({ judul: 'Tidak tersimpan' });
  await page.goto('/portal/notifications');
  await context.setOffline(true);
  await page.getByRole('button', { name: 'Tandai sudah dibaca: Tidak tersimpan' }).click();
  const problem = page.getByRole('alert').filter({ hasText: 'Belum berhasil. Periksa koneksi, lalu coba lagi.' });
  await expect(problem).toBeVisible();
  await expect(entries(page)).toHaveAttribute('data-read', 'false');
  await context.setOffline(false);
  await page.getByRole('button', { name: 'Tandai sudah dibaca: Tidak tersimpan' }).click();
  await expect(entries(page)).toHaveAttribute('data-read', 'true');
  await expect(problem).toHaveCount(0);
});
