import { expect, test } from 'vitest';
import { type Company, makeCompany, password } from '#e2e/support/data/company.ts';
import { baseUrl, good, sendJson } from '#e2e/support/http/interface.ts';
import { openReader, type Reader } from '#e2e/support/http/open-streams.ts';
import { accountOf, sessionOf, signInCookie } from '#e2e/tenancy/full-company.ts';
import { endOtherSessions, endSession } from '#server/accounts/sessions/sessions.ts';
import { signOutEmployee } from '#server/employees/employees.ts';
import { acceptInvitation, createInvitation } from '#server/employees/invitations.ts';
import type { Employee } from '#server/principals.ts';

type Person = { company: Company; employee: Employee; cookie: string };

async function makePerson(): Promise<Person> {
  const company = await makeCompany();
  const employee = await company.hire();
  await company.giveAccount(employee);
  return { company, employee, cookie: await signInCookie({ ...company.owner, accountId: await accountOf(employee) }) };
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
      const elsewhere = await signInCookie({ ...company.owner, accountId: await accountOf(employee) });
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
      await acceptInvitation(made.token, 'tidak dipakai', password);
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
