import { chromium, type Page } from 'playwright';
import postgres from 'postgres';
import type { Measured } from '#bench/report.ts';
import { findBrowser } from '#e2e/support/browser/find-browser.ts';
import { makeCompany } from '#e2e/support/data/company.ts';
import { openSessionOf } from '#e2e/support/data/owners.ts';
import { summarise } from '#e2e/support/figures.ts';
import { enterDatabase, type Stage } from '#e2e/support/service/stage.ts';

// A mid-range phone on a slow 4G connection, as Lighthouse throttles.
const slowFourG = { offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 };

/** P12: the largest contentful paint of the portal's first page on a throttled phone with an empty cache. */
export async function measurePages(stage: Stage): Promise<Measured[]> {
  const database = await stage.createDatabase();
  const service = await stage.startFront(database.url);
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const browser = await chromium.launch({ executablePath: findBrowser().path, args: [...sandbox, '--disable-gpu'] });
  try {
    const cookie = { ...(await makeReader(database)), url: service.url };
    const seconds: number[] = [];
    for (let round = 0; round < (stage.quick ? 1 : 5); round++) {
      const viewport = { width: 360, height: 740 };
      const context = await browser.newContext({ viewport, locale: 'id-ID', serviceWorkers: 'block' });
      await context.addCookies([cookie]);
      seconds.push((await paint(await context.newPage(), `${service.url}/portal/notifications`)) / 1000);
      await context.close();
    }
    const what = 'largest contentful paint of the list of notifications on a phone';
    const note = 'processor 4 times slower, 1.6 Mbit/s, 150 ms';
    return [{ id: 'P12', what, unit: 's', goal: { atMost: 2.5 }, ...summarise(seconds), note }];
  } finally {
    await browser.close();
  }
}

async function paint(page: Page, url: string): Promise<number> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Network.enable');
  await cdp.send('Network.emulateNetworkConditions', slowFourG);
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  await page.addInitScript(() => {
    new PerformanceObserver((list) => {
      Object.assign(window, { paintedMs: list.getEntries().at(-1)?.startTime });
    }).observe({ type: 'largest-contentful-paint', buffered: true });
  });
  await page.goto(url);
  await page.locator('html[data-ready]').waitFor({ state: 'attached' });
  // Late parts (sound button, connection state, pop-ups) may be painted too.
  await page.waitForTimeout(1500);
  return page.evaluate(() => (window as unknown as { paintedMs: number }).paintedMs);
}

// An employee with many notifications. Returns the cookie of their session.
async function makeReader({ url, adminUrl }: { url: string; adminUrl: string }) {
  await enterDatabase(url);
  const company = await makeCompany();
  const username = await company.giveAccount(await company.hire());
  const sql = postgres(adminUrl, { max: 1, onnotice: () => {} });
  await sql`
    insert into notifications (company_id, no, title, body, kind, reach, account_id)
    select c.id, c.last_no + n, 'Kabar nomor ' || n, repeat('isi notifikasi ', 8), 'info', 1, a.id
    from companies c join accounts a on a.company_id = c.id and a.is_owner, generate_series(1, 520) n`;
  await sql`update companies set last_no = last_no + 520`;
  await sql.end();
  const [name = '', value = ''] = (await openSessionOf(username)).split('=');
  return { name, value };
}
