import { expect } from 'vitest';
import { must, password } from '#e2e/support/data/company.ts';
import { addOwner, listManagers, listOwners, newName, signIn } from '#e2e/support/data/owners.ts';
import { words } from '#e2e/support/data/random.ts';
import { aDraft } from '#e2e/support/data/sends.ts';
import { test } from '#e2e/support/data/test.ts';
import { noteSecret } from '#e2e/support/service/secrets.ts';
import { endSessionsOfAccount } from '#server/accounts/owners/operator.ts';
import {
  cancelOwnerInvitation,
  createOwnerLink,
  inviteOwner,
  listOwnerInvitations,
} from '#server/accounts/owners/owner-links.ts';
import {
  exchangeRights,
  giveRights,
  leaveManagers,
  removeOwner,
  signOutOwner,
} from '#server/accounts/owners/owners.ts';
import { authenticateSession } from '#server/accounts/sign-in/authenticate.ts';
import { listAudit, listAuditNames, listOwnerChanges } from '#server/audit/list.ts';
import { findEmployee } from '#server/employees/employee-list.ts';
import { addMyself, editEmployee, setEmployeesActive, signOutEmployee } from '#server/employees/employees.ts';
import { createInvitation, createInvitations } from '#server/employees/invitations.ts';
import {
  createJoinLink,
  findJoinLink,
  listJoinLinks,
  listJoinRequests,
  requestToJoin,
  showJoinLink,
} from '#server/employees/join-requests.ts';
import { acceptLink, findLink } from '#server/employees/personal-links.ts';
import { type Manager, RightsEnded } from '#server/principals.ts';
import { sendManually } from '#server/sends/manual/send-manually.ts';

const newPassword = 'sandi lain yang baru 456';

// The rights of a new session, and whether its person is an employee too.
async function rightsOf(username: string, typed = password): Promise<string[]> {
  const session = await authenticateSession(await signIn(username, typed));
  return Object.entries({ owner: session?.owner, manager: session?.manager, employee: session?.employee }).flatMap(
    ([name, who]) => (who ? [name === 'manager' ? `manager:${session?.manager?.kind}` : name] : []),
  );
}

test('an invitation makes a manager, who may send, and never an owner', async ({ company }) => {
  const { token } = must(await inviteOwner(company.owner, 'Rina', 'manager'));
  expect(await findLink(token)).toMatchObject({ name: 'Rina', username: null, rights: 'manager', employeeId: null });
  must(await acceptLink(token, newName(), password));
  const [manager] = await listManagers(company.owner);
  expect(manager).toMatchObject({ name: 'Rina', isEmployee: false });
  expect(await rightsOf(manager?.username ?? '')).toEqual(['manager:manager']);
  expect(await listOwners(company.owner)).toHaveLength(1);
  const rina: Manager = { ...company.owner, kind: 'manager', accountId: manager?.accountId ?? 0, name: 'Rina' };
  expect(await sendManually(rina, aDraft())).toMatchObject({ no: 1 });
  const { entries } = await listAudit(company.owner, { filter: { who: { accountId: rina.accountId } } });
  const done = entries.map(({ action, actorName }) => `${action} ${actorName}`);
  expect(done).toEqual(['notification.send Rina', 'manager.join Rina']);
  expect((await listAuditNames(company.owner)).people.map(({ name }) => name)).toContain('Rina');
});

test('invitations of managers are cancelled by owners only, and count with those of owners', async ({ company }) => {
  const { token } = must(await inviteOwner(company.owner, 'Rina', 'manager'));
  const [invitation] = await listOwnerInvitations(company.owner);
  expect(invitation).toMatchObject({ name: 'Rina', rights: 'manager', invitedBy: 'Pemilik Uji' });
  const manager = await company.addManager();
  await expect(cancelOwnerInvitation({ ...manager, kind: 'owner' }, invitation?.id ?? '')).rejects.toThrow(RightsEnded);
  expect(await cancelOwnerInvitation(company.owner, invitation?.id ?? '')).toBe('cancelled');
  expect(await acceptLink(token, newName(), password)).toBe('invalid');
  for (let open = 0; open < 20; open++) must(await inviteOwner(company.owner, 'Rina', open % 2 ? 'manager' : 'owner'));
  expect(await inviteOwner(company.owner, 'Rina', 'manager')).toBe('too-many');
});

test('an employee becomes a manager, then an owner, a manager again, and stays an employee', async ({ company }) => {
  const second = await addOwner(company);
  const employee = await company.hire('Budi');
  const inactive = await company.hire();
  await company.giveAccount(inactive);
  await company.deactivate(inactive);
  for (const { employeeId } of [employee, inactive])
    for (const rights of ['manager', 'owner'] as const)
      expect(await giveRights(company.owner, employeeId, rights)).toBe('no-such-employee');
  const username = await company.giveAccount(employee);
  const open = must(await createInvitation(company.owner, employee.employeeId)).token;
  const cookies = [await signIn(username)];
  const ended = async () => expect(await authenticateSession(cookies.at(-1) ?? '')).toBeNull();
  expect(await giveRights(company.owner, employee.employeeId, 'manager')).toBe('made');
  await ended();
  expect(await acceptLink(open, 'diabaikan', newPassword)).toBe('invalid');
  expect(await rightsOf(username)).toEqual(['manager:manager', 'employee']);
  expect(await giveRights(company.owner, employee.employeeId, 'manager')).toBe('has-rights');
  const [{ accountId } = { accountId: 0 }] = await listManagers(company.owner);
  const link = must(await createOwnerLink(company.owner, accountId)).token;
  cookies.push(await signIn(username));
  expect(await exchangeRights(company.owner, accountId, 'owner')).toBe('exchanged');
  await ended();
  expect(await acceptLink(link, 'diabaikan', newPassword)).toBe('invalid');
  expect(await rightsOf(username)).toEqual(['owner', 'manager:owner', 'employee']);
  expect(await giveRights(company.owner, employee.employeeId, 'manager')).toBe('has-rights');
  cookies.push(await signIn(username));
  expect(await exchangeRights(second.owner, accountId, 'manager')).toBe('exchanged');
  await ended();
  expect(await rightsOf(username)).toEqual(['manager:manager', 'employee']);
  // Also on the way that makes an owner of an employee.
  expect(await giveRights(company.owner, employee.employeeId, 'owner')).toBe('made');
  expect(await exchangeRights(company.owner, accountId, 'manager')).toBe('exchanged');
  cookies.push(await signIn(username));
  expect(await removeOwner(company.owner, accountId, 'manager')).toBe('removed');
  await ended();
  expect(await rightsOf(username)).toEqual(['employee']);
  expect(await removeOwner(company.owner, accountId, 'manager')).toBe('no-such-manager');
  const another = must(await createInvitation(company.owner, employee.employeeId)).token;
  cookies.push(await signIn(username));
  expect(await giveRights(company.owner, employee.employeeId, 'owner')).toBe('made');
  await ended();
  expect(await acceptLink(another, 'diabaikan', newPassword)).toBe('invalid');
  expect(await giveRights(company.owner, employee.employeeId, 'owner')).toBe('has-rights');
  expect(await removeOwner(company.owner, accountId)).toBe('removed');
  expect(await rightsOf(username)).toEqual(['employee']);
  const actions = (await listAudit(company.owner, { limit: 50 })).entries.map(({ action }) => action);
  const changes = words(`owner.remove owner.make manager.remove owner.demote owner.make
    owner.demote manager.promote manager.make`);
  expect(actions.filter((action) => /^(?:owner|manager)\.(?!invite|join|link)/.test(action))).toEqual(changes);
});

test('the last owner and oneself: nobody loses rights wrongly', async ({ company, manager }) => {
  expect(await exchangeRights(company.owner, company.owner.accountId, 'manager')).toBe('no-such-owner');
  expect(await exchangeRights(company.owner, manager.accountId, 'manager')).toBe('no-such-owner');
  expect(await removeOwner(company.owner, manager.accountId)).toBe('no-such-owner');
  expect(await removeOwner(company.owner, company.owner.accountId, 'manager')).toBe('no-such-manager');
  expect(await rightsOf(manager.username)).toEqual(['manager:manager']);
});

const openJoinLink = async (manager: Manager): Promise<string> => {
  const { token } = must(await createJoinLink(manager, { role: 'Kasir', days: 7, maxRequests: 10 }));
  noteSecret(token);
  return token;
};

test('join links of a person who loses all rights end; requests and other links stay', async ({ company, other }) => {
  const [manager, leaver] = [await company.addManager(), await company.addManager()];
  const { owner: second } = await addOwner(company);
  const removals: [Manager, () => Promise<string>][] = [
    [manager, () => removeOwner(company.owner, manager.accountId, 'manager')],
    [leaver, () => leaveManagers(leaver)],
    [second, () => removeOwner(company.owner, second.accountId)],
  ];
  const kept = await openJoinLink(company.owner);
  const theirs = await openJoinLink(other.owner);
  for (const [who, remove] of removals) {
    const ended = await openJoinLink(who);
    must(await requestToJoin(ended, { name: 'Calon', role: null }, '192.0.2.1'));
    const people = [...(await listOwners(company.owner)), ...(await listManagers(company.owner))];
    expect(people.find(({ accountId }) => accountId === who.accountId)).toMatchObject({ joinLinks: 1 });
    expect(await remove()).toMatch(/removed|left/);
    expect(await findJoinLink(ended)).toBeNull();
  }
  expect(await listJoinLinks(company.owner)).toHaveLength(1);
  expect(await findJoinLink(kept)).not.toBeNull();
  expect(await findJoinLink(theirs)).not.toBeNull();
  expect(await listJoinRequests(company.owner)).toHaveLength(3);
  const { entries } = await listAudit(company.owner, { limit: 50 });
  expect(entries.filter(({ action }) => action === 'join.close')).toHaveLength(3);
  expect(entries.slice(0, 2)).toMatchObject([
    { action: 'owner.remove', requestId: entries[1]?.requestId },
    { action: 'join.close', actorId: company.owner.accountId, details: { role: 'Kasir' } },
  ]);
});

test('a join link ends with the rights of who had it shown, unless an owner becomes a manager', async ({ company }) => {
  const [manager, other] = [await company.addManager(), await company.addManager()];
  const [shown, kept] = [await openJoinLink(company.owner), await openJoinLink(company.owner)];
  const link = (await listJoinLinks(manager)).at(-1);
  for (let times = 0; times < 2; times++) expect(await showJoinLink(manager, link?.id ?? 0)).toEqual({ token: shown });
  expect((await listManagers(company.owner)).map(({ joinLinks }) => joinLinks)).toEqual([1, 0]);
  await removeOwner(company.owner, other.accountId, 'manager');
  expect(await findJoinLink(shown)).not.toBeNull();
  const { owner: demoted } = await addOwner(company);
  const theirs = await openJoinLink(demoted);
  expect(await exchangeRights(company.owner, demoted.accountId, 'manager')).toBe('exchanged');
  await removeOwner(company.owner, manager.accountId, 'manager');
  expect(await findJoinLink(shown)).toBeNull();
  for (const link of [kept, theirs]) expect(await findJoinLink(link)).not.toBeNull();
});

test('a manager leaves alone, with sessions and links; nobody else leaves so', async ({ company, other, employee }) => {
  const [manager, another] = [await company.addManager('Rina'), await company.addManager('Sari')];
  const self = await addMyself(manager, 'Manajer');
  const { token } = must(await createInvitation(manager, employee.employeeId));
  const cookies = [await signIn(manager.username), await signIn(another.username)];
  expect(await leaveManagers({ ...company.owner, kind: 'manager' })).toBe('not-manager');
  await expect(leaveManagers({ ...manager, companyId: other.owner.companyId })).rejects.toThrow(RightsEnded);
  expect(await leaveManagers(manager)).toBe('left');
  expect(await authenticateSession(cookies[0] ?? '')).toBeNull();
  expect(await authenticateSession(cookies[1] ?? '')).not.toBeNull();
  expect(await findLink(token)).toBeNull();
  expect(await rightsOf(manager.username), `as employee ${self}`).toEqual(['employee']);
  expect((await listManagers(company.owner)).map(({ name }) => name)).toEqual(['Sari']);
  const [entry] = (await listAudit(company.owner)).entries;
  expect(entry).toMatchObject({ action: 'manager.leave', actorId: manager.accountId, actorName: 'Rina' });
  expect((await listOwnerChanges(company.owner)).map(({ action }) => action)).toContain('manager.leave');
});

test('an owner gives a manager a new password and ends sessions; so does the operator', async ({ company }) => {
  const manager = await company.addManager('Rina');
  const cookie = await signIn(manager.username);
  expect(await signOutOwner(company.owner, manager.accountId)).toBe('signed-out');
  expect(await authenticateSession(cookie)).toBeNull();
  const { token } = must(await createOwnerLink(company.owner, manager.accountId));
  expect(await findLink(token)).toMatchObject({ username: manager.username, rights: 'manager' });
  must(await acceptLink(token, '', newPassword));
  expect(await rightsOf(manager.username, newPassword)).toEqual(['manager:manager']);
  expect(await endSessionsOfAccount({ kind: 'operator' }, manager.username)).toMatchObject({ sessions: 1 });
  const actions = (await listAudit(company.owner)).entries.slice(0, 4).map(({ action }) => action);
  expect(actions).toEqual(words('manager.sign-out manager.renew manager.link manager.sign-out'));
  expect((await listOwnerChanges(company.owner)).map(({ action }) => action)).toEqual(['manager.renew']);
});

test('a manager changes employees, but none who is an owner or another manager', async ({ company }) => {
  const [manager, another] = [await company.addManager(), await company.addManager()];
  const ownerAsEmployee = Number(await addMyself(company.owner, 'Pemilik'));
  const [self, colleague] = [Number(await addMyself(manager, 'Manajer')), Number(await addMyself(another, 'Manajer'))];
  const { employeeId } = await company.hire();
  const details = { name: 'Diganti', role: 'Lain' };
  for (const id of [ownerAsEmployee, colleague]) {
    expect(await findEmployee(manager, id)).toMatchObject({ isProtected: true });
    expect(await editEmployee(manager, id, details)).toBe('no-such-employee');
    expect(await setEmployeesActive(manager, [id], false)).toBe(0);
    expect(await signOutEmployee(manager, id)).toBe('no-such-employee');
    expect(await createInvitation(manager, id)).toBe('no-such-employee');
  }
  expect(await setEmployeesActive(manager, [ownerAsEmployee, colleague, employeeId], false)).toBe(1);
  expect(await setEmployeesActive(manager, [ownerAsEmployee, colleague, employeeId], true)).toBe(1);
  expect(await createInvitations(manager, [ownerAsEmployee, colleague, self])).toEqual([]);
  for (const id of [self, employeeId]) {
    expect(await findEmployee(manager, id)).toMatchObject({ isProtected: false });
    expect(await editEmployee(manager, id, details)).toBe('edited');
  }
  // An owner may change all of them, but gives no manager a password by an employee's invitation.
  expect(await editEmployee(company.owner, colleague, details)).toBe('edited');
  expect(await createInvitation(company.owner, colleague)).toBe('no-such-employee');
  expect(await signOutEmployee(company.owner, colleague)).toBe('no-such-employee');
});

test('a manager, deactivated as an employee, stays a manager and signed in', async ({ company, manager }) => {
  const self = Number(await addMyself(manager, 'Manajer'));
  const cookie = await signIn(manager.username);
  expect(await authenticateSession(cookie)).toMatchObject({ employee: { employeeId: self } });
  expect(await setEmployeesActive(company.owner, [self], false)).toBe(1);
  const rights = { employee: null, owner: null, manager: { kind: 'manager' } };
  expect(await authenticateSession(cookie)).toMatchObject(rights);
});
