import { expect, test } from '#e2e/support/browser/browser.ts';
import { ageProof } from '#e2e/support/browser/owner-pages.ts';
import { must, password } from '#e2e/support/data/company.ts';
import { startOidcProvider, type TestProvider } from '#e2e/support/service/oidc-provider.ts';
import { freePort, type Service, startOrExplain } from '#e2e/support/service/service.ts';
import { inviteOwner } from '#server/accounts/owners/owner-links.ts';

let service: Service;
let provider: TestProvider;

test.beforeAll(async () => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  provider = await startOidcProvider(url);
  service = await startOrExplain({
    ...{ DATABASE_URL: process.env.DATABASE_URL, AUTH_SECRET: process.env.AUTH_SECRET, HOST: '127.0.0.1' },
    ...{ PORT: String(port), APP_URL: url, OIDC_PROVIDERS: provider.setting },
  });
});
test.afterAll(async () => {
  await service.stop();
  await provider.stop();
});

for (const width of [360, 1280])
  test(`a person connects a provider, proves who they are with it, and signs in at ${width} px`, async ({
    company,
    visit,
  }) => {
    provider.person = { subject: company.username };
    const page = await visit({ baseURL: service.url, viewport: { width, height: 800 } });
    const isNarrow = () => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
    await page.goto('/login?returnTo=/owner/settings');
    await page.locator('[name=username]').fill(company.username);
    await page.locator('[name=password]').fill(password);
    await page.getByRole('button', { name: 'Masuk', exact: true }).click();
    await page.getByRole('button', { name: 'Sambungkan Perusahaan SSO' }).click();
    await expect(page.locator('[data-label]')).toHaveText(`${company.username}@sso.test`);
    expect(await isNarrow()).toBe(true);
    await page.getByRole('button', { name: 'Ya, lanjutkan' }).click();
    await expect(page.getByText('Tersambung. Mulai sekarang Anda bisa masuk dengannya.')).toBeVisible();
    await expect(page.locator('html[data-ready]')).toBeAttached();
    await expect(page.locator('[data-identity]')).toContainText(`${company.username}@sso.test`);
    expect(await isNarrow()).toBe(true);

    await ageProof(company, 11);
    await page.getByRole('button', { name: 'Putuskan Perusahaan SSO' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Putuskan' }).click();
    provider.person = { subject: `${company.username}-lain` };
    await page.context().clearCookies({ domain: new URL(provider.issuer).hostname, name: /^_/ });
    await page.getByRole('button', { name: 'Konfirmasi dengan Perusahaan SSO' }).click();
    await expect(page).toHaveURL(/\/owner\/settings\?.*proof=other-identity/);
    await expect(dialog.getByText('Itu bukan akun yang Anda sambungkan di sini.')).toBeVisible();
    provider.person = { subject: company.username };
    await page.getByRole('button', { name: 'Konfirmasi dengan Perusahaan SSO' }).click();
    await expect(page).not.toHaveURL(/proof=/);
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await page.goto('/owner/settings/access');
    await page.getByLabel('Semua orang masuk dengan').selectOption({ label: 'Perusahaan SSO saja' });
    await page.getByRole('region', { name: 'Cara masuk' }).getByRole('button', { name: 'Simpan' }).click();
    await expect(page.getByText('Tersimpan')).toBeVisible();

    await page.context().clearCookies({ domain: '127.0.0.1' });
    await page.goto('/login?returnTo=/owner/settings');
    expect(await isNarrow()).toBe(true);
    await page.getByRole('button', { name: 'Masuk dengan Perusahaan SSO' }).click();
    await expect(page).toHaveURL('/owner/settings');
  });

test('the button of a provider accepts an invitation and an owner’s link, with and without scripts', async ({
  company,
  browser,
}) => {
  const tokens = [
    await company.invite(await company.hire('Karyawan Undangan')),
    await company.invite(await company.hire('Karyawan Tanpa Skrip')),
    must(await inviteOwner(company.owner, 'Pemilik Undangan')).token,
  ];
  for (const [index, token] of tokens.entries()) {
    provider.person = { subject: `${company.username}-${index}` };
    const page = await browser.newPage({ baseURL: service.url, javaScriptEnabled: index !== 1, locale: 'id-ID' });
    await page.goto(`/invite/${token}`);
    await page.getByRole('button', { name: 'Lanjut dengan Perusahaan SSO' }).click();
    await page.getByRole('button', { name: 'Ya, lanjutkan' }).click();
    await expect(page).toHaveURL(/\/(owner|portal)/);
    await page.close();
  }
});

test('without scripts an unknown person reads what to do', async ({ browser }) => {
  provider.person = { subject: 'orang tak dikenal' };
  const page = await browser.newPage({ baseURL: service.url, javaScriptEnabled: false, locale: 'id-ID' });
  await page.goto('/login');
  await page.getByRole('button', { name: 'Masuk dengan Perusahaan SSO' }).click();
  await expect(page.getByText('Belum ada akun di sini yang tersambung dengan ini.')).toBeVisible();
  await page.close();
});
