import { sql } from '#db/client.ts';
import { asManager, type PersonTransaction } from '#db/person-transaction.ts';
import { hashToken, invitationDays } from '#server/accounts/owners/invitation-token.ts';
import { recordAudit, recordAudits } from '#server/audit/record.ts';
import { type LockedEmployee, lockEmployees } from '#server/employees/employment.ts';
import { findShownToken, makeShownToken, type StoredToken } from '#server/employees/shown-token.ts';
import type { Manager } from '#server/principals.ts';

/**
 * Creates an invitation: its token lets one employee create their account, or choose a new password
 * for the account they have. It is valid once, for 7 days, and replaces an older one of the same
 * employee. Only the token's hash and salt are stored. Inactive people, owners and managers get none.
 */
export async function createInvitation(
  manager: Manager,
  employeeId: number,
): Promise<{ token: string; shown: 'new' } | 'no-such-employee'> {
  const [invitation] = await createInvitations(manager, [employeeId], 'sent');
  return invitation ? { token: invitation.token, shown: 'new' } : 'no-such-employee';
}

/**
 * Shows the token of an employee's valid invitation again (`again`). If there is none, or none that can
 * be shown, creates one (`new`), beside the other one (`another`), which stays valid.
 */
export async function showInvitation(
  manager: Manager,
  employeeId: number,
): Promise<{ token: string; shown: 'again' | 'new' | 'another' } | 'no-such-employee'> {
  return asManager(manager, async (tx) => {
    const [person] = await lockEmployees(tx, manager, [employeeId]);
    if (!person) return 'no-such-employee';
    const valid = await tx<StoredToken[]>`
      update invitations
      set shown_to = array_append(array_remove(shown_to, ${manager.accountId}::int), ${manager.accountId}::int)
      where company_id = ${manager.companyId} and employee_id = ${employeeId} and used_at is null and expires_at > now()
      returning token_hash as hash, token_salt as salt`;
    const token = valid.map(findShownToken).find((found) => found !== null);
    if (token) {
      await recordAudit(tx, manager, 'invitation.show', { employeeId, name: person.name });
      return { token, shown: 'again' };
    }
    const [made] = await insertInvitations(tx, manager, [person], 'sent');
    return made ? { token: made.token, shown: valid.length > 0 ? 'another' : 'new' } : 'no-such-employee';
  });
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
  form: 'sent' | 'typed' = 'typed',
): Promise<CreatedInvitation[]> {
  requireFew(employeeIds);
  return asManager(manager, async (tx) => {
    const people = await lockEmployees(tx, manager, employeeIds);
    const invitations = await replaceInvitations(tx, manager, people, form);
    return invitations.sort((person, other) => person.name.localeCompare(other.name));
  });
}

function requireFew(employeeIds: number[]): void {
  if (employeeIds.length > maxSheetInvitations) throw new Error(`at most ${maxSheetInvitations} people at once`);
}

const replaceInvitations: typeof insertInvitations = async (tx, manager, people, form) => {
  const ids = people.map(({ employeeId }) => employeeId);
  await tx`
    delete from invitations
    where company_id = ${manager.companyId} and used_at is null and employee_id = any(${ids}::int[])`;
  return insertInvitations(tx, manager, people, form);
};

async function insertInvitations(
  tx: PersonTransaction,
  manager: Manager,
  people: LockedEmployee[],
  form: 'sent' | 'typed',
): Promise<CreatedInvitation[]> {
  const { companyId, accountId } = manager;
  const invitations = people.map((person) => ({ person, ...makeShownToken(form) }));
  const rows = invitations.map(({ person: { employeeId }, token, salt }) => ({
    employeeId,
    hash: hashToken(token).toString('hex'),
    salt: salt.toString('hex'),
  }));
  await tx`
    insert into invitations (company_id, token_hash, token_salt, employee_id, created_by, expires_at)
    select ${companyId}, decode(hash, 'hex'), decode(salt, 'hex'), "employeeId", ${accountId},
      now() + ${invitationDays} * interval '1 day'
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as w ("employeeId" int, hash text, salt text)`;
  const details = people.map(({ employeeId, name }) => ({ employeeId, name }));
  await recordAudits(tx, manager, 'invitation.create', details);
  return invitations.map(({ person, token }) => ({ ...person, token }));
}

/** A person to remind. With an account there is no token: they sign in with their username. */
type OpeningReminder = Pick<LockedEmployee, 'employeeId' | 'name' | 'username'> & { token: string | null };

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
    const uninvited = people.filter(({ username }) => username === null);
    const invitations = await replaceInvitations(tx, manager, uninvited, 'typed');
    const tokens = new Map(invitations.map(({ employeeId, token }) => [employeeId, token]));
    const reminders = people.map(({ employeeId, name, username }) => ({
      employeeId,
      name,
      username,
      token: tokens.get(employeeId) ?? null,
    }));
    const details = people.map(({ employeeId, name }) => ({ employeeId, name }));
    await recordAudits(tx, manager, 'employee.remind', details);
    return reminders.sort((reminder, other) => reminder.name.localeCompare(other.name));
  });
}
