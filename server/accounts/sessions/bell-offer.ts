import { createHash, randomBytes } from 'node:crypto';
import { findRow, inTransaction, sql } from '#db/client.ts';
import type { SessionClaims } from '#server/accounts/sessions/cookie.ts';
import type { Session } from '#server/principals.ts';

const offerSeconds = 60;

/** A secret of one frame of a bell, and its SHA-256, which the address of the window says. Both in base64url. */
export type FrameSecret = { secret: string; code: string };

export function makeFrameSecret(): FrameSecret {
  const secret = randomBytes(32).toString('base64url');
  return { secret, code: codeOf(secret) };
}

const codeOf = (secret: string) => createHash('sha256').update(secret).digest('base64url');

/**
 * Offers a session to the frame of a bell in a page of this origin, for 60 s. `code` is that of the frame's
 * secret. The last offer of a session, and the last one for a frame, counts.
 */
export async function offerToBell(session: Session, code: string, origin: string): Promise<void> {
  const { account, sessionId, sessionVersion } = session;
  await inTransaction(async (tx) => {
    await tx`update sessions set bell_code = null where bell_code = ${code}`;
    await tx`
      update sessions set bell_code = ${code}, bell_origin = ${origin}, bell_version = ${sessionVersion},
        bell_until = now() + ${offerSeconds} * interval '1 second'
      where company_id = ${account.companyId} and id = ${sessionId}`;
  });
}

/** Takes the session that was offered for this secret to this page, once. Returns null if there is none. */
export async function takeOffer(secret: string, origin: string): Promise<SessionClaims | null> {
  return findRow(sql()<Omit<SessionClaims, 'origin'>[]>`
    update sessions set bell_code = null
    where bell_code = ${codeOf(secret)} and bell_origin = ${origin} and bell_until > now()
    returning company_id as "companyId", account_id as "accountId", id as "sessionId", bell_version as "sessionVersion"`);
}
