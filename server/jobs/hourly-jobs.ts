import { randomUUID } from 'node:crypto';
import { advisoryLocks } from '#db/advisory-locks.ts';
import { db, inTransaction, isAnyOf, matches, requireRow } from '#db/client.ts';
import { alias, and, eq, getTableName, gt, notExists, type PgTable, type SQL, sql } from '#db/drizzle.cjs';
import { makeReconciliation } from '#db/reconciliation.ts';
import {
  accounts,
  buildFiles,
  companies,
  failedSignIns,
  hourlyJobs,
  idempotency,
  imports,
  invitations,
  joinLinks,
  joinRequests,
  keyTraffic,
  limitCounters,
  notificationPictures,
  notifications,
  plannedSends,
  portals,
  refusalCounts,
  sendRules,
  sessions,
} from '#db/schema/tables.ts';
import { warnOf } from '#platform/log/log.ts';
import { idleChoices, ringEndOf } from '#server/accounts/sessions/sessions.ts';
import { deleteOldExports } from '#server/exports/exports.ts';
import { deleteByPages, deleteExpiredRows, thenPause } from '#server/jobs/expired-rows.ts';
import { countStatistics } from '#server/sends/statistics/statistics.ts';

// The tables whose rows expire by the same rule for all companies.
const expiringRows: [table: PgTable, condition: SQL][] = [
  [buildFiles, sql`${buildFiles.seenAt} < now() - interval '7 days'`],
  [idempotency, sql`${idempotency.createdAt} < now() - interval '25 hours'`],
  [plannedSends, sql`${plannedSends.undoneAt} < now() - interval '1 day'`],
  // Of a draft that was not sent, or was undone.
  [
    notificationPictures,
    sql`${notificationPictures.createdAt} < now() - interval '1 day'
      and not exists (select from ${notifications}
        where ${notifications.companyId} = ${notificationPictures.companyId} and ${notifications.draftId} = ${notificationPictures.draftId})
      and not exists (select from ${plannedSends}
        where ${plannedSends.companyId} = ${notificationPictures.companyId} and ${plannedSends.draftId} = ${notificationPictures.draftId})
      and not exists (select from ${sendRules}
        where ${sendRules.companyId} = ${notificationPictures.companyId} and ${sendRules.pictureId} = ${notificationPictures.draftId}
          and ${sendRules.endedAt} is null)`,
  ],
  [
    sendRules,
    sql`${sendRules.endedAt} < now() - interval '30 days' and not exists (select from ${plannedSends}
      where ${plannedSends.companyId} = ${sendRules.companyId} and ${plannedSends.ruleId} = ${sendRules.id})`,
  ],
  [limitCounters, sql`${limitCounters.endsAt} < now()`],
  [failedSignIns, sql`${failedSignIns.lastAt} < now() - interval '1 hour'`],
  // A used link leads to the sign-in as long as the account exists.
  [invitations, sql`${invitations.usedAt} is null and ${invitations.expiresAt} < now() - interval '30 days'`],
  // A request contains its sender's address. Its link stays until the request is deleted.
  [joinRequests, sql`${joinRequests.createdAt} < now() - interval '30 days'`],
  [
    joinLinks,
    sql`${joinLinks.expiresAt} < now() - interval '30 days' and not exists (select from ${joinRequests}
      where ${joinRequests.companyId} = ${joinLinks.companyId} and ${joinRequests.linkId} = ${joinLinks.id})`,
  ],
  [keyTraffic, sql`${keyTraffic.hour} < now() - interval '32 days'`],
  [imports, sql`${imports.createdAt} < now() - interval '7 days'`],
  // No session ends sooner by idleness. A join would read all accounts in each batch.
  [
    sessions,
    sql`(${sessions.expiresAt} < now()
      or ${sessions.seenAt} < now() - ${Math.min(...idleChoices.managers)} * interval '1 minute' and (
        select ${ringEndOf()} < now() from ${accounts} join ${companies} on ${companies.id} = ${accounts.companyId}
        where ${accounts.companyId} = ${sessions.companyId} and ${accounts.id} = ${sessions.accountId}))`,
  ],
  [portals, sql`${portals.seenAt} < now() - interval '90 days'`],
  // A row without requests in `not_kept` is needed for its hour only.
  [
    refusalCounts,
    sql`${refusalCounts.hour} < now() - case when ${refusalCounts.notKept} = 0 then interval '2 hours' else (
      select ${companies.keepRefusalsDays} * interval '1 day' from ${companies}
      where ${companies.id} = ${refusalCounts.companyId}) end`,
  ],
];

export const deletions = new Map<string, () => Promise<unknown>>([
  ...expiringRows.map(([table, condition]) => [getTableName(table), () => deleteByPages(table, condition)] as const),
  ['exports', deleteOldExports],
  ['retention', deleteExpiredRows],
]);

/** What to do once an hour in the whole deployment, by name. The longest is the last. */
const jobs = new Map([...deletions, ['statistics', () => countStatistics(thenPause)]]);
const names = [...jobs.keys()];

const failure = 'an hourly job failed';

/** Looks every 10 s for jobs that no process has run within the last hour. Of all processes, one works at a time. */
export function startHourlyJobs(): void {
  let areNoted = false;
  const check = async () => {
    if (!areNoted) await noteJobs(names);
    areNoted = true;
    for (let name = await takeDueJob(names); name !== null; name = await takeDueJob(names))
      await runTakenJob(name, jobs.get(name) ?? (async () => {})).catch(warnOf(failure));
  };
  const { run, start } = makeReconciliation(10_000, check, failure);
  void run();
  start();
}

const newLease = sql`now() + interval '60 s'`;

// Identifies this process among those of all machines. It is not a secret.
const runner = randomUUID();

/** Registers these jobs for the deployment. A new job is due in an hour. */
export async function noteJobs(names: string[]): Promise<void> {
  const rows = names.map((name) => ({ name, endedAt: sql`now()` }));
  await db().insert(hourlyJobs).values(rows).onConflictDoNothing();
}

// The oldest job that is due, while no process of the deployment works on any.
function dueJob(names: string[]) {
  const running = alias(hourlyJobs, 'running');
  const leased = db().select({ name: running.name }).from(running).where(gt(running.leaseUntil, sql`now()`));
  const isOver = sql`${hourlyJobs.endedAt} < now() - interval '1 hour'`;
  return db()
    .select({ name: hourlyJobs.name })
    .from(hourlyJobs)
    .where(and(isAnyOf(hourlyJobs.name, names), isOver, notExists(leased)))
    .orderBy(hourlyJobs.endedAt, hourlyJobs.name)
    .limit(1);
}

/** Takes the next of these jobs that ended over an hour ago. Null when none is due, or any process works on one. */
export async function takeDueJob(names: string[]): Promise<string | null> {
  const due = await dueJob(names);
  if (due.length === 0) return null;
  return inTransaction(async (tx) => {
    await db(tx).execute(sql`select pg_advisory_xact_lock(${advisoryLocks.hourlyJobs})`);
    const isDue = eq(hourlyJobs.name, dueJob(names));
    const taking = db(tx).update(hourlyJobs).set({ runner, leaseUntil: newLease }).where(isDue);
    const [job] = await taking.returning({ name: hourlyJobs.name });
    return job?.name ?? null;
  });
}

/**
 * Runs a job that this process took, renews its lease, and records its end. Throws the error of the job. When the
 * process dies, another one takes it a minute later.
 */
export async function runTakenJob(name: string, job: () => Promise<unknown>): Promise<void> {
  const isMine = matches(hourlyJobs, { name, runner });
  const renew = async () => db().update(hourlyJobs).set({ leaseUntil: newLease }).where(isMine);
  const renewing = setInterval(() => void renew().catch(() => {}), 10_000).unref();
  try {
    await job();
  } finally {
    clearInterval(renewing);
    await db().update(hourlyJobs).set({ runner: null, leaseUntil: null, endedAt: sql`now()` }).where(isMine);
  }
}

/** Seconds since the end of the hourly job that has waited longest, on any machine; 0 without one. */
export async function secondsSinceHourlyJobs(): Promise<number> {
  const seconds = sql<number>`coalesce(extract(epoch from now() - min(${hourlyJobs.endedAt})), 0)::float8`;
  const row = await requireRow(db().select({ seconds }).from(hourlyJobs).where(isAnyOf(hourlyJobs.name, names)));
  return Math.max(0, row.seconds);
}
