import { sql } from '#db/client.ts';
import { asManager, type PersonTransaction } from '#db/person-transaction.ts';
import {
  generateToken,
  generateTypedToken,
  hashToken,
  invitationDays,
} from '#server/accounts/owners/invitation-token.ts';
import { recordAudits } from '#server/audit/record.ts';
import { type LockedEmployee, lockEmployees } from '#server/employees/employment.ts';
import type { Manager } from '#server/principals.ts';

/**
 * Creates an invitation: its token lets one employee create their account, or choose a new password
 * for the account they have. It is valid once, for 7 days, and replaces an older one of the same
 * employee. Only the token's hash is stored. Inactive people, owners and managers get none.
 */
export async function createInvitation(
  manager: Manager,
  employeeId: number,
): Promise<{ token: string } | 'no-such-employee'> {
  const [invitation] = await createInvitations(manager, [employeeId], generateToken);
  return invitation ? { token: invitation.token } : 'no-such-employee';
}

export const maxSheetInvitations = 200;

/** One person's invitation on a sheet; `username` is set when they have an account. */
type CreatedInvitation = LockedEmployee & { token: string };

/**
 * Creates invitations for up to 200 employees at once, as `createInvitation` does, with tokens that
 * can be typed from paper. Skips everyone who cannot be invited: inactive, an owner, a manager,
 * of another company. Returns them by name. Throws when there are more than 200 ids.
 */
export async function createInvitations(
  manager: Manager,
  employeeIds: number[],
  makeToken = () => generateTypedToken(),
): Promise<CreatedInvitation[]> {
  requireFew(employeeIds);
  return asManager(manager, async (tx) => {
    const people = await lockEmployees(tx, manager, employeeIds);
    const invitations = people.map((person) => ({ ...person, token: makeToken() }));
    await replaceInvitations(tx, manager, invitations);
    return invitations.sort((person, other) => person.name.localeCompare(other.name));
  });
}

function requireFew(employeeIds: number[]): void {
  if (employeeIds.length > maxSheetInvitations) throw new Error(`at most ${maxSheetInvitations} people at once`);
}

async function replaceInvitations(
  tx: PersonTransaction,
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
      where company_id = ${companyId} and used_at is null and employee_id in (select "employeeId" from wanted)
    )
    insert into invitations (company_id, token_hash, employee_id, created_by, expires_at)
    select ${companyId}, decode(hash, 'hex'), "employeeId", ${accountId}, now() + ${invitationDays} * interval '1 day'
    from wanted`;
  const details = invitations.map(({ employeeId, name }) => ({ employeeId, name }));
  await recordAudits(tx, manager, 'invitation.create', details);
}

/** A person to remind. With an account there is no token: they sign in with their username. */
type OpeningReminder = { employeeId: number; name: string } & (
  | { username: string; token: null }
  | { username: null; token: string }
);

/**
 * Prepares reminders for up to 200 employees who never opened the portal, with an audit entry for
 * each. A person without an account gets a new invitation. Skips people who have opened the
 * portal, and everyone whom `createInvitations` skips. Returns the reminders, sorted by name. Throws
 * above 200 ids.
 */
export async function remindToOpen(manager: Manager, employeeIds: number[]): Promise<OpeningReminder[]> {
  const neverOpened = sql()`
    not exists (select from portals p where p.company_id = e.company_id and p.employee_id = e.id)`;
  requireFew(employeeIds);
  return asManager(manager, async (tx) => {
    const people = await lockEmployees(tx, manager, employeeIds, neverOpened);
    const reminders = people.map(
      ({ employeeId, name, username }): OpeningReminder =>
        username === null
          ? { employeeId, name, username, token: generateTypedToken() }
          : { employeeId, name, username, token: null },
    );
    const invitations = reminders.filter((reminder) => reminder.token !== null);
    await replaceInvitations(tx, manager, invitations);
    const details = people.map(({ employeeId, name }) => ({ employeeId, name }));
    await recordAudits(tx, manager, 'employee.remind', details);
    return reminders.sort((reminder, other) => reminder.name.localeCompare(other.name));
  });
}
