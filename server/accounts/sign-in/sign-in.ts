import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from '#db/client.ts';
import type { Rows } from '#db/schema/rows.ts';
import { log } from '#platform/log/log.ts';
import { addressGroup } from '#platform/net/address-group.ts';
import {
  asSubject,
  busySeconds,
  countAttempt,
  failureWindowMinutes,
  forgetAttempt,
  forgetAttempts,
  isCurrent,
  maxFailures,
  maxFailuresPerAddress,
  maxFailuresPerName,
  maxNameDelaySeconds,
  minRejectionMs,
  nextAttempt,
  type Subject,
  secondsLeft,
} from '#server/accounts/sign-in/attempts.ts';
import { isKnownTo, type KnownBrowser } from '#server/accounts/sign-in/known-browser.ts';
import { type HashPlace, matchesPassword } from '#server/accounts/sign-in/passwords.ts';
import { blockNetwork, secondsBlocked } from '#server/accounts/sign-in/sign-in-limiter.ts';
import type { Account, AuthenticatedAccount } from '#server/principals.ts';

export type { AuthenticatedAccount } from '#server/principals.ts';

const maxUsernameLength = 300;
const maxPasswordLength = 1000;

/** Too many failed attempts: nothing was checked, and nothing will be for this time. */
export type SlowedDown = { waitSeconds: number };

/** Too many people sign in at this moment: nothing was checked. Try again after this time. */
export type Busy = { busySeconds: number };

type Found = AuthenticatedAccount & { passwordHash: Rows['accounts']['passwordHash']; isAllowed: boolean };

// The limits of one attempt, and its place in the queue. `takeBack` undoes `countAttempt`, `forget`
// removes the counts after a success, `countRefusal` counts every rejected attempt and
// `countFailure` a wrong password.
type Attempt = {
  place: HashPlace;
  countAttempt: () => Promise<number>;
  takeBack: () => Promise<unknown>;
  forget: () => Promise<unknown>;
  countRefusal: () => Promise<unknown>;
  countFailure: () => Promise<unknown>;
};

/**
 * Checks a username (in any case) and a password. `'wrong-password'` is the result for an unknown
 * name, a wrong password and an inactive employee; it takes at least 400 ms. Three limits apply,
 * also to unknown names: 10 failures in 15 minutes for one name from one address; 300 from one
 * address; after 20 for one name, a wait that grows to 60 s. In a browser that the account knows,
 * only 10 failures of this account in 15 minutes count.
 */
export async function authenticatePassword(
  username: string,
  password: string,
  address: string,
  browser: KnownBrowser | null = null,
): Promise<AuthenticatedAccount | 'wrong-password' | SlowedDown | Busy> {
  if (username.length > maxUsernameLength || password.length > maxPasswordLength) return 'wrong-password';
  const name = asStorable(username);
  return slowly(async () => {
    const found = await findAccount(name);
    const attempt =
      found && isKnownTo(found, browser)
        ? attemptOfBrowser(found, `browser\n${browser.id}\n${found.companyId}\n${found.accountId}`)
        : attemptOfStranger(name, addressGroup(address), found);
    return checkPassword(found, password, attempt, address);
  });
}

/**
 * Checks the password of a signed-in account again. Strangers neither delay it nor use up its
 * attempts: 10 failures in 15 minutes of this account from this address.
 */
export async function authenticateAgain(
  account: Account,
  password: string,
  address: string,
): Promise<AuthenticatedAccount | 'wrong-password' | SlowedDown> {
  const checked = await slowly(async () => {
    const found = await findAccount(account.username);
    const subject = `session\n${account.companyId}\n${account.accountId}\n${addressGroup(address)}`;
    return checkPassword(found, password, attemptOfBrowser(account, subject), address);
  });
  return checked !== 'wrong-password' && 'busySeconds' in checked ? { waitSeconds: checked.busySeconds } : checked;
}

// Makes every rejection take at least 400 ms.
async function slowly<Outcome>(check: () => Promise<Outcome>): Promise<Outcome> {
  const started = performance.now();
  const outcome = await check();
  const isRefused = typeof outcome !== 'object' || outcome === null || !('accountId' in outcome);
  if (isRefused) await sleep(Math.max(0, minRejectionMs - (performance.now() - started)));
  return outcome;
}

async function checkPassword(
  found: Found | null,
  password: string,
  { place, countAttempt, takeBack, forget, countRefusal, countFailure }: Attempt,
  address: string,
): Promise<AuthenticatedAccount | 'wrong-password' | SlowedDown | Busy> {
  const waitSeconds = await countAttempt();
  if (waitSeconds > 0) {
    await countRefusal();
    logSignIn('slowed-down', address);
    return { waitSeconds };
  }
  const matches = await matchesPassword(found?.passwordHash, password, place);
  if (matches === 'busy') {
    await takeBack();
    logSignIn('busy', address);
    return { busySeconds };
  }
  if (!matches || !found?.isAllowed) {
    await Promise.all([countRefusal(), countFailure()]);
    logSignIn('refused', address);
    return 'wrong-password';
  }
  await forget();
  logSignIn('signed-in', address, found.accountId);
  return { companyId: found.companyId, accountId: found.accountId, sessionVersion: found.sessionVersion };
}

// Without the name: people type their password there by mistake.
function logSignIn(
  outcome: 'signed-in' | 'refused' | 'slowed-down' | 'busy',
  address: string,
  accountId?: number,
): void {
  log().info({ outcome, address, accountId }, 'sign-in');
}

const asStorable = (text: string) => (text.isWellFormed() && !text.includes('\0') ? text : '');

async function findAccount(username: string): Promise<Found | null> {
  const [row] = await sql()<Found[]>`
    select a.company_id as "companyId", a.id as "accountId", a.session_version as "sessionVersion",
      a.password_hash as "passwordHash", a.is_owner or a.is_manager or coalesce(e.active, false) as "isAllowed"
    from accounts a left join employees e on e.company_id = a.company_id and e.account_id = a.id
    where lower(a.username) = lower(${username})`;
  return row ?? null;
}

function attemptOfBrowser({ companyId, accountId }: Pick<Account, 'companyId' | 'accountId'>, text: string): Attempt {
  return {
    place: { class: 'known', group: `${companyId}/${accountId}` },
    countAttempt: () => countAttempt(text, maxFailures),
    takeBack: () => forgetAttempt(asSubject(text)),
    forget: () => forgetAttempts(text),
    countRefusal: async () => {},
    countFailure: async () => {},
  };
}

// Names are folded by PostgreSQL's `lower`, as in the search for the account.
function attemptOfStranger(name: string, network: string, found: Found | null): Attempt {
  const folded = sql()`lower(${name})`;
  const pair = sql()`sha256(convert_to(${'pair\n'} || ${folded} || chr(10) || ${network}, 'UTF8'))`;
  const overall = sql()`sha256(convert_to(${'name\n'} || ${folded}, 'UTF8'))`;
  const [source, { companyId = null, accountId = null }] = [asSubject(network), found ?? {}];
  return {
    place: { class: 'strangers', group: network },
    countAttempt: async () => {
      const blocked = secondsBlocked(network) || (await findBlock(network));
      return blocked > 0 ? blocked : countStranger(pair, overall);
    },
    takeBack: async () => {
      await forgetAttempt(pair);
      await forgetAttempt(overall);
    },
    // The pair first, in the order of counting, so that two statements cannot deadlock.
    forget: () => sql()`
      with forgotten as (delete from sign_in_failures where subject = ${pair} returning 1),
        counted as (update sign_in_failures set failures = greatest(failures - 1, 0)
          where subject = ${overall} and (select count(*) from forgotten) >= 0 returning 1)
      delete from sign_in_guesses where company_id = ${companyId}::int and account_id = ${accountId}::int
        and source = ${source} and (select count(*) from counted) >= 0`,
    countRefusal: () => sql()`
      insert into sign_in_failures as f (subject, window_started_at, failures)
      values (${addressSubject(network)}, now(), 1)
      on conflict (subject) do update set ${nextAttempt()}`,
    countFailure: () => sql()`
      insert into sign_in_guesses as g (company_id, account_id, source)
      select ${companyId}::int, ${accountId}::int, ${source}::bytea where ${found !== null}
      on conflict (company_id, account_id, source) do update set
        failures = case when ${isGuessOver()} then 1 else g.failures + 1 end, last_at = now(),
        started_at = case when ${isGuessOver()} then now() else g.started_at end`,
  };
}

const isGuessOver = () => sql()`g.last_at < now() - interval '1 hour'`;

const addressSubject = (network: string) => asSubject(`address\n${network}`);

// The seconds that an address must wait because of its failures over all names, or 0.
async function findBlock(network: string): Promise<number> {
  const [row] = await sql()<{ seconds: number }[]>`
    select ${secondsLeft()} as seconds from sign_in_failures f
    where subject = ${addressSubject(network)} and failures >= ${maxFailuresPerAddress} and ${isCurrent()}`;
  if (!row) return 0;
  blockNetwork(network, row.seconds);
  return Math.max(1, row.seconds);
}

// Counts an attempt at a name: for its address, and then, unless that pair must wait, over all
// addresses. An attempt that comes too early does not count, so that a wait ends.
async function countStranger(pair: Subject, overall: Subject): Promise<number> {
  const delay = sql()`least(${maxNameDelaySeconds}, 2 ^ least(f.failures - ${maxFailuresPerName}, 10))`;
  const allowedAt = sql()`case when f.failures < ${maxFailuresPerName} then f.last_at
    else f.last_at + ${delay} * interval '1 second' end`;
  const isTooEarly = sql()`now() < ${allowedAt}`;
  const [row] = await sql()<
    (Pick<Rows['signInFailures'], 'failures'> & { seconds: number; nameSeconds: number | null })[]
  >`
    with pair as (
      insert into sign_in_failures as f (subject, window_started_at, failures) values (${pair}, now(), 1)
      on conflict (subject) do update set ${nextAttempt()}
      returning failures, ${secondsLeft()} as seconds
    ), overall as (
      insert into sign_in_failures as f (subject, window_started_at, failures)
      select ${overall}, now(), 1 from pair where failures <= ${maxFailures}
      on conflict (subject) do update set
        failures = case when f.last_at < now() - ${failureWindowMinutes} * interval '1 minute' then 1
          when f.failures >= ${maxFailuresPerName} and ${isTooEarly} then f.failures else f.failures + 1 end,
        last_at = case when f.failures >= ${maxFailuresPerName} and ${isTooEarly} then f.last_at else now() end
      -- A counted attempt has set last_at. One that began earlier may be counted later.
      returning case when last_at = now() then 0
        else greatest(1, ceil(extract(epoch from ${allowedAt} - now())))::int end as seconds
    )
    select failures, pair.seconds, overall.seconds as "nameSeconds" from pair left join overall on true`;
  if (!row) throw new Error('the attempt was not counted');
  if (row.failures > maxFailures) return Math.max(1, row.seconds);
  if (!row.nameSeconds) return 0;
  await forgetAttempt(pair);
  return row.nameSeconds;
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
  const text = `secret\n${name}\n${addressGroup(address)}`;
  const waitSeconds = await countAttempt(text, maxFailures);
  if (waitSeconds > 0) return { waitSeconds };
  if (!matches) return 'wrong';
  await forgetAttempts(text);
  return 'right';
}
