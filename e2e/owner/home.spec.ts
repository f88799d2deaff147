import type { Page } from 'playwright/test';
import { randomAddress } from '#e2e/fixtures/address.ts';
import { expect, popUps, test } from '#e2e/fixtures/browser.ts';
import { makeCompany } from '#harness/company.ts';

const step = (page: Page, name: string) => page.locator(`[data-step=${name}]`);

test('the home page lists the first steps and updates live until a notification was seen', async ({
  page,
  company,
  signIn,
  send,
}) => {
  const other = await makeCompany('Perusahaan Lain Uji');
  await other.hire('Karyawan Perusahaan Lain');
  await other.newKey('kunci perusahaan lain');
  await signIn(page, company.username);
  await expect(step(page, 'person')).toHaveAttribute('aria-current', 'step');
  await step(page, 'person').getByRole('button', { name: 'Tambahkan saya' }).click();
  await expect(step(page, 'greeting')).toHaveAttribute('aria-current', 'step');
  await page.goto('/owner');
  await send({ judul: 'Halo pertama' });
  await expect(popUps(page)).toContainText('Halo pertama');
  await expect(page.getByText('Pemilik Uji sudah melihatnya')).toBeVisible();
  await page.getByRole('button', { name: 'Buka Beranda' }).click();
  await expect(page.getByRole('heading', { name: 'Siapa yang pasti mendengar' })).toBeVisible();
  await expect(page.locator('#recent')).toContainText('Halo pertama');
  await expect(page.locator('main')).not.toContainText('erusahaan lain', { ignoreCase: true });
});

test('a key that sends one text to everyone 5 times in a minute raises an alarm that can revoke it', async ({
  page,
  baseURL,
  company,
  signIn,
  visit,
}) => {
  const other = await makeCompany('Perusahaan Lain Uji');
  const stranger = await visit();
  await signIn(stranger, other.username);
  await signIn(page, company.username, '/owner/settings');
  const key = await company.newKey('skrip berputar');
  const call = (method = 'POST') =>
    fetch(`${baseURL}/api/v1/notif.php${method === 'GET' ? '?aksi=ping' : ''}`, {
      method,
      headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
      body: method === 'GET' ? undefined : JSON.stringify({ judul: 'Rapat', isi: 'Sekarang' }),
    });
  for (let time = 0; time < 5; time++) expect((await call()).status).toBe(200);
  const line = page.locator('[data-alarm-line]');
  await expect(line).toContainText('1 peringatan');
  await line.click();
  await expect(page).toHaveURL('/owner');
  await expect(line).toHaveCount(0);
  const alarm = page.locator('[data-alarm=repeated-broadcast]');
  await expect(alarm).toContainText('Kunci “skrip berputar” mengirim teks yang sama ke semua orang 5 kali');
  expect((await call()).status, 'nothing is refused because of it').toBe(200);
  await alarm.getByRole('button', { name: 'Cabut kunci skrip berputar sekarang' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Cabut', exact: true }).click();
  await expect(dialog.getByRole('textbox'), 'asks for the name, as the page of keys does').toHaveAttribute(
    'aria-invalid',
    'true',
  );
  expect((await call('GET')).status).toBe(200);
  await dialog.getByRole('textbox').fill('skrip berputar');
  await dialog.getByRole('button', { name: 'Cabut', exact: true }).click();
  await expect(alarm).toHaveCount(0);
  expect((await call('GET')).status).toBe(401);
  await stranger.reload();
  await expect(stranger.locator('[data-alarm], [data-alarm-line]')).toHaveCount(0);
  await stranger.context().close();
});

test('the owner sees that someone guesses a password, and another company’s owner does not', async ({
  page,
  baseURL,
  company,
  signIn,
  visit,
}) => {
  const other = await makeCompany('Perusahaan Lain Uji');
  const stranger = await visit();
  await signIn(stranger, other.username);
  const username = await company.giveAccount(await company.hire('Sri Ditebak'));
  const guess = () =>
    fetch(`${baseURL}/api/auth/sign-in`, {
      method: 'POST',
      headers: { origin: String(baseURL), 'x-forwarded-for': randomAddress() },
      body: JSON.stringify({ username, password: 'salah' }),
    });
  await Promise.all(Array.from({ length: 20 }, guess));
  await signIn(page, company.username);
  const alarm = page.locator('[data-alarm=guessing]');
  await expect(alarm).toContainText('Ada yang menebak kata sandi Sri Ditebak');
  await expect(alarm).toContainText('20 kata sandi salah dari 20 alamat');
  await stranger.goto('/owner/settings');
  await stranger.waitForResponse((response) => response.url().endsWith('/owner/alarms'));
  await expect(stranger.locator('[data-alarm], [data-alarm-line]')).toHaveCount(0);
  await stranger.context().close();
});

test('the sends of an alarm are seen and withdrawn first, without the key being revoked', async ({
  page,
  company,
  signIn,
  signInAsEmployee,
  send,
  visit,
}) => {
  const portal = await visit();
  await signInAsEmployee(portal);
  await signIn(page, company.username);
  await send({ judul: 'Bukan ini' });
  for (let time = 0; time < 6; time++) await send({ judul: 'Stok malam' });
  const alarm = page.locator('[data-alarm=repeated-broadcast]');
  await expect(alarm.getByRole('link', { name: 'Lihat pesannya' })).toHaveAttribute(
    'href',
    /\/owner\/sends\?sender=\d+&search=Stok%20malam/,
  );
  await alarm.getByRole('button', { name: 'Tarik 6 pesan ini' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('Pesan hilang dari semua portal.');
  await dialog.getByRole('button', { name: 'Tarik 6 pesan ini' }).click();
  await expect(dialog).toBeHidden();
  await expect(alarm.getByRole('button', { name: /^Tarik/ })).toHaveCount(0);
  await expect(alarm.getByRole('link', { name: 'Lihat pesannya' })).toBeVisible();
  await portal.goto('/portal/notifications');
  await expect(portal.locator('body')).not.toContainText('Stok malam');
  await expect(portal.locator('body')).toContainText('Bukan ini');
  await portal.context().close();
});

test('an alarm can be dismissed, and each kind can be switched off', async ({
  page,
  baseURL,
  company,
  signIn,
  send,
}) => {
  const key = await (await makeCompany()).newKey('kunci tetangga');
  for (let time = 0; time < 5; time++)
    await fetch(`${baseURL}/api/v1/notif.php`, {
      method: 'POST',
      headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
      body: JSON.stringify({ judul: 'Milik tetangga', isi: 'Isi' }),
    });
  await signIn(page, company.username);
  for (let time = 0; time < 5; time++) await send({ judul: 'Berulang' });
  const alarm = page.locator('[data-alarm]');
  await expect(alarm).toContainText('Berulang');
  await expect(alarm).not.toContainText('tetangga');
  await alarm.getByRole('button', { name: /^Tutup/ }).click();
  await expect(alarm).toHaveCount(0);
  await page.goto('/owner/settings/alarms');
  await page.getByRole('switch', { name: 'Teks yang sama ke semua orang' }).click();
  await expect(page.getByRole('switch', { name: 'Teks yang sama ke semua orang' })).not.toBeChecked();
  for (let time = 0; time < 6; time++) await send({ judul: 'Berulang lagi' });
  await page.goto('/owner/audit');
  await expect(page.getByText('Menutup peringatan tentang kunci Sistem Uji')).toBeVisible();
  await page.waitForResponse((response) => response.url().endsWith('/owner/alarms'));
  await expect(alarm).toHaveCount(0);
});

test('only the owner can open the pages and downloads of the owner', async ({ page, signInAsEmployee, visit }) => {
  await signInAsEmployee(page);
  const stranger = await visit();
  for (const path of ['', '/keys', '/employees', '/sends', '/audit', '/audit/refused', '/settings']) {
    await page.goto(`/owner${path}`);
    await expect(page).toHaveURL('/portal');
    await stranger.goto(`/owner${path}`);
    await expect(stranger).toHaveURL(/\/login\?returnTo=%2Fowner/);
  }
  for (const one of [page, stranger])
    for (const path of ['/owner/audit/csv', '/owner/audit/refused/csv'])
      expect((await one.request.get(path)).status()).toBe(401);
});
