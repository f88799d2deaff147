import { byId, db, findRow, requireRow } from '#db/client.ts';
import { and, desc, eq, gt, isNull, lt, sql } from '#db/drizzle.cjs';
import { withManager } from '#db/person-transaction.ts';
import { accounts, companies, joinLinks } from '#db/schema/tables.ts';
import { findShownToken, hashToken, isInvitationToken, makeShownToken } from '#server/accounts/sessions/tokens.ts';
import { recordAudit } from '#server/audit/record.ts';
import { type JoinLinkTerms, maxJoinLinks } from '#server/employees/join-terms.ts';
import type { Manager } from '#server/principals.ts';

/** A full link takes no requests. Managers still see it, until it expires. */
export const isOpen = and(isNull(joinLinks.revokedAt), gt(joinLinks.expiresAt, sql`now()`));

/** Makes a link with which people ask to join. Its token can be typed; its hash and salt are stored. */
export async function createJoinLink(
  manager: Manager,
  { role, days, maxRequests }: JoinLinkTerms,
): Promise<{ id: number; token: string } | 'too-many'> {
  const { companyId, accountId } = manager;
  const { token, salt } = makeShownToken('typed');
  return withManager(manager, async (tx) => {
    const open = await db(tx).$count(joinLinks, and(eq(joinLinks.companyId, companyId), isOpen));
    if (open >= maxJoinLinks) return 'too-many';
    const expiresAt = sql`now() + ${days} * interval '1 day'`;
    const stored = { tokenHash: hashToken(token), tokenSalt: salt, createdBy: accountId, expiresAt };
    const link = { companyId, role, maxRequests, ...stored };
    const { id } = await requireRow(db(tx).insert(joinLinks).values(link).returning({ id: joinLinks.id }));
    await recordAudit(tx, manager, 'join.open', { linkId: id, role, days, count: maxRequests });
    return { id, token };
  });
}

export type JoinLink = Awaited<ReturnType<typeof listJoinLinks>>[number];

export const listJoinLinks = ({ companyId }: Manager) =>
  db()
    .select({
      id: joinLinks.id,
      role: joinLinks.role,
      requests: joinLinks.requests,
      maxRequests: joinLinks.maxRequests,
      createdBy: accounts.name,
      createdAt: joinLinks.createdAt,
      expiresAt: joinLinks.expiresAt,
    })
    .from(joinLinks)
    .innerJoin(accounts, byId(accounts, joinLinks, joinLinks.createdBy))
    .where(and(eq(joinLinks.companyId, companyId), isOpen))
    .orderBy(desc(joinLinks.id));

/** Shows the token of an open join link again. `not-shown`: it was made with another AUTH_SECRET. */
export async function showJoinLink(
  manager: Manager,
  id: number,
): Promise<{ token: string } | 'no-such-link' | 'not-shown'> {
  return withManager(manager, async (tx) => {
    const { accountId } = manager;
    const [link] = await db(tx)
      .update(joinLinks)
      .set({ shownTo: sql`array_append(array_remove(${joinLinks.shownTo}, ${accountId}::int), ${accountId}::int)` })
      .where(and(byId(joinLinks, manager, id), isOpen))
      .returning({ hash: joinLinks.tokenHash, salt: joinLinks.tokenSalt, role: joinLinks.role });
    if (!link) return 'no-such-link';
    const token = findShownToken(link);
    if (token === null) return 'not-shown';
    await recordAudit(tx, manager, 'join.show', { linkId: id, role: link.role });
    return { token };
  });
}

/** Ends a join link at once. Requests that came with it stay. */
export async function revokeJoinLink(manager: Manager, id: number): Promise<'revoked' | 'no-such-link'> {
  return withManager(manager, async (tx) => {
    const isChosen = and(byId(joinLinks, manager, id), isOpen);
    const revoking = db(tx).update(joinLinks).set({ revokedAt: sql`now()` }).where(isChosen);
    const [revoked] = await revoking.returning({ role: joinLinks.role });
    if (!revoked) return 'no-such-link';
    await recordAudit(tx, manager, 'join.close', { linkId: id, role: revoked.role });
    return 'revoked';
  });
}

/** What a stranger sees of the join link of a token; null: unknown, ended, revoked or full. */
export async function findJoinLink(token: string) {
  if (!isInvitationToken(token)) return null;
  return findRow(
    db()
      .select({
        companyId: joinLinks.companyId,
        companyName: companies.name,
        linkId: joinLinks.id,
        asksRole: sql<boolean>`${isNull(joinLinks.role)}`,
      })
      .from(joinLinks)
      .innerJoin(companies, eq(companies.id, joinLinks.companyId))
      .where(and(eq(joinLinks.tokenHash, hashToken(token)), isOpen, lt(joinLinks.requests, joinLinks.maxRequests))),
  );
}
