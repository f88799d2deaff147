import { sql } from '#db/client.ts';
import type { Rows } from '#db/schema/rows.ts';
import { addressGroup } from '#platform/net/address-group.ts';

/** The largest body of a request to `/api/auth/`, in bytes. */
export const maxSignInBodyBytes = 16 * 1024;

/** A rejected sign-in takes at least this long, in milliseconds, whatever the reason. */
export const minRejectionMs = 400;

/** Failures of one name from one address, or of one known browser, before it must wait. */
export const maxFailures = 10;

/** How long failures are counted together, in minutes. */
export const failureWindowMinutes = 15;

/**
 * Failures from one address over all names. An office of 500 people has about 50 at 8 o'clock: one
 * in twenty mistypes, some of them twice.
 */
export const maxFailuresPerAddress = 300;

/**
 * Failures of one name over all addresses, with less than a window between them. After that, each
 * attempt makes the next one wait longer: 1, 2, 4 … seconds.
 */
export const maxFailuresPerName = 20;

/** The longest wait between two attempts at one name, in seconds. */
export const maxNameDelaySeconds = 60;

/** When to try again after the service was too busy to check a password, in seconds. */
export const busySeconds = 3;

/** Attempts an hour to create a company (per address) or to choose a username (per invitation). */
const maxNamesPerHour = 10;

/** New companies from one address an hour, where everyone may sign up. */
const maxCompaniesPerHour = 3;

/**
 * Requests to join from one address an hour. All people of a warehouse scan one poster, and their
 * phones share the address of its network.
 */
export const maxJoinsPerAddressHour = 60;

/** Requests to join with one link an hour, from all addresses. */
export const maxJoinsPerLinkHour = 120;

/** What attempts have in common, as a hash. The first line of `text` names the kind. */
export const asSubject = (text: string) => sql()`sha256(convert_to(${text}, 'UTF8'))`;

/** An SQL value of type `bytea` for `sign_in_failures.subject`. */
export type Subject = ReturnType<typeof asSubject>;

const lengthOf = (minutes: number) => sql()`${minutes} * interval '1 minute'`;

/** Whether the row `f` of `sign_in_failures` is in a window that is not over. */
export const isCurrent = (minutes = failureWindowMinutes) => sql()`f.window_started_at > now() - ${lengthOf(minutes)}`;

/** The seconds until the window of the row `f` is over. */
export const secondsLeft = (minutes = failureWindowMinutes) =>
  sql()`ceil(extract(epoch from f.window_started_at + ${lengthOf(minutes)} - now()))::int`;

/** Sets the row `f` to one more attempt in its window, or to the first of a new one. */
export const nextAttempt = (minutes = failureWindowMinutes) => sql()`
  failures = case when ${isCurrent(minutes)} then f.failures + 1 else 1 end, last_at = now(),
  window_started_at = case when ${isCurrent(minutes)} then f.window_started_at else now() end`;

/**
 * Counts an attempt before it is made, so that parallel attempts count too. Returns 0 for the first
 * `limit` attempts in `minutes` (at most 60), then the seconds to wait.
 */
export async function countAttempt(text: string, limit: number, minutes = failureWindowMinutes): Promise<number> {
  const [row] = await sql()<(Pick<Rows['signInFailures'], 'failures'> & { seconds: number })[]>`
    insert into sign_in_failures as f (subject, window_started_at, failures) values (${asSubject(text)}, now(), 1)
    on conflict (subject) do update set ${nextAttempt(minutes)}
    returning failures, ${secondsLeft(minutes)} as seconds`;
  if (!row) throw new Error('the attempt was not counted');
  return row.failures > limit ? Math.max(1, row.seconds) : 0;
}

/** Takes one counted attempt back. */
export async function forgetAttempt(subject: Subject): Promise<void> {
  await sql()`update sign_in_failures set failures = greatest(failures - 1, 0) where subject = ${subject}`;
}

/** Takes back all attempts that `countAttempt` counted. */
export async function forgetAttempts(text: string): Promise<void> {
  await sql()`delete from sign_in_failures where subject = ${asSubject(text)}`;
}

const hour = 60;
const companies = (address: string) => `companies\n${addressGroup(address)}`;

/**
 * Counts an attempt to create a company from an address. Allows ten attempts and three new
 * companies an hour. Returns the seconds to wait, or 0. Call `returnSignUp` when none was created.
 */
export async function countSignUp(address: string): Promise<number> {
  const seconds = await countAttempt(`names\n${addressGroup(address)}`, maxNamesPerHour, hour);
  return seconds || countAttempt(companies(address), maxCompaniesPerHour, hour);
}

/** Takes back a company that was counted and not created. The attempt stays counted. */
export function returnSignUp(address: string): Promise<void> {
  return forgetAttempt(asSubject(companies(address)));
}

/**
 * Counts an attempt to choose a username with an invitation: ten an hour for one invitation.
 * Returns the seconds to wait, or 0.
 */
export function countNameChoice(token: string): Promise<number> {
  return countAttempt(`invitation\n${token}`, maxNamesPerHour, hour);
}

/**
 * Counts a request to join with a link, from an address. Allows 60 requests an hour from one
 * address, and 120 with one link. Returns the seconds to wait, or 0.
 */
export async function countJoinRequest(link: { companyId: number; linkId: number }, address: string): Promise<number> {
  const seconds = await countAttempt(`join\n${addressGroup(address)}`, maxJoinsPerAddressHour, hour);
  return seconds || countAttempt(`join link\n${link.companyId}\n${link.linkId}`, maxJoinsPerLinkHour, hour);
}
