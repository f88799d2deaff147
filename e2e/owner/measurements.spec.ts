import type { Page } from 'playwright/test';
import { expect, test } from '#e2e/support/browser/browser.ts';
import { makeBadDay } from '#e2e/support/data/bad-day.ts';

// `end`: the last visible pixel of a page; on a phone the menu begins there.
const screens = {
  phone: { width: 360, height: 740, end: 680 },
  desktop: { width: 1280, height: 800, end: 800 },
  low: { width: 740, height: 360, end: 360 },
};

type Rows = { phone: number; desktop: number; low?: number };

// How many rows must be wholly visible without scrolling, at least.
const lists: Record<string, Rows> = {
  '/owner/employees': { phone: 5, desktop: 10, low: 3 },
  '/owner/employees/join': { phone: 5, desktop: 5 },
  '/owner/sends': { phone: 5, desktop: 9 },
  // Its card of missed times is larger than the screen of a phone.
  '/owner/sends/planned': { phone: 0, desktop: 1 },
  '/owner/sends/templates': { phone: 2, desktop: 3 },
  '/owner/keys': { phone: 4, desktop: 7 },
  '/owner/keys?state=revoked': { phone: 1, desktop: 1 },
  '/owner/audit': { phone: 5, desktop: 10 },
  '/owner/audit/refused': { phone: 3, desktop: 8 },
  '/owner/sends/444': { phone: 4, desktop: 8 },
  '/portal/notifications': { phone: 6, desktop: 8, low: 3 },
};

async function measure(page: Page, end: number): Promise<{ y: number; rows: number }> {
  const rows = page.locator('main :is(.list-row, .message-cards > li, .entry):visible');
  await rows.first().waitFor();
  // On a low screen, what is above the rows scrolls away.
  if (end < 500) await rows.first().evaluate((row) => row.scrollIntoView());
  return rows.evaluateAll((all, end) => {
    const boxes = all.map((row) => row.getBoundingClientRect());
    const bottoms = boxes.map(({ bottom }) => Math.round(bottom));
    return { y: Math.round(boxes[0]?.top ?? 0), rows: bottoms.filter((bottom) => bottom <= end).length };
  }, end);
}

// From where the first message or person is shown, at most, below an alarm and with all that waits for the owner.
const firsts: Record<string, { rows: string; phone: number; desktop: number }> = {
  '/owner': { rows: '#recent .list-row', phone: 400, desktop: 420 },
  '/owner/sends/444': { rows: '[data-person]', phone: 400, desktop: 370 },
  '/owner/keys/': { rows: '#sends .list-row', phone: 420, desktop: 400 },
};

test('on a bad day the first rows are high on the first screen', async ({ company, signIn, visit, openOwner }) => {
  test.slow();
  const { username } = await makeBadDay(company);
  const portal = await visit();
  await signIn(portal, username);
  const page = await openOwner('/owner/keys');
  const key = await page.locator('[data-key="Stok malam"] a').first().getAttribute('href');
  const missing: string[] = [];
  for (const [path, wanted] of Object.entries(lists)) {
    const one = path.startsWith('/portal') ? portal : page;
    await one.goto(path);
    for (const screen of ['phone', 'desktop', 'low'] as const) {
      const { end, ...size } = screens[screen];
      const least = wanted[screen] ?? 0;
      if (least === 0) continue;
      await one.setViewportSize(size);
      const { y, rows } = await measure(one, end);
      if (rows < least) missing.push(`${path} on a ${screen} screen: ${rows} of ${least} rows, from ${y} px`);
    }
  }
  await company.addManager();
  for (const [path, { rows, ...most }] of Object.entries(firsts)) {
    await page.goto(path.endsWith('/') ? (key ?? '') : path);
    for (const screen of ['phone', 'desktop'] as const) {
      const { end: _, ...size } = screens[screen];
      await page.setViewportSize(size);
      await page.locator(rows).first().waitFor();
      const y = Math.round((await page.locator(rows).first().boundingBox())?.y ?? 0);
      if (y > most[screen]) missing.push(`${path} on a ${screen} screen: ${y} of ${most[screen]} px`);
    }
  }
  expect(missing).toEqual([]);
});

// Compressed kB of HTML, scripts and styles at a first visit, a little above the measured values: a page that streams is
// compressed in the pieces in which it comes, and weighs up to 2 kB more when it comes in more of them. With the heads of
// the answers it weighs 4 to 10 kB more. The goals are 150 for the sign-in and the bell, which do without Mantine, 190 for
// the inbox and 220 for others. React and Next's router take 113 kB, the frame and its components 40 kB, what listens for
// an employee 12 kB.
const budgets: Record<string, number> = {
  '/login': 138,
  '/embed?origin=http://127.0.0.1': 156,
  '/portal/notifications': 223,
  '/portal/notifications/444': 207,
  '/portal/settings': 223,
  '/portal/account': 214,
  '/owner': 217,
  '/owner/sends': 214,
  '/owner/sends/444': 221,
  '/owner/sends/new': 217,
  '/owner/sends/planned': 205,
  '/owner/employees': 210,
  '/owner/employees/join': 206,
  '/owner/keys': 207,
  '/owner/audit': 199,
  '/owner/statistics': 192,
  '/owner/settings': 205,
};

// Whether the last response ended more than a second ago. The portal's stream stays open.
function isQuiet(): boolean {
  const ends = performance
    .getEntriesByType('resource')
    .map((entry) => (entry as PerformanceResourceTiming).responseEnd);
  return document.readyState === 'complete' && performance.now() - Math.max(0, ...ends) > 1000;
}

function listBodies(): [name: string, bytes: number][] {
  return [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
    .map((entry) => entry as PerformanceResourceTiming)
    .filter(({ name, initiatorType }) => initiatorType === 'navigation' || /\.(?:js|css)(?:$|\?)/.test(name))
    .map(({ name, encodedBodySize }) => [name, encodedBodySize]);
}

async function weigh(page: Page, path: string): Promise<number> {
  await page.goto(path);
  await page.waitForFunction(isQuiet, null, { polling: 250 });
  // A worker shares files with its page; each counts once.
  const ofWorkers = await Promise.all(page.workers().map((worker) => worker.evaluate(listBodies)));
  const bodies = new Map([...(await page.evaluate(listBodies)), ...ofWorkers.flat()]);
  return Math.round([...bodies.values()].reduce((sum, one) => sum + one, 0) / 1000);
}

test.describe('at a first visit', () => {
  // A service worker would answer instead of the network.
  test.use({ serviceWorkers: 'block' });

  test('HTML, scripts and styles of a page stay within its budget', async ({ company, signIn, visit, openOwner }) => {
    test.setTimeout(240_000);
    const { username } = await makeBadDay(company);
    const [portal, stranger] = [await visit({ serviceWorkers: 'block' }), await visit({ serviceWorkers: 'block' })];
    const page = await openOwner();
    await signIn(portal, username);
    const reached: Record<string, number> = {};
    for (const path of Object.keys(budgets)) {
      const one = path === '/login' ? stranger : /^\/(?:portal|embed)/.test(path) ? portal : page;
      const cdp = await one.context().newCDPSession(one);
      await cdp.send('Network.setCacheDisabled', { cacheDisabled: true });
      reached[path] = await weigh(one, path);
      await cdp.detach();
    }
    console.log(JSON.stringify(reached));
    expect(Object.entries(reached).filter(([path, size]) => size > (budgets[path] ?? 0))).toEqual([]);
  });
});

type Shift = PerformanceEntry & { value: number; sources?: { node?: Node | null }[] };

/** How far a page moved while it loaded, without a press (Cumulative Layout Shift), and what moved. */
async function shiftOf(page: Page, path: string): Promise<{ shift: number; moved: string[] }> {
  await page.goto(path);
  await page.waitForFunction(isQuiet, null, { polling: 250 });
  return page.evaluate(
    () =>
      new Promise<{ shift: number; moved: string[] }>((resolve) => {
        const shifts: Shift[] = [];
        const observer = new PerformanceObserver((list) => shifts.push(...(list.getEntries() as Shift[])));
        observer.observe({ type: 'layout-shift', buffered: true });
        requestIdleCallback(() => {
          const nodes = shifts.flatMap(({ sources = [] }) => sources.map(({ node }) => node));
          resolve({
            shift: shifts.reduce((sum, { value }) => sum + value, 0),
            moved: nodes.map((node) => (node instanceof Element ? node.outerHTML.slice(0, 80) : `${node?.nodeName}`)),
          });
        });
      }),
  );
}

test('nothing moves while a page with alarm or picture loads', async ({ company, signIn, visit, openOwner }) => {
  test.setTimeout(240_000);
  const { mustRead, username } = await makeBadDay(company);
  const portal = await visit();
  const page = await openOwner();
  await signIn(portal, username);
  const message = `/sends/${mustRead}`;
  const paths = ['', '/employees', '/employees/join', '/sends/planned', '/keys', message, `${message}/1`];
  const inbox = '/portal/notifications';
  const moved: string[] = [];
  for (const one of [page, portal]) {
    await one.setViewportSize({ width: 360, height: 740 });
    const devtools = await one.context().newCDPSession(one);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 });
    const slow = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 90_000 };
    await devtools.send('Network.emulateNetworkConditions', slow);
  }
  for (const path of [...paths.map((rest) => `/owner${rest}`), inbox, `${inbox}/${mustRead}`]) {
    const { shift, moved: parts } = await shiftOf(path.startsWith(inbox) ? portal : page, path);
    if (shift > 0.02) moved.push(`${path}: ${shift.toFixed(3)} by ${parts.join(', ')}`);
  }
  expect(moved).toEqual([]);
});
