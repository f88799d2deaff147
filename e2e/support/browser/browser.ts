import { setTimeout as pause } from 'node:timers/promises';
import { type BrowserContext, type BrowserContextOptions, test as base, expect, type Page } from 'playwright/test';
import { type Company, makeCompany, password } from '#e2e/support/data/company.ts';
import { openSessionOf } from '#e2e/support/data/owners.ts';
import { watchFetch } from '#e2e/support/http/documented.ts';
import { noteSeen } from '#e2e/support/service/secrets.ts';
import type { Employee } from '#server/principals.ts';

watchFetch();

/** What a browser test can do: it has a company of its own and signs in as anybody in it. */
export type Abilities = {
  company: Company;
  /** Opens a session without the form, and a page. On a page of the portal the sound is on then. */
  signIn: (page: Page, username: string, address?: string) => Promise<void>;
  /** Signs the owner in on the page of the test, and opens one of their pages. */
  openOwner: (address?: string) => Promise<Page>;
  /** Opens the portal in a browser of its own, as this employee, or as a new one. */
  openPortal: (employee?: Employee, address?: string) => Promise<Page>;
  signInAsEmployee: (page: Page, address?: string, name?: string) => Promise<Employee>;
  /** The page, with a new employee signed in and the sound on. */
  portal: Page;
  /** Returns how many tones the page of `portal` has played. */
  tones: () => Promise<number>;
  /** Calls the public interface as a program does: a ping, or with `fields` a send. */
  call: (call: Call) => Promise<{ status: number; requestId: string; reach: number }>;
  /** Sends with a key of the company; answers when the 200 arrived. */
  send: (fields: Record<string, unknown>) => Promise<number>;
  /** Opens a page in a browser of its own, as somebody else would, or the same person on another device. */
  visit: (options?: BrowserContextOptions) => Promise<Page>;
};

type Call = {
  key?: string;
  fields?: object;
  method?: string;
  headers?: Record<string, string>;
  address?: string;
  client?: string;
};

const readyLimitMs = 60_000;
const longestLookMs = 5000;

/** Makes every visit of a page wait until its buttons answer. */
export function steady(page: Page): Page {
  watchConsole(page.context());
  const failed: string[] = [];
  page.on('requestfailed', (request) => failed.push(`${request.url()}: ${request.failure()?.errorText}`));
  const wait = async () => {
    await page.locator('html[data-ready]').waitFor({ state: 'attached', timeout: readyLimitMs });
    // Content that replaces a loading state is in the page twice for a moment.
    await expect(page.locator('div[hidden][id^="S:"]')).toHaveCount(0);
  };
  const [goto, reload] = [page.goto.bind(page), page.reload.bind(page)];
  const waitAfter = async (response: Awaited<ReturnType<Page['goto']>>) => {
    await wait().catch(async (cause) => {
      const seen = { url: page.url(), status: response?.status(), failed, html: await readStart(page) };
      throw new Error(`a page did not get ready: ${JSON.stringify(seen)}`, { cause });
    });
    return response;
  };
  page.goto = async (...args) => waitAfter(await goto(...args));
  page.reload = async (...args) => waitAfter(await reload(...args));
  return page;
}

// A page that hangs does not answer, so the read has a time limit.
const readStart = (page: Page) =>
  Promise.race([
    page.content().then((html) => html.replace(/<script.*?<\/script>/gs, '').slice(0, 1500), String),
    pause(longestLookMs, 'no answer', { ref: false }),
  ]);

/** Fills in the name and the password of the form for a sign-in or a new account, and submits it. */
export async function submitAccount(page: Page, username: string, secret = password): Promise<void> {
  await page.locator('[name=username]').fill(username);
  await page.locator('[name=password]').fill(secret);
  await page.locator('form:has([name=password]) [type=submit]').click();
}

// Presses the heading of the portal, because before a press a page plays no sound.
async function signIn(page: Page, username: string, address = '/'): Promise<void> {
  const [name = '', value = ''] = (await openSessionOf(username)).split('=');
  const url = new URL(address, process.env.SERVICE_URL).origin;
  const cookie = { name, value, url, httpOnly: true, sameSite: 'Lax' } as const;
  await page.context().addCookies([cookie]);
  await page.goto(address);
  if (page.url().includes('/portal')) await page.getByRole('heading', { level: 1 }).first().click();
}

/** Counts the tones that pages play: oscillators that start while their context runs. */
export async function countTones(...pages: Page[]): Promise<() => Promise<number>> {
  for (const page of pages)
    await page.addInitScript(() => {
      const counter = window as unknown as { tones: number };
      counter.tones = 0;
      const start = OscillatorNode.prototype.start;
      OscillatorNode.prototype.start = function (when?: number) {
        if (this.context.state === 'running') counter.tones++;
        start.call(this, when);
      };
    });
  const tonesOf = (page: Page) => page.evaluate(() => (window as unknown as { tones: number }).tones);
  return async () => (await Promise.all(pages.map(tonesOf))).reduce((sum, tones) => sum + tones, 0);
}

// The contexts that the running test opened, which Playwright does not close.
const opened = new Set<BrowserContext>();

// Runs in the page: Playwright's own way to read the storage opens another page, which costs a second.
async function readStorage(): Promise<string> {
  const kept: unknown[] = [{ ...localStorage }, { ...sessionStorage }];
  const ask = <Value>(request: IDBRequest<Value>) =>
    new Promise<Value>((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  for (const { name } of await indexedDB.databases()) {
    const database = await ask(indexedDB.open(name ?? ''));
    for (const store of database.objectStoreNames)
      kept.push(await ask(database.transaction(store).objectStore(store).getAll()));
    database.close();
  }
  return JSON.stringify(kept);
}

// Notes the storage, without cookies. A page that the test froze or closed does not answer.
async function noteStorage(page: Page): Promise<void> {
  const noted = page.evaluate(readStorage).then(
    (kept) => noteSeen('storage', kept),
    () => {},
  );
  await Promise.race([noted, pause(longestLookMs, undefined, { ref: false })]);
}

export const test = base.extend<Abilities & { watched: undefined }, object>({
  browser: [
    async ({ browser }, use) => {
      const open = browser.newContext.bind(browser);
      browser.newContext = async (...args) => {
        const context = watchConsole(await open(...args));
        opened.add(context);
        return context;
      };
      await use(browser);
    },
    { scope: 'worker' },
  ],
  // No page of any test may violate its policy or lack a message.
  watched: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads this pattern
    async ({}, use) => {
      consoleProblems.length = 0;
      await use(undefined);
      await Promise.all([...opened].map((context) => context.close()));
      opened.clear();
      expect(consoleProblems, 'problems on the console of a page').toEqual([]);
    },
    { auto: true },
  ],
  page: async ({ page }, use) => {
    await use(steady(page));
    await noteStorage(page);
  },
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads this pattern
  company: async ({}, use) => use(await makeCompany()),
  // biome-ignore lint/correctness/noEmptyPattern: as above
  signIn: async ({}, use) => use(signIn),
  openOwner: async ({ page, company }, use) =>
    use(async (address) => {
      await signIn(page, company.username, address);
      return page;
    }),
  openPortal: async ({ company, visit }, use) =>
    use(async (employee, address) => {
      const portal = await visit();
      await signIn(portal, await company.giveAccount(employee ?? (await company.hire())), address);
      return portal;
    }),
  signInAsEmployee: async ({ company }, use) =>
    use(async (page, address, name = 'Karyawan Uji') => {
      const employee = await company.hire(name);
      await signIn(page, await company.giveAccount(employee), address);
      return employee;
    }),
  tones: async ({ page }, use) => use(await countTones(page)),
  portal: async ({ page, tones: _, signInAsEmployee }, use) => {
    await signInAsEmployee(page);
    await use(page);
  },
  visit: async ({ browser, baseURL }, use) =>
    use(async (options) =>
      steady(await (await browser.newContext({ baseURL, locale: 'id-ID', ...options })).newPage()),
    ),
  call: async ({ baseURL }, use) =>
    use(async ({ key, fields, method, headers, address = '203.0.113.7', client = 'curl/8.5' }) => {
      const own = { 'X-Forwarded-For': address, 'User-Agent': client, ...(key ? { 'X-API-Key': key } : {}) };
      const response = await fetch(`${baseURL}/api/v1/notif.php${fields ? '' : '?aksi=ping'}`, {
        method: method ?? (fields ? 'POST' : 'GET'),
        headers: { ...own, 'Content-Type': 'application/json', ...headers },
        body: fields && JSON.stringify({ judul: 'Judul', isi: 'Isi', ...fields }),
      });
      const { terkirim } = (await response.json()) as { terkirim: number };
      return { status: response.status, requestId: response.headers.get('x-request-id') ?? '', reach: terkirim };
    }),
  send: async ({ company, call }, use) => {
    let key: Promise<string> | undefined;
    await use(async (fields) => {
      key ??= company.newKey('Sistem Uji');
      const { status, reach } = await call({ key: await key, fields });
      expect(status).toBe(200);
      return reach;
    });
  },
});

export { expect };

export const popUps = (page: Page) => page.locator('[data-sonner-toast]');

/** The bar with what an owner or manager can still undo, on each of their pages. */
export const heldBar = (page: Page) => page.locator('.held-bar');

export async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Akun/ }).click();
  await page.getByRole('button', { name: 'Keluar', exact: true }).click();
  await expect(page).toHaveURL(/\/login/);
}

export const within20s = { timeout: 20_000 };

/** A send to everyone can be undone for 10 s and leaves after 13 s. */
export const afterUndoTime = { timeout: 40_000 };

export const entries = (page: Page) => page.locator('[data-no]:visible');

/** Clicks something that runs a form action, and waits for the action's response. */
export async function waitForAction(page: Page, act: () => Promise<void>): Promise<void> {
  const answered = page.waitForResponse((response) => response.request().method() === 'POST' && response.ok());
  await act();
  await answered;
}

/** Problems that pages reported to their console since the test began. A test with any of them fails. */
export const consoleProblems: string[] = [];

// A violation of the policy, a missing message, or a header that the browser does not understand.
const isProblem = (text: string) => /Content Security Policy|MISSING_MESSAGE|Permissions-Policy/.test(text);

const watched = new WeakSet<BrowserContext>();

/** Records the problems that the pages of this context report, also before a page runs a script. */
export function watchConsole(context: BrowserContext): BrowserContext {
  if (watched.has(context)) return context;
  watched.add(context);
  context.on('console', (message) => {
    if (isProblem(message.text())) consoleProblems.push(`${message.page()?.url()}: ${message.text()}`);
  });
  return context;
}
