import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scrape, sumOf } from '#e2e/machines/metrics.ts';
import { makeCompany } from '#e2e/support/data/company.ts';
import { openSessionOf } from '#e2e/support/data/owners.ts';
import { openLine } from '#e2e/support/http/line.ts';
import { openReader } from '#e2e/support/http/open-streams.ts';
import { askRaw } from '#e2e/support/http/raw.ts';
import { besideTested, freePort, root, startService } from '#e2e/support/service/service.ts';

const path = '/api/v1/notif.php';
const durations = 'notif_request_duration_seconds_count';

const metricsPort = await freePort();
const service = await startService({ ...besideTested, METRICS_PORT: String(metricsPort) });
const company = await makeCompany('PT Rahasia Metrik');
const cookie = await openSessionOf(await company.giveAccount(await company.hire('Karyawan Satu')));

const ask = (search: string, headers: Record<string, string>, init: { method?: string; body?: string } = {}) =>
  openLine(service.url, false).ask(`${path}${search}`, { headers, ...init });
const send = (key: string, fields: object) =>
  ask('', { 'X-API-Key': key, 'Content-Type': 'application/json' }, { method: 'POST', body: JSON.stringify(fields) });

async function listHostsOf(port: number): Promise<string[]> {
  const bound = (await readFile('/proc/net/tcp', 'utf8')).matchAll(/^ *\d+: (\w{8}):(\w{4}) 00000000:0000 0A /gm);
  const ofPort = [...bound].filter(([, , at = '']) => Number.parseInt(at, 16) === port);
  return ofPort.map(([, host = '']) => [...Buffer.from(host, 'hex')].reverse().join('.'));
}

test('metrics need METRICS_PORT, listen on loopback and are not on the pages’ port', async () => {
  const plain = await fetch(`${process.env.SERVICE_URL}/metrics`, { redirect: 'manual' });
  expect(plain.status).toBe(404);
  expect(await plain.text()).not.toContain('notif_');
  expect((await fetch(`${service.url}/metrics`)).status).toBe(404);
  expect(await listHostsOf(metricsPort)).toEqual(['127.0.0.1']);
  const base = `http://127.0.0.1:${metricsPort}`;
  expect((await fetch(`${base}/`)).status).toBe(404);
  expect((await fetch(`${base}/metrics`, { method: 'POST' })).status).toBe(405);
});

test('counters are exact and contain no data of a company', async () => {
  const before = await scrape(metricsPort);
  const key = await company.newKey('kunci rahasia 77');
  for (let call = 0; call < 12; call++) expect((await ask('?aksi=ping', { 'X-API-Key': key })).status).toBe(200);
  expect((await ask('?aksi=karyawan', { 'X-API-Key': key })).status).toBe(200);
  for (let call = 0; call < 3; call++) expect((await send(key, { judul: 'Judul 88', isi: 'Isi 99' })).status).toBe(200);
  expect((await send(key, { judul: 'Judul 88', isi: '' })).status).toBe(400);
  expect((await send(key, { judul: 'Judul 88', isi: 'Isi', user_id: 2_000_000_000 })).status).toBe(404);
  expect((await ask('?aksi=ping', { 'X-API-Key': 'jss_salah' })).status).toBe(401);
  expect((await ask('', { 'X-API-Key': key }, { method: 'PROPFIND' })).status).toBe(405);
  const exhausted = await company.newKey();
  await Promise.all(Array.from({ length: 62 }, () => ask('?aksi=ping', { 'X-API-Key': exhausted })));
  await askRaw(service.url, 'bukan HTTP\r\n\r\n');
  expect((await fetch(`${service.url}/portal/feed?after=0`, { headers: { cookie } })).status).toBe(200);

  const after = await scrape(metricsPort);
  const grown = (name: string, ...labels: string[]) => sumOf(after, name, ...labels) - sumOf(before, name, ...labels);
  const of = (operation: string, status: number) => grown(durations, `operation="${operation}"`, `status="${status}"`);
  expect([of('ping', 200), of('karyawan', 200)]).toEqual([72, 1]);
  expect([of('send', 200), of('send', 400), of('send', 404)]).toEqual([3, 1, 1]);
  expect([grown(durations, 'status="401"'), grown(durations, 'status="429"'), of('other', 405)]).toEqual([1, 2, 1]);
  expect(grown('notif_unread_requests_total', 'code="request_malformed"')).toBe(1);
  expect(grown('notif_sends_total', 'to="everyone"')).toBe(3);
  expect(grown('notif_recipients_total')).toBe(3);
  expect(grown('notif_feed_polls_total', 'status="200"')).toBe(1);
  expect(after.text).not.toMatch(/jss_|Rahasia|rahasia|Karyawan|Judul 88|Isi 99|PROPFIND|kunci/);
  expect(sumOf(after, 'notif_database_up')).toBe(1);
  expect(sumOf(after, 'notif_database_connections')).toBeGreaterThan(0);
});

test('strange methods, statuses and addresses add no metric series', async () => {
  const key = await company.newKey();
  const methods = ['MKCOL', 'REPORT', 'LINK', 'PURGE', 'SEARCH', 'DELETE', 'OPTIONS'];
  await ask('', { 'X-API-Key': key }, { method: 'PROPFIND' });
  await ask('?aksi=aneh', { 'X-API-Key': key });
  const names = async () => [...(await scrape(metricsPort)).samples.keys()].filter((name) => name.startsWith('notif_'));
  const before = await names();
  for (let call = 0; call < 20; call++) {
    await ask(`?aksi=aneh-${call}`, { 'X-API-Key': key }, call % 2 ? {} : { method: methods[call % methods.length] });
    await fetch(`${service.url}/tidak-ada-${call}`);
  }
  expect((await names()).filter((name) => !before.includes(name))).toEqual([]);
});

test('the operations page lists all metrics, and it and the alerts name no others', async () => {
  const names = [...(await scrape(metricsPort)).kinds.keys()].filter((name) => name.startsWith('notif_'));
  const read = (file: string) => readFile(join(root, file), 'utf8');
  const [page, alerts] = [await read('docs/operations.md'), await read('deploy/alerts.yml')];
  // The database roles have this prefix too.
  const named = (text: string) => [...new Set(text.match(/\bnotif_(?!owner\b|service\b)[a-z_]+[a-z]\b/g))];
  const known = (name: string) => names.includes(name.replace(/_(bucket|count|sum)$/, ''));
  expect(names.filter((name) => !named(page).includes(name))).toEqual([]);
  expect([...named(page), ...named(alerts)].filter((name) => !known(name))).toEqual([]);
});

test('notif_streams_open counts a stream while it is open', async () => {
  const open = async () => sumOf(await scrape(metricsPort), 'notif_streams_open');
  const reader = await openReader(service.url, cookie);
  expect(reader.status).toBe(200);
  expect(await open()).toBe(1);
  const sweeps = async () => sumOf(await scrape(metricsPort), 'notif_feed_sweeps_total', 'found="nothing"');
  await expect.poll(sweeps).toBeGreaterThan(0);
  expect(sumOf(await scrape(metricsPort), 'notif_feed_sweep_age_seconds')).toBeLessThan(30);
  reader.leave();
  await expect.poll(open).toBe(0);
});

test('without a database a scrape reports notif_database_up 0, also during the start', async () => {
  const port = await freePort();
  const database = `postgres://notif:x@127.0.0.1:${await freePort()}/notif`;
  const settings = { ...besideTested, DATABASE_URL: database, METRICS_PORT: String(port), METRICS_HOST: '0.0.0.0' };
  const waiting = await startService(settings, undefined, /Waiting for the database/);
  expect(await listHostsOf(port)).toEqual(['0.0.0.0']);
  const now = await scrape(port);
  expect([now.samples.get('notif_database_up'), sumOf(now, 'notif_alarms_open')]).toEqual([0, 0]);
  await waiting.stop();
});
