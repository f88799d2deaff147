import { inTransaction, sql, type Transaction } from '#db/client.ts';
import { announceAccessChange } from '#db/company-row.ts';
import { endAllSessions } from '#server/accounts/sessions.ts';
import { recordAudit } from '#server/audit/record.ts';
import type { Owner } from '#server/principals.ts';

/**
 * An owner as the company's owners see one. `since`: when this account became an owner. `signedInAt`
 * is null before the first sign-in. `isEmployee`: an active employee has the same account.
 */
export type OwnerSummary = {
  accountId: number;
  name: string;
  username: string;
  since: Date;
  signedInAt: Date | null;
  sessions: number;
  isEmployee: boolean;
};

/** All owners of the owner's company, the first one first. */
export async function listOwners({ companyId }: Owner): Promise<OwnerSummary[]> {
  return sql()<OwnerSummary[]>`
    select a.id as "accountId", a.name, a.username, coalesce(a.owner_since, a.created_at) as since,
      a.signed_in_at as "signedInAt",
      (select count(*)::int from sessions s
        where s.company_id = a.company_id and s.account_id = a.id and s.expires_at > now()) as sessions,
      exists (select from employees e
        where e.company_id = a.company_id and e.account_id = a.id and e.active) as "isEmployee"
    from accounts a where a.company_id = ${companyId} and a.is_owner
    order by since, a.id`;
}

type OwnerRow = { accountId: number; name: string };

/**
 * Locks the company's row and reads its owners. Every change of who is an owner takes this lock
 * first, so that two owners who remove each other cannot both succeed. Returns `'not-owner'` when
 * the acting account is no longer an owner.
 */
export async function lockOwners(tx: Transaction, owner: Owner): Promise<OwnerRow[] | 'not-owner'> {
  await announceAccessChange(tx, owner);
  const owners = await tx<OwnerRow[]>`
    select id as "accountId", name from accounts where company_id = ${owner.companyId} and is_owner order by id`;
  return owners.some(({ accountId }) => accountId === owner.accountId) ? owners : 'not-owner';
}

/**
 * Ends the ownership of an account, also the acting owner's own. Its sessions end, and with them
 * its devices. Unused links that it made or that are for it end too. An employee with this account
 * stays and signs in again. The last owner stays.
 */
export async function removeOwner(
  owner: Owner,
  accountId: number,
): Promise<'removed' | 'no-such-owner' | 'last-owner' | 'not-owner'> {
  const { companyId } = owner;
  return inTransaction(async (tx) => {
    const owners = await lockOwners(tx, owner);
    if (owners === 'not-owner') return owners;
    const removed = owners.find((one) => one.accountId === accountId);
    if (!removed) return 'no-such-owner';
    if (owners.length === 1) return 'last-owner';
    await tx`
      update accounts set is_owner = false, owner_since = null, session_version = session_version + 1
      where company_id = ${companyId} and id = ${accountId}`;
    await endAllSessions(tx, { companyId, accountId });
    await tx`
      delete from invitations
      where company_id = ${companyId} and used_at is null and (created_by = ${accountId} or account_id = ${accountId})`;
    await recordAudit(tx, owner, accountId === owner.accountId ? 'owner.leave' : 'owner.remove', removed);
    return 'removed';
  });
}

/**
 * Makes an active employee with an account an owner too. The employee signs in again: no session
 * from before gets the new rights, and no unused invitation of the employee stays valid.
 */
export async function makeOwner(
  owner: Owner,
  employeeId: number,
): Promise<'made' | 'no-such-employee' | 'inactive' | 'no-account' | 'already-owner' | 'not-owner'> {
  const { companyId } = owner;
  return inTransaction(async (tx) => {
    const owners = await lockOwners(tx, owner);
    if (owners === 'not-owner') return owners;
    const [employee] = await tx<{ name: string; active: boolean; accountId: number | null }[]>`
      select name, active, account_id as "accountId" from employees
      where company_id = ${companyId} and id = ${employeeId}`;
    if (!employee) return 'no-such-employee';
    const { name, active, accountId } = employee;
    if (!active) return 'inactive';
    if (accountId === null) return 'no-account';
    if (owners.some((one) => one.accountId === accountId)) return 'already-owner';
    await tx`
      update accounts set is_owner = true, owner_since = now(), session_version = session_version + 1
      where company_id = ${companyId} and id = ${accountId}`;
    await endAllSessions(tx, { companyId, accountId });
    await tx`delete from invitations where company_id = ${companyId} and employee_id = ${employeeId}`;
    await recordAudit(tx, owner, 'owner.make', { employeeId, accountId, name });
    return 'made';
  });
}

/** Ends all sessions of another owner, and with them the pushes; the password stays valid. */
export async function signOutOwner(
  owner: Owner,
  accountId: number,
): Promise<'signed-out' | 'no-such-owner' | 'not-owner'> {
  const { companyId } = owner;
  return inTransaction(async (tx) => {
    const owners = await lockOwners(tx, owner);
    if (owners === 'not-owner') return owners;
    const other = owners.find((one) => one.accountId === accountId && accountId !== owner.accountId);
    if (!other) return 'no-such-owner';
    await tx`
      update accounts set session_version = session_version + 1 where company_id = ${companyId} and id = ${accountId}`;
    await endAllSessions(tx, { companyId, accountId });
    await recordAudit(tx, owner, 'owner.sign-out', other);
    return 'signed-out';
  });
}
