import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright/test';
import { type Abilities, expect, heldBar, steady, submitAccount, test } from '#e2e/support/browser/browser.ts';
import { composer, write } from '#e2e/support/browser/owner-pages.ts';
import { expectSoundOn } from '#e2e/support/browser/portal-pages.ts';
import { makeCompany, password } from '#e2e/support/data/company.ts';
import { authenticatePassword } from '#server/accounts/sign-in/sign-in.ts';
import { acceptLink } from '#server/employees/personal-links.ts';
import { listHeld } from '#server/sends/planned/planned-sends.ts';

test('without scripts the form signs in; no address has a password', async ({ company, browser, baseURL }) => {
  // Not by `visit`, which waits for scripts.
  const page = await browser.newPage({ baseURL, javaScriptEnabled: false, locale: 'id-ID' });
  const addresses: string[] = [];
  page.on('request', (request) => addresses.push(request.url()));
  await page.goto('/login?returnTo=/owner/keys');
  await submitAccount(page, company.username, 'sandi-salah');
  await expect(page.getByText('Nama pengguna atau kata sandi salah, atau akun tidak aktif.')).toBeVisible();
  await expect(page).toHaveURL('/login?problem=wrong-password&returnTo=%2Fowner%2Fkeys');
  await submitAccount(page, company.username);
  await expect(page).toHaveURL('/owner/keys');
  expect(addresses.filter((one) => one.includes('sandi'))).toEqual([]);
  await page.getByRole('button', { name: 'Keluar' }).click();
  await expect(page).toHaveURL('/login');
  const returnTo = new URLSearchParams({ returnTo: '/owner/audit?q=é#日' });
  await page.goto(`/login?${returnTo}`);
  await submitAccount(page, company.username);
  await expect(page).toHaveURL('/owner/audit?q=%C3%A9#%E6%97%A5');
  await page.goto(`/login/second-factor?${returnTo}`);
  await expect(page, 'who is signed in already').toHaveURL('/owner/audit?q=%C3%A9#%E6%97%A5');

  expect((await page.goto('/tidak-ada'))?.status()).toBe(404);
  await expect(page.getByRole('heading', { name: 'Halaman tidak ditemukan' })).toBeVisible();
  const invited = await company.invite(await company.hire());
  for (const path of ['/setup', `/invite/${invited}`, '/owner/settings']) {
    await page.goto(path);
    await expect(page.locator('form:has([type=password])')).toHaveAttribute('method', 'post');
    await expect(page.locator('form:has([type=password]) [type=submit]').last()).toBeDisabled();
  }
  await page.close();
});

for (const javaScriptEnabled of [true, false])
  test(`without cookies the sign-in says so, scripts: ${javaScriptEnabled}`, async ({ company, browser, baseURL }) => {
    const page = await browser.newPage({ baseURL, javaScriptEnabled, locale: 'id-ID' });
    // Not by `route.fetch`, which keeps the cookies for the page.
    await page.route('**/api/auth/sign-in', async (route) => {
      const sent = route.request();
      const request = { method: 'POST', headers: sent.headers(), body: sent.postData(), redirect: 'manual' } as const;
      const answer = await fetch(sent.url(), request);
      const location = answer.headers.get('location');
      await route.fulfill({ status: answer.status, headers: location ? { location } : {} });
    });
    await page.goto('/login?returnTo=/owner/keys');
    if (javaScriptEnabled) await page.locator('html[data-ready]').waitFor({ state: 'attached' });
    await submitAccount(page, company.username);
    await expect(page.getByText(/^Browser Anda tidak menyimpan cookie/)).toBeVisible();
    await expect(page).toHaveURL(/\/login\?/);
    await page.close();
  });

test('a browser with 20 kB of cookies gets a page that says what to delete', async ({ context, baseURL }) => {
  // Not a page of ours, which would tell when it is ready.
  const page = await context.newPage();
  const url = String(baseURL);
  await context.addCookies(Array.from({ length: 5 }, (_, at) => ({ name: `c${at}`, value: 'x'.repeat(4000), url })));
  const response = await page.goto('/login');
  expect([response?.status(), response?.headers()['content-type']]).toEqual([431, 'text/html; charset=utf-8']);
  await expect(page.getByText('hapus cookie alamat ini')).toBeVisible();
  await context.clearCookies();
  await page.reload();
  await expect(page.getByRole('button', { name: 'Masuk', exact: true })).toBeVisible();
});

test('after 10 failures the page says how long to wait', async ({ page, company }) => {
  const fail = () => authenticatePassword(company.username, 'salah', '127.0.0.1');
  await Promise.all(Array.from({ length: 10 }, fail));
  await page.goto('/login');
  await submitAccount(page, company.username);
  await expect(page.getByText('Terlalu banyak percobaan yang gagal. Coba lagi dalam 15 menit.')).toBeVisible();
});

test('an invitation that was used leads to the sign-in with the name', async ({ company, page }) => {
  const token = await company.invite(await company.hire());
  const username = `nama-${randomUUID()}`;
  await acceptLink(token, username, password);
  await page.goto(`/invite/${token}`);
  await expect(page.getByRole('heading', { name: 'Anda sudah punya akun' })).toBeVisible();
  await expect(page.locator('[name=username]')).toHaveValue(username);
  await page.locator('[name=password]').fill(password);
  await page.locator('button[type=submit]').click();
  await expect(page).toHaveURL('/portal/notifications');
  // The press on the button counts for the page that follows.
  await expectSoundOn(page);
  await page.goto(`/invite/${token}`);
  await expect(page).toHaveURL('/portal/notifications');
});

test('a sign-out that fails shows an error', async ({ openOwner }) => {
  const page = await openOwner();
  await page.getByRole('button', { name: /^Akun/ }).click();
  const leave = page.getByRole('button', { name: 'Keluar', exact: true });
  await expect(leave).toBeVisible();
  await page.route('**/api/auth/sign-out', (route) => route.abort());
  await leave.click();
  await expect(page.getByRole('dialog').getByRole('alert')).toBeVisible();
  await expect(page).toHaveURL('/owner');
  await page.unroute('**/api/auth/sign-out');
  await leave.click();
  await page.waitForURL('/login');
});

test('the language follows the browser until the person chooses', async ({ company, signIn, visit }) => {
  const page = await visit({ locale: 'en-GB' });
  await page.goto('/login');
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
  await signIn(page, company.username);
  await page.getByText('ID', { exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Mulai' })).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('lang', 'id');
  const other = await visit({ locale: 'en-GB' });
  await signIn(other, company.username);
  await expect(other.getByRole('heading', { name: 'Mulai' })).toBeVisible();
});

// Writes a message as an owner, and presses "Kirim" after the session has ended.
async function sendWithoutSession({ company, openOwner }: Pick<Abilities, 'company' | 'openOwner'>): Promise<Page> {
  await company.hire();
  const page = await openOwner('/owner/sends/new');
  await write(page, 'Rapat jam empat', 'Di ruang atas.');
  await page.context().clearCookies();
  await composer(page).submit.click();
  await expect(page.getByRole('dialog', { name: 'Masuk lagi' })).toContainText('Yang sudah Anda tulis tetap ada');
  return page;
}

test('a session ends while an owner writes: they sign in, and it goes on', async ({ page, company, openOwner }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await sendWithoutSession({ company, openOwner });
  await page.keyboard.press('Escape');
  // The next person at this computer must not read it.
  await expect(composer(page).body).toBeHidden();
  await page.getByRole('button', { name: 'Masuk', exact: true }).click();
  await submitAccount(page, company.username, 'sandi-salah');
  await expect(page.getByRole('dialog')).toContainText('Nama pengguna atau kata sandi salah');
  await submitAccount(page, company.username);
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(composer(page).body).toHaveValue('Di ruang atas.');
  await composer(page).submit.click();
  await expect(heldBar(page)).toContainText('Rapat jam empat');
});

test('a sign-in in a new tab goes on in the page whose session ended', async ({ context, company, openOwner }) => {
  const page = await sendWithoutSession({ company, openOwner });
  const opened = context.waitForEvent('page');
  await page.getByRole('link', { name: 'Cara masuk lain' }).click();
  const tab = steady(await opened);
  await submitAccount(tab, company.username);
  await expect(tab).toHaveURL('/owner');
  await tab.close();
  await page.evaluate(() => dispatchEvent(new Event('focus')));
  await expect(heldBar(page)).toContainText('Rapat jam empat');
});

test('who signs in over a page sends nothing that another wrote', async ({ company, openOwner }) => {
  const other = await makeCompany();
  await other.hire();
  const page = await sendWithoutSession({ company, openOwner });
  const loaded = page.waitForEvent('load');
  await submitAccount(page, other.username);
  await loaded;
  await expect(composer(page).title).toHaveValue('');
  for (const { owner } of [company, other]) expect((await listHeld(owner, [])).length).toBe(0);
});

test('dates have the day first; on a phone the tabs are in one line', async ({ page, company, signIn }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await signIn(page, company.username, '/owner/audit');
  const tops = await page
    .locator('.link-tabs a')
    .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
  expect(new Set(tops).size).toBe(1);
  const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'Asia/Jakarta' });
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.getByText('EN', { exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Audit log' })).toBeVisible();
  await expect(page.locator('time').first()).toContainText(day.format(new Date()));
});
