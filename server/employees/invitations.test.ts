import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { sql } from '#db/client.ts';
import { makeCompany, must, password } from '#e2e/support/data/company.ts';
import { signIn } from '#e2e/support/data/owners.ts';
import { changePassword } from '#server/accounts/sign-in/account.ts';
import { authenticateSession } from '#server/accounts/sign-in/authenticate.ts';
import { authenticatePassword } from '#server/accounts/sign-in/sign-in.ts';
import { createInvitation } from '#server/employees/invitations.ts';
import { acceptLink, findLink } from '#server/employees/personal-links.ts';

const invite = async (company: Awaited<ReturnType<typeof makeCompany>>, employeeId: number) => {
  const made = await createInvitation(company.owner, employeeId);
  if (typeof made === 'string') throw new Error(made);
  return made.token;
};

test('an invitation creates one account, also when it is used twice at the same time', async () => {
  const company = await makeCompany();
  const employee = await company.hire('Baru');
  const token = await invite(company, employee.employeeId);
  expect(await findLink(token)).toMatchObject({ rights: 'employee', name: 'Baru', username: null });
  const names = [`a-${randomUUID()}`, `b-${randomUUID()}`] as const;
  const used = await Promise.all(names.map((name) => acceptLink(token, name, password)));
  expect(used.filter((result) => result === 'invalid')).toHaveLength(1);
  expect(await findLink(token)).toBeNull();
  expect(await acceptLink(token, `c-${randomUUID()}`, password)).toBe('invalid');
});

test('an invitation is valid for 7 days', async () => {
  const company = await makeCompany();
  const token = await invite(company, (await company.hire()).employeeId);
  const [row] = await sql()<{ days: number }[]>`
    select extract(epoch from expires_at - now())::float8 / 86400 as days from invitations where company_id = ${company.owner.companyId}`;
  expect(row?.days).toBeCloseTo(7, 2);
  await sql()`update invitations set expires_at = now() - interval '1 second' where company_id = ${company.owner.companyId}`;
  expect(await findLink(token)).toBeNull();
  expect(await acceptLink(token, `d-${randomUUID()}`, password)).toBe('invalid');
});

test('a newer invitation replaces the older; for an existing account it sets a new password', async () => {
  const company = await makeCompany();
  const employee = await company.hire();
  const username = await company.giveAccount(employee);
  const [older, newer] = [await invite(company, employee.employeeId), await invite(company, employee.employeeId)];
  expect(await findLink(older)).toBeNull();
  expect(await findLink(newer)).toMatchObject({ username });
  expect(await acceptLink(newer, 'diabaikan', 'sandi yang baru')).toMatchObject({ sessionVersion: 2 });
  expect(await authenticatePassword(username, 'sandi yang baru', randomUUID())).toHaveProperty('accountId');
});

test('a new password of the person ends the unused invitations for one', async () => {
  const company = await makeCompany();
  const employee = await company.hire();
  const username = await company.giveAccount(employee);
  const token = await invite(company, employee.employeeId);
  const session = must((await authenticateSession(await signIn(username))) ?? 'no session');
  expect(await changePassword(session, password, 'sandi lain yang baru', randomUUID())).toHaveProperty('accountId');
  expect(await findLink(token)).toBeNull();
});

test('of invitations created at the same time one is valid', async () => {
  const company = await makeCompany();
  const { employeeId } = await company.hire();
  const tokens = await Promise.all([1, 2, 3, 4, 5].map(() => invite(company, employeeId)));
  const found = await Promise.all(tokens.map((token) => findLink(token)));
  expect(found.filter((invitation) => invitation !== null)).toHaveLength(1);
});

test('a taken username is refused and the invitation stays valid', async () => {
  const company = await makeCompany();
  const token = await invite(company, (await company.hire()).employeeId);
  expect(await acceptLink(token, company.username.toUpperCase(), password)).toBe('duplicate-username');
  expect(await findLink(token)).not.toBeNull();
});

test('inactive employees and those of another company cannot be invited', async () => {
  const [company, other] = [await makeCompany(), await makeCompany()];
  const employee = await company.hire();
  const token = await invite(company, employee.employeeId);
  await company.deactivate(employee);
  expect(await createInvitation(company.owner, employee.employeeId)).toBe('no-such-employee');
  expect(await acceptLink(token, `e-${randomUUID()}`, password)).toBe('invalid');
  await company.activate(employee);
  expect(await findLink(token), 'being inactive did not use it up').not.toBeNull();
  expect(await createInvitation(other.owner, employee.employeeId)).toBe('no-such-employee');
  for (const wrong of ['', 'x', "'", 'a'.repeat(43), '\0'.repeat(43)]) expect(await findLink(wrong)).toBeNull();
});
