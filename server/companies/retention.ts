import { type Fragment, sql } from '#db/client.ts';
import type { Rows } from '#db/schema/rows.ts';
import { changeSettings, findSettings } from '#server/audit/company-settings.ts';
import type { Owner } from '#server/principals.ts';

/** How many days a company keeps notifications (null: for ever) and rejected requests. */
export type Retention = Pick<Rows['companies'], 'keepNotificationsDays' | 'keepRefusalsDays'>;

/** The choices for notifications in days, beside "for ever". */
export const notificationDays = [90, 180, 365, 730, 1095, 1825] as const;

export const rejectedRequestDays = [7, 30, 90] as const;

export const findRetention = (owner: Owner): Promise<Retention> =>
  findSettings(owner, ['keepNotificationsDays', 'keepRefusalsDays']);

// The timestamp before which rows are too old: `days` whole days in the time zone of `companies c`.
const expiry = (days: Fragment) =>
  sql()`((date_trunc('day', now() at time zone c.time_zone) - ${days} * interval '1 day') at time zone c.time_zone)`;

const maxCounted = 100_000;

/** Counts the notifications that a retention of `days` would delete, up to 100,000. */
export async function countTooOld({ companyId }: Owner, days: number): Promise<number> {
  const [row] = await sql()<{ count: number }[]>`
    select count(*)::int as count from (
      select n.created_at from notifications n where n.company_id = ${companyId} order by n.no limit ${maxCounted}
    ) n join companies c on c.id = ${companyId} and n.created_at < ${expiry(sql()`${days}::int`)}`;
  return row?.count ?? 0;
}

/** Changes the retention. The hourly job then deletes what is too old. */
export const changeRetention = (owner: Owner, retention: Retention) => changeSettings(owner, retention);

/** The timestamp before which rows of `companies c` are too old, as SQL; null: never. */
export const retentionExpiry = (column: 'keep_notifications_days' | 'keep_refusals_days') =>
  expiry(sql()`c.${sql()(column)}`);
