import { and, desc, eq, sql as expression, gt, ne, type SQL } from 'drizzle-orm';
import { type Database, db, sql } from '#db/client.ts';
import { announceAccessChange } from '#db/company-row.ts';
import { employees, pushSubscriptions, sessions } from '#db/schema.ts';
import { signIn } from '#server/accounts/accounts.ts';
import { browserName } from '#server/accounts/browser-name.ts';
import { recordAudit } from '#server/audit/record.ts';
import type { Account, Session } from '#server/principals.ts';

/** How long a session lasts at most. */
export const maxAgeSeconds = 30 * 24 * 60 * 60;

/** For how long a typed password counts as a fresh proof. */
export const proofMinutes = 10;

/** How exactly it is known when a session was last used. */
export const seenEveryMinutes = 5;

const longestClient = 300;

/** The browser of a session: the address it came from and the name it gives itself (User-Agent). */
export type Device = { address: string; client: string };

/** A session as its person sees it. */
export type SessionSummary = Device & { id: number; createdAt: Date; seenAt: Date };

type Who = Pick<Account, 'companyId' | 'accountId'>;

/** Opens a session for somebody who has just proved who they are; returns its id, which goes into the cookie. */
export async function openSession({ companyId, accountId }: Who, { address, client }: Device): Promise<number> {
  const [opened] = await db()
    .insert(sessions)
    .values({
      ...{ companyId, accountId, address, client: client.slice(0, longestClient) },
      expiresAt: expression`now() + ${maxAgeSeconds} * interval '1 second'`,
    })
    .returning({ id: sessions.id });
  if (!opened) throw new Error('the session was not opened');
  return opened.id;
}

/** Notes that a session is used now. */
export async function noteSeen({ companyId, sessionId }: { companyId: number; sessionId: number }): Promise<void> {
  await sql()`update sessions set seen_at = now() where company_id = ${companyId} and id = ${sessionId}`;
}

/** The open sessions of this account, the one used last first. */
export async function listSessions({ account }: Session): Promise<SessionSummary[]> {
  const { id, createdAt, seenAt, address, client } = sessions;
  return db()
    .select({ id, createdAt, seenAt, address, client })
    .from(sessions)
    .where(and(mine(account), gt(sessions.expiresAt, expression`now()`)))
    .orderBy(desc(sessions.seenAt), desc(sessions.id));
}

const mine = ({ companyId, accountId }: Who) =>
  and(eq(sessions.companyId, companyId), eq(sessions.accountId, accountId));

/** Ends one session of this account: its next request is nobody's, its open streams close. */
export async function endSession(account: Who, id: number): Promise<'ended' | 'no-such-session'> {
  return db().transaction(async (transaction) => {
    await announceAccessChange(transaction, account);
    const ended = await transaction
      .delete(sessions)
      .where(and(mine(account), eq(sessions.id, id)))
      .returning({ id: sessions.id });
    return ended.length > 0 ? 'ended' : 'no-such-session';
  });
}

/**
 * Ends another session of the account at hand, or all others (`'others'`), and says so in the audit log. It may be a browser
 * that was lost, so the person's devices are told nothing more until the portal is opened there again by somebody signed in.
 * Returns how many ended.
 */
export async function endOtherSessions({ account, sessionId }: Session, which: number | 'others'): Promise<number> {
  return db().transaction(async (transaction) => {
    await announceAccessChange(transaction, account);
    const chosen = which === 'others' ? undefined : eq(sessions.id, which);
    const ended = await transaction
      .delete(sessions)
      .where(and(mine(account), ne(sessions.id, sessionId), chosen))
      .returning({ client: sessions.client, address: sessions.address });
    for (const { client, address } of ended) {
      const { browser, system } = browserName(client);
      const words = [browser, system].filter(Boolean).join(', ');
      await recordAudit(transaction, account, 'session.end', { client: words || address, address });
    }
    if (ended.length > 0) await forgetDevices(transaction, account);
    return ended.length;
  });
}

async function forgetDevices(database: Database, { companyId, accountId }: Who): Promise<void> {
  const person: SQL = expression`(select ${employees.id} from ${employees}
    where ${employees.companyId} = ${companyId} and ${employees.accountId} = ${accountId})`;
  await database
    .delete(pushSubscriptions)
    .where(and(eq(pushSubscriptions.companyId, companyId), eq(pushSubscriptions.employeeId, person)));
}

/** Takes the password once more. A wrong one counts as a failed sign-in. */
export async function proveAgain(
  { account, sessionId }: Session,
  password: string,
  address: string,
): Promise<'proved' | 'wrong-password' | { waitSeconds: number }> {
  const checked = await signIn(account.username, password, address);
  if (checked === null) return 'wrong-password';
  if ('waitSeconds' in checked) return checked;
  await sql()`update sessions set proved_at = now() where company_id = ${account.companyId} and id = ${sessionId}`;
  return 'proved';
}
