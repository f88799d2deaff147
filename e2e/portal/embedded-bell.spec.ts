import type { FrameLocator, Page } from 'playwright/test';
import { sql } from '#db/client.ts';
import { check } from '#e2e/support/browser/accessible.ts';
import { type Abilities, countTones, expect, submitAccount, test, within20s } from '#e2e/support/browser/browser.ts';
import { openHostPage, openPanel, pressSignIn, readyBell, service, shownAt } from '#e2e/support/browser/host-page.ts';
import { expectNoMoreTones, expectSoundOn } from '#e2e/support/browser/portal-pages.ts';

// One process for all sites, because Playwright never starts a worker of a frame in another process. Chromium still
// separates the cookies and the storage of the frame.
test.use({
  launchOptions: ({ launchOptions }, use) =>
    use({
      ...launchOptions,
      args: [...(launchOptions.args ?? []), '--disable-features=IsolateOrigins,site-per-process'],
    }),
});

/** The strictest Content-Security-Policy under which the bell works. */
const strictPolicy = `default-src 'none'; script-src ${service} 'nonce-host'; style-src 'nonce-host'; frame-src ${service}`;

const bellIn = (page: Page): FrameLocator => page.frameLocator('staff-notifications iframe');
const bell = (page: Page, unread?: number) =>
  bellIn(page).getByRole('button', { name: unread ? `Notifikasi, ${unread} belum dibaca` : /^Notifikasi,/ });
const bellTones = (page: Page) =>
  bellIn(page)
    .locator('body')
    .evaluate(() => (window as unknown as { tones: number }).tones);
const frameSize = async (page: Page) => {
  const { width = 0, height = 0 } = (await page.locator('staff-notifications iframe').boundingBox()) ?? {};
  return [width, height];
};
const soundOn = (page: Page) => expect(bellIn(page).locator('[data-sound=on]')).toBeAttached(within20s);

async function press(page: Page): Promise<void> {
  await bell(page).click();
  await soundOn(page);
  await bell(page).click();
}

async function expectRing(page: Page, send: Abilities['send']): Promise<void> {
  await send({ judul: 'Barang datang' });
  await expect(bellIn(page).locator('[data-pop-up]').filter({ hasText: 'Barang datang' })).toBeVisible(within20s);
  await expect.poll(() => bellTones(page)).toBe(2);
}

/** Signs an employee in for the bell of a page of another site, from its panel. */
async function signInInWindow(page: Page, username: string): Promise<Page> {
  await openPanel(page);
  const window = await pressSignIn(page);
  const form = window.locator('html[data-ready] [name=username]');
  const press = window.getByRole('button', { name: 'Sambungkan lonceng' });
  await form.or(press).waitFor(within20s);
  if (await form.isVisible()) await submitAccount(window, username);
  if (!page.url().startsWith(service)) await press.click();
  return window;
}

async function connect(page: Page, username: string): Promise<void> {
  await signInInWindow(page, username);
  await bellIn(page).locator('[data-sound]').waitFor({ state: 'attached' });
}

test('on a sister host it counts, rings, pops up and reads', async ({ page, company, send, signInAsEmployee }) => {
  await using host = await openHostPage({ company });
  const tones = await countTones(page);
  await signInAsEmployee(page);
  await expectSoundOn(page);
  await send({ judul: 'Sebelumnya', isi: 'Rak 7 kosong.' });
  await expect.poll(tones, within20s).toBe(2);
  await page.goto(host.sister);
  await readyBell(page);
  await expect(bell(page, 1)).toBeVisible();
  expect(await frameSize(page)).toEqual([44, 44]);
  expect(await page.evaluate(() => document.querySelector('h1')?.getBoundingClientRect().top)).toBeLessThan(100);

  await bell(page).click();
  await soundOn(page);
  const row = bellIn(page).locator('[data-no]');
  await row.filter({ hasText: 'Sebelumnya' }).locator('summary').click();
  await expect(row.getByRole('paragraph').filter({ hasText: 'Rak 7 kosong.' })).toBeVisible();
  await expect(bell(page)).toHaveAccessibleName('Notifikasi, semua sudah dibaca');
  await page.locator('h1').click();
  await expect.poll(() => frameSize(page)).toEqual([44, 44]);

  await expectRing(page, send);
  expect(await tones().catch(() => 0)).toBe(0);
  await expect(page.locator('html')).toHaveAttribute('data-events', 'count 1, open 1, count 0, open 0, count 1');
  const link = bellIn(page).locator('a[target=_blank]').first();
  await expect(link).toHaveAttribute('href', /^\/portal\/notifications\/\d+$/);
});

test('in a page of another site the person signs in in a window', async ({ page, company, send }) => {
  await using host = await openHostPage({ company, headers: { 'Content-Security-Policy': strictPolicy } });
  const username = await company.giveAccount(await company.hire());
  await countTones(page);
  await page.goto(host.foreign);
  await connect(page, username);
  // No address of a frame contains the ticket.
  for (const frame of page.frames()) expect(new URL(frame.url()).search).not.toMatch(/ticket|token/);
  await press(page);
  await expectRing(page, send);
  await expect(bell(page, 1)).toBeVisible();

  // A session that ends takes the bell's along.
  await sql()`delete from sessions where company_id = ${company.owner.companyId}`;
  await page.reload();
  await openPanel(page);
  await expect(bell(page)).toHaveAccessibleName('Notifikasi, masuk dulu');
  await expect(bellIn(page).getByRole('button', { name: 'Masuk', exact: true })).toBeVisible();
});

test('a press or a key around it turns its sound on (X32)', async ({ page, context, company, signIn, send }) => {
  await using host = await openHostPage({
    company,
    body: '<header><staff-notifications></staff-notifications></header><h1>Stok gudang</h1><input>',
  });
  const employee = await company.hire();
  await signIn(page, await company.giveAccount(employee));
  await page.close();
  // Evaluating counts as a press, so nothing is evaluated in the tab and the service is asked.
  const heard = async () => {
    const [visit] = await sql()`
      select sound from portals where company_id = ${employee.companyId} and employee_id = ${employee.employeeId}
      order by seen_at desc limit 1`;
    return visit?.sound;
  };
  for (const act of [(tab: Page) => tab.mouse.click(40, 100), (tab: Page) => tab.keyboard.press('a')]) {
    // A tab of its own: Chromium keeps a press over navigations.
    const tab = await context.newPage();
    await tab.goto(host.sister);
    await expect.poll(heard, within20s).toBe('click');
    await act(tab);
    await expect.poll(heard, within20s).toBe('on');
    await tab.close();
  }
  const tab = await context.newPage();
  await countTones(tab);
  await tab.goto(host.sister);
  await readyBell(tab);
  await expect(bell(tab)).toHaveAccessibleName('Notifikasi, semua sudah dibaca. Ketuk sekali agar berbunyi');
  await tab.locator('h1').click();
  await expect(bell(tab)).toHaveAccessibleName('Notifikasi, semua sudah dibaca');
  await send({ judul: 'Barang datang' });
  await expect.poll(() => bellTones(tab), within20s).toBe(2);
});

const corners = ['top', 'bottom'].flatMap((y) => ['left', 'right'].map((x) => `${y}: 12px; ${x}: 12px`));

test('in each corner all of the panel opens in the window', async ({ page, company, send, signInAsEmployee }) => {
  await signInAsEmployee(page);
  for (let count = 1; count <= 12; count++) await send({ judul: `Kiriman ${count}` });
  for (const corner of corners) {
    await using host = await openHostPage({
      company,
      body: `<div style="position: fixed; ${corner}"><staff-notifications></staff-notifications></div><h1>Stok gudang</h1>`,
    });
    await page.goto(host.sister);
    await readyBell(page);
    const before = await bell(page).boundingBox();
    await bell(page).click();
    await expect.poll(() => frameSize(page), corner).toEqual([380, 580]);
    await expect(bellIn(page).locator('[data-no]')).toHaveCount(12);
    await expect(bellIn(page).locator('[data-no]').first()).toBeInViewport({ ratio: 1 });
    await expect.poll(() => bell(page).boundingBox(), corner).toEqual(before);
    const { x = -1, y = -1 } = (await page.locator('staff-notifications iframe').boundingBox()) ?? {};
    const { width = 0, height = 0 } = page.viewportSize() ?? {};
    expect([x >= 0, y >= 0, x + 380 <= width, y + 580 <= height], corner).toEqual([true, true, true, true]);
    await page.keyboard.press('Escape');
    await expect.poll(() => bell(page).boundingBox(), corner).toEqual(before);
  }
});

// The longest time that a pop-up stays once it was seen.
const cardMs = 10_000;

for (const [place, isTop] of Object.entries({ 'scrolled away at the top': true, 'low on the page': false }))
  test(`a pop-up of a bell ${place} stays until it was in view`, async ({ page, company, send, signInAsEmployee }) => {
    const parts = ['<staff-notifications></staff-notifications>', '<h1 style="margin: 2000px 0">Stok gudang</h1>'];
    await using host = await openHostPage({ company, body: (isTop ? parts : parts.toReversed()).join('') });
    await page.clock.install();
    await signInAsEmployee(page);
    await page.goto(host.sister);
    await readyBell(page);
    if (isTop) await page.locator('h1').scrollIntoViewIfNeeded();
    await send({ judul: 'Barang datang' });
    const card = bellIn(page).locator('[data-pop-up]');
    await card.waitFor({ state: 'attached', ...within20s });
    await page.clock.fastForward(cardMs + 2000);
    await expect(card).toHaveCount(1);
    expect(await shownAt(company)).toBeNull();
    await page.locator('staff-notifications').scrollIntoViewIfNeeded();
    await expect(card).toBeInViewport({ ratio: 0.9 });
    await expect.poll(() => shownAt(company)).not.toBeNull();
    await page.clock.fastForward(cardMs);
    await expect(card).toHaveCount(0);
  });

// Odoo 17's back office (addons/web/controllers/home.py) and the nginx of Frappe's bench, as these send them.
const serversOfOthers: Record<string, string>[] = [
  { 'X-Content-Type-Options': 'nosniff', 'X-Frame-Options': 'DENY' },
  {
    'X-Frame-Options': 'SAMEORIGIN',
    'Strict-Transport-Security': 'max-age=63072000; includeSubDomains; preload',
    'X-Content-Type-Options': 'nosniff',
    'X-XSS-Protection': '1; mode=block',
    'Referrer-Policy': 'same-origin, strict-origin-when-cross-origin',
  },
];

test('with the headers of Odoo, Frappe and ERPNext it works', async ({ page, company, send, signInAsEmployee }) => {
  await signInAsEmployee(page);
  await send({ judul: 'Barang datang' });
  for (const headers of serversOfOthers) {
    await using host = await openHostPage({ company, headers, body: '<ul></ul><h1>Stok gudang</h1>' });
    await page.goto(host.sister);
    await page.evaluate(() => {
      const item = document.createElement('li');
      item.innerHTML = '<staff-notifications size="32"></staff-notifications>';
      document.querySelector('ul')?.prepend(item);
    });
    // Before its scripts have come, a press does nothing.
    await readyBell(page);
    await bell(page, 1).click();
    await expect(bellIn(page).locator('[data-no]').filter({ hasText: 'Barang datang' })).toBeVisible();
  }
});

for (const policy of ['require-corp', 'credentialless'])
  test(`cut off from its windows, with ${policy}, it signs in and rings`, async ({ page, company, send }) => {
    await using host = await openHostPage({
      company,
      headers: { 'Cross-Origin-Embedder-Policy': policy, 'Cross-Origin-Opener-Policy': 'same-origin' },
    });
    await countTones(page);
    await page.goto(host.foreign);
    expect(await page.evaluate('crossOriginIsolated')).toBe(true);
    // The window cannot reach the frame, so the person carries a code.
    const username = await company.giveAccount(await company.hire());
    const window = await signInInWindow(page, username);
    const code = await window.locator('[data-bell-code]').textContent();
    expect(code).toMatch(/^[a-z2-9]{8}$/);
    await bellIn(page).getByLabel('Kode dari jendela tadi').fill(` ${code?.toUpperCase()} `);
    await bellIn(page).getByRole('button', { name: 'Sambungkan lonceng' }).click();
    await bellIn(page).locator('[data-sound]').waitFor({ state: 'attached' });
    await press(page);
    await expectRing(page, send);
  });

test('in the example of the service, which no company lists, a person signs in', async ({ company, context }) => {
  const example = await context.newPage();
  await example.goto('/bell-example.html');
  await connect(example, await company.giveAccount(await company.hire()));
  await openPanel(example);
  await expect(bellIn(example).getByText('Belum ada notifikasi.')).toBeVisible();
});

test('beside a portal that rings, another site’s bell is silent (X31)', async ({ page, company, signIn, send }) => {
  await using host = await openHostPage({ company });
  const username = await company.giveAccount(await company.hire());
  const portal = await page.context().newPage();
  const portalTones = await countTones(portal);
  await signIn(portal, username);
  await expectSoundOn(portal);
  await countTones(page);
  await page.goto(host.foreign);
  await connect(page, username);
  await bell(page).click();
  await soundOn(page);
  await send({ judul: 'Satu bunyi' });
  await expect(bell(page, 1)).toBeVisible(within20s);
  await expect.poll(portalTones).toBe(2);
  await expectNoMoreTones(portal);
  expect(await bellTones(page)).toBe(0);
  await portal.close();
  await send({ judul: 'Bunyi di sini' });
  await expect.poll(() => bellTones(page), within20s).toBe(2);
});

test('keys open and close the bell, and its pop-ups pass axe', async ({ page, send, signInAsEmployee }) => {
  await signInAsEmployee(page);
  await send({ judul: 'Sebelumnya', isi: 'Rak 7 kosong.' });
  await page.goto(`${service}/embed`);
  const button = page.getByRole('button', { name: /^Notifikasi,/ });
  await button.focus();
  await page.keyboard.press('Enter');
  await expect(page.locator('[data-no]')).toHaveCount(1);
  await page.locator('summary').press('Enter');
  await page.keyboard.press('Escape');
  await expect(button).toBeFocused();
  await expect(button).toHaveAttribute('aria-expanded', 'false');
  await send({ judul: 'Barang datang' });
  await expect(page.locator('[data-pop-up]')).toHaveCount(1, within20s);
  await check(page, 'a pop-up');
});
