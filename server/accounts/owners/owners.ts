import { byId, countRows, db, deleteRows, findRow, matches, type Transaction, updateRows } from '#db/client.ts';
import { announceAccessChange, type PersonTransaction, withManager, withOwner } from '#db/company-row.ts';
import { and, eq, or, type SQLWrapper, sql } from '#db/drizzle.cjs';
import { accounts, employees, identities, invitations, joinLinks } from '#db/schema/tables.ts';
import {
  type Confirmation,
  deleteUnusedLinks,
  endAllSessions,
  lastConfirmationOf,
} from '#server/accounts/sessions/sessions.ts';
import { removeSecondFactors } from '#server/accounts/sign-in/passkeys.ts';
import { recordAudit } from '#server/audit/record.ts';
import type { AccountId, Manager, Owner } from '#server/principals.ts';
import { newRequestId } from '#server/request-id.ts';

/**
 * An owner or manager as owners see one. `since`: when they became an owner. `signedInAt`: null before the first
 * sign-in. `isEmployee`: an active employee has the account. `joinLinks`: how many open ones they made or saw.
 */
export type OwnerSummary = Awaited<ReturnType<typeof listManagement>>[number];

// Open join links whose token this account has.
const isKnownTo = (accountId: number | SQLWrapper) => sql`(
  ${joinLinks.revokedAt} is null and ${joinLinks.expiresAt} > now()
  and (${joinLinks.createdBy} = ${accountId} or ${accountId} = any(${joinLinks.shownTo})))`;

/** All owners of the owner's company, the first one first, and then its managers, by their accounts. */
export async function listManagement({ companyId }: Owner) {
  const { id: accountId, name, username, signedInAt } = accounts;
  const since = sql<Date>`coalesce(${accounts.ownerSince}, ${accounts.createdAt})`;
  const who = { accountId, name, username, signedInAt, since };
  return db()
    .select({
      ...who,
      rights: sql<Manager['kind']>`case when ${accounts.isOwner} then 'owner' else 'manager' end`,
      // Nested: of one table, drizzle prints the columns of a field without the table's name.
      confirmation: sql<Confirmation | null>`${lastConfirmationOf(accounts)}`,
      isEmployee: sql<boolean>`exists (select from ${employees} where ${and(matches(employees, { companyId, accountId: accounts.id }), employees.active)})`,
      joinLinks: sql<number>`(select count(*) from ${joinLinks}
        where ${joinLinks.companyId} = ${companyId} and ${isKnownTo(sql`${accounts}.id`)})`,
    })
    .from(accounts)
    .where(and(eq(accounts.companyId, companyId), or(accounts.isOwner, accounts.isManager)))
    .orderBy(accounts.isManager, since, accounts.id);
}

/** Gives the acting owner or manager another name of 1–120 characters. Audit entries keep the old one. */
export async function renameAccount(manager: Manager, name: string): Promise<void> {
  const { companyId, accountId } = manager;
  if (name === manager.name) return;
  await withManager(manager, async (tx) => {
    await updateRows(db(tx), accounts, { companyId, id: accountId }, { name });
    await recordAudit(tx, manager, 'account.rename', { name, was: { name: manager.name } });
  });
}

type ManagementRow = Awaited<ReturnType<typeof lockPeople>>[number];

/**
 * Runs `change` in a transaction, with the owners and managers of the company, whose row is locked. Every
 * change of their rights takes this lock first, so that two owners who remove each other cannot both succeed.
 */
export async function changeManagement<Result>(
  owner: Owner,
  change: (tx: PersonTransaction, people: ManagementRow[]) => Promise<Result>,
): Promise<Result> {
  return withOwner(owner, async (tx) => change(tx, await lockPeople(tx, owner)));
}

/** Finds the account among owners and managers, unless it is the acting one. */
export const findOther = (people: ManagementRow[], owner: Owner, accountId: number): ManagementRow | undefined =>
  people.find((person) => person.accountId === accountId && accountId !== owner.accountId);

async function lockPeople(tx: PersonTransaction, manager: Manager) {
  await announceAccessChange(tx, manager);
  return db(tx)
    .select({ accountId: accounts.id, name: accounts.name, isOwner: accounts.isOwner })
    .from(accounts)
    .where(and(eq(accounts.companyId, manager.companyId), or(accounts.isOwner, accounts.isManager)))
    .orderBy(accounts.id);
}

// Ends the sessions of the account and the unused links for it.
async function setRights(tx: Transaction, account: AccountId, rights: Manager['kind'] | 'none'): Promise<void> {
  const [isOwner, isManager] = [rights === 'owner', rights === 'manager'];
  const changed = { isOwner, isManager, ownerSince: isOwner ? sql`now()` : null };
  await updateRows(db(tx), accounts, { companyId: account.companyId, id: account.accountId }, changed);
  await endAllSessions(tx, account, [account.accountId]);
  await deleteUnusedLinks(tx, account);
}

// Ends all rights of an account, and the unused invitations and join links, which would let the person back in.
async function endRights(
  tx: PersonTransaction,
  actor: Manager,
  action: `${Manager['kind']}.${'remove' | 'leave'}`,
  { accountId, name }: { accountId: number; name: string },
): Promise<void> {
  const { companyId } = actor;
  await setRights(tx, { companyId, accountId }, 'none');
  const hasSeen = or(eq(invitations.createdBy, accountId), sql`${accountId} = any(${invitations.shownTo})`);
  await deleteRows(db(tx), invitations, { companyId, usedAt: null }, hasSeen);
  const links = await db(tx)
    .update(joinLinks)
    .set({ revokedAt: sql`now()` })
    .where(and(eq(joinLinks.companyId, companyId), isKnownTo(accountId)))
    .returning({ linkId: joinLinks.id, role: joinLinks.role });
  await removeWaysIn(tx, { companyId, accountId });
  const requestId = newRequestId();
  if (links.length > 0) await recordAudit(tx, actor, 'join.close', [...links], requestId);
  await recordAudit(tx, actor, action, { accountId, name }, requestId);
}

// An employee, also an inactive one, keeps them: they sign in with this account again.
async function removeWaysIn(tx: Transaction, account: AccountId): Promise<void> {
  const { companyId, accountId } = account;
  if ((await countRows(db(tx), employees, { companyId, accountId })) > 0) return;
  await deleteRows(db(tx), identities, { companyId, accountId });
  await removeSecondFactors(tx, account);
}

/**
 * Ends the rights of an owner or manager, also the acting owner's own, with their sessions, ways to sign in, and unused
 * links that they made, saw, or that are for them. As an employee they sign in again. The last owner stays.
 */
export async function removeOwner(owner: Owner, accountId: number, rights: Manager['kind'] = 'owner') {
  return changeManagement(owner, async (tx, people) => {
    const others = people.filter(({ isOwner }) => isOwner === (rights === 'owner'));
    const removed = others.find((person) => person.accountId === accountId);
    if (!removed) return `no-such-${rights}` as const;
    if (rights === 'owner' && others.length === 1) return 'last-owner';
    await endRights(tx, owner, `${rights}.${accountId === owner.accountId ? 'leave' : 'remove'}`, removed);
    return 'removed';
  });
}

/** Makes an active employee with an account an owner or a manager. Their sessions and unused invitations end. */
export async function giveRights(owner: Owner, employeeId: number, rights: 'owner' | 'manager') {
  const { companyId } = owner;
  return changeManagement(owner, async (tx, people) => {
    const isActive = and(byId(employees, { companyId }, employeeId), employees.active);
    const columns = { name: employees.name, accountId: employees.accountId };
    const employee = await findRow(db(tx).select(columns).from(employees).where(isActive));
    if (!employee?.accountId) return 'no-such-employee';
    const { name, accountId } = employee;
    const before = people.find((person) => person.accountId === accountId);
    if (before?.isOwner || (before && rights === 'manager')) return 'has-rights';
    await setRights(tx, { companyId, accountId }, rights);
    await recordAudit(tx, owner, `${rights}.make`, { employeeId, accountId, name });
    return 'made';
  });
}

/**
 * Makes a manager an owner, or another owner a manager. Their sessions end, and unused links of a former owner for
 * owners and managers; their invitations for employees stay.
 */
export async function exchangeRights(owner: Owner, accountId: number, rights: 'owner' | 'manager') {
  const { companyId } = owner;
  return changeManagement(owner, async (tx, people) => {
    const other = findOther(people, owner, accountId);
    const had = rights === 'owner' ? 'manager' : 'owner';
    if (!other || other.isOwner !== (had === 'owner')) return `no-such-${had}` as const;
    await setRights(tx, { companyId, accountId }, rights);
    const unused = { companyId, createdBy: accountId, usedAt: null, employeeId: null };
    if (other.isOwner) await deleteRows(db(tx), invitations, unused);
    await recordAudit(tx, owner, other.isOwner ? 'owner.demote' : 'manager.promote', { accountId, name: other.name });
    return 'exchanged';
  });
}

/** Ends the rights of the acting manager, as `removeOwner` does. An owner uses that. */
export async function leaveManagers(manager: Manager): Promise<'left' | 'not-manager'> {
  return withManager(manager, async (tx) => {
    const people = await lockPeople(tx, manager);
    const self = people.find((person) => !person.isOwner && person.accountId === manager.accountId);
    if (!self) return 'not-manager';
    await endRights(tx, manager, 'manager.leave', self);
    return 'left';
  });
}

/** Ends all sessions and pushes of another owner or a manager; the password stays valid. */
export async function signOutOwner(owner: Owner, accountId: number): Promise<'signed-out' | 'no-such-owner'> {
  return changeManagement(owner, async (tx, people) => {
    const other = findOther(people, owner, accountId);
    if (!other) return 'no-such-owner';
    await endAllSessions(tx, owner, [accountId]);
    await recordAudit(tx, owner, other.isOwner ? 'owner.sign-out' : 'manager.sign-out', {
      accountId,
      name: other.name,
    });
    return 'signed-out';
  });
}
