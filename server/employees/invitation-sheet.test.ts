import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { sql } from '#db/client.ts';
import { makeCompany, password } from '#e2e/support/data/company.ts';
import { authenticatePassword } from '#server/accounts/sign-in/sign-in.ts';
import { listAudit } from '#server/audit/list.ts';
import { addMyself } from '#server/employees/employees.ts';
import { createInvitation, createInvitations } from '#server/employees/invitations.ts';
import { acceptLink, findLink } from '#server/employees/personal-links.ts';

test('a sheet has an invitation for each employee who can be invited, and for no other employee', async () => {
  const [company, other] = [await makeCompany(), await makeCompany()];
  const [second, first] = [await company.hire('Uji B'), await company.hire('Uji A')];
  const withAccount = await company.hire('Uji C');
  const username = await company.giveAccount(withAccount);
  const inactive = await company.hire('Nonaktif');
  await company.deactivate(inactive);
  const otherEmployee = await other.hire('Orang Lain');
  const me = await addMyself(company.owner, 'Pemilik');
  const ids = [second, first, withAccount, inactive, otherEmployee].map(({ employeeId }) => employeeId);
  const made = await createInvitations(company.owner, [...ids, Number(me), 2_000_000_000]);
  expect(made.map(({ name, username }) => [name, username])).toEqual([
    ['Uji A', null],
    ['Uji B', null],
    ['Uji C', username],
  ]);
  for (const { token, employeeId } of made) {
    expect(token).toMatch(/^[a-z2-9]{5}(-[a-z2-9]{5}){3}$/);
    expect(await findLink(token)).toMatchObject({ employeeId, companyName: company.owner.companyName });
  }
  const [kept] =
    await sql()`select count(*)::int as count from invitations where company_id = ${other.owner.companyId}`;
  expect(kept?.count).toBe(0);
});

test('a typed token creates the account once, also with a capital first letter', async () => {
  const company = await makeCompany();
  const [made] = await createInvitations(company.owner, [(await company.hire('Uji')).employeeId]);
  if (!made) throw new Error('nobody was invited');
  const typed = `${made.token[0]?.toUpperCase()}${made.token.slice(1)}`;
  const username = `uji-${randomUUID()}`;
  expect(await acceptLink(typed, username, password)).toHaveProperty('accountId');
  expect(await findLink(made.token)).toBeNull();
  expect(await authenticatePassword(username, password, randomUUID())).toHaveProperty('accountId');
});

test('a new sheet replaces the invitations of its employees only', async () => {
  const company = await makeCompany();
  const [one, two] = [await company.hire('Satu'), await company.hire('Dua')];
  const sent = await createInvitation(company.owner, one.employeeId);
  if (typeof sent === 'string') throw new Error(sent);
  const [old] = await createInvitations(company.owner, [two.employeeId]);
  const [fresh] = await createInvitations(company.owner, [one.employeeId]);
  expect(await findLink(sent.token)).toBeNull();
  expect(await findLink(fresh?.token ?? '')).not.toBeNull();
  expect(await findLink(old?.token ?? '')).not.toBeNull();
});

test('the audit log has each employee and no token', async () => {
  const company = await makeCompany();
  const ids = [(await company.hire('Satu')).employeeId, (await company.hire('Dua')).employeeId];
  const made = await createInvitations(company.owner, ids);
  const { entries } = await listAudit(company.owner, { limit: 2 });
  expect(entries.map(({ action, details }) => [action, details]).toSorted()).toEqual(
    made.map(({ employeeId, name }) => ['invitation.create', { employeeId, name }]).toSorted(),
  );
  expect(JSON.stringify(entries)).not.toContain(made[0]?.token);
});
