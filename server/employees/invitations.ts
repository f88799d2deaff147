import { and, eq, sql as expression } from 'drizzle-orm';
import { type Database, db, sql } from '#db/client.ts';
import { announceAccessChange, lockCompanyRow } from '#db/company-row.ts';
import { isDuplicate } from '#db/driver/errors.ts';
import { accounts, employees, invitations } from '#db/schema.ts';
import { endAllSessions, hashPassword, type SignIn } from '#server/accounts/accounts.ts';
import { recordAudit } from '#server/audit/record.ts';
import { hashOf, isToken, makeToken, validDays } from '#server/employees/invitation-token.ts';
import type { Owner } from '#server/principals.ts';

/**
 * A token for a link that lets one employee make their account, or choose a new password when they have one.
 * Valid 7 days, once; a newer invitation of the same employee ends the older. The token exists nowhere else.
 */
export async function createInvitation(
  owner: Owner,
  employeeId: number,
): Promise<{ token: string } | 'no-such-employee' | 'inactive' | 'is-owner'> {
  const token = makeToken();
  return db().transaction(async (transaction) => {
    await lockCompanyRow(transaction, owner);
    const [employee] = await transaction
      .select({ name: employees.name, active: employees.active, isOwner: accounts.isOwner })
      .from(employees)
      .leftJoin(accounts, and(eq(accounts.companyId, employees.companyId), eq(accounts.id, employees.accountId)))
      .where(and(eq(employees.companyId, owner.companyId), eq(employees.id, employeeId)))
      .for('update', { of: employees });
    if (!employee) return 'no-such-employee';
    if (!employee.active) return 'inactive';
    if (employee.isOwner) return 'is-owner';
    const mine = and(eq(invitations.companyId, owner.companyId), eq(invitations.employeeId, employeeId));
    await transaction.delete(invitations).where(mine);
    await transaction.insert(invitations).values({
      ...{ companyId: owner.companyId, employeeId, tokenHash: hashOf(token), createdBy: owner.accountId },
      expiresAt: expression`now() + ${validDays} * interval '1 day'`,
    });
    await recordAudit(transaction, owner, 'invitation.create', { employeeId, name: employee.name });
    return { token };
  });
}

/** An invitation that can still be used; `username` is set when the employee already has an account. */
export type Invitation = {
  companyId: number;
  companyName: string;
  employeeId: number;
  employeeName: string;
  accountId: number | null;
  username: string | null;
};

/** The invitation a token stands for, or null when it is unknown, used, expired, or its employee inactive. */
export async function findInvitation(token: string): Promise<Invitation | null> {
  if (!isToken(token)) return null;
  const [row] = await sql()<Invitation[]>`
    select i.company_id as "companyId", c.name as "companyName", i.employee_id as "employeeId",
      e.name as "employeeName", e.account_id as "accountId", a.username
    from invitations i
    join companies c on c.id = i.company_id
    join employees e on e.company_id = i.company_id and e.id = i.employee_id
    left join accounts a on a.company_id = e.company_id and a.id = e.account_id
    where i.token_hash = ${hashOf(token)} and i.used_at is null and i.expires_at > now() and e.active`;
  return row ?? null;
}

/**
 * Uses an invitation: makes the employee's account with this username and password, or gives their existing
 * account this password and ends its sessions. Works once, also when two people open the link together.
 */
export async function acceptInvitation(
  token: string,
  username: string,
  password: string,
): Promise<SignIn | 'invalid' | 'duplicate-username'> {
  const invitation = await findInvitation(token);
  if (!invitation) return 'invalid';
  const passwordHash = await hashPassword(password);
  try {
    return await db().transaction(async (transaction) => {
      await announceAccessChange(transaction, invitation);
      const [used] = await transaction
        .update(invitations)
        .set({ usedAt: expression`now()` })
        .where(
          and(
            eq(invitations.tokenHash, hashOf(token)),
            expression`${invitations.usedAt} is null and ${invitations.expiresAt} > now() and exists (
              select from employees e
              where e.company_id = ${invitations.companyId} and e.id = ${invitations.employeeId} and e.active)`,
          ),
        )
        .returning({ companyId: invitations.companyId, employeeId: invitations.employeeId });
      return used ? giveAccount(transaction, used, username, passwordHash) : 'invalid';
    });
  } catch (error) {
    if (isDuplicate(error, 'accounts_username')) return 'duplicate-username';
    throw error;
  }
}

async function giveAccount(
  database: Database,
  { companyId, employeeId }: { companyId: number; employeeId: number },
  username: string,
  passwordHash: string,
): Promise<SignIn> {
  const one = and(eq(employees.companyId, companyId), eq(employees.id, employeeId));
  const [employee] = await database.select().from(employees).where(one).for('update');
  if (!employee) throw new Error('the invited employee is gone');
  const returning = { accountId: accounts.id, sessionVersion: accounts.sessionVersion };
  const [account] =
    employee.accountId === null
      ? await database
          .insert(accounts)
          .values({ companyId, username, name: employee.name, passwordHash })
          .returning(returning)
      : await database
          .update(accounts)
          .set({ passwordHash, sessionVersion: expression`${accounts.sessionVersion} + 1` })
          .where(and(eq(accounts.companyId, companyId), eq(accounts.id, employee.accountId)))
          .returning(returning);
  if (!account) throw new Error('the account was not made');
  await endAllSessions(database, { companyId, ...account });
  await database.update(employees).set({ accountId: account.accountId }).where(one);
  const actor = { companyId, accountId: account.accountId, name: employee.name };
  await recordAudit(database, actor, 'invitation.accept', { employeeId, renewed: employee.accountId !== null });
  return { companyId, ...account };
}
