import { eq } from 'drizzle-orm';
import type postgres from 'postgres';
import { db, sql } from '#db/client.ts';
import { companies } from '#db/schema.ts';
import { findChanges, recordAudit } from '#server/audit/record.ts';
import type { Owner } from '#server/principals.ts';

/** How long a company keeps what it need not keep, in days; null means for ever. The audit log is always kept for ever. */
export type Retention = { keepNotificationsDays: number | null; keepRefusalsDays: number };

/** The choices: 90 days, half a year, 1, 2, 3 and 5 years, or for ever. */
export const notificationDays = [90, 180, 365, 730, 1095, 1825] as const;

/** The choices for refused calls. */
export const refusalDays = [7, 30, 90] as const;

/** What the owner's company keeps, and for how long. */
export async function findRetention({ companyId }: Owner): Promise<Retention> {
  const { keepNotificationsDays, keepRefusalsDays } = companies;
  const [row] = await db()
    .select({ keepNotificationsDays, keepRefusalsDays })
    .from(companies)
    .where(eq(companies.id, companyId));
  if (!row) throw new Error(`company ${companyId} does not exist`);
  return row;
}

/** The moment before which things kept for `days` are too old: whole days of the company's time zone. */
const tooOld = (days: postgres.PendingQuery<postgres.Row[]>) =>
  sql()`((date_trunc('day', now() at time zone c.time_zone) - ${days} * interval '1 day') at time zone c.time_zone)`;

const mostCounted = 100_000;

/** How many notifications would be deleted if they were kept for `days` only; counted to 100,000. */
export async function countTooOld({ companyId }: Owner, days: number): Promise<number> {
  const [row] = await sql()<{ count: number }[]>`
    select count(*)::int as count from (
      select n.created_at from notifications n where n.company_id = ${companyId} order by n.no limit ${mostCounted}
    ) n join companies c on c.id = ${companyId} and n.created_at < ${tooOld(sql()`${days}::int`)}`;
  return row?.count ?? 0;
}

/** Changes how long things are kept; deleting follows within the hour (`server/jobs/expired-rows.ts`). */
export async function changeRetention(owner: Owner, wanted: Retention): Promise<'changed' | 'unchanged'> {
  return db().transaction(async (transaction) => {
    const one = eq(companies.id, owner.companyId);
    const [row] = await transaction.select().from(companies).where(one).for('no key update');
    if (!row) throw new Error(`company ${owner.companyId} does not exist`);
    const was = { keepNotificationsDays: row.keepNotificationsDays, keepRefusalsDays: row.keepRefusalsDays };
    const changed = findChanges<Retention>(was, wanted);
    if (!changed) return 'unchanged';
    await transaction.update(companies).set(wanted).where(one);
    await recordAudit(transaction, owner, 'company.edit', changed);
    return 'changed';
  });
}

/** The condition of `forgetting.ts`: older than the company's own rule, over `companies c`. */
export const olderThanKept = (column: 'keep_notifications_days' | 'keep_refusals_days') =>
  tooOld(sql()`c.${sql()(column)}`);
