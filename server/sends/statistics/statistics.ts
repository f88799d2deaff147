import { sql } from '#db/client.ts';
import type { Owner } from '#server/principals.ts';

/**
 * What became of the sends of a month, such as `2026-11`, and one key; `keyId` and `keyName` are
 * null for manual sends. `reach` counts people, one for each send that reached them. Of them
 * `readWithinHour` read it within an hour. `toConfirm` of them were asked to confirm, and
 * `confirmed` did. Withdrawn sends and reminders do not count.
 */
export type MonthOfSends = {
  month: string;
  keyId: number | null;
  keyName: string | null;
  sends: number;
  reach: number;
  readWithinHour: number;
  toConfirm: number;
  confirmed: number;
};

/** The most months of one list. */
export const maxStatisticsMonths = 60;

/**
 * The statistics of the owner's company for these months, the newest month first, in it most sends
 * first. Months and keys without a send are left out. At most `maxStatisticsMonths`, the newest.
 */
export async function listStatistics(
  { companyId }: Owner,
  { from, to }: { from: string; to: string },
): Promise<MonthOfSends[]> {
  return sql()<MonthOfSends[]>`
    select to_char(s.day, 'YYYY-MM') as month, nullif(s.key_id, 0) as "keyId", max(k.name) as "keyName",
      sum(s.sends)::int as sends, sum(s.reach)::float8 as reach, sum(s.read_within_hour)::float8 as "readWithinHour",
      sum(s.to_confirm)::float8 as "toConfirm", sum(s.confirmed)::float8 as confirmed
    from send_statistics s left join api_keys k on k.company_id = s.company_id and k.id = s.key_id
    where s.company_id = ${companyId} and s.day < (${to}::text || '-01')::date + interval '1 month'
      and s.day >= greatest((${from}::text || '-01')::date,
        (${to}::text || '-01')::date - ${maxStatisticsMonths - 1} * interval '1 month')
    group by 1, s.key_id having sum(s.sends) > 0
    order by 1 desc, sum(s.sends) desc, s.key_id`;
}

/**
 * The first month with a send in the statistics, or null, the current month in the company's time
 * zone, and when the newest days were counted, or null.
 */
export async function findStatisticsSpan({
  companyId,
  timeZone,
}: Owner): Promise<{ first: string | null; current: string; countedAt: Date | null }> {
  const [row] = await sql()<{ first: string | null; current: string; countedAt: Date | null }[]>`
    select to_char(min(day) filter (where sends > 0), 'YYYY-MM') as first,
      to_char(now() at time zone ${timeZone}, 'YYYY-MM') as current, max(counted_at) as "countedAt"
    from send_statistics where company_id = ${companyId}`;
  if (!row) throw new Error('an aggregate has one row');
  return row;
}
