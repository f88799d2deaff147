import { areStatementsPrepared, sql, sqlForCalls } from '#db/client.ts';
import { withDeadline } from '#db/deadline.ts';
import { wasRolledBack } from '#db/driver/errors.ts';
import { insertAudit } from '#server/audit/record.ts';
import { makeBatchQueue } from '#server/batch-queue.ts';
import {
  asCountedKey,
  authenticateAndCountKey,
  type Callers,
  type CountedKey,
  type CountedRow,
  countCallers,
  groupCallers,
} from '#server/keys/count.ts';
import { requestsPerMinute } from '#server/keys/limits.ts';
import { isValidKey } from '#server/keys/validity.ts';
import type { ApiKey } from '#server/principals.ts';
import { afterSend, asRecipientId, type Draft, type Once, type Sent, sendNotification } from '#server/sends/send.ts';

/** A counted request to send: what became of it. */
export type CountedSend = CountedKey & { outcome: Sent | 'over-limit' | 'not-in-company' | 'reused' | 'revoked' };

type Request = { fingerprint: string; draft: Draft; requestId: string; once?: Once };

type Row = CountedRow & {
  place: number;
  earlierHash: Buffer | null;
  earlierReach: number | null;
  recipientExists: boolean;
  no: number | null;
  reach: number | null;
  hasDevices: boolean;
};

/**
 * Authenticates a key by its fingerprint, counts the request and sends the notification, in one
 * statement with one commit. Returns null when there is no such valid key; then nothing is
 * counted. Nothing is sent over the limit. Requests that arrive while others are sent share one
 * statement; each has its own outcome. The statement waits for nobody: when the company, the key or
 * the recipient is locked at this moment, or when the statement fails, `sendNotification` sends
 * this one alone. `outcome` is as there. Throws when the database is out of reach.
 */
export async function countAndSend(
  fingerprint: Buffer,
  draft: Draft,
  requestId: string,
  once?: Once,
): Promise<CountedSend | null> {
  const request = { fingerprint: fingerprint.toString('hex'), draft, requestId, once };
  if (!areStatementsPrepared()) return countThenSend(request);
  const counted = await sendQueue(request);
  if (counted?.outcome !== 'busy') return counted as CountedSend | null;
  return { ...counted, outcome: await sendNotification(counted.key, draft, requestId, once) };
}

// Waits for locks and fails nobody else. Also used where PostgreSQL would plan the large statement
// anew each time, which takes longer than two small ones.
async function countThenSend({ fingerprint, draft, requestId, once }: Request): Promise<CountedSend | null> {
  const counted = await authenticateAndCountKey(Buffer.from(fingerprint, 'hex'));
  if (!counted) return null;
  if (counted.used > requestsPerMinute) return { ...counted, outcome: 'over-limit' };
  return { ...counted, outcome: await sendNotification(counted.key, draft, requestId, once) };
}

// Companies of keys that sent lately. A company never changes, and a missing entry only means that
// two statements may meet at one company.
const companies = new Map<string, number>();
const maxCompanies = 10_000;

const sendQueue = makeBatchQueue<Request, (CountedKey & { outcome: CountedSend['outcome'] | 'busy' }) | null>({
  run: sendTogether,
  isUndone: wasRolledBack,
  runAlone: countThenSend,
  idOf: ({ fingerprint, once }) => (once ? `${fingerprint} ${once.idempotencyKey}` : null),
  groupOf: ({ fingerprint }) => companies.get(fingerprint),
});

async function sendTogether(requests: Request[]) {
  const callers = groupCallers(requests.map(({ fingerprint }) => fingerprint));
  const rows = await withDeadline(() => insertNotifications(requests, callers));
  const found = new Map(rows.map((row) => [row.place, row]));
  return requests.map(({ fingerprint, draft, once }, at) => {
    const row = found.get(at + 1);
    if (!row) return null;
    const counted = asCountedKey(row, callers, callers.places[at] ?? 1);
    rememberCompany(fingerprint, counted.key);
    if (row.no !== null && row.reach !== null) afterSend(counted.key, draft, row.no, row.reach, row.hasDevices);
    return { ...counted, outcome: outcomeOf(row, counted, once) };
  });
}

function rememberCompany(fingerprint: string, { companyId }: ApiKey): void {
  if (companies.size >= maxCompanies) companies.clear();
  companies.set(fingerprint, companyId);
}

// In the order of contract §1: limit, then recipient, then the send.
function outcomeOf(row: Row, { used }: CountedKey, once: Once | undefined): CountedSend['outcome'] | 'busy' {
  if (used > requestsPerMinute) return 'over-limit';
  if (row.earlierReach !== null) {
    return once && row.earlierHash?.equals(once.bodyHash) ? { reach: row.earlierReach, replayed: true } : 'reused';
  }
  if (!row.recipientExists) return 'not-in-company';
  return row.reach === null ? 'busy' : { reach: row.reach, replayed: false };
}

/**
 * The statement. `draft` has a row for each request of a valid key, with the request's own count.
 * `sendable` are those within the limit that were not answered before and have a recipient.
 * `company` locks companies in the order of their ids and skips those that are locked. `ready` locks
 * keys and recipients after that, so they show the newest state and not the statement's snapshot.
 * `slot` detects a request with the same idempotency key that committed in between; then nothing is
 * inserted. A sendable request without a number met a lock. Each `lateral` looks for one row by its
 * whole key: with a plain join and old statistics, PostgreSQL reads all rows of a company.
 */
function insertNotifications(requests: Request[], callers: Callers): Promise<Row[]> {
  const drafts = requests.map(({ draft }) => draft);
  const auditEntries = sql()`
    select company_id, 'key', key_id, key_name, 'notification.send', jsonb_build_object(
      'no', no, 'recipientId', target_id, 'recipientName', target_name, 'title', title, 'kind', kind, 'reach', reach),
      request_id, key_id, target_id
    from made join notification using (company_id, no, reach) order by company_id, no`;
  return sqlForCalls()<Row[]>`
    with ${countCallers(callers)}, draft as (
      select d.place, d.title, d.body, d.kind, d.url, d.request_id, d.idempotency_key,
        decode(d.body_hash, 'hex') as body_hash, nullif(d.recipient_id, 0) as target_id, e.name as target_name,
        d.recipient_id = 0 or e.id is not null as recipient_exists, c.company_id, c.key_id, c.key_name,
        u.used - c.requests + d.nth as used, old.body_hash as earlier_hash, old.reach as earlier_reach
      from unnest(
        ${requests.map(({ fingerprint }) => fingerprint)}::text[], ${callers.places}::int[],
        ${drafts.map(asRecipientId)}::int[], ${drafts.map(({ title }) => title)}::text[],
        ${drafts.map(({ body }) => body)}::text[], ${drafts.map(({ kind }) => kind)}::text[],
        ${drafts.map(({ url }) => url)}::text[], ${requests.map(({ requestId }) => requestId)}::text[],
        ${requests.map(({ once }) => once?.idempotencyKey ?? null)}::text[],
        ${requests.map(({ once }) => once?.bodyHash.toString('hex') ?? null)}::text[]
      ) with ordinality as d (
        fingerprint, nth, recipient_id, title, body, kind, url, request_id, idempotency_key, body_hash, place)
      join caller c on c.fingerprint = d.fingerprint
      join counted u on u.company_id = c.company_id and u.key_id = c.key_id
      left join lateral (
        select i.body_hash, i.reach from idempotency i
        where i.company_id = c.company_id and i.key_id = c.key_id and i.idempotency_key = d.idempotency_key
          and i.created_at > now() - interval '24 hours' limit 1
      ) old on true
      left join lateral (
        select e.id, e.name from employees e where e.company_id = c.company_id and e.id = d.recipient_id limit 1
      ) e on true
    ), sendable as (
      select * from draft where used <= ${requestsPerMinute} and earlier_reach is null and recipient_exists
    ), company as (
      select id, active_employees, must_confirm_kinds from companies
      where id in (select company_id from sendable) order by id for no key update skip locked
    ), ready as (
      select d.*, k.must_confirm or d.kind = any(c.must_confirm_kinds) as must_confirm,
        case when d.target_id is null then c.active_employees else e.active::int end as reach,
        row_number() over (partition by d.company_id order by d.place) as nth,
        count(*) over (partition by d.company_id) as sends
      from sendable d
      join company c on c.id = d.company_id
      cross join lateral (
        select k.must_confirm from api_keys k
        where k.company_id = c.id and k.id = d.key_id and ${isValidKey()} for share skip locked
      ) k
      left join lateral (
        select e.active from employees e where e.company_id = c.id and e.id = d.target_id for share skip locked
      ) e on true
      where d.target_id is null or e.active is not null
    ), numbered as (
      update companies set last_no = last_no + ready.sends from ready where companies.id = ready.company_id and ready.nth = 1
      returning companies.id, companies.last_no
    ), made as (
      select ready.*, numbered.last_no - ready.sends + ready.nth as no from ready join numbered on numbered.id = ready.company_id
    ), slot as (
      insert into idempotency as old (company_id, key_id, idempotency_key, body_hash, reach)
      select company_id, key_id, idempotency_key, body_hash, reach from made where idempotency_key is not null
      on conflict (company_id, key_id, idempotency_key) do update
        set body_hash = excluded.body_hash, reach = excluded.reach, created_at = now()
        where old.created_at <= now() - interval '24 hours'
      returning company_id, key_id, idempotency_key
    ), notification as (
      insert into notifications (company_id, no, recipient_id, title, body, kind, url, reach, key_id, must_confirm)
      select company_id, no, target_id, title, body, kind, url, reach, key_id, must_confirm from made
      where idempotency_key is null or (company_id, key_id, idempotency_key) in (select * from slot)
      returning company_id, no, reach
    ), audit as (
      ${insertAudit(auditEntries)}
    )
    select d.place::int, c.fingerprint, c.company_id as "companyId", c.company_name as "companyName", c.key_id as id,
      c.key_name as name, u.used, u.ends_in as "endsIn", d.earlier_hash as "earlierHash", d.earlier_reach as "earlierReach",
      d.recipient_exists as "recipientExists", n.no, n.reach,
      exists (select from push_subscriptions p where p.company_id = d.company_id) as "hasDevices"
    from draft d
    join caller c using (company_id, key_id)
    join counted u using (company_id, key_id)
    left join made m on m.place = d.place
    left join notification n on n.company_id = m.company_id and n.no = m.no`;
}
