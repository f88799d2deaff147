import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { disconnect } from '#db/client.ts';
import { listTables } from '#db/company-move.ts';
import { migrateServers } from '#db/migrate.ts';
import { followPlaces, stopFollowingPlaces } from '#db/places.ts';
import { privileges } from '#db/privileges.ts';
import { startTestService } from '#e2e/runner/environment.ts';
import { type Servers, startServers } from '#e2e/shards/servers.ts';
import { type Company, makeCompany } from '#e2e/support/data/company.ts';
import { makeDue } from '#e2e/support/data/planned.ts';
import { keyDraft, writeManualDraft } from '#e2e/support/data/sends.ts';
import { signInForCookie } from '#e2e/support/http/cookie.ts';
import { numbersIn, openReader } from '#e2e/support/http/open-streams.ts';
import { runNotif } from '#e2e/support/service/notif.ts';
import { root, type Service } from '#e2e/support/service/service.ts';
import { listSends } from '#server/sends/history/list.ts';
import { planSend } from '#server/sends/planned/planned-sends.ts';

let servers: Servers;
let service: Service;
let admins: postgres.Sql[];
let moved: Company;
let other: Company;
let portal: string;

const settings = { AUTH_SECRET: 'a secret of the tests, and of nothing else', SIGN_UP: 'open' };

beforeAll(async () => {
  servers = await startServers();
  Object.assign(process.env, settings, servers.variables, { SETTINGS_FILE: '/dev/null' });
  await migrateServers(servers.variables.DATABASE_OWNER_URL);
  await followPlaces();
  service = await startTestService({ ...settings, ...servers.variables, PROCESSES: '2' });
  process.env.APP_URL = service.url;
  admins = servers.adminUrls.map((url) => postgres(url, { max: 1, onnotice: () => {} }));
  [moved, other] = [await makeCompany(), await makeCompany()];
  portal = await signInForCookie(service.url, await moved.giveAccount(await moved.hire()));
  await other.hire();
});

afterAll(async () => {
  await stopFollowingPlaces();
  await disconnect();
  await service?.stop();
  await Promise.all((admins ?? []).map((admin) => admin.end()));
  await servers?.stop();
});

const moveTo = (server: number, company = String(moved.owner.companyId)) =>
  runNotif(['company', 'move', company, '--to', String(server)]);

/** The rows of the company in each table of a server, without empty tables. The sum leaves out entries of moves. */
async function rowsOn(server: number): Promise<Record<string, { rows: number; sum: string }>> {
  const admin = admins[server] as postgres.Sql;
  const found: Record<string, { rows: number; sum: string }> = {};
  for (const { name, key, columns } of await listTables({ sql: admin as never })) {
    const [row] = await admin.unsafe(`select count(*)::int as rows, sum(hashtextextended(row(${columns})::text, 0))
        filter (where to_jsonb(one)->>'action' is distinct from 'company.move')::text as sum
      from ${name} one where ${key} = ${moved.owner.companyId}`);
    if (row?.rows > 0) found[name] = { rows: row?.rows, sum: row?.sum };
  }
  return found;
}

/** What must be there once and only once: all sends, their audit entries and answers for repeats. */
async function sendsOn(server: number) {
  const { companyId } = moved.owner;
  const [row] = await (admins[server] as postgres.Sql)`
    select array(select title::text from notifications where company_id = ${companyId} order by title) as titles,
      (select count(*)::int from audit_log where company_id = ${companyId} and action = 'notification.send') as audit,
      (select last_no::int from companies where id = ${companyId}) as last`;
  return row;
}

/** The moves in the audit log, as "0 to 1", in their order. */
async function movesOn(server: number): Promise<string[]> {
  const rows = await (admins[server] as postgres.Sql)`
    select concat_ws(' to ', details->'was'->>'server', details->>'server') as move from audit_log
    where company_id = ${moved.owner.companyId} and action = 'company.move' and actor_kind = 'operator' order by id`;
  return rows.map(({ move }) => move);
}

/** Sends one notification until it is stored; each is stored once, whatever was answered before. */
async function sendSurely(key: string, title: string, answers: Map<number, string | null>): Promise<void> {
  for (;;) {
    const response = await fetch(`${service.url}/api/v1/notif.php`, {
      method: 'POST',
      headers: { 'X-API-Key': key, 'Content-Type': 'application/json', 'Idempotency-Key': title.slice(-36) },
      body: JSON.stringify({ judul: title, isi: 'Pukul 10', jenis: 'info' }),
    });
    const text = await response.text();
    if (![200, 503].includes(response.status)) throw new Error(`${response.status} ${text}`);
    answers.set(response.status, response.headers.get('retry-after'));
    if (response.status === 200) return;
    await sleep(50);
  }
}

/** Sends by keys, one after another in several loops, until `stop`. Returns the titles and what was answered. */
function keepSending(keys: string[]) {
  const titles: string[] = [];
  const answers = new Map<number, string | null>();
  let isStopped = false;
  const loops = keys.map(async (key) => {
    for (let sent = 0; sent < 55 && !isStopped; sent++) {
      const title = `Kirim ${randomUUID()}`;
      titles.push(title);
      await sendSurely(key, title, answers);
      await sleep(100);
    }
  });
  const stop = async () => {
    isStopped = true;
    await Promise.all(loops);
    return { titles, answers };
  };
  return { stop };
}

test('every table with rows of a company moves', async () => {
  const names = (await listTables({ sql: admins[0] as never })).map(({ name }) => name);
  const without = ['build_files', 'hourly_jobs', 'sign_in_failures'];
  expect([...names, ...without].toSorted()).toEqual(Object.keys(privileges).toSorted());
});

test('a company moves while it sends and back: nothing is lost or doubled, and others are served', async () => {
  const owner = await signInForCookie(service.url, moved.username);
  const reader = await openReader(service.url, portal);
  const titles: string[] = [];
  for (const [from, to] of [
    [0, 1],
    [1, 0],
  ] as const) {
    const inAMonth = `${new Date(Date.now() + 30 * 24 * 60 * 60 * 1000).toISOString().slice(0, 10)}T08:00`;
    const draft = { ...keyDraft, title: `Terencana ${to}`, mustConfirm: false, draftId: randomUUID() };
    await planSend(moved.owner, draft, inAMonth);
    const sending = keepSending(await moved.newKeys(4));
    const others = keepSending(await other.newKeys(1));
    const running = moveTo(to);
    await makeDue(moved, '-3 seconds');
    const { code, output, problems } = await running;
    expect({ code, output, problems }).toEqual({
      code: 0,
      problems: expect.stringContaining('copied and compared'),
      output: `${moved.owner.companyName} is on server ${to}.\n`,
    });
    const ofMoved = await sending.stop();
    expect([...ofMoved.answers.keys()].toSorted()).toEqual([200, 503]);
    expect(ofMoved.answers.get(503)).toBe('5');
    expect([...(await others.stop()).answers.keys()]).toEqual([200]);
    titles.push(...ofMoved.titles, draft.title);
    await expect.poll(async () => (await sendsOn(to))?.titles).toEqual(titles.toSorted());
    expect(await sendsOn(to)).toMatchObject({ audit: titles.length, last: titles.length });
    expect(await rowsOn(from)).toEqual({});
    const log = await fetch(`${service.url}/owner/audit/csv?action=company.move`, { headers: { cookie: owner } });
    expect(await log.text()).toContain(`Memindahkan data dari server ${from} ke server ${to}`);
  }
  expect(await movesOn(0)).toEqual(['0 to 1', '1 to 0']);
  await expect.poll(() => numbersIn(reader.text())).toEqual(titles.map((_, index) => index + 1));
  reader.leave();
});

test('what was written before a move is the same after it, also audit ids, times and limits of keys', async () => {
  const [key = ''] = await moved.newKeys(1);
  const ping = () => fetch(`${service.url}/api/v1/notif.php?aksi=ping`, { headers: { 'X-API-Key': key } });
  const pings = await Promise.all(Array.from({ length: 60 }, ping));
  expect(new Set(pings.map(({ status }) => status))).toEqual(new Set([200]));
  const before = await rowsOn(0);
  expect(Object.keys(before).length).toBeGreaterThan(10);
  expect((await moveTo(1)).code).toBe(0);
  const after = await rowsOn(1);
  let status = 503;
  await expect.poll(async () => (status = (await ping()).status)).not.toBe(503);
  expect(status).toBe(429);
  for (const name of [
    'accounts',
    'audit_log',
    'employees',
    'idempotency',
    'notifications',
    'receipts',
    'planned_sends',
  ])
    expect([name, after[name]?.sum]).toEqual([name, before[name]?.sum]);
  expect(await writeManualDraft(moved)).toBeGreaterThan(0);
  expect((await listSends(moved.owner, { limit: 1 })).sends[0]?.title).toBe(keyDraft.title);
  expect((await moveTo(0)).code).toBe(0);
});

test('what cannot be done is said in a sentence, and nothing changes', async () => {
  const before = await movesOn(0);
  const asked: [Promise<{ code: number; problems: string }>, number, string][] = [
    [moveTo(1, '77'), 1, 'There is no company 77.'],
    [moveTo(1, 'toko'), 2, 'NUMBER is the number of a company.'],
    [moveTo(7), 1, 'There is no server 7, only 0 to 1.'],
    [runNotif(['company', 'move', '1']), 2, '--to names a server by its number'],
    [moveTo(0), 1, `${moved.owner.companyName} is on server 0 already.`],
  ];
  for (const [running, code, sentence] of asked)
    expect(await running).toMatchObject({ code, problems: expect.stringContaining(sentence) });
  const one = { DATABASE_URL: servers.urls[0], DATABASE_OWNER_URL: undefined };
  const alone = await runNotif(['company', 'move', '1', '--to', '1'], one);
  expect(alone).toMatchObject({ code: 1, problems: expect.stringContaining('DATABASE_URL names one server only.') });
  const service = await runNotif(['company', 'move', '1', '--to', '1'], { DATABASE_OWNER_URL: undefined });
  expect(service).toMatchObject({ code: 1, problems: expect.stringContaining('Set DATABASE_OWNER_URL.') });
  await servers.stopServer(1);
  const down = await moveTo(1);
  await servers.startServer(1);
  expect(down).toMatchObject({ code: 3, problems: expect.stringMatching(/^Server 1 at .* is out of reach/) });
  expect(await sendsOn(0)).toMatchObject({ last: expect.any(Number) });
  expect(await movesOn(0)).toEqual(before);
});

const kills = Number(process.env.MOVE_KILLS ?? 8);

test(`a move killed ${kills} times ends with each send and arrival once`, { timeout: 60_000 * kills }, async () => {
  const titles: string[] = ((await sendsOn(0))?.titles as string[]) ?? [];
  const arrivals = await movesOn(0);
  let [at, ended] = [0, 0];
  for (let kill = 0; kill < kills; kill++) {
    // This process reads once a second where the company is.
    const read = () => listSends(moved.owner, { limit: 1 }).catch(() => null);
    await expect.poll(read, { timeout: 10_000 }).not.toBeNull();
    const sending = keepSending(await moved.newKeys(2));
    const args = ['server/command/main.ts', 'company', 'move', String(moved.owner.companyId), '--to', String(1 - at)];
    const child = spawn(process.execPath, args, { cwd: root, env: process.env, stdio: 'ignore' });
    const closed = new Promise((resolve) => child.once('close', resolve));
    await sleep(1000 + Math.random() * 9000);
    child.kill('SIGKILL');
    await closed;
    // Now and then the move is taken back instead.
    const to = kill % 3 === 2 ? at : 1 - at;
    const { code, problems } = await moveTo(to);
    const isAlready = problems.includes('already');
    expect([code, isAlready]).toEqual([isAlready ? 1 : 0, isAlready]);
    ended += Number(isAlready);
    // It had arrived before it was killed, when it has to come back from there.
    const isBack = to === at && problems.includes(' moves from ');
    if (to !== at || isBack) arrivals.push(`${at} to ${1 - at}`);
    if (isBack) arrivals.push(`${1 - at} to ${at}`);
    at = to;
    expect(await movesOn(at)).toEqual(arrivals);
    titles.push(...(await sending.stop()).titles);
    expect(await sendsOn(at)).toMatchObject({ titles: titles.toSorted(), last: titles.length });
    expect(await rowsOn(1 - at)).toEqual({});
    const [triggers] = await (admins[
      1 - at
    ] as postgres.Sql)`select count(*)::int as count from pg_trigger where tgname like 'moves_%'`;
    expect(triggers?.count).toBe(0);
  }
  console.log(`${kills} kills, of which ${ended} came after the end or before the begin`);
  if (at === 1) expect((await moveTo(0)).code).toBe(0);
});
