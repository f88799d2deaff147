import { db, requireRow } from '#db/client.ts';
import { and, count, eq, lt, type SQLWrapper, sql } from '#db/drizzle.cjs';
import type { Rows } from '#db/schema/rows.ts';
import { companies, notifications } from '#db/schema/tables.ts';
import { changeSettings, findSettings } from '#server/audit/company-settings.ts';
import type { Owner } from '#server/principals.ts';

/** How many days a company keeps notifications (null: for ever) and rejected requests. */
export type Retention = Pick<Rows['companies'], 'keepNotificationsDays' | 'keepRefusalsDays'>;

/** The choices for notifications in days, beside "for ever". */
export const notificationDays = [90, 180, 365, 730, 1095, 1825] as const;

export const rejectedRequestDays = [7, 30, 90] as const;

export const findRetention = (owner: Owner): Promise<Retention> =>
  findSettings(owner, ['keepNotificationsDays', 'keepRefusalsDays']);

/** The timestamp before which rows are too old: `days` whole days in the company's time zone. Null: never. */
export const retentionExpiry = (days: SQLWrapper) => {
  const zone = companies.timeZone;
  return sql`((date_trunc('day', now() at time zone ${zone}) - ${days} * interval '1 day') at time zone ${zone})`;
};

const maxCounted = 100_000;

/** Counts the notifications that a retention of `days` would delete, up to 100,000. */
export async function countTooOld({ companyId }: Owner, days: number): Promise<number> {
  const oldest = db()
    .select({ createdAt: notifications.createdAt })
    .from(notifications)
    .where(eq(notifications.companyId, companyId))
    .orderBy(notifications.no)
    .limit(maxCounted)
    .as('oldest');
  const isTooOld = lt(oldest.createdAt, retentionExpiry(sql`${days}::int`));
  const ofCompany = and(eq(companies.id, companyId), isTooOld);
  return (await requireRow(db().select({ count: count() }).from(oldest).innerJoin(companies, ofCompany))).count;
}

/** Changes the retention. The hourly job then deletes what is too old. */
export const changeRetention = (owner: Owner, retention: Retention) => changeSettings(owner, retention);
