import { areStatementsPrepared, type Fragment, sql, sqlForCalls, sqlForSends } from '#db/client.ts';
import { lockCompanyRow } from '#db/company-row.ts';
import { withDeadline } from '#db/deadline.ts';
import { wasRolledBack } from '#db/driver/errors.ts';
import { makeBatchQueue } from '#platform/queues/batch-queue.ts';
import { makeGroupQueue } from '#platform/queues/queue.ts';
import {
  asApiKey,
  authenticateAndCountKey,
  type CountedKey,
  countCallers,
  groupCallers,
  type KeyRow,
} from '#server/keys/count.ts';
import { requestsPerMinute } from '#server/keys/key-limits.ts';
import type { OneOrEveryone } from '#server/notifications/audience.ts';
import type { ApiKey } from '#server/principals.ts';
import {
  afterSend,
  type DraftText,
  recipientOf,
  sendableColumns,
  storeByKeys,
  textColumns,
} from '#server/sends/store.ts';

/** A notification of a key. */
export type KeyDraft = DraftText & { recipients: OneOrEveryone };

/** Makes a send idempotent: its `Idempotency-Key` and the SHA-256 of the checked fields. */
export type IdempotencyClaim = { idempotencyKey: string; bodyHash: Buffer };

/** A committed send of a key. `reach`: number of recipients. `replayed`: an earlier request sent it. */
export type KeySend = { reach: number; replayed: boolean };

type SendOutcome = KeySend | 'not-in-company' | 'reused' | 'revoked';

/** A counted request to send: what became of it. */
export type CountedSend = CountedKey & { outcome: SendOutcome | 'over-limit' };

// `'busy'`: the request is counted, and goes alone.
type Counted = CountedKey & { outcome: CountedSend['outcome'] | 'busy' };

type SendRequest = { draft: KeyDraft; requestId: string; claim?: IdempotencyClaim | undefined };
type UncountedRequest = SendRequest & { fingerprint: string };

// A request of a valid key. `no` is null when nothing was stored for it.
type SendRow = KeyRow & {
  index: number;
  used: number;
  endsIn: number;
  earlierHash: Buffer | null;
  earlierReach: number | null;
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
 * each has its own outcome. When the company, the key or the recipient is locked at this moment, or
 * when the statement fails, `sendNotification` sends this one alone, with the same outcomes. Throws
 * when the database is out of reach.
 */
export async function countAndSend(
  fingerprint: Buffer,
  draft: KeyDraft,
  requestId: string,
  claim?: IdempotencyClaim,
): Promise<CountedSend | null> {
  const request = { fingerprint: fingerprint.toString('hex'), draft, requestId, claim };
  // Without prepared statements, planning the large one each time takes longer than two small ones.
  const counted = areStatementsPrepared() ? await sendQueue(request) : await countOnly(request);
  if (counted?.outcome !== 'busy') return counted as CountedSend | null;
  return { ...counted, outcome: await sendNotification(counted.key, draft, requestId, claim) };
}

// The companies of keys that sent recently. The company of a key never changes. Without an entry
// two statements may meet at one company.
const companies = new Map<string, number>();
const maxCompanies = 10_000;

const sendQueue = makeBatchQueue<UncountedRequest, Counted | null>({
  run: sendTogether,
  isUndone: wasRolledBack,
  runAlone: countOnly,
  idOf: ({ fingerprint, claim }) => (claim ? `${fingerprint} ${claim.idempotencyKey}` : null),
  groupOf: ({ fingerprint }) => companies.get(fingerprint),
});

async function countOnly({ fingerprint }: UncountedRequest): Promise<Counted | null> {
  const counted = await authenticateAndCountKey(Buffer.from(fingerprint, 'hex'));
  return counted && { ...counted, outcome: counted.used > requestsPerMinute ? 'over-limit' : 'busy' };
}

async function sendTogether(requests: UncountedRequest[]): Promise<(Counted | null)[]> {
  const fingerprints = requests.map(({ fingerprint }) => fingerprint);
  const { callers, requests: perCaller, nths } = groupCallers(fingerprints);
  const counted = countCallers({ callers: sql()`${callers}`, requests: sql()`${perCaller}` });
  const rows = await withDeadline(
    () => sqlForCalls()<SendRow[]>`${selectSends(counted, requests, { fingerprints, nths }, sql()`skip locked`)}`,
  );
  const rowOf = new Map(rows.map((row) => [row.index, row]));
  return requests.map(({ fingerprint, draft, claim }, index) => {
    const row = rowOf.get(index + 1);
    if (!row) return null;
    const key = asApiKey(row);
    if (companies.size >= maxCompanies) companies.clear();
    companies.set(fingerprint, key.companyId);
    const { used, endsIn } = row;
    // In the order of contract §1: limit, then recipient, then the send.
    const outcome = used > requestsPerMinute ? 'over-limit' : (outcomeOf(row, key, draft, claim) ?? 'busy');
    return { key, used, endsIn, outcome };
  });
}

const maxAttempts = 5;

// Sends of one company wait for its row anyway. Here they wait without a connection.
const companyQueue = makeGroupQueue<number>(3);

/**
 * Sends a notification of a key that is authenticated and counted. One statement writes the
 * notification, its audit entry and, with a `claim`, the answer to remember: all or nothing (contract
 * §7). Open portals are told after the commit. Returns `'not-in-company'` when the company has no
 * such recipient, `'reused'` when the idempotency key belongs to another notification, and
 * `'revoked'` when the key was revoked in the meantime.
 */
export async function sendNotification(
  key: ApiKey,
  draft: KeyDraft,
  requestId: string,
  claim?: IdempotencyClaim,
): Promise<SendOutcome> {
  const insert = () =>
    selectSends(countedCaller(key), [{ draft, requestId, claim }], { fingerprints: [''], nths: [1] });
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    // It waits for the company's row in a statement of its own. PostgreSQL would end one of two sends
    // that wait and then change the row in one statement: the change starts at the version that the
    // statement's snapshot shows, whose lock the other one holds.
    const [, [row]] = await companyQueue(key.companyId, () =>
      sqlForSends().begin((tx) => [lockCompanyRow(tx, key), tx<SendRow[]>`${insert()}`]),
    );
    if (!row) throw new Error('the send returned no row');
    const outcome = outcomeOf(row, key, draft, claim);
    if (outcome) return outcome;
    if (!row.isReady) return 'revoked';
    // A request with the same idempotency key committed while this one waited for the company's
    // row. The next attempt finds it.
  }
  throw new Error('the result of the request with the same idempotency key could not be read');
}

// In place of `countCallers`.
const countedCaller = ({ companyId, companyName, id, name }: ApiKey) => sql()`
  caller as not materialized (
    select ${companyId}::int as company_id, ${id}::int as key_id, ${name}::text as key_name,
      ${companyName}::text as company_name, '' as fingerprint, 1 as requests
  ), counted as not materialized (
    select ${companyId}::int as company_id, ${id}::int as key_id, 1 as used, 60 as ends_in
  )`;

// Null when it is not stored and was not before.
function outcomeOf(
  { earlierHash, earlierReach, recipientExists, no, reach, hasDevices }: SendRow,
  key: ApiKey,
  { recipients }: KeyDraft,
  claim: IdempotencyClaim | undefined,
): SendOutcome | null {
  if (earlierReach !== null)
    return claim && earlierHash?.equals(claim.bodyHash) ? { reach: earlierReach, replayed: true } : 'reused';
  if (!recipientExists) return 'not-in-company';
  if (no === null || reach === null) return null;
  afterSend(key, recipients, { no, reach, hasDevices });
  return { reach, replayed: false };
}

/**
 * The statement. It begins with the CTEs `caller` and `counted`. `draft` has a row for each request
 * of a valid key, with the request's own count. `sendable` are those within the limit that were not
 * answered before and have a recipient. A sendable request without a number met a lock, or, where
 * the statement waits, its key was revoked. Parts that look for one row by its whole key are
 * subqueries: with a plain join and old statistics, PostgreSQL reads all rows of a company.
 */
function selectSends(
  counted: Fragment,
  requests: SendRequest[],
  { fingerprints, nths }: { fingerprints: string[]; nths: number[] },
  lock = sql()``,
): Fragment {
  const drafts = requests.map(({ draft }) => draft);
  const claims = requests.map(({ claim }) => claim);
  return sql()`
    with ${counted}, draft as (
      select d.index, d.employee_id, ${textColumns(sql()`d.`)}, d.request_id, c.company_id, c.key_id, c.company_name,
        c.key_name, u.ends_in, u.used - c.requests + d.nth_of_key as used,
        d.employee_id is null or (
          select true from employees e where e.company_id = c.company_id and e.id = d.employee_id
        ) as recipient_exists,
        d.idempotency_key, decode(d.hash, 'hex') as body_hash, old.body_hash as earlier_hash, old.reach as earlier_reach
      from unnest(${drafts.map(recipientOf)}::int[], ${drafts.map(({ title }) => title)}::text[],
        ${drafts.map(({ body }) => body)}::text[], ${drafts.map(({ kind }) => kind)}::text[],
        ${drafts.map(({ url }) => url)}::text[], ${fingerprints}::text[], ${nths}::int[],
        ${requests.map(({ requestId }) => requestId)}::text[],
        ${claims.map((claim) => claim?.idempotencyKey ?? null)}::text[],
        ${claims.map((claim) => claim?.bodyHash.toString('hex') ?? null)}::text[]) with ordinality
        as d (${sendableColumns()}, fingerprint, nth_of_key, request_id, idempotency_key, hash, index)
      join caller c on c.fingerprint = d.fingerprint
      join counted u on u.company_id = c.company_id and u.key_id = c.key_id
      left join lateral (
        select i.body_hash, i.reach from idempotency i
        where i.company_id = c.company_id and i.key_id = c.key_id and i.idempotency_key = d.idempotency_key
          and i.created_at > now() - interval '24 hours' limit 1
      ) old on true
    ), sendable as not materialized (
      select * from draft where used <= ${requestsPerMinute} and recipient_exists and earlier_reach is null
    ), ${storeByKeys(lock)}
    select d.index::int, d.company_id as "companyId", d.company_name as "companyName", d.key_id as id,
      d.key_name as name, d.used, d.ends_in as "endsIn", d.earlier_hash as "earlierHash",
      d.earlier_reach as "earlierReach", coalesce(d.recipient_exists, false) as "recipientExists",
      m.no is not null as "isReady", n.no, m.reach,
      exists (select from push_subscriptions p where p.company_id = d.company_id) as "hasDevices"
    from draft d
    left join made m on m.index = d.index
    left join notification n on n.company_id = m.company_id and n.no = m.no`;
}
