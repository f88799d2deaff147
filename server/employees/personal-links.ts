import { randomBytes } from 'node:crypto';
import { findRow, requireRow, type Sql, sql, type Transaction } from '#db/client.ts';
import type { Rows } from '#db/schema/rows.ts';
import { hashToken, isInvitationToken } from '#server/accounts/owners/invitation-token.ts';
import { onlyIssuer } from '#server/accounts/sessions/proof.ts';
import { setPassword } from '#server/accounts/sessions/sessions.ts';
import { type CredentialRefusal, type NewCredential, withNewCredential } from '#server/accounts/sign-in/account.ts';
import { removeSecondFactors } from '#server/accounts/sign-in/passkeys.ts';
import { recordAudit } from '#server/audit/record.ts';
import { isOfManagement } from '#server/employees/employment.ts';
import type { AccountVersion, AuthenticatedAccount, Manager } from '#server/principals.ts';

/**
 * A valid link: an invitation of an owner, manager or employee, or a link for a new password of one.
 * `accountId` and `username` are set for an existing account. With `onlyIssuer` the person uses it with
 * this provider only, but not a link of the operator.
 */
type PersonalLink = ({ rights: 'employee'; employeeId: number } | { rights: Manager['kind']; employeeId: null }) & {
  companyId: number;
  companyName: string;
  name: string;
  accountId: number | null;
  username: string | null;
  isOfOperator: boolean;
  onlyIssuer: Rows['companies']['onlyIssuer'];
};

/** The valid link of a token, or null, also when its employee is inactive or its person has other rights by now. */
export async function findLink(token: string, from: Sql | Transaction = sql()): Promise<PersonalLink | null> {
  if (!isInvitationToken(token)) return null;
  const isOfOperator = sql()`(i.employee_id is null and i.created_by is null)`;
  return findRow(from<PersonalLink[]>`
    select i.company_id as "companyId", c.name as "companyName", i.employee_id as "employeeId", a.id as "accountId",
      coalesce(e.name, a.name, i.owner_name, i.manager_name) as name, a.username, ${isOfOperator} as "isOfOperator",
      case when not ${isOfOperator} then ${onlyIssuer()} end as "onlyIssuer",
      case when i.employee_id is not null then 'employee'
        when a.is_manager or i.manager_name is not null then 'manager' else 'owner' end as rights
    from invitations i
    join companies c on c.id = i.company_id
    left join employees e on e.company_id = i.company_id and e.id = i.employee_id
    left join accounts a on a.company_id = i.company_id and a.id = coalesce(i.account_id, e.account_id)
    where i.token_hash = ${hashToken(token)} and i.used_at is null and i.expires_at > now()
      and case when i.employee_id is not null then e.active and not ${isOfManagement()}
        else i.account_id is null or ${isOfManagement()} end`);
}

/**
 * The account that a used link belongs to, or null if that account may not sign in. Many people open
 * the message with their link again, to sign in. A used link shows the username and nothing else.
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
 * Uses a link: creates the person's account with this username and password, or gives their account
 * this password and ends its sessions. With an identity the service makes the username. Of two
 * concurrent calls one succeeds. With a password on a link of the operator, this owner's password is the
 * way back where people sign in with one provider only.
 */
export async function acceptLink(
  token: string,
  username: string,
  credential: NewCredential,
): Promise<AuthenticatedAccount | CredentialRefusal | 'invalid'> {
  const found = await findLink(token);
  if (!found) return 'invalid';
  const names = [found.companyName, found.name, found.username ?? username];
  return withNewCredential(found, credential, names, async (tx, passwordHash) => {
    // It may have ended before the company's row was locked.
    const link = await findLink(token, tx);
    return link ? applyLink(tx, token, link, username, passwordHash) : 'invalid';
  });
}

async function applyLink(
  tx: Transaction,
  token: string,
  link: PersonalLink,
  asked: string,
  passwordHash: string | null,
): Promise<AuthenticatedAccount> {
  const { companyId, rights, name, employeeId, accountId: before, isOfOperator } = link;
  const username = passwordHash === null ? inventUsername(name) : asked;
  const account =
    before === null
      ? await insertAccount(tx, link, username, passwordHash)
      : await setPassword(tx, { companyId, accountId: before }, passwordHash);
  const { accountId } = account;
  await removeSecondFactors(tx, account);
  // That of an owner or manager leads to this account from now on.
  await tx`
    update invitations set used_at = now(), owner_name = null, manager_name = null,
      account_id = case when employee_id is null then ${accountId}::int end
    where company_id = ${companyId} and token_hash = ${hashToken(token)}`;
  // One that could not be shown again may have got another one beside it.
  await tx`
    delete from invitations where company_id = ${companyId} and employee_id = ${employeeId} and used_at is null`;
  await tx`update employees set account_id = ${accountId} where company_id = ${companyId} and id = ${employeeId}`;
  if (isOfOperator && passwordHash !== null)
    await tx`
      update companies set fallback_account_id = ${accountId} where id = ${companyId} and only_issuer is not null`;
  const actor = { companyId, accountId, name };
  if (rights === 'employee')
    await recordAudit(tx, actor, 'invitation.accept', { employeeId, renewed: before !== null });
  else if (before === null) await recordAudit(tx, actor, `${rights}.join`, { name, username });
  else await recordAudit(tx, actor, `${rights}.renew`, {});
  return account;
}

// For a person who chooses none, because they sign in with an identity.
function inventUsername(name: string): string {
  const words = name.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return [...words, randomBytes(4).toString('hex')].join('.');
}

async function insertAccount(
  tx: Transaction,
  { companyId, name, rights }: PersonalLink,
  username: string,
  passwordHash: string | null,
): Promise<AccountVersion> {
  return requireRow(tx<AccountVersion[]>`
    insert into accounts (company_id, username, name, password_hash, is_owner, is_manager)
    values (${companyId}, ${username}, ${name}, ${passwordHash}, ${rights === 'owner'}, ${rights === 'manager'})
    returning company_id as "companyId", id as "accountId", session_version as "sessionVersion"`);
}
