import { sql } from '#db/client.ts';
import { forgetOldExports } from '#server/exports.ts';
import { forgetTooOld } from '#server/forgetting.ts';
import { log } from '#server/log.ts';

const everyMs = 60 * 60 * 1000;

/**
 * Forgets what was only kept for a while: idempotent answers of over 24 hours, old failures and traffic, dead
 * invitations and sessions, lists of employees of over 7 days, browsers not seen for 90 days, devices of sessions that have ended,
 * copies of over 24 hours, and what companies keep for a time of their own.
 */
export async function forgetExpired(): Promise<void> {
  for (const step of steps)
    await step().catch((error: unknown) => log().warn({ err: error }, 'a step of housekeeping failed'));
}

// Each for itself: one that fails keeps none of the others from being done.
const steps: (() => Promise<unknown>)[] = [
  () => sql()`delete from idempotency where created_at < now() - interval '25 hours'`,
  () => sql()`delete from sign_in_failures where window_started_at < now() - interval '1 hour'`,
  () => sql()`delete from invitations where expires_at < now() - interval '30 days'`,
  () => sql()`delete from key_traffic where hour < now() - interval '2 days'`,
  () => sql()`delete from imports where created_at < now() - interval '7 days'`,
  () => sql()`delete from sessions where expires_at < now()`,
  () => sql()`delete from portals where seen_at < now() - interval '90 days'`,
  () => sql()`delete from push_subscriptions s using employees e
    where e.company_id = s.company_id and e.id = s.employee_id and not exists (
      select from accounts a
      where a.company_id = e.company_id and a.id = e.account_id and a.session_version = s.session_version)`,
  forgetOldExports,
  forgetTooOld,
];

/** Keeps house every hour until the process ends; a failure is logged and tried again. */
export function keepHouse(): void {
  setInterval(() => {
    forgetExpired().catch((error: unknown) => log().warn({ err: error }, 'housekeeping failed'));
  }, everyMs).unref();
}
