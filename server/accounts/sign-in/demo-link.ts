import { createHmac, timingSafeEqual } from 'node:crypto';
import { inTransaction, sql } from '#db/client.ts';
import { authSecret } from '#platform/config/identity.ts';
import { isTrial } from '#platform/config/settings.ts';
import type { AuthenticatedAccount } from '#server/principals.ts';

export const demoLinkMinutes = 15;

type Row = AuthenticatedAccount & { signedInAt: string };

/**
 * Makes the token of a link that signs in the owner of a trial's demo company once. It is derived
 * from AUTH_SECRET and the account's last sign-in, so nothing is stored and any sign-in of the
 * account invalidates it. Returns null when there is no such owner.
 */
export async function makeDemoToken(username: string): Promise<string | null> {
  const [account] = await sql()<Row[]>`
    select ${columns()} from accounts where lower(username) = lower(${username}) and is_owner`;
  if (!account) return null;
  const expiresAt = Math.floor(Date.now() / 1000) + demoLinkMinutes * 60;
  return [account.companyId, account.accountId, expiresAt, sign(account, expiresAt)].join('.');
}

/**
 * Uses the token of a demo link. Returns the owner's account, or `'invalid'`: outside a trial,
 * after its time, and when it was used. Of two concurrent calls one succeeds.
 */
export async function acceptDemoToken(token: string): Promise<AuthenticatedAccount | 'invalid'> {
  const [, company, account, expires, signature = ''] =
    /^(\d{1,9})\.(\d{1,9})\.(\d{1,12})\.([\w-]{43})$/.exec(token) ?? [];
  const expiresAt = Number(expires);
  if (!isTrial() || !(expiresAt > Date.now() / 1000)) return 'invalid';
  return inTransaction(async (tx) => {
    const [row] = await tx<Row[]>`
      select ${columns()} from accounts
      where company_id = ${Number(company)} and id = ${Number(account)} and is_owner for update`;
    if (!row || !timingSafeEqual(Buffer.from(signature), Buffer.from(sign(row, expiresAt)))) return 'invalid';
    const { companyId, accountId, sessionVersion } = row;
    // Another value of `signed_in_at` invalidates every earlier token.
    await tx`
      update accounts set signed_in_at = clock_timestamp() where company_id = ${companyId} and id = ${accountId}`;
    return { companyId, accountId, sessionVersion };
  });
}

const columns = () => sql()`company_id as "companyId", id as "accountId", session_version as "sessionVersion",
  coalesce(extract(epoch from signed_in_at)::text, '') as "signedInAt"`;

function sign({ companyId, accountId, sessionVersion, signedInAt }: Row, expiresAt: number): string {
  const text = ['demo sign-in', companyId, accountId, sessionVersion, signedInAt, expiresAt].join('\n');
  return createHmac('sha256', authSecret()).update(text).digest('base64url');
}
