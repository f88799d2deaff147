import { findRow, requireRow, sql, type Transaction } from '#db/client.ts';
import { asManager, type PersonTransaction } from '#db/person-transaction.ts';
import type { Rows } from '#db/schema/rows.ts';
import {
  generateToken,
  generateTypedToken,
  hashToken,
  invitationDays,
  isInvitationToken,
} from '#server/accounts/owners/invitation-token.ts';
import { insertAccount, setPassword } from '#server/accounts/sessions/sessions.ts';
import {
  type CredentialRefusal,
  inventUsername,
  type NewCredential,
  withNewCredential,
} from '#server/accounts/sign-in/account.ts';
import { removeSecondFactors } from '#server/accounts/sign-in/passkeys.ts';
import { recordAudit, recordAudits } from '#server/audit/record.ts';
import { isOfManagement, type LockedEmployee, lockEmployees } from '#server/employees/employment.ts';
import type { AuthenticatedAccount, Manager } from '#server/principals.ts';

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

/** A valid invitation. `username` is set when the employee has an account already. */
type Invitation = InvitedEmployee & {
  companyName: string;
  employeeName: string;
  username: string | null;
  onlyIssuer: Rows['companies']['onlyIssuer'];
};

/** The valid invitation of a token, or null, also for inactive employees, owners and managers. */
export async function findInvitation(token: string): Promise<Invitation | null> {
  if (!isInvitationToken(token)) return null;
  return findRow(sql()<Invitation[]>`
    select i.company_id as "companyId", c.name as "companyName", i.employee_id as "employeeId",
      e.name as "employeeName", a.username, c.only_issuer as "onlyIssuer"
    from invitations i
    join companies c on c.id = i.company_id
    join employees e on e.company_id = i.company_id and e.id = i.employee_id
    left join accounts a on a.company_id = e.company_id and a.id = e.account_id
    where i.token_hash = ${hashToken(token)} and i.used_at is null and i.expires_at > now() and e.active
      and not ${isOfManagement()}`);
}

/**
 * The account of a link that was used, of an employee, owner or manager, or null without one that may
 * sign in. People keep the message with the link as a bookmark. Whoever has the link learns the
 * username only: it was the secret of this person, and gave the whole account until it was used.
 */
export async function findUsedLink(token: string): Promise<{ username: string; isEmployee: boolean } | null> {
  if (!isInvitationToken(token)) return null;
  return findRow(sql()<{ username: string; isEmployee: boolean }[]>`
    select a.username, i.employee_id is not null as "isEmployee"
    from invitations i
    left join employees e on e.company_id = i.company_id and e.id = i.employee_id and e.active
    join accounts a on a.company_id = i.company_id and a.id = coalesce(i.account_id, e.account_id)
    where i.token_hash = ${hashToken(token)} and i.used_at is not null
      and (a.is_owner or a.is_manager or e.id is not null)`);
}

/**
 * Uses an invitation: creates the employee's account with this username and password, or gives
 * their account this password and ends its sessions. With an identity the service makes the
 * username. Of two concurrent calls one succeeds.
 */
export async function acceptInvitation(
  token: string,
  username: string,
  credential: NewCredential,
): Promise<AuthenticatedAccount | CredentialRefusal | 'invalid'> {
  const invitation = await findInvitation(token);
  if (!invitation) return 'invalid';
  const { companyName, employeeName } = invitation;
  const names = [companyName, employeeName, invitation.username ?? username];
  return withNewCredential(invitation, credential, names, async (tx, passwordHash) => {
    const [used] = await tx<InvitedEmployee[]>`
      update invitations i set used_at = now()
      where company_id = ${invitation.companyId} and token_hash = ${hashToken(token)}
        and used_at is null and expires_at > now() and exists (
        select from employees e left join accounts a on a.company_id = e.company_id and a.id = e.account_id
        where e.company_id = i.company_id and e.id = i.employee_id and e.active and not ${isOfManagement()})
      returning company_id as "companyId", employee_id as "employeeId"`;
    return used ? giveAccount(tx, used, username, passwordHash) : 'invalid';
  });
}

type InvitedEmployee = Pick<Rows['invitations'], 'companyId'> & { employeeId: number };

async function giveAccount(
  tx: Transaction,
  { companyId, employeeId }: InvitedEmployee,
  wantedName: string,
  passwordHash: string | null,
): Promise<AuthenticatedAccount> {
  const employee = await requireRow(tx<Pick<Rows['employees'], 'name' | 'accountId'>[]>`
    select name, account_id as "accountId" from employees
    where company_id = ${companyId} and id = ${employeeId} for update`);
  const { name, accountId } = employee;
  const username = passwordHash === null ? inventUsername(name) : wantedName;
  const account =
    accountId === null
      ? await insertAccount(tx, { companyId, username, name, passwordHash })
      : await setPassword(tx, { companyId, accountId }, passwordHash);
  await removeSecondFactors(tx, account);
  await tx`
    update employees set account_id = ${account.accountId} where company_id = ${companyId} and id = ${employeeId}`;
  const actor = { companyId, accountId: account.accountId, name };
  await recordAudit(tx, actor, 'invitation.accept', { employeeId, renewed: accountId !== null });
  return account;
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
 * each. A person without an account gets a new invitation. Skips people who opened the portal, and
 * those whom `createInvitations` skips. Returns the others by name. Throws above 200 ids.
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
