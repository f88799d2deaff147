import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright/test';
import { sql } from '#db/client.ts';
import { addPlansAndJoins } from '#e2e/owner/plans-and-joins.ts';
import { expect, test } from '#e2e/support/browser/browser.ts';
import { keep, principalOf } from '#e2e/support/data/calls.ts';
import type { Company } from '#e2e/support/data/company.ts';
import { makeJpeg } from '#e2e/support/data/pictures.ts';
import { setMustConfirmKinds } from '#server/companies/companies.ts';
import { raiseRepeats } from '#server/keys/alarms.ts';
import { createKey, fingerprintOf, revokeKey } from '#server/keys/keys.ts';

const givenNames = ['Adi', 'Budi', 'Citra', 'Dewi', 'Eka', 'Fajar', 'Gita', 'Hadi', 'Indah', 'Joko', 'Kartika', 'Made'];
const roles = ['Kasir', 'Gudang', 'Sopir', 'Admin', 'Operator Forklift', 'Kepala gudang'];
const keyNames = ['Absensi pabrik', 'Penggajian', 'Stok malam', 'Kasbon cabang', 'Timer produksi', 'Laporan harian'];
const titles: [kind: string, title: string][] = [
  ['info', 'Stok malam'],
  ['absen', 'Absen pagi belum lengkap'],
  ['gaji', 'Slip gaji bulan ini sudah dapat dilihat'],
  ['info', 'Rapat keselamatan kerja hari Senin pukul 10'],
  ['kasbon', 'Kasbon disetujui'],
  ['timer', 'Pergantian giliran sebentar lagi'],
];

/**
 * Fills a company as on a bad day: 61 people, 8 keys of which a revoked one is still called and one
 * is being replaced, 444 notifications, an alarm, 5 requests to join, plans and templates. 48 of the
 * people have an account. Returns the number of a message of today with a picture, which 49 must
 * still confirm, and the username of one of them who has read nothing.
 */
async function makeBadDay(company: Company): Promise<{ mustRead: number; username: string }> {
  const { companyId, accountId } = company.owner;
  await addPeople(companyId);
  const keyIds = await addKeys(company);
  await sql()`update companies set last_no = 444 where id = ${companyId}`;
  const sends = Array.from({ length: 438 }, (_, index) => {
    const [kind, title] = titles[index % titles.length] ?? ['info', 'Info'];
    return { no: index + 1, kind, title, keyId: keyIds[index % 4] };
  });
  await sql()`
    insert into notifications (company_id, no, title, body, kind, reach, key_id, created_at)
    select ${companyId}, no, title, 'Baca sebelum mulai kerja.', kind, 56, "keyId",
      now() - (445 - no) * interval '50 minutes' - interval '1 hour'
    from jsonb_to_recordset(${JSON.stringify(sends)}::text::jsonb) as s (no int, title text, kind text, "keyId" int)`;
  // The key whose text repeats raises the alarm.
  await sql()`
    insert into notifications (company_id, no, title, body, kind, reach, key_id)
    select ${companyId}, 437 + i, 'Stok malam', 'Rak 7 kosong.', 'info', 56, ${keyIds[2] ?? 0}
    from generate_series(2, 6) i`;
  await raiseRepeats([{ companyId, keyId: keyIds[2] ?? 0 }]);
  await setMustConfirmKinds(company.owner, ['gaji']);
  const draftId = randomUUID();
  await sql()`
    insert into notifications (company_id, no, title, body, kind, reach, account_id, draft_id, must_confirm, created_at)
    values (${companyId}, 444, 'Aturan baru di gudang', 'Helm wajib dipakai mulai besok.', 'info', 56, ${accountId},
      ${draftId}, true, now() - interval '50 minutes')`;
  await sql()`
    insert into notification_pictures (company_id, draft_id, jpeg, width, height)
    values (${companyId}, ${draftId}, ${makeJpeg(1200, 900)}, 1200, 900)`;
  await sql()`
    insert into receipts (company_id, employee_id, no, shown_at, read_at, confirmed_at)
    select ${companyId}, e.id, n.no, n.created_at + interval '20 s', n.created_at + interval '5 minutes',
      case when n.must_confirm then n.created_at + interval '6 minutes' end
    from (select id, row_number() over (order by id) as place from employees where company_id = ${companyId} and active) e
    join notifications n on n.company_id = ${companyId} and e.place <= case when n.no = 444 then 7 else 11 + n.no % 30 end`;
  await addPlansAndJoins(company.owner);
  const reader = await company.hire('Wayan Uji');
  await sql()`update employment set from_no = 0 where company_id = ${companyId} and employee_id = ${reader.employeeId}`;
  return { mustRead: 444, username: await company.giveAccount(reader) };
}

async function addPeople(companyId: number): Promise<void> {
  const people = Array.from({ length: 61 }, (_, index) => ({
    name: `${givenNames[index % givenNames.length]} ${index % 3 ? 'Contoh' : 'Karyawan Contoh'} ${1 + (index % 20)}`,
    role: roles[index % roles.length],
    active: index < 56,
    hasAccount: index < 48,
  }));
  await sql()`
    with people as (
      select row_number() over () as place, p.*
      from jsonb_to_recordset(${JSON.stringify(people)}::text::jsonb)
        as p (name text, role text, active boolean, "hasAccount" boolean)
    ), accounts as (
      insert into accounts (company_id, username, name, password_hash)
      select ${companyId}, 'karyawan-' || gen_random_uuid(), name || ' ' || place, 'none' from people where "hasAccount"
      returning id, name
    ), employees as (
      insert into employees (company_id, account_id, name, role, active)
      select ${companyId}, a.id, p.name, p.role, p.active
      from people p left join accounts a on a.name = p.name || ' ' || place returning id, active, account_id
    ), portals as (
      insert into portals (company_id, employee_id, browser_id, sound, seen_at)
      select ${companyId}, id, gen_random_uuid(), (array['on', 'on', 'muted', 'click'])[1 + nth % 4],
        now() - (nth % 12) * interval '1 day'
      from (select id, row_number() over (order by account_id) as nth from employees where account_id is not null) e
      where nth % 7 <> 0
    )
    insert into employment (company_id, employee_id, from_no, until_no)
    select ${companyId}, id, 0, case when active then null else 1 end from employees`;
  await sql()`update companies set active_employees = 56 where id = ${companyId}`;
}

// Six keys that work, one of them being replaced by the newest, and a revoked one that is still called.
async function addKeys({ owner, newKey }: Company): Promise<number[]> {
  const { companyId } = owner;
  const client = 'python-requests/2.32';
  const texts: string[] = [];
  for (const name of keyNames) texts.push(await newKey(name));
  const keys = await Promise.all(texts.map(principalOf));
  const gone = await newKey('Kasir lama');
  await revokeKey(owner, (await principalOf(gone)).id);
  await keep(
    { fingerprint: fingerprintOf(gone), rejection: { code: 'key_rejected' }, client },
    ...keys.map((key) => ({ key, operation: 'send' as const, client })),
    ...Array.from({ length: 24 }, (_, index) => ({
      key: keys[index % 3] ?? null,
      fingerprint: fingerprintOf(texts[index % 3] ?? ''),
      rejection: { code: 'url_not_internal' as const, field: 'url', parameters: { received: 'absolute' as const } },
      at: new Date(Date.now() - index * 60_000),
      client,
    })),
  );
  await createKey(owner, { name: 'Penggajian baru' }, keys[1]?.id ?? 0);
  await sql()`update api_keys set created_at = now() - interval '200 days' where company_id = ${companyId} and id = ${keys[4]?.id ?? 0}`;
  await sql()`update key_uses set last_at = now() - interval '120 days' where company_id = ${companyId} and key_id = ${keys[4]?.id ?? 0}`;
  return keys.map((key) => key.id);
}

// Where the menu of a phone begins.
const screens = {
  phone: { width: 360, height: 740, end: 680 },
  desktop: { width: 1280, height: 800, end: 800 },
  low: { width: 740, height: 360, end: 360 },
};

type Rows = { phone: number; desktop: number; low?: number };

// The rows that are wholly visible without scrolling, at least.
const lists: Record<string, Rows> = {
  '/owner/employees': { phone: 5, desktop: 10, low: 3 },
  '/owner/employees/join': { phone: 5, desktop: 5 },
  '/owner/sends': { phone: 5, desktop: 9 },
  // A card of missed times, which is larger than the screen of a phone.
  '/owner/sends/planned': { phone: 0, desktop: 1 },
  '/owner/sends/templates': { phone: 2, desktop: 3 },
  '/owner/keys': { phone: 4, desktop: 7 },
  '/owner/keys?state=revoked': { phone: 1, desktop: 1 },
  '/owner/audit': { phone: 5, desktop: 10 },
  '/owner/audit/refused': { phone: 3, desktop: 8 },
  '/owner/sends/444': { phone: 0, desktop: 6 },
  '/portal/notifications': { phone: 6, desktop: 8, low: 3 },
};

async function measure(page: Page, path: string, end: number): Promise<{ y: number; rows: number }> {
  await page.goto(path);
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

test('on a bad day the first rows of each list are on the first screen', async ({ page, company, signIn, visit }) => {
  test.slow();
  const { username } = await makeBadDay(company);
  const portal = await visit();
  await signIn(page, company.username);
  await signIn(portal, username);
  const missing: string[] = [];
  for (const [path, wanted] of Object.entries(lists)) {
    const one = path.startsWith('/portal') ? portal : page;
    for (const screen of ['phone', 'desktop', 'low'] as const) {
      const { end, ...size } = screens[screen];
      const least = wanted[screen] ?? 0;
      await one.setViewportSize(size);
      const { y, rows } = await measure(one, path, end);
      if (rows < least) missing.push(`${path} on a ${screen} screen: ${rows} of ${least} rows, from ${y} px`);
    }
  }
  expect(missing).toEqual([]);
});

// Compressed kB of HTML, scripts and styles at a first visit, a little above what was reached. React and
// the router of Next are 114 of them. The aim is 120 for the sign-in, 180 for the inbox, 240 for others.
const budgets: Record<string, number> = {
  '/login': 178,
  '/portal/notifications': 234,
  '/portal/notifications/444': 213,
  '/portal/settings': 231,
  '/portal/account': 222,
  '/owner': 241,
  '/owner/sends': 238,
  '/owner/sends/444': 242,
  '/owner/sends/new': 236,
  '/owner/sends/planned': 227,
  '/owner/employees': 240,
  '/owner/employees/join': 228,
  '/owner/keys': 244,
  '/owner/audit': 227,
  '/owner/statistics': 214,
  '/owner/settings': 226,
};

// Whether nothing was loaded for a second.
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
  const bytes = [...new Map([...(await page.evaluate(listBodies)), ...ofWorkers.flat()]).values()].reduce(
    (sum, one) => sum + one,
    0,
  );
  return Math.round(bytes / 1000);
}

test.describe('at a first visit', () => {
  // It would answer instead of the network.
  test.use({ serviceWorkers: 'block' });

  test('HTML, scripts and styles of a page stay within its budget', async ({ page, company, signIn, visit }) => {
    test.setTimeout(240_000);
    const { username } = await makeBadDay(company);
    const [portal, stranger] = [await visit({ serviceWorkers: 'block' }), await visit({ serviceWorkers: 'block' })];
    await signIn(page, company.username);
    await signIn(portal, username);
    const reached: Record<string, number> = {};
    for (const path of Object.keys(budgets)) {
      const one = path === '/login' ? stranger : path.startsWith('/portal') ? portal : page;
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
  // The portal's stream stays open, so the network is never idle.
  await page.waitForFunction(() => {
    const [load] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
    const loaded = performance
      .getEntriesByType('resource')
      .map((entry) => (entry as PerformanceResourceTiming).responseEnd);
    const quietSince = Math.max(load?.loadEventEnd || Number.POSITIVE_INFINITY, ...loaded);
    return performance.now() - quietSince > 1500;
  });
  return page.evaluate(
    () =>
      new Promise<{ shift: number; moved: string[] }>((resolve) => {
        const shifts: Shift[] = [];
        new PerformanceObserver((list) => shifts.push(...(list.getEntries() as Shift[]))).observe({
          type: 'layout-shift',
          buffered: true,
        });
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

test('nothing moves while a page with an alarm, a picture or a request to join loads', async ({
  page,
  company,
  signIn,
  visit,
}) => {
  test.setTimeout(240_000);
  const { mustRead, username } = await makeBadDay(company);
  const portal = await visit();
  await signIn(page, company.username);
  await signIn(portal, username);
  const pages: [Page, string][] = [
    ...['', '/employees', '/employees/join', '/sends', '/sends/planned', '/keys', '/audit'].map(
      (path): [Page, string] => [page, `/owner${path}`],
    ),
    [page, `/owner/sends/${mustRead}`],
    [page, `/owner/sends/${mustRead}/1`],
    [portal, '/portal/notifications'],
    [portal, `/portal/notifications/${mustRead}`],
  ];
  const moved: string[] = [];
  for (const one of [page, portal]) {
    await one.setViewportSize({ width: 360, height: 740 });
    const devtools = await one.context().newCDPSession(one);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 });
    const slow = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 90_000 };
    await devtools.send('Network.emulateNetworkConditions', slow);
  }
  for (const [one, path] of pages) {
    const { shift, moved: parts } = await shiftOf(one, path);
    if (shift > 0.02) moved.push(`${path}: ${shift.toFixed(3)} by ${parts.join(', ')}`);
  }
  expect(moved).toEqual([]);
});
