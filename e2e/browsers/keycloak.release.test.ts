import { chromium } from 'playwright/test';
import { afterAll, beforeAll, expect } from 'vitest';
import { sql } from '#db/client.ts';
import { pathOf } from '#e2e/browsers/drive/tab.ts';
import { button, inEachBrowser, soon } from '#e2e/browsers/portal.ts';
import { type Keycloak, lacksKeycloak, startKeycloak } from '#e2e/providers/keycloak.ts';
import { findBrowser } from '#e2e/support/browser/find-browser.ts';
import { ageConfirmation, connect } from '#e2e/support/data/company.ts';
import { freePort, type Service, startOrExplain, withProviders } from '#e2e/support/service/service.ts';

let service: Service;
let keycloak: Keycloak;
const lacks = await lacksKeycloak();

beforeAll(async () => {
  if (lacks) return;
  const url = `http://127.0.0.1:${await freePort()}`;
  const console = await chromium.launch({ executablePath: findBrowser().path });
  keycloak = await startKeycloak(url, console);
  await console.close();
  service = await startOrExplain(withProviders(url, JSON.stringify([keycloak.entry])));
}, 600_000);
afterAll(async () => {
  await service?.stop();
  await keycloak?.stop();
});

inEachBrowser((test) => {
  if (lacks) return;
  test('with a worker, Keycloak signs a person in, confirms the session in silence, and ends it', async (abilities) => {
    const { company, tab } = abilities;
    const person = await keycloak.addPerson();
    await connect(company.username, keycloak.issuer, person.id);
    await tab.open(`${service.url}/login?returnTo=/owner`);
    await tab.press(button('Masuk dengan Keycloak'));
    await expect.poll(() => tab.evaluate(`document.querySelector('#kc-login') !== null`), soon).toBe(true);
    await tab.type('#username', person.username);
    await tab.type('#password', person.password);
    await tab.press('#kc-login');
    await expect.poll(() => pathOf(tab), soon).toBe('/owner');
    await expect.poll(() => tab.evaluate('navigator.serviceWorker.controller !== null'), soon).toBe(true);

    await ageConfirmation(company, 11);
    await tab.open(`${service.url}/owner/keys`);
    const isConfirmed = () => sql()`
      select from sessions where company_id = ${company.owner.companyId} and confirm_by > now() + interval '11 hours'`;
    await expect.poll(async () => (await isConfirmed()).length, soon).toBe(1);
    await expect.poll(() => pathOf(tab), soon).toBe('/owner/keys');

    await keycloak.administer('POST', `/users/${person.id}/logout`);
    await tab.open(`${service.url}/owner/audit`);
    expect(await pathOf(tab)).toMatch(/^\/login\?/);
  });
});
