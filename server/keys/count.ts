import { cacheStatement, sqlForCalls, withDeadline } from '#db/client.ts';
import { wasRolledBack } from '#db/driver/errors.ts';
import { sql } from '#db/drizzle.cjs';
import { makeBatchQueue } from '#platform/queues.ts';
import { requestsPerMinute } from '#server/keys/key-limits.ts';
import type { ApiKey } from '#server/principals.ts';

/**
 * A counted request of a valid key. `used` is the number of requests in the key's window, this one
 * included; 61 means over the limit. `endsIn` is the rest of the window in seconds, 1 to 60.
 */
export type CountedKey = { key: ApiKey; used: number; endsIn: number };

/** What `count_request_1` returns for a request of a valid key, the `index`-th of the statement's, from 1. */
export type CountedRow = Omit<ApiKey, 'kind'> & Omit<CountedKey, 'key'> & { index: number };

/** The columns of a `CountedRow`, of a function's result `r` and its place `index` in a list. */
export const countedColumns = sql`index::int, r._company_id as "companyId", r._company_name as "companyName",
  r._key_id as id, r._key_name as name, r._used as used, r._ends_in as "endsIn"`;

export const asCountedKey = ({ companyId, companyName, id, name, used, endsIn }: CountedRow): CountedKey => ({
  key: { kind: 'key', companyId, companyName, id, name },
  used,
  endsIn,
});

/**
 * The items in the order of their fingerprints (SHA-256 in hex). Each request locks the row that counts its key until
 * the statement's commit: in this order, two statements cannot deadlock.
 */
export const inLockOrder = <Item extends { fingerprint: string }>(items: Item[]): Item[] =>
  items.toSorted(
    (one, other) => Number(one.fingerprint > other.fingerprint) - Number(one.fingerprint < other.fingerprint),
  );

/** Finds the valid key with this fingerprint, or null, and counts one request; concurrent ones share a statement. */
export const authenticateAndCountKey = (fingerprint: Buffer): Promise<CountedKey | null> =>
  countQueue({ fingerprint: fingerprint.toString('hex') });

const countQueue = makeBatchQueue<{ fingerprint: string }, CountedKey | null>({
  run: countRequests,
  isUndone: wasRolledBack,
  runAlone: async (request) => (await countRequests([request]))[0] ?? null,
});

// As text: the builder has no list of parameters with their places. The functions are in db/migrations/0003.
const countTogether = cacheStatement<{ fingerprints: string[] }, CountedRow>(
  ({ fingerprints }) => sql`
    select ${countedColumns}
    from unnest(${fingerprints}::text[]) with ordinality as asked (fingerprint, index)
    cross join lateral count_request_1(decode(fingerprint, 'hex'), ${requestsPerMinute}) r`,
);

async function countRequests(requests: { fingerprint: string }[]): Promise<(CountedKey | null)[]> {
  const ordered = inLockOrder(requests);
  const fingerprints = ordered.map(({ fingerprint }) => fingerprint);
  const rows = await withDeadline(() => countTogether(sqlForCalls(), { fingerprints }, null));
  const counted = new Map(rows.map((row) => [ordered[row.index - 1], asCountedKey(row)]));
  return requests.map((request) => counted.get(request) ?? null);
}
