import { findRow, requireRow, sql } from '#db/client.ts';
import { asManager } from '#db/person-transaction.ts';
import type { Rows } from '#db/schema/rows.ts';
import { hashToken, isInvitationToken } from '#server/accounts/owners/invitation-token.ts';
import { recordAudit } from '#server/audit/record.ts';
import { type JoinLinkTerms, maxJoinLinks } from '#server/employees/join-terms.ts';
import { findShownToken, makeShownToken, type StoredToken } from '#server/employees/shown-token.ts';
import type { Manager } from '#server/principals.ts';

/** An open join link. `requests` of at most `maxRequests` came with it. */
export type JoinLink = Pick<
  Rows['joinLinks'],
  'id' | 'role' | 'requests' | 'maxRequests' | 'createdAt' | 'expiresAt'
> & { createdBy: Rows['accounts']['name'] };

// A full link takes no requests. Managers still see it, until it expires.
const isOpen = () => sql()`l.revoked_at is null and l.expires_at > now()`;

/** Makes a link with which people ask to join. Its token can be typed; its hash and salt are stored. */
export async function createJoinLink(
  manager: Manager,
  { role, days, maxRequests }: JoinLinkTerms,
): Promise<{ id: number; token: string } | 'too-many'> {
  const { companyId, accountId } = manager;
  const { token, salt } = makeShownToken('typed');
  return asManager(manager, async (tx) => {
    const open = await tx`select from join_links l where company_id = ${companyId} and ${isOpen()}`;
    if (open.length >= maxJoinLinks) return 'too-many';
    const link = await requireRow(tx<Pick<Rows['joinLinks'], 'id'>[]>`
      insert into join_links (company_id, token_hash, token_salt, role, max_requests, created_by, expires_at)
      values (${companyId}, ${hashToken(token)}, ${salt}, ${role}, ${maxRequests}, ${accountId},
        now() + ${days} * interval '1 day')
      returning id`);
    await recordAudit(tx, manager, 'join.open', { linkId: link.id, role, days, count: maxRequests });
    return { id: link.id, token };
  });
}

export async function listJoinLinks({ companyId }: Manager): Promise<JoinLink[]> {
  return sql()<JoinLink[]>`
    select l.id, l.role, l.requests, l.max_requests as "maxRequests", a.name as "createdBy",
      l.created_at as "createdAt", l.expires_at as "expiresAt"
    from join_links l join accounts a on a.company_id = l.company_id and a.id = l.created_by
    where l.company_id = ${companyId} and ${isOpen()} order by l.id desc`;
}

/** Shows the token of an open join link again. `not-shown`: it was made with another AUTH_SECRET. */
export async function showJoinLink(
  manager: Manager,
  id: number,
): Promise<{ token: string } | 'no-such-link' | 'not-shown'> {
  return asManager(manager, async (tx) => {
    const [link] = await tx<(StoredToken & Pick<Rows['joinLinks'], 'role'>)[]>`
      select token_hash as hash, token_salt as salt, role from join_links l
      where l.company_id = ${manager.companyId} and l.id = ${id} and ${isOpen()}`;
    if (!link) return 'no-such-link';
    const token = findShownToken(link);
    if (token === null) return 'not-shown';
    await recordAudit(tx, manager, 'join.show', { linkId: id, role: link.role });
    return { token };
  });
}

/** Ends a join link at once. Requests that came with it stay. */
export async function revokeJoinLink(manager: Manager, id: number): Promise<'revoked' | 'no-such-link'> {
  return asManager(manager, async (tx) => {
    const [revoked] = await tx<Pick<Rows['joinLinks'], 'role'>[]>`
      update join_links l set revoked_at = now()
      where l.company_id = ${manager.companyId} and l.id = ${id} and ${isOpen()} returning l.role`;
    if (!revoked) return 'no-such-link';
    await recordAudit(tx, manager, 'join.close', { linkId: id, role: revoked.role });
    return 'revoked';
  });
}

/** What a stranger sees of a join link: the company, and whether a role is asked. */
type OpenJoinLink = {
  companyId: Rows['joinLinks']['companyId'];
  companyName: Rows['companies']['name'];
  linkId: Rows['joinLinks']['id'];
  asksRole: boolean;
};

/** The join link of a token that takes requests now, or null: unknown, ended, revoked or full. */
export async function findJoinLink(token: string): Promise<OpenJoinLink | null> {
  if (!isInvitationToken(token)) return null;
  return findRow(sql()<OpenJoinLink[]>`
    select l.company_id as "companyId", c.name as "companyName", l.id as "linkId", l.role is null as "asksRole"
    from join_links l join companies c on c.id = l.company_id
    where l.token_hash = ${hashToken(token)} and ${isOpen()} and l.requests < l.max_requests`);
}
