import type { BrowserContext, Page } from 'playwright/test';
import { bell, countTones, expect, popUps, statusBar, test, within20s } from '#e2e/fixtures/browser.ts';

// Whatever the test tool evaluates in a page counts as a gesture there; so nothing is, until the portal has asked for its sound.
async function openUntouched(context: BrowserContext): Promise<Page> {
  const fresh = await context.newPage();
  const started = fresh.waitForEvent('worker');
  await fresh.goto('/portal');
  await started;
  return fresh;
}

for (const path of ['/portal', '/portal/notifications', '/portal/settings'])
  test(`an employee with ${path} open hears a sound and sees a pop-up within 20 seconds`, async ({
    page,
    signInAsEmployee,
    send,
  }) => {
    const tones = await countTones(page);
    const employee = await signInAsEmployee(page);
    await page.locator(`nav:visible a[href="${path}"]`).click();
    await expect(page).toHaveURL(path);
    await send({ judul: 'Gaji sudah masuk', isi: 'Slip ada di portal', jenis: 'gaji', user_id: employee.employeeId });
    const popUp = popUps(page).filter({ hasText: 'Gaji sudah masuk' });
    await expect(popUp).toBeVisible(within20s);
    await expect(popUp).toContainText('Slip ada di portal');
    await expect(popUp).toContainText('dari sistem “Sistem Uji” perusahaan Anda');
    await expect(popUp.locator('[data-kind=gaji]')).toBeVisible();
    await expect.poll(tones).toBe(2);
    await expect(bell(page, 1)).toBeVisible();
    await expect(page).toHaveTitle(/^\(1\) /);
  });

test('a reload neither rings nor pops up again', async ({ page, signInAsEmployee, send }) => {
  const tones = await countTones(page);
  await signInAsEmployee(page);
  await send({ judul: 'Sekali saja' });
  await expect(popUps(page).filter({ hasText: 'Sekali saja' })).toBeVisible(within20s);
  await expect.poll(tones).toBe(2);
  await page.reload();
  await page.locator('body').click();
  await send({ judul: 'Yang kedua' });
  await expect(popUps(page).filter({ hasText: 'Yang kedua' })).toBeVisible(within20s);
  await expect(popUps(page)).toHaveCount(1);
  await expect(bell(page, 2)).toBeVisible();
});

test('what arrived during a reload pops up and rings, once', async ({ page, signInAsEmployee, send }) => {
  await signInAsEmployee(page);
  await send({ judul: 'Sebelum' });
  await expect(popUps(page).filter({ hasText: 'Sebelum' })).toBeVisible(within20s);
  await page.goto('/invite/tidak-ada');
  await send({ judul: 'Selama dimuat ulang' });
  const tones = await countTones(page);
  await page.goto('/portal');
  await expect(popUps(page).filter({ hasText: 'Selama dimuat ulang' })).toBeVisible(within20s);
  await expect(popUps(page)).toHaveCount(1);
  expect([0, 2]).toContain(await tones());
});

test('when the browser wants a click first the page says so, with a button that cures it', async ({
  page,
  context,
  signInAsEmployee,
}) => {
  await signInAsEmployee(page);
  const fresh = await openUntouched(context);
  await expect(statusBar(fresh)).toContainText('Suara belum aktif. Klik untuk mengaktifkan.');
  await expect(fresh.locator('[data-sound=click]')).toHaveText('Perlu satu klik');
  await statusBar(fresh).getByRole('button', { name: 'Aktifkan suara' }).click();
  await expect(statusBar(fresh)).toBeEmpty();
  await expect(fresh.locator('[data-sound=on]')).toHaveText('Suara aktif');
});

test('the first touch of the page unlocks the sound', async ({ page, context, signInAsEmployee }) => {
  await signInAsEmployee(page);
  const fresh = await openUntouched(context);
  await expect(fresh.locator('[data-sound=click]')).toBeVisible();
  await fresh.getByRole('heading', { level: 1 }).click();
  await expect(fresh.locator('[data-sound=on]')).toBeVisible();
});

test('the owner who added themself hears and sees it in the management area too', async ({
  page,
  company,
  signIn,
  send,
}) => {
  const tones = await countTones(page);
  await signIn(page, company.username);
  await page.goto('/owner/employees');
  await page.getByRole('button', { name: 'Tambahkan saya' }).click();
  await expect(bell(page, 0)).toBeVisible();
  expect(await send({ judul: 'Tes untuk saya' })).toBe(1);
  await expect(popUps(page).filter({ hasText: 'Tes untuk saya' })).toBeVisible(within20s);
  await expect.poll(tones).toBe(2);
});

test('the loop runs in a dedicated worker, never by a timer of the page', async ({ page, signInAsEmployee }) => {
  const asked = page.waitForRequest(/\/portal\/(feed|stream)/);
  await signInAsEmployee(page);
  await expect.poll(() => page.workers().length).toBe(1);
  expect(await (await asked).headerValue('referer')).toMatch(/\.js|worker/);
});

test('a deactivated employee is out at once: the open page says so and asks no more', async ({
  page,
  company,
  signInAsEmployee,
}) => {
  const streaming = page.waitForRequest(/\/portal\/stream/);
  const employee = await signInAsEmployee(page);
  await streaming;
  await company.deactivate(employee);
  await expect(statusBar(page)).toContainText('Sesi berakhir, masuk lagi', { timeout: 8000 });
  // Longer than the poll's ground of 10 s and the stream's first pause together.
  await expect(page.waitForRequest(/\/portal\/(feed|stream)/, { timeout: 12_000 })).rejects.toThrow(/Timeout/);
  await statusBar(page).getByRole('link', { name: 'Masuk' }).click();
  await expect(page).toHaveURL('/login?returnTo=%2Fportal');
});
