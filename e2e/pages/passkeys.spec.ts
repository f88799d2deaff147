import type { Page } from 'playwright/test';
import { sql } from '#db/client.ts';
import { expect, submitAccount, test } from '#e2e/support/browser/browser.ts';
import { ageProof } from '#e2e/support/browser/owner-pages.ts';
import type { Company } from '#e2e/support/data/company.ts';
import { besideTested, freePort, type Service, startService } from '#e2e/support/service/service.ts';

let service: Service;
let home: string;

// Passkeys belong to a host name: browsers allow none at 127.0.0.1, where the other tests are.
test.beforeAll(async () => {
  const port = String(await freePort());
  home = `http://localhost:${port}`;
  service = await startService({ ...besideTested, PORT: port, APP_URL: home });
});

test.afterAll(() => service.stop());

/** Gives a page's browser a phone's authenticator. Returns what lets it answer later requests, or not. */
async function addAuthenticator(page: Page): Promise<(enabled: boolean) => Promise<unknown>> {
  await page.addInitScript(() => {
    const { get } = CredentialsContainer.prototype;
    CredentialsContainer.prototype.get = function (options) {
      if (options?.mediation === 'conditional') document.documentElement.dataset.offered = 'true';
      return get.call(this, options);
    };
  });
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const verified = { hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true };
  const options = { protocol: 'ctap2', transport: 'internal', hasResidentKey: true, ...verified } as const;
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', { options });
  return (enabled) => cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled });
}

/** Waits until the name field offers a passkey. The authenticator must not answer yet, or it takes the offer. */
async function waitForOffer(page: Page): Promise<void> {
  await page.locator('html[data-offered]').waitFor({ state: 'attached' });
  await page.evaluate(() => delete document.documentElement.dataset.offered);
}

const passkeys = (page: Page) => page.getByRole('region', { name: 'Passkey', exact: true });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

async function addPasskey(page: Page, name: string): Promise<void> {
  await button(page, 'Tambah passkey').click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByLabel('Nama passkey')).toHaveValue(/Chrome/);
  await dialog.getByLabel('Nama passkey').fill(name);
  await dialog.getByRole('button', { name: 'Tambah passkey' }).click();
  await expect(dialog).toBeHidden();
}

async function signInWithPassword(page: Page, username: string): Promise<void> {
  await page.goto(`${home}/login`);
  await submitAccount(page, username);
}

const signOut = (page: Page) => page.context().clearCookies();

const forgetFactors = ({ owner }: Company) =>
  sql()`update sessions set has_second_factor = false where company_id = ${owner.companyId}`;

const phone = { viewport: { width: 360, height: 780 } };
test.use(phone);

test('a passkey is added, signs in, re-authenticates and is removed', async ({ page, company, signIn }) => {
  const answer = await addAuthenticator(page);
  await signIn(page, company.username, `${home}/owner/settings`);
  await addPasskey(page, 'HP saya');
  await expect(passkeys(page)).toContainText('belum pernah dipakai');
  await button(page, 'Tambah passkey').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Tambah passkey' }).click();
  await expect(page.getByText('Perangkat ini sudah punya passkey')).toBeVisible();
  await signOut(page);
  await answer(false);
  await page.goto(`${home}/login?returnTo=/owner/settings`);
  await waitForOffer(page);
  await answer(true);
  await button(page, 'Masuk dengan passkey').click();
  await expect(page).toHaveURL(`${home}/owner/settings`);
  await expect(passkeys(page)).toContainText('terakhir dipakai');
  await signOut(page);
  await answer(false);
  await page.locator('#name [name=name]').fill('Nama Lain');
  await page.locator('#name').getByRole('button', { name: 'Simpan' }).click();
  await expect(page.getByRole('dialog', { name: 'Masuk lagi' })).toBeVisible();
  await waitForOffer(page);
  await answer(true);
  await button(page, 'Masuk dengan passkey').click();
  await expect(page.locator('#name')).toContainText('Tersimpan');
  await ageProof(company, 11);
  await button(page, 'Hapus passkey HP saya').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Hapus' }).click();
  await button(page, 'Pakai passkey').click();
  await expect(passkeys(page)).not.toContainText('HP saya');
});

test('an employee signs in with what the browser offers in the field of the name', async ({ page, company }) => {
  await addAuthenticator(page);
  await signInWithPassword(page, await company.giveAccount(await company.hire()));
  await expect(page).toHaveURL(/\/portal/);
  await page.goto(`${home}/portal/account`);
  await addPasskey(page, 'HP saya');
  await signOut(page);
  await page.goto(`${home}/login`);
  await expect(page).toHaveURL(/\/portal/);
});

test('from its day a second factor is asked for, or a new passkey', async ({ page, company, signIn, visit }) => {
  const answer = await addAuthenticator(page);
  await signIn(page, company.username, `${home}/owner/settings/access`);
  const required = page.getByRole('region', { name: 'Passkey wajib' });
  const requireFrom = async (day: string) => {
    await required.getByLabel('Wajib sejak tanggal').fill(day);
    await required.getByRole('button', { name: 'Simpan' }).click();
  };
  await requireFrom('2999-12-31');
  await expect(required).toContainText('Tambahkan passkey untuk akun Anda sendiri dulu');
  await page.goto(`${home}/owner/settings`);
  await addPasskey(page, 'HP saya');
  await button(page, 'Buat kode pemulihan').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Buat kode pemulihan' }).click();
  const codes = (await page.getByRole('textbox', { name: 'Kode pemulihan' }).inputValue()).split('\n');
  expect(codes).toHaveLength(10);
  await page.keyboard.press('Escape');
  await expect(passkeys(page)).toContainText('Sisa 10 kode pemulihan');
  await page.goto(`${home}/owner/settings/access`);
  await requireFrom('2999-12-31');
  await expect(required).toContainText('Tersimpan');

  const other = await visit(phone);
  await addAuthenticator(other);
  await signInWithPassword(other, (await company.addManager()).username);
  await expect(other.getByText('Mulai 31 Desember 2999 Anda perlu passkey')).toBeVisible();
  await requireFrom('2020-01-01');
  await expect(page.getByText('Tersimpan')).toBeVisible();
  await other.goto(`${home}/owner/sends`);
  await expect(other.getByRole('heading', { name: 'Satu langkah lagi' })).toBeVisible();
  await addPasskey(other, 'Laptop kantor');
  await expect(other).toHaveURL(`${home}/owner/sends`);

  await signOut(page);
  await answer(false);
  await signInWithPassword(page, company.username);
  await button(page, 'Pakai passkey').waitFor();
  await answer(true);
  await button(page, 'Pakai passkey').click();
  await expect(page).toHaveURL(`${home}/owner`);
  await forgetFactors(company);
  await page.goto(`${home}/owner/keys`);
  await page.getByText('Passkey Anda tidak ada di sini?').click();
  await page.getByLabel('Kode pemulihan').fill('salah');
  await button(page, 'Pakai kode').click();
  await expect(page.getByText('Kode ini salah atau sudah dipakai')).toBeVisible();
  await page.getByLabel('Kode pemulihan').fill(codes[0] ?? '');
  await button(page, 'Pakai kode').click();
  await expect(page).toHaveURL(`${home}/owner/keys`);

  await forgetFactors(company);
  await sql()`delete from passkeys where company_id = ${company.owner.companyId}`;
  await page.goto(`${home}/owner/keys`);
  await expect(button(page, 'Tambah passkey'), 'a password alone adds none beside codes').toHaveCount(0);
  await page.getByLabel('Kode pemulihan').fill(codes[1] ?? '');
  await button(page, 'Pakai kode').click();
  await expect(page).toHaveURL(`${home}/owner/keys`);
});
