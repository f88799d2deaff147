import { expect, test } from '#e2e/support/browser/browser.ts';

test('a browser with 20 kB of cookies gets a page in its language that says what to delete', async ({
  context,
  baseURL,
}) => {
  // Not a page of ours, which would tell when it is ready.
  const page = await context.newPage();
  const url = String(baseURL);
  await context.addCookies(
    Array.from({ length: 5 }, (_, index) => ({ name: `c${index}`, value: 'x'.repeat(4000), url })),
  );
  const response = await page.goto('/login');
  expect([response?.status(), response?.headers()['content-type']]).toEqual([431, 'text/html; charset=utf-8']);
  await expect(page.getByText('hapus cookie alamat ini')).toBeVisible();
  await context.clearCookies();
  await page.reload();
  await expect(page.getByRole('button', { name: 'Masuk', exact: true })).toBeVisible();
});
