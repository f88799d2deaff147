import type { Page } from 'playwright/test';
import { sql } from '#db/client.ts';
import { consoleProblems, expect, test, within20s } from '#e2e/support/browser/browser.ts';
import { allow, openHostPage, openPanel, pressSignIn, readyBell, service } from '#e2e/support/browser/host-page.ts';
import { type Company, makeCompany } from '#e2e/support/data/company.ts';
import { makeFrameSecret, openBell } from '#server/accounts/sessions/bell-offer.ts';

/** Opens a page that asks for the bell, and returns which pages may frame it by the service's answer. */
async function openAndReadAncestors(page: Page, address: string): Promise<string | undefined> {
  const answered = page.waitForResponse((response) => new URL(response.url()).pathname === '/embed');
  await page.goto(address);
  const policy = (await answered).headers()['content-security-policy'] ?? '';
  return /frame-ancestors ([^;]*)/.exec(policy)?.[1];
}

const framesWithBell = async (page: Page) => {
  const counts = await Promise.all(
    page.frames().map((frame) =>
      frame
        .locator('.bell-button')
        .count()
        .catch(() => 0),
    ),
  );
  return counts.reduce((sum, count) => sum + count, 0);
};

test.describe('who may show the bell', () => {
  // Chromium reports each frame that it refuses, which is what these tests want.
  test.afterEach(() => {
    consoleProblems.splice(0, Infinity, ...consoleProblems.filter((text) => !text.includes('frame-ancestors')));
  });

  test('only a page that the company of the person lists shows it, and no page around that one', async ({
    page,
    company,
    signIn,
  }) => {
    const frame = `<iframe src="${service}/embed?${new URLSearchParams({ origin: service })}"></iframe>`;
    await using host = await openHostPage();
    await using pretender = await openHostPage({ body: frame });
    await using around = await openHostPage({ body: `<iframe src="${host.foreign}"></iframe>` });
    const expectNone = async (address: string, ancestors: string) => {
      expect([address, await openAndReadAncestors(page, address)]).toEqual([address, ancestors]);
      expect([address, await framesWithBell(page)]).toEqual([address, 0]);
    };
    // Without a session.
    await expectNone(host.foreign, "'none'");
    await allow(company, host.foreign);
    await expectNone(around.foreign, host.foreign);
    // A page that only another company lists, and one that says it is one of the service.
    await allow(await makeCompany(), host.sister);
    await signIn(page, await company.giveAccount(await company.hire()));
    await expectNone(host.sister, "'none'");
    await expectNone(pretender.sister, "'self'");
    await allow(company, host.sister);
    expect(await openAndReadAncestors(page, host.sister)).toBe(host.sister);
  });

  test('a sandboxed frame of a listed page shows nothing', async ({ page, company }) => {
    const inner = `<script src='${service}/embed.js' async></script><staff-notifications></staff-notifications>`;
    await using host = await openHostPage({
      body: `<iframe sandbox="allow-scripts" srcdoc="${inner}"></iframe>`,
    });
    await allow(company, host.foreign);
    // Playwright may attach to a frame in a sandboxed frame too late to see its response.
    const refused = page.waitForEvent('console', (message) => message.text().includes("frame-ancestors 'none'"));
    await page.goto(host.foreign);
    await refused;
    expect(await framesWithBell(page)).toBe(0);
  });
});

test('nothing in the frame confirms or archives, so a button under a picture gains nothing', async ({
  page,
  company,
  signIn,
}) => {
  await using host = await openHostPage();
  await allow(company, host.sister);
  await signIn(page, await company.giveAccount(await company.hire()));
  const { companyId, accountId } = company.owner;
  await sql()`
    with sent as (update companies set last_no = 2 where id = ${companyId})
    insert into notifications (company_id, no, title, body, kind, reach, account_id, draft_id, must_confirm, answers)
    select ${companyId}, no, 'Aturan baru', 'Helm wajib dipakai.', 'info', 1, ${accountId}, gen_random_uuid(), true, answers
    from (values (1, null), (2, array['Ya', 'Tidak'])) as sent (no, answers)`;
  await page.goto(host.sister);
  const frame = await readyBell(page);
  await frame.getByRole('button', { name: 'Notifikasi, 2 belum dibaca' }).click();
  for (const no of [1, 2]) await frame.locator(`[data-no="${no}"] summary`).click();
  for (const name of ['Baca dan konfirmasi di portal', 'Baca dan jawab di portal'])
    await expect(frame.getByRole('link', { name })).toHaveAttribute('target', '_blank');
  await expect(frame.getByRole('button')).toHaveCount(2);
  await expect(frame.locator('form, [aria-keyshortcuts]')).toHaveCount(0);
  const [receipt] = await sql()`select read_at, confirmed_at from receipts where company_id = ${companyId} and no = 1`;
  expect([receipt?.read_at ?? null, receipt?.confirmed_at ?? null]).toEqual([null, null]);
});

test('messages of strangers do nothing, on the page and in the frame', async ({ page, company }) => {
  await using host = await openHostPage();
  await allow(company, host.sister);
  await page.goto(host.sister);
  const frame = await openPanel(page);
  await expect(frame.getByRole('button', { name: 'Masuk', exact: true })).toBeVisible();
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  await page.evaluate((service) => {
    const inner = document.querySelector('staff-notifications')?.shadowRoot?.querySelector('iframe')?.contentWindow;
    inner?.postMessage({ ticket: 'a'.repeat(100) }, service);
    postMessage({ count: 99, open: 0, width: 9999, height: 9999 }, '*');
  }, service);
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  expect(requests).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.dataset.events)).toBe('count 0, open 1');
  await expect(frame.getByRole('button', { name: 'Masuk', exact: true })).toBeVisible();
});

test('where the browser keeps no cookie for the frame, it says so and leads to the portal', async ({
  page,
  company,
  signIn,
}) => {
  await using host = await openHostPage();
  await allow(company, host.foreign);
  const portal = await page.context().newPage();
  await signIn(portal, await company.giveAccount(await company.hire()));
  // As a browser does that refuses the cookie.
  await page.route('**/portal/inbox?limit=1', async (route) => {
    await page.context().clearCookies({ name: 'bell' });
    await route.continue();
  });
  await page.goto(host.foreign);
  const frame = await openPanel(page);
  await (await pressSignIn(page)).getByRole('button', { name: 'Sambungkan lonceng' }).click();
  // Next has an alert of its own.
  const alert = frame.getByRole('alert').filter({ hasText: 'Browser ini tidak mengizinkan lonceng' });
  await expect(alert).toBeVisible(within20s);
  await expect(frame.getByRole('link', { name: 'Buka di portal' })).toHaveAttribute('href', '/portal');
});

test('a page that only another company lists gets no cookie after the sign-in, and the window says so', async ({
  page,
  company,
  signIn,
}) => {
  await using host = await openHostPage();
  await allow(await makeCompany(), host.foreign);
  const portal = await page.context().newPage();
  await signIn(portal, await company.giveAccount(await company.hire()));
  await page.goto(host.foreign);
  await openPanel(page);
  const window = await pressSignIn(page);
  await expect(window.getByText('Perusahaan Anda belum mendaftarkan halaman ini')).toBeVisible(within20s);
  await expect(window.getByRole('main').getByRole('button')).toHaveCount(0);
  expect((await page.context().cookies()).filter(({ name }) => name === 'bell')).toEqual([]);
});

const bellsOf = ({ owner }: Company) => sql()`
  select from audit_log where company_id = ${owner.companyId} and action = 'bell.open'`;

test('the link of a stranger, or a window that their page opens, asks nothing and hands over nothing', async ({
  page,
  company,
  signIn,
}) => {
  const listed = 'https://hr.example.com';
  await allow(company, listed);
  await signIn(page, await company.giveAccount(await company.hire()));
  // The stranger draws the secret of a frame, and the address says its hash.
  const { secret, code } = makeFrameSecret();
  const address = `${service}/embed/sign-in?${new URLSearchParams({ code, origin: listed })}`;
  await using host = await openHostPage({ body: `<button onclick="window.open('${address}')">Main</button>` });
  await page.goto(address);
  await expect(page.getByText('Buka jendela ini dari lonceng')).toBeVisible();
  await expect(page.getByRole('main').getByRole('button')).toHaveCount(0);
  await page.goto(host.foreign);
  const opened = page.context().waitForEvent('page');
  await page.getByRole('button', { name: 'Main' }).dblclick();
  const window = await opened;
  await expect(window.getByText('Buka jendela ini dari lonceng')).toBeVisible();
  await expect(window.getByRole('main').getByRole('button')).toHaveCount(0);
  // Also from elsewhere, with the secret and without the ticket.
  for (const ticket of ['', 'x'.repeat(43)])
    expect(await openBell({ secret, ticket, origin: listed }, { address: '192.0.2.1', client: '' })).toBeNull();
  expect(await bellsOf(company)).toHaveLength(0);
});

test('a press in the first half second of the window counts for nothing', async ({ page, company, signIn }) => {
  await using host = await openHostPage();
  await allow(company, host.foreign);
  const portal = await page.context().newPage();
  await signIn(portal, await company.giveAccount(await company.hire()));
  await page.goto(host.foreign);
  await openPanel(page);
  const window = await pressSignIn(page);
  await window.clock.install();
  await window.reload();
  const press = window.getByRole('button', { name: 'Sambungkan lonceng' });
  await expect(press).toBeDisabled();
  await window.clock.runFor(600);
  await expect(press).toBeEnabled();
  expect(await bellsOf(company)).toHaveLength(0);
});

test('the page around it loads less than 10 kB for the bell', async () => {
  const response = await fetch(`${service}/embed.js`);
  expect(response.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
  expect((await response.arrayBuffer()).byteLength).toBeLessThan(10_000);
});
