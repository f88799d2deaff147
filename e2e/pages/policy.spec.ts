import { expect, popUps, test, within20s } from '#e2e/fixtures/browser.ts';
import { reports } from '#e2e/fixtures/policy.ts';

test('T4: what is planted in a page does not run: script, handler of an event, foreign script, style, address of the page', async ({
  page,
}) => {
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
  // What every browser test is held to: without it this one would be in vain.
  expect(reports.length).toBeGreaterThanOrEqual(planted.length - 1);
  reports.length = 0;
});

test('no page of another site can show ours in a frame', async ({ page, baseURL }) => {
  const evil = 'http://evil.example/';
  await page.route(evil, (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<html data-ready><iframe src="${baseURL}/login"></iframe></html>`,
    }),
  );
  await page.goto(evil);
  const frame = page.frames().at(-1);
  await expect.poll(() => frame?.url()).toBe('chrome-error://chromewebdata/');
  reports.length = 0;
});

test('after a sign-out the browser shows nothing of before, by back and forward either', async ({
  page,
  company,
  signIn,
}) => {
  const employee = await company.hire('Karyawan Rahasia');
  await signIn(page, company.username);
  await page.goto(`/owner/employees/${employee.employeeId}`);
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

test('T4: hostile texts of the interface are shown as they are, in pop-up, inbox and the owner’s pages', async ({
  page,
  company,
  signInAsEmployee,
  signIn,
  send,
}) => {
  const title = '<img src=x onerror=alert(1)>"><script>alert(2)</script>';
  const body = 'javascript:alert(3) \u202Eterbalik {{7*7}} </style><svg/onload=alert(4)>';
  let alerts = 0;
  page.on('dialog', (dialog) => {
    alerts++;
    void dialog.dismiss();
  });
  await signInAsEmployee(page, '\u202E<b onmouseover=alert(5)>Karyawan');
  await send({ judul: title, isi: body, jenis: 'info' });
  await expect(popUps(page).getByText(title)).toBeVisible(within20s);
  await page.goto('/portal/notifications');
  await expect(page.getByRole('heading', { name: title })).toBeVisible();
  await expect(page.getByText(body).first()).toBeVisible();
  await page.context().clearCookies();
  await signIn(page, company.username);
  const shown = {
    '/owner/sends': title,
    '/owner/audit': title,
    '/owner/employees': '<b onmouseover=alert(5)>Karyawan',
  };
  for (const [path, text] of Object.entries(shown)) {
    await page.goto(path);
    await expect(page.getByText(text).first()).toBeVisible();
  }
  expect(alerts).toBe(0);
});
