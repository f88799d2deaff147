import {
  areStatementsPrepared,
  type Fragment,
  type Sql,
  sql,
  sqlForCalls,
  sqlForSends,
  type Transaction,
} from '#db/client.ts';
import { lockCompanyRow } from '#db/company-row.ts';
import { withDeadline } from '#db/deadline.ts';
import { wasRolledBack } from '#db/driver/errors.ts';
import { prepareStatement, type Value } from '#db/prepared.ts';
import { makeBatchQueue } from '#platform/queues/batch-queue.ts';
import { makeGroupQueue } from '#platform/queues/queue.ts';
import {
  asCountedKey,
  authenticateAndCountKey,
  type CallerValues,
  type CountedKey,
  type CountedRow,
  callerValues,
  countCallers,
  groupCallers,
} from '#server/keys/count.ts';
import { requestsPerMinute } from '#server/keys/limits.ts';
import type { OneOrEveryone } from '#server/notifications/audience.ts';
import type { ApiKey } from '#server/principals.ts';
import {
  afterSend,
  type DraftText,
  draftNames,
  selectDraft,
  storeByKeys,
  textColumns,
  valuesOf,
} from '#server/sends/store.ts';

/** A notification of a key. */
export type KeyDraft = DraftText & { recipients: OneOrEveryone };

/** Makes a send idempotent: its `Idempotency-Key` and the SHA-256 of the checked fields. */
export type Once = { idempotencyKey: string; bodyHash: Buffer };

/** A committed send. `reach`: number of recipients. `replayed`: an earlier request sent it. */
export type Sent = { reach: number; replayed: boolean };

type Outcome = Sent | 'not-in-company' | 'reused' | 'revoked';

/** A counted request to send: what became of it. */
export type CountedSend = CountedKey & { outcome: Outcome | 'over-limit' };

type Request = { fingerprint: string; draft: KeyDraft; requestId: string; once?: Once };

type Row = CountedRow & {
  place: number;
  earlierHash?: Buffer | null;
  earlierReach?: number | null;
  recipientExists: boolean;
  isReady: boolean;
  no: number | null;
  reach: number | null;
  hasDevices: boolean;
};

/**
 * Authenticates a key by its fingerprint, counts the request and sends the notification, in one
 * statement with one commit. Returns null when there is no such valid key; then nothing is counted.
 * Nothing is sent over the limit. Requests that arrive while others are sent share one statement;
 * each has its own outcome. The statement waits for nobody: when the company, the key or the
 * recipient is locked at this moment, or when the statement fails, `sendNotification` sends this
 * one alone, with the same outcomes. Throws when the database is out of reach.
 */
export async function countAndSend(
  fingerprint: Buffer,
  draft: KeyDraft,
  requestId: string,
  once?: Once,
): Promise<CountedSend | null> {
  const request = { fingerprint: fingerprint.toString('hex'), draft, requestId, once };
  if (!areStatementsPrepared()) return countThenSend(request);
  const counted = await batchQueue(request);
  if (counted?.outcome !== 'busy') return counted as CountedSend | null;
  return { ...counted, outcome: await sendNotification(counted.key, draft, requestId, once) };
}

// Waits for locks and cannot fail other sends. Also used where PostgreSQL would plan the large
// statement anew each time, which takes longer than two small ones.
async function countThenSend({ fingerprint, draft, requestId, once }: Request): Promise<CountedSend | null> {
  const counted = await authenticateAndCountKey(Buffer.from(fingerprint, 'hex'));
  if (!counted) return null;
  if (counted.used > requestsPerMinute) return { ...counted, outcome: 'over-limit' };
  return { ...counted, outcome: await sendNotification(counted.key, draft, requestId, once) };
}

// The companies of keys that sent recently. The company of a key never changes. Without an entry
// two statements may meet at one company.
const companies = new Map<string, number>();
const maxCompanies = 10_000;

const batchQueue = makeBatchQueue<Request, (CountedKey & { outcome: CountedSend['outcome'] | 'busy' }) | null>({
  run: sendTogether,
  isUndone: wasRolledBack,
  runAlone: countThenSend,
  idOf: ({ fingerprint, once }) => (once ? `${fingerprint} ${once.idempotencyKey}` : null),
  groupOf: ({ fingerprint }) => companies.get(fingerprint),
});

async function sendTogether(requests: Request[]) {
  const callers = groupCallers(requests.map(({ fingerprint }) => fingerprint));
  const { values, isLone } = callerValues(callers);
  const insert = () =>
    insertNotifications(sqlForCalls(), requests, callers.places, values, { locks: 'skips', isLoneKey: isLone });
  const rows = new Map((await withDeadline(insert)).map((row) => [row.place, row]));
  return requests.map(({ fingerprint, draft, once }, index) => {
    const row = rows.get(index + 1);
    if (!row) return null;
    const counted = asCountedKey(row, callers, callers.places[index] ?? 1);
    rememberCompany(fingerprint, counted.key);
    // In the order of contract §1: limit, then recipient, then the send.
    if (counted.used > requestsPerMinute) return { ...counted, outcome: 'over-limit' as const };
    return { ...counted, outcome: outcomeOf(row, counted.key, draft, once) ?? ('busy' as const) };
  });
}

function rememberCompany(fingerprint: string, { companyId }: ApiKey): void {
  if (companies.size >= maxCompanies) companies.clear();
  companies.set(fingerprint, companyId);
}

const maxAttempts = 5;

// Sends of one company wait for its row anyway. Here they wait without a connection.
const companyQueue = makeGroupQueue<number>(3);

/**
 * Sends a notification of a key that is authenticated and counted. One statement writes the
 * notification, its audit entry and, with `once`, the answer to remember: all or nothing (contract
 * §7). Open portals are told after the commit. Returns `'not-in-company'` when the company has no
 * such recipient, `'reused'` when the idempotency key belongs to another notification, and
 * `'revoked'` when the key was revoked in the meantime.
 */
export async function sendNotification(key: ApiKey, draft: KeyDraft, requestId: string, once?: Once): Promise<Outcome> {
  const request = { fingerprint: '', draft, requestId, once };
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const [row] = await companyQueue(key.companyId, () => insertAlone(key, request));
    if (!row) throw new Error('the send returned no row');
    const outcome = outcomeOf(row, key, draft, once);
    if (outcome) return outcome;
    if (!row.isReady) return 'revoked';
    // A request with the same idempotency key committed while this one waited for the company's
    // row. The next attempt finds it.
  }
  throw new Error('the result of the request with the same idempotency key could not be read');
}

// Waits for the company's row in a statement of its own. PostgreSQL would end one of two sends that wait
// and then change the row in one statement: the change starts at the version that the statement's
// snapshot shows, whose lock the other one holds.
async function insertAlone(key: ApiKey, request: Request): Promise<Row[]> {
  const { companyId, companyName, id, name } = key;
  const [, rows] = await sqlForSends().begin((tx) => [
    lockCompanyRow(tx, key),
    insertNotifications(tx, [request], [1], { companyId, companyName, keyId: id, keyName: name }, { locks: 'waits' }),
  ]);
  return rows;
}

// In place of `countCallers`.
const countedCaller = ({ companyId, companyName, keyId, keyName }: KnownKey) => sql()`
  caller as not materialized (
    select ${companyId}::int as company_id, ${keyId}::int as key_id, ${keyName}::text as key_name,
      ${companyName}::text as company_name, '' as fingerprint, 1 as requests
  ), counted as not materialized (
    select ${companyId}::int as company_id, ${keyId}::int as key_id, 1 as used, 60 as ends_in
  )`;

// Null when it is not stored and was not before.
function outcomeOf(row: Row, key: ApiKey, { recipients }: KeyDraft, once: Once | undefined): Outcome | null {
  const { earlierHash, earlierReach, recipientExists, no, reach, hasDevices } = row;
  if (typeof earlierReach === 'number')
    return once && earlierHash?.equals(once.bodyHash) ? { reach: earlierReach, replayed: true } : 'reused';
  if (!recipientExists) return 'not-in-company';
  if (no === null || reach === null) return null;
  afterSend(key, recipients, { no, reach, hasDevices });
  return { reach, replayed: false };
}

type KnownKey = Record<'companyId' | 'companyName' | 'keyId' | 'keyName', Value>;

// What counts the requests, or where the statement waits the key that they were counted for.
type Callers = CallerValues | KnownKey;

// `isOnce`: a request has an idempotency key. Without one, what belongs to it is left out.
type CallersShape = { locks: 'skips'; isLoneKey: boolean } | { locks: 'waits' };
type SendShape = CallersShape & { isOnce: boolean; isLone: boolean };

const valuesOfRequest = ({ draft, fingerprint, requestId, once }: Request, place: number) => ({
  ...valuesOf(draft),
  fingerprint,
  nth: place,
  requestId,
  onceKey: once?.idempotencyKey ?? null,
  hash: once?.bodyHash.toString('hex') ?? null,
});

type SendValues = Record<keyof ReturnType<typeof valuesOfRequest>, Value>;

async function insertNotifications(
  pool: Sql | Transaction,
  requests: Request[],
  places: number[],
  callers: Callers,
  shape: CallersShape,
): Promise<Row[]> {
  const isOnce = requests.some(({ once }) => once);
  const rows = requests.map((request, index) => valuesOfRequest(request, places[index] ?? 1));
  const [first, ...others] = rows;
  if (!first) return [];
  const names = Object.keys(first) as (keyof SendValues)[];
  const arrays = () => Object.fromEntries(names.map((name) => [name, rows.map((row) => row[name])])) as SendValues;
  const values = others.length === 0 ? first : arrays();
  return runInsert(pool, { ...values, ...callers }, { ...shape, isOnce, isLone: others.length === 0 });
}

// PostgreSQL needs less time for a row of constants than for a function.
function selectRequests(values: SendValues, isLone: boolean): Fragment {
  const many = isLone ? sql()`` : sql()`[]`;
  const { fingerprint, nth, requestId, onceKey, hash } = values;
  const columns = sql()`${selectDraft(values, many)}, ${fingerprint}::text${many}, ${nth}::int${many},
    ${requestId}::text${many}, ${onceKey}::text${many}, ${hash}::text${many}`;
  return isLone ? sql()`(values (${columns}, 1))` : sql()`unnest(${columns}) with ordinality`;
}

/**
 * The statement. It begins with the CTEs `caller` and `counted`. `draft` has a row for each request
 * of a valid key, with the request's own count. `sendable` are those within the limit that were not
 * answered before and have a recipient. A sendable request without a number met a lock, or, where
 * the statement waits, its key was revoked. Parts that look for one row by its whole key are
 * subqueries: with a plain join and old statistics, PostgreSQL reads all rows of a company.
 */
function selectSends(values: SendValues & Callers, shape: SendShape): Fragment {
  const { locks, isOnce, isLone } = shape;
  const ifOnce = (part: Fragment) => (isOnce ? part : sql()``);
  const callers =
    shape.locks === 'waits' ? countedCaller(values as KnownKey) : countCallers(values as CallerValues, shape.isLoneKey);
  return sql()`
    with ${callers}, draft as (
      select d.place, d.employee_id, ${textColumns(sql()`d.`)}, d.request_id, c.company_id, c.key_id, c.fingerprint,
        c.company_name, c.key_name, u.used as used_by_all, u.ends_in, u.used - c.requests + d.nth_of_key as used,
        d.employee_id is null or (
          select true from employees e where e.company_id = c.company_id and e.id = d.employee_id
        ) as recipient_exists
        ${ifOnce(sql()`, d.idempotency_key, decode(d.hash, 'hex') as body_hash, old.body_hash as earlier_hash, old.reach as earlier_reach`)}
      from ${selectRequests(values, isLone)}
        as d (${draftNames()}, fingerprint, nth_of_key, request_id, idempotency_key, hash, place)
      join caller c on c.fingerprint = d.fingerprint
      join counted u on u.company_id = c.company_id and u.key_id = c.key_id
      ${ifOnce(sql()`left join lateral (
        select i.body_hash, i.reach from idempotency i
        where i.company_id = c.company_id and i.key_id = c.key_id and i.idempotency_key = d.idempotency_key
          and i.created_at > now() - interval '24 hours' limit 1
      ) old on true`)}
    ), sendable as not materialized (
      select * from draft where used <= ${requestsPerMinute} and recipient_exists ${ifOnce(sql()`and earlier_reach is null`)}
    ), ${storeByKeys(locks, isOnce, isLone)}
    select d.place::int, d.fingerprint, d.company_id as "companyId", d.company_name as "companyName", d.key_id as id,
      d.key_name as name, d.used_by_all as used, d.ends_in as "endsIn",
      ${ifOnce(sql()`d.earlier_hash as "earlierHash", d.earlier_reach as "earlierReach",`)}
      coalesce(d.recipient_exists, false) as "recipientExists", m.no is not null as "isReady", n.no, m.reach,
      exists (select from push_subscriptions p where p.company_id = d.company_id) as "hasDevices"
    from draft d
    left join made m on m.place = d.place
    left join notification n on n.company_id = m.company_id and n.no = m.no`;
}

const runInsert = prepareStatement<SendValues & Callers, SendShape, Row>(selectSends);
