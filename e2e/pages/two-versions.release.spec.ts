import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import type { Page } from 'playwright/test';
import { sql } from '#db/client.ts';
import { expect, popUps, submitAccount, test } from '#e2e/support/browser/browser.ts';
import { type RoundRobin, startRoundRobin } from '#e2e/support/proxies/proxy.ts';
import { runNotif } from '#e2e/support/service/notif.ts';
import { freePort, root, type Service, startOrExplain } from '#e2e/support/service/service.ts';
import { sources } from '#server/runtime/build-pages.ts';

/** A built copy of the project's code. */
type Copy = { folder: string; remove: () => Promise<void> };

/** The changes of a copy: for each file the texts to replace. */
type Changes = Record<string, [before: string, after: string][]>;

/**
 * Copies what the pages are built from into a new folder of another path, changes it and builds it.
 * Packages are hard links where possible. Takes half a minute. Throws when a text to replace is not there.
 */
async function buildCopy(changes: Changes): Promise<Copy> {
  const folder = await mkdtemp(join(tmpdir(), 'notif-second-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const filter = (path: string) => !path.endsWith('.test.ts');
    for (const source of sources)
      await cp(join(root, source), join(folder, source), { recursive: true, preserveTimestamps: true, filter });
    // Links need the same file system.
    const modules = join(root, 'node_modules');
    await execa('cp', ['-al', modules, folder]).catch(() => execa('cp', ['-a', modules, folder]));
    for (const [file, replacements] of Object.entries(changes)) await change(join(folder, file), replacements);
    await execa(process.execPath, ['server/runtime/build-pages.ts'], { cwd: folder });
    return { folder, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function change(path: string, replacements: [string, string][]): Promise<void> {
  let text = await readFile(path, 'utf8');
  for (const [before, after] of replacements) {
    if (!text.includes(before)) throw new Error(`${path} lacks ${before}`);
    text = text.replaceAll(before, after);
  }
  await writeFile(path, text);
}

// Machines are updated one after another, so two versions answer the requests of one browser in
// turn. The newer one has another text, other styles, and an action with another name.
const renamed: [string, string][] = [['editNumberedEmployeeAction', 'changeEmployeeAction']];
const changes: Parameters<typeof buildCopy>[0] = {
  'messages/id/icu/pages.json': [['"title": "Masuk"', '"title": "Masuk di sini"']],
  'app/globals.css': [['body {', 'body {\n  --second-version: 1;']],
  'app/owner/employees/actions.ts': renamed,
  'app/owner/employees/employee-dialogs.tsx': renamed,
};

let copy: Copy;
let services: Service[] = [];
let front: RoundRobin;

test.describe.configure({ mode: 'serial', timeout: 180_000 });

test.beforeAll(async () => {
  // It builds the pages, which takes minutes on a busy machine.
  test.setTimeout(600_000);
  copy = await buildCopy(changes);
  const { DATABASE_URL, AUTH_SECRET } = process.env;
  const port = await freePort();
  const settings = { DATABASE_URL, AUTH_SECRET, HOST: '127.0.0.1', APP_URL: `http://127.0.0.1:${port}` };
  const start = (folder?: string) => startOrExplain(settings, undefined, undefined, undefined, folder);
  services = [await start(), await start(copy.folder)];
  front = await startRoundRobin(
    services.map(({ url }) => url),
    port,
  );
});

test.afterAll(async () => {
  await front?.stop();
  await Promise.all(services.map((service) => service.stop()));
  await copy?.remove();
});

test.beforeEach(() => {
  front.choose('all');
  front.passed.length = 0;
});

// A page of one of the versions, 0 or 1. Afterwards the versions answer in turn.
async function openFrom(version: number, page: Page, path: string): Promise<void> {
  front.choose(version);
  await page.goto(front.url + path);
  front.choose('all');
}

async function signIn(page: Page, username: string, area: '/owner' | '/portal/notifications'): Promise<void> {
  await page.goto(`${front.url}/login`);
  await submitAccount(page, username);
  await expect(page).toHaveURL(new RegExp(`^${front.url}${area}`));
}

async function edit(page: Page, name: string, role: string): Promise<void> {
  await page.getByRole('button', { name: `Tindakan untuk ${name}` }).click();
  await page.getByRole('menuitem', { name: 'Ubah', exact: true }).click();
  await page.getByRole('textbox', { name: 'Peran' }).fill(role);
  await page.getByRole('dialog').getByRole('button', { name: 'Simpan' }).click();
}

const failed = () => front.passed.filter(({ status }) => status >= 400);

test('pages of both versions load all their scripts and styles', async ({ visit }) => {
  const heading = { 0: 'Masuk', 1: 'Masuk di sini' };
  for (const version of [0, 1] as const) {
    // A browser of its own: nothing is in its cache.
    const page = await visit();
    front.choose(version);
    await page.goto(`${front.url}/login`, { waitUntil: 'commit' });
    await expect(page.getByRole('heading', { name: heading[version], exact: true })).toBeVisible();
    // Now the other version only.
    front.choose(1 - version);
    await page.evaluate(async () => {
      const files = performance.getEntriesByType('resource').filter(({ name }) => name.includes('/_next/static/'));
      const answers = await Promise.all(files.map(({ name }) => fetch(name, { cache: 'reload' })));
      if (files.length < 5 || answers.some(({ ok }) => !ok)) throw new Error('a file of the page is missing');
    });
    front.choose('all');
  }
  expect(failed()).toEqual([]);
});

test('people sign in with and without scripts while both versions answer', async ({ visit, company }) => {
  for (const javaScriptEnabled of [true, false]) {
    const page = await visit({ javaScriptEnabled });
    // Without scripts a page is never marked as ready, so `page` would wait in vain.
    await signIn(javaScriptEnabled ? page : await page.context().newPage(), company.username, '/owner');
  }
});

test('links lead to their page from a page of the other version', async ({ page, company }) => {
  await signIn(page, company.username, '/owner');
  for (const name of ['Karyawan', 'Sistem', 'Pesan', 'Beranda']) {
    const link = page.getByRole('navigation').first().getByRole('link', { name, exact: true });
    const path = (await link.getAttribute('href')) ?? '';
    await link.click();
    await expect(page).toHaveURL(front.url + path);
    await expect(page.locator('html[data-ready]')).toHaveCount(1);
  }
  expect(failed()).toEqual([]);
});

test('an action of either version’s page runs once, also when the other version gets it', async ({ page, company }) => {
  await signIn(page, company.username, '/owner');
  const roles: string[] = [];
  for (const version of [0, 1])
    for (const other of [0, 1]) {
      const name = `Karyawan ${version} ${other}`;
      await openFrom(version, page, '/owner/employees');
      await page.getByRole('button', { name: 'Tambah karyawan' }).first().click();
      await page.getByRole('textbox', { name: 'Nama' }).fill(name);
      await page.getByRole('textbox', { name: 'Peran' }).fill('Kasir');
      front.choose(other);
      await page.getByRole('dialog').getByRole('button', { name: 'Simpan' }).click();
      await expect(page.getByRole('link', { name })).toBeVisible();
      // The action that only one version has.
      await openFrom(version, page, '/owner/employees');
      await edit(page, name, `Kasir ${version} ${other}`);
      await expect(page.getByText(`Kasir ${version} ${other}`).filter({ visible: true }).first()).toBeVisible();
      roles.push(`Kasir ${version} ${other}`);
    }
  const { companyId } = company.owner;
  const stored = await sql()`select role from employees where company_id = ${companyId} order by id`;
  expect(stored.map(({ role }) => role)).toEqual(roles);
});

test('an action that no machine knows any more keeps what was typed and says what to do', async ({ page, company }) => {
  await company.hire('Siti Uji');
  await signIn(page, company.username, '/owner');
  await openFrom(0, page, '/owner/employees');
  front.choose(1);
  await edit(page, 'Siti Uji', 'Kepala kasir');
  await expect(page.getByRole('dialog')).toContainText('Salin isian Anda, lalu muat ulang halaman.');
  await expect(page.getByRole('textbox', { name: 'Peran' })).toHaveValue('Kepala kasir');
});

test('a portal of either version shows what arrives', async ({ visit, company }) => {
  const headers = { 'X-API-Key': await company.newKey(), 'Content-Type': 'application/json' };
  const pages: Page[] = [];
  for (const version of [0, 1]) {
    const page = await visit();
    await signIn(page, await company.giveAccount(await company.hire()), '/portal/notifications');
    await openFrom(version, page, '/portal/notifications');
    pages.push(page);
  }
  const body = JSON.stringify({ judul: 'Dua versi', isi: 'Isi' });
  const response = await fetch(`${front.url}/api/v1/notif.php`, { method: 'POST', headers, body });
  expect(response.status).toBe(200);
  for (const page of pages) await expect(popUps(page)).toContainText('Dua versi', { timeout: 20_000 });
});

test('notif doctor names the machines whose builds differ', async () => {
  const { output } = await runNotif(['doctor', '--json'], { APP_URL: front.url, DATABASE_OWNER_URL: undefined });
  const { checks } = JSON.parse(output) as { checks: { name: string; state: string; sentence: string }[] };
  const machines = checks.find(({ name }) => name === 'machines');
  expect(machines).toMatchObject({ state: 'warning', sentence: expect.stringContaining('differ') });
  for (const { url } of services) expect(machines?.sentence).toContain(url.replace('http://', ''));
});
