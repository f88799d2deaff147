import { sql } from '#db/client.ts';
import type { Rows } from '#db/schema/rows.ts';
import { addressGroup } from '#platform/config/ip-address.ts';
import type { HashPlace } from '#server/accounts/sign-in/passwords.ts';
import { makeChallenge } from '#server/accounts/sign-in/proof-of-work.ts';
import type { AccountId, AccountVersion } from '#server/principals.ts';

/** The largest body of a request to `/api/auth/`, in bytes. */
export const maxSignInBodyBytes = 16 * 1024;

/**
 * All limits of guesses but the fourth, the queue of password hashes (`passwords.ts`). The queue of
 * pages, the size of a body and the 400 ms of a refusal count no guesses; `sign_in_guesses` counts
 * for the owners' alarm only. A known browser passes `address` and `name`; a proof of work, and the
 * right password from an address of the account's sessions, pass `name`.
 * - `person`: wrong passwords of one name from one address, or of an account in a browser that it
 *   knows; wrong set-up codes from one address. `proven`: those that are judged with a proof of
 *   work, or from an address of the account's sessions, while `name` holds.
 * - `address`: failures of one address over all names. An office of 500 has about 50 at 8:00.
 * - `name`: failures of one name over all addresses. After that, each attempt makes the next one
 *   wait longer: 1, 2, 4 … seconds.
 */
export const guessLimits = {
  person: { failures: 10, proven: 5, minutes: 15 },
  address: { failures: 300 },
  name: { failures: 20, maxDelaySeconds: 60 },
};

/**
 * Too many failed attempts: nothing was checked, and nothing will be for this time. `challenge`: the
 * failures are those of strangers, and an attempt with the proof (`puzzle.ts`) need not wait.
 */
export type SlowedDown = { waitSeconds: number; challenge?: string };

/** What attempts have in common, as a hash. The first line of `text` names the kind. */
export const asSubject = (text: string) => sql()`sha256(convert_to(${text}, 'UTF8'))`;

// An SQL value of type `bytea` for `sign_in_failures.subject`.
type Subject = ReturnType<typeof asSubject>;

const windowLength = `${guessLimits.person.minutes} minutes`;

// Whether the row `f` of `sign_in_failures` is in a window that is not over.
const isCurrent = () => sql()`f.window_started_at > now() - ${windowLength}::interval`;

// The seconds until the window of the row `f` is over.
const secondsLeft = () => sql()`ceil(extract(epoch from f.window_started_at + ${windowLength}::interval - now()))::int`;

// Sets the row `f` to one more attempt in its window, or to the first of a new one.
const nextAttempt = () => sql()`
  failures = case when ${isCurrent()} then f.failures + 1 else 1 end, last_at = now(),
  window_started_at = case when ${isCurrent()} then f.window_started_at else now() end`;

/**
 * Counts an attempt before it is made, so that parallel attempts count too. Returns 0 for the first
 * `limit` attempts in 15 minutes, then the seconds to wait.
 */
export async function countAttempt(text: string, limit: number): Promise<number> {
  const [row] = await sql()<(Pick<Rows['signInFailures'], 'failures'> & { seconds: number })[]>`
    insert into sign_in_failures as f (subject, window_started_at, failures) values (${asSubject(text)}, now(), 1)
    on conflict (subject) do update set ${nextAttempt()}
    returning failures, ${secondsLeft()} as seconds`;
  if (!row) throw new Error('the attempt was not counted');
  return row.failures > limit ? Math.max(1, row.seconds) : 0;
}

export async function forgetAttempt(subject: Subject): Promise<void> {
  await sql()`update sign_in_failures set failures = greatest(failures - 1, 0) where subject = ${subject}`;
}

export async function forgetAttempts(text: string): Promise<void> {
  await sql()`delete from sign_in_failures where subject = ${asSubject(text)}`;
}

/** An account with what is needed to judge a sign-in; `addresses` are those of its sessions. */
export type Found = AccountVersion & {
  passwordHash: Rows['accounts']['passwordHash'];
  isAllowed: boolean;
  addresses: Rows['sessions']['address'][];
};

/**
 * The limits of one attempt, and its place in the queue. `isJudged` says whether an attempt that
 * must wait is judged nevertheless, in secret. `takeBack` undoes `countAttempt`, `forget` removes
 * the counts after a success, `countRefusal` counts every rejected attempt and `countFailure` a
 * wrong password.
 */
export type Attempt = {
  place: HashPlace;
  countAttempt: () => Promise<SlowedDown | null>;
  isJudged?: () => Promise<boolean>;
  challenge?: string;
  takeBack: () => Promise<unknown>;
  forget: () => Promise<unknown>;
  countRefusal: () => Promise<unknown>;
  countFailure: () => Promise<unknown>;
};

/** The limits of a signed-in person or a known browser: its own failures, counted by `text`. */
export function attemptOfBrowser({ companyId, accountId }: AccountId, text: string): Attempt {
  return {
    place: { class: 'known', group: `${companyId}/${accountId}` },
    countAttempt: async () => asSlowedDown(await countAttempt(text, guessLimits.person.failures)),
    takeBack: () => forgetAttempt(asSubject(text)),
    forget: () => forgetAttempts(text),
    countRefusal: async () => {},
    countFailure: async () => {},
  };
}

const asSlowedDown = (waitSeconds: number): SlowedDown | null => (waitSeconds > 0 ? { waitSeconds } : null);

/**
 * The limits of an unknown browser, also for a name without an account. Names are folded by
 * PostgreSQL's `lower`, as in the search for the account.
 */
export function attemptOfStranger(name: string, network: string, found: Found | null, isProven: boolean): Attempt {
  const folded = sql()`lower(${name})`;
  const pair = sql()`sha256(convert_to(${'pair\n'} || ${folded} || chr(10) || ${network}, 'UTF8'))`;
  const overall = sql()`sha256(convert_to(${'name\n'} || ${folded}, 'UTF8'))`;
  const [source, { companyId = null, accountId = null }] = [asSubject(network), found ?? {}];
  const isHere = found?.addresses.some((address) => addressGroup(address) === network) ?? false;
  return {
    place: { class: isProven || isHere ? 'proven' : 'strangers', group: network },
    challenge: makeChallenge(name, 0),
    countAttempt: async () => {
      const blocked = await findBlock(network);
      return asSlowedDown(blocked) ?? countStranger(name, pair, overall, isProven);
    },
    // A wrong password gets the answer of an attempt that was not judged, which tells nothing about
    // the account.
    isJudged: async () =>
      isHere && (await countAttempt(`here\n${companyId}\n${accountId}\n${network}`, guessLimits.person.proven)) === 0,
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
    where subject = ${addressSubject(network)} and failures >= ${guessLimits.address.failures} and ${isCurrent()}`;
  return row ? Math.max(1, row.seconds) : 0;
}

// Counts an attempt at a name: for its address, and then, unless that pair must wait, over all
// addresses. An attempt that comes too early does not count, so that a wait ends; with a proof none
// is too early.
async function countStranger(
  name: string,
  pair: Subject,
  overall: Subject,
  isProven: boolean,
): Promise<SlowedDown | null> {
  const delay = sql()`least(${guessLimits.name.maxDelaySeconds}, 2 ^ least(f.failures - ${guessLimits.name.failures}, 10))`;
  const allowedAt = sql()`case when f.failures < ${guessLimits.name.failures} then f.last_at
    else f.last_at + ${delay} * interval '1 second' end`;
  const isTooEarly = sql()`(not ${isProven} and f.failures >= ${guessLimits.name.failures} and now() < ${allowedAt})`;
  const limit = isProven ? guessLimits.person.proven : guessLimits.person.failures;
  const [row] = await sql()<
    (Pick<Rows['signInFailures'], 'failures'> & { seconds: number; nameSeconds: number; nameFailures: number })[]
  >`
    with pair as (
      insert into sign_in_failures as f (subject, window_started_at, failures) values (${pair}, now(), 1)
      on conflict (subject) do update set ${nextAttempt()}
      returning failures, ${secondsLeft()} as seconds
    ), overall as (
      insert into sign_in_failures as f (subject, window_started_at, failures)
      select ${overall}, now(), 1 from pair where failures <= ${limit}
      on conflict (subject) do update set
        failures = case when f.last_at < now() - ${windowLength}::interval then 1
          when ${isTooEarly} then f.failures else f.failures + 1 end,
        last_at = case when ${isTooEarly} then f.last_at else now() end
      -- A counted attempt has set last_at. One that began earlier may be counted later.
      returning failures, case when last_at = now() then 0
        else greatest(1, ceil(extract(epoch from ${allowedAt} - now())))::int end as seconds
    )
    select pair.failures, pair.seconds, coalesce(overall.seconds, 0) as "nameSeconds",
      coalesce(overall.failures, 0) as "nameFailures" from pair left join overall on true`;
  if (!row) throw new Error('the attempt was not counted');
  if (row.failures > limit) return { waitSeconds: Math.max(1, row.seconds) };
  if (row.nameSeconds === 0) return null;
  await forgetAttempt(pair);
  const challenge =
    row.failures > guessLimits.person.proven
      ? undefined
      : makeChallenge(name, row.nameFailures - guessLimits.name.failures);
  return { waitSeconds: row.nameSeconds, challenge };
}
