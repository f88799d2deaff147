import type { BrowserContext, Page } from 'playwright/test';
import { countTones, expect, popUps, steady, test } from '#e2e/fixtures/browser.ts';

const within20s = { timeout: 20_000 };

// Whatever the test tool evaluates in a page counts as a gesture there; so nothing is, until the portal has asked for its sound.
async function openUntouched(context: BrowserContext): Promise<Page> {
  const fresh = await context.newPage();
  const asked = fresh.waitForResponse(/\/portal\/feed/);
  await fresh.goto('/portal');
  await asked;
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
    await expect(page.getByRole('link', { name: 'Notifikasi, 1 belum dibaca' })).toBeVisible();
    await expect(page).toHaveTitle(/^\(1\) /);
  });

test('a reload neither rings nor pops up again', async ({ page, signInAsEmployee, send }) => {
  const tones = await countTones(page);
  await signInAsEmployee(page);
  await send({ judul: 'Sekali saja' });
  await expect(popUps(page).filter({ hasText: 'Sekali saja' })).toBeVisible(within20s);
  await page.reload();
  const asked = page.waitForResponse(/\/portal\/feed/);
  await page.locator('body').click();
  await asked;
  await expect(page.getByRole('link', { name: 'Notifikasi, 1 belum dibaca' })).toBeVisible();
  await expect(popUps(page)).toHaveCount(0);
  expect(await tones()).toBe(0);
});

test('what came while nobody was there is one summary at sign-in, without a sound', async ({
  page,
  company,
  signIn,
  send,
}) => {
  const tones = await countTones(page);
  const username = await company.giveAccount(await company.hire());
  for (let sent = 0; sent < 4; sent++) await send({ judul: `Kiriman ${sent}` });
  await signIn(page, username);
  await expect(popUps(page)).toHaveCount(1);
  await expect(popUps(page)).toContainText('Anda punya 4 notifikasi yang belum dibaca');
  await popUps(page).getByRole('link', { name: 'Lihat semua' }).click();
  await expect(page.getByRole('heading', { name: 'Kiriman 3' })).toBeVisible();
  expect(await tones()).toBe(0);
});

test('more than three at once are one pop-up and one chime', async ({ page, signInAsEmployee, send }) => {
  const tones = await countTones(page);
  await signInAsEmployee(page);
  await page.waitForResponse(/\/portal\/feed/);
  await Promise.all(Array.from({ length: 5 }, (_, index) => send({ judul: `Borongan ${index}` })));
  await expect(popUps(page)).toHaveCount(1, within20s);
  await expect(popUps(page)).toContainText('5 notifikasi baru');
  await expect.poll(tones).toBe(2);
});

test('two tabs of one browser show it both and ring once', async ({ page, context, signInAsEmployee, send }) => {
  const second = steady(await context.newPage());
  const [here, there] = [await countTones(page), await countTones(second)];
  await signInAsEmployee(page);
  await second.goto('/portal');
  await second.locator('body').click();
  await send({ judul: 'Dua tab' });
  for (const tab of [page, second]) await expect(popUps(tab).filter({ hasText: 'Dua tab' })).toBeVisible(within20s);
  await expect.poll(async () => (await here()) + (await there())).toBe(2);
});

test('when the browser blocks the sound the page says so, with a button that cures it', async ({
  page,
  context,
  signInAsEmployee,
}) => {
  await signInAsEmployee(page);
  const fresh = await openUntouched(context);
  await expect(fresh.getByText('Suara belum aktif. Klik untuk mengaktifkan.')).toBeVisible();
  await expect(fresh.getByText('Perlu satu klik')).toBeVisible();
  await fresh.getByRole('status').getByRole('button', { name: 'Aktifkan suara' }).click();
  await expect(fresh.getByText('Suara belum aktif. Klik untuk mengaktifkan.')).toBeHidden();
  await expect(fresh.getByText('Suara aktif')).toBeVisible();
});

test('the first touch of the page unlocks the sound', async ({ page, context, signInAsEmployee }) => {
  await signInAsEmployee(page);
  const fresh = await openUntouched(context);
  await expect(fresh.getByText('Perlu satu klik')).toBeVisible();
  await fresh.getByRole('heading', { level: 1 }).click();
  await expect(fresh.getByText('Suara aktif')).toBeVisible();
});

test('muted is muted: it pops up and does not ring, also after a reload', async ({ page, signInAsEmployee, send }) => {
  const tones = await countTones(page);
  await signInAsEmployee(page);
  await page.getByRole('banner').getByRole('button', { name: 'Matikan suara' }).click();
  await expect(page.getByText('Dimatikan')).toBeVisible();
  await page.reload();
  await send({ judul: 'Diam' });
  await expect(popUps(page).filter({ hasText: 'Diam' })).toBeVisible(within20s);
  expect(await tones()).toBe(0);
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
  await expect(page.getByRole('link', { name: /^Notifikasi, semua/ })).toBeVisible();
  expect(await send({ judul: 'Tes untuk saya' })).toBe(1);
  await expect(popUps(page).filter({ hasText: 'Tes untuk saya' })).toBeVisible(within20s);
  await expect.poll(tones).toBe(2);
});

test('the loop asks from a dedicated worker, never by a timer of the page', async ({ page, signInAsEmployee }) => {
  await signInAsEmployee(page);
  await expect.poll(() => page.workers().length).toBe(1);
  const request = await page.waitForRequest(/\/portal\/feed/);
  expect(request.serviceWorker()).toBeNull();
  expect(await request.headerValue('referer')).toMatch(/\.js|worker/);
});

test('a deactivated employee is out at the next request: the open page says so and stops asking', async ({
  page,
  company,
  signInAsEmployee,
}) => {
  const employee = await signInAsEmployee(page);
  await page.waitForResponse(/\/portal\/feed/);
  await company.deactivate(employee);
  await expect(page.getByText('Sesi berakhir, masuk lagi')).toBeVisible(within20s);
  await page.goto('/portal/notifications');
  await expect(page).toHaveURL(/\/login\?returnTo=/);
});
