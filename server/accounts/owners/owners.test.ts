import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { sql } from '#db/client.ts';
import { actionsOf, makeCompany, must, password } from '#e2e/support/data/company.ts';
import { addOwner, listOwners, newName, signIn } from '#e2e/support/data/owners.ts';
import { test } from '#e2e/support/data/test.ts';
import { createOperatorLink } from '#server/accounts/owners/operator.ts';
import {
  cancelOwnerInvitation,
  createOwnerLink,
  inviteOwner,
  listOwnerInvitations,
} from '#server/accounts/owners/owner-links.ts';
import { exchangeRights, giveRights, removeOwner, signOutOwner } from '#server/accounts/owners/owners.ts';
import { authenticateSession } from '#server/accounts/sign-in/authenticate.ts';
import type { Identity } from '#server/accounts/sign-in/cookies.ts';
import { authenticateIdentity } from '#server/accounts/sign-in/identities.ts';
import { authenticatePassword } from '#server/accounts/sign-in/sign-in.ts';
import { listAudit, listOwnerChanges } from '#server/audit/list.ts';
import { setEmployeesActive } from '#server/employees/employees.ts';
import { createInvitation } from '#server/employees/invitations.ts';
import { acceptLink, findLink } from '#server/employees/personal-links.ts';
import { type Owner, RightsEnded } from '#server/principals.ts';

const newPassword = 'sandi lain yang baru 456';

test('an invitation makes one more owner, once, also when it is used twice at the same time', async ({ company }) => {
  const { token } = must(await inviteOwner(company.owner, 'Sari'));
  expect(await findLink(token)).toMatchObject({ name: 'Sari', username: null, rights: 'owner' });
  const used = await Promise.all([newName(), newName()].map((name) => acceptLink(token, name, password)));
  expect(used.filter((result) => result === 'invalid')).toHaveLength(1);
  expect((await listOwners(company.owner)).map(({ name }) => name)).toEqual(['Pemilik Uji', 'Sari']);
  expect(await acceptLink(token, newName(), password)).toBe('invalid');
  expect((await actionsOf(company)).slice(0, 2)).toEqual(['owner.join', 'owner.invite']);
});

test('an owner’s invitation is valid for 7 days, unless it is cancelled', async ({ company, other, companyId }) => {
  const { token } = must(await inviteOwner(company.owner, 'Sari'));
  const [row] = await sql()<{ days: number }[]>`
    select extract(epoch from expires_at - now())::float8 / 86400 as days from invitations where company_id = ${companyId}`;
  expect(row?.days).toBeCloseTo(7, 2);
  const [invitation] = await listOwnerInvitations(company.owner);
  expect(invitation).toMatchObject({ name: 'Sari', invitedBy: 'Pemilik Uji' });
  expect(await cancelOwnerInvitation(other.owner, invitation?.id ?? '')).toBe('no-such-invitation');
  expect(await findLink(token)).not.toBeNull();
  expect(await cancelOwnerInvitation(company.owner, invitation?.id ?? '')).toBe('cancelled');
  expect(await acceptLink(token, newName(), password)).toBe('invalid');
  const late = must(await inviteOwner(company.owner, 'Sari')).token;
  await sql()`update invitations set expires_at = now() where company_id = ${companyId}`;
  expect(await acceptLink(late, newName(), password)).toBe('invalid');
  expect(await listOwners(company.owner)).toHaveLength(1);
});

test('a removed owner is signed out at once, cannot sign in, and their unused links end', async ({ company }) => {
  const second = await addOwner(company);
  const cookie = await signIn(second.username);
  const links = [
    must(await inviteOwner(second.owner, 'Kaki Tangan')).token,
    must(await createOwnerLink(second.owner, company.owner.accountId)).token,
    must(await createOwnerLink(company.owner, second.owner.accountId)).token,
  ];
  const employee = await company.hire();
  const { token } = must(await createInvitation(second.owner, employee.employeeId));
  expect(await removeOwner(company.owner, second.owner.accountId)).toBe('removed');
  expect(await authenticateSession(cookie)).toBeNull();
  expect(await authenticatePassword(second.username, password, randomUUID())).toBe('wrong-password');
  for (const link of links) expect(await acceptLink(link, newName(), newPassword)).toBe('invalid');
  expect(await findLink(token)).toBeNull();
  expect(await removeOwner(company.owner, second.owner.accountId)).toBe('no-such-owner');
  expect((await actionsOf(company))[0]).toBe('owner.remove');
});

const connect = async ({ companyId }: Owner, accountId: number, subject: string = randomUUID()): Promise<Identity> => {
  const issuer = 'https://id.test';
  await sql()`
    insert into identities (company_id, account_id, issuer, subject, label)
    values (${companyId}, ${accountId}, ${issuer}, ${subject}, 'x')`;
  return { issuer, subject, label: 'x', hasSecondFactor: false, isFresh: true, sid: null };
};

const accept = async (owner: Owner, identity: Identity) =>
  acceptLink(must(await inviteOwner(owner, 'Kembali', 'manager')).token, '', identity);

test('who is removed comes back by provider; no way to sign in stays but of employees', async ({ company, owner }) => {
  const second = await addOwner(company);
  const { companyId, accountId } = second.owner;
  const countWays = async () => {
    const [row] = await sql()<{ ways: number[] }[]>`
      select array[(select count(*) from identities where company_id = ${companyId} and account_id = ${accountId}),
        (select count(*) from recovery_codes where company_id = ${companyId} and account_id = ${accountId})]::int[] as ways`;
    return row?.ways;
  };
  const identity = await connect(owner, accountId);
  await sql()`insert into recovery_codes (company_id, account_id, code_hash) values (${companyId}, ${accountId}, 'x')`;
  expect(await countWays()).toEqual([1, 1]);
  await removeOwner(owner, accountId);
  expect(await countWays()).toEqual([0, 0]);
  const back = must(await accept(owner, identity));
  expect(await accept(owner, identity)).toBe('identity-taken');
  // An earlier version left the identity of who was removed.
  await removeOwner(owner, back.accountId, 'manager');
  await connect(owner, accountId, identity.subject);
  expect(await accept(owner, identity)).toHaveProperty('accountId');

  const employee = await company.hire();
  await company.giveAccount(employee);
  expect(await giveRights(owner, employee.employeeId, 'manager')).toBe('made');
  const [account] = await sql()<{ id: number }[]>`
    select account_id as id from employees where company_id = ${companyId} and id = ${employee.employeeId}`;
  const theirs = await connect(owner, account?.id ?? 0);
  await removeOwner(owner, account?.id ?? 0, 'manager');
  expect(await authenticateIdentity(theirs, randomUUID())).toMatchObject({ accountId: account?.id });
  expect(await accept(owner, theirs)).toBe('identity-taken');
  await company.deactivate(employee);
  expect(await accept(owner, theirs)).toHaveProperty('accountId');
});

test('the last owner stays: no leaving, no removal, no deactivation', async ({ company, owner, employee }) => {
  expect(await removeOwner(owner, owner.accountId)).toBe('last-owner');
  await sql()`update employees set account_id = ${owner.accountId}
    where company_id = ${owner.companyId} and id = ${employee.employeeId}`;
  expect(await setEmployeesActive(owner, [employee.employeeId], false)).toBe(1);
  expect(await listOwners(owner)).toHaveLength(1);
  expect(await authenticatePassword(company.username, password, randomUUID())).toHaveProperty('accountId');
});

test('two owners who remove or demote each other, or leave, at the same time leave exactly one', async () => {
  type Act = (one: Owner, other: Owner) => Promise<string>;
  const acts: [Act, string[]][] = [
    [(one, other) => removeOwner(one, other.accountId), ['RightsEnded', 'removed']],
    [(one, other) => exchangeRights(one, other.accountId, 'manager'), ['RightsEnded', 'exchanged']],
    [(one) => removeOwner(one, one.accountId), ['last-owner', 'removed']],
  ];
  for (const [act, outcomes] of [...acts, ...acts, ...acts]) {
    const company = await makeCompany();
    const { owner: second } = await addOwner(company);
    const ended = (error: unknown) => error instanceof RightsEnded && 'RightsEnded';
    const both = await Promise.all([act(company.owner, second).catch(ended), act(second, company.owner).catch(ended)]);
    expect(both.toSorted()).toEqual(outcomes);
    expect(await listOwners(company.owner)).toHaveLength(1);
  }
});

test('a link of another owner sets a new password once, within a day, and ends all sessions', async ({ company }) => {
  const second = await addOwner(company);
  const cookie = await signIn(second.username);
  const { companyId } = company.owner;
  expect(await createOwnerLink(company.owner, company.owner.accountId)).toBe('no-such-owner');
  const makeLink = async () => must(await createOwnerLink(company.owner, second.owner.accountId)).token;
  const [older, newer] = [await makeLink(), await makeLink()];
  expect(await findLink(older)).toBeNull();
  expect(await findLink(newer)).toMatchObject({ username: second.username });
  const [row] = await sql()<{ hours: number }[]>`
    select extract(epoch from expires_at - now())::float8 / 3600 as hours from invitations
    where company_id = ${companyId} and account_id is not null and used_at is null`;
  expect(row?.hours).toBeCloseTo(24, 1);
  expect(await authenticateSession(cookie)).not.toBeNull();
  const used = await Promise.all([1, 2].map(() => acceptLink(newer, 'diabaikan', newPassword)));
  expect(used.filter((result) => result === 'invalid')).toHaveLength(1);
  expect(await authenticateSession(cookie)).toBeNull();
  expect(await authenticatePassword(second.username, password, randomUUID())).toBe('wrong-password');
  await signIn(second.username, newPassword);
  expect((await actionsOf(company)).slice(0, 2)).toEqual(['owner.renew', 'owner.link']);
});

test('the operator makes a link for owners only, for 30 minutes and once; the log names them', async ({ company }) => {
  const cookie = await signIn(company.username);
  const made = must(await createOperatorLink({ kind: 'operator' }, company.username.toUpperCase()));
  const [row] = await sql()<{ minutes: number }[]>`
    select extract(epoch from expires_at - now())::float8 / 60 as minutes from invitations
    where company_id = ${company.owner.companyId}`;
  expect(row?.minutes).toBeCloseTo(30, 0);
  expect(await acceptLink(made.token, '', newPassword)).toMatchObject({ accountId: company.owner.accountId });
  expect(await authenticateSession(cookie)).toBeNull();
  expect(await acceptLink(made.token, '', newPassword)).toBe('invalid');
  await signIn(company.username, newPassword);
  const { entries } = await listAudit(company.owner, { filter: { who: 'operator' } });
  expect(entries).toMatchObject([{ action: 'owner.link', actorKind: 'operator', actorId: null }]);
  const second = await addOwner(company);
  await removeOwner(company.owner, second.owner.accountId);
  const manager = await company.addManager();
  for (const username of [await company.giveAccount(await company.hire()), manager.username, second.username])
    expect(await createOperatorLink({ kind: 'operator' }, username)).toBe('not-an-owner');
  expect(await createOperatorLink({ kind: 'operator' }, newName())).toBe('no-such-account');
});

test('owners see since when each is one and the last sign-in, and end all sessions of another', async ({ company }) => {
  const second = await addOwner(company);
  const before = { signedInAt: null, confirmation: null, isEmployee: false };
  expect((await listOwners(company.owner))[1]).toMatchObject(before);
  const cookie = await signIn(second.username);
  const [, listed] = await listOwners(company.owner);
  expect(listed).toMatchObject({ username: second.username, signedInAt: expect.any(Date) });
  expect(await signOutOwner(company.owner, company.owner.accountId)).toBe('no-such-owner');
  expect(await signOutOwner(company.owner, second.owner.accountId)).toBe('signed-out');
  expect(await authenticateSession(cookie)).toBeNull();
  await signIn(second.username);
});

test('an owner learns what others changed about owners, of the own company', async ({ company, other }) => {
  const second = await addOwner(company, 'Sari');
  await addOwner({ ...company, owner: second.owner }, 'Rina');
  await createOperatorLink({ kind: 'operator' }, company.username);
  const seen = async (owner: Owner) =>
    (await listOwnerChanges(owner)).map(({ action, actorName }) => `${action} ${actorName}`);
  expect(await seen(company.owner)).toEqual(['owner.link ', 'owner.join Rina']);
  // Nobody learns who accepted their own invitation, what they did, or what was before.
  expect(await seen(second.owner)).toEqual(['owner.link ']);
  expect(await seen(other.owner)).toEqual([]);
});
