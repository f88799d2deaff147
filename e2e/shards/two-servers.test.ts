import { randomUUID } from 'node:crypto';
import postgres from 'postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { disconnect } from '#db/client.ts';
import { migrateServers } from '#db/migrate.ts';
import { idsOf, onEachServer, serverOf } from '#db/servers.ts';
import { startTestService } from '#e2e/runner/environment.ts';
import { type Servers, startServers } from '#e2e/shards/servers.ts';
import { Authenticator } from '#e2e/support/data/authenticator.ts';
import { type Company, makeCompany, password } from '#e2e/support/data/company.ts';
import { deleteExpired } from '#e2e/support/data/expired.ts';
import { signIn } from '#e2e/support/data/owners.ts';
import { makeDue } from '#e2e/support/data/planned.ts';
import { keyDraft, writeManualDraft } from '#e2e/support/data/sends.ts';
import { signInForCookie } from '#e2e/support/http/cookie.ts';
import { numbersIn, openReader } from '#e2e/support/http/open-streams.ts';
import { runNotif } from '#e2e/support/service/notif.ts';
import { freePort, type Service } from '#e2e/support/service/service.ts';
import { authenticateSession } from '#server/accounts/sign-in/authenticate.ts';
import { authenticateIdentity } from '#server/accounts/sign-in/identities.ts';
import {
  addPasskey,
  authenticatePasskey,
  makePasskeyOptions,
  makeSignInOptions,
} from '#server/accounts/sign-in/passkeys.ts';
import { listAudit } from '#server/audit/list.ts';
import { createCompany } from '#server/companies/companies.ts';
import { createJoinLink, findJoinLink } from '#server/employees/join-links.ts';
import { findJoinRequest, requestToJoin } from '#server/employees/join-requests.ts';
import { createExport, findExport } from '#server/exports/exports.ts';
import { countOpenAlarms, listAlarms } from '#server/keys/alarms.ts';
import { generateKey, listKeys, revokeKey } from '#server/keys/keys.ts';
import { listSends } from '#server/sends/history/list.ts';
import { planSend } from '#server/sends/planned/planned-sends.ts';

let servers: Servers;
let service: Service;
let companies: Company[];
let metricsPort: string;
let employees: { username: string; employeeId: number }[];

// What the service prints and the tests' own functions need.
const settings = { AUTH_SECRET: 'a secret of the tests, and of nothing else', SIGN_UP: 'open' };

beforeAll(async () => {
  servers = await startServers();
  Object.assign(process.env, settings, servers.variables, { SETTINGS_FILE: '/dev/null' });
  await migrateServers(servers.variables.DATABASE_OWNER_URL);
  metricsPort = String(await freePort());
  service = await startTestService({ ...settings, ...servers.variables, METRICS_PORT: metricsPort });
  // Passkeys belong to a host name.
  process.env.APP_URL = service.url.replace('127.0.0.1', 'localhost');
  companies = [await makeCompany(), await makeCompany()];
  employees = await Promise.all(
    companies.map(async ({ hire, giveAccount }) => {
      const employee = await hire();
      return { username: await giveAccount(employee), employeeId: employee.employeeId };
    }),
  );
});

afterAll(async () => {
  await disconnect();
  await service?.stop();
  await servers?.stop();
});

const onServer = async (server: number, use: (admin: postgres.Sql) => Promise<unknown>) => {
  const admin = postgres(servers.adminUrls[server] ?? '', { max: 1, onnotice: () => {} });
  await use(admin).finally(() => admin.end());
};

async function call(key: string, search = '', body?: object) {
  const response = await fetch(`${service.url}/api/v1/notif.php${search}`, {
    method: body ? 'POST' : 'GET',
    headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, json: (await response.json()) as Record<string, unknown> };
}

const good = { judul: 'Rapat', isi: 'Pukul 10', jenis: 'info' };

test('new companies go to the server with the fewest, and their ids name it', async () => {
  const ids = companies.map(({ owner }) => owner.companyId);
  expect(ids).toEqual([idsOf(0).first, idsOf(1).first]);
  expect(ids.map(serverOf)).toEqual([0, 1]);
  for (const server of [0, 1])
    await onServer(server, async (admin) => {
      const stored = await admin`select distinct company_id as id from audit_log`;
      expect(stored.map(({ id }) => Number(id))).toEqual([ids[server]]);
    });
});

test('the addresses of the servers in another order stop the migration', async () => {
  const { DATABASE_URL: urls, DATABASE_OWNER_URL: owners } = servers.variables;
  const reverse = (text: string) => text.split(' ').reverse().join(' ');
  process.env.DATABASE_URL = reverse(urls);
  try {
    await expect(migrateServers(reverse(owners))).rejects.toThrow('has companies of another one');
  } finally {
    process.env.DATABASE_URL = urls;
  }
});

test('ping, list and send answer for keys of both servers; an unknown and a revoked one get 401', async () => {
  for (const [server, company] of companies.entries()) {
    const key = await company.newKey('skrip');
    expect((await call(key, '?aksi=ping')).json).toEqual({
      ok: true,
      key: 'skrip',
      perusahaan: company.owner.companyName,
    });
    const [one] = ((await call(key, '?aksi=karyawan')).json as { karyawan: { user_id: number }[] }).karyawan;
    expect(one?.user_id).toBe(employees[server]?.employeeId);
    const bodies = [good, { ...good, user_id: one?.user_id }];
    for (const body of bodies) expect((await call(key, '', body)).json).toEqual({ ok: true, terkirim: 1 });
    const [row] = await listKeys(company.owner);
    await revokeKey(company.owner, row?.id ?? 0);
    expect((await call(key, '', good)).status).toBe(401);
    expect((await call(key, '?aksi=ping')).status).toBe(401);
  }
  expect((await call(generateKey(), '', good)).status).toBe(401);
});

test('sends that wait together share one statement for each server', async () => {
  const keys = await Promise.all(companies.map(({ newKey }) => newKey()));
  const sent = await Promise.all(Array.from({ length: 100 }, (_, at) => call(keys[at % 2] ?? '', '', good)));
  expect(new Set(sent.map(({ status }) => status))).toEqual(new Set([200]));
  for (const { owner } of companies)
    expect(
      (await listAudit(owner, { limit: 100 })).entries.filter(({ action }) => action === 'notification.send').length,
    ).toBeGreaterThanOrEqual(50);
});

test('owners and employees of both servers sign in and see their own pages', async () => {
  for (const [server, { owner, username }] of companies.entries()) {
    const cookie = await signInForCookie(service.url, username);
    for (const page of ['', '/sends', '/employees', '/keys', '/audit', '/settings', '/statistics']) {
      const response = await fetch(`${service.url}/owner${page}`, { headers: { cookie }, redirect: 'manual' });
      expect([page, response.status]).toEqual([page, 200]);
      expect(await response.text()).toContain(owner.companyName);
    }
    const portal = await signInForCookie(service.url, employees[server]?.username ?? '');
    expect((await fetch(`${service.url}/portal`, { headers: { cookie: portal } })).status).toBe(200);
  }
});

test('a portal of each server rings for a send of its company within a second', async () => {
  for (const [server, company] of companies.entries()) {
    const cookie = await signInForCookie(service.url, employees[server]?.username ?? '');
    const key = await company.newKey();
    const first = await writeManualDraft(company);
    const reader = await openReader(service.url, cookie, { after: first });
    // From another process, which tells the service by NOTIFY.
    const no = await writeManualDraft(company);
    await expect.poll(() => numbersIn(reader.text()), { timeout: 1000, interval: 10 }).toEqual([no]);
    await call(key, '', good);
    await expect.poll(() => numbersIn(reader.text()), { timeout: 1000, interval: 10 }).toEqual([no, no + 1]);
    reader.leave();
  }
});

test('a session that ends closes the portal at once', async () => {
  const [, company] = companies;
  const employee = await company?.hire();
  if (!company || !employee) throw new Error('no company');
  const cookie = await signInForCookie(service.url, await company.giveAccount(employee));
  const reader = await openReader(service.url, cookie);
  await company.deactivate(employee);
  await reader.closed;
  expect(reader.text()).toContain('event: end');
});

test('planned sends of both servers leave', async () => {
  const inAMonth = `${new Date(Date.now() + 30 * 24 * 60 * 60 * 1000).toISOString().slice(0, 10)}T08:00`;
  for (const company of companies) {
    const draft = { ...keyDraft, title: 'Terencana', mustConfirm: false, draftId: randomUUID() };
    expect(await planSend(company.owner, draft, inAMonth)).toMatchObject({ state: 'planned' });
    await makeDue(company);
  }
  for (const { owner } of companies)
    await expect.poll(async () => (await listSends(owner, { limit: 1 })).sends[0]?.title).toBe('Terencana');
});

test('exports of both servers have the company’s own rows', async () => {
  for (const { owner } of companies) {
    const words = { readme: 'Bacalah', language: 'id' } as const;
    const id = await createExport(owner, words);
    await expect.poll(async () => (await findExport(owner, id, words))?.finishedAt).toBeTruthy();
  }
});

test('repeated broadcasts raise an alarm on the server of the company only', async () => {
  const before = await countOpenAlarms();
  for (const company of companies) {
    const key = await company.newKey();
    for (let sent = 0; sent < 5; sent++) await call(key, '', { ...good, judul: 'Berulang' });
    await expect
      .poll(async () =>
        (await listAlarms(company.owner)).filter((alarm) => 'title' in alarm && alarm.title === 'Berulang'),
      )
      .toHaveLength(1);
  }
  expect((await countOpenAlarms())['repeated-broadcast']).toBeGreaterThanOrEqual(before['repeated-broadcast'] + 2);
});

test('the hourly jobs run on each server', async () => {
  for (const server of [0, 1])
    await onServer(server, async (admin) => {
      const { owner } = companies[server] ?? {};
      await admin`
        insert into join_links (company_id, token_hash, role, max_requests, created_by, expires_at)
        values (${owner?.companyId ?? 0}, '\\x00', 'Peran', 5, ${owner?.accountId ?? 0}, now() - interval '60 days')`;
    });
  await onEachServer(deleteExpired);
  for (const server of [0, 1])
    await onServer(server, async (admin) => {
      expect(await admin`select from join_links where token_hash = '\\x00'`).toHaveLength(0);
      expect((await admin`select from hourly_jobs`).length).toBeGreaterThan(10);
    });
});

test('links of both servers are found by their token', async () => {
  for (const { owner } of companies) {
    const link = await createJoinLink(owner, { role: null, days: 7, maxRequests: 10 });
    if (typeof link === 'string') throw new Error(link);
    expect(await findJoinLink(link.token)).toMatchObject({ companyId: owner.companyId });
    const asked = await requestToJoin(link.token, { name: 'Calon Uji', role: 'Kasir' }, '203.0.113.7');
    if (typeof asked === 'string') throw new Error(asked);
    expect(await findJoinRequest(asked.token)).toMatchObject({ companyId: owner.companyId, state: 'waiting' });
  }
});

test('a username of one server is taken on the other', async () => {
  const [{ username } = { username: '' }] = companies;
  const about = { companyName: 'Perusahaan Uji', timeZone: 'Asia/Jakarta', ownerName: 'Pemilik Uji', password };
  for (let tries = 0; tries < 2; tries++)
    expect(await createCompany({ ...about, username: username.toUpperCase() })).toBe('duplicate-username');
});

test('an identity of each server signs in, and one that is nowhere does not', async () => {
  const identity = { issuer: 'https://idp.example', label: 'x', hasSecondFactor: false, authenticatedAt: undefined };
  for (const [server, { owner }] of companies.entries()) {
    await onServer(
      server,
      (admin) => admin`
        insert into identities (company_id, account_id, issuer, subject, label)
        values (${owner.companyId}, ${owner.accountId}, ${identity.issuer}, ${`orang ${server}`}, 'x')`,
    );
    const found = await authenticateIdentity({ ...identity, subject: `orang ${server}` }, '203.0.113.7');
    expect(found).toMatchObject({ companyId: owner.companyId, accountId: owner.accountId });
  }
  expect(await authenticateIdentity({ ...identity, subject: 'tidak ada' }, '203.0.113.7')).toBe('unknown-identity');
});

test('a passkey of each server signs in, and one that is nowhere does not', async () => {
  const origin = process.env.APP_URL ?? '';
  const options = () => makeSignInOptions() ?? { challenge: '' };
  const address = '203.0.113.7';
  for (const { owner, username } of companies) {
    const session = await authenticateSession(await signIn(username));
    if (!session) throw new Error('no session');
    const passkey = new Authenticator(origin);
    const answer = passkey.register((await makePasskeyOptions(session.account)) ?? { challenge: '' });
    expect(await addPasskey(session, 'HP saya', answer)).toBe('added');
    const found = await authenticatePasskey(passkey.answer(options()), address);
    expect(found).toMatchObject({ companyId: owner.companyId, accountId: owner.accountId });
  }
  const nowhere = new Authenticator(origin).answer(options());
  expect(await authenticatePasskey(nowhere, address)).toBe('wrong-passkey');
});

test('ended snoozes and alarms that wait are taken on both servers, and the metrics are there', async () => {
  for (const [server, company] of companies.entries()) {
    const { companyId, accountId } = company.owner;
    const employeeId = employees[server]?.employeeId ?? 0;
    const no = await writeManualDraft(company);
    await signInForCookie(service.url, company.username);
    await onServer(server, async (admin) => {
      await admin`
        insert into receipts (company_id, employee_id, no, snoozed_until, snooze_push_at)
        values (${companyId}, ${employeeId}, ${no}, now() - interval '1 s', now() - interval '1 s')`;
      await admin`
        insert into owner_devices (company_id, account_id, endpoint_hash, endpoint, p256dh, auth, session_id, pending, retry_at)
        select company_id, account_id, '\\x00', 'https://127.0.0.1:1/', 'x', 'x', id, '{"a":"x"}', now() - interval '1 s'
        from sessions where company_id = ${companyId} and account_id = ${accountId} limit 1`;
      const taken = () => admin`
        select (select snooze_push_at is null from receipts
            where company_id = ${companyId} and employee_id = ${employeeId} and no = ${no}) as snooze,
          (select retry_at > now() from owner_devices where company_id = ${companyId}) as alarm`;
      const both = [{ snooze: true, alarm: true }];
      await expect.poll(async () => [...(await taken())], { timeout: 25_000, interval: 200 }).toEqual(both);
    });
  }
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  for (const name of ['notif_database_up 1', 'notif_alarms_open', 'notif_hourly_jobs']) expect(text).toContain(name);
});

test('the operator’s commands cover both servers', async () => {
  const list = JSON.parse((await runNotif(['company', 'list', '--json'])).output) as object;
  const owners = JSON.parse((await runNotif(['owner', 'list', '--json'])).output) as object;
  for (const { owner, username } of companies) {
    expect(JSON.stringify(list)).toContain(owner.companyName);
    expect(JSON.stringify(owners)).toContain(username);
    expect(await runNotif(['owner', 'reset', username])).toMatchObject({ code: 0, problems: '' });
    const company = String(owner.companyId);
    expect(await runNotif(['owner', 'add', 'Sari', '--company', company])).toMatchObject({ code: 0, problems: '' });
    expect(await runNotif(['sessions', 'end', username])).toMatchObject({ code: 0, problems: '' });
    expect(await runNotif(['sessions', 'end', '--company', company])).toMatchObject({ code: 0, problems: '' });
  }
  expect(await runNotif(['migrate'])).toMatchObject({ output: 'The schema is the newest.\n' });
  const { output } = await runNotif(['doctor']);
  for (const url of servers.urls) expect(output).toContain(`at ${new URL(url).host} answers`);
});

test('a server that is down takes only its own companies with it', async () => {
  const keys = await Promise.all(companies.map(({ newKey }) => newKey()));
  for (const key of keys) expect((await call(key, '', good)).status).toBe(200);
  const cookie = await signInForCookie(service.url, companies[0]?.username ?? '');
  await servers.stopServer(1);
  await expect.poll(async () => (await call(keys[1] ?? '', '', good)).status).toBe(503);
  for (let sent = 0; sent < 10; sent++) expect((await call(keys[0] ?? '', '', good)).status).toBe(200);
  expect((await fetch(`${service.url}/owner`, { headers: { cookie } })).status).toBe(200);
  expect((await fetch(`${service.url}/health/ready`)).status).toBe(200);
  // A new key is looked for on all servers.
  const unused = await companies[0]?.newKey();
  expect((await call(unused ?? '', '', good)).status).toBe(200);
  expect((await call(generateKey(), '', good)).status).toBe(503);
  await servers.startServer(1);
  await expect.poll(async () => (await call(keys[1] ?? '', '', good)).status).toBe(200);
  expect((await call(generateKey(), '', good)).status).toBe(401);
});

test('while the first server is down, the calls and open portals of the other one go on', async () => {
  const [first, second] = companies;
  if (!first || !second) throw new Error('no companies');
  const keys = [await first.newKey(), await second.newKey()];
  for (const key of keys) expect((await call(key, '', good)).status).toBe(200);
  const cookie = await signInForCookie(service.url, second.username);
  const after = await writeManualDraft(second);
  const reader = await openReader(service.url, await signInForCookie(service.url, employees[1]?.username ?? ''), {
    after,
  });
  await servers.stopServer(0);
  await expect.poll(async () => (await call(keys[0] ?? '', '', good)).status).toBe(503);
  for (let sent = 0; sent < 5; sent++) expect((await call(keys[1] ?? '', '', good)).status).toBe(200);
  await expect.poll(() => numbersIn(reader.text())).toHaveLength(5);
  reader.leave();
  expect((await fetch(`${service.url}/owner/sends`, { headers: { cookie } })).status).toBe(200);
  expect((await fetch(`${service.url}/health/ready`)).status).toBe(200);
  await servers.startServer(0);
  await expect.poll(async () => (await call(keys[0] ?? '', '', good)).status).toBe(200);
});
