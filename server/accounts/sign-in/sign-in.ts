import { setTimeout as sleep } from 'node:timers/promises';
import { db, deleteRows, matches, requireRow } from '#db/client.ts';
import { eq, sql } from '#db/drizzle.cjs';
import { accounts, companies, employees, failedSignIns, sessions } from '#db/schema/tables.ts';
import { addressGroup } from '#platform/config/ip-address.ts';
import { log, logRepeats } from '#platform/log/log.ts';
import { isWayOf, maySignIn, versionColumns } from '#server/accounts/sessions/sessions.ts';
import { isKnownTo, type KnownBrowser } from '#server/accounts/sign-in/cookies.ts';
import {
  asSubject,
  type Counter,
  countUses,
  countWithWait,
  forgetUses,
  resetCounter,
  type SlowedDown,
} from '#server/accounts/sign-in/limits.ts';
import { type HashPlace, matchesPassword } from '#server/accounts/sign-in/passwords.ts';
import type { Account, AccountId, AuthenticatedAccount, OnlyProvider } from '#server/principals.ts';

/** The largest body of a request to `/api/auth/`, in bytes. */
export const maxSignInBodyBytes = 16 * 1024;

/**
 * How many sign-ins may fail within 15 minutes. `person`: of one name from one address, or of an account in a browser
 * that it knows, where only this holds; also set-up and recovery codes of an address. `address`: over all names; an
 * office of 500 has about 50 at 8:00. `name`: over all addresses; then each attempt makes the next one wait longer: 1,
 * 2, 4 … `maxWaitSeconds`. Where the account has a session, which may try `here`, the right password does not wait.
 */
export const signInLimits = { person: 10, address: 300, name: 20, maxWaitSeconds: 60, here: 5 };

/** Too many people sign in now: nothing was checked. */
export type Busy = { busySeconds: number };

export const busySeconds = 3;

type Found = NonNullable<Awaited<ReturnType<typeof findAccount>>['account']>;

/**
 * Checks a username (in any case) and a password, within `signInLimits`. `'wrong-password'`: also of an unknown name
 * and an inactive employee, after at least 400 ms. `OnlyProvider`: right, but the company allows one provider only.
 */
export async function authenticatePassword(
  username: string,
  password: string,
  address: string,
  browser: KnownBrowser | null = null,
): Promise<AuthenticatedAccount | 'wrong-password' | OnlyProvider | SlowedDown | Busy> {
  if (username.length > 300 || password.length > 1000) return 'wrong-password';
  const checked = await slowly(async () => {
    const { name, account } = await findAccount(username.isWellFormed() && !username.includes('\0') ? username : '');
    const attempt =
      account && isKnownTo(account, browser)
        ? attemptInBrowser(account, `browser\n${browser.id}`)
        : attemptInUnknownBrowser(name, addressGroup(address), account);
    return checkPassword(account, password, attempt, address);
  });
  if (checked === 'wrong-password' || !('accountId' in checked)) return checked;
  const { companyId, accountId, sessionVersion, isWay } = checked;
  const account = { companyId, accountId, sessionVersion };
  return isWay ? account : { onlyProviderOf: account };
}

/** Checks the password of an account again: 10 failures in 15 minutes from this address. Strangers do not delay it. */
export async function authenticateAgain(
  { companyId, accountId, username }: Account,
  password: string,
  address: string,
): Promise<'right' | 'provider-only' | 'wrong-password' | SlowedDown> {
  const checked = await slowly(async () => {
    const { account } = await findAccount(username);
    const attempt = attemptInBrowser({ companyId, accountId }, `session\n${addressGroup(address)}`);
    return checkPassword(account, password, attempt, address);
  });
  if (checked === 'wrong-password' || 'waitSeconds' in checked) return checked;
  if ('busySeconds' in checked) return { waitSeconds: checked.busySeconds };
  return checked.isWay ? 'right' : 'provider-only';
}

/** Counts an attempt at another secret. Ten wrong ones in 15 minutes slow an address down. */
export async function checkSecret(name: string, matches: boolean, address: string) {
  const counter = failures(`secret\n${name}\n${addressGroup(address)}`, signInLimits.person);
  const waitSeconds = await countUses([counter]);
  if (waitSeconds > 0 || !matches) logSignIn(waitSeconds > 0 ? 'slowed-down' : 'refused', address);
  if (waitSeconds > 0) return { waitSeconds };
  if (!matches) return 'wrong';
  await resetCounter(counter);
  return 'right';
}

// Makes every rejection take at least 400 ms.
async function slowly(check: () => Promise<Checked>): Promise<Checked> {
  const started = performance.now();
  const checked = await check();
  const isRight = checked !== 'wrong-password' && 'accountId' in checked;
  if (!isRight) await sleep(Math.max(0, 400 - (performance.now() - started)));
  return checked;
}

const failures = (text: string, most: number): Counter => ({ text, minutes: 15, most });

// What an attempt counts, and its place in the queue of hashes. `unknown` is of unknown browsers.
type Attempt = {
  place: HashPlace;
  person: Counter;
  unknown?: { network: string; address: Counter; name: Counter; here: Counter | null };
};

const attemptInBrowser = ({ companyId, accountId }: AccountId, text: string): Attempt => ({
  place: { class: 'known', group: `${companyId}/${accountId}` },
  person: failures(`${text}\n${companyId}\n${accountId}`, signInLimits.person),
});

function attemptInUnknownBrowser(name: string, network: string, account: Found | null): Attempt {
  const isHere = account?.addresses.some((address) => addressGroup(address) === network) ?? false;
  const here = `here\n${account?.companyId}\n${account?.accountId}\n${network}`;
  return {
    place: { class: isHere ? 'here' : 'unknown', group: network },
    person: failures(`pair\n${name}\n${network}`, signInLimits.person),
    unknown: {
      network,
      address: failures(`address\n${network}`, signInLimits.address),
      name: failures(`name\n${name}`, signInLimits.name),
      here: isHere ? failures(here, signInLimits.here) : null,
    },
  };
}

type Checked = Found | 'wrong-password' | SlowedDown | Busy;

// Counts the attempt before the check, so that parallel ones count too, and takes it back after a success.
async function checkPassword(
  account: Found | null,
  password: string,
  { place, person, unknown }: Attempt,
  address: string,
): Promise<Checked> {
  const counted = unknown ? [unknown.address, person] : [person];
  let waitSeconds = await countUses(counted);
  let isJudged = waitSeconds === 0;
  if (isJudged && unknown) {
    waitSeconds = await countWithWait(unknown.name, signInLimits.maxWaitSeconds);
    if (waitSeconds === 0) counted.push(unknown.name);
    else {
      await forgetUses(counted.splice(0));
      // A wrong password gets the answer of an attempt that was not judged, which tells nothing.
      isJudged = unknown.here !== null && (await countUses([unknown.here])) === 0;
    }
  }
  const matches = isJudged && (await matchesPassword(account?.passwordHash, password, place));
  if (matches === true && account?.isAllowed) {
    await forgetUses(counted.filter((counter) => counter !== person));
    await resetCounter(person);
    const { companyId, accountId } = account;
    if (unknown) await deleteRows(db(), failedSignIns, { companyId, accountId, source: asSubject(unknown.network) });
    logSignIn('signed-in', address, accountId);
    return account;
  }
  if (waitSeconds > 0) {
    logSignIn('slowed-down', address);
    return { waitSeconds };
  }
  if (matches === 'busy') {
    await forgetUses(counted);
    logSignIn('busy', address);
    return { busySeconds };
  }
  if (unknown && account) await recordFailure(account, unknown.network);
  logSignIn('refused', address);
  return 'wrong-password';
}

const { failures: failedCount, lastAt, startedAt } = failedSignIns;
const isHourOver = sql`${lastAt} < now() - interval '1 hour'`;

// Records a wrong password from an unknown browser, for the owners' alarm (`failed-sign-ins.ts`).
async function recordFailure({ companyId, accountId }: AccountId, network: string): Promise<void> {
  await db()
    .insert(failedSignIns)
    .values({ companyId, accountId, source: asSubject(network) })
    .onConflictDoUpdate({
      target: [failedSignIns.companyId, failedSignIns.accountId, failedSignIns.source],
      set: {
        failures: sql`case when ${isHourOver} then 1 else ${failedCount} + 1 end`,
        lastAt: sql`now()`,
        startedAt: sql`case when ${isHourOver} then now() else ${startedAt} end`,
      },
    });
}

// Without the name: people type their password there by mistake.
function logSignIn(outcome: 'signed-in' | 'refused' | 'slowed-down' | 'busy', address: string, accountId?: number) {
  // Limits bound the other outcomes.
  if (outcome === 'slowed-down' || outcome === 'busy') logRepeats('info', { outcome, address }, {}, 'sign-in');
  else log().info({ outcome, address, accountId }, 'sign-in');
}

// The account of a name, the addresses of its sessions, and the name as it is counted: in PostgreSQL's lower case.
async function findAccount(username: string) {
  const name = sql<string>`typed.name`;
  const account = {
    ...versionColumns,
    passwordHash: accounts.passwordHash,
    isAllowed: maySignIn,
    isWay: isWayOf(null),
    addresses: sql<string[]>`array(
      select distinct ${sessions.address} from ${sessions}
      where ${sessions.companyId} = ${accounts.companyId} and ${sessions.accountId} = ${accounts.id})`,
  };
  return requireRow(
    db()
      .select({ name, account })
      .from(sql`(select lower(${username}) as name) typed`)
      .leftJoin(accounts, sql`lower(${accounts.username}) = ${name}`)
      .leftJoin(companies, eq(companies.id, accounts.companyId))
      .leftJoin(employees, matches(employees, { companyId: accounts.companyId, accountId: accounts.id })),
  );
}
