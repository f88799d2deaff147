import { sql } from '#db/client.ts';
import type { Rows } from '#db/schema/rows.ts';
import type { Owner } from '#server/principals.ts';

/**
 * A rejected request of the public interface. `keyId` is null for a call without a key. `more`
 * counts similar calls of the same second that have no row of their own.
 */
export type RejectedRequest = Omit<Rows['refusals'], 'companyId' | 'figures'> & {
  keyName: string | null;
  parameters: Rows['refusals']['figures'];
  /** Whether its key was rejected because it had expired, and not because it was revoked. */
  keyExpired: boolean;
};

/**
 * A filter of rejected requests. `key`: of one key, or without a key (`none`). `from` and `to`:
 * days (YYYY-MM-DD) in the company's time zone, both inclusive.
 */
export type RejectedRequestFilter = {
  key?: number | 'none';
  code?: string;
  from?: string;
  to?: string;
  requestId?: string;
};

/** The columns of a `RejectedRequest`, over `refusals r` and `api_keys k`. */
export const rejectedRequestColumns = () => sql()`
  r.id, r.at, r.request_id as "requestId", r.key_id as "keyId", k.name as "keyName", r.code, r.field, r.figures as parameters, r.operation,
  r.address, r.client, r.more, r.code = 'key_rejected' and case when k.revoked_at is null then k.id is not null
    else k.expires_at <= k.revoked_at and r.at < date_trunc('milliseconds', k.revoked_at) end is true as "keyExpired"`;

/**
 * Lists rejected requests within the company's retention time, newest first: at most `limit`, older
 * than row `before`. `hasMore` says whether older calls exist.
 */
export async function listRejectedRequests(
  owner: Owner,
  filter: RejectedRequestFilter,
  { before, limit = 50 }: { before?: number; limit?: number } = {},
): Promise<{ refusals: RejectedRequest[]; hasMore: boolean }> {
  const rows = await sql()<RejectedRequest[]>`
    select ${rejectedRequestColumns()}
    from (
      select * from refusals r
      where r.company_id = ${owner.companyId} and ${passes(owner, filter)}
        ${before === undefined ? sql()`` : sql()`and r.id < ${before}`}
      order by r.id desc limit ${limit + 1}
    ) r left join api_keys k on k.company_id = ${owner.companyId} and k.id = r.key_id
    order by r.id desc`;
  return { refusals: rows.slice(0, limit), hasMore: rows.length > limit };
}

// Whether a row `r` is within the retention time and passes the filter.
function passes({ companyId, timeZone }: Owner, { key, code, from, to, requestId }: RejectedRequestFilter) {
  const none = sql()``;
  const keyCondition = key === 'none' ? sql()`and r.key_id is null` : sql()`and r.key_id = ${key ?? 0}`;
  const start = sql()`(${from ?? null}::date::timestamp at time zone ${timeZone})`;
  const end = sql()`((${to ?? null}::date + 1)::timestamp at time zone ${timeZone})`;
  return sql()`
    r.at > now() - (select keep_refusals_days from companies where id = ${companyId}) * interval '1 day'
    ${key === undefined ? none : keyCondition}
    ${code === undefined ? none : sql()`and r.code = ${code}`}
    ${from === undefined ? none : sql()`and r.at >= ${start}`}
    ${to === undefined ? none : sql()`and r.at < ${end}`}
    ${requestId === undefined ? none : sql()`and r.request_id = ${requestId}::uuid`}`;
}

/**
 * Counts the rejected requests that pass the filter and have no row, because the limit of their
 * hour was reached (call-log.ts). A request id finds none of them.
 */
export async function countNotKept(owner: Owner, { requestId, ...filter }: RejectedRequestFilter): Promise<number> {
  if (requestId !== undefined) return 0;
  const [row] = await sql()<{ count: number }[]>`
    select coalesce(sum(not_kept), 0)::float8 as count from (
      select key_id, code, hour as at, not_kept from refusal_counts where company_id = ${owner.companyId}
    ) r where ${passes(owner, filter)}`;
  return row?.count ?? 0;
}
