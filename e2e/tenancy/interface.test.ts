import type { OpenApiMeta } from 'trpc-to-openapi';
import { beforeAll, expect, test } from 'vitest';
import { sql } from '#db/client.ts';
import { type Company, makeCompany, password } from '#e2e/support/data/company.ts';
import { deleteExpired } from '#e2e/support/data/expired.ts';
import { openSessionOf } from '#e2e/support/data/owners.ts';
import { ask, baseUrl, good, sendJson, withKey } from '#e2e/support/http/interface.ts';
import { openReader, type Reader } from '#e2e/support/http/open-streams.ts';
import { openAdmin } from '#e2e/support/service/databases.ts';
import { checksumOf } from '#e2e/tenancy/callers.ts';
import { accountOf, type FullCompany, makeTwoCompanies, missing, sessionOf } from '#e2e/tenancy/full-company.ts';
import { endOtherSessions, endSession } from '#server/accounts/sessions/sessions.ts';
import { router } from '#server/api/router.ts';
import { changeRetention } from '#server/companies/retention.ts';
import { setEmployeesActive, signOutEmployee } from '#server/employees/employees.ts';
import { createInvitation } from '#server/employees/invitations.ts';
import { acceptLink } from '#server/employees/personal-links.ts';
import { createExport } from '#server/exports/exports.ts';
import { deleteExpiredRows } from '#server/jobs/expired-rows.ts';
import { revokeKey } from '#server/keys/keys.ts';
import type { Employee } from '#server/principals.ts';
import { withdrawNotification } from '#server/sends/history/withdraw.ts';

let ours: FullCompany;
let theirs: FullCompany;
let before: object;

beforeAll(async () => {
  ({ ours, theirs } = await makeTwoCompanies());
  before = await checksumOf(theirs.company.owner.companyId);
});

test('a key that names another company’s employee gets the 404 of a missing one (T1, U5)', async () => {
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
  expect(await checksumOf(theirs.company.owner.companyId)).toEqual(before);
});

test('an Idempotency-Key of another company has no effect (T1)', async () => {
  const once = { 'Idempotency-Key': theirs.marker };
  const { status, headers } = await sendJson(ours.key, good, once);
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
    const answer = await sendJson(ours.key, { ...good, ...named }, headers(call));
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
  for (const [table, column] of [
    ['notifications', 'created_at'],
    ['refusals', 'at'],
    ['invitations', 'expires_at'],
    ['sessions', 'expires_at'],
  ])
    await admin`update ${admin(table ?? '')} set ${admin(column ?? '')} = ${old} where company_id = ${owner.companyId}`;
  await admin.end();
  await deleteExpiredRows();
  await deleteExpired();
  const [left] = await sql()`select count(*)::int as count from notifications where company_id = ${owner.companyId}`;
  expect(left?.count).toBe(0);
  expect(await checksumOf(theirs.company.owner.companyId)).toEqual(before);
});

test('the router has only the two procedures that a key may call (T8)', () => {
  const procedures = Object.entries(router._def.procedures);
  expect(procedures.map(([name, { _def }]) => [name, _def.type, (_def.meta as OpenApiMeta).openapi?.path])).toEqual([
    ['read', 'query', '/api/v1/notif.php'],
    ['send', 'mutation', '/api/v1/notif.php'],
  ]);
});

type Person = { company: Company; employee: Employee; cookie: string };

async function makePerson(): Promise<Person> {
  const company = await makeCompany();
  const employee = await company.hire();
  await company.giveAccount(employee);
  return { company, employee, cookie: await openSessionOf({ ...company.owner, accountId: await accountOf(employee) }) };
}

const hears = (reader: Reader, text: string) => expect.poll(reader.text, { timeout: 20_000 }).toContain(text);
const feed = async (cookie: string, more = '') =>
  fetch(`${baseUrl}/portal/feed?after=0${more}`, { headers: { cookie } });

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
  expect(await (await feed(ours.cookie)).text()).not.toContain('Rahasia');
  const { companyId, employeeId } = theirs.employee;
  for (const person of [`${companyId}:${employeeId}`, `${ours.employee.companyId}:${colleague.employeeId}`, '0:0', ''])
    for (const path of ['/portal/feed', '/portal/stream'])
      expect(
        (await fetch(`${baseUrl}${path}?after=0&person=${person}`, { headers: { cookie: ours.cookie } })).status,
      ).toBe(401);
});

const ends: [string, (person: Person) => Promise<unknown>][] = [
  ['is deactivated', ({ company, employee }) => company.deactivate(employee)],
  ['is signed out by the owner', ({ company, employee }) => signOutEmployee(company.owner, employee.employeeId)],
  [
    'ends that session from another device',
    async ({ company, employee, cookie }) => {
      const elsewhere = await openSessionOf({ ...company.owner, accountId: await accountOf(employee) });
      await endOtherSessions(await sessionOf(elsewhere), (await sessionOf(cookie)).sessionId);
    },
  ],
  [
    'signs out',
    async ({ cookie }) => {
      const { account, sessionId } = await sessionOf(cookie);
      await endSession(account, sessionId);
    },
  ],
  [
    'chooses a new password by an invitation',
    async ({ company, employee }) => {
      const made = await createInvitation(company.owner, employee.employeeId);
      if (typeof made === 'string') throw new Error(made);
      await acceptLink(made.token, 'tidak dipakai', password);
    },
  ],
];

for (const [how, end] of ends)
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
    const page = await fetch(`${baseUrl}/portal/settings`, { headers: { cookie: person.cookie }, redirect: 'manual' });
    expect([again.status, page.status, page.headers.get('location')]).toEqual([
      401,
      307,
      '/login?returnTo=%2Fportal%2Fsettings',
    ]);
  });
