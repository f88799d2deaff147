import { createHash } from 'node:crypto';
import { byId, db, deleteRows, inTransaction, matches, requireRow, updateRows } from '#db/client.ts';
import { and, gt, sql } from '#db/drizzle.cjs';
import { accounts, bells, sessions } from '#db/schema/tables.ts';
import { describeBrowser } from '#server/accounts/sessions/browser-name.ts';
import { cutClient, type SessionClient } from '#server/accounts/sessions/sessions.ts';
import { generateToken, generateTyped } from '#server/accounts/sessions/tokens.ts';
import { recordAudit } from '#server/audit/record.ts';
import type { Session } from '#server/principals.ts';

/** A secret of one frame of a bell, and its SHA-256, which the address of the window says. Both in base64url. */
export type FrameSecret = { secret: string; code: string };

export function makeFrameSecret(): FrameSecret {
  const secret = generateToken();
  return { secret, code: hashOf(secret) };
}

const hashOf = (text: string) => createHash('sha256').update(text).digest('base64url');

/**
 * Offers a session to the frame of a bell in a page of this origin, for 60 s. Returns a ticket, which the window gives
 * to the frame, which needs it and the secret whose SHA-256 is `code`. A later offer of the session replaces it.
 * `isTyped`: a person types the ticket: 8 letters and digits (31^8), good for 5 minutes.
 */
export async function offerToBell(session: Session, code: string, origin: string, isTyped = false): Promise<string> {
  const { account, sessionId, sessionVersion } = session;
  const ticket = isTyped ? generateTyped(8) : generateToken();
  const bellUntil = sql`now() + ${isTyped ? 5 : 1} * interval '1 minute'`;
  const offer = { bellCode: hashOf(ticket + code), bellOrigin: origin, bellVersion: sessionVersion, bellUntil };
  await updateRows(db(), sessions, { companyId: account.companyId, id: sessionId }, offer);
  return ticket;
}

type BellRequest = { secret: string; ticket: string; origin: string };

/**
 * Opens the bell of a frame with the session that was offered to it, once, with an audit entry. It replaces the
 * session's bell of the same page. Null without an offer. `origin`: of the page that shows the frame.
 */
export async function openBell({ secret, ticket, origin }: BellRequest, { address, client }: SessionClient) {
  return inTransaction(async (tx) => {
    const isOffer = matches(sessions, { bellCode: hashOf(ticket + hashOf(secret)), bellOrigin: origin });
    const isOpen = gt(sessions.bellUntil, sql`now()`);
    const [taken] = await db(tx)
      .update(sessions)
      .set({ bellCode: null })
      .from(accounts)
      .where(and(isOffer, isOpen, byId(accounts, sessions, sessions.accountId)))
      .returning({
        companyId: sessions.companyId,
        accountId: sessions.accountId,
        sessionId: sessions.id,
        sessionVersion: sql<number>`${sessions.bellVersion}`,
        name: accounts.name,
      });
    if (!taken) return null;
    const { name, ...claims } = taken;
    const { companyId, accountId, sessionId } = claims;
    await deleteRows(db(tx), bells, { companyId, sessionId, origin });
    const bell = { companyId, sessionId, origin, address, client: cutClient(client) };
    const { bellId } = await requireRow(db(tx).insert(bells).values(bell).returning({ bellId: bells.id }));
    const details = { origin, client: describeBrowser(client) || address, address };
    await recordAudit(tx, { companyId, accountId, name }, 'bell.open', details);
    return { ...claims, bellId, origin };
  });
}
