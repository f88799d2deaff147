import {
  bell,
  countTones,
  expect,
  expectNoMoreTones,
  expectSoundOn,
  popUps,
  statusBar,
  test,
  within20s,
} from '#e2e/support/browser/browser.ts';
import { sendSteadily } from '#e2e/support/data/sends.ts';

test('with each page of the portal open, a notification rings and pops up within 20 s', async ({
  page,
  signInAsEmployee,
  send,
}) => {
  const tones = await countTones(page);
  const employee = await signInAsEmployee(page);
  await expectSoundOn(page);
  for (const [index, path] of ['/portal/notifications', '/portal/settings'].entries()) {
    await page.locator(`nav:visible a[href="${path}"]`).first().click();
    await expect(page).toHaveURL(path);
    const judul = `Gaji sudah masuk ${index}`;
    await send({ judul, isi: 'Slip ada di portal', jenis: 'gaji', user_id: employee.employeeId });
    const popUp = popUps(page).filter({ hasText: judul });
    await expect(popUp).toBeVisible(within20s);
    // Texts about money are hidden until a person opens them.
    await expect(popUp).toContainText('Isi disembunyikan');
    await expect(popUp).not.toContainText('Slip ada di portal');
    await expect(popUp).toContainText('dari sistem “Sistem Uji” perusahaan Anda');
    await expect(popUp.locator('[data-kind=gaji]')).toBeVisible();
    await expect.poll(tones).toBe(2 * (index + 1));
    await expect(bell(page, index + 1)).toBeVisible();
    await expect(page).toHaveTitle(new RegExp(`^\\(${index + 1}\\) `));
  }
});

test('a reload repeats neither ring nor pop-up; what arrived meanwhile pops up and rings once', async ({
  portal: page,
  tones,
  send,
}) => {
  await send({ judul: 'Sebelum' });
  await expect(popUps(page).filter({ hasText: 'Sebelum' })).toBeVisible(within20s);
  await page.goto('/invite/tidak-ada');
  await send({ judul: 'Selama dimuat ulang' });
  // Browsers play no sound before the first click, so the feed waits for it.
  const clicked = Promise.withResolvers<void>();
  await page.route(/\/portal\/(feed|stream)\?/, async (route) => {
    await clicked.promise;
    await route.continue();
  });
  await page.goto('/portal');
  await page.getByRole('heading', { level: 1 }).click();
  await expectSoundOn(page);
  clicked.resolve();
  await expect(popUps(page).filter({ hasText: 'Selama dimuat ulang' })).toBeVisible(within20s);
  await expect(popUps(page)).toHaveCount(1);
  await expect.poll(tones).toBe(2);
  await expectNoMoreTones(page);
});

test('a steady flow rings at once and goes on ringing, with one summary (X30)', async ({
  page,
  company,
  signInAsEmployee,
}) => {
  const tones = await countTones(page);
  await signInAsEmployee(page, '/portal/settings');
  await page.locator('h1').click();
  await expectSoundOn(page);
  const flow = sendSteadily(company, 12_000);
  await expect.poll(tones, { timeout: 5000 }).toBe(2);
  await expect(popUps(page).filter({ hasText: 'notifikasi baru' })).toBeVisible({ timeout: 10_000 });
  await expect(popUps(page)).toHaveCount(1);
  await flow;
  expect(await tones()).toBeGreaterThanOrEqual(4);
});

test('deactivating an employee ends their open portal, which stops its requests', async ({
  page,
  company,
  signInAsEmployee,
}) => {
  const streaming = page.waitForRequest(/\/portal\/stream/);
  const employee = await signInAsEmployee(page);
  await streaming;
  await company.deactivate(employee);
  await expect(statusBar(page)).toContainText('Sesi berakhir, masuk lagi', within20s);
  // Longer than the 10 s between two polls and the first pause of the stream together.
  await expect(page.waitForRequest(/\/portal\/(feed|stream)/, { timeout: 12_000 })).rejects.toThrow(/Timeout/);
  await statusBar(page).getByRole('button', { name: 'Masuk' }).click();
  await expect(page.getByRole('dialog', { name: 'Masuk lagi' })).toBeVisible();
});
