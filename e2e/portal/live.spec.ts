import type { Page } from 'playwright/test';
import {
  countTones,
  entries,
  expect,
  popUps,
  signOut,
  steady,
  submitAccount,
  test,
  within20s,
} from '#e2e/support/browser/browser.ts';
import { startPlainBrowser } from '#e2e/support/browser/hidden-tab.ts';
import { service } from '#e2e/support/browser/host-page.ts';
import {
  bell,
  expectNoMoreTones,
  expectPopUp,
  expectSoundOn,
  holdFeed,
  soundButton,
  statusBar,
  turnSoundOn,
} from '#e2e/support/browser/portal-pages.ts';
import { ageConfirmation } from '#e2e/support/data/company.ts';
import { lacks } from '#e2e/support/programs.ts';
import { startMovingAddress } from '#e2e/support/proxies/tcp-proxy.ts';

test('without a provider a portal rings 7 days, then warns', async ({ baseURL, company, send, signInAsEmployee }) => {
  const { context, page, stop } = await startPlainBrowser();
  const tones = await countTones(page);
  // On a page without a feed: the service remembers for how long a session that it has read will last.
  await signInAsEmployee(page, `${baseURL}/docs`);
  await ageConfirmation(company, 12, 12_000);
  await page.goto(`${baseURL}/portal/notifications`);
  await turnSoundOn(page);
  await expect(statusBar(page)).toContainText(/judul saja|titles only/, { timeout: 60_000 });
  await ageConfirmation(company, 13);
  await send({ judul: 'Tengah malam', isi: 'Isi rahasia' });
  await expectPopUp(page, 'Tengah malam');
  await expect.poll(tones, within20s).toBe(2);
  expect(await page.content()).not.toContain('Isi rahasia');

  await (await context.newPage()).bringToFront();
  await expect.poll(() => page.evaluate(() => document.visibilityState)).toBe('hidden');
  await ageConfirmation(company, 7 * 24 - 2);
  await send({ judul: 'Hari ketujuh' });
  await expect.poll(tones, within20s).toBe(4);
  // The last hour begins: the long ring of its warning has six tones.
  await ageConfirmation(company, 7 * 24 - 0.5);
  await send({ judul: 'Sebentar lagi' });
  await expect.poll(tones, within20s).toBe(12);
  await send({ judul: 'Sekali saja' });
  await expect.poll(tones, within20s).toBe(14);
  await expect(statusBar(page)).toContainText(/dalam satu jam|within an hour/);
  await stop();
});

test('menus that fail to load offline offer a retry; the portal goes on', async ({ portal: page, context, send }) => {
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
  await expectPopUp(page, 'Jaringan kembali');
  await soundButton(page).click();
  await expect(menu).toContainText('Terhubung');
});

test('a sign-out in one tab ends others; they sign in again', async ({ page, context, company, signIn, send }) => {
  const username = await company.giveAccount(await company.hire());
  await signIn(page, username);
  const second = steady(await context.newPage());
  await second.goto('/portal/notifications?kind=gaji');
  await signOut(page);
  await expect(statusBar(second)).toContainText('Sesi berakhir, masuk lagi');
  await statusBar(second).getByRole('button', { name: 'Masuk' }).click();
  await submitAccount(second, username);
  await expect(second.getByRole('dialog')).toHaveCount(0);
  await expect(second).toHaveURL('/portal/notifications?kind=gaji');
  await send({ judul: 'Setelah masuk lagi', jenis: 'gaji' });
  await expect(entries(second), 'the page listens again').toHaveCount(1, within20s);
});

test('a button pressed after the session changes nothing and says so', async ({ portal: page, context, send }) => {
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
  const port = Number(new URL(service).port);
  const network = await startMovingAddress(port);
  const portal = `http://127.0.0.1:${network.port}/portal`;
  await signInAsEmployee(page, portal, 'Yang Pertama');
  const second = steady(await context.newPage());
  const next = await company.hire('Yang Kedua');
  const username = await company.giveAccount(next);
  await context.clearCookies();
  await signIn(second, username, portal);
  await send({ judul: 'Hanya untuk yang kedua', user_id: next.employeeId });
  await expectPopUp(second, 'Hanya untuk yang kedua');
  // The stream of the first person ends, as it does after some minutes.
  network.moveTo(port);
  await expect(statusBar(page)).toContainText('Sesi berakhir', within20s);
  await expect(popUps(page)).toHaveCount(0);
  await network.stop();
});

const countStreams = (page: Page) => {
  const opened: string[] = [];
  page.on('request', (request) => void (request.url().includes('/portal/stream') && opened.push(request.url())));
  return opened;
};

async function countPopUps(pages: Page[], hasText = ''): Promise<number> {
  const counts = await Promise.all(pages.map((page) => popUps(page).filter({ hasText }).count()));
  return counts.reduce((sum, count) => sum + count, 0);
}

test('several tabs have one connection and ring once', async ({ page, context, signInAsEmployee, send }) => {
  const second = steady(await context.newPage());
  const streams = [countStreams(page), countStreams(second)];
  const tones = await countTones(page, second);
  await signInAsEmployee(page);
  // A change of the sound opens it anew.
  await expect.poll(() => streams[0]?.length).toBeGreaterThan(0);
  await second.goto('/portal');
  await second.locator('body').click();
  for (const tab of [page, second]) await expectSoundOn(tab);
  await send({ judul: 'Dua tab' });
  // Pop-ups first: they close by themselves, while the bell may come later.
  await expect.poll(() => countPopUps([page, second]), within20s).toBe(1);
  for (const tab of [page, second]) await expect(bell(tab, 1)).toBeVisible(within20s);
  expect(await countPopUps([page, second])).toBeLessThanOrEqual(1);
  await expect.poll(tones).toBe(2);
  expect(streams[1]).toEqual([]);

  await send({ judul: 'Kabar kedua' });
  for (const tab of [page, second]) await tab.goto('/portal/notifications');
  await page.getByRole('button', { name: 'Tandai sudah dibaca: Kabar kedua' }).click();
  await expect(bell(second, 1)).toBeVisible();
  await expect(entries(second).filter({ hasText: 'Kabar kedua' })).toHaveAttribute('data-read', 'true');
  await second.getByRole('button', { name: 'Tandai semua sudah dibaca' }).click();
  await expect(bell(page, 0)).toBeVisible();
  await expect(page.locator('[data-read=false]')).toHaveCount(0);

  await second.goto('/portal');
  const before = streams[1]?.length ?? 0;
  await page.close();
  await expect.poll(() => streams[1]?.length ?? 0).toBeGreaterThan(before);
  await send({ judul: 'Pemimpin baru' });
  await expectPopUp(second, 'Pemimpin baru');
});

// Chromium runs the timers of a page that has been hidden for long once a minute, those of a newly hidden
// page every second. So two ticks more than 10 s apart prove that the page is throttled.
const watchTimers = (page: Page) =>
  page.evaluate(() => {
    let last = performance.now();
    setInterval(() => {
      if (performance.now() - last > 10_000) document.documentElement.dataset.slow = '';
      last = performance.now();
    }, 1000);
  });

test('a hidden tab with slowed timers rings within 20 s', async ({ baseURL, company, signIn, send }) => {
  test.setTimeout(240_000);
  test.info().skip(lacks('chromium'), 'the headless shell shows every tab');
  const { context, page, stop } = await startPlainBrowser();
  const tones = await countTones(page);
  const username = await company.giveAccount(await company.hire());
  await signIn(page, username, `${baseURL}/portal/notifications`);
  await turnSoundOn(page);
  await watchTimers(page);
  const other = await context.newPage();
  await other.bringToFront();
  await expect.poll(() => page.evaluate(() => document.visibilityState)).toBe('hidden');

  await send({ judul: 'Baru saja tersembunyi' });
  await expect.poll(tones, within20s).toBe(2);
  await expect(popUps(page).filter({ hasText: 'Baru saja tersembunyi' })).toHaveCount(1, within20s);

  await page.locator('html[data-slow]').waitFor({ state: 'attached', timeout: 150_000 });
  await send({ judul: 'Sudah lama tersembunyi' });
  await expect.poll(tones, within20s).toBe(4);

  // The pop-up moves from the hidden tab to the visible one.
  const visible = steady(other);
  await visible.goto(`${baseURL}/portal/notifications`);
  await expectPopUp(visible, /2|Sudah lama/);
  await page.bringToFront();
  await expect(popUps(page)).toHaveCount(0, within20s);
  await expect(entries(visible)).toHaveCount(2);
  expect(await tones()).toBe(4);
  await stop();
});

for (const refused of ['BroadcastChannel', 'Worker'])
  test(`a browser that refuses ${refused} reads and says what it lacks`, async ({ page, signInAsEmployee, send }) => {
    await page.addInitScript((name) => {
      const refuse = class {
        constructor() {
          throw new DOMException('refused', 'SecurityError');
        }
      };
      Object.assign(window, { [name]: refuse });
    }, refused);
    await signInAsEmployee(page);
    await send({ judul: 'Tetap terbaca' });
    await page.goto('/portal/notifications');
    await expect(statusBar(page)).toContainText('Browser ini tidak mengizinkan notifikasi langsung');
    await expect(page.locator('[data-connection=disconnected]')).toBeVisible();
    await entries(page).getByRole('link').click();
    await expect(page.getByRole('article')).toContainText('Tetap terbaca');
    await expect(bell(page, 0)).toBeVisible();
  });

test('a browser that refuses locks to the worker polls and rings', async ({ page, signInAsEmployee, send }) => {
  const tones = await countTones(page);
  await page.route('**/_next/static/**/*.js', async (route) => {
    const response = await route.fetch();
    const refuse = `globalThis.document || (navigator.locks.request = () => Promise.reject(new DOMException('refused', 'SecurityError')));`;
    await route.fulfill({ response, body: `${refuse}${await response.text()}` });
  });
  await signInAsEmployee(page);
  await expectSoundOn(page);
  await send({ judul: 'Tanpa kunci' });
  await expect.poll(tones, within20s).toBe(2);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});

test('without locks, as in an office, two hidden tabs ring once', async ({ baseURL, company, signIn, send }) => {
  // Each tab polls, every 10 s.
  test.setTimeout(240_000);
  const { context, page, stop } = await startPlainBrowser(['--host-resolver-rules=MAP kantor 127.0.0.1']);
  const office = new URL(baseURL ?? '');
  office.hostname = 'kantor';
  const username = await company.giveAccount(await company.hire());
  await signIn(page, username, `${office.origin}/portal/help`);
  const tabs = [page, steady(await context.newPage())];
  const tones = await countTones(...tabs);
  for (const tab of tabs) {
    await tab.bringToFront();
    await tab.goto(`${office.origin}/portal/help`);
    expect(await tab.evaluate(() => isSecureContext)).toBe(false);
    await turnSoundOn(tab);
  }
  // In front of both, the person works in another tab: both have the timers of hidden ones.
  await (await context.newPage()).bringToFront();
  for (let round = 1; round <= 2; round++) {
    await send({ judul: `Ke-${round}` });
    for (const tab of tabs) await expect(tab).toHaveTitle(new RegExp(`^\\(${round}\\) `), within20s);
    expect(await countPopUps(tabs, `Ke-${round}`)).toBeLessThanOrEqual(1);
    await expect.poll(tones, within20s).toBeGreaterThan(2 * (round - 1));
    await Promise.all(tabs.map(expectNoMoreTones));
    expect(await tones()).toBe(2 * round);
  }
  await stop();
});

test('on each page of the portal a notification rings within 20 s', async ({ page, signInAsEmployee, send }) => {
  const tones = await countTones(page);
  const employee = await signInAsEmployee(page);
  await expectSoundOn(page);
  for (const [index, path] of ['/portal/notifications', '/portal/settings'].entries()) {
    await page.locator(`nav:visible a[href="${path}"]`).first().click();
    await expect(page).toHaveURL(path);
    const judul = `Gaji sudah masuk ${index}`;
    await send({ judul, isi: 'Slip ada di portal', jenis: 'gaji', user_id: employee.employeeId });
    await expectPopUp(page, judul);
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
