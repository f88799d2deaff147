import { type Dex, emailOf, signInAtDex, startDex } from '#e2e/providers/dex.ts';
import { connectAndProve, press, readSession, signOut } from '#e2e/providers/people.ts';
import { expect, test } from '#e2e/support/browser/browser.ts';
import { ageConfirmation } from '#e2e/support/data/company.ts';
import { lacks } from '#e2e/support/programs.ts';
import { freePort, type Service, startOrExplain, withProviders } from '#e2e/support/service/service.ts';

test.describe.configure({ mode: 'default' });

let service: Service;
let dex: Dex;

test.beforeAll(async () => {
  // biome-ignore lint/suspicious/noSkippedTests: only where it is missing
  test.skip(lacks('dex'), 'Dex is missing');
  const url = `http://127.0.0.1:${await freePort()}`;
  dex = await startDex(url);
  service = await startOrExplain(withProviders(url, JSON.stringify([dex.entry])));
});
test.afterAll(async () => {
  await service?.stop();
  await dex?.stop();
});

test('with Dex a person connects, proves who they are and signs in, and is asked after a sign-out', async ({
  company,
  visit,
}) => {
  await connectAndProve(await visit({ baseURL: service.url }), company, {
    label: 'Dex',
    shown: emailOf('pertama'),
    identify: (page) => signInAtDex(page, 'pertama'),
  });
  const page = await visit({ baseURL: service.url });
  await page.goto('/login?returnTo=/owner/keys');
  await press(page, 'Masuk dengan Dex');
  await signInAtDex(page, 'pertama');
  await expect(page).toHaveURL('/owner/keys');
  await signOut(page);
  await expect(page.getByRole('link', { name: 'Keluar juga dari Dex' })).toHaveCount(0);
  await press(page, 'Masuk dengan Dex');
  await expect(page.locator('#login')).toHaveValue('');
  expect(page.url()).toMatch(/^http:\/\/localhost:/);
  // Nobody here has connected this one.
  await signInAtDex(page, 'berikutnya');
  await expect(page.getByText('Akun itu belum tersambung dengan akun di sini.')).toBeVisible();
});

test('Dex asks for the password even when it is asked for no question, so no opened page is led there', async ({
  company,
  visit,
}) => {
  await connectAndProve(await visit({ baseURL: service.url }), company, {
    label: 'Dex',
    shown: emailOf('berikutnya'),
    identify: (page) => signInAtDex(page, 'berikutnya'),
  });
  const page = await visit({ baseURL: service.url });
  await page.goto('/login');
  await press(page, 'Masuk dengan Dex');
  await signInAtDex(page, 'berikutnya');
  await expect(page).toHaveURL('/owner');
  await ageConfirmation(company, 11);
  await page.goto('/owner/keys');
  await expect(page).toHaveURL('/owner/keys');
  expect((await readSession(company)).hoursLeft).toBe(1);
});
