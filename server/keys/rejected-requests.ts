import { byId, db } from '#db/client.ts';
import { type AnyPgColumn, and, desc, eq, getTableColumns, isNull, lt, type SQL, sql } from '#db/drizzle.cjs';
import { apiKeys, companies, refusalCounts, refusals } from '#db/schema/tables.ts';
import type { Owner } from '#server/principals.ts';

/**
 * A rejected request of the public interface. `more`: similar calls of the same second without a row. `keyExpired`: its
 * key was rejected because it had expired, and not because it was revoked.
 */
export type RejectedRequest = Awaited<ReturnType<typeof readRejectedRequests>>[number];

/** `key`: of one, or without (`none`). `from`, `to`: days (YYYY-MM-DD, company's time zone), both inclusive. */
export type RejectedRequestFilter = {
  key?: number | 'none';
  code?: string;
  from?: string;
  to?: string;
  requestId?: string;
};

const { companyId: _, figures: parameters, ...columns } = getTableColumns(refusals);

const keyExpired = sql<boolean>`${refusals.code} = 'key_rejected' and case
  when ${apiKeys.revokedAt} is null then ${apiKeys.id} is not null
  else ${apiKeys.expiresAt} <= ${apiKeys.revokedAt} and ${refusals.at} < date_trunc('milliseconds', ${apiKeys.revokedAt})
  end is true`;

/** Reads the newest rejected requests of the owner's company that meet a condition over `refusals`. */
export async function readRejectedRequests({ companyId }: Owner, condition: SQL | undefined, limit: number) {
  return db()
    .select({ ...columns, parameters, keyName: apiKeys.name, keyExpired })
    .from(refusals)
    .leftJoin(apiKeys, byId(apiKeys, { companyId }, refusals.keyId))
    .where(and(eq(refusals.companyId, companyId), condition))
    .orderBy(desc(refusals.id))
    .limit(limit);
}

/** Rejected requests within the retention time, newest first: at most `limit`, older than row `before`. */
export async function listRejectedRequests(
  owner: Owner,
  filter: RejectedRequestFilter,
  { before, limit = 50 }: { before?: number; limit?: number } = {},
) {
  const isOlder = before === undefined ? undefined : lt(refusals.id, before);
  const isOfRequest = filter.requestId === undefined ? undefined : eq(refusals.requestId, filter.requestId);
  const rows = await readRejectedRequests(owner, and(passes(owner, filter, refusals), isOfRequest, isOlder), limit + 1);
  return { refusals: rows.slice(0, limit), hasMore: rows.length > limit };
}

type Columns = { at: AnyPgColumn; keyId: AnyPgColumn; code: AnyPgColumn };

// Whether a row is within the retention time and passes the filter, except for its request id.
function passes({ companyId, timeZone }: Owner, { key, code, from, to }: RejectedRequestFilter, row: Columns) {
  const days = db().select({ days: companies.keepRefusalsDays }).from(companies).where(eq(companies.id, companyId));
  return and(
    sql`${row.at} > now() - ${days} * interval '1 day'`,
    key === 'none' ? isNull(row.keyId) : key === undefined ? undefined : eq(row.keyId, key),
    code === undefined ? undefined : eq(row.code, code),
    from === undefined ? undefined : sql`${row.at} >= (${from}::date::timestamp at time zone ${timeZone})`,
    to === undefined ? undefined : sql`${row.at} < ((${to}::date + 1)::timestamp at time zone ${timeZone})`,
  );
}

/** Counts the rejected requests that pass the filter and have no row (call-log.ts). A request id finds none of them. */
export async function countNotKept(owner: Owner, { requestId, ...filter }: RejectedRequestFilter): Promise<number> {
  if (requestId !== undefined) return 0;
  const { hour: at, keyId, code } = refusalCounts;
  const [row] = await db()
    .select({ count: sql<number>`coalesce(sum(${refusalCounts.notKept}), 0)::float8` })
    .from(refusalCounts)
    .where(and(eq(refusalCounts.companyId, owner.companyId), passes(owner, filter, { at, keyId, code })));
  return row?.count ?? 0;
}
