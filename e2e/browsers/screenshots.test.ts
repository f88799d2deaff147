import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { sql } from '#db/client.ts';
import type { Tab } from '#e2e/browsers/drive/tab.ts';
import { type Abilities, inEachBrowser } from '#e2e/browsers/portal.ts';
import { writeByHand } from '#e2e/fixtures/sends.ts';
import type { Company } from '#harness/company.ts';
import { createRandom } from '#harness/random.ts';
import type { Employee } from '#server/principals.ts';

// `SCREENSHOTS=/some/folder npm test -- browsers screenshots` takes pictures of every page in both
// browsers, 1280 and 360 px wide, with the data of a company of 40 people. Otherwise only the
// widths of some pages are checked.
const folder = process.env.SCREENSHOTS;
if (folder) vi.setConfig({ testTimeout: 900_000 });

const firstNames = ['Adi', 'Budi', 'Citra', 'Dewi Anggraini', 'Eka', 'Fajar', 'Gita', 'Hadi', 'Indah Permata', 'Joko'];
const lastNames = ['Santoso', 'Wijaya', 'Saputra', 'Kusumaningtyas', 'Hidayat', 'Pratama', 'Nugroho', 'Siregar'];
const titles = [
  ['Gaji November sudah masuk', 'gaji'],
  ['Absen pulang belum tercatat', 'absen'],
  ['Rapat hari Senin pukul 10 di aula lantai dua', 'info'],
  ['Bonus akhir tahun', 'bonus'],
  ['Waktu istirahat selesai', 'timer'],
] as const;

async function fill(company: Company): Promise<Employee> {
  const random = createRandom(14);
  const people: Employee[] = [];
  for (let at = 0; at < 40; at++) {
    const name = `${random.of(firstNames)} ${random.of(lastNames)}`;
    people.push(await company.hire(name, random.of(['Kasir', 'Gudang', 'Sopir', 'Kepala bagian pengiriman'])));
  }
  for (let sent = 0; sent < 240; sent++) {
    const [title, kind] = random.of(titles);
    const recipientId = random.happens(0.3) ? random.of(people).employeeId : 0;
    const body = random.happens(0.5)
      ? 'Mohon dibaca sebelum pukul 18.00. Hubungi bagian personalia bila ada yang keliru.'
      : 'Isi';
    await writeByHand(company, { title, kind, body, recipientId, mustConfirm: random.happens(0.05) });
  }
  for (const name of ['Sistem absensi', 'n8n gaji', 'Kasir lantai satu', 'Zapier']) await company.newKey(name);
  for (const one of people.slice(1, 6)) await company.invite(one);
  const { companyId } = company.owner;
  await sql()`update notifications set created_at = now() - (${240} - no) * interval '3 hours' where company_id = ${companyId}`;
  return people[0] as Employee;
}

type Page = { name: string; path: string };

const page = (path: string): Page => ({ name: path.replaceAll(/[/?=]+/g, '-').slice(1) || 'home', path });

const everyone = ['/docs', '/docs/start', '/docs/recipes', '/docs/recipes/curl', '/docs/errors', '/docs/reference'];
const ofOwners = [
  ...['/owner', '/owner/sends', '/owner/sends/new', '/owner/sends/rules', '/owner/sends/240', '/owner/employees'],
  ...['/owner/employees/import', '/owner/employees/sheet', '/owner/keys', '/owner/audit', '/owner/audit/refused'],
  ...['/owner/settings', '/owner/settings/company'],
];
const ofEmployees = ['/portal', '/portal/notifications', '/portal/settings', '/portal/help'];

const widths = [
  [1280, 900],
  [360, 780],
] as const;

// What sticks out of the page on the right, unless something around it scrolls or hides it.
const tooWide = `(() => {
  const width = document.documentElement.clientWidth;
  if (document.scrollingElement.scrollWidth <= width) return [];
  return [...document.querySelectorAll('body *')]
    .filter((one) => one.getBoundingClientRect().right > width + 1)
    .map((one) => one.tagName + '.' + one.className).slice(0, 5);
})()`;

async function visitAll({ base, browser }: Abilities, tab: Tab, width: number, paths: string[]): Promise<string[]> {
  const found: string[] = [];
  for (const { name, path } of paths.map(page)) {
    await tab.open(base + path);
    const wide = await tab.evaluate<string[]>(tooWide);
    if (wide.length > 0) found.push(`${path} at ${width} px: ${wide.join(', ')}`);
    if (!folder) continue;
    const file = `${browser.version.split(' ')[0]?.toLowerCase()}-${width}-${name}`;
    await writeFile(join(folder, `${file}.png`), Buffer.from(await tab.picture(), 'base64'));
    const isLong = await tab.evaluate<boolean>('document.scrollingElement.scrollHeight > innerHeight * 1.3');
    if (!isLong) continue;
    await tab.evaluate('void scrollTo({ top: innerHeight * 0.8, behavior: "instant" })');
    await writeFile(join(folder, `${file}-below.png`), Buffer.from(await tab.picture(), 'base64'));
  }
  return found;
}

inEachBrowser((test) => {
  test('no page is wider than its window at 1280 and 360 px', async (abilities) => {
    const { base, company, profile, tab, signIn } = abilities;
    if (folder) await mkdir(folder, { recursive: true });
    const employee = folder ? await fill(company) : await company.hire();
    const username = await company.giveAccount(employee);
    if (!folder) await writeByHand(company);
    const found: string[] = [];
    await tab.open(`${base}/login`);
    for (const [width, height] of widths) {
      const window = width < 500 ? await profile.newNarrowWindow(tab, width, height) : tab;
      if (window === tab) await tab.resize(width, height);
      if (folder)
        found.push(...(await visitAll(abilities, window, width, ['/login', '/invite/tidak-ada', ...everyone])));
      await signIn(company.username, base, window);
      found.push(...(await visitAll(abilities, window, width, folder ? ofOwners : ofOwners.slice(0, 1))));
      await window.evaluate(`fetch('/api/auth/sign-out', { method: 'POST' }).then(() => true)`);
      await signIn(username, base, window);
      found.push(...(await visitAll(abilities, window, width, folder ? ofEmployees : ofEmployees.slice(0, 2))));
      await window.evaluate(`fetch('/api/auth/sign-out', { method: 'POST' }).then(() => true)`);
    }
    expect(found).toEqual([]);
  });
});
