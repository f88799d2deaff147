import { db, inTransaction, matches, type Transaction, updateRows } from '#db/client.ts';
import { announceAccessChange, lockCompanyRow } from '#db/company-row.ts';
import { alias, and, eq, exists, isNotNull, not, or, sql } from '#db/drizzle.cjs';
import { accounts, companies, employees, identities, sessions } from '#db/schema/tables.ts';
import { insertLink, insertOwnerInvitation, operatorLinkMinutes } from '#server/accounts/owners/owner-links.ts';
import { endAllSessions } from '#server/accounts/sessions/sessions.ts';
import { recordAudit } from '#server/audit/record.ts';
import type { Operator } from '#server/principals.ts';

/** The owners of this company, or of all, the oldest company first. `signedInAt` is null before the first sign-in. */
export async function listAllOwners(_: Operator, companyId: number | null) {
  const { companyId: company, id: accountId, name, username, signedInAt } = accounts;
  return db()
    .select({ companyId: company, companyName: companies.name, accountId, name, username, signedInAt })
    .from(accounts)
    .innerJoin(companies, eq(companies.id, accounts.companyId))
    .where(and(accounts.isOwner, companyId === null ? undefined : eq(accounts.companyId, companyId)))
    .orderBy(companies.id, sql`coalesce(${accounts.ownerSince}, ${accounts.createdAt})`, accounts.id);
}

/** Invites a new owner by name. The link is valid once, for 30 minutes. */
export async function inviteOwnerAsOperator(
  operator: Operator,
  { companyId, name }: { companyId: number; name: string },
): Promise<{ token: string } | 'too-many'> {
  return inTransaction(async (tx) => {
    await lockCompanyRow(tx, { companyId });
    const invitation = { name, rights: 'owner', validMinutes: operatorLinkMinutes } as const;
    const result = await insertOwnerInvitation(tx, { companyId }, invitation);
    if (result !== 'too-many') await recordAudit(tx, { companyId, ...operator }, 'owner.invite', { name });
    return result;
  });
}

async function findAccount(tx: Transaction, username: string) {
  const { companyId, id: accountId, name, isOwner, isManager } = accounts;
  const others = { companyName: companies.name, employeeId: employees.id };
  const [account] = await db(tx)
    .select({ companyId, accountId, name, isOwner, isManager, ...others })
    .from(accounts)
    .innerJoin(companies, eq(companies.id, companyId))
    .leftJoin(employees, matches(employees, { companyId, accountId }))
    .where(sql`lower(${accounts.username}) = lower(${username})`);
  return account;
}

// Locks the company's row, and reads the account again: its rights may have changed before the lock.
async function lockAccount(tx: Transaction, username: string) {
  const unlocked = await findAccount(tx, username);
  if (unlocked) await lockCompanyRow(tx, unlocked);
  return unlocked && findAccount(tx, username);
}

/** Makes a link for an owner's new password. It is valid once, for 30 minutes, and replaces an older one. */
export async function createOperatorLink(operator: Operator, username: string) {
  return inTransaction(async (tx) => {
    const account = await lockAccount(tx, username);
    if (!account) return 'no-such-account';
    if (!account.isOwner) return 'not-an-owner';
    const { companyId, accountId, name, companyName } = account;
    const token = await insertLink(tx, { companyId, accountId, createdBy: null }, operatorLinkMinutes);
    await recordAudit(tx, { companyId, ...operator }, 'owner.link', { accountId, name });
    return { token, name, companyName };
  });
}

/** Ends all sessions of the account: open portals close at once, devices receive nothing; the password stays. */
export async function endSessionsOfAccount(operator: Operator, username: string) {
  return inTransaction(async (tx) => {
    const account = await lockAccount(tx, username);
    if (!account) return 'no-such-account';
    const { companyId, accountId, employeeId, isOwner, isManager, name, companyName } = account;
    await announceAccessChange(tx, account);
    const ended = await endAllSessions(tx, account, [accountId]);
    const actor = { companyId, ...operator };
    if (isManager) await recordAudit(tx, actor, 'manager.sign-out', { accountId, name });
    else if (isOwner || employeeId === null) await recordAudit(tx, actor, 'owner.sign-out', { accountId, name });
    else await recordAudit(tx, actor, 'employee.sign-out', { employeeId, name });
    return { name, companyName, sessions: ended };
  });
}

/** Ends all sessions of all people of a company, with one audit entry. Does nothing without a session. */
export async function endSessionsOfCompany(operator: Operator, { companyId }: { companyId: number }) {
  return inTransaction(async (tx) => {
    await announceAccessChange(tx, { companyId });
    // A large company has more sessions than the default time limit allows to delete.
    await db(tx).execute(sql`select set_config('statement_timeout', '60s', true)`);
    const signedIn = await db(tx)
      .selectDistinct({ accountId: sessions.accountId })
      .from(sessions)
      .where(eq(sessions.companyId, companyId));
    if (signedIn.length === 0) return { sessions: 0 };
    const accountIds = signedIn.map(({ accountId }) => accountId);
    const count = await endAllSessions(tx, { companyId }, accountIds);
    await recordAudit(tx, { companyId, ...operator }, 'company.sign-out', { count });
    return { sessions: count };
  });
}

/**
 * Moves identities, sessions and rules of an issuer to the one that the same provider uses now, company by company.
 * Identities that the new issuer has (`taken`) stay. Returns the companies concerned; without `apply` nothing changes.
 */
export async function moveIssuer(
  operator: Operator,
  { from, to, apply }: { from: string; to: string; apply: boolean },
) {
  const other = alias(identities, 'other');
  const isSame = matches(other, { issuer: to, subject: identities.subject });
  const isTaken = exists(db().select({ id: other.id }).from(other).where(isSame));
  const countOf = (taken: boolean) =>
    sql<number>`count(${identities.id}) filter (where ${taken ? isTaken : not(isTaken)})`;
  const concerned = await db()
    .select({ companyId: companies.id, name: companies.name, identities: countOf(false), taken: countOf(true) })
    .from(companies)
    .leftJoin(identities, matches(identities, { companyId: companies.id, issuer: from }))
    .where(or(isNotNull(identities.id), eq(companies.onlyIssuer, from)))
    .groupBy(companies.id)
    .orderBy(companies.id);
  for (const { companyId } of apply ? concerned : [])
    await inTransaction(async (tx) => {
      await announceAccessChange(tx, { companyId });
      const moved = await db(tx)
        .update(identities)
        .set({ issuer: to })
        .where(and(matches(identities, { companyId, issuer: from }), not(isTaken)))
        .returning({ id: identities.id });
      const required = matches(companies, { id: companyId, onlyIssuer: from });
      await db(tx).update(companies).set({ onlyIssuer: to }).where(required);
      await updateRows(db(tx), sessions, { companyId, issuer: from }, { issuer: to });
      await recordAudit(tx, { companyId, ...operator }, 'identity.move', { from, to, count: moved.length });
    });
  return concerned;
}
