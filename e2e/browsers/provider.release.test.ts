import { afterAll, beforeAll, expect } from 'vitest';
import { sql } from '#db/client.ts';
import { pathOf } from '#e2e/browsers/drive/tab.ts';
import { button, inEachBrowser, soon } from '#e2e/browsers/portal.ts';
import { ageConfirmation, connect, must } from '#e2e/support/data/company.ts';
import { startOidcProvider, type TestProvider } from '#e2e/support/service/oidc-provider.ts';
import { freePort, type Service, startOrExplain, withProviders } from '#e2e/support/service/service.ts';
import { inviteOwner } from '#server/accounts/owners/owner-links.ts';

let service: Service;
let provider: TestProvider;

beforeAll(async () => {
  const url = `http://127.0.0.1:${await freePort()}`;
  provider = await startOidcProvider(url);
  service = await startOrExplain(withProviders(url, provider.setting));
});
afterAll(async () => {
  await service?.stop();
  await provider?.stop();
});

inEachBrowser((test) => {
  for (const who of ['employee', 'owner'])
    test(`the button of a provider accepts the invitation of an ${who}`, async ({ company, tab }) => {
      const token =
        who === 'owner'
          ? must(await inviteOwner(company.owner, 'Pemilik Undangan')).token
          : await company.invite(await company.hire());
      provider.person = { subject: `${company.username}-${who}` };
      await tab.open(`${service.url}/invite/${token}`);
      await tab.press(button('Lanjut dengan Perusahaan SSO'));
      await expect.poll(() => pathOf(tab), soon).toBe('/login/connect');
      await tab.press(button('Ya, lanjutkan'));
      await expect.poll(() => pathOf(tab), soon).toMatch(/^\/(owner|portal)/);
    });

  test('with a service worker, a page that is opened before a session ends asks the provider first', async ({
    company,
    tab,
  }) => {
    provider.person = { subject: company.username };
    const { companyId } = company.owner;
    await connect(company.username, provider.issuer, company.username);
    await tab.open(`${service.url}/login?returnTo=/owner`);
    await tab.press(button('Masuk dengan Perusahaan SSO'));
    await expect.poll(() => pathOf(tab), soon).toBe('/owner');
    await expect.poll(() => tab.evaluate('navigator.serviceWorker.controller !== null'), soon).toBe(true);
    await ageConfirmation(company, 11);
    await tab.open(`${service.url}/owner/keys`);
    const isConfirmed = () => sql()`
      select from sessions where company_id = ${companyId} and confirm_by > now() + interval '11 hours'`;
    await expect.poll(async () => (await isConfirmed()).length, soon).toBe(1);
    await expect.poll(() => pathOf(tab), soon).toBe('/owner/keys');
    expect(provider.asked.at(-1)?.get('prompt')).toBe('none');
  });
});
