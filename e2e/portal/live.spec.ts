import type { Page } from 'playwright/test';
import {
  bell,
  countTones,
  entries,
  expect,
  expectNoMoreTones,
  expectSoundOn,
  popUps,
  soundButton,
  statusBar,
  steady,
  submitAccount,
  test,
  within20s,
} from '#e2e/support/browser/browser.ts';
import { startPlainBrowser } from '#e2e/support/browser/hidden-tab.ts';
import { service } from '#e2e/support/browser/host-page.ts';
import { ageConfirmation } from '#e2e/support/data/company.ts';
import { lacks } from '#e2e/support/programs.ts';
import { startMovingAddress } from '#e2e/support/proxies/tcp-proxy.ts';

test('a portal whose provider confirms nothing rings for 7 days with titles, and warns of the end', async ({
  baseURL,
  company,
  signIn,
  send,
}) => {
  const { context, stop } = await startPlainBrowser();
  const page = steady(context.pages()[0] ?? (await context.newPage()));
  const tones = await countTones(page);
  // On a page without a feed: the service remembers for how long a session that it has read will last.
  await signIn(page, await company.giveAccount(await company.hire()), `${baseURL}/docs`);
  await ageConfirmation(company, 12, 12_000);
  await page.goto(`${baseURL}/portal/notifications`);
  await page.locator('h1').click();
  await expectSoundOn(page);
  await expect(statusBar(page)).toContainText(/judul saja|titles only/, { timeout: 60_000 });
  await ageConfirmation(company, 13);
  await send({ judul: 'Tengah malam', isi: 'Isi rahasia' });
  await expect(popUps(page).filter({ hasText: 'Tengah malam' })).toBeVisible(within20s);
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

test('menus that fail to load offline offer a retry, and the portal goes on', async ({
  portal: page,
  context,
  send,
}) => {
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

test('signing out in one tab ends the session of the other tabs at once; they sign in again in place', async ({
  page,
  context,
  company,
  signIn,
  send,
}) => {
  const username = await company.giveAccount(await company.hire());
  await signIn(page, username);
  const second = steady(await context.newPage());
  await second.goto('/portal/notifications?kind=gaji');
  await page.getByRole('button', { name: /^Akun / }).click();
  await page.getByRole('button', { name: 'Keluar', exact: true }).click();
  await expect(statusBar(second)).toContainText('Sesi berakhir, masuk lagi');
  await statusBar(second).getByRole('button', { name: 'Masuk' }).click();
  await submitAccount(second, username);
  await expect(second.getByRole('dialog')).toHaveCount(0);
  await expect(second).toHaveURL('/portal/notifications?kind=gaji');
  await send({ judul: 'Setelah masuk lagi', jenis: 'gaji' });
  await expect(entries(second), 'the page listens again').toHaveCount(1, within20s);
});

test('a button pressed after the session ended changes nothing, and the page says so', async ({
  portal: page,
  context,
  send,
}) => {
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
  await expect(popUps(second).filter({ hasText: 'Hanya untuk yang kedua' })).toBeVisible(within20s);
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

async function countPopUps(pages: Page[]): Promise<number> {
  const counts = await Promise.all(pages.map((page) => popUps(page).count()));
  return counts.reduce((sum, count) => sum + count, 0);
}

test('several tabs have one connection, ring once and share marks; when one closes, the next leads', async ({
  page,
  context,
  signInAsEmployee,
  send,
}) => {
  const second = steady(await context.newPage());
  const streams = [countStreams(page), countStreams(second)];
  const tones = [await countTones(page), await countTones(second)];
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
  await expect.poll(async () => ((await tones[0]?.()) ?? 0) + ((await tones[1]?.()) ?? 0)).toBe(2);
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
  await expect(popUps(second).filter({ hasText: 'Pemimpin baru' })).toBeVisible(within20s);
});

// Chromium runs the timers of a page that has been hidden for long once a minute, those of a newly hidden
// page every second. So two ticks more than 10 s apart prove that the page is throttled.
type Ticking = Window & { ticks: number[] };
const countTicks = (page: Page) =>
  page.evaluate(() => {
    const { ticks } = Object.assign(window as unknown as Ticking, { ticks: [] as number[] });
    setInterval(() => ticks.push(performance.now()), 1000);
  });
const expectSlowTimers = (page: Page) =>
  expect
    .poll(
      () =>
        page.evaluate(() => {
          const { ticks } = window as unknown as Ticking;
          return ticks.some((at, index) => at - (ticks[index - 1] ?? at) > 10_000);
        }),
      { timeout: 150_000, intervals: [2000] },
    )
    .toBe(true);

test.describe('in a window', () => {
  test.setTimeout(240_000);
  test.beforeEach(() => test.info().skip(lacks('chromium'), 'the headless shell shows every tab'));

  test('a hidden tab with slowed timers rings within 20 s; the pop-up moves to the visible tab', async ({
    baseURL,
    company,
    signIn,
    send,
  }) => {
    const { context, stop } = await startPlainBrowser();
    const page = steady(context.pages()[0] ?? (await context.newPage()));
    const tones = await countTones(page);
    const username = await company.giveAccount(await company.hire());
    await signIn(page, username, `${baseURL}/portal/notifications`);
    await page.locator('h1').click();
    await expectSoundOn(page);
    await countTicks(page);
    const other = await context.newPage();
    await other.bringToFront();
    await expect.poll(() => page.evaluate(() => document.visibilityState)).toBe('hidden');

    await send({ judul: 'Baru saja tersembunyi' });
    await expect.poll(tones, within20s).toBe(2);
    await expect(popUps(page).filter({ hasText: 'Baru saja tersembunyi' })).toHaveCount(1, within20s);

    await expectSlowTimers(page);
    await send({ judul: 'Sudah lama tersembunyi' });
    await expect.poll(tones, within20s).toBe(4);

    // The pop-up moves from the hidden tab to the visible one.
    const visible = steady(other);
    await visible.goto(`${baseURL}/portal/notifications`);
    await expect(
      popUps(visible)
        .filter({ hasText: '2' })
        .or(popUps(visible).filter({ hasText: 'Sudah lama' }))
        .first(),
    ).toBeVisible(within20s);
    await page.bringToFront();
    await expect(popUps(page)).toHaveCount(0, within20s);
    await expect(entries(visible)).toHaveCount(2);
    expect(await tones()).toBe(4);
    await stop();
  });
});

for (const refused of ['BroadcastChannel', 'Worker'])
  test(`a browser that refuses ${refused} reads and opens notifications, and says what is missing`, async ({
    page,
    signInAsEmployee,
    send,
  }) => {
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

test('without locks, as on plain http in an office, two hidden tabs ring once and show one pop-up', async ({
  baseURL,
  company,
  signIn,
  send,
}) => {
  // Each tab polls, every 10 s.
  test.setTimeout(240_000);
  const { context, stop } = await startPlainBrowser(['--host-resolver-rules=MAP kantor 127.0.0.1']);
  const office = new URL(baseURL ?? '');
  office.hostname = 'kantor';
  const username = await company.giveAccount(await company.hire());
  const tabs: Page[] = [];
  const tones: (() => Promise<number>)[] = [];
  for (const isFirst of [true, false]) {
    const tab = steady((isFirst && context.pages()[0]) || (await context.newPage()));
    tones.push(await countTones(tab));
    if (isFirst) await signIn(tab, username, `${office.origin}/portal/help`);
    else await tab.goto(`${office.origin}/portal/help`);
    expect(await tab.evaluate(() => isSecureContext)).toBe(false);
    await tab.locator('h1').click();
    await expectSoundOn(tab);
    tabs.push(tab);
  }
  // In front of both, the person works in another tab: both have the timers of hidden ones.
  await (await context.newPage()).bringToFront();
  const countAll = async () => (await Promise.all(tones.map((count) => count()))).reduce((sum, one) => sum + one, 0);
  for (let round = 1; round <= 2; round++) {
    await send({ judul: `Ke-${round}` });
    for (const tab of tabs) await expect(tab).toHaveTitle(new RegExp(`^\\(${round}\\) `), within20s);
    const shown = tabs.map((tab) =>
      popUps(tab)
        .filter({ hasText: `Ke-${round}` })
        .count(),
    );
    expect((await Promise.all(shown)).reduce((sum, count) => sum + count)).toBeLessThanOrEqual(1);
    await expect.poll(countAll, within20s).toBeGreaterThan(2 * (round - 1));
    await Promise.all(tabs.map(expectNoMoreTones));
    expect(await countAll()).toBe(2 * round);
  }
  await stop();
});
