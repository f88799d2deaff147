import { randomUUID } from 'node:crypto';
import { advisoryLocks } from '#db/advisory-locks.ts';
import { type Fragment, inTransaction, sql } from '#db/client.ts';
import { makeReconciliation } from '#db/reconciliation.ts';
import type { Rows } from '#db/schema/rows.ts';
import { log } from '#platform/log/log.ts';
import { idleChoices, sessionEnd } from '#server/accounts/sessions/idle.ts';
import { deleteOldExports } from '#server/exports/exports.ts';
import { deleteByPages, deleteExpiredRows, thenPause } from '#server/jobs/expired-rows.ts';
import { countStatistics } from '#server/sends/statistics/statistics.ts';

const checkMs = 10_000;

// The tables whose rows expire by the same rule for all companies.
const expiringRows: Record<string, () => Fragment> = {
  build_files: () => sql()`old.seen_at < now() - interval '7 days'`,
  idempotency: () => sql()`old.created_at < now() - interval '25 hours'`,
  planned_sends: () => sql()`old.undone_at < now() - interval '1 day'`,
  // Of a draft that was not sent, or was undone.
  notification_pictures: () => sql()`old.created_at < now() - interval '1 day'
    and not exists (select from notifications n where n.company_id = old.company_id and n.draft_id = old.draft_id)
    and not exists (select from planned_sends p where p.company_id = old.company_id and p.draft_id = old.draft_id)
    and not exists (select from send_rules r
      where r.company_id = old.company_id and r.picture_id = old.draft_id and r.ended_at is null)`,
  send_rules: () => sql()`old.ended_at < now() - interval '30 days' and not exists (
    select from planned_sends p where p.company_id = old.company_id and p.rule_id = old.id)`,
  limit_counters: () => sql()`old.ends_at < now()`,
  failed_sign_ins: () => sql()`old.last_at < now() - interval '1 hour'`,
  // A used link leads to the sign-in as long as the account exists.
  invitations: () => sql()`old.used_at is null and old.expires_at < now() - interval '30 days'`,
  // A request contains its sender's address. Its link stays until the request is deleted.
  join_requests: () => sql()`old.created_at < now() - interval '30 days'`,
  join_links: () => sql()`old.expires_at < now() - interval '30 days' and not exists (
    select from join_requests r where r.company_id = old.company_id and r.link_id = old.id)`,
  key_traffic: () => sql()`old.hour < now() - interval '32 days'`,
  imports: () => sql()`old.created_at < now() - interval '7 days'`,
  // No session ends sooner by idleness. A join would read all accounts in each batch.
  sessions: () => sql()`(old.expires_at < now()
    or old.seen_at < now() - ${Math.min(...idleChoices.managers)} * interval '1 minute' and (
      select ${sessionEnd('old')} < now() from accounts a join companies c on c.id = a.company_id
      where a.company_id = old.company_id and a.id = old.account_id))`,
  portals: () => sql()`old.seen_at < now() - interval '90 days'`,
  // A row without requests in `not_kept` is needed for its hour only.
  refusal_counts: () => sql()`old.hour < now() - case when old.not_kept = 0 then interval '2 hours' else (
    select c.keep_refusals_days * interval '1 day' from companies c where c.id = old.company_id) end`,
};

/** The jobs that delete expired rows. */
export const deletions = new Map<string, () => Promise<unknown>>([
  ...Object.entries(expiringRows).map(([table, condition]) => [table, () => deleteByPages(table, condition)] as const),
  ['exports', deleteOldExports],
  ['retention', deleteExpiredRows],
]);

/** What to do once an hour in the whole deployment, by name. The longest is the last. */
const jobs = new Map([...deletions, ['statistics', () => countStatistics(thenPause)]]);
const names = [...jobs.keys()];

/**
 * Runs the jobs that no process of the deployment has run within the last hour, one after another.
 * Any number of processes on any machines may call this at once: only one of them works, and each
 * job runs once. Throws when the database cannot be asked.
 */
async function runDueJobs(): Promise<void> {
  for (;;) {
    const name = await takeDueJob(names);
    if (name === null) return;
    await runTakenJob(name, jobs.get(name) ?? (async () => {})).catch(logFailure);
  }
}

const failure = 'an hourly job failed';
const logFailure = (error: unknown) => log().warn({ err: error }, failure);

/** Starts to look every 10 s for jobs that are due, until the process ends. */
export function startHourlyJobs(): void {
  let areNoted = false;
  const check = async () => {
    if (!areNoted) await noteJobs(names);
    areNoted = true;
    await runDueJobs();
  };
  const { run, start } = makeReconciliation(checkMs, check, failure);
  void run();
  start();
}

const leaseSeconds = 60;
const renewMs = 10_000;

// Identifies this process among those of all machines. It is not a secret.
const runner = randomUUID();

/** Registers these jobs for the deployment. A new job is due in an hour. */
export async function noteJobs(names: string[]): Promise<void> {
  await sql()`
    insert into hourly_jobs (name, ended_at) select name, now() from unnest(${names}::text[]) as j (name)
    on conflict do nothing`;
}

// The oldest job that is due, while no process of the deployment works on any.
const dueJob = (names: string[]) => sql()`
  select name from hourly_jobs
  where name = any(${names}::text[]) and ended_at < now() - interval '1 hour'
    and not exists (select from hourly_jobs running where running.lease_until > now())
  order by ended_at, name limit 1`;

/**
 * Takes the next of these jobs that ended more than an hour ago, for this process. Null when none
 * is due, or when a process of any machine works on one.
 */
export async function takeDueJob(names: string[]): Promise<string | null> {
  const due = await sql()`${dueJob(names)}`;
  if (due.length === 0) return null;
  return inTransaction(async (tx) => {
    await tx`select pg_advisory_xact_lock(${advisoryLocks.hourlyJobs})`;
    const [job] = await tx<Pick<Rows['hourlyJobs'], 'name'>[]>`
      update hourly_jobs set runner = ${runner}, lease_until = now() + ${leaseSeconds} * interval '1 s'
      where name = (${dueJob(names)}) returning name`;
    return job?.name ?? null;
  });
}

/**
 * Runs a job that this process took, renews its lease, and records its end, also when it fails. Throws
 * the error of the job. When the process dies, another one takes the job a minute later.
 */
export async function runTakenJob(name: string, job: () => Promise<unknown>): Promise<void> {
  const renew = () => sql()`
    update hourly_jobs set lease_until = now() + ${leaseSeconds} * interval '1 s'
    where name = ${name} and runner = ${runner}`;
  const renewing = setInterval(() => void renew().catch(() => {}), renewMs).unref();
  try {
    await job();
  } finally {
    clearInterval(renewing);
    await sql()`update hourly_jobs set runner = null, lease_until = null, ended_at = now()
      where name = ${name} and runner = ${runner}`;
  }
}

/** Seconds since the end of the hourly job that has waited longest, on any machine; 0 without one. */
export async function secondsSinceHourlyJobs(): Promise<number> {
  const [row] = await sql()<{ seconds: number }[]>`
    select coalesce(extract(epoch from now() - min(ended_at)), 0)::float8 as seconds
    from hourly_jobs where name = any(${names}::text[])`;
  return Math.max(0, row?.seconds ?? 0);
}
