import { sql } from '#db/client.ts';
import { isDatabaseUnavailable } from '#db/driver/errors.ts';
import type { Fragment } from '#db/notify.ts';
import { deleteOldExports } from '#server/exports/exports.ts';
import { type SweptTable, sweepTable, thenPause } from '#server/jobs/batches.ts';
import { deleteExpiredRows } from '#server/jobs/expired-rows.ts';
import { noteJobs, runTakenJob, secondsSinceJobs, takeDueJob } from '#server/jobs/job-turns.ts';
import { log } from '#server/log.ts';
import { countStatistics } from '#server/sends/count-statistics.ts';

const checkMs = 10_000;

const sweeps: Record<SweptTable, () => Fragment> = {
  build_files: () => sql()`old.seen_at < now() - interval '7 days'`,
  idempotency: () => sql()`old.created_at < now() - interval '25 hours'`,
  held_sends: () => sql()`old.undone_at < now() - interval '1 day'`,
  planned_sends: () => sql()`old.undone_at < now() - interval '1 day'`,
  send_rules: () => sql()`old.ended_at < now() - interval '30 days' and not exists (
    select from planned_sends p where p.company_id = old.company_id and p.rule_id = old.id)`,
  sign_in_failures: () => sql()`old.last_at < now() - interval '1 hour'`,
  sign_in_guesses: () => sql()`old.last_at < now() - interval '1 hour'`,
  invitations: () => sql()`old.expires_at < now() - interval '30 days'`,
  // A request holds the address of its sender, and its link until it is gone.
  join_requests: () => sql()`old.created_at < now() - interval '30 days'`,
  join_links: () => sql()`old.expires_at < now() - interval '30 days' and not exists (
    select from join_requests r where r.company_id = old.company_id and r.link_id = old.id)`,
  key_traffic: () => sql()`old.hour < now() - interval '32 days'`,
  imports: () => sql()`old.created_at < now() - interval '7 days'`,
  sessions: () => sql()`old.expires_at < now()`,
  portals: () => sql()`old.seen_at < now() - interval '90 days'`,
  // Without calls that were only counted, a row is needed for its hour only.
  refusal_counts: () => sql()`old.hour < now() - case when old.not_kept = 0 then interval '2 hours' else (
    select c.keep_refusals_days * interval '1 day' from companies c where c.id = old.company_id) end`,
};

const deletions = new Map<string, () => Promise<unknown>>([
  ...Object.entries(sweeps).map(
    ([table, condition]) => [table, () => sweepTable(table as SweptTable, condition)] as const,
  ),
  ['exports', deleteOldExports],
  ['retention', deleteExpiredRows],
]);

/** What to do once an hour in the whole deployment, by name. The longest is the last. */
const jobs = new Map([...deletions, ['statistics', () => countStatistics(thenPause)]]);
const names = [...jobs.keys()];

/**
 * Deletes all expired rows, one job after another, in small batches. A job that fails is logged and
 * does not stop the others.
 */
export async function deleteExpired(): Promise<void> {
  for (const job of deletions.values()) await job().catch(logFailure);
}

/**
 * Runs the jobs that no process of the deployment has run within the last hour, one after another.
 * Any number of processes on any machines may call this at once: only one of them works, and each
 * job runs once. Throws when the database cannot be asked.
 */
export async function runDueJobs(): Promise<void> {
  for (;;) {
    const name = await takeDueJob(names);
    if (name === null) return;
    await runTakenJob(name, jobs.get(name) ?? (async () => {})).catch(logFailure);
  }
}

const logFailure = (error: unknown) => log().warn({ err: error }, 'an hourly job failed');

/** Starts to look every 10 s for jobs that are due, until the process ends. */
export function startHourlyJobs(): void {
  let areNoted = false;
  let isChecking = false;
  const check = async () => {
    // A job may take longer than the time between two checks.
    if (isChecking) return;
    isChecking = true;
    try {
      if (!areNoted) await noteJobs(names);
      areNoted = true;
      await runDueJobs();
    } catch (error) {
      // An unreachable database is asked again by the next check.
      if (!isDatabaseUnavailable(error)) logFailure(error);
    } finally {
      isChecking = false;
    }
  };
  void check();
  setInterval(() => void check(), checkMs).unref();
}

/** How long ago, in seconds, the hourly job ended that waits longest, on whatever machine. */
export const secondsSinceHourlyJobs = (): Promise<number> => secondsSinceJobs(names);
