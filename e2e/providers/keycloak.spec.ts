import type { Page } from 'playwright/test';
import { type Keycloak, lacksKeycloak, type Person, signInAtKeycloak, startKeycloak } from '#e2e/providers/keycloak.ts';
import { connectAndProve, press, readSession, signOut } from '#e2e/providers/people.ts';
import { type Abilities, expect, test } from '#e2e/support/browser/browser.ts';
import { ageConfirmation, connect } from '#e2e/support/data/company.ts';
import { runNotif } from '#e2e/support/service/notif.ts';
import { freePort, type Service, startOrExplain, withProviders } from '#e2e/support/service/service.ts';

// One Keycloak is enough.
test.describe.configure({ mode: 'default' });

let service: Service;
let keycloak: Keycloak;
let settings: Record<string, string | undefined>;

test.beforeAll(async ({ browser }) => {
  test.setTimeout(600_000);
  // biome-ignore lint/suspicious/noSkippedTests: only where it is missing
  test.skip(await lacksKeycloak(), 'Keycloak is missing');
  const url = `http://127.0.0.1:${await freePort()}`;
  keycloak = await startKeycloak(url, browser);
  settings = withProviders(url, JSON.stringify([keycloak.entry]));
  service = await startOrExplain(settings);
});
test.afterAll(async () => {
  await service?.stop();
  await keycloak?.stop();
});

/** Opens a page in a browser of its own, and the address of the service that leads to the sign-in page. */
async function open(visit: Abilities['visit'], path = '/login'): Promise<Page> {
  const page = await visit({ baseURL: service.url });
  await page.goto(path);
  return page;
}

/** Signs a person in through Keycloak, in a browser of their own. */
async function enter(visit: Abilities['visit'], person: Person): Promise<Page> {
  const page = await open(visit, '/login?returnTo=/owner/keys');
  await press(page, 'Masuk dengan Keycloak');
  await signInAtKeycloak(page, person);
  await expect(page).toHaveURL('/owner/keys');
  return page;
}

/** An owner who has connected their account with a new person at Keycloak. */
async function makeOwner(username: string): Promise<Person> {
  const person = await keycloak.addPerson();
  await connect(username, keycloak.issuer, person.id);
  return person;
}

/** What the doctor says of providers. */
async function askDoctor() {
  const { checks } = JSON.parse((await runNotif(['doctor', '--json'], settings)).output) as {
    checks: { name: string; state: string; sentence: string }[];
  };
  // Companies of other tests require providers that these settings do not have.
  return checks.filter(({ name }) => name.startsWith('provider') && name !== 'provider-required');
}

test('with Keycloak a person connects, proves who they are and signs in', async ({ company, visit }) => {
  const person = await keycloak.addPerson();
  await connectAndProve(await open(visit), company, {
    label: 'Keycloak',
    shown: person.username,
    identify: (page) => signInAtKeycloak(page, person),
  });
  await enter(visit, person);
});

test('with Keycloak an invitation is accepted', async ({ company, visit }) => {
  const person = await keycloak.addPerson();
  const page = await open(visit, `/invite/${await company.invite(await company.hire())}`);
  await press(page, 'Lanjut dengan Keycloak');
  await signInAtKeycloak(page, person);
  await expect(page.locator('[data-label]')).toHaveText(person.username);
  await press(page, 'Ya, lanjutkan');
  await expect(page).toHaveURL(/\/portal/);
});

test('after a sign-out Keycloak asks again, and the next person gets in after signing out there too', async ({
  company,
  visit,
}) => {
  const first = await makeOwner(company.username);
  const manager = await company.addManager();
  const next = await makeOwner(manager.username);
  const page = await enter(visit, first);
  await signOut(page);
  await press(page, 'Masuk dengan Keycloak');
  await expect(page.locator('input#password')).toBeVisible();
  expect(page.url()).toMatch(/^http:\/\/localhost:.*prompt=login/);
  await page.goBack();
  await page.getByRole('link', { name: 'Keluar juga dari Keycloak' }).click();
  await page.locator('#kc-logout').click();
  await expect(page).toHaveURL('/login?state=signed-out');
  await press(page, 'Masuk dengan Keycloak');
  await signInAtKeycloak(page, next);
  await expect(page).toHaveURL(`${service.url}/owner`);
});

test('Keycloak confirms a session without a question, and not for somebody who was disabled', async ({
  company,
  visit,
}) => {
  const person = await makeOwner(company.username);
  const page = await enter(visit, person);
  const openLate = async () => {
    await ageConfirmation(company, 11);
    await page.context().clearCookies({ name: 'oidc-asked' });
    await page.goto('/owner/audit');
    await expect(page).toHaveURL('/owner/audit');
    return (await readSession(company)).hoursLeft;
  };
  expect(await openLate()).toBe(12);
  await keycloak.administer('PUT', `/users/${person.id}`, { enabled: false });
  expect(await openLate()).toBe(1);
});

test('Keycloak ends one session here, and then all of a person (back-channel logout)', async ({ company, visit }) => {
  const person = await makeOwner(company.username);
  const [first, second] = [await enter(visit, person), await enter(visit, person)];
  const isIn = async (page: Page) => {
    await page.goto('/owner/audit');
    return new URL(page.url()).pathname === '/owner/audit';
  };
  const sessions = (await keycloak.administer('GET', `/users/${person.id}/sessions`)) as {
    id: string;
    start: number;
  }[];
  const [oldest] = sessions.sort((one, other) => one.start - other.start);
  await keycloak.administer('DELETE', `/sessions/${oldest?.id}`);
  expect([await isIn(first), await isIn(second)]).toEqual([false, true]);
  await keycloak.administer('POST', `/users/${person.id}/logout`);
  expect(await isIn(second)).toBe(false);
  const [check] = await askDoctor();
  expect(check?.sentence).toMatch(/\/api\/auth\/logout\/keycloak for its logout messages.*came \d minutes ago/);
});

test('Keycloak may change its keys, and sign by ES256; the doctor finds nothing wrong', async ({ company, visit }) => {
  const person = await makeOwner(company.username);
  const readKeys = async () => {
    const response = await fetch(`${keycloak.issuer}/protocol/openid-connect/certs`);
    return ((await response.json()) as { keys: { kid: string; kty: string }[] }).keys;
  };
  await enter(visit, person);
  const before = await readKeys();
  const config = { priority: ['200'], enabled: ['true'], active: ['true'], algorithm: ['RS256'] };
  const type = { providerId: 'rsa-generated', providerType: 'org.keycloak.keys.KeyProvider' };
  await keycloak.administer('POST', '/components', { name: 'baru', ...type, config });
  await enter(visit, person);
  expect(await readKeys()).toHaveLength(before.length + 1);

  const [client] = (await keycloak.administer('GET', '/clients?clientId=notif')) as {
    id: string;
    attributes: object;
  }[];
  const attributes = { ...client?.attributes, 'id.token.signed.response.alg': 'ES256' };
  await keycloak.administer('PUT', `/clients/${client?.id}`, { ...client, attributes });
  await enter(visit, person);
  expect((await readKeys()).map(({ kty }) => kty)).toContain('EC');

  expect(await askDoctor()).toMatchObject([{ name: 'provider', state: 'ok' }]);
});
