import { byId, countRows, db, deleteRows, type Transaction } from '#db/client.ts';
import { and, desc, eq, gt, isNotNull, isNull, or, sql } from '#db/drizzle.cjs';
import { accounts, invitations } from '#db/schema/tables.ts';
import { changeManagement, findOther } from '#server/accounts/owners/owners.ts';
import { generateToken, hashToken, invitationDays } from '#server/accounts/sessions/tokens.ts';
import { recordAudit } from '#server/audit/record.ts';
import type { AccountId, Manager, Owner } from '#server/principals.ts';

export const operatorLinkMinutes = 30;

/** The most open invitations for owners and managers of a company together. */
const maxOwnerInvitations = 20;

/** Invites a new owner or manager by name. The link is valid once, for 7 days. */
export async function inviteOwner(owner: Owner, name: string, rights: Manager['kind'] = 'owner') {
  return changeManagement(owner, async (tx) => {
    const result = await insertOwnerInvitation(tx, owner, { name, rights, validMinutes: invitationDays * 24 * 60 });
    if (result !== 'too-many') await recordAudit(tx, owner, `${rights}.invite`, { name });
    return result;
  });
}

const { ownerName, managerName } = invitations;

const isForManagement = and(isNull(invitations.usedAt), or(isNotNull(ownerName), isNotNull(managerName)));
const isOpen = and(isForManagement, gt(invitations.expiresAt, sql`now()`));
const nameAndRights = {
  name: sql<string>`coalesce(${ownerName}, ${managerName})`,
  rights: sql<Manager['kind']>`case when ${ownerName} is not null then 'owner' else 'manager' end`,
};

const minutesFromNow = (minutes: number) => sql`now() + ${minutes} * interval '1 minute'`;

/** Inserts an invitation while fewer than `maxOwnerInvitations` are open. The company's row must be locked. */
export async function insertOwnerInvitation(
  tx: Transaction,
  { companyId, accountId = null }: { companyId: number; accountId?: number | null },
  { name, rights, validMinutes }: { name: string; rights: Manager['kind']; validMinutes: number },
): Promise<{ token: string } | 'too-many'> {
  const token = generateToken();
  if ((await countRows(db(tx), invitations, { companyId }, isOpen)) >= maxOwnerInvitations) return 'too-many';
  const invited = rights === 'owner' ? { ownerName: name } : { managerName: name };
  const expiresAt = minutesFromNow(validMinutes);
  const link = { companyId, createdBy: accountId, tokenHash: hashToken(token), expiresAt, ...invited };
  await db(tx).insert(invitations).values(link);
  return { token };
}

/** The unused invitations for owners and managers, newest first. `invitedBy`: null for the operator. */
export async function listOwnerInvitations({ companyId }: Owner) {
  const id = sql<string>`encode(${invitations.tokenHash}, 'hex')`;
  return db()
    .select({ id, ...nameAndRights, invitedBy: accounts.name, expiresAt: invitations.expiresAt })
    .from(invitations)
    .leftJoin(accounts, byId(accounts, invitations, invitations.createdBy))
    .where(and(eq(invitations.companyId, companyId), isOpen))
    .orderBy(desc(invitations.createdAt))
    .limit(maxOwnerInvitations);
}

export async function cancelOwnerInvitation(owner: Owner, id: string): Promise<'cancelled' | 'no-such-invitation'> {
  return changeManagement(owner, async (tx) => {
    const isOfToken = eq(invitations.tokenHash, sql`decode(${id}, 'hex')`);
    const [cancelled] = await db(tx)
      .delete(invitations)
      .where(and(eq(invitations.companyId, owner.companyId), isOfToken, isForManagement))
      .returning(nameAndRights);
    if (!cancelled) return 'no-such-invitation';
    await recordAudit(tx, owner, `${cancelled.rights}.uninvite`, { name: cancelled.name });
    return 'cancelled';
  });
}

/** Makes a link for a new password of another owner or a manager, valid once in 24 hours. Replaces an older one. */
export async function createOwnerLink(owner: Owner, accountId: number): Promise<{ token: string } | 'no-such-owner'> {
  return changeManagement(owner, async (tx, people) => {
    const other = findOther(people, owner, accountId);
    if (!other) return 'no-such-owner';
    const link = { companyId: owner.companyId, accountId, createdBy: owner.accountId };
    const token = await insertLink(tx, link, 24 * 60);
    await recordAudit(tx, owner, other.isOwner ? 'owner.link' : 'manager.link', { accountId, name: other.name });
    return { token };
  });
}

/** Inserts a link for a new password, which replaces an older one. Returns its token. */
export async function insertLink(
  tx: Transaction,
  { companyId, accountId, createdBy }: AccountId & { createdBy: number | null },
  minutes: number,
): Promise<string> {
  const token = generateToken();
  await deleteRows(db(tx), invitations, { companyId, accountId, usedAt: null });
  const link = { companyId, tokenHash: hashToken(token), accountId, createdBy, expiresAt: minutesFromNow(minutes) };
  await db(tx).insert(invitations).values(link);
  return token;
}
