import { hash, verify } from '@node-rs/argon2';
import { and, eq, sql as expression } from 'drizzle-orm';
import { type Database, db, sql } from '#db/client.ts';
import { announceAccessChange } from '#db/company-row.ts';
import { accounts, sessions } from '#db/schema.ts';
import { recordAudit } from '#server/audit/record.ts';
import { log } from '#server/log.ts';
import type { Account } from '#server/principals.ts';
import { makeGroupQueue } from '#server/queue.ts';

/** Failed sign-ins of one account from one address before it is slowed down, and for how long they count. */
const failuresAllowed = 10;
const failureWindowMinutes = 15;
const answerAfterMs = 400;

// One hash takes a core for about 20 ms. Without a queue a flood of sign-ins would slow the interface down.
const hashQueue = makeGroupQueue<'argon2'>(2, 10_000);

/** argon2id with the library's defaults (19 MiB, 2 passes: the figures OWASP recommends). */
export function hashPassword(password: string): Promise<string> {
  return hashQueue('argon2', () => hash(password));
}

const nobodysHash = hashPassword(crypto.randomUUID());

/** Who signed in, or that the pair of account and address must wait. */
export type SignIn = { companyId: number; accountId: number; sessionVersion: number };

/**
 * Checks a username (in any case) and password. Every refusal takes the same time and has one answer, `null`:
 * unknown name, wrong password, inactive employee. After 10 failures in 15 minutes for one name from one
 * address, that pair gets `{ waitSeconds }` and nothing is checked; other people and addresses do not notice.
 */
export async function signIn(
  username: string,
  password: string,
  address: string,
): Promise<SignIn | { waitSeconds: number } | null> {
  const started = performance.now();
  const name = asStorable(username);
  const attempt = await reserveAttempt(name, address);
  if (attempt.waitSeconds > 0) {
    noteSignIn('slowed-down', address);
    return { waitSeconds: attempt.waitSeconds };
  }
  const account = await verifyPassword(name, password);
  noteSignIn(account ? 'signed-in' : 'refused', address, account);
  if (account) {
    await sql()`delete from sign_in_failures where subject = ${attempt.subject}`;
    return account;
  }
  await new Promise((resolve) => setTimeout(resolve, Math.max(0, answerAfterMs - (performance.now() - started))));
  return null;
}

// Never with the name: people type their password there by mistake.
function noteSignIn(outcome: 'signed-in' | 'refused' | 'slowed-down', address: string, account?: SignIn | null): void {
  log().info({ outcome, address, accountId: account?.accountId }, 'sign-in');
}

const asStorable = (text: string) => (text.isWellFormed() && !text.includes('\0') ? text : '');

async function verifyPassword(username: string, password: string): Promise<SignIn | null> {
  const [account] = await sql()<(SignIn & { passwordHash: string; allowed: boolean })[]>`
    select a.company_id as "companyId", a.id as "accountId", a.session_version as "sessionVersion",
      a.password_hash as "passwordHash", a.is_owner or coalesce(e.active, false) as allowed
    from accounts a left join employees e on e.company_id = a.company_id and e.account_id = a.id
    where lower(a.username) = lower(${username})`;
  const known = account?.passwordHash ?? (await nobodysHash);
  const matches = await hashQueue('argon2', () => verify(known, password));
  if (!account?.allowed || !matches) return null;
  return { companyId: account.companyId, accountId: account.accountId, sessionVersion: account.sessionVersion };
}

/**
 * Counts an attempt before it is checked, so that parallel guesses cannot slip past, and says how long to wait
 * when there were too many. The name is folded by the same `lower` that looks accounts up.
 */
async function reserveAttempt(name: string, address: string): Promise<{ subject: Buffer; waitSeconds: number }> {
  const [row] = await sql()<{ subject: Buffer; failures: number; seconds: number }[]>`
    insert into sign_in_failures as f (subject, window_started_at, failures)
    values (sha256(convert_to(lower(${name}) || chr(10) || ${address}, 'UTF8')), now(), 1)
    on conflict (subject) do update set
      failures = case when f.window_started_at > now() - ${failureWindowMinutes} * interval '1 minute' then f.failures + 1 else 1 end,
      window_started_at = case when f.window_started_at > now() - ${failureWindowMinutes} * interval '1 minute'
        then f.window_started_at else now() end
    returning subject, failures,
      ceil(extract(epoch from window_started_at + ${failureWindowMinutes} * interval '1 minute' - now()))::int as seconds`;
  if (!row) throw new Error('the attempt was not counted');
  return { subject: row.subject, waitSeconds: row.failures > failuresAllowed ? Math.max(1, row.seconds) : 0 };
}

/**
 * Tries a secret that is not a password (the set-up code) under the same rule: 10 wrong ones in 15 minutes
 * from one address, and it must wait.
 */
export async function checkSecret(
  name: string,
  matches: boolean,
  address: string,
): Promise<'right' | 'wrong' | { waitSeconds: number }> {
  const { subject, waitSeconds } = await reserveAttempt(name, address);
  if (waitSeconds > 0) return { waitSeconds };
  if (!matches) return 'wrong';
  await sql()`delete from sign_in_failures where subject = ${subject}`;
  return 'right';
}

/**
 * Changes the password of the signed-in account and ends all its sessions; the caller renews the one at hand
 * with the returned version. A wrong current password counts as a failed sign-in.
 */
export async function changePassword(
  account: Account,
  current: string,
  next: string,
  address: string,
): Promise<{ sessionVersion: number } | 'wrong-password' | { waitSeconds: number }> {
  const checked = await signIn(account.username, current, address);
  if (checked === null) return 'wrong-password';
  if ('waitSeconds' in checked) return checked;
  const passwordHash = await hashPassword(next);
  return db().transaction(async (transaction) => {
    await announceAccessChange(transaction, account);
    const [changed] = await transaction
      .update(accounts)
      .set({ passwordHash, sessionVersion: expression`${accounts.sessionVersion} + 1` })
      .where(and(eq(accounts.companyId, account.companyId), eq(accounts.id, account.accountId)))
      .returning({ sessionVersion: accounts.sessionVersion });
    if (!changed) throw new Error('the account is gone');
    await endAllSessions(transaction, account);
    await recordAudit(transaction, account, 'password.change', {});
    return changed;
  });
}

/** Ends every session of an account, as part of what made them end. */
export async function endAllSessions(
  database: Database,
  { companyId, accountId }: { companyId: number; accountId: number },
): Promise<void> {
  await database.delete(sessions).where(and(eq(sessions.companyId, companyId), eq(sessions.accountId, accountId)));
}

/** Keeps the language a person chose. */
export async function chooseLanguage(account: Account, language: 'id' | 'en'): Promise<void> {
  await db()
    .update(accounts)
    .set({ language })
    .where(and(eq(accounts.companyId, account.companyId), eq(accounts.id, account.accountId)));
}
