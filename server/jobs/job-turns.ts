import { randomUUID } from 'node:crypto';
import { advisoryLocks } from '#db/advisory-locks.ts';
import { inTransaction, sql } from '#db/client.ts';

const leaseSeconds = 60;
const renewMs = 10_000;

// Tells this process from those of other machines. It is no secret.
const runner = randomUUID();

/**
 * Notes these jobs for the deployment. One that was not known yet counts as run now, so that it is
 * due in an hour.
 */
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
 * Takes the next of these jobs that ended more than an hour ago, for this process. Null when none is
 * due, or when a process of any machine works on one.
 */
export async function takeDueJob(names: string[]): Promise<string | null> {
  const due = await sql()`${dueJob(names)}`;
  if (due.length === 0) return null;
  return inTransaction(async (tx) => {
    await tx`select pg_advisory_xact_lock(${advisoryLocks.hourlyJobs})`;
    const [taken] = await tx<{ name: string }[]>`
      update hourly_jobs set runner = ${runner}, lease_until = now() + ${leaseSeconds} * interval '1 s'
      where name = (${dueJob(names)}) returning name`;
    return taken?.name ?? null;
  });
}

/**
 * Runs a job that this process took, and notes its end, also when it fails; its error is thrown then.
 * Meanwhile the lease is renewed. When the process dies, another one takes the job a minute later.
 */
export async function runTakenJob(name: string, job: () => Promise<unknown>): Promise<void> {
  const renewing = setInterval(() => void renewLease(name).catch(() => {}), renewMs).unref();
  try {
    await job();
  } finally {
    clearInterval(renewing);
    await sql()`update hourly_jobs set runner = null, lease_until = null, ended_at = now()
      where name = ${name} and runner = ${runner}`;
  }
}

const renewLease = (name: string) => sql()`
  update hourly_jobs set lease_until = now() + ${leaseSeconds} * interval '1 s'
  where name = ${name} and runner = ${runner}`;

/** How long ago, in seconds, the job ended that waits longest; 0 when none is known. */
export async function secondsSinceJobs(names: string[]): Promise<number> {
  const [row] = await sql()<{ seconds: number }[]>`
    select coalesce(extract(epoch from now() - min(ended_at)), 0)::float8 as seconds
    from hourly_jobs where name = any(${names}::text[])`;
  return row?.seconds ?? 0;
}
