import { type Fragment, sql, sqlForCalls } from '#db/client.ts';
import { withDeadline } from '#db/deadline.ts';
import { wasRolledBack } from '#db/driver/errors.ts';
import { cacheStatementText } from '#db/statement-text.ts';
import { makeBatchQueue } from '#platform/queues/batch-queue.ts';
import { requestsPerMinute } from '#server/keys/key-limits.ts';
import { isValidKey } from '#server/keys/validity.ts';
import type { ApiKey } from '#server/principals.ts';

/**
 * A counted request of a valid key. `used` is the number of requests in the key's window, this one
 * included; 61 means over the limit. `endsIn` is the rest of the window in seconds, 1 to 60.
 */
export type CountedKey = { key: ApiKey; used: number; endsIn: number };

/** The columns of a valid key. */
export type KeyRow = { companyId: number; companyName: string; id: number; name: string };

export const asApiKey = ({ companyId, companyName, id, name }: KeyRow): ApiKey => ({
  kind: 'key',
  companyId,
  companyName,
  id,
  name,
});

/** Different fingerprints (SHA-256 in hex), and the number of requests of each. */
type Callers = { callers: string[]; requests: number[] };

/** Groups the requests of a batch by their fingerprints. `nths`: which request of its key each is, from 1. */
export function groupCallers(fingerprints: string[]): Callers & { nths: number[] } {
  const requests = new Map<string, number>();
  const nths = fingerprints.map((fingerprint) => {
    const nth = (requests.get(fingerprint) ?? 0) + 1;
    requests.set(fingerprint, nth);
    return nth;
  });
  return { callers: [...requests.keys()], requests: [...requests.values()], nths };
}

/**
 * The beginning of a statement: the CTEs `caller` (the valid keys of these fingerprints) and
 * `counted` (their windows, after all their requests were counted). A window starts with the key's
 * first request and lasts 60 s, so waiting 60 s always helps (contract §4). The count is exact over
 * all processes on one database. Rows are ordered by key, so that two statements cannot deadlock.
 */
export const countCallers = ({ callers, requests }: Record<keyof Callers, Fragment>): Fragment => sql()`
  caller as (
    select k.company_id, k.id as key_id, k.name as key_name, c.name as company_name, asked.fingerprint, asked.requests
    from unnest(${callers}::text[], ${requests}::int[]) as asked (fingerprint, requests)
    join api_keys k on k.fingerprint = decode(asked.fingerprint, 'hex') and ${isValidKey()}
    join companies c on c.id = k.company_id
  ), counted as (
    insert into key_usage as usage (company_id, key_id, window_started_at, used)
    select company_id, key_id, now(), requests from caller order by company_id, key_id
    on conflict (company_id, key_id) do update set
      used = case
        when usage.window_started_at > now() - interval '60 s' and usage.window_started_at < now() + interval '60 s'
        then least(usage.used, ${requestsPerMinute}) + excluded.used else excluded.used end,
      window_started_at = case
        when usage.window_started_at > now() - interval '60 s' and usage.window_started_at < now() + interval '60 s'
        then usage.window_started_at else now() end
    returning company_id, key_id, used, least(60, ceil(extract(epoch from window_started_at - now()) + 60)::int) as ends_in
  )`;

/**
 * Finds the valid key with this fingerprint and counts one request; null when there is no such
 * key. Requests that arrive while others are counted share one statement.
 */
export async function authenticateAndCountKey(fingerprint: Buffer): Promise<CountedKey | null> {
  return countQueue(fingerprint.toString('hex'));
}

const countQueue = makeBatchQueue<string, CountedKey | null>({
  run: countRequests,
  isUndone: wasRolledBack,
  runAlone: async (fingerprint) => (await countRequests([fingerprint]))[0] ?? null,
});

type CountedRow = KeyRow & { fingerprint: string; requests: number; used: number; endsIn: number };

const runCount = cacheStatementText<Callers, CountedRow>(
  (values) => sql()`
    with ${countCallers(values)}
    select fingerprint, requests, company_id as "companyId", company_name as "companyName", key_id as id,
      key_name as name, used, ends_in as "endsIn"
    from caller join counted using (company_id, key_id)`,
);

async function countRequests(fingerprints: string[]): Promise<(CountedKey | null)[]> {
  const { nths, ...callers } = groupCallers(fingerprints);
  const rows = await withDeadline(() => runCount(sqlForCalls(), callers, null));
  const rowOf = new Map(rows.map((row) => [row.fingerprint, row]));
  return fingerprints.map((fingerprint, index) => {
    const row = rowOf.get(fingerprint);
    if (!row) return null;
    return { key: asApiKey(row), used: row.used - row.requests + (nths[index] ?? 1), endsIn: row.endsIn };
  });
}
