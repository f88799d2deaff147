import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright/test';
import {
  afterUndoTime,
  entries,
  expect,
  heldBar,
  popUps,
  test,
  waitForAction,
  within20s,
} from '#e2e/support/browser/browser.ts';
import { createOnPage, saveKey } from '#e2e/support/browser/owner-pages.ts';
import { addPlansAndJoins } from '#e2e/support/data/plans-and-joins.ts';
import { builtAddresses } from '#e2e/support/service/build.ts';
import { root } from '#e2e/support/service/service.ts';

type Version = string | boolean | null;
type Statement = {
  version_added: Version;
  version_removed?: Version;
  flags?: object[];
  prefix?: string;
  alternative_name?: string;
};
type Compat = { support: Record<string, Statement | Statement[] | undefined> };
type Feature = { __compat?: Compat } & { [name: string]: Feature };

/** MDN's compatibility data. */
const { api, javascript } = JSON.parse(
  readFileSync(createRequire(import.meta.url).resolve('@mdn/browser-compat-data'), 'utf8'),
) as Record<'api' | 'javascript', Feature>;

/** What browserslist calls each browser, and which browsers of the data it stands for. */
const browserNames: Record<string, readonly string[]> = {
  chrome: ['chrome', 'chrome_android'],
  edge: ['edge'],
  firefox: ['firefox', 'firefox_android'],
  safari: ['safari'],
  ios_saf: ['safari_ios'],
  samsung: ['samsunginternet_android'],
};

/** The oldest version of each browser that the pages serve. Each line of package.json is `name >= version`. */
const oldest = (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { browserslist: string[] }).browserslist
  .map((line) => line.split(' >= '))
  .flatMap(([name = '', version]) => (browserNames[name] ?? []).map((one) => [one, Number(version)] as const));

function works({ version_added: added, version_removed: removed, ...rest }: Statement, version: number): boolean {
  if (rest.flags || rest.prefix || rest.alternative_name || typeof added !== 'string') return false;
  const since = Number.parseFloat(added.replace('≤', ''));
  return since <= version && !(typeof removed === 'string' && Number.parseFloat(removed) <= version);
}

/** Whether one of the oldest browsers lacks a feature. A browser without data counts as having it. */
const isMissing = ({ __compat: compat }: Feature) =>
  oldest.some(([browser, version]) => {
    const statements = [compat?.support[browser] ?? []].flat();
    return statements.length > 0 && !statements.some((one) => works(one, version));
  });

const listFeatures = (feature: Feature = {} as Feature): [string, Feature][] =>
  Object.keys(feature)
    .filter((name) => name !== '__compat')
    .map((name) => [name, feature[name] as Feature]);

/** The path of a property: of the global object, of a class, or of its prototype. */
type ApiPath = readonly string[];

const scopes = new Set(['Window', 'WorkerGlobalScope', 'DedicatedWorkerGlobalScope']);

function pathsOf(type: string, name: string): ApiPath[] {
  if (scopes.has(type)) return [[name.replace(/_event$/, '')]];
  if (name.endsWith('_event')) return [[type, 'prototype', `on${name.slice(0, -'_event'.length)}`]];
  if (name.endsWith('_static')) return [[type, name.slice(0, -'_static'.length)]];
  return [
    [type, name],
    [type, 'prototype', name],
  ];
}

/**
 * All JavaScript APIs that one of the oldest browsers lacks, by their paths. Some paths do not
 * exist, because the data does not always tell static members from others.
 */
function listMissingApis(): ApiPath[] {
  const builtins = javascript.builtins ?? ({} as Feature);
  const listMembers = (type: string, members: Feature) =>
    listFeatures(members)
      // A member named like its type is the constructor.
      .filter(([name, feature]) => name !== type && /^\w+$/.test(name) && isMissing(feature))
      .flatMap(([name]) => pathsOf(type, name));
  const types = [...listFeatures(api), ...listFeatures(builtins)];
  const intl = listFeatures(builtins.Intl).filter(([name]) => /^[A-Z]/.test(name));
  return [
    ...types.filter(([, type]) => isMissing(type)).map(([name]) => [name]),
    ...types.flatMap(([name, type]) => listMembers(name, type)),
    ...intl.flatMap(([name, type]) => listMembers(name, type).map((path) => ['Intl', ...path])),
  ];
}

/** A script that deletes these APIs from a page or a worker. */
function writeDeletion(paths: readonly ApiPath[]): string {
  return `for (const path of ${JSON.stringify(paths)}) {
    const owner = path.slice(0, -1).reduce((object, name) => object?.[name], globalThis);
    if (owner != null) Reflect.deleteProperty(owner, path.at(-1));
  }\n`;
}

const deletion = writeDeletion(listMissingApis());

// A service worker would answer instead of the network.
test.use({ serviceWorkers: 'block', permissions: ['clipboard-write'] });

/** Makes pages and workers of this context lack every API that one of the oldest browsers lacks. */
async function makeOld(context: BrowserContext): Promise<void> {
  await context.addInitScript(deletion);
  await context.route('**/_next/static/chunks/turbopack-worker-*.js*', async (route) => {
    // A worker that starts when the test ends gets no answer.
    const response = await route.fetch().catch(() => null);
    if (response) await route.fulfill({ response, body: deletion + (await response.text()) });
  });
}

/** Records errors that no code catches, of this page. */
function watchErrors(page: Page): string[] {
  const errors: string[] = [];
  page.on('pageerror', ({ message }) => errors.push(`${page.url()}: ${message}`));
  return errors;
}

async function visitAll(page: Page, paths: string[]): Promise<void> {
  for (const path of paths) {
    await page.goto(path);
    await expect(page.locator('h1, main').first()).toBeVisible();
    await expect(page.locator('.page-error'), path).toHaveCount(0);
  }
}

const listPages = (beginning: RegExp) =>
  builtAddresses.filter(({ kind, path }) => kind === 'page' && beginning.test(path)).map(({ path }) => path);

test.beforeEach(({ context }) => makeOld(context));

test('an employee reads, searches and hears in a browser without newer APIs', async ({
  page,
  signInAsEmployee,
  send,
}) => {
  const errors = watchErrors(page);
  await signInAsEmployee(page);
  const left = await page.evaluate(() => ['groupBy' in Map, 'any' in AbortSignal, 'requestIdleCallback' in window]);
  expect(left).toEqual([false, false, false]);
  await expect.poll(() => page.workers()[0]?.evaluate(() => 'groupBy' in Map)).toBe(false);
  await send({ judul: 'Gaji Oktober', jenis: 'gaji' });
  await expect(popUps(page).filter({ hasText: 'Gaji Oktober' })).toBeVisible(within20s);
  await send({ judul: 'Kabar kantin' });
  await page.goto('/portal/notifications');
  await expect(entries(page)).toHaveCount(2);
  await waitForAction(page, () => page.getByRole('button', { name: 'Tandai sudah dibaca: Gaji Oktober' }).click());
  await page.getByTitle('Cari judul atau isi').click();
  await page.getByRole('searchbox', { name: 'Cari judul atau isi' }).fill('kantin');
  await page.keyboard.press('Enter');
  await expect(entries(page)).toHaveCount(1);
  await visitAll(page, listPages(/^\/portal(?:\/|$)/));
  expect(errors).toEqual([]);
});

test('an owner creates a key, hires and sends in a browser without newer APIs', async ({ page, company, signIn }) => {
  const errors = watchErrors(page);
  await addPlansAndJoins(company.owner);
  await signIn(page, company.username, '/owner/employees');
  await page.getByRole('button', { name: 'Tambah karyawan' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Nama' }).fill('Ujang');
  await dialog.getByRole('textbox', { name: 'Peran' }).fill('Kasir');
  await dialog.getByRole('button', { name: 'Simpan' }).click();
  await expect(page.locator('[data-employee]')).toContainText('Ujang');
  await page.goto('/owner/keys');
  await createOnPage(page, 'mesin kasir');
  await page.getByRole('button', { name: 'Salin kunci' }).click();
  await expect(page.getByRole('button', { name: 'Tersalin' })).toBeVisible();
  await saveKey(page);
  await page.goto('/owner/sends/new');
  await page.getByRole('textbox', { name: 'Judul' }).fill('Rapat');
  await page.getByRole('textbox', { name: 'Isi' }).fill('Pukul sembilan');
  await page.getByRole('button', { name: /^Opsi/ }).click();
  await page.getByRole('textbox', { name: 'Tautan' }).fill('/portal/help');
  await page.getByRole('button', { name: /^Kirim/ }).click();
  await heldBar(page).getByRole('link', { name: 'Lihat' }).click(afterUndoTime);
  await visitAll(page, listPages(/^\/owner(?:\/|$)/));
  expect(errors).toEqual([]);
});

test('the documentation and the pages before a sign-in work without newer APIs', async ({ page }) => {
  const errors = watchErrors(page);
  await visitAll(page, ['/login', '/setup', '/invite/unknown', ...listPages(/^\/docs(?:\/|$)/)]);
  await page.goto('/docs/recipes/php');
  await page.getByRole('button', { name: 'Salin notif.php' }).click();
  await expect(page.locator('.docs-said')).toHaveText('Tersalin');
  expect(errors).toEqual([]);
});

test('a browser older than these shows a notice at the top of a page, without a script', async ({ page }) => {
  const notice = page.locator('.old-browser');
  await page.goto('/login');
  await expect(notice).toBeHidden();
  await page.route('**/*.css', async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replace(
      /@supports not \(color:\s*color-mix\([^)]*\)\)/,
      '@supports not (color: none)',
    );
    await route.fulfill({ response, body });
  });
  await page.reload();
  await expect(notice).toContainText('Browser ini sudah terlalu tua');
});
