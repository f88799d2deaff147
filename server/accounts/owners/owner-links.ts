import { sql, type Transaction } from '#db/client.ts';
import type { Rows } from '#db/schema/rows.ts';
import {
  generateToken,
  hashToken,
  invitationDays,
  isInvitationToken,
} from '#server/accounts/owners/invitation-token.ts';
import { changeManagement, findOther } from '#server/accounts/owners/owners.ts';
import { onlyIssuer } from '#server/accounts/sessions/proof.ts';
import { insertAccount, setPassword } from '#server/accounts/sessions/sessions.ts';
import {
  type CredentialRefusal,
  inventUsername,
  type NewCredential,
  withNewCredential,
} from '#server/accounts/sign-in/account.ts';
import { removeSecondFactors } from '#server/accounts/sign-in/passkeys.ts';
import { recordAudit } from '#server/audit/record.ts';
import type { AccountId, AuthenticatedAccount, Owner } from '#server/principals.ts';

const ownerLinkHours = 24;

/** The validity of a link that the operator makes, in minutes. */
export const operatorLinkMinutes = 30;

/** The most open invitations for owners and managers of a company together. */
const maxOwnerInvitations = 20;

export type InvitedRights = 'owner' | 'manager';

/**
 * An unused invitation for a new owner or manager. `id` is the hash of its token, in hex.
 * `invitedBy` is null when the operator made it.
 */
export type OwnerInvitation = {
  id: string;
  rights: InvitedRights;
  name: string;
  invitedBy: Rows['accounts']['name'] | null;
  expiresAt: Rows['invitations']['expiresAt'];
};

/** Invites a new owner or manager by name. The link is valid once, for 7 days. */
export async function inviteOwner(
  owner: Owner,
  name: string,
  rights: InvitedRights = 'owner',
): Promise<{ token: string } | 'too-many'> {
  return changeManagement(owner, async (tx) => {
    const made = await insertOwnerInvitation(tx, owner, { name, rights, validMinutes: invitationDays * 24 * 60 });
    if (made !== 'too-many') await recordAudit(tx, owner, `${rights}.invite`, { name });
    return made;
  });
}

const isForManagement = () => sql()`(owner_name is not null or manager_name is not null)`;

/**
 * Inserts an invitation for a new owner or manager; the operator has no `accountId`. The company's
 * row must be locked. At most `maxOwnerInvitations` are open.
 */
export async function insertOwnerInvitation(
  tx: Transaction,
  { companyId, accountId = null }: { companyId: number; accountId?: number | null },
  { name, rights, validMinutes }: { name: string; rights: InvitedRights; validMinutes: number },
): Promise<{ token: string } | 'too-many'> {
  const token = generateToken();
  const open = await tx`
    select from invitations
    where company_id = ${companyId} and ${isForManagement()} and used_at is null and expires_at > now()`;
  if (open.length >= maxOwnerInvitations) return 'too-many';
  const [ownerName, managerName] = rights === 'owner' ? [name, null] : [null, name];
  await tx`
    insert into invitations (company_id, token_hash, owner_name, manager_name, created_by, expires_at)
    values (${companyId}, ${hashToken(token)}, ${ownerName}, ${managerName}, ${accountId},
      now() + ${validMinutes} * interval '1 minute')`;
  return { token };
}

/** The unused invitations for new owners and managers of the owner's company, the newest first. */
export async function listOwnerInvitations({ companyId }: Owner): Promise<OwnerInvitation[]> {
  return sql()<OwnerInvitation[]>`
    select encode(i.token_hash, 'hex') as id, coalesce(i.owner_name, i.manager_name) as name,
      case when i.owner_name is not null then 'owner' else 'manager' end as rights, a.name as "invitedBy",
      i.expires_at as "expiresAt"
    from invitations i left join accounts a on a.company_id = i.company_id and a.id = i.created_by
    where i.company_id = ${companyId} and ${isForManagement()} and i.used_at is null and i.expires_at > now()
    order by i.created_at desc limit ${maxOwnerInvitations}`;
}

export async function cancelOwnerInvitation(owner: Owner, id: string): Promise<'cancelled' | 'no-such-invitation'> {
  return changeManagement(owner, async (tx) => {
    const [cancelled] = await tx<{ name: string; rights: InvitedRights }[]>`
      delete from invitations
      where company_id = ${owner.companyId} and token_hash = decode(${id}, 'hex') and ${isForManagement()}
        and used_at is null
      returning coalesce(owner_name, manager_name) as name,
        case when owner_name is not null then 'owner' else 'manager' end as rights`;
    if (!cancelled) return 'no-such-invitation';
    await recordAudit(tx, owner, `${cancelled.rights}.uninvite`, { name: cancelled.name });
    return 'cancelled';
  });
}

/**
 * Makes a link with which another owner or a manager chooses a new password. It is valid once, for
 * 24 hours, and replaces an older one. The password and the sessions stay until it is used.
 */
export async function createOwnerLink(owner: Owner, accountId: number): Promise<{ token: string } | 'no-such-owner'> {
  const token = generateToken();
  return changeManagement(owner, async (tx, people) => {
    const other = findOther(people, owner, accountId);
    if (!other) return 'no-such-owner';
    const link = { companyId: owner.companyId, accountId, createdBy: owner.accountId };
    await insertLink(tx, link, token, ownerLinkHours * 60);
    await recordAudit(tx, owner, other.isOwner ? 'owner.link' : 'manager.link', { accountId, name: other.name });
    return { token };
  });
}

/** Inserts a link for a new password, in the place of an older one. The operator is nobody's `createdBy`. */
export async function insertLink(
  tx: Transaction,
  { companyId, accountId, createdBy }: AccountId & { createdBy: number | null },
  token: string,
  minutes: number,
): Promise<void> {
  await tx`delete from invitations where company_id = ${companyId} and account_id = ${accountId} and used_at is null`;
  await tx`
    insert into invitations (company_id, token_hash, account_id, created_by, expires_at)
    values (${companyId}, ${hashToken(token)}, ${accountId}, ${createdBy}::int, now() + ${minutes} * interval '1 minute')`;
}

/**
 * A valid link for an owner or manager. `username` is set for an existing account. With `onlyIssuer`
 * the person uses it with this provider only, but not a link of the operator.
 */
type OwnerLink = {
  companyId: Rows['invitations']['companyId'];
  companyName: Rows['companies']['name'];
  rights: InvitedRights;
  name: string;
  username: Rows['accounts']['username'] | null;
  onlyIssuer: Rows['companies']['onlyIssuer'];
};

export async function findOwnerLink(token: string): Promise<OwnerLink | null> {
  if (!isInvitationToken(token)) return null;
  const [row] = await sql()<OwnerLink[]>`
    select i.company_id as "companyId", c.name as "companyName", coalesce(a.name, i.owner_name, i.manager_name) as name,
      case when i.created_by is not null then ${onlyIssuer()} end as "onlyIssuer",
      a.username, case when a.is_manager or i.manager_name is not null then 'manager' else 'owner' end as rights
    from invitations i
    join companies c on c.id = i.company_id
    left join accounts a on a.company_id = i.company_id and a.id = i.account_id and (a.is_owner or a.is_manager)
    where i.token_hash = ${hashToken(token)} and i.used_at is null and i.expires_at > now()
      and (${isForManagement()} or a.id is not null)`;
  return row ?? null;
}

/**
 * Uses a link: creates the account of the new owner or manager with this username and password, or
 * gives their account this password and ends its sessions. With an identity the service makes the
 * username. Of two concurrent calls one succeeds. With a password on a link of the operator, this
 * owner's password is the way back where people sign in with one provider only.
 */
export async function acceptOwnerLink(
  token: string,
  username: string,
  credential: NewCredential,
): Promise<AuthenticatedAccount | CredentialRefusal | 'invalid'> {
  const link = await findOwnerLink(token);
  if (!link) return 'invalid';
  const { companyId } = link;
  const names = [link.companyName, link.name, link.username ?? username];
  return withNewCredential(link, credential, names, async (tx, passwordHash) => {
    const [used] = await tx<Pick<Rows['invitations'], 'accountId' | 'ownerName' | 'managerName' | 'createdBy'>[]>`
      update invitations set used_at = now()
      where company_id = ${companyId} and token_hash = ${hashToken(token)} and employee_id is null
        and used_at is null and expires_at > now()
      returning account_id as "accountId", owner_name as "ownerName", manager_name as "managerName",
        created_by as "createdBy"`;
    if (!used) return 'invalid';
    const accept = () =>
      used.accountId === null
        ? join(tx, companyId, used, username, passwordHash)
        : renewPassword(tx, { companyId, accountId: used.accountId }, passwordHash);
    const account = await accept();
    if (account === 'invalid') return account;
    // The link leads to this account from now on.
    await tx`
      update invitations set account_id = ${account.accountId}, owner_name = null, manager_name = null
      where company_id = ${companyId} and token_hash = ${hashToken(token)}`;
    if (used.createdBy === null && passwordHash !== null)
      await tx`
        update companies set fallback_account_id = ${account.accountId}
        where id = ${companyId} and only_issuer is not null`;
    return account;
  });
}

// The row decides, not the link: only an `ownerName` makes an owner.
async function join(
  tx: Transaction,
  companyId: number,
  { ownerName, managerName }: Pick<Rows['invitations'], 'ownerName' | 'managerName'>,
  asked: string,
  passwordHash: string | null,
): Promise<AuthenticatedAccount> {
  const rights = ownerName === null ? 'manager' : 'owner';
  const name = ownerName ?? managerName ?? '';
  const username = passwordHash === null ? inventUsername(name) : asked;
  const added = await insertAccount(tx, { companyId, username, name, passwordHash, rights });
  await recordAudit(tx, { companyId, accountId: added.accountId, name }, `${rights}.join`, { name, username });
  return added;
}

async function renewPassword(
  tx: Transaction,
  account: AccountId,
  passwordHash: string | null,
): Promise<AuthenticatedAccount | 'invalid'> {
  const [found] = await tx<Pick<Rows['accounts'], 'name' | 'isOwner'>[]>`
    select name, is_owner as "isOwner" from accounts
    where company_id = ${account.companyId} and id = ${account.accountId} and (is_owner or is_manager)`;
  if (!found) return 'invalid';
  const renewed = await setPassword(tx, account, passwordHash);
  await removeSecondFactors(tx, account);
  await recordAudit(tx, { ...account, name: found.name }, found.isOwner ? 'owner.renew' : 'manager.renew', {});
  return renewed;
}
