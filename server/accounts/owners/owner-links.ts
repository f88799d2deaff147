import { sql, type Transaction } from '#db/client.ts';
import type { Rows } from '#db/schema/rows.ts';
import { generateToken, hashToken, invitationDays } from '#server/accounts/owners/invitation-token.ts';
import { changeManagement, findOther } from '#server/accounts/owners/owners.ts';
import { recordAudit } from '#server/audit/record.ts';
import type { AccountId, Manager, Owner } from '#server/principals.ts';

const ownerLinkHours = 24;

/** The validity of a link that the operator makes, in minutes. */
export const operatorLinkMinutes = 30;

/** The most open invitations for owners and managers of a company together. */
const maxOwnerInvitations = 20;

/**
 * An unused invitation for a new owner or manager. `id` is the hash of its token, in hex.
 * `invitedBy` is null when the operator made it.
 */
export type OwnerInvitation = {
  id: string;
  rights: Manager['kind'];
  name: string;
  invitedBy: Rows['accounts']['name'] | null;
  expiresAt: Rows['invitations']['expiresAt'];
};

/** Invites a new owner or manager by name. The link is valid once, for 7 days. */
export async function inviteOwner(
  owner: Owner,
  name: string,
  rights: Manager['kind'] = 'owner',
): Promise<{ token: string } | 'too-many'> {
  return changeManagement(owner, async (tx) => {
    const result = await insertOwnerInvitation(tx, owner, { name, rights, validMinutes: invitationDays * 24 * 60 });
    if (result !== 'too-many') await recordAudit(tx, owner, `${rights}.invite`, { name });
    return result;
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
  { name, rights, validMinutes }: { name: string; rights: Manager['kind']; validMinutes: number },
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
    const [cancelled] = await tx<{ name: string; rights: Manager['kind'] }[]>`
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

/** Inserts a link for a new password, which replaces an older one. A link of the operator has no `createdBy`. */
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
