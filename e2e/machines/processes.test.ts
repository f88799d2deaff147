import { mkdtemp, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '#db/client.ts';
import { type Embedded, startEmbedded } from '#db/embedded/embedded.ts';
import { type Company, makeCompany } from '#e2e/support/data/company.ts';
import { signInForCookie } from '#e2e/support/http/cookie.ts';
import { expectCommon } from '#e2e/support/http/interface.ts';
import { type Line, type LineAnswer, openLine } from '#e2e/support/http/line.ts';
import { numbersIn } from '#e2e/support/http/open-streams.ts';
import { keepReading } from '#e2e/support/http/portal-client.ts';
import { askRaw } from '#e2e/support/http/raw.ts';
import { childrenOf } from '#e2e/support/service/processes.ts';
import { type Service, startService } from '#e2e/support/service/service.ts';
import { adopt } from '#platform/config/settings.ts';
import { revokeKey } from '#server/keys/keys.ts';

const path = '/api/v1/notif.php';
const ping = `${path}?aksi=ping`;
const authSecret = 'z'.repeat(40);

let folder: string;
let database: Embedded;
let service: Service;
let company: Company;
let cookie: string;

// Its own database: three processes hold many connections.
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'notif-processes-'));
  database = await startEmbedded(folder);
  service = await start(3);
  adopt({ databaseUrl: database.url, authSecret, appUrl: service.url });
  company = await makeCompany();
  cookie = await signInForCookie(service.url, await company.giveAccount(await company.hire()));
}, 120_000);

afterAll(async () => {
  await service?.stop();
  await sql().end();
  await database?.stop();
  await rm(folder, { recursive: true, force: true });
});

const start = (processes: number) =>
  startService({ DATABASE_URL: database.url, AUTH_SECRET: authSecret, HOST: '127.0.0.1' }, [
    ...['server/main.js', '--processes', String(processes)],
  ]);

const withKey = (key: string) => ({ headers: { 'X-API-Key': key } });
const sending = (key: string, judul: string) => ({
  method: 'POST',
  headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
  body: JSON.stringify({ judul, isi: 'Isi' }),
});

// The log line of a call names the process that answered.
function findLine({ headers }: LineAnswer): { pid: number } | undefined {
  const id = String(headers['x-request-id']);
  const line = service
    .output()
    .split('\n')
    .find((one) => one.includes(id));
  return line === undefined ? undefined : (JSON.parse(line) as { pid: number });
}

async function processOf(answer: LineAnswer): Promise<number> {
  await expect.poll(() => findLine(answer), { timeout: 5000 }).toBeDefined();
  return findLine(answer)?.pid ?? 0;
}

const listProcesses = ({ process: { pid } }: Service) => childrenOf(pid);

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** Opens a connection to each of the three processes. */
async function openLineToEach(): Promise<Map<number, Line>> {
  const lines = new Map<number, Line>();
  while (lines.size < 3) {
    const line = openLine(service.url);
    const pid = await processOf(await line.ask(ping, withKey(await company.newKey())));
    if (lines.has(pid)) line.close();
    else lines.set(pid, line);
  }
  return lines;
}

test('of 200 parallel calls with one key all processes together admit exactly 60 (R2, T5)', async () => {
  const key = await company.newKey();
  // Each process admits a call. Of the others, the first to come may all be of one process.
  const lineToEach = await openLineToEach();
  const lines = [...lineToEach.values(), ...Array.from({ length: 197 }, () => openLine(service.url, false))];
  const ask = (some: Line[]) => Promise.all(some.map((line) => line.ask(ping, withKey(key))));
  const answers = [...(await ask(lines.slice(0, 3))), ...(await ask(lines.slice(3)))];
  for (const { status, headers } of answers)
    expectCommon({ status, headers: new Headers(headers as Record<string, string>) });
  const remaining = (status: number) =>
    answers
      .filter((answer) => answer.status === status)
      .map(({ headers }) => Number(headers['x-ratelimit-remaining']))
      .sort((a, b) => a - b);
  expect(remaining(200)).toEqual(Array.from({ length: 60 }, (_, index) => index));
  expect(remaining(429)).toEqual(Array.from({ length: 140 }, () => 0));
  expect([...lineToEach.keys()].sort()).toEqual(listProcesses(service).sort());
  for (const line of lineToEach.values()) line.close();
});

test('every process refuses a revoked key from the next request on (X13)', async () => {
  const lines = await openLineToEach();
  const all = async (key: string) => {
    const answers = [...lines.values()].map((line) => line.ask(ping, withKey(key)));
    return (await Promise.all(answers)).map(({ status }) => status);
  };
  for (let round = 0; round < 5; round++) {
    const key = await company.newKey(`dicabut ${round}`);
    expect(await all(key)).toEqual([200, 200, 200]);
    const [row] = await sql()`select id from api_keys where name = ${`dicabut ${round}`}`;
    await revokeKey(company.owner, Number(row?.id));
    expect(await all(key)).toEqual([401, 401, 401]);
  }
  for (const line of lines.values()) line.close();
});

test('a client that closes its side after its request gets the answer of any process', async () => {
  const key = await company.newKey();
  const head = `GET ${ping} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\n\r\n`;
  for (let process = 0; process < 3; process++) {
    const answer = await askRaw(service.url, head, 20_000, (socket) => socket.end());
    expect([answer.status, JSON.parse(answer.body)]).toMatchObject([200, { ok: true }]);
  }
});

function collect(response: IncomingMessage): () => string {
  let text = '';
  response.setEncoding('utf8').on('data', (part: string) => (text += part));
  response.on('error', () => {});
  return () => text;
}

const newestNo = async () => {
  const [row] = await sql()`select last_no from companies where id = ${company.owner.companyId}`;
  return Number(row?.last_no);
};

test('a send through one process reaches the streams of all processes', async () => {
  const key = await company.newKey();
  const after = await newestNo();
  const [holders, senders] = [await openLineToEach(), await openLineToEach()];
  const texts = await Promise.all(
    [...holders.values()].map(async (line) =>
      collect(await line.open(`/portal/stream?after=${after}`, { headers: { cookie } })),
    ),
  );
  for (const text of texts) await expect.poll(text).toContain('event: ping');
  for (const [pid, line] of senders) {
    const sent = await line.ask(path, sending(key, `Dari ${pid}`));
    expect([sent.status, await processOf(sent)]).toEqual([200, pid]);
    for (const text of texts) await expect.poll(text, { timeout: 5000 }).toContain(`"Dari ${pid}"`);
  }
  for (const text of texts) expect(numbersIn(text())).toEqual([after + 1, after + 2, after + 3]);
  for (const line of [...holders.values(), ...senders.values()]) line.close();
});

// `holder` is the earlier answer on the same connection; a new connection has none.
type Done = { title: string; answer: LineAnswer; holder: LineAnswer | null };

// Sends and pings 5 times per second until stopped, with enough keys for the rate limit.
async function keepBusy(name: string, keys: string[], keepAlive: boolean, isOver: () => boolean): Promise<Done[]> {
  const done: Done[] = [];
  const line = openLine(service.url, keepAlive);
  for (let count = 0; !isOver() && count < keys.length * 60; count++) {
    const key = keys[Math.floor(count / 60)] ?? '';
    const title = `Beban ${name} ${count}`;
    const answer = await (count % 2 === 0 ? line.ask(path, sending(key, title)) : line.ask(ping, withKey(key)));
    done.push({ title, answer, holder: answer.reused ? (done.at(-1)?.answer ?? null) : null });
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  line.close();
  return done;
}

/**
 * Runs `during` under the load of eight keep-alive clients and four that reconnect for each
 * request.
 */
async function underLoad(by: Company, name: string, during: () => Promise<void>): Promise<Done[]> {
  const keys = await by.newKeys(36);
  let over = false;
  const clients = Array.from({ length: 12 }, (_, index) =>
    keepBusy(`${name} ${index}`, keys.slice(3 * index, 3 * index + 3), index < 8, () => over),
  );
  try {
    const answered = service.output().split('"notif"').length + 40;
    await expect.poll(() => service.output().split('"notif"').length, { timeout: 15_000 }).toBeGreaterThan(answered);
    await during();
  } finally {
    over = true;
  }
  return (await Promise.all(clients)).flat();
}

// Each send answered 200 is stored once, with its audit entry.
async function expectStored(done: Done[]): Promise<void> {
  const rows = await sql()<{ title: string; count: number; audited: number }[]>`
    select title, count(*)::int as count, (
      select count(*)::int from audit_log a
      where a.company_id = n.company_id and a.action = 'notification.send' and a.details->>'title' = n.title
    ) as audited
    from notifications n where title like 'Beban %' group by company_id, title`;
  const stored = new Map(rows.map((row) => [row.title, row]));
  const sent = done.filter(({ answer }) => answer.status === 200 && answer.text.includes('terkirim'));
  expect(sent.length).toBeGreaterThan(10);
  for (const { title } of sent) expect(stored.get(title)).toEqual({ title, count: 1, audited: 1 });
  expect(rows.filter(({ count, audited }) => count !== 1 || audited !== 1)).toEqual([]);
}

/** Lists the processes that answer new connections. */
async function listServing(): Promise<number[]> {
  const named = withKey(await company.newKey());
  const answers = await Promise.all(Array.from({ length: 6 }, () => openLine(service.url, false).ask(ping, named)));
  return [...new Set(await Promise.all(answers.filter(({ status }) => status > 0).map(processOf)))];
}

test('a killed process is replaced, and only its own connections are lost', async () => {
  const victim = listProcesses(service)[1] ?? 0;
  const done = await underLoad(await makeCompany(), 'terbunuh', async () => {
    process.kill(victim, 'SIGKILL');
    await expect.poll(() => service.output()).toContain('a process died and is replaced');
    const isWhole = async () => {
      const serving = await listServing();
      return serving.length === 3 && !serving.includes(victim);
    };
    await expect.poll(isWhole, { timeout: 40_000 }).toBe(true);
  });
  const lost = done.filter(({ answer }) => answer.status !== 200);
  // A new connection may have gone to the dying process; for others the process is known. The
  // killed process loses its last log lines. Those of the others are complete after a later line of
  // each.
  await listServing();
  for (const { holder } of lost) if (holder) expect(findLine(holder)?.pid ?? victim).toBe(victim);
  expect(lost.length).toBeLessThanOrEqual(12);
  await expectStored(done);
});

test('replacing the processes under load fails no request and loses no send (X8)', async () => {
  const before = listProcesses(service);
  const after = await newestNo();
  let over = false;
  const open = (from: number) =>
    openLine(service.url, false).open(`/portal/stream?after=${from}`, { headers: { cookie } });
  const portals = Array.from({ length: 6 }, () => keepReading(open, () => over, after));
  const done = await underLoad(company, 'digilir', async () => {
    service.process.kill('SIGHUP');
    await expect.poll(() => service.output(), { timeout: 80_000 }).toContain('the processes were replaced');
  });
  const now = listProcesses(service);
  expect([now.length, now.filter((pid) => before.includes(pid))]).toEqual([3, []]);
  expect(done.filter(({ answer }) => answer.status !== 200)).toEqual([]);
  expect(done.filter(({ answer, holder }) => holder && answer.headers.connection === 'close').length).toBeGreaterThan(
    0,
  );
  await expectStored(done);
  const newest = await newestNo();
  const all = Array.from({ length: newest - after }, (_, index) => after + 1 + index);
  for (const { numbers } of portals) await expect.poll(() => numbers, { timeout: 20_000 }).toEqual(all);
  over = true;
  // Pings come every 8 s; another send shows sooner that the streams work.
  await openLine(service.url, false).ask(path, sending(await company.newKey(), 'Sekian'));
  await Promise.all(portals.map(({ ended }) => ended));
  expect(Math.max(...portals.map(({ openings }) => openings))).toBeGreaterThan(1);
}, 120_000);

test('SIGTERM answers running requests and ends all processes (X8)', async () => {
  const processes = listProcesses(service);
  const line = openLine(service.url);
  expect((await line.ask(ping, withKey(await company.newKey()))).status).toBe(200);
  const stream = await line.open(`/portal/stream?after=${await newestNo()}`, { headers: { cookie } });
  const text = collect(stream);
  const stopped = await service.stop('SIGTERM');
  expect(stopped.code).toBe(0);
  expect(stopped.ms).toBeLessThan(10_000);
  expect(text()).toMatch(/retry: \d{1,4}\n/);
  expect(processes.filter(isAlive)).toEqual([]);
  line.close();
});

test('when the first process is killed, the workers end their streams and exit', async () => {
  const another = await start(2);
  const processes = listProcesses(another);
  expect(processes).toHaveLength(2);
  const line = openLine(another.url);
  const text = collect(await line.open(`/portal/stream?after=${await newestNo()}`, { headers: { cookie } }));
  await expect.poll(text).toContain('event: ping');
  await another.stop('SIGKILL');
  await expect.poll(() => processes.filter(isAlive), { timeout: 10_000 }).toEqual([]);
  expect(text()).toMatch(/retry: \d{1,4}\n/);
  line.close();
});
