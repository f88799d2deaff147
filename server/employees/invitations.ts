import { db, deleteRows, matches } from '#db/client.ts';
import { type PersonTransaction, withManager } from '#db/company-row.ts';
import { and, gt, notExists, sql } from '#db/drizzle.cjs';
import { employees, invitations, portals } from '#db/schema/tables.ts';
import { findShownToken, hashToken, invitationDays, makeShownToken } from '#server/accounts/sessions/tokens.ts';
import { recordAudit } from '#server/audit/record.ts';
import { type LockedEmployee, lockEmployees } from '#server/employees/employees.ts';
import type { Manager } from '#server/principals.ts';

type TokenForm = Parameters<typeof makeShownToken>[0];

/** Creates an invitation to create an account or choose a password, once, for 7 days; it replaces an older one. */
export async function createInvitation(
  manager: Manager,
  employeeId: number,
): Promise<{ token: string; shown: 'new' } | 'no-such-employee'> {
  const [invitation] = await createInvitations(manager, [employeeId], 'sent');
  return invitation ? { token: invitation.token, shown: 'new' } : 'no-such-employee';
}

/** Shows a valid invitation (`again`), or creates one (`new`), beside one that cannot be shown (`another`). */
export async function showInvitation(
  manager: Manager,
  employeeId: number,
): Promise<{ token: string; shown: 'again' | 'new' | 'another' } | 'no-such-employee'> {
  return withManager(manager, async (tx) => {
    const [person] = await lockEmployees(tx, manager, [employeeId]);
    if (!person) return 'no-such-employee';
    const { accountId } = manager;
    const shownTo = sql`array_append(array_remove(${invitations.shownTo}, ${accountId}::int), ${accountId}::int)`;
    const ofPerson = matches(invitations, { companyId: manager.companyId, employeeId, usedAt: null });
    const valid = await db(tx)
      .update(invitations)
      .set({ shownTo })
      .where(and(ofPerson, gt(invitations.expiresAt, sql`now()`)))
      .returning({ hash: invitations.tokenHash, salt: invitations.tokenSalt });
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

/** Creates invitations for employees, by name. Skips who cannot be invited. */
export async function createInvitations(manager: Manager, employeeIds: number[], form: TokenForm = 'typed') {
  return withManager(manager, async (tx) => {
    const people = await lockEmployees(tx, manager, employeeIds);
    const created = await replaceInvitations(tx, manager, people, form);
    return created.sort((person, other) => person.name.localeCompare(other.name));
  });
}

const replaceInvitations: typeof insertInvitations = async (tx, manager, people, form) => {
  const ids = people.map(({ employeeId }) => employeeId);
  await deleteRows(db(tx), invitations, { companyId: manager.companyId, usedAt: null, employeeId: ids });
  return insertInvitations(tx, manager, people, form);
};

async function insertInvitations(tx: PersonTransaction, manager: Manager, people: LockedEmployee[], form: TokenForm) {
  const { companyId, accountId } = manager;
  const created = people.map((person) => ({ person, ...makeShownToken(form) }));
  const rows = created.map(({ person: { employeeId }, token, salt }) => ({
    employeeId,
    hash: hashToken(token).toString('hex'),
    salt: salt.toString('hex'),
  }));
  // As text: the builder has no list of rows whose text is the same for each number of them.
  await db(tx).execute(sql`
    insert into invitations (company_id, token_hash, token_salt, employee_id, created_by, expires_at)
    select ${companyId}, decode(hash, 'hex'), decode(salt, 'hex'), "employeeId", ${accountId},
      now() + ${invitationDays} * interval '1 day'
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as w ("employeeId" int, hash text, salt text)`);
  const details = people.map(({ employeeId, name }) => ({ employeeId, name }));
  await recordAudit(tx, manager, 'invitation.create', details);
  return created.map(({ person, token }) => ({ ...person, token }));
}

/**
 * Prepares reminders for employees who never opened the portal, by name, with a new invitation for people without an
 * account. Skips the same people as `createInvitations`.
 */
export async function remindToOpen(manager: Manager, employeeIds: number[]) {
  const visits = matches(portals, { companyId: employees.companyId, employeeId: employees.id });
  const neverOpened = notExists(db().select({ seenAt: portals.seenAt }).from(portals).where(visits));
  return withManager(manager, async (tx) => {
    const people = await lockEmployees(tx, manager, employeeIds, neverOpened);
    const uninvited = people.filter(({ username }) => username === null);
    const created = await replaceInvitations(tx, manager, uninvited, 'typed');
    const tokens = new Map(created.map(({ employeeId, token }) => [employeeId, token]));
    const details = people.map(({ employeeId, name }) => ({ employeeId, name }));
    await recordAudit(tx, manager, 'employee.remind', details);
    return people
      .map(({ employeeId, name, username }) => ({ employeeId, name, username, token: tokens.get(employeeId) ?? null }))
      .sort((reminder, other) => reminder.name.localeCompare(other.name));
  });
}
