import type { Page } from 'playwright/test';
import { sql } from '#db/client.ts';
import { consoleProblems, expect, test, within20s } from '#e2e/support/browser/browser.ts';
import { allow, openHostPage, openPanel, pressSignIn, readyBell, service } from '#e2e/support/browser/host-page.ts';
import { type Company, makeCompany } from '#e2e/support/data/company.ts';
import { writeManualDraft } from '#e2e/support/data/sends.ts';
import { makeFrameSecret, openBell } from '#server/accounts/sessions/bell-offer.ts';

/** Opens a page that asks for the bell, and returns which pages may frame it by the service's answer. */
async function openAndReadAncestors(page: Page, address: string): Promise<string | undefined> {
  const answered = page.waitForResponse((response) => new URL(response.url()).pathname === '/embed');
  await page.goto(address);
  const policy = (await answered).headers()['content-security-policy'] ?? '';
  return /frame-ancestors ([^;]*)/.exec(policy)?.[1];
}

const framesWithBell = async (page: Page) => {
  const bells = page.frames().map((frame) => frame.$('.bell-button').catch(() => null));
  return (await Promise.all(bells)).filter((found) => found !== null).length;
};

test('only a page that the person’s company lists shows it', async ({ page, company, signInAsEmployee }) => {
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
  await signInAsEmployee(page);
  await expectNone(host.sister, "'none'");
  await expectNone(pretender.sister, "'self'");
  await allow(company, host.sister);
  expect(await openAndReadAncestors(page, host.sister)).toBe(host.sister);

  // A sandboxed frame of a listed page. Playwright may attach to it too late to see its response.
  const inner = `<script src='${service}/embed.js' async></script><staff-notifications></staff-notifications>`;
  await using sandbox = await openHostPage({ body: `<iframe sandbox="allow-scripts" srcdoc="${inner}"></iframe>` });
  await allow(company, sandbox.foreign);
  const refused = page.waitForEvent('console', (message) => message.text().includes("frame-ancestors 'none'"));
  await page.goto(sandbox.foreign);
  await refused;
  expect(await framesWithBell(page)).toBe(0);
  // Chromium reports each frame that it refuses.
  consoleProblems.splice(0, Infinity, ...consoleProblems.filter((text) => !text.includes('frame-ancestors')));
});

test('nothing in the frame confirms or archives, also under a picture', async ({ page, company, signInAsEmployee }) => {
  await using host = await openHostPage({ company });
  await signInAsEmployee(page);
  const { companyId } = company.owner;
  await writeManualDraft(company, { mustConfirm: true });
  await writeManualDraft(company, { answers: ['Ya', 'Tidak'] });
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
  await using host = await openHostPage({ company });
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
  await expect(page.locator('html')).toHaveAttribute('data-events', 'count 0, open 1');
  await expect(frame.getByRole('button', { name: 'Masuk', exact: true })).toBeVisible();
});

test('where the browser keeps no cookie, the frame says so', async ({ page, company, signInAsEmployee }) => {
  await using host = await openHostPage({ company });
  await signInAsEmployee(await page.context().newPage());
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

test('a page that only another company lists gets no cookie, and says so', async ({ page, signInAsEmployee }) => {
  await using host = await openHostPage();
  await allow(await makeCompany(), host.foreign);
  await signInAsEmployee(await page.context().newPage());
  const window = await openWindow(page, host);
  await expect(window.getByText('Perusahaan Anda belum mendaftarkan halaman ini')).toBeVisible(within20s);
  await expect(window.getByRole('main').getByRole('button')).toHaveCount(0);
  expect((await page.context().cookies()).filter(({ name }) => name === 'bell')).toEqual([]);
});

async function openWindow(page: Page, host: Awaited<ReturnType<typeof openHostPage>>): Promise<Page> {
  await page.goto(host.foreign);
  await openPanel(page);
  return pressSignIn(page);
}

const bellsOf = ({ owner }: Company) => sql()`
  select from audit_log where company_id = ${owner.companyId} and action = 'bell.open'`;

test('a stranger’s link or window asks and hands over nothing', async ({ page, company, signInAsEmployee }) => {
  const listed = 'https://hr.example.com';
  await allow(company, listed);
  await signInAsEmployee(page);
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

test('a press in the first half second counts for nothing', async ({ page, company, signInAsEmployee }) => {
  await using host = await openHostPage({ company });
  await signInAsEmployee(await page.context().newPage());
  const window = await openWindow(page, host);
  await window.clock.install();
  // A clock that goes on would let the half second pass on a busy machine.
  await window.clock.pauseAt(Date.now() + 60_000);
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
