import {
  bell,
  countTones,
  expect,
  expectSoundOn,
  popUps,
  soundButton,
  statusBar,
  steady,
  test,
  within20s,
} from '#e2e/support/browser/browser.ts';
import { freePort, type Service, startService } from '#e2e/support/service/service.ts';

// A second service on the same database, which the test may kill.
async function startAnother(port: number): Promise<Service> {
  const { DATABASE_URL, AUTH_SECRET } = process.env;
  const APP_URL = `http://127.0.0.1:${port}`;
  return startService({ DATABASE_URL, AUTH_SECRET, PORT: String(port), HOST: '127.0.0.1', APP_URL });
}

test('after the service is killed and restarted, a portal misses nothing and repeats nothing (X16)', async ({
  company,
  signIn,
  send,
  visit,
}) => {
  const port = await freePort();
  const first = await startAnother(port);
  const page = await visit({ baseURL: first.url });
  const tones = await countTones(page);
  const username = await company.giveAccount(await company.hire());
  await signIn(page, username);
  await expectSoundOn(page);
  await send({ judul: 'Sebelum mati' });
  await expect(popUps(page).filter({ hasText: 'Sebelum mati' })).toBeVisible(within20s);
  await first.stop('SIGKILL');
  await expect(statusBar(page)).toContainText('Terputus, mencoba lagi…', within20s);
  for (const judul of ['Saat mati satu', 'Saat mati dua']) await send({ judul });
  const again = await startAnother(port);
  for (const judul of ['Saat mati satu', 'Saat mati dua'])
    await expect(popUps(page).filter({ hasText: judul })).toHaveCount(1, within20s);
  await expect(statusBar(page)).toBeEmpty();
  await expect(bell(page, 3)).toBeVisible();
  await expect.poll(tones).toBe(4);
  await send({ judul: 'Sesudahnya' });
  await expect(bell(page, 4)).toBeVisible(within20s);
  await expect(popUps(page).filter({ hasText: 'Sebelum mati' })).toHaveCount(0, within20s);
  expect((await again.stop()).ms).toBeLessThan(10_000);
  await page.close();
});

test('menus that fail to load offline offer a retry, and the portal goes on', async ({
  page,
  context,
  signInAsEmployee,
  send,
}) => {
  await signInAsEmployee(page);
  await context.setOffline(true);
  const menu = page.getByRole('dialog');
  await soundButton(page).click();
  await expect(menu.getByRole('alert')).toContainText('Coba lagi');
  await page.getByRole('button', { name: /^Akun/ }).click();
  await expect(menu.getByRole('alert')).toContainText('Coba lagi');
  await expect(page.locator('h1')).toBeVisible();
  await context.setOffline(false);
  await menu.getByRole('button', { name: 'Coba lagi' }).click();
  await expect(menu).toContainText('Keluar');
  await page.keyboard.press('Escape');
  await send({ judul: 'Jaringan kembali' });
  await expect(popUps(page).filter({ hasText: 'Jaringan kembali' })).toBeVisible(within20s);
  await soundButton(page).click();
  await expect(menu).toContainText('Terhubung');
});

test('signing out in one tab ends the session of the other tabs at once', async ({
  page,
  context,
  signInAsEmployee,
}) => {
  await signInAsEmployee(page);
  const second = steady(await context.newPage());
  await second.goto('/portal/notifications?kind=gaji');
  await page.getByRole('button', { name: /^Akun / }).click();
  await page.getByRole('button', { name: 'Keluar', exact: true }).click();
  await expect(statusBar(second)).toContainText('Sesi berakhir, masuk lagi');
  await statusBar(second).getByRole('link', { name: 'Masuk' }).click();
  await expect(second).toHaveURL(`/login?returnTo=${encodeURIComponent('/portal/notifications?kind=gaji')}`);
});

test('a button pressed after the session ended changes nothing, and the page says so', async ({
  page,
  context,
  signInAsEmployee,
  send,
}) => {
  await signInAsEmployee(page);
  await send({ judul: 'Masih di sini' });
  await page.goto('/portal/notifications?kind=info');
  await context.clearCookies();
  // Not `click`: the page may know already, and then its buttons are inert.
  await page.getByRole('button', { name: 'Tandai sudah dibaca: Masih di sini' }).dispatchEvent('click');
  await expect(statusBar(page)).toContainText('Sesi berakhir, masuk lagi', within20s);
  await expect(page).toHaveURL('/portal/notifications?kind=info');
});

test('an open page receives nothing of another person who signs in with the same browser', async ({
  page,
  context,
  company,
  signInAsEmployee,
  signIn,
  send,
}) => {
  // The stream of the first person may stay open for a minute.
  test.setTimeout(150_000);
  await signInAsEmployee(page, 'Yang Pertama');
  const second = steady(await context.newPage());
  const next = await company.hire('Yang Kedua');
  const username = await company.giveAccount(next);
  await context.clearCookies();
  await signIn(second, username);
  await send({ judul: 'Hanya untuk yang kedua', user_id: next.employeeId });
  await expect(popUps(second).filter({ hasText: 'Hanya untuk yang kedua' })).toBeVisible(within20s);
  await expect(statusBar(page)).toContainText('Sesi berakhir', { timeout: 100_000 });
  await expect(popUps(page)).toHaveCount(0);
});
