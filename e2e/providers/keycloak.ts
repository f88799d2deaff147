import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright/test';
import { maven } from '#e2e/clients/tools.ts';
import { keycloak, lacks, programPath } from '#e2e/support/programs.ts';
import { noteSecret } from '#e2e/support/service/secrets.ts';
import { freePort, root } from '#e2e/support/service/service.ts';

const home = join(root, keycloak.folder);
const unpack = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:unpack';
// Its first start builds it, which takes a minute beside other tests.
const startMs = 240_000;

/** A person at Keycloak. `id` is the subject of their tokens. */
export type Person = { id: string; username: string; password: string };

/** A Keycloak on this machine with one realm and one client. */
export type Keycloak = {
  issuer: string;
  /** The entry of OIDC_PROVIDERS. */
  entry: Record<string, string>;
  addPerson: () => Promise<Person>;
  /** Sends a request to the administration of the realm. */
  administer: (method: string, path: string, body?: unknown) => Promise<unknown>;
  stop: () => Promise<void>;
};

/** Fetches Keycloak unless an earlier run did. Returns whether it is missing: a registry may refuse it. */
export async function lacksKeycloak(): Promise<boolean> {
  if (lacks('java 17', 'maven')) return true;
  if (!existsSync(home)) {
    const cache = join(root, 'node_modules', '.cache');
    await mkdir(cache, { recursive: true });
    const fresh = await mkdtemp(join(cache, 'keycloak-'));
    const artifact = `-Dartifact=org.keycloak:keycloak-quarkus-dist:${keycloak.version}:zip`;
    // Maven leaves a folder of its own where it runs.
    await maven([unpack, artifact, `-DoutputDirectory=${fresh}`], fresh).then(
      () => rename(join(fresh, `keycloak-${keycloak.version}`), home),
      (error) => process.stdout.write(`Maven does not fetch Keycloak: ${error.message.slice(0, 1000)}\n`),
    );
    await rm(fresh, { recursive: true });
  }
  return lacks('keycloak');
}

type Console = { base: string; password: string; appUrl: string; id: string };

/** Makes the client in the administration console, with every switch that docs/providers.md does not name as it is. */
async function makeClient(page: Page, { base, password, appUrl, id }: Console): Promise<void> {
  await page.goto(`${base}/admin/master/console/#/uji/clients/add-client`);
  await page.locator('#username').fill('admin');
  await page.locator('#password').fill(password);
  await page.locator('#kc-login').click();
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  await page.getByLabel('Client ID').fill('notif');
  await press('Next');
  await page.locator('#kc-authentication').check({ force: true });
  await press('Next');
  await page.getByTestId('redirectUris0').fill(`${appUrl}/api/auth/callback/${id}`);
  await page.getByTestId('attributes.post🍺logout🍺redirect🍺uris0').fill(`${appUrl}/login`);
  await press('Save');
  await page.locator('#kc-frontchannelLogout-switch').uncheck({ force: true });
  await page.getByTestId('backchannelLogoutUrl').fill(`${appUrl}/api/auth/logout/${id}`);
  await page.getByTestId('settings-save').click();
  await page.getByText('Client successfully updated').waitFor();
}

/** Starts Keycloak with a client for the service at `appUrl`, made in its console. */
export async function startKeycloak(appUrl: string, browser: Browser): Promise<Keycloak> {
  const port = await freePort();
  // Another host than the service's, so that each is a third party to the other.
  const base = `http://localhost:${port}`;
  const [id, adminPassword] = ['keycloak', randomUUID()];
  noteSecret(adminPassword);
  const child = spawn(
    'sh',
    ['bin/kc.sh', 'start-dev', '--db=dev-mem', '--http-host=127.0.0.1', `--http-port=${port}`],
    {
      cwd: home,
      env: {
        PATH: programPath,
        KC_BOOTSTRAP_ADMIN_USERNAME: 'admin',
        KC_BOOTSTRAP_ADMIN_PASSWORD: adminPassword,
      } as never,
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const end = () => child.kill();
  process.once('exit', end);
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  let printed = '';
  await new Promise<void>((resolve, reject) => {
    const explain = () => reject(new Error(`Keycloak did not start:\n${printed.slice(-3000)}`));
    const deadline = setTimeout(explain, startMs);
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (part: string) => {
        printed += part;
        if (/Listening on/.test(printed)) resolve(clearTimeout(deadline));
      });
    child.once('close', explain);
  });

  const askToken = async () => {
    const body = new URLSearchParams({ grant_type: 'password', client_id: 'admin-cli' });
    body.set('username', 'admin');
    body.set('password', adminPassword);
    const response = await fetch(`${base}/realms/master/protocol/openid-connect/token`, { method: 'POST', body });
    return ((await response.json()) as { access_token: string }).access_token;
  };
  const send = async (method: string, path: string, body?: unknown) => {
    const headers = { Authorization: `Bearer ${await askToken()}`, 'Content-Type': 'application/json' };
    const response = await fetch(`${base}/admin/realms${path}`, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`Keycloak answers ${response.status} to ${method} ${path}: ${text}`);
    return text === '' ? response.headers.get('location') : JSON.parse(text);
  };
  await send('POST', '', { realm: 'uji', enabled: true });
  const page = await browser.newPage({ locale: 'en' });
  await makeClient(page, { base, password: adminPassword, appUrl, id });
  await page.close();
  const [client] = await send('GET', '/uji/clients?clientId=notif');
  const clientSecret = (await send('GET', `/uji/clients/${client.id}/client-secret`)).value;
  noteSecret(clientSecret);
  const issuer = `${base}/realms/uji`;
  return {
    issuer,
    entry: { id, issuer, clientId: 'notif', clientSecret, label: 'Keycloak' },
    addPerson: async () => {
      const [username, password] = [`orang-${randomUUID().slice(0, 8)}`, randomUUID()];
      noteSecret(password);
      const names = { email: `${username}@kantor.test`, firstName: 'Orang', lastName: 'Uji' };
      const credentials = [{ type: 'password', value: password, temporary: false }];
      const location = await send('POST', '/uji/users', { username, enabled: true, ...names, credentials });
      return { id: String(location).replace(/.*\//, ''), username, password };
    },
    administer: (method, path, body) => send(method, `/uji${path}`, body),
    stop: async () => {
      process.off('exit', end);
      end();
      await closed;
    },
  };
}

/** Types name and password into the form of Keycloak. Its form for a proof knows the name already. */
export async function signInAtKeycloak(page: Page, { username, password }: Person): Promise<void> {
  await page.locator('input#password').waitFor();
  const name = page.locator('input#username:not([readonly])');
  if (await name.isVisible()) await name.fill(username);
  await page.locator('input#password').fill(password);
  await page.locator('#kc-login').click();
}
