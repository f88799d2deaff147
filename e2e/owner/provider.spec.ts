import type { Page } from 'playwright/test';
import { sql } from '#db/client.ts';
import { expect, signOut, submitAccount, test } from '#e2e/support/browser/browser.ts';
import { ageProof } from '#e2e/support/browser/owner-pages.ts';
import { connect, must } from '#e2e/support/data/company.ts';
import { startOidcProvider, type TestProvider } from '#e2e/support/service/oidc-provider.ts';
import { freePort, type Service, startOrExplain, withProviders } from '#e2e/support/service/service.ts';
import { inviteOwner } from '#server/accounts/owners/owner-links.ts';

let service: Service;
let provider: TestProvider;

test.beforeAll(async () => {
  const url = `http://127.0.0.1:${await freePort()}`;
  provider = await startOidcProvider(url);
  service = await startOrExplain(withProviders(url, provider.setting));
});
test.afterAll(async () => {
  await service.stop();
  await provider.stop();
});

const connectAll = (...usernames: string[]) =>
  Promise.all(usernames.map((username) => connect(username, provider.issuer, username)));

async function submitAt(page: Page, username: string, returnTo = '/'): Promise<void> {
  await page.goto(`/login?returnTo=${returnTo}`);
  await submitAccount(page, username);
}

test('a person connects a provider, proves who they are with it, and signs in', async ({ company, visit }) => {
  provider.person = { subject: company.username };
  const page = await visit({ baseURL: service.url, viewport: { width: 360, height: 800 } });
  const isNarrow = () => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
  await submitAt(page, company.username, '/owner/settings');
  await page.getByRole('button', { name: 'Sambungkan Perusahaan SSO' }).click();
  await expect(page.locator('[data-label]')).toHaveText(`${company.username}@sso.test`);
  expect(await isNarrow()).toBe(true);
  await page.getByRole('button', { name: 'Ya, lanjutkan' }).click();
  await expect(page.getByText('Tersambung. Mulai sekarang Anda bisa masuk dengan akun itu.')).toBeVisible();
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

test('the button of a provider accepts links, with and without scripts', async ({ company, browser }) => {
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
    await expect(page.locator('[data-label]')).toHaveText(`${company.username}-${index}@sso.test`);
    const isBound = () => sql()`select from identities where subject = ${`${company.username}-${index}`}`;
    expect(await isBound(), 'before the person has read the name').toEqual([]);
    await page.getByRole('button', { name: 'Ya, lanjutkan' }).click();
    await expect(page).toHaveURL(/\/(owner|portal)/);
    expect(await isBound()).toHaveLength(1);
    await page.close();
  }
  // An unknown person reads what to do, also with the name of an account.
  await sql()`update accounts set username = ${`${company.username}@sso.test`} where username = ${company.username}`;
  provider.person = { subject: company.username };
  const page = await browser.newPage({ baseURL: service.url, javaScriptEnabled: false, locale: 'id-ID' });
  await page.goto('/login');
  await page.getByRole('button', { name: 'Masuk dengan Perusahaan SSO' }).click();
  await expect(page.getByText('Akun itu belum tersambung dengan akun di sini.')).toBeVisible();
});

test('before one is required, settings say who lacks it; passwords lead there', async ({ company, visit }) => {
  const names = ['Agus Tanpa', 'Budi Tanpa', 'Citra Sambung'];
  const people = await Promise.all(names.map((name) => company.hire(name)));
  const [agus = '', budi = '', citra = ''] = await Promise.all(people.map(company.giveAccount));
  await company.hire('Dewi Baru');
  const manager = await company.addManager('Manajer Kunci');
  await connectAll(company.username, citra);
  const page = await visit({ baseURL: service.url });
  await submitAt(page, company.username, '/owner/settings/access');
  const section = page.getByRole('region', { name: 'Cara masuk' });
  await section.getByLabel('Semua orang masuk dengan').selectOption({ label: 'Perusahaan SSO saja' });
  const group = (readiness: string) => section.locator(`[data-readiness=${readiness}]`);
  await expect(group('connects')).toContainText('Belum tersambung: 3');
  await expect(group('connects')).toContainText('Agus Tanpa, Budi Tanpa, Manajer Kunci');
  await expect(group('invited')).toContainText('Dewi Baru');
  await expect(group('connected')).toContainText('Citra Sambung, Pemilik Uji');
  await section.getByRole('button', { name: 'Ingatkan 2 orang' }).click();
  await expect(section.getByText('Terkirim.')).toBeVisible();
  await section.getByRole('button', { name: 'Simpan' }).click();
  await expect(page.getByText('Tersimpan')).toBeVisible();

  const portal = await visit({ baseURL: service.url });
  provider.person = { subject: agus };
  await submitAt(portal, agus, '/portal/notifications');
  await portal.getByRole('button', { name: 'Lanjut dengan Perusahaan SSO' }).click();
  await portal.getByRole('button', { name: 'Ya, lanjutkan' }).click();
  await expect(portal).toHaveURL('/portal/notifications');
  await expect(portal.getByText('Sambungkan Perusahaan SSO').first()).toBeVisible();

  // Who is connected goes to the button, and who uses another account there reads a true sentence.
  const other = await visit({ baseURL: service.url });
  provider.person = { subject: `orang lain-${citra}` };
  await submitAt(other, citra);
  await other.getByRole('button', { name: 'Masuk dengan Perusahaan SSO' }).click();
  await expect(other.getByText(/^Akun itu belum tersambung dengan akun di sini\./)).toBeVisible();

  const { companyId } = company.owner;
  await sql()`update companies set second_factor_from = now() where id = ${companyId}`;
  const refused = await visit({ baseURL: service.url });
  await submitAt(refused, manager.username);
  await expect(refused.getByRole('heading', { name: 'Anda perlu tautan baru' })).toBeVisible();
  await expect(refused.getByRole('button', { name: /Perusahaan SSO/ })).toHaveCount(0);

  await sql()`update companies set only_issuer = 'https://gone.example.com' where id = ${companyId}`;
  const lost = await visit({ baseURL: service.url });
  await submitAt(lost, budi);
  await expect(lost.getByText(/penyedia yang tidak lagi tersedia/)).toBeVisible();
  await expect(lost.getByRole('button', { name: /Perusahaan SSO/ })).toHaveCount(0);
});

test('on a shared computer the next person is asked by the provider', async ({ company, visit }) => {
  const [first = '', next = ''] = await Promise.all(
    ['Orang Pertama', 'Orang Berikutnya'].map(async (name) => company.giveAccount(await company.hire(name))),
  );
  await connectAll(first, next);
  const page = await visit({ baseURL: service.url });
  const enter = async (username: string) => {
    provider.person = { subject: username };
    await page.getByRole('button', { name: 'Masuk dengan Perusahaan SSO' }).click();
    await expect(page).toHaveURL(/\/portal/);
    // The provider redirected here, so no `goto` has waited for the scripts.
    await page.locator('html[data-ready]').waitFor({ state: 'attached' });
    await signOut(page);
  };
  await page.goto('/login');
  await enter(first);
  await enter(next);
  await page.getByRole('link', { name: 'Keluar juga dari Perusahaan SSO' }).click();
  await page.getByRole('button', { name: 'Yes, sign me out' }).click();
  await expect(page).toHaveURL('/login?state=signed-out');
  await expect(page.getByRole('link', { name: 'Keluar juga dari Perusahaan SSO' })).toHaveCount(0);
});

test('the page of an employee says when their provider confirmed them', async ({ company, visit }) => {
  const employee = await company.hire('Siti Rahma');
  const username = await company.giveAccount(employee);
  await connectAll(username);
  const owner = await visit({ baseURL: service.url });
  await submitAt(owner, company.username, `/owner/employees/${employee.employeeId}`);
  await expect(owner.getByRole('heading', { level: 1 })).toHaveText('Siti Rahma');
  const line = owner.getByText('Masuk lewat Perusahaan SSO, terakhir dipastikan penyedia itu');
  await expect(line).toHaveCount(0);
  provider.person = { subject: username };
  const portal = await visit({ baseURL: service.url });
  await portal.goto('/login');
  await portal.getByRole('button', { name: 'Masuk dengan Perusahaan SSO' }).click();
  await expect(portal).toHaveURL(/\/portal/);
  await sql()`update sessions set confirmed_at = now() - interval '3 hours' where issuer = ${provider.issuer}
    and company_id = ${company.owner.companyId}`;
  await owner.reload();
  await expect(line).toContainText('3 jam');
});

test('before its end a session asks its provider silently, once', async ({ company, visit }) => {
  await connectAll(company.username);
  provider.person = { subject: company.username };
  const page = await visit({ baseURL: service.url });
  await page.goto('/login');
  await page.getByRole('button', { name: 'Masuk dengan Perusahaan SSO' }).click();
  await expect(page).toHaveURL('/owner');
  const { companyId } = company.owner;
  const leaveMinutes = (minutes: number) => sql()`
    update sessions set confirmed_at = now() - interval '11 hours', confirm_by = now() + ${minutes} * interval '1 minute'
    where company_id = ${companyId}`;
  const hoursLeft = async () => {
    const [session] = await sql()<{ hours: number }[]>`
      select round(extract(epoch from confirm_by - now()) / 3600)::int as hours from sessions where company_id = ${companyId}`;
    return session?.hours;
  };
  const asked = provider.asked.length;
  const open = async () => {
    await page.goto('/owner/keys?state=revoked');
    await expect(page).toHaveURL('/owner/keys?state=revoked');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    // The service asks first, whether the browser would come back.
    const ways = new Map(provider.asked.slice(asked).map((query) => [query.get('state'), query.get('prompt')]));
    return [[...ways.values()], await hoursLeft()];
  };
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  await leaveMinutes(6 * 60);
  expect(await open()).toEqual([[], 6]);
  await leaveMinutes(60);
  expect(await open()).toEqual([['none'], 12]);

  // The provider now has no session, or one of somebody else.
  await leaveMinutes(60);
  // A blank page sends no request: the context drops all cookies for a moment, then restores the others.
  await page.evaluate(() => location.replace('about:blank'));
  await page.waitForURL('about:blank');
  await page.context().clearCookies({ name: 'oidc-asked' });
  await page.context().clearCookies({ domain: '127.0.0.1', name: /^_/ });
  expect(await open()).toEqual([['none', 'none'], 1]);
  expect(await open()).toEqual([['none', 'none'], 1]);
  expect(service.output()).not.toContain('a sign-in at a provider failed');
  await page.goto('/owner/settings/access');
  await expect(page.locator('[data-owner]')).toContainText('Masuk lewat Perusahaan SSO, terakhir dipastikan');
  await leaveMinutes(-1);
  await page.goto('/owner/audit');
  await expect(page).toHaveURL('/login?returnTo=%2Fowner%2Faudit');
});

test('many tabs on their way to a provider leave few cookies', async ({ visit }) => {
  const page = await visit({ baseURL: service.url });
  const context = page.context();
  await context.route(`${provider.issuer}/auth?**`, (route) => route.fulfill({ contentType: 'text/html', body: '' }));
  for (let tab = 0; tab < 8; tab++) {
    await page.goto('/login');
    await page.getByRole('button', { name: 'Masuk dengan Perusahaan SSO' }).click();
    await page.waitForURL(`${provider.issuer}/auth?**`);
  }
  const flows = (await context.cookies()).filter(({ name }) => name.startsWith('oidc-flow-'));
  expect(flows.length).toBeLessThan(6);
});
