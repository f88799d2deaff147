import { inTransaction, sql, type Transaction } from '#db/client.ts';
import { announceAccessChange, lockCompanyRow } from '#db/company-row.ts';
import { isDuplicate } from '#db/driver/errors.ts';
import { generateToken, hashToken, invitationDays, isInvitationToken } from '#server/accounts/invitation-token.ts';
import { findWeakness, type WeakPassword } from '#server/accounts/password-strength.ts';
import { hashPassword } from '#server/accounts/passwords.ts';
import { endAllSessions } from '#server/accounts/sessions.ts';
import type { AuthenticatedAccount } from '#server/accounts/sign-in.ts';
import { recordAudit } from '#server/audit/record.ts';
import { isOfManagement } from '#server/employees/protection.ts';
import type { Manager } from '#server/principals.ts';

/**
 * Creates an invitation: its token lets one employee create their account, or choose a new password
 * for the account they have. It is valid once, for 7 days, and replaces an older one of the same
 * employee. Only the token's hash is stored.
 */
export async function createInvitation(
  manager: Manager,
  employeeId: number,
): Promise<{ token: string } | 'no-such-employee' | 'inactive' | 'is-owner' | 'is-manager'> {
  const { companyId, accountId } = manager;
  const token = generateToken();
  return inTransaction(async (tx) => {
    await lockCompanyRow(tx, manager);
    const [employee] = await tx<
      { name: string; active: boolean; isOwner: boolean | null; isManager: boolean | null }[]
    >`
      select e.name, e.active, a.is_owner as "isOwner", a.is_manager as "isManager"
      from employees e left join accounts a on a.company_id = e.company_id and a.id = e.account_id
      where e.company_id = ${companyId} and e.id = ${employeeId} for update of e`;
    if (!employee) return 'no-such-employee';
    if (!employee.active) return 'inactive';
    if (employee.isOwner) return 'is-owner';
    if (employee.isManager) return 'is-manager';
    await tx`delete from invitations where company_id = ${companyId} and employee_id = ${employeeId}`;
    await tx`
      insert into invitations (company_id, token_hash, employee_id, created_by, expires_at)
      values (${companyId}, ${hashToken(token)}, ${employeeId}, ${accountId},
        now() + ${invitationDays} * interval '1 day')`;
    await recordAudit(tx, manager, 'invitation.create', { employeeId, name: employee.name });
    return { token };
  });
}

/** A valid invitation. `username` is set when the employee has an account already. */
export type Invitation = {
  companyId: number;
  companyName: string;
  employeeId: number;
  employeeName: string;
  username: string | null;
};

/** The valid invitation of a token, or null. An inactive employee, an owner and a manager have none. */
export async function findInvitation(token: string): Promise<Invitation | null> {
  if (!isInvitationToken(token)) return null;
  const [row] = await sql()<Invitation[]>`
    select i.company_id as "companyId", c.name as "companyName", i.employee_id as "employeeId",
      e.name as "employeeName", a.username
    from invitations i
    join companies c on c.id = i.company_id
    join employees e on e.company_id = i.company_id and e.id = i.employee_id
    left join accounts a on a.company_id = e.company_id and a.id = e.account_id
    where i.token_hash = ${hashToken(token)} and i.used_at is null and i.expires_at > now() and e.active
      and not ${isOfManagement()}`;
  return row ?? null;
}

/**
 * Uses an invitation: creates the employee's account with this username and password, or gives
 * their account this password and ends its sessions. Of two concurrent calls one succeeds.
 */
export async function acceptInvitation(
  token: string,
  username: string,
  password: string,
): Promise<AuthenticatedAccount | WeakPassword | 'invalid' | 'duplicate-username'> {
  const invitation = await findInvitation(token);
  if (!invitation) return 'invalid';
  const { companyName, employeeName } = invitation;
  const weakness = await findWeakness(password, [companyName, employeeName, invitation.username ?? username]);
  if (weakness) return weakness;
  const passwordHash = await hashPassword(password);
  try {
    return await inTransaction(async (tx) => {
      await announceAccessChange(tx, invitation);
      const [used] = await tx<InvitedEmployee[]>`
        update invitations i set used_at = now()
        where company_id = ${invitation.companyId} and token_hash = ${hashToken(token)}
          and used_at is null and expires_at > now() and exists (
          select from employees e left join accounts a on a.company_id = e.company_id and a.id = e.account_id
          where e.company_id = i.company_id and e.id = i.employee_id and e.active and not ${isOfManagement()})
        returning company_id as "companyId", employee_id as "employeeId"`;
      return used ? giveAccount(tx, used, username, passwordHash) : 'invalid';
    });
  } catch (error) {
    if (isDuplicate(error, 'accounts_username')) return 'duplicate-username';
    throw error;
  }
}

type InvitedEmployee = { companyId: number; employeeId: number };

async function giveAccount(
  tx: Transaction,
  { companyId, employeeId }: InvitedEmployee,
  username: string,
  passwordHash: string,
): Promise<AuthenticatedAccount> {
  const [employee] = await tx<{ name: string; accountId: number | null }[]>`
    select name, account_id as "accountId" from employees
    where company_id = ${companyId} and id = ${employeeId} for update`;
  if (!employee) throw new Error(`employee ${employeeId} does not exist`);
  const hasAccount = employee.accountId !== null;
  const returning = sql()`returning company_id as "companyId", id as "accountId", session_version as "sessionVersion"`;
  const [account] = hasAccount
    ? await tx<AuthenticatedAccount[]>`
        update accounts set password_hash = ${passwordHash}, session_version = session_version + 1
        where company_id = ${companyId} and id = ${employee.accountId} ${returning}`
    : await tx<AuthenticatedAccount[]>`
        insert into accounts (company_id, username, name, password_hash)
        values (${companyId}, ${username}, ${employee.name}, ${passwordHash}) ${returning}`;
  if (!account) throw new Error('the account was not created');
  await endAllSessions(tx, account);
  await tx`
    update employees set account_id = ${account.accountId} where company_id = ${companyId} and id = ${employeeId}`;
  const actor = { companyId, accountId: account.accountId, name: employee.name };
  await recordAudit(tx, actor, 'invitation.accept', { employeeId, renewed: hasAccount });
  return account;
}
