import { type Browser, chromium, type Page } from 'playwright';
import postgres from 'postgres';
import type { Measured } from '#bench/report.ts';
import { findBrowser } from '#e2e/support/browser/find-browser.ts';
import { enterDatabase } from '#e2e/support/data/callers.ts';
import { makeCompany } from '#e2e/support/data/company.ts';
import { openSessionOf } from '#e2e/support/data/owners.ts';
import { summarise } from '#e2e/support/figures.ts';
import type { Stage } from '#e2e/support/service/stage.ts';

// A mid-range phone on a slow 4G connection, as Lighthouse throttles.
const slowFourG = { offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 };
const cpuSlowdown = 4;
const listed = 500;

type Painted = { lcpMs: number; shift: number };

/**
 * P12: the portal's first page on a throttled phone with an empty cache: largest
 * contentful paint and layout shift. And the time from a key press to its paint in a list of
 * 500 notifications.
 */
export async function measurePages(stage: Stage): Promise<Measured[]> {
  const database = await stage.createDatabase();
  const service = await stage.startFront(database.url);
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const browser = await chromium.launch({ executablePath: findBrowser().path, args: [...sandbox, '--disable-gpu'] });
  try {
    const cookies = await openCompany(browser, service.url, database);
    const open = async () => {
      const context = await browser.newContext({
        baseURL: service.url,
        storageState: cookies,
        viewport: { width: 360, height: 740 },
        locale: 'id-ID',
        serviceWorkers: 'block',
      });
      return context.newPage();
    };
    const rounds = Array.from({ length: stage.quick ? 1 : 5 });
    const list: Painted[] = [];
    for (const _ of rounds) list.push(await paint(await open(), '/portal/notifications'));
    const pressed = await pressKeys(await open(), stage.quick ? 10 : 60);
    return [
      ...describe('the list of notifications', list),
      {
        id: 'P12',
        what: `a key press in a list of ${listed} until it is painted, processor 4 times slower`,
        unit: 'ms',
        goal: { atMost: 200 },
        ...summarise(pressed),
      },
    ] satisfies Measured[];
  } finally {
    await browser.close();
    await service.stop();
  }
}

function describe(page: string, painted: Painted[]): Measured[] {
  const note = 'processor 4 times slower, 1.6 Mbit/s, 150 ms';
  return [
    {
      id: 'P12',
      what: `largest contentful paint of ${page} on a phone`,
      unit: 's',
      goal: { atMost: 2.5 },
      ...summarise(painted.map(({ lcpMs }) => lcpMs / 1000)),
      note,
    },
    {
      id: 'P12',
      what: `layout shift of ${page}`,
      unit: '',
      goal: { atMost: 0.05 },
      ...summarise(painted.map(({ shift }) => shift)),
      note,
    },
  ];
}

async function paint(page: Page, path: string): Promise<Painted> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Network.enable');
  await cdp.send('Network.emulateNetworkConditions', slowFourG);
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: cpuSlowdown });
  await page.addInitScript(() => {
    const seen = { lcpMs: 0, shift: 0 };
    Object.assign(window, { seen });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) seen.lcpMs = entry.startTime;
    }).observe({ type: 'largest-contentful-paint', buffered: true });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) seen.shift += (entry as PerformanceEntry & { value: number }).value;
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await openReady(page, path);
  // Late parts (sound button, connection state, pop-ups) may shift the page too.
  await page.waitForTimeout(1500);
  const seen = await page.evaluate(() => (window as unknown as { seen: Painted }).seen);
  await page.context().close();
  return seen;
}

async function pressKeys(page: Page, presses: number): Promise<number[]> {
  await openReady(page, '/portal/notifications');
  for (let shown = 20; shown < listed; shown += 20) {
    await page.getByRole('button', { name: 'Muat lagi' }).click();
    await page.locator(`[data-no] >> nth=${shown + 19}`).waitFor();
  }
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: cpuSlowdown });
  const took: number[] = [];
  for (let press = 0; press < presses; press++) {
    await page.evaluate(() => {
      addEventListener(
        'keydown',
        ({ timeStamp }) =>
          requestAnimationFrame(() => setTimeout(() => Object.assign(window, { took: performance.now() - timeStamp }))),
        { once: true, capture: true },
      );
    });
    await page.keyboard.press('j');
    took.push(
      (await page
        .waitForFunction(() => {
          const kept = window as unknown as { took?: number };
          const value = kept.took;
          kept.took = undefined;
          return value;
        })
        .then((handle) => handle.jsonValue())) as number,
    );
  }
  await page.context().close();
  return took;
}

// An employee with many notifications. Returns the cookies of their session.
async function openCompany(browser: Browser, base: string, { url, adminUrl }: { url: string; adminUrl: string }) {
  await enterDatabase(url);
  const company = await makeCompany();
  const username = await company.giveAccount(await company.hire());
  const sql = postgres(adminUrl, { max: 1, onnotice: () => {} });
  await sql`
    insert into notifications (company_id, no, title, body, kind, reach, account_id)
    select c.id, c.last_no + n, 'Kabar nomor ' || n, repeat('isi notifikasi ', 8), 'info', 1, a.id
    from companies c join accounts a on a.company_id = c.id and a.is_owner, generate_series(1, ${listed + 20}) n`;
  await sql`update companies set last_no = last_no + ${listed + 20}`;
  await sql.end();
  const context = await browser.newContext({ baseURL: base });
  const [name = '', value = ''] = (await openSessionOf(username)).split('=');
  await context.addCookies([{ name, value, url: base }]);
  const state = await context.storageState();
  await context.close();
  return state;
}

// Opens a page and waits until its buttons react.
async function openReady(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await page.locator('html[data-ready]').waitFor({ state: 'attached' });
  // React moves streamed content out of these elements; until then it is in the page twice.
  await page.waitForFunction(() => document.querySelector('div[hidden][id^="S:"]') === null);
}
