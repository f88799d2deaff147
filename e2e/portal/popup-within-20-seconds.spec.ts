import { countTones, expect, popUps, test, within20s } from '#e2e/support/browser/browser.ts';
import {
  bell,
  expectNoMoreTones,
  expectPopUp,
  expectSoundOn,
  holdFeed,
  statusBar,
  turnSoundOn,
} from '#e2e/support/browser/portal-pages.ts';

test('on each page of the portal a notification rings within 20 s', async ({ page, signInAsEmployee, send }) => {
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
    await expect.poll(tones).toBe(2 * (index + 1));
    await expect(bell(page, index + 1)).toBeVisible();
  }
});

test('a reload repeats nothing; what came meanwhile rings once', async ({ portal: page, tones, send }) => {
  await send({ judul: 'Sebelum' });
  await expectPopUp(page, 'Sebelum');
  await page.goto('/invite/tidak-ada');
  await send({ judul: 'Selama dimuat ulang' });
  // Browsers play no sound before the first click, so the feed waits for it.
  const letArrive = await holdFeed(page);
  await page.goto('/portal');
  await turnSoundOn(page);
  letArrive();
  await expectPopUp(page, 'Selama dimuat ulang');
  await expect(popUps(page)).toHaveCount(1);
  await expect.poll(tones).toBe(2);
  await expectNoMoreTones(page);
});

test('deactivating an employee ends the requests of their portal', async ({ page, company, signInAsEmployee }) => {
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
