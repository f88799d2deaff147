import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import type { OpenApiMeta } from 'trpc-to-openapi';
import { expect, onTestFinished, test } from 'vitest';
import { sql } from '#db/client.ts';
import { deleteExpired } from '#e2e/support/data/calls.ts';
import { makeCompany, must, password } from '#e2e/support/data/company.ts';
import { openSessionOf } from '#e2e/support/data/owners.ts';
import { callAction } from '#e2e/support/http/call-action.ts';
import { ask, baseUrl, good, sendJson, withKey } from '#e2e/support/http/interface.ts';
import { openReader, type Reader } from '#e2e/support/http/open-streams.ts';
import { askRaw } from '#e2e/support/http/raw.ts';
import { actionNamed } from '#e2e/support/service/build.ts';
import { openAdmin } from '#e2e/support/service/databases.ts';
import { anonymous, checksumOf, requestAs, usersOf } from '#e2e/tenancy/callers.ts';
import { accountOf, makeFullCompany, makeTwoCompanies, missing, sessionOf } from '#e2e/tenancy/full-company.ts';
import { endOtherSessions, endSession } from '#server/accounts/sessions/sessions.ts';
import { router } from '#server/api/handle.ts';
import { changeRetention } from '#server/companies/companies.ts';
import { setEmployeesActive, signOutEmployee } from '#server/employees/employees.ts';
import { createInvitation } from '#server/employees/invitations.ts';
import { acceptLink } from '#server/employees/personal-links.ts';
import { createExport } from '#server/exports/exports.ts';
import { deleteExpiredRows } from '#server/jobs/expired-rows.ts';
import { revokeKey } from '#server/keys/keys.ts';
import { withdrawNotification } from '#server/sends/history/changes.ts';

const { ours, theirs } = await makeTwoCompanies();
const before = await checksumOf(theirs.company.owner.companyId);

type Key = { table: string; name: string; columns: string[]; target: string | null; targets: string[] | null };

// The keys of the schema: `p`, primary ones, or `f`, foreign ones.
const keysOf = (kind: 'p' | 'f') => sql()<Key[]>`
  select c.conrelid::regclass::text as "table", c.conname as name,
    array(select attname::text from unnest(c.conkey) with ordinality k (no, place)
      join pg_attribute on attrelid = c.conrelid and attnum = k.no order by place) as columns,
    nullif(c.confrelid, 0)::regclass::text as target,
    array(select attname::text from unnest(c.confkey) with ordinality k (no, place)
      join pg_attribute on attrelid = c.confrelid and attnum = k.no order by place) as targets
  from pg_constraint c join pg_namespace n on n.oid = c.connamespace
  where n.nspname = 'public' and c.contype = ${kind} order by 1, 2`;

const shared = ['build_files', 'companies', 'hourly_jobs', 'limit_counters', 'provider_logouts'];

test('every table starts with the company, and every foreign key has it on both sides (T10)', async () => {
  const tables = await sql()<{ name: string; isShared: boolean }[]>`
    select table_name as name, table_name not in (select table_name from information_schema.columns
      where table_schema = 'public' and column_name = 'company_id' and is_nullable = 'NO') as "isShared"
    from information_schema.tables where table_schema = 'public' order by 1`;
  const named = (isShared: boolean) => tables.filter((table) => table.isShared === isShared).map(({ name }) => name);
  // Failed sign-ins are counted before the account is known; the others are the same for all companies.
  expect(named(true)).toEqual(shared);
  const ofCompanies = named(false);
  const primary = new Map((await keysOf('p')).map(({ table, columns }) => [table, columns]));
  // Spans of employment have no id: two of one employee can begin at the same number.
  expect(ofCompanies.filter((table) => primary.get(table)?.[0] !== 'company_id')).toEqual(['employment']);
  const foreign = await keysOf('f');
  const wrong = foreign.filter(({ columns, target, targets }) => {
    const at = columns.indexOf('company_id');
    return at === -1 || targets?.[at] !== (target === 'companies' ? 'id' : 'company_id');
  });
  expect(wrong).toEqual([]);
  const tied = new Set(foreign.map(({ table }) => table));
  expect(ofCompanies.filter((table) => !tied.has(table))).toEqual([]);
});

test('values that are unique over all companies are secrets or sign-in names', async () => {
  const found = await sql()<{ name: string }[]>`
    select i.indexrelid::regclass::text as name from pg_index i join pg_class c on c.oid = i.indrelid
      join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and i.indisunique and c.relname <> all(${shared}::text[])
      and coalesce((select attname from pg_attribute where attrelid = c.oid and attnum = i.indkey[0]), '') <> 'company_id'
    order by 1`;
  expect(found.map(({ name }) => name)).toEqual([
    ...['accounts_username', 'api_keys_fingerprint', 'identities_subject', 'invitations_token', 'join_links_token'],
    ...['join_requests_token', 'owner_devices_endpoint', 'passkeys_credential', 'push_subscriptions_endpoint'],
    'sessions_bell',
  ]);
});

const codeOf = (running: Promise<unknown>) => running.catch(({ code }: { code: string }) => code);

test('the database refuses references to another company’s rows, for each foreign key (T1, T10)', async () => {
  const [own, foreign] = [ours.company.owner.companyId, theirs.company.owner.companyId];
  const admin = openAdmin();
  const keys = (await keysOf('f')).filter(({ target }) => target !== 'companies');
  expect(keys.length).toBeGreaterThan(20);
  for (const { table, name, columns, target, targets } of keys) {
    const column = columns.find((one) => one !== 'company_id') ?? '';
    const wanted = targets?.[columns.indexOf(column)] ?? '';
    const [there] =
      await admin`select max(${admin(wanted)}::text) as id from ${admin(target ?? '')} where company_id = ${foreign}`;
    const one = admin`ctid = (select ctid from ${admin(table)} where company_id = ${own} and ${admin(column)} is not null limit 1)`;
    const [here] = await admin`select 1 from ${admin(table)} where ${one}`;
    expect([name, here !== undefined, there?.id !== null], 'there is such a row').toEqual([name, true, true]);
    const type = admin.unsafe(wanted === 'id' && target === 'exports' ? 'uuid' : 'bigint');
    const point = admin`update ${admin(table)} set ${admin(column)} = ${String(there?.id)}::text::${type} where ${one}`;
    expect([name, await codeOf(point)]).toEqual([name, '23503']);
    const move = admin`update ${admin(table)} set company_id = ${foreign} where ${one}`;
    expect([name, await codeOf(move)]).toEqual([name, '23503']);
  }
  await admin.end();
});

test('a key gets nothing of another company by its employee’s id or its Idempotency-Key (T1, U5)', async () => {
  for (const search of ['?aksi=ping', '?aksi=karyawan']) {
    const { status, text } = await ask(search, { headers: withKey(ours.key) });
    expect([status, text.includes(ours.marker), text.includes(theirs.marker)]).toEqual([200, true, false]);
  }
  const { employee, invited, inactive, account } = theirs.ids;
  const texts = new Set<string>();
  for (const user_id of [employee, invited, inactive, account, ours.ids.account, missing.employee]) {
    const { status, text } = await sendJson(ours.key, { ...good, user_id });
    expect([user_id, status]).toEqual([user_id, 404]);
    texts.add(text);
  }
  expect(texts.size).toBe(1);
  const { status, headers } = await sendJson(ours.key, good, { 'Idempotency-Key': theirs.marker });
  expect([status, headers.get('idempotent-replayed')]).toEqual([200, null]);
  expect(await checksumOf(theirs.company.owner.companyId)).toEqual(before);
});

test('no extra field or header selects another company or rate limit (T3)', async () => {
  const { companyId } = theirs.company.owner;
  const named = { company_id: companyId, companyId, tenant: companyId, key_id: theirs.ids.key };
  const headers = (call: number) => ({
    'X-Company-Id': String(companyId),
    'X-User-Id': String(theirs.ids.employee),
    'X-Forwarded-For': `203.0.113.${call}`,
    Cookie: theirs.owner,
  });
  const left: number[] = [];
  for (let call = 1; call <= 3; call++) {
    const answer = await sendJson(ours.key, { ...good, user_id: 0, ...named }, headers(call));
    expect(answer.status).toBe(200);
    left.push(Number(answer.headers.get('x-ratelimit-remaining')));
  }
  expect(left.map((one) => one - (left[0] ?? 0))).toEqual([0, -1, -2]);
  expect(await checksumOf(companyId)).toEqual(before);
});

test('changes in one company leave every row of another company unchanged', async () => {
  const { owner } = ours.company;
  await revokeKey(owner, ours.ids.key);
  await signOutEmployee(owner, ours.ids.employee);
  await setEmployeesActive(owner, [ours.ids.employee], false);
  await endOtherSessions(await sessionOf(ours.owner), 'others');
  await withdrawNotification(owner, ours.ids.send);
  await createExport(owner, { readme: 'Bacalah', language: 'id' });
  await changeRetention(owner, { keepNotificationsDays: 90, keepRefusalsDays: 7 });
  const admin = openAdmin();
  const old = admin`now() - interval '400 days'`;
  const times = { notifications: 'created_at', refusals: 'at', invitations: 'expires_at', sessions: 'expires_at' };
  for (const [table, column] of Object.entries(times))
    await admin`update ${admin(table)} set ${admin(column)} = ${old} where company_id = ${owner.companyId}`;
  await admin.end();
  await deleteExpiredRows();
  await deleteExpired();
  const [left] = await sql()`select count(*)::int as count from notifications where company_id = ${owner.companyId}`;
  expect(left?.count).toBe(0);
  expect(await checksumOf(theirs.company.owner.companyId)).toEqual(before);
});

test('the router has only the two procedures that a key may call (T8)', () => {
  const pathOf = (meta: unknown) => (meta as OpenApiMeta).openapi?.path;
  const procedures = Object.entries(router._def.procedures);
  const called = procedures.map(([name, { _def }]) => `${name} ${_def.type} ${pathOf(_def.meta)}`);
  expect(called).toEqual(['read query /api/v1/notif.php', 'send mutation /api/v1/notif.php']);
});

type Person = Awaited<ReturnType<typeof makePerson>>;

async function makePerson() {
  const company = await makeCompany();
  const employee = await company.hire();
  await company.giveAccount(employee);
  return { company, employee, cookie: await openSessionOf({ ...company.owner, accountId: await accountOf(employee) }) };
}

const hears = (reader: Reader, text: string) => expect.poll(reader.text, { timeout: 20_000 }).toContain(text);
const asCaller = (cookie: string) => ({ name: 'a person', headers: { cookie } });
const feed = (cookie: string) => requestAs(asCaller(cookie), '/portal/feed?after=0');

test('streams and polls return nothing of a colleague or another company (T1, T8)', async () => {
  const [ours, theirs] = [await makePerson(), await makePerson()];
  const colleague = await ours.company.hire();
  const stream = await openReader(baseUrl, ours.cookie);
  const [ourKey, theirKey] = [await ours.company.newKey(), await theirs.company.newKey()];
  await sendJson(theirKey, { ...good, judul: 'Rahasia tetangga' });
  await sendJson(theirKey, { ...good, judul: 'Rahasia tetangga', user_id: theirs.employee.employeeId });
  await sendJson(ourKey, { ...good, judul: 'Rahasia rekan', user_id: colleague.employeeId });
  await sendJson(ourKey, { ...good, judul: 'Untuk kita' });
  await hears(stream, 'Untuk kita');
  expect(stream.text()).not.toContain('Rahasia');
  stream.leave();
  expect((await feed(ours.cookie)).text).not.toContain('Rahasia');
  const { companyId, employeeId } = theirs.employee;
  for (const person of [`${companyId}:${employeeId}`, `${ours.employee.companyId}:${colleague.employeeId}`, '0:0', ''])
    for (const path of ['/portal/feed', '/portal/stream']) {
      const { status } = await requestAs(asCaller(ours.cookie), `${path}?after=0&person=${person}`);
      expect(status).toBe(401);
    }
});

const ends: Record<string, (person: Person) => Promise<unknown>> = {
  'is deactivated': ({ company, employee }) => company.deactivate(employee),
  'is signed out by the owner': ({ company, employee }) => signOutEmployee(company.owner, employee.employeeId),
  'ends that session from another device': async ({ company, employee, cookie }) => {
    const elsewhere = await openSessionOf({ ...company.owner, accountId: await accountOf(employee) });
    await endOtherSessions(await sessionOf(elsewhere), (await sessionOf(cookie)).sessionId);
  },
  'signs out': async ({ cookie }) => {
    const { account, sessionId } = await sessionOf(cookie);
    await endSession(account, sessionId);
  },
  'chooses a new password by an invitation': async ({ company, employee }) =>
    acceptLink(must(await createInvitation(company.owner, employee.employeeId)).token, 'tidak dipakai', password),
};

for (const [how, end] of Object.entries(ends))
  test(`when an employee ${how}, the stream closes and the session is refused (T9)`, async () => {
    const person = await makePerson();
    await sendJson(await person.company.newKey(), good);
    const stream = await openReader(baseUrl, person.cookie);
    await hears(stream, 'event: ping');
    expect((await feed(person.cookie)).status).toBe(200);
    await end(person);
    expect((await feed(person.cookie)).status).toBe(401);
    await stream.closed;
    const again = await openReader(baseUrl, person.cookie);
    again.leave();
    const page = await requestAs(asCaller(person.cookie), '/portal/settings');
    expect([again.status, page.status, page.location]).toEqual([401, 307, '/login?returnTo=%2Fportal%2Fsettings']);
  });

test('the service never requests an address that a caller names', async () => {
  let asked = 0;
  const trap = createServer((socket) => {
    asked += 1;
    socket.destroy();
  });
  onTestFinished(() => void trap.close());
  await once(trap.listen(0, '127.0.0.1'), 'listening');
  const bait = `127.0.0.1:${(trap.address() as AddressInfo).port}`;
  const world = await makeFullCompany(`umpan${randomUUID().slice(0, 8)}`, 700_000);
  const { owner, employee } = usersOf(world);
  const url = encodeURIComponent(`http://${bait}/x.png`);
  for (const path of [`/_next/image?url=${url}&w=64&q=75`, `/login?returnTo=${url}`, `//${bait}/x`]) {
    const { status, location } = await requestAs(anonymous, path);
    expect([path, status < 500, location?.includes(bait) ?? false]).toEqual([path, true, false]);
  }
  const rewrite = { 'X-Middleware-Rewrite': `http://${bait}/` };
  const forwarded = { 'X-Forwarded-Host': bait, 'X-Forwarded-Proto': 'http', Forwarded: `host=${bait}`, ...rewrite };
  for (const path of ['/login', '/owner']) await requestAs(owner, path, { headers: forwarded });
  await sendJson(world.key, { ...good, url: `http://${bait}/` }, forwarded);
  await sendJson(world.key, { ...good, url: `/jalan?ke=${url}` });
  const device = { endpoint: `http://${bait}/`, p256dh: 'p'.repeat(87), auth: 'a'.repeat(22) };
  const kept = await callAction(employee, actionNamed('keepSubscriptionAction'), [device]);
  expect(kept.result).toBe('{"problems":{"form":"unknown-service"}}');
  // Next forwards an action to the page that has it; the Host header must not choose where.
  const { id } = actionNamed('addNumberedEmployeeAction');
  const passedOn = `POST /login HTTP/1.1\r\nHost: ${bait}\r\nOrigin: http://${bait}\r\nNext-Action: ${id}\r\nContent-Type: text/plain\r\nContent-Length: 2\r\nConnection: close\r\n\r\n[]`;
  expect(await askRaw(baseUrl, passedOn)).toMatchObject({ status: 200 });
  await askRaw(baseUrl, `GET http://${bait}/login HTTP/1.1\r\nHost: ${bait}\r\nConnection: close\r\n\r\n`);
  expect(asked).toBe(0);
});
