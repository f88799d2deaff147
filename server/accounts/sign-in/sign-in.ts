import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from '#db/client.ts';
import { addressGroup } from '#platform/config/ip-address.ts';
import { log, logRepeats } from '#platform/log/log.ts';
import {
  type Attempt,
  attemptOfBrowser,
  attemptOfStranger,
  countAttempt,
  type Found,
  forgetAttempts,
  guessLimits,
  type SlowedDown,
} from '#server/accounts/sign-in/attempts.ts';
import { isKnownTo, type KnownBrowser } from '#server/accounts/sign-in/known-browser.ts';
import { matchesPassword } from '#server/accounts/sign-in/passwords.ts';
import { findSolvedChallenge, makeChallenge } from '#server/accounts/sign-in/proof-of-work.ts';
import type { Account, AuthenticatedAccount } from '#server/principals.ts';

const maxUsernameLength = 300;
const maxPasswordLength = 1000;

// A rejected sign-in takes at least this long, whatever the reason.
const minRejectionMs = 400;

/** When to try again after the service was too busy to check a password. */
export const busySeconds = 3;

/** Too many people sign in at this moment: nothing was checked. Try again after this time. */
export type Busy = { busySeconds: number; challenge?: string };

/**
 * Checks a username (in any case) and a password. `'wrong-password'` is the result for an unknown
 * name, a wrong password and an inactive employee; it takes at least 400 ms.
 * The `guessLimits` hold for unknown names too. That of the name does not hold with the `proof` of a
 * challenge, nor for the right password from an address where the account has a session. In a
 * browser that the account knows, only that of the person holds.
 */
export async function authenticatePassword(
  username: string,
  password: string,
  address: string,
  browser: KnownBrowser | null = null,
  proof = '',
): Promise<AuthenticatedAccount | 'wrong-password' | SlowedDown | Busy> {
  if (username.length > maxUsernameLength || password.length > maxPasswordLength) return 'wrong-password';
  const name = username.isWellFormed() && !username.includes('\0') ? username : '';
  return slowly(async () => {
    const found = await findAccount(name);
    if (found && isKnownTo(found, browser)) {
      const subject = `browser\n${browser.id}\n${found.companyId}\n${found.accountId}`;
      return checkPassword(found, password, attemptOfBrowser(found, subject), address);
    }
    const network = addressGroup(address);
    const solved = proof && (await findSolvedChallenge(proof, name, { class: 'proven', group: network }));
    if (solved === 'busy') return { busySeconds, challenge: makeChallenge(name, 0) };
    // A proof counts once.
    const isProven = Boolean(solved) && (await countAttempt(`proof\n${solved}`, 1)) === 0;
    return checkPassword(found, password, attemptOfStranger(name, network, found, isProven), address);
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
  { place, countAttempt, isJudged, challenge, takeBack, forget, countRefusal, countFailure }: Attempt,
  address: string,
): Promise<AuthenticatedAccount | 'wrong-password' | SlowedDown | Busy> {
  const slowedDown = await countAttempt();
  const matches =
    slowedDown && !(slowedDown.challenge && (await isJudged?.()))
      ? false
      : await matchesPassword(found?.passwordHash, password, place);
  if (slowedDown && !(matches === true && found?.isAllowed)) {
    await countRefusal();
    logSignIn('slowed-down', address);
    return slowedDown;
  }
  if (matches === 'busy') {
    await takeBack();
    logSignIn('busy', address);
    return { busySeconds, challenge };
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
  // Limits bound the other outcomes.
  if (outcome === 'slowed-down' || outcome === 'busy') logRepeats('info', { outcome, address }, {}, 'sign-in');
  else log().info({ outcome, address, accountId }, 'sign-in');
}

async function findAccount(username: string): Promise<Found | null> {
  const [row] = await sql()<Found[]>`
    select a.company_id as "companyId", a.id as "accountId", a.session_version as "sessionVersion",
      a.password_hash as "passwordHash", a.is_owner or a.is_manager or coalesce(e.active, false) as "isAllowed",
      array(select distinct address from sessions s
        where s.company_id = a.company_id and s.account_id = a.id) as addresses
    from accounts a left join employees e on e.company_id = a.company_id and e.account_id = a.id
    where lower(a.username) = lower(${username})`;
  return row ?? null;
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
  const waitSeconds = await countAttempt(text, guessLimits.person.failures);
  if (waitSeconds > 0) return { waitSeconds };
  if (!matches) return 'wrong';
  await forgetAttempts(text);
  return 'right';
}
