import postgres from 'postgres';
import { afterAll, expect, test } from 'vitest';
import { disconnect } from '#db/client.ts';
import { ownerUrlOf } from '#db/service-role.ts';
import { startOwnDatabase } from '#e2e/faults/own-database.ts';
import { makeCompany } from '#e2e/support/data/company.ts';
import { rounds } from '#e2e/support/figures.ts';
import { sendTo } from '#e2e/support/http/interface.ts';
import { openLine } from '#e2e/support/http/line.ts';
import { keepReading, openReader, signInMany } from '#e2e/support/http/open-streams.ts';
import { startDatabaseProxy } from '#e2e/support/proxies/tcp-proxy.ts';
import { startService } from '#e2e/support/service/service.ts';
import { applyStartSettings } from '#platform/config/settings.ts';
import { withdrawNotification } from '#server/sends/history/changes.ts';

const authSecret = 'l'.repeat(40);
// A PostgreSQL of its own: a full NOTIFY queue affects the whole server.
const database = await startOwnDatabase();
const openAdmin = (url = database.adminUrl) => postgres(url, { max: 1, onnotice: () => {} });
await database.admin.unsafe('alter system set max_notify_queue_pages = 64');
await database.stop();
await database.start();
const admin = openAdmin(database.adminUrl.replace(/\/postgres$/, new URL(database.url).pathname));
const proxy = await startDatabaseProxy(database.url);
const settings = { DATABASE_OWNER_URL: ownerUrlOf(database.url), AUTH_SECRET: authSecret, HOST: '127.0.0.1' };
const service = await startService({ ...settings, DATABASE_URL: proxy.url });
// Streams are in another process than sends, which hears of them by NOTIFY only.
const sender = await startService({ ...settings, DATABASE_URL: database.url });
applyStartSettings({ databaseUrl: database.url, authSecret, appUrl: service.url });
const company = await makeCompany();
const [cookie = ''] = await signInMany(admin, company, 1);

afterAll(async () => {
  await Promise.all([service.stop(), sender.stop(), disconnect(), admin.end()]);
  await proxy.stop();
  await database.remove();
});

const send = async (key: string, judul: string) => (await sendTo(sender.url, key, { judul, isi: 'Isi' })).status;

test.concurrent('a silently dead LISTEN connection is renewed; sends are seconds late (X19)', async ({ expect }) => {
  const reader = await openReader(service.url, cookie);
  await expect.poll(reader.text, { timeout: 20_000 }).toContain('event: ping');
  for (let round = 0; round < rounds(1, 20); round++) {
    const key = await company.newKey();
    await expect.poll(() => proxy.seen(/listen /i), { timeout: 20_000 }).toBeGreaterThan(round);
    const listeners = proxy.seen(/listen /i);
    expect(proxy.mute(/listen /i)).toBeGreaterThan(0);
    expect(await send(key, `Tanpa kabar ${round}.`)).toBe(200);
    const stream = round === 0 ? reader : await openReader(service.url, cookie);
    await expect.poll(stream.text, { timeout: 20_000, interval: 20 }).toContain(`"Tanpa kabar ${round}."`);
    const again = async () => {
      await send(await company.newKey(), 'Masih ada?');
      return proxy.seen(/listen /i);
    };
    await expect.poll(again, { timeout: 30_000, interval: 500 }).toBeGreaterThan(listeners);
    if (round > 0) stream.leave();
  }
  reader.leave();
});

/** Fills PostgreSQL's NOTIFY queue: a listener stays in an open transaction. */
async function fillQueue(): Promise<() => Promise<void>> {
  const sleeper = openAdmin();
  await sleeper.unsafe('listen filler');
  await sleeper.unsafe('begin');
  await sleeper.unsafe('select 1');
  const usage = async () => Number((await admin`select pg_notification_queue_usage() as part`)[0]?.part);
  const filler = openAdmin();
  for (let page = 0; page < 200; page++) {
    const notifying = filler`select pg_notify('filler', ${page} || repeat('x', 7900))`.then(() => 'done');
    if ((await notifying.catch(({ code }: { code: string }) => code)) === '54000') break;
  }
  expect(await usage()).toBeGreaterThan(0.9);
  return async () => {
    await sleeper.unsafe('rollback');
    await sleeper.end();
    await filler.end();
    await expect.poll(usage, { timeout: 10_000 }).toBeLessThan(0.5);
  };
}

test('while PostgreSQL’s NOTIFY queue is full, changes succeed and reach the streams (X19)', async () => {
  const here = await makeCompany();
  const someone = await here.hire();
  const [mine = ''] = await signInMany(admin, here, 1);
  const reader = await openReader(service.url, mine);
  await expect.poll(reader.text, { timeout: 20_000 }).toContain('event: ping');
  const key = await here.newKey();
  const empty = await fillQueue();
  expect(await send(key, 'Antrean penuh.')).toBe(200);
  await expect.poll(reader.text, { timeout: 20_000, interval: 20 }).toContain('"Antrean penuh."');
  expect(await withdrawNotification(here.owner, 1)).toBe('withdrawn');
  await expect.poll(reader.text, { timeout: 20_000 }).toContain('event: withdrawn');
  await here.deactivate(someone);
  await empty();
  expect(await send(key, 'Antrean lega.')).toBe(200);
  const headers = { cookie: mine };
  const open = (after: number) => openLine(service.url, false).open(`/portal/stream?after=${after}`, { headers });
  let isRead = false;
  const portal = keepReading(open, () => isRead);
  await expect.poll(() => portal.numbers).toContain(3);
  isRead = true;
  reader.leave();
});
