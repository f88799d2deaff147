import { sql as expression } from 'drizzle-orm';
import { type Database, db } from '#db/client.ts';
import { lockCompanyRow } from '#db/company-row.ts';
import { hashOf, makeTypedToken, validDays } from '#server/employees/invitation-token.ts';
import type { Owner } from '#server/principals.ts';
import { newRequestId } from '#server/request-id.ts';

/** How many links one sheet may have. */
export const mostOnSheet = 200;

/** A link for one person of a sheet; `username` is set when they have an account and choose a new password with it. */
export type SheetInvitation = {
  employeeId: number;
  name: string;
  role: string;
  username: string | null;
  token: string;
};

/**
 * As `createInvitation`, for up to 200 people at once and with tokens that can be typed from paper. Whoever cannot be invited
 * (inactive, an owner, of another company) is left out. Ordered by name.
 */
export async function createInvitations(owner: Owner, employeeIds: number[]): Promise<SheetInvitation[]> {
  if (employeeIds.length > mostOnSheet) throw new Error(`a sheet has at most ${mostOnSheet} links`);
  const ids = JSON.stringify(employeeIds);
  return db().transaction(async (transaction) => {
    await lockCompanyRow(transaction, owner);
    const people = (await transaction.execute(expression`
      select e.id as "employeeId", e.name, e.role, a.username
      from employees e left join accounts a on a.company_id = e.company_id and a.id = e.account_id
      where e.company_id = ${owner.companyId} and e.active and not coalesce(a.is_owner, false)
        and e.id in (select id::int from jsonb_array_elements_text(${ids}::text::jsonb) as wanted (id))
      order by e.id for update of e`)) as unknown as Omit<SheetInvitation, 'token'>[];
    const made = people.map((person) => ({ ...person, token: makeTypedToken() }));
    await replaceInvitations(transaction, owner, made);
    return made.sort((one, other) => one.name.localeCompare(other.name));
  });
}

async function replaceInvitations(database: Database, owner: Owner, made: SheetInvitation[]): Promise<void> {
  const rows = made.map(({ employeeId, name, token }) => ({ employeeId, name, hash: hashOf(token).toString('hex') }));
  await database.execute(expression`
    with wanted as (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as w ("employeeId" int, name text, hash text)
    ), ended as (
      delete from invitations
      where company_id = ${owner.companyId} and employee_id in (select "employeeId" from wanted)
    ), made as (
      insert into invitations (company_id, token_hash, employee_id, created_by, expires_at)
      select ${owner.companyId}, decode(hash, 'hex'), "employeeId", ${owner.accountId},
        now() + ${validDays} * interval '1 day' from wanted
    )
    insert into audit_log (company_id, actor_kind, actor_id, actor_name, action, details, request_id, employee_id)
    select ${owner.companyId}, 'account', ${owner.accountId}::int, ${owner.name}, 'invitation.create',
      jsonb_build_object('employeeId', "employeeId", 'name', name), ${newRequestId()}, "employeeId" from wanted`);
}
