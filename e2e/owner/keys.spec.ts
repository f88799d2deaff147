import { execFileSync } from 'node:child_process';
import { expect, steady, test } from '#e2e/fixtures/browser.ts';

async function createKey(page: import('playwright/test').Page, name: string): Promise<{ key: string; curl: string }> {
  await page.getByRole('button', { name: 'Buat kunci' }).click();
  await page.getByRole('textbox', { name: 'Nama kunci' }).fill(name);
  await page.getByRole('dialog').getByRole('button', { name: 'Buat kunci' }).click();
  const key = await page.getByRole('textbox', { name: 'Kunci API' }).inputValue();
  const curl = await page.getByRole('textbox', { name: 'Kirim notifikasi pertama dengan curl' }).inputValue();
  return { key, curl };
}

test('a key is shown once, with copy and a curl that works as pasted; the list never shows it again', async ({
  page,
  context,
  company,
  signIn,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await company.hire();
  await signIn(page, company.username);
  await page.goto('/owner/keys');
  await expect(page.getByText('Belum ada kunci API')).toBeVisible();
  const { key, curl } = await createKey(page, 'n8n gaji');
  expect(key).toMatch(/^jss_[0-9A-Za-z]{64}$/);

  await page.getByRole('button', { name: 'Salin kunci' }).click();
  await expect(page.getByRole('button', { name: 'Tersalin' })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key);
  expect(
    JSON.parse(execFileSync('sh', ['-c', curl], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })),
  ).toEqual({ ok: true, terkirim: 1 });

  await page.keyboard.press('Escape');
  await page.mouse.click(5, 5);
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.getByRole('button', { name: 'Saya sudah menyimpan kunci' }).click();
  const row = page.locator('[data-key="n8n gaji"]');
  await expect(row).toContainText(/[0-9a-f]{8}/);
  await expect(row).toContainText('Aktif');
  await expect(row).not.toContainText('Belum pernah dipakai');
  await page.reload();
  expect(await page.content()).not.toContain(key.slice(4, 30));
});

test('a key without a name, with a name of 61 characters or a taken one is refused with a sentence', async ({
  page,
  company,
  signIn,
}) => {
  await company.newKey('sudah ada');
  await signIn(page, company.username);
  await page.goto('/owner/keys');
  await page.getByRole('button', { name: 'Buat kunci' }).click();
  const submit = page.getByRole('dialog').getByRole('button', { name: 'Buat kunci' });
  const name = page.getByRole('textbox', { name: 'Nama kunci' });
  for (const [typed, sentence] of [
    ['   ', 'Wajib diisi'],
    ['x'.repeat(61), 'Terlalu panjang'],
    [' sudah ada ', 'Sudah ada kunci aktif dengan nama ini'],
  ] as const) {
    await name.fill(typed);
    await submit.click();
    await expect(page.getByText(sentence)).toBeVisible();
    await expect(name).toHaveAttribute('aria-invalid', 'true');
    await expect(name).toHaveValue(typed);
  }
});

test('revoking says what will happen, and then it has happened', async ({ page, company, signIn, baseURL }) => {
  const key = await company.newKey('skrip lama');
  const ping = async () =>
    (await fetch(`${baseURL}/api/v1/notif.php?aksi=ping`, { headers: { 'X-API-Key': key } })).status;
  await signIn(page, company.username);
  await page.goto('/owner/keys');
  await page.getByRole('button', { name: 'Cabut kunci skrip lama' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('Permintaan berikutnya dengan kunci ini langsung ditolak (401)');
  await expect(dialog).toContainText('belum pernah dipakai');
  await expect(dialog.getByRole('button', { name: 'Batal' })).toBeFocused();
  await dialog.getByRole('button', { name: 'Batal' }).click();
  expect(await ping()).toBe(200);
  await page.getByRole('button', { name: 'Cabut kunci skrip lama' }).click();
  await dialog.getByRole('button', { name: 'Cabut', exact: true }).click();
  await expect(page.locator('[data-key="skrip lama"]')).toContainText('Dicabut');
  expect(await ping()).toBe(401);
});

test('only the owner reaches the management area', async ({ page, browser, baseURL, signInAsEmployee }) => {
  await signInAsEmployee(page);
  for (const path of ['/owner', '/owner/keys', '/owner/employees', '/owner/audit', '/owner/settings']) {
    await page.goto(path);
    await expect(page).toHaveURL('/portal');
    const stranger = steady(await (await browser.newContext({ baseURL })).newPage());
    await stranger.goto(path);
    await expect(stranger).toHaveURL(/\/login\?returnTo=%2Fowner/);
    await stranger.close();
  }
});
