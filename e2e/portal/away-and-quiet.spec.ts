import { sql } from '#db/client.ts';
import {
  bell,
  countTones,
  entries,
  expect,
  expectSoundOn,
  popUps,
  soundButton,
  steady,
  test,
  within20s,
} from '#e2e/support/browser/browser.ts';

test('what arrived before the sign-in is one line above the list, without pop-up or sound', async ({
  page,
  company,
  signIn,
  send,
}) => {
  const tones = await countTones(page);
  const username = await company.giveAccount(await company.hire());
  for (const jenis of ['gaji', 'gaji', 'timer', 'info']) await send({ judul: 'Kiriman', jenis });
  await signIn(page, username);
  await expect(page.getByText('4 belum dibaca', { exact: true })).toBeVisible();
  await expect(page.locator('[data-connection=connected]')).toContainText('Terhubung');
  await expect(popUps(page)).toHaveCount(0);
  expect(await tones()).toBe(0);
});

test('an hour of silence lists notifications without sound or pop-up in all tabs, until it is ended', async ({
  page,
  context,
  signInAsEmployee,
  send,
}) => {
  const tones = await countTones(page);
  await signInAsEmployee(page);
  const second = steady(await context.newPage());
  await second.goto('/portal/settings');
  await second.getByRole('button', { name: 'Senyap selama 1 jam' }).click();
  await expect(second.locator('#quiet').getByText(/^Senyap sampai \d\d\.\d\d$/)).toBeVisible();
  await send({ judul: 'Saat senyap' });
  for (const tab of [page, second]) {
    await expect(bell(tab, 1)).toBeVisible(within20s);
    await expect(popUps(tab)).toHaveCount(0);
  }
  await expect(entries(page).filter({ hasText: 'Saat senyap' })).toBeVisible();
  expect(await tones()).toBe(0);
  await second.close();
  await page.reload();
  await soundButton(page).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Matikan senyap' }).click();
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Senyap selama 1 jam' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expectSoundOn(page);
  await send({ judul: 'Sesudah senyap' });
  await expect(popUps(page).filter({ hasText: 'Sesudah senyap' })).toBeVisible(within20s);
  await expect.poll(tones).toBe(2);
});

test('quiet hours are off by default and follow the time zone that the employee chose', async ({
  page,
  company,
  signInAsEmployee,
  send,
}) => {
  await signInAsEmployee(page);
  await page.goto('/portal/settings');
  const toggle = page.getByRole('switch', { name: 'Senyap setiap hari' });
  await expect(toggle).not.toBeChecked();
  await toggle.press('Space');
  // An hour around this moment in Jayapura, two hours ahead of the company's Jakarta.
  const now = Date.now();
  const clock = (shiftMinutes: number) =>
    new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: 'Asia/Jayapura' }).format(
      now + shiftMinutes * 60_000,
    );
  const [from, until] = [clock(-30), clock(30)];
  await page.locator('#quiet').getByLabel('Mulai').fill(from);
  await page.locator('#quiet').getByLabel('Sampai').fill(until);
  await page.locator('#quiet').getByLabel('Zona waktu Anda').selectOption('Asia/Jayapura');
  await page.locator('#quiet').getByRole('button', { name: 'Simpan' }).click();
  await expect(page.locator('#quiet').getByText('Tersimpan', { exact: true })).toBeVisible();
  await send({ judul: 'Jam tenang' });
  await expect(bell(page, 1)).toBeVisible(within20s);
  await expect(popUps(page)).toHaveCount(0);
  // In the company's time zone the same hours are two hours away.
  await page.reload();
  await page.locator('#quiet').getByLabel('Zona waktu Anda').selectOption('Asia/Jakarta');
  await page.locator('#quiet').getByRole('button', { name: 'Simpan' }).click();
  await expect(page.locator('#quiet').getByText('Tersimpan', { exact: true })).toBeVisible();
  await send({ judul: 'Bukan jam tenang' });
  await expect(popUps(page).filter({ hasText: 'Bukan jam tenang' })).toBeVisible(within20s);
  await page.locator('#quiet').getByLabel('Sampai').fill(from);
  await page.locator('#quiet').getByRole('button', { name: 'Simpan' }).click();
  await expect(page.getByText('Belum benar')).toBeVisible();
  const [row] =
    await sql()`select quiet_from, quiet_until from preferences where company_id = ${company.owner.companyId}`;
  expect(row?.quiet_from).not.toBe(row?.quiet_until);
});
