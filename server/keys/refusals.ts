import { sql } from '#db/client.ts';
import type { Owner } from '#server/principals.ts';

/**
 * A refused call of the public interface. `keyId` is null when it came without a key; `more` is how
 * many of the same second, key and reason have no row of their own. `code` and `field` are those of
 * the answer.
 */
export type Refused = {
  id: number;
  at: Date;
  requestId: string;
  keyId: number | null;
  keyName: string | null;
  code: string;
  field: string | null;
  figures: Record<string, number | string> | null;
  operation: string;
  address: string;
  client: string;
  more: number;
};

/**
 * Which refused calls: of one key (`none`: without one), for one reason, of one day in the
 * company's time zone, with one request id.
 */
export type RefusalFilter = { key?: number | 'none'; code?: string; day?: string; requestId?: string };

/** The columns of a `Refused`, for statements that read from `refusals r` and `api_keys k`. */
export const refusedColumns = () => sql()`
  r.id, r.at, r.request_id as "requestId", r.key_id as "keyId", k.name as "keyName", r.code, r.field, r.figures, r.operation,
  r.address, r.client, r.more`;

/**
 * The refused calls that the owner's company keeps, newest first: up to `limit` older than row
 * `before`, and whether there are more.
 */
export async function listRefusals(
  owner: Owner,
  filter: RefusalFilter,
  { before, limit = 50 }: { before?: number; limit?: number } = {},
): Promise<{ refusals: Refused[]; more: boolean }> {
  const rows = await sql()<Refused[]>`
    select ${refusedColumns()}
    from (
      select * from refusals r
      where r.company_id = ${owner.companyId} and r.at > now() - (select keep_refusals_days from companies where id = ${owner.companyId}) * interval '1 day'
      ${before === undefined ? sql()`` : sql()`and r.id < ${before}`} ${asConditions(owner, filter)}
      order by r.id desc limit ${limit + 1}
    ) r left join api_keys k on k.company_id = ${owner.companyId} and k.id = r.key_id
    order by r.id desc`;
  return { refusals: rows.slice(0, limit), more: rows.length > limit };
}

function asConditions({ timeZone }: Owner, { key, code, day, requestId }: RefusalFilter) {
  const none = sql()``;
  const keyCondition = key === 'none' ? sql()`and r.key_id is null` : sql()`and r.key_id = ${key ?? 0}`;
  const start = sql()`(${day ?? null}::date::timestamp at time zone ${timeZone})`;
  const end = sql()`((${day ?? null}::date + 1)::timestamp at time zone ${timeZone})`;
  return sql()`
    ${key === undefined ? none : keyCondition}
    ${code === undefined ? none : sql()`and r.code = ${code}`}
    ${day === undefined ? none : sql()`and r.at >= ${start} and r.at < ${end}`}
    ${requestId === undefined ? none : sql()`and r.request_id = ${requestId}::uuid`}`;
}

const pageOfAll = 1000;

/** Every refused call that fits the filter, newest first, read page by page. */
export async function* readRefusals(owner: Owner, filter: RefusalFilter): AsyncGenerator<Refused> {
  for (let before: number | undefined; ; ) {
    const { refusals, more } = await listRefusals(owner, filter, { before, limit: pageOfAll });
    yield* refusals;
    before = refusals.at(-1)?.id;
    if (!more) return;
  }
}
