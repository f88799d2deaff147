import { createHash, randomBytes, randomInt } from 'node:crypto';
import { findRow, inTransaction, requireRow } from '#db/client.ts';
import { describeBrowser } from '#server/accounts/sessions/browser-name.ts';
import type { BellClaims } from '#server/accounts/sessions/cookie.ts';
import { cutClient, type SessionClient } from '#server/accounts/sessions/sessions.ts';
import { recordAudit } from '#server/audit/record.ts';
import type { AccountVersion, Session } from '#server/principals.ts';

const offerSeconds = 60;
const typedSeconds = 5 * 60;

// A code that a person types: without letters and digits that look alike, and hard enough to guess (31^8).
const typedLetters = 'abcdefghjkmnpqrstuvwxyz23456789';
const typedLength = 8;

/** A secret of one frame of a bell, and its SHA-256, which the address of the window says. Both in base64url. */
export type FrameSecret = { secret: string; code: string };

const makeSecret = () => randomBytes(32).toString('base64url');

export function makeFrameSecret(): FrameSecret {
  const secret = makeSecret();
  return { secret, code: hashOf(secret) };
}

const hashOf = (text: string) => createHash('sha256').update(text).digest('base64url');

const makeTyped = () =>
  Array.from({ length: typedLength }, () => typedLetters[randomInt(typedLetters.length)]).join('');

/**
 * Offers a session to the frame of a bell in a page of this origin, for 60 s. `code` is the SHA-256 of the frame's
 * secret. Returns a ticket, which the window gives to the frame. The frame needs both, secret and ticket. A later offer
 * of the same session replaces this one. `isTyped`: a person types the ticket. It then has 8 letters and digits, and
 * is good for 5 minutes.
 */
export async function offerToBell(session: Session, code: string, origin: string, isTyped = false): Promise<string> {
  const { account, sessionId, sessionVersion } = session;
  const ticket = isTyped ? makeTyped() : makeSecret();
  await inTransaction(
    (tx) => tx`
      update sessions set bell_code = ${hashOf(ticket + code)}, bell_origin = ${origin}, bell_version = ${sessionVersion},
        bell_until = now() + ${isTyped ? typedSeconds : offerSeconds} * interval '1 second'
      where company_id = ${account.companyId} and id = ${sessionId}`,
  );
  return ticket;
}

/** What a frame shows to open its bell: its secret, the ticket from the window, and the origin of its page. */
export type BellRequest = { secret: string; ticket: string; origin: string };

/**
 * Opens the bell of a frame with the session that was offered to it, once, with an audit entry. It replaces the
 * session's bell of the same page. Returns null without an offer.
 */
export async function openBell(
  { secret, ticket, origin }: BellRequest,
  { address, client }: SessionClient,
): Promise<BellClaims | null> {
  return inTransaction(async (tx) => {
    const taken = await findRow(tx<(AccountVersion & { sessionId: number; name: string })[]>`
      update sessions s set bell_code = null from accounts a
      where s.bell_code = ${hashOf(ticket + hashOf(secret))} and s.bell_origin = ${origin} and s.bell_until > now()
        and a.company_id = s.company_id and a.id = s.account_id
      returning s.company_id as "companyId", s.account_id as "accountId", s.id as "sessionId",
        s.bell_version as "sessionVersion", a.name`);
    if (!taken) return null;
    const { name, ...claims } = taken;
    const { companyId, accountId, sessionId } = claims;
    await tx`delete from bells where company_id = ${companyId} and session_id = ${sessionId} and origin = ${origin}`;
    const { bellId } = await requireRow(tx<{ bellId: number }[]>`
      insert into bells (company_id, session_id, origin, address, client)
      values (${companyId}, ${sessionId}, ${origin}, ${address}, ${cutClient(client)}) returning id as "bellId"`);
    const details = { origin, client: describeBrowser(client) || address, address };
    await recordAudit(tx, { companyId, accountId, name }, 'bell.open', details);
    return { ...claims, bellId, origin };
  });
}
