// `npm run pictures -- FOLDER` photographs pages of a made-up company at 1280 × 800 and 360 × 740 in
// both themes. `--language en` takes them in English, `--only home,keys` takes some pages, `--size
// phone` and `--theme light` take one of each, `--whole` takes whole pages, `--sheet FILE` puts all of
// them on one picture.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright';
import { makePicturedCompany, type PicturedCompany } from '#e2e/pictures/company.ts';
import { enterDatabase } from '#harness/callers.ts';
import { findBrowser } from '#harness/find-browser.ts';
import { withStage } from '#harness/stage.ts';
import { buildIfNeeded } from '#server/runtime/build.ts';

type Who = 'owner' | 'manager' | 'employee' | 'stranger';
type Shot = { name: string; who: Who; path: string; act?: (page: Page) => Promise<unknown> };

const shots = ({ no, toRoles, join, wait }: PicturedCompany): Shot[] => [
  { name: 'login', who: 'stranger', path: '/login' },
  { name: 'home', who: 'owner', path: '/owner' },
  { name: 'sends', who: 'owner', path: '/owner/sends' },
  { name: 'send', who: 'owner', path: `/owner/sends/${no}` },
  { name: 'compose', who: 'owner', path: '/owner/sends/new' },
  {
    ...{ name: 'compose-repeat', who: 'owner', path: '/owner/sends/new' },
    act: async (page) => {
      const choice = page.locator('[data-when] input[value=repeat]');
      await choice.evaluate((input: HTMLInputElement) => input.click());
      await page.locator('[data-when]').scrollIntoViewIfNeeded();
    },
  },
  { name: 'employees', who: 'owner', path: '/owner/employees' },
  { name: 'employee', who: 'owner', path: '/owner/employees/1' },
  { name: 'keys', who: 'owner', path: '/owner/keys' },
  { name: 'key', who: 'owner', path: '/owner/keys/1' },
  { name: 'audit', who: 'owner', path: '/owner/audit' },
  { name: 'refused', who: 'owner', path: '/owner/audit/refused' },
  { name: 'settings', who: 'owner', path: '/owner/settings' },
  { name: 'settings-company', who: 'owner', path: '/owner/settings/company' },
  { name: 'settings-access', who: 'owner', path: '/owner/settings/access' },
  { name: 'settings-alarms', who: 'owner', path: '/owner/settings/alarms' },
  { name: 'statistics', who: 'owner', path: '/owner/statistics' },
  { name: 'manager', who: 'manager', path: '/owner' },
  { name: 'manager-settings', who: 'manager', path: '/owner/settings' },
  { name: 'portal', who: 'employee', path: '/portal' },
  { name: 'inbox', who: 'employee', path: '/portal/notifications' },
  { name: 'notification', who: 'employee', path: `/portal/notifications/${no}` },
  { name: 'portal-settings', who: 'employee', path: '/portal/settings' },
  { name: 'compose-roles', who: 'owner', path: '/owner/sends/new', act: chooseRoles },
  { name: 'sends-templates', who: 'owner', path: '/owner/sends/templates' },
  { name: 'sends-planned', who: 'owner', path: '/owner/sends/planned' },
  { name: 'plan', who: 'owner', path: '/owner/sends/planned', act: (page) => follow(page, '/owner/sends/planned/') },
  {
    name: 'template',
    who: 'owner',
    path: '/owner/sends/templates',
    act: (page) => follow(page, '/owner/sends/templates/'),
  },
  { name: 'send-to-roles', who: 'owner', path: `/owner/sends/${toRoles}` },
  { name: 'joining', who: 'owner', path: '/owner/employees/join' },
  { name: 'import', who: 'owner', path: '/owner/employees/import' },
  { name: 'import-preview', who: 'owner', path: '/owner/employees/import', act: checkList },
  { name: 'employees-chosen', who: 'owner', path: '/owner/employees', act: choosePeople },
  { name: 'archive', who: 'employee', path: '/portal/notifications?filter=archive' },
  { name: 'put-away', who: 'employee', path: '/portal/notifications', act: putAway },
  { name: 'join', who: 'stranger', path: join },
  { name: 'join-wait', who: 'stranger', path: wait },
  { name: 'docs', who: 'stranger', path: '/docs' },
];

// Opens the last link of the page's content to a page below `path`.
async function follow(page: Page, path: string): Promise<void> {
  await page.locator(`main a[href^="${path}"]`).last().click();
  await page.waitForURL(({ pathname }) => pathname !== path && pathname.startsWith(path));
  await page.locator('main form').waitFor();
}

async function putAway(page: Page): Promise<void> {
  await page.locator('[data-no] button[aria-haspopup=dialog]').first().click();
  await page.getByRole('dialog').waitFor();
}

async function choosePeople(page: Page): Promise<void> {
  for (const at of [1, 2, 3]) await page.getByRole('checkbox').nth(at).click();
}

async function chooseRoles(page: Page): Promise<void> {
  await page.locator('input[type=radio][value=roles]').check();
  for (const role of ['Gudang', 'Kasir']) await page.getByRole('checkbox', { name: role }).first().check();
}

async function checkList(page: Page): Promise<void> {
  const list =
    'Nomor staf;Nama;Peran\nK-0001;Karyawan Contoh Dua 1;Kepala gudang\nK-9001;Calon Contoh Enam;Kasir\n;;Sopir';
  await page.locator('textarea').fill(list);
  await page.locator('main button[type=submit]').click();
  await page.waitForURL(/import\/[0-9a-f-]{36}/);
  await page.locator('html[data-ready]').waitFor({ state: 'attached' });
}

const sizes = { desktop: { width: 1280, height: 800 }, phone: { width: 360, height: 740 } };
const themes = ['light', 'dark'] as const;

const { values: given, positionals } = parseArgs({
  options: {
    language: { type: 'string', default: 'id' },
    only: { type: 'string' },
    sheet: { type: 'string' },
    size: { type: 'string' },
    theme: { type: 'string' },
    whole: { type: 'boolean' },
  },
  allowPositionals: true,
});
const folder = positionals[0] ?? 'pictures';
const wanted = given.only?.split(',');

mkdirSync(folder, { recursive: true });
await buildIfNeeded();
await withStage(true, async (stage) => {
  const { url, adminUrl } = await stage.createDatabase();
  await enterDatabase(url);
  const company = await makePicturedCompany(adminUrl);
  const service = await stage.startFront(url);
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const browser = await chromium.launch({ executablePath: findBrowser().path, args: [...sandbox, '--disable-gpu'] });
  const cookies = {
    stranger: undefined,
    owner: await signIn(browser, service.url, company.ownerName, company.password),
    manager: await signIn(browser, service.url, company.managerName, company.password),
    employee: await signIn(browser, service.url, company.employeeName, company.password),
  };
  for (const [size, viewport] of Object.entries(sizes).filter(([name]) => !given.size || name === given.size))
    for (const theme of themes.filter((name) => !given.theme || name === given.theme))
      for (const who of ['stranger', 'owner', 'manager', 'employee'] as const) {
        const context = await browser.newContext({
          baseURL: service.url,
          viewport,
          colorScheme: theme,
          locale: given.language,
          storageState: cookies[who],
          serviceWorkers: 'block',
        });
        await context.addCookies([{ name: 'language', value: given.language, url: service.url }]);
        for (const shot of shots(company))
          if (shot.who === who && (!wanted || wanted.includes(shot.name)))
            await take(context, shot, join(folder, `${shot.name}-${size}-${theme}.png`));
        await context.close();
      }
  if (given.sheet) await makeSheet(browser, given.sheet);
  await browser.close();
});

async function signIn(browser: Browser, baseURL: string, username: string, password: string) {
  const context = await browser.newContext({ baseURL });
  const answer = await context.request.post('/api/auth/sign-in', {
    headers: { origin: baseURL },
    data: { username, password },
  });
  if (!answer.ok()) throw new Error(`the sign-in of ${username} was answered ${answer.status()}`);
  const state = await context.storageState();
  await context.close();
  return state;
}

async function take(context: BrowserContext, { path, act }: Shot, file: string): Promise<void> {
  const page = await context.newPage();
  await page.goto(path);
  await page.locator('html[data-ready]').waitFor({ state: 'attached' });
  await page.waitForFunction(() => document.querySelector('div[hidden][id^="S:"]') === null);
  await page.waitForFunction(() => document.querySelector('.mantine-Skeleton-root') === null);
  await act?.(page);
  await page.waitForFunction(() => document.querySelector('.mantine-Skeleton-root') === null);
  await page.screenshot({ path: file, animations: 'disabled', fullPage: given.whole ?? false });
  await page.close();
}

/** Puts all pictures of the folder on one page, small, with their names. */
async function makeSheet(browser: Browser, file: string): Promise<void> {
  const names = readdirSync(folder).filter((name) => name.endsWith('.png'));
  const image = (name: string) =>
    `<figure><img src="data:image/png;base64,${readFileSync(join(folder, name)).toString('base64')}"><figcaption>${name.replace('.png', '')}</figcaption></figure>`;
  const styles =
    'body{display:flex;flex-wrap:wrap;gap:16px;font:12px system-ui;background:#888}img{height:320px}figure{margin:0}';
  const page = await browser.newPage({ viewport: { width: 2000, height: 100 } });
  await page.setContent(`<style>${styles}</style>${names.map(image).join('')}`);
  writeFileSync(file, await page.screenshot({ fullPage: true, type: 'jpeg', quality: 60 }));
  await page.close();
}
