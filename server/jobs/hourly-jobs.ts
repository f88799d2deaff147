import { sql } from '#db/client.ts';
import { forgetOldExports } from '#server/exports/exports.ts';
import { sweepTable } from '#server/jobs/batches.ts';
import { forgetTooOld } from '#server/jobs/expired-rows.ts';
import { log } from '#server/log.ts';

const everyMs = 60 * 60 * 1000;

/**
 * Forgets what was only kept for a while: idempotent answers of over 24 hours, old failures and traffic, dead
 * invitations and sessions, lists of employees of over 7 days, browsers not seen for 90 days, devices of sessions that have ended,
 * copies of over 24 hours, and what companies keep for a time of their own. In small steps, so that no call waits for it.
 */
export async function deleteExpired(): Promise<void> {
  for (const step of steps)
    await step().catch((error: unknown) => log().warn({ err: error }, 'a step of housekeeping failed'));
}

// Each for itself: one that fails keeps none of the others from being done.
const steps: (() => Promise<unknown>)[] = [
  () => sweepTable('idempotency', () => sql()`old.created_at < now() - interval '25 hours'`),
  () => sweepTable('sign_in_failures', () => sql()`old.window_started_at < now() - interval '1 hour'`),
  () => sweepTable('invitations', () => sql()`old.expires_at < now() - interval '30 days'`),
  () => sweepTable('key_traffic', () => sql()`old.hour < now() - interval '2 days'`),
  () => sweepTable('imports', () => sql()`old.created_at < now() - interval '7 days'`),
  () => sweepTable('sessions', () => sql()`old.expires_at < now()`),
  () => sweepTable('portals', () => sql()`old.seen_at < now() - interval '90 days'`),
  () =>
    sweepTable(
      'push_subscriptions',
      () => sql()`not exists (
        select from employees e join accounts a on a.company_id = e.company_id and a.id = e.account_id
        where e.company_id = old.company_id and e.id = old.employee_id and a.session_version = old.session_version)`,
    ),
  forgetOldExports,
  forgetTooOld,
];

/** Keeps house every hour until the process ends; a failure is logged and tried again. */
export function startHourlyJobs(): void {
  setInterval(() => {
    deleteExpired().catch((error: unknown) => log().warn({ err: error }, 'housekeeping failed'));
  }, everyMs).unref();
}
