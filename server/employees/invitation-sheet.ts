import { inTransaction, type Transaction } from '#db/client.ts';
import { lockCompanyRow } from '#db/company-row.ts';
import { generateTypedToken, hashToken, invitationDays } from '#server/accounts/invitation-token.ts';
import { recordAudits } from '#server/audit/record.ts';
import { isOfManagement } from '#server/employees/protection.ts';
import type { Manager } from '#server/principals.ts';

/** The most invitations of one sheet. */
export const maxSheetInvitations = 200;

/** One person's invitation on a sheet; `username` is set when they have an account. */
export type CreatedInvitation = {
  employeeId: number;
  name: string;
  role: string;
  username: string | null;
  token: string;
};

/**
 * Creates invitations for up to 200 employees at once, as `createInvitation` does, with tokens that
 * can be typed from paper. Skips everyone who cannot be invited: inactive, an owner, a manager,
 * of another company. Returns them by name. Throws when there are more than 200 ids.
 */
export async function createInvitations(manager: Manager, employeeIds: number[]): Promise<CreatedInvitation[]> {
  if (employeeIds.length > maxSheetInvitations) throw new Error(`a sheet has at most ${maxSheetInvitations} links`);
  return inTransaction(async (tx) => {
    await lockCompanyRow(tx, manager);
    const people = await tx<Omit<CreatedInvitation, 'token'>[]>`
      select e.id as "employeeId", e.name, e.role, a.username
      from employees e left join accounts a on a.company_id = e.company_id and a.id = e.account_id
      where e.company_id = ${manager.companyId} and e.active and not ${isOfManagement()}
        and e.id = any(${employeeIds}::int[])
      order by e.id for update of e`;
    const invitations = people.map((person) => ({ ...person, token: generateTypedToken() }));
    await replaceInvitations(tx, manager, invitations);
    return invitations.sort((one, other) => one.name.localeCompare(other.name));
  });
}

/** Stores invitations, which end the earlier ones of the same people, with their audit entries. */
export async function replaceInvitations(
  tx: Transaction,
  manager: Manager,
  invitations: Pick<CreatedInvitation, 'employeeId' | 'name' | 'token'>[],
): Promise<void> {
  const { companyId, accountId } = manager;
  const rows = invitations.map(({ employeeId, token }) => ({ employeeId, hash: hashToken(token).toString('hex') }));
  await tx`
    with wanted as (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as w ("employeeId" int, hash text)
    ), ended as (
      delete from invitations
      where company_id = ${companyId} and employee_id in (select "employeeId" from wanted)
    )
    insert into invitations (company_id, token_hash, employee_id, created_by, expires_at)
    select ${companyId}, decode(hash, 'hex'), "employeeId", ${accountId}, now() + ${invitationDays} * interval '1 day'
    from wanted`;
  const details = invitations.map(({ employeeId, name }) => ({ employeeId, name }));
  await recordAudits(tx, manager, 'invitation.create', details);
}
