import { type Fragment, sql, sqlForCalls } from '#db/client.ts';
import { withDeadline } from '#db/deadline.ts';
import { wasRolledBack } from '#db/driver/errors.ts';
import { prepareStatement, type Value } from '#db/prepared.ts';
import { makeBatchQueue } from '#platform/queues/batch-queue.ts';
import { requestsPerMinute } from '#server/keys/limits.ts';
import { isValidKey } from '#server/keys/validity.ts';
import type { ApiKey } from '#server/principals.ts';

/**
 * A counted request of a valid key. `used` is the number of requests in the key's current window,
 * this one included; 61 means over the limit. `endsIn` is the rest of the window in seconds, 1 to
 * 60.
 */
export type CountedKey = { key: ApiKey; used: number; endsIn: number };

/** A row of `countedCallers`: the key, and its window after all requests of the statement. */
export type CountedRow = {
  fingerprint: string;
  companyId: number;
  companyName: string;
  id: number;
  name: string;
  used: number;
  endsIn: number;
};

/** The number of requests of each fingerprint (hex), and the place of each request: 1, 2, … */
type Callers = { asked: Map<string, number>; places: number[] };

/** Counts the requests of each fingerprint (SHA-256 in hex) in a batch. */
export function groupCallers(fingerprints: string[]): Callers {
  const asked = new Map<string, number>();
  const places = fingerprints.map((fingerprint) => {
    const place = (asked.get(fingerprint) ?? 0) + 1;
    asked.set(fingerprint, place);
    return place;
  });
  return { asked, places };
}

/** The fingerprints and the number of requests of each. */
export type CallerValues = Record<'callers' | 'requests', Value>;

/** The values of `countCallers`: of one key (`isLone`), or arrays. */
export function callerValues({ asked }: Callers): { isLone: boolean; values: CallerValues } {
  const [[callers = '', ...others], [requests = 0]] = [[...asked.keys()], [...asked.values()]];
  if (others.length === 0) return { isLone: true, values: { callers, requests } };
  return { isLone: false, values: { callers: [...asked.keys()], requests: [...asked.values()] } };
}

/**
 * The beginning of a statement: the CTEs `caller` (the valid keys of these fingerprints) and
 * `counted` (their windows, after all their requests were counted). A window starts with the key's
 * first request and lasts 60 s, so waiting 60 s always helps (contract §4). The count is exact over
 * all processes on one database. Rows are ordered by key, so that two statements cannot deadlock.
 */
export function countCallers({ callers, requests }: CallerValues, isLone: boolean): Fragment {
  // PostgreSQL needs less time for one row of constants, without an order, than for a function.
  const rows = isLone
    ? sql()`(values (${callers}::text, ${requests}::int))`
    : sql()`unnest(${callers}::text[], ${requests}::int[])`;
  const order = isLone ? sql()`` : sql()`order by company_id, key_id`;
  return sql()`
  caller as (
    select k.company_id, k.id as key_id, k.name as key_name, c.name as company_name, asked.fingerprint, asked.requests
    from ${rows} as asked (fingerprint, requests)
    join api_keys k on k.fingerprint = decode(asked.fingerprint, 'hex') and ${isValidKey()}
    join companies c on c.id = k.company_id
  ), counted as (
    insert into key_usage as usage (company_id, key_id, window_started_at, used)
    select company_id, key_id, now(), requests from caller ${order}
    on conflict (company_id, key_id) do update set
      used = case
        when usage.window_started_at > now() - interval '60 s' and usage.window_started_at < now() + interval '60 s'
        then least(usage.used, ${requestsPerMinute}) + excluded.used else excluded.used end,
      window_started_at = case
        when usage.window_started_at > now() - interval '60 s' and usage.window_started_at < now() + interval '60 s'
        then usage.window_started_at else now() end
    returning company_id, key_id, used, least(60, ceil(extract(epoch from window_started_at - now()) + 60)::int) as ends_in
  )`;
}

/** The result of one request: `place` is its place among the requests of its key in the batch. */
export function asCountedKey(row: CountedRow, { asked }: Callers, place: number): CountedKey {
  const { fingerprint, companyId, companyName, id, name, used, endsIn } = row;
  const key: ApiKey = { kind: 'key', companyId, companyName, id, name };
  return { key, used: used - (asked.get(fingerprint) ?? 0) + place, endsIn };
}

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

const runCount = prepareStatement<CallerValues, boolean, CountedRow>(
  (values, isLone) => sql()`
    with ${countCallers(values, isLone)}
    select fingerprint, company_id as "companyId", company_name as "companyName", key_id as id, key_name as name, used,
      ends_in as "endsIn"
    from caller join counted using (company_id, key_id)`,
);

async function countRequests(fingerprints: string[]): Promise<(CountedKey | null)[]> {
  const callers = groupCallers(fingerprints);
  const { values, isLone } = callerValues(callers);
  const rows = await withDeadline(() => runCount(sqlForCalls(), values, isLone));
  const found = new Map(rows.map((row) => [row.fingerprint, row]));
  return fingerprints.map((fingerprint, at) => {
    const row = found.get(fingerprint);
    return row ? asCountedKey(row, callers, callers.places[at] ?? 1) : null;
  });
}
