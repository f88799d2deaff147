import { type Fragment, type Sql, sql, type Transaction } from '#db/client.ts';
import { asOwner } from '#db/person-transaction.ts';
import type { Rows } from '#db/schema/rows.ts';
import { findChanges, recordAudit } from '#server/audit/record.ts';
import type { Owner } from '#server/principals.ts';

/**
 * How many days a company keeps notifications (null: for ever) and rejected requests. It always
 * keeps its audit log.
 */
export type Retention = Pick<Rows['companies'], 'keepNotificationsDays' | 'keepRefusalsDays'>;

/** The choices for notifications in days, beside "for ever". */
export const notificationDays = [90, 180, 365, 730, 1095, 1825] as const;

export const rejectedRequestDays = [7, 30, 90] as const;

export async function findRetention({ companyId }: Owner, from: Sql | Transaction = sql()): Promise<Retention> {
  const [retention] = await from<Retention[]>`
    select keep_notifications_days as "keepNotificationsDays", keep_refusals_days as "keepRefusalsDays"
    from companies where id = ${companyId}`;
  if (!retention) throw new Error(`company ${companyId} does not exist`);
  return retention;
}

// The timestamp before which rows kept for `days` are too old: whole days of the time zone of
// `companies c`.
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
export async function changeRetention(owner: Owner, retention: Retention): Promise<'changed' | 'unchanged'> {
  return asOwner(owner, async (tx) => {
    const changed = findChanges(await findRetention(owner, tx), retention);
    if (!changed) return 'unchanged';
    await tx`
      update companies set keep_notifications_days = ${retention.keepNotificationsDays},
        keep_refusals_days = ${retention.keepRefusalsDays}
      where id = ${owner.companyId}`;
    await recordAudit(tx, owner, 'company.edit', changed);
    return 'changed';
  });
}

/** The timestamp before which rows of `companies c` are too old, as SQL; null: never. */
export const retentionExpiry = (column: 'keep_notifications_days' | 'keep_refusals_days') =>
  expiry(sql()`c.${sql()(column)}`);
