import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { sql } from '#db/client.ts';
import { type Company, makeCompany, password } from '#harness/company.ts';
import { signIn } from '#server/accounts/accounts.ts';
import { authenticateSession, makeSessionCookie } from '#server/accounts/session.ts';
import { endOtherSessions, endSession, listSessions, proveAgain } from '#server/accounts/sessions.ts';
import { listAudit } from '#server/audit/list.ts';
import type { Session } from '#server/principals.ts';

const address = () => `10.0.0.${randomUUID()}`;

async function open(company: Company, client: string): Promise<{ cookie: string; session: Session }> {
  const signedIn = await signIn(company.username, password, address());
  if (!signedIn || 'waitSeconds' in signedIn) throw new Error('could not sign in');
  const { name, value } = await makeSessionCookie(signedIn, { address: '10.1.2.3', client });
  const cookie = `${name}=${value}`;
  return { cookie, session: (await authenticateSession(cookie)) as Session };
}

test('a session that was ended is nobody, whoever holds its cookie; the others go on', async () => {
  const company = await makeCompany();
  const [here, there] = [await open(company, 'Firefox'), await open(company, 'Chrome')];
  expect((await listSessions(here.session)).map(({ client }) => client)).toEqual(['Chrome', 'Firefox']);
  expect(await endSession(here.session.account, there.session.sessionId)).toBe('ended');
  expect(await authenticateSession(there.cookie)).toBeNull();
  expect((await authenticateSession(here.cookie))?.sessionId).toBe(here.session.sessionId);
  expect(await endSession(here.session.account, there.session.sessionId)).toBe('no-such-session');
});

test('a session of somebody else can neither be listed nor ended', async () => {
  const [mine, other] = [await open(await makeCompany(), 'mine'), await open(await makeCompany(), 'other')];
  expect(await endSession(mine.session.account, other.session.sessionId)).toBe('no-such-session');
  expect(await authenticateSession(other.cookie)).not.toBeNull();
  expect(await listSessions(mine.session)).toHaveLength(1);
});

test('a typed password is a proof for 10 minutes, in the session where it was typed', async () => {
  const company = await makeCompany();
  const [here, there] = [await open(company, 'here'), await open(company, 'there')];
  expect(here.session.proved).toBe(true);
  await sql()`update sessions set proved_at = now() - interval '10 minutes' where company_id = ${company.owner.companyId}`;
  const old = (await authenticateSession(here.cookie)) as Session;
  expect(old.proved).toBe(false);
  expect(await proveAgain(old, 'salah', address())).toBe('wrong-password');
  expect(await proveAgain(old, password, address())).toBe('proved');
  expect((await authenticateSession(here.cookie))?.proved).toBe(true);
  expect((await authenticateSession(there.cookie))?.proved).toBe(false);
});

test('ending all other sessions leaves the one at hand and everybody else’s, says so in the audit log, and silences devices', async () => {
  const [company, other] = [await makeCompany(), await makeCompany()];
  const [here, there, foreign] = [
    await open(company, 'curl/8'),
    await open(company, 'Firefox/1'),
    await open(other, 'x'),
  ];
  await open(company, 'Mozilla/5.0 (iPhone) Safari/604.1');
  const people = await Promise.all(
    [company, other].map(async (one) => {
      const employee = await one.hire();
      await sql()`update employees set account_id = ${one.owner.accountId} where company_id = ${employee.companyId} and id = ${employee.employeeId}`;
      await sql()`insert into push_subscriptions (company_id, employee_id, endpoint_hash, endpoint, p256dh, auth, session_version)
      values (${employee.companyId}, ${employee.employeeId}, ${Buffer.from(randomUUID())}, 'https://push.test', 'x', 'y', 1)`;
      return employee;
    }),
  );
  expect(await endOtherSessions(here.session, foreign.session.sessionId)).toBe(0);
  expect(await endOtherSessions(here.session, here.session.sessionId)).toBe(0);
  const devices = () =>
    Promise.all(people.map(({ companyId }) => sql()`select 1 from push_subscriptions where company_id = ${companyId}`));
  expect((await devices()).map((rows) => rows.length)).toEqual([1, 1]);
  expect(await endOtherSessions(here.session, 'others')).toBe(2);
  expect(await authenticateSession(there.cookie)).toBeNull();
  expect(await authenticateSession(here.cookie)).not.toBeNull();
  expect(await authenticateSession(foreign.cookie)).not.toBeNull();
  expect((await devices()).map((rows) => rows.length)).toEqual([0, 1]);
  const ended = (await listAudit(company.owner, { filter: { action: 'session.end' } })).entries;
  expect(ended.map(({ details }) => details.client).sort()).toEqual(['Firefox', 'Safari, iPhone']);
});
