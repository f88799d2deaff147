import {
  type BrowserContext,
  type BrowserContextOptions,
  test as base,
  expect,
  type Page,
  type Response,
} from 'playwright/test';
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
  /** Adds an employee with an account and signs them in. */
  signInAsEmployee: (page: Page, address?: string, name?: string) => Promise<Employee>;
  /** The page, with a new employee signed in and the sound on. */
  portal: Page;
  /** Returns how many tones the page of `portal` has played. */
  tones: () => Promise<number>;
  /** Sends over the public interface, as any script would; answers when the 200 arrived. */
  send: (fields: Record<string, unknown>) => Promise<number>;
  /** Opens a page in a browser of its own, as somebody else would, or the same person on another device. */
  visit: (options?: BrowserContextOptions) => Promise<Page>;
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
  const describe = async (response: Response | null) =>
    JSON.stringify({
      url: page.url(),
      status: response?.status(),
      failed: failed.slice(-5),
      html: await readStart(page),
    });
  const [goto, reload] = [page.goto.bind(page), page.reload.bind(page)];
  const waitAfter = async (response: Response | null) => {
    await wait().catch(async (cause) => {
      throw new Error(`a page did not get ready: ${await describe(response)}`, { cause });
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
    new Promise<string>((resolve) => setTimeout(resolve, longestLookMs, 'no answer')),
  ]);

const originOf = (address = '') => new URL(address, process.env.SERVICE_URL).origin;

/** Fills in the name and the password of the form for a sign-in or a new account, and submits it. */
export async function submitAccount(page: Page, username: string, secret = password): Promise<void> {
  await page.locator('[name=username]').fill(username);
  await page.locator('[name=password]').fill(secret);
  await page.locator('form:has([name=password]) [type=submit]').click();
}

// Presses the heading of the portal, because before a press a page plays no sound.
async function signIn(page: Page, username: string, address = '/'): Promise<void> {
  const [name = '', value = ''] = (await openSessionOf(username)).split('=');
  const cookie = { name, value, url: originOf(address), httpOnly: true, sameSite: 'Lax' } as const;
  await page.context().addCookies([cookie]);
  await page.goto(address);
  if (page.url().includes('/portal')) await page.getByRole('heading', { level: 1 }).first().click();
}

/** Counts the tones that a page plays: oscillators that start while their context runs. */
export async function countTones(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    const counter = window as unknown as { tones: number };
    counter.tones = 0;
    const start = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (when?: number) {
      if (this.context.state === 'running') counter.tones++;
      start.call(this, when);
    };
  });
  return () => page.evaluate(() => (window as unknown as { tones: number }).tones);
}

/** Waits until the sound of a portal page is on: what arrives before that does not ring. */
export const expectSoundOn = (page: Page) => expect(page.locator('[data-sound=on]').first()).toBeVisible();

/** Checks that a page plays no further tone for longer than the 5 s between two chimes. */
export async function expectNoMoreTones(page: Page): Promise<void> {
  const played = () => (window as unknown as { tones: number }).tones;
  const before = await page.evaluate(played);
  const more = page.waitForFunction((count) => (window as unknown as { tones: number }).tones > count, before, {
    timeout: 7000,
  });
  await expect(more).rejects.toThrow(/Timeout/);
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
  const look = async () => {
    noteSeen('storage', await page.evaluate(readStorage));
  };
  await new Promise<void>((resolve) => {
    const late = setTimeout(resolve, longestLookMs);
    const done = () => {
      clearTimeout(late);
      resolve();
    };
    look().then(done, done);
  });
}

export const test = base.extend<Abilities & { problemsChecked: undefined; closed: undefined }, object>({
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
  closed: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads this pattern
    async ({}, use) => {
      await use(undefined);
      await Promise.all([...opened].map((context) => context.close()));
      opened.clear();
    },
    { auto: true },
  ],
  // No page of any test may violate its policy or lack a message.
  problemsChecked: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads this pattern
    async ({}, use) => {
      consoleProblems.length = 0;
      await use(undefined);
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
  send: async ({ company, baseURL }, use) => {
    let key: Promise<string> | undefined;
    await use(async (fields) => {
      key ??= company.newKey('Sistem Uji');
      const headers = { 'X-API-Key': await key, 'Content-Type': 'application/json' };
      const body = JSON.stringify({ judul: 'Judul', isi: 'Isi', ...fields });
      const response = await fetch(`${baseURL}/api/v1/notif.php`, { method: 'POST', headers, body });
      expect(response.status).toBe(200);
      return ((await response.json()) as { terkirim: number }).terkirim;
    });
  },
});

export { expect };

/** The pop-ups on the page. */
export const popUps = (page: Page) => page.locator('[data-sonner-toast]');

/** The bell, when it says that so many are unread. */
export const bell = (page: Page, unread: number) =>
  page.getByRole('link', {
    name: unread === 0 ? 'Notifikasi, semua sudah dibaca' : `Notifikasi, ${unread} belum dibaca`,
  });

/** What shows the state of the sound in the header, and opens its panel. */
export const soundButton = (page: Page) => page.getByRole('banner').getByRole('button', { name: /^Suara · / });

/** The line that says when the page cannot hear or ring. */
export const statusBar = (page: Page) => page.locator('.status-bar');

/** The bar with what an owner or manager can still undo, on each of their pages. */
export const heldBar = (page: Page) => page.locator('.held-bar');

/** The form for a message. */
export const composer = (page: Page) => ({
  to: page.getByRole('button', { name: /^Kepada/ }),
  options: page.getByRole('button', { name: /^Opsi/ }),
  title: page.getByRole('textbox', { name: 'Judul' }),
  body: page.getByRole('textbox', { name: 'Isi' }),
  link: page.getByRole('textbox', { name: 'Tautan' }),
  submit: page.getByRole('button', { name: /^Kirim( ke|$)/ }),
});

/** Chooses the recipients in the form of a message: "Satu orang", "Peran" or "Beberapa orang". */
export async function sendTo(page: Page, choice: string): Promise<void> {
  await composer(page).to.click();
  await page.getByRole('radiogroup', { name: 'Kepada' }).getByText(choice, { exact: true }).click();
}

/** The promise, as a time limit of an expectation. */
export const within20s = { timeout: 20_000 };

/** A send to everyone can be undone for 10 s and leaves after 13 s. */
export const afterUndoTime = { timeout: 40_000 };

/** The entries of a list of notifications. */
export const entries = (page: Page) => page.locator('[data-no]:visible');

/** Loads the page again until this holds: the service stores some things after its answer. */
export const reloadUntil = (page: Page, holds: () => Promise<void>) =>
  expect(async () => {
    await page.reload();
    await holds();
  }).toPass({ timeout: 40_000 });

/** Clicks something that runs a form action, and waits for the action's response. */
export async function waitForAction(page: Page, act: () => Promise<void>): Promise<void> {
  const answered = page.waitForResponse((response) => response.request().method() === 'POST' && response.ok());
  await act();
  await answered;
}

/** Opens the portal in a page that nobody has pressed: evaluating anything would count as a press. */
export async function openUntouched(context: BrowserContext): Promise<Page> {
  const fresh = await context.newPage();
  const started = fresh.waitForEvent('worker');
  await fresh.goto('/portal');
  await started;
  return fresh;
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
