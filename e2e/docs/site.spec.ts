import { listSmallTargets } from '#e2e/support/browser/accessible.ts';
import { expect, test } from '#e2e/support/browser/browser.ts';
import { printed } from '#e2e/support/http/printed.ts';

const pages = ['', '/recipes', '/recipes/php', '/recipes/erp', '/errors', '/reference', '/bell'];

test('the documentation loads from this host only and sets no cookie', async ({ page, context, baseURL }) => {
  const hosts = new Set<string>();
  page.on('request', (request) => {
    if (!/^(data|blob):/.test(request.url())) hosts.add(new URL(request.url()).origin);
  });
  for (const path of pages) await page.goto(`/docs${path}`);
  expect([...hosts]).toEqual([baseURL]);
  expect(await context.cookies()).toEqual([]);
});

test('the copy button copies a program as printed, by keyboard too, and says so', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/docs/recipes/php');
  const [first] = (await printed('recipes/php', 'id')).filter(({ file }) => file === 'notif.php');
  await page.getByRole('button', { name: 'Salin notif.php' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.locator('.docs-said')).toHaveText('Tersalin');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(first?.text);
});

test('without a clipboard the program is selected and the reader learns which keys to press', async ({ page }) => {
  await page.addInitScript(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
  await page.goto('/docs/recipes');
  const [first] = await printed('recipes', 'id');
  await page.getByRole('button', { name: 'Salin kode 1' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Ctrl+C' })).toBeVisible();
  expect(await page.evaluate(() => getSelection()?.toString().trim())).toBe(first?.text);
});

test('the search finds words and codes and links to them', async ({ page }) => {
  await page.goto('/docs');
  const field = page.getByRole('searchbox');
  await field.fill('key_rejected');
  await field.press('Enter');
  await expect(page).toHaveURL(/\/docs\/search\?q=key_rejected$/);
  await page.getByRole('link', { name: /^key_rejected/ }).click();
  await expect(page).toHaveURL(/\/docs\/errors#key_rejected$/);
  await expect(page.locator('#key_rejected')).toBeInViewport();
  await page.goto('/docs/search?q=xyzxyzxyz');
  await expect(page.getByText('Tidak ada hasil')).toBeVisible();
  await page.goto('/docs/search?q=%3Cb%3Ekunci');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Hasil untuk <b>kunci');
});

test('the address, else the reader’s choice, else the browser says the language of every page', async ({ page }) => {
  await page.goto('/docs');
  await expect(page.locator('html')).toHaveAttribute('lang', 'id');
  await page.getByRole('radio', { name: 'EN' }).click({ force: true });
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Quick start');
  await page.getByRole('navigation', { name: 'Contents' }).getByRole('link', { name: 'Limits' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Limits');
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
  await page.context().clearCookies();
  for (const path of ['/docs/send?lang=en', '/login?lang=en', '/docs/search?q=jadwal&lang=en']) {
    await page.goto(path);
    await expect(page.locator('html')).toHaveAttribute('lang', 'en');
  }
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Results/);
  await page.getByRole('radio', { name: 'ID' }).click({ force: true });
  await expect(page.locator('html')).toHaveAttribute('lang', 'id');
  await expect(page).toHaveURL(/\/docs\/search\?q=jadwal$/);
});

test('on a phone a link leads to the contents; targets are at least 44 px high', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto('/docs/recipes/php');
  const contents = page.getByRole('navigation', { name: 'Isi dokumentasi' });
  await expect(contents).not.toBeInViewport();
  await page.getByRole('link', { name: 'Daftar isi' }).press('Enter');
  await expect(contents).toBeInViewport();
  expect((await listSmallTargets(page)).filter(({ name }) => name !== 'php')).toEqual([]);
});

test('the reference can be read without JavaScript', async ({ browser, baseURL }) => {
  const context = await browser.newContext({ baseURL, javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto('/docs/reference');
  await expect(page.getByRole('cell', { name: 'judul' }).first()).toBeVisible();
  await context.close();
});

test('a printed page has whole programs, without menus and buttons', async ({ page }) => {
  await page.goto('/docs/recipes/php');
  await page.emulateMedia({ media: 'print' });
  for (const part of ['header', 'nav', '[data-copy]']) await expect(page.locator(part).first()).toBeHidden();
  const [first] = (await printed('recipes/php', 'id')).filter(({ file }) => file === 'notif.php');
  expect(await page.locator('pre').allTextContents()).toContain(first?.text);
  const isWhole = (all: Element[]) => all.every((one) => one.scrollWidth <= one.clientWidth + 1);
  expect(await page.locator('pre').evaluateAll(isWhole)).toBe(true);
});

test('sign-in, error page, owner menu and keys link to the documentation', async ({ page, company, signIn }) => {
  for (const path of ['/login', '/nothing-here']) {
    await page.goto(path);
    await expect(page.getByRole('link', { name: 'Baca dokumentasi' })).toHaveAttribute('href', '/docs');
  }
  await company.newKey();
  await signIn(page, company.username, '/owner/keys');
  for (const name of ['Dokumentasi (buka di tab baru)', 'Dokumentasi untuk yang memakai kunci (buka di tab baru)']) {
    const link = page.getByRole('link', { name });
    await expect(link).toHaveAttribute('href', '/docs');
    await expect(link).toHaveAttribute('target', '_blank');
  }
});
