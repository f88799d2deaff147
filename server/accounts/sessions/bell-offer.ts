import { createHash } from 'node:crypto';
import { inTransaction, sql } from '#db/client.ts';
import type { SessionClaims } from '#server/accounts/sessions/cookie.ts';
import type { Session } from '#server/principals.ts';

const offerSeconds = 60;

/**
 * Offers a session to the frame of a bell in a page of this origin, for 60 s. `code` is the SHA-256 of a
 * secret of that frame, in base64url. The last offer of a session, and the last one for a frame, counts.
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
  const code = createHash('sha256').update(secret).digest('base64url');
  const [taken] = await sql()<Omit<SessionClaims, 'origin'>[]>`
    update sessions set bell_code = null
    where bell_code = ${code} and bell_origin = ${origin} and bell_until > now()
    returning company_id as "companyId", account_id as "accountId", id as "sessionId", bell_version as "sessionVersion"`;
  return taken ?? null;
}
