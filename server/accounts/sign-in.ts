import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from '#db/client.ts';
import { matchesPassword } from '#server/accounts/passwords.ts';
import { log } from '#server/log.ts';

const maxFailures = 10;
const failureWindowMinutes = 15;
const minRefusalMs = 400;
const maxUsernameLength = 300;
const maxPasswordLength = 1000;

/** An account whose password was checked, at the version of its sessions that was valid then. */
export type AuthenticatedAccount = { companyId: number; accountId: number; sessionVersion: number };

/** Too many failed attempts: nothing was checked, and nothing will be for this time. */
export type SlowedDown = { waitSeconds: number };

/**
 * Checks a username (in any case) and a password. `'wrong-password'` stands for every refusal:
 * unknown name, wrong password, inactive employee. A refusal takes at least 400 ms, whatever its
 * reason. After 10 failures in 15 minutes for one name from one address, that pair is slowed down;
 * other names and other addresses are not.
 */
export async function authenticatePassword(
  username: string,
  password: string,
  address: string,
): Promise<AuthenticatedAccount | 'wrong-password' | SlowedDown> {
  if (username.length > maxUsernameLength || password.length > maxPasswordLength) return 'wrong-password';
  const started = performance.now();
  const name = asStorable(username);
  const attempt = await countAttempt(name, address);
  if (attempt.waitSeconds > 0) {
    logSignIn('slowed-down', address);
    return { waitSeconds: attempt.waitSeconds };
  }
  const account = await findAccountByPassword(name, password);
  logSignIn(account ? 'signed-in' : 'refused', address, account?.accountId);
  if (account) {
    await forgetAttempts(attempt.subject);
    return account;
  }
  await sleep(Math.max(0, minRefusalMs - (performance.now() - started)));
  return 'wrong-password';
}

// Without the name: people type their password there by mistake.
function logSignIn(outcome: 'signed-in' | 'refused' | 'slowed-down', address: string, accountId?: number): void {
  log().info({ outcome, address, accountId }, 'sign-in');
}

const asStorable = (text: string) => (text.isWellFormed() && !text.includes('\0') ? text : '');

async function findAccountByPassword(username: string, password: string): Promise<AuthenticatedAccount | null> {
  const [row] = await sql()<(AuthenticatedAccount & { passwordHash: string; isAllowed: boolean })[]>`
    select a.company_id as "companyId", a.id as "accountId", a.session_version as "sessionVersion",
      a.password_hash as "passwordHash", a.is_owner or coalesce(e.active, false) as "isAllowed"
    from accounts a left join employees e on e.company_id = a.company_id and e.account_id = a.id
    where lower(a.username) = lower(${username})`;
  const matches = await matchesPassword(row?.passwordHash, password);
  if (!row?.isAllowed || !matches) return null;
  return { companyId: row.companyId, accountId: row.accountId, sessionVersion: row.sessionVersion };
}

/**
 * Counts an attempt before it is checked, so that parallel guesses are counted too. The name is
 * folded by PostgreSQL's `lower`, as in the search for the account. Returns the seconds to wait, or
 * 0.
 */
async function countAttempt(name: string, address: string): Promise<{ subject: Buffer; waitSeconds: number }> {
  const windowLength = sql()`${failureWindowMinutes} * interval '1 minute'`;
  const [row] = await sql()<{ subject: Buffer; failures: number; secondsLeft: number }[]>`
    insert into sign_in_failures as f (subject, window_started_at, failures)
    values (sha256(convert_to(lower(${name}) || chr(10) || ${address}, 'UTF8')), now(), 1)
    on conflict (subject) do update set
      failures = case when f.window_started_at > now() - ${windowLength} then f.failures + 1 else 1 end,
      window_started_at =
        case when f.window_started_at > now() - ${windowLength} then f.window_started_at else now() end
    returning subject, failures,
      ceil(extract(epoch from window_started_at + ${windowLength} - now()))::int as "secondsLeft"`;
  if (!row) throw new Error('the attempt was not counted');
  return { subject: row.subject, waitSeconds: row.failures > maxFailures ? Math.max(1, row.secondsLeft) : 0 };
}

async function forgetAttempts(subject: Buffer): Promise<void> {
  await sql()`delete from sign_in_failures where subject = ${subject}`;
}

/**
 * Counts an attempt at a secret that is not a password (the set-up code), under the same rule:
 * after 10 wrong attempts in 15 minutes from one address, that address is slowed down. `matches` is
 * the result of the caller's own comparison.
 */
export async function checkSecret(
  name: string,
  matches: boolean,
  address: string,
): Promise<'right' | 'wrong' | SlowedDown> {
  const { subject, waitSeconds } = await countAttempt(name, address);
  if (waitSeconds > 0) return { waitSeconds };
  if (!matches) return 'wrong';
  await forgetAttempts(subject);
  return 'right';
}
