import { randomUUID } from 'node:crypto';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { sql } from '#db/client.ts';
import { type PortalClients, startPortalClients } from '#e2e/faults/portal-clients.ts';
import { principalOf } from '#e2e/fixtures/calls.ts';
import { numbersIn, openReader, type Reader, signInMany } from '#e2e/fixtures/open-streams.ts';
import { scrape, sumOf } from '#e2e/server/metrics.ts';
import { makeCompany } from '#harness/company.ts';
import { freePort, type Service, startService } from '#harness/service.ts';
import { endSession } from '#server/accounts/sessions.ts';
import { countStreamProcesses } from '#server/env.ts';
import { streamLimit } from '#server/feed/stream-limit.ts';
import type { ApiKey } from '#server/principals.ts';
import { sendNotification } from '#server/sends/send.ts';

const perAccount = 12;
const patient = { timeout: 60_000, interval: 50 };
const started: Service[] = [];
const portalGroups: PortalClients[] = [];
let metricsPort: number;
let service: Service;

const start = async (variables: Record<string, string> = {}, maxFiles?: number) => {
  const { DATABASE_URL, AUTH_SECRET } = process.env;
  const settings = { DATABASE_URL, AUTH_SECRET, HOST: '127.0.0.1', STREAM_PROCESSES: '2', ...variables };
  const one = await startService(settings, undefined, undefined, maxFiles);
  started.push(one);
  return one;
};

beforeAll(async () => {
  metricsPort = await freePort();
  service = await start({ METRICS_PORT: String(metricsPort) });
});
afterEach(() => {
  for (const { process: child } of portalGroups.splice(0)) child.kill('SIGKILL');
});
afterAll(async () => {
  await Promise.all(started.map((one) => one.stop()));
});

async function listChildren({ process: { pid } }: Service): Promise<number[]> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  return children.trim().split(' ').filter(Boolean).map(Number);
}

/** Counts the sockets of a process: its streams, and a few of its own. */
async function countSockets(pid: number): Promise<number> {
  const folder = `/proc/${pid}/fd`;
  const names = await readdir(folder).catch(() => []);
  const targets = await Promise.all(names.map((name) => readlink(`${folder}/${name}`).catch(() => '')));
  return targets.filter((target) => target.startsWith('socket:')).length;
}

// Both stream processes hold at least a third of the streams, which reconnect within a minute.
const expectShared = (one: Service, streams: number) =>
  expect
    .poll(async () => {
      const counts = await Promise.all((await listChildren(one)).map(countSockets));
      return counts.filter((count) => count >= streams / 3).length;
    }, patient)
    .toBe(2);

async function makePortals(people: number) {
  const company = await makeCompany();
  const cookies = await signInMany(sql(), company, people);
  const sender = await principalOf(await company.newKey());
  return { company, cookies, sender };
}

/** Sends a broadcast through a second service on the same database. */
async function send(sender: ApiKey, title: string): Promise<void> {
  const draft = { recipientId: 0, title, body: 'Isi', kind: 'info' as const, url: null };
  expect(await sendNotification(sender, draft, randomUUID())).toMatchObject({ replayed: false });
}

const until = (reader: Reader, part: string) => expect.poll(reader.text, patient).toContain(part);
const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

async function askRefused(cookie: string, url = service.url) {
  const response = await fetch(`${url}/portal/stream?after=0`, { headers: { cookie } });
  return [response.status, (await response.json()).code, response.headers.get('content-type')];
}

test('broadcasts reach the streams of all processes once, also when one is killed (X16)', async () => {
  const people = 60;
  const { cookies, sender } = await makePortals(people);
  const portals = startPortalClients();
  portalGroups.push(portals);
  await portals.open(Number(new URL(service.url).port), cookies);
  let sent = 0;
  const untilAllHave = () =>
    expect
      .poll(async () => {
        const { live, least, missed, doubled } = await portals.report();
        return { live, least, missed, doubled };
      }, patient)
      .toEqual({ live: people, least: sent, missed: 0, doubled: 0 });
  await send(sender, `Nomor ${++sent}`);
  await untilAllHave();
  await expectShared(service, people);
  const [killed = 0] = await listChildren(service);
  process.kill(killed, 'SIGKILL');
  for (let during = 0; during < 3; during++) await send(sender, `Nomor ${++sent}`);
  await untilAllHave();
  await expect.poll(async () => (await listChildren(service)).length, patient).toBe(2);
  expect(await listChildren(service)).not.toContain(killed);
  await send(sender, `Nomor ${++sent}`);
  await untilAllHave();
  await expect.poll(() => service.output().match(/a process died and is replaced/g)).toHaveLength(1);
}, 300_000);

test('the streams of all processes are measured, and closed ones are noticed', async () => {
  const { cookies } = await makePortals(8);
  const open = await Promise.all(cookies.map((cookie) => openReader(service.url, cookie)));
  for (const reader of open) await until(reader, 'event: ping');
  const measured = async () => {
    const now = await scrape(metricsPort);
    return [sumOf(now, 'notif_streams_open'), sumOf(now, 'notif_processes'), sumOf(now, 'notif_processes_wanted')];
  };
  await expect.poll(measured, patient).toEqual([8, 3, 3]);
  for (const reader of open) reader.leave();
  await expect.poll(measured, patient).toEqual([0, 3, 3]);
});

test('an ended session closes its stream in whichever process it is', async () => {
  const { company, cookies } = await makePortals(4);
  const open = await Promise.all(cookies.map((cookie) => openReader(service.url, cookie)));
  for (const reader of open) await until(reader, 'event: ping');
  const { companyId } = company.owner;
  const sessions = await sql()<{ id: number; accountId: number }[]>`
    select id, account_id as "accountId" from sessions where company_id = ${companyId} order by account_id`;
  for (const { id, accountId } of sessions.slice(0, 2)) await endSession({ companyId, accountId }, id);
  for (const reader of open.slice(0, 2)) {
    await reader.closed;
    expect(reader.text()).toContain('event: ended');
  }
  const json = 'application/json; charset=utf-8';
  for (const cookie of cookies.slice(0, 2)) expect(await askRefused(cookie)).toEqual([401, 'session_ended', json]);
  const sender = await principalOf(await company.newKey());
  await send(sender, 'Kepada sisanya');
  for (const reader of open.slice(2)) await until(reader, '"Kepada sisanya"');
  for (const reader of open) reader.leave();
});

test('an account has at most 12 streams in all processes together', async () => {
  const { company, cookies } = await makePortals(1);
  const [cookie = ''] = cookies;
  const { companyId } = company.owner;
  const open = await Promise.all(Array.from({ length: perAccount }, () => openReader(service.url, cookie)));
  expect(open.map(({ status }) => status)).toEqual(open.map(() => 200));
  expect(await askRefused(cookie)).toEqual([503, 'streams_full', 'application/json; charset=utf-8']);
  open.pop()?.leave();
  const [{ last } = { last: 0 }] = await sql()<{ last: number }[]>`
    select last_no as last from companies where id = ${companyId}`;
  const openAgain = async () => {
    const again = await openReader(service.url, cookie, { after: last });
    again.leave();
    return again.status;
  };
  await expect.poll(openAgain, patient).toBe(200);
  for (const reader of open) reader.leave();
});

test('an HTTP/1.0 client of a stream process gets the same events without chunks', async () => {
  const { cookies, sender } = await makePortals(1);
  await send(sender, 'Kepada proksi');
  const { hostname, port } = new URL(service.url);
  const socket = connect({ host: hostname, port: Number(port) }).setEncoding('utf8');
  let text = '';
  socket.on('data', (part: string) => (text += part));
  socket.write(`GET /portal/stream?after=0 HTTP/1.0\r\nHost: x\r\nCookie: ${cookies[0]}\r\n\r\n`);
  await expect.poll(() => text, patient).toContain('event: ping');
  const [head = '', body = ''] = text.split('\r\n\r\n');
  expect(head).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  expect(head).not.toMatch(/transfer-encoding/i);
  expect(body).toMatch(/^: open\n\nid: 1\ndata: \{.*"Kepada proksi".*\}\n\nevent: ping\nid: 1\ndata: 1\n\n/);
  socket.destroy();
});

test('stream processes short of files refuse streams and log it once each (X15)', async () => {
  const files = 200;
  const most = 2 * streamLimit(files);
  const narrow = await start({}, files);
  const { cookies, company } = await makePortals(most / 10 + 2);
  const open: Reader[] = [];
  for (let next = 0; next < most; next++) open.push(await openReader(narrow.url, cookies[Math.floor(next / 10)] ?? ''));
  expect(open.map(({ status }) => status)).toEqual(open.map(() => 200));
  for (const cookie of cookies.slice(-2))
    for (let round = 0; round < 3; round++)
      expect(await askRefused(cookie, narrow.url)).toEqual([503, 'streams_full', 'application/json; charset=utf-8']);
  await expect.poll(() => narrow.output().match(/limit of open streams/g)).toHaveLength(2);
  const headers = { 'X-API-Key': await company.newKey() };
  expect((await fetch(`${narrow.url}/api/v1/notif.php?aksi=ping`, { headers })).status).toBe(200);
  expect((await fetch(`${narrow.url}/login`)).status).toBe(200);
  for (const reader of open) reader.leave();
});

test('by default stream processes start with the 100th stream; a stop ends all of them', async () => {
  const wanted = countStreamProcesses();
  const alone = await start({ STREAM_PROCESSES: '' });
  const { cookies, sender } = await makePortals(20);
  const openMore = async (from: number, to: number) => {
    const some = Array.from({ length: to - from }, (_, next) => cookies[(from + next) % cookies.length] ?? '');
    return Promise.all(some.map((cookie) => openReader(alone.url, cookie)));
  };
  const few = await openMore(0, 99);
  for (const reader of few) await until(reader, 'event: ping');
  expect(await listChildren(alone)).toEqual([]);
  const more = await openMore(99, 140);
  const open = [...few, ...more];
  for (const reader of more) await until(reader, 'event: ping');
  expect(await listChildren(alone)).toHaveLength(wanted);
  for (let sent = 1; sent <= 5; sent++) await send(sender, `Nomor ${sent}.`);
  for (const reader of open) await until(reader, '"Nomor 5."');
  for (const reader of open) expect(numbersIn(reader.text())).toEqual(upTo(5));
  const children = await listChildren(alone);
  expect(await alone.stop('SIGTERM')).toMatchObject({ code: 0 });
  for (const reader of open) {
    await reader.closed;
    expect(reader.text()).toMatch(/\n\nretry: \d+\n\n$/);
  }
  expect(await Promise.all(children.map(countSockets))).toEqual(children.map(() => 0));
});

test('when the first process is killed, stream processes end their streams and exit', async () => {
  const orphaned = await start({ STREAM_PROCESSES: '1' });
  const { cookies } = await makePortals(1);
  const reader = await openReader(orphaned.url, cookies[0] ?? '');
  await until(reader, 'event: ping');
  const [child = 0] = await listChildren(orphaned);
  expect(await countSockets(child)).toBeGreaterThan(0);
  await orphaned.stop('SIGKILL');
  await reader.closed;
  expect(reader.text()).toMatch(/\n\nretry: \d+\n\n$/);
  await expect.poll(() => countSockets(child), patient).toBe(0);
});
