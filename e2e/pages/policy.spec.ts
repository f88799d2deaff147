import { expect, test } from '#e2e/support/browser/browser.ts';
import { consoleProblems } from '#e2e/support/browser/console-problems.ts';

test('injected scripts, handlers, styles, frames and base addresses have no effect (T4)', async ({ page }) => {
  const planted = [
    '<script>window.planted = 1</script>',
    '<img src="/none.png" onerror="window.planted = 2">',
    '<script src="https://evil.example/x.js"></script>',
    '<style>body { --planted: 3 }</style>',
    '<base href="https://evil.example/">',
    '<iframe src="/login"></iframe>',
    '<object data="/login"></object>',
  ];
  await page.route('/login', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({
      response: answer,
      body: (await answer.text()).replace('</body>', `${planted.join('')}</body>`),
    });
  });
  const asked: string[] = [];
  await page.route('https://evil.example/**', (route) => {
    asked.push(route.request().url());
    return route.fulfill({ contentType: 'text/javascript', body: 'window.planted = 4' });
  });
  await page.goto('/login');
  const found = await page.evaluate(() => ({
    run: 'planted' in window,
    styled: getComputedStyle(document.body).getPropertyValue('--planted'),
    base: document.baseURI,
  }));
  expect(found).toEqual({ run: false, styled: '', base: page.url() });
  expect(asked).toEqual([]);
  // Every browser test fails on such consoleProblems, so this one proves that they arrive.
  expect(consoleProblems.length).toBeGreaterThanOrEqual(planted.length - 1);
  consoleProblems.length = 0;
});

test('after a sign-out, back and forward show nothing of the session', async ({ page, company, signIn }) => {
  const employee = await company.hire('Karyawan Rahasia');
  await signIn(page, company.username, `/owner/employees/${employee.employeeId}`);
  await page.goto('/owner/employees');
  await expect(page.getByText('Karyawan Rahasia').first()).toBeVisible();
  await page.getByRole('button', { name: /^Akun/ }).click();
  await page.getByRole('button', { name: 'Keluar', exact: true }).click();
  await page.waitForURL('/login');
  for (const step of ['goBack', 'goBack', 'goForward'] as const) {
    await page[step]();
    await expect(page.locator('[name=username]')).toBeVisible();
    await expect(page.getByText('Karyawan Rahasia')).toHaveCount(0);
  }
});
