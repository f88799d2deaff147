import { inTransaction } from '#db/client.ts';
import { lockCompanyRow } from '#db/company-row.ts';
import { generateTypedToken } from '#server/accounts/invitation-token.ts';
import { recordAudits } from '#server/audit/record.ts';
import { maxSheetInvitations, replaceInvitations } from '#server/employees/invitation-sheet.ts';
import { isOfManagement } from '#server/employees/protection.ts';
import type { Manager } from '#server/principals.ts';

/** A person to remind. With an account there is no token: they sign in with their username. */
export type OpeningReminder = { employeeId: number; name: string } & (
  | { username: string; token: null }
  | { username: null; token: string }
);

/**
 * Prepares reminders for up to 200 employees who never opened the portal, with an audit entry for
 * each. A person without an account gets a new invitation. Skips people who opened the portal, are
 * inactive, an owner, a manager, or of another company. Returns them by name. Throws when there are
 * more than 200 ids.
 */
export async function remindToOpen(manager: Manager, employeeIds: number[]): Promise<OpeningReminder[]> {
  if (employeeIds.length > maxSheetInvitations) throw new Error(`at most ${maxSheetInvitations} people at once`);
  return inTransaction(async (tx) => {
    await lockCompanyRow(tx, manager);
    const people = await tx<{ employeeId: number; name: string; username: string | null }[]>`
      select e.id as "employeeId", e.name, a.username
      from employees e left join accounts a on a.company_id = e.company_id and a.id = e.account_id
      where e.company_id = ${manager.companyId} and e.active and not ${isOfManagement()}
        and e.id = any(${employeeIds}::int[])
        and not exists (select from portals p where p.company_id = e.company_id and p.employee_id = e.id)
      order by e.id for update of e`;
    const reminders = people.map(
      ({ username, ...person }): OpeningReminder =>
        username === null ? { ...person, username, token: generateTypedToken() } : { ...person, username, token: null },
    );
    await replaceInvitations(
      tx,
      manager,
      reminders.flatMap((one) => (one.token === null ? [] : [one])),
    );
    const details = people.map(({ employeeId, name }) => ({ employeeId, name }));
    await recordAudits(tx, manager, 'employee.remind', details);
    return reminders.sort((one, other) => one.name.localeCompare(other.name));
  });
}
