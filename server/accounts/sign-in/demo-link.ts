import { createHmac } from 'node:crypto';
import { db, findRow, inTransaction, matches } from '#db/client.ts';
import { and, sql } from '#db/drizzle.cjs';
import { accounts } from '#db/schema/tables.ts';
import { authSecret, isSameSecret } from '#platform/config/identity.ts';
import { isTrial } from '#platform/config/settings.ts';
import { versionColumns } from '#server/accounts/sessions/sessions.ts';
import type { AuthenticatedAccount } from '#server/principals.ts';

export const demoLinkMinutes = 15;

const columns = {
  ...versionColumns,
  signedInAt: sql<string>`coalesce(extract(epoch from ${accounts.signedInAt})::text, '')`,
};

/** The token of a link that signs in a trial's demo owner once, or null. It derives from the last sign-in. */
export async function makeDemoToken(username: string): Promise<string | null> {
  const isOfOwner = and(sql`lower(${accounts.username}) = lower(${username})`, accounts.isOwner);
  const account = await findRow(db().select(columns).from(accounts).where(isOfOwner));
  if (!account) return null;
  const expiresAt = Math.floor(Date.now() / 1000) + demoLinkMinutes * 60;
  return [account.companyId, account.accountId, expiresAt, sign(account, expiresAt)].join('.');
}

/** Uses the token of a demo link, once of two concurrent calls. `'invalid'`: outside a trial, too late, or used. */
export async function acceptDemoToken(token: string): Promise<AuthenticatedAccount | 'invalid'> {
  const [, company, account, expires, signature = ''] =
    /^(\d{1,9})\.(\d{1,9})\.(\d{1,12})\.([\w-]{43})$/.exec(token) ?? [];
  const expiresAt = Number(expires);
  if (!isTrial() || !(expiresAt > Date.now() / 1000)) return 'invalid';
  return inTransaction(async (tx) => {
    const ids = matches(accounts, { companyId: Number(company), id: Number(account) });
    const row = await findRow(db(tx).select(columns).from(accounts).where(and(ids, accounts.isOwner)).for('update'));
    if (!row || !isSameSecret(Buffer.from(signature), Buffer.from(sign(row, expiresAt)))) return 'invalid';
    const { companyId, accountId, sessionVersion } = row;
    // Another value of `signed_in_at` invalidates every earlier token.
    await db(tx).update(accounts).set({ signedInAt: sql`clock_timestamp()` }).where(ids);
    return { companyId, accountId, sessionVersion };
  });
}

function sign(account: AuthenticatedAccount & { signedInAt: string }, expiresAt: number): string {
  const { companyId, accountId, sessionVersion, signedInAt } = account;
  const text = ['demo sign-in', companyId, accountId, sessionVersion, signedInAt, expiresAt].join('\n');
  return createHmac('sha256', authSecret()).update(text).digest('base64url');
}
