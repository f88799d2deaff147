import { sql } from '#db/client.ts';
import { deleteOldExports } from '#server/exports/exports.ts';
import { sweepTable } from '#server/jobs/batches.ts';
import { deleteExpiredRows } from '#server/jobs/expired-rows.ts';
import { log } from '#server/log.ts';

const intervalMs = 60 * 60 * 1000;

const jobs: (() => Promise<unknown>)[] = [
  () => sweepTable('build_files', () => sql()`old.seen_at < now() - interval '7 days'`),
  () => sweepTable('idempotency', () => sql()`old.created_at < now() - interval '25 hours'`),
  () => sweepTable('held_sends', () => sql()`old.undone_at < now() - interval '1 day'`),
  () => sweepTable('sign_in_failures', () => sql()`old.last_at < now() - interval '1 hour'`),
  () => sweepTable('sign_in_guesses', () => sql()`old.last_at < now() - interval '1 hour'`),
  () => sweepTable('invitations', () => sql()`old.expires_at < now() - interval '30 days'`),
  () => sweepTable('key_traffic', () => sql()`old.hour < now() - interval '32 days'`),
  () => sweepTable('imports', () => sql()`old.created_at < now() - interval '7 days'`),
  () => sweepTable('sessions', () => sql()`old.expires_at < now()`),
  () => sweepTable('portals', () => sql()`old.seen_at < now() - interval '90 days'`),
  // Without calls that were only counted, a row is needed for its hour only.
  () =>
    sweepTable(
      'refusal_counts',
      () => sql()`old.hour < now() - case when old.not_kept = 0 then interval '2 hours' else (
        select c.keep_refusals_days * interval '1 day' from companies c where c.id = old.company_id) end`,
    ),
  deleteOldExports,
  deleteExpiredRows,
];

/**
 * Deletes all expired rows, one job after another, in small batches. A job that fails is logged and
 * does not stop the others.
 */
export async function deleteExpired(): Promise<void> {
  for (const job of jobs) await job().catch((error: unknown) => log().warn({ err: error }, 'an hourly job failed'));
}

/** Starts `deleteExpired` every hour until the process ends. */
export function startHourlyJobs(): void {
  setInterval(() => void deleteExpired(), intervalMs).unref();
}
