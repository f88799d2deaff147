import papaparse from 'papaparse';
import type { Page } from 'playwright/test';
import { consoleProblems, entries, expect, popUps, test, within20s } from '#e2e/support/browser/browser.ts';
import { asPath, createRandom, naughtyTexts, packTexts } from '#e2e/support/data/random.ts';
import { unescapeFormulas } from '#server/exports/csv.ts';
import { draftLimits, isInternalPath } from '#server/notifications/field-rules.ts';

type Watched = Window & { hacked?: unknown; broken?: string[] };

/** Records what a hostile text does to a page: dialogs, errors, foreign requests, refusals of the policy. Lists them. */
async function watch(page: Page, baseURL = ''): Promise<() => Promise<string[]>> {
  const seen: string[] = [];
  page.on('dialog', async (dialog) => {
    seen.push(`dialog ${dialog.message()}`);
    await dialog.dismiss();
  });
  page.on('pageerror', (error) => seen.push(`error ${error.message}`));
  page.on('console', (message) => {
    if (/content security policy/i.test(message.text())) seen.push(message.text());
  });
  page.context().on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol.startsWith('http') && origin !== new URL(baseURL).origin) seen.push(`asked ${request.url()}`);
  });
  await page.addInitScript(() => {
    const watched = window as Watched;
    watched.broken = [];
    document.addEventListener('securitypolicyviolation', (event) => watched.broken?.push(event.violatedDirective));
  });
  return async () => {
    const { broken = [], ran } = await page.evaluate(() => {
      const { hacked, broken } = window as Watched;
      return { broken, ran: hacked !== undefined || 'vulnerable' in document || document.cookie.includes('hacked') };
    });
    return [...seen, ...broken, ...(ran ? ['a script ran'] : [])];
  };
}

// A page folds white space; the rest of a text stays as it was sent.
const folded = (texts: string[]) => texts.map((text) => text.replace(/\s+/gu, ' ').trim());

async function expectAll(page: Page, rows: string, texts: string[], older: string, path: string): Promise<void> {
  await page.goto(path);
  const shown: string[] = [];
  for (;;) {
    shown.push(...(await page.locator(rows).allTextContents()));
    const link = page.getByRole('link', { name: older });
    if ((await link.count()) === 0) break;
    await page.goto((await link.getAttribute('href')) ?? '');
  }
  const all = folded(shown);
  expect(folded(texts).filter((text) => !all.some((one) => one.includes(text)))).toEqual([]);
}

test('hostile texts do nothing in pop-up, inbox, audit log, sends and CSV files (T4, F5)', async ({
  page,
  context,
  company,
  signIn,
  signInAsEmployee,
  baseURL,
}) => {
  test.setTimeout(240_000);
  const [titles, bodies] = [packTexts(draftLimits.title), packTexts(draftLimits.body)];
  const keys: string[] = [];
  const employee = await signInAsEmployee(page, '/portal', '<img src=x onerror=window.hacked=1>');
  const found = await watch(page, baseURL);
  await page.goto('/portal');
  // Texts with markup come first, one after the other, because many at once become one summary pop-up.
  const alone = titles.filter((title) => title.includes('hacked=1')).slice(0, 3);
  expect(alone).toHaveLength(3);
  const send = async (judul: string, at: number) => {
    const key = keys[Math.floor(at / 50)] ?? '';
    const fields = { judul, isi: bodies[at % bodies.length], user_id: employee.employeeId };
    const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' };
    const init = { method: 'POST', headers, body: JSON.stringify(fields) };
    expect((await fetch(`${baseURL}/api/v1/notif.php`, init)).status, judul).toBe(200);
  };
  const all = [...new Set([...alone, ...titles])];
  for (let made = 0; made < all.length; made += 50) keys.push(await company.newKey());
  for (const [at, judul] of alone.entries()) {
    await send(judul, at);
    await expect(popUps(page).filter({ hasText: folded([judul])[0] }), judul).toHaveCount(1, within20s);
  }
  expect(await found()).toEqual([]);
  // The others arrive in the list below. A key sends one after the other, as programs do: of hundreds at
  // once, a busy service refuses those that would wait over 2 s.
  await page.goto('/docs');
  const sendRest = async (_: string, place: number) => {
    for (let at = Math.max(alone.length, place * 50); at < Math.min(all.length, (place + 1) * 50); at++)
      await send(all[at] ?? '', at);
  };
  await Promise.all(keys.map(sendRest));
  await page.goto('/portal/notifications');
  const more = page.getByRole('button', { name: 'Muat lagi' });
  for (let loaded = 20; loaded < titles.length; loaded += 20) {
    await expect(entries(page)).toHaveCount(loaded);
    await more.click();
  }
  await expect(entries(page)).toHaveCount(titles.length);
  const shown = folded(await entries(page).allTextContents()).join('\n');
  for (const text of folded([...titles, ...bodies])) expect(shown.includes(text), text).toBe(true);
  expect(await found()).toEqual([]);

  await context.clearCookies();
  await signIn(page, company.username);
  await expectAll(page, '[data-action="notification.send"]', titles, 'Lebih lama', '/owner/audit');
  await expectAll(page, '[data-send]', titles, 'Lebih lama', '/owner/sends');
  await page.goto('/owner/employees');
  await expect(page.getByText('<img src=x onerror=window.hacked=1>').first()).toBeVisible();
  for (const [name, column] of Object.entries({ audit: 4, sends: 6 })) {
    const csv = await page.request.get(`/owner/${name}/csv`);
    const { data } = papaparse.parse<string[]>((await csv.text()).slice(1), { delimiter: ';' });
    const cells = data.map((row) => unescapeFormulas(row[column] ?? ''));
    expect(titles.filter((title) => !cells.some((cell) => cell.includes(title)))).toEqual([]);
    for (const cell of data.flat()) expect(cell).not.toMatch(/^\s*[=+\-@＝＋－＠](?!\d*$)/u);
  }
  expect(await found()).toEqual([]);
});

test('a link of any accepted path stays on the portal’s host (L2–L8)', async ({ page, baseURL }) => {
  const random = createRandom(7);
  const paths = [...naughtyTexts.map((text) => `/${text}`), ...Array.from({ length: 4000 }, () => asPath(random))];
  await page.goto('/login');
  const origins = await page.evaluate(
    (accepted) => accepted.map((href) => Object.assign(document.createElement('a'), { href }).origin),
    paths.filter(isInternalPath),
  );
  expect(origins.length).toBeGreaterThan(800);
  expect(new Set(origins)).toEqual(new Set([baseURL]));
});

test('injected scripts, handlers, styles, frames and base addresses have no effect (T4)', async ({ page }) => {
  const planted = [
    ...['<script>window.planted = 1</script>', '<img src="/none.png" onerror="window.planted = 2">'],
    ...['<script src="https://evil.example/x.js"></script>', '<style>body { --planted: 3 }</style>'],
    ...['<base href="https://evil.example/">', '<iframe src="/login"></iframe>', '<object data="/login"></object>'],
  ];
  await page.route('/login', async (route) => {
    const answer = await route.fetch();
    const body = (await answer.text()).replace('</body>', `${planted.join('')}</body>`);
    await route.fulfill({ response: answer, body });
  });
  const asked: string[] = [];
  await page.route('https://evil.example/**', (route) => {
    asked.push(route.request().url());
    return route.fulfill({ contentType: 'text/javascript', body: 'window.planted = 4' });
  });
  await page.goto('/login');
  const found = await page.evaluate(() => ({
    run: 'planted' in window,
    styled: getComputedStyle(document.body).getPropertyValue('--planted'),
    base: document.baseURI,
  }));
  expect(found).toEqual({ run: false, styled: '', base: page.url() });
  expect(asked).toEqual([]);
  // Every browser test fails on such consoleProblems, so this one proves that they arrive.
  expect(consoleProblems.length).toBeGreaterThanOrEqual(planted.length - 1);
  consoleProblems.length = 0;
});
