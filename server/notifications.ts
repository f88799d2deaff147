import { sql } from '#db/client.ts';
import type { ApiKey } from '#server/keys.ts';
import type { Kind } from '#server/notification-kind.ts';
import { pushToDevices } from '#server/push.ts';
import { makeTurns } from '#server/turns.ts';

/** A checked notification on its way out; `recipientId` 0 means every active employee. */
export type Draft = { recipientId: number; title: string; body: string; kind: Kind; url: string | null };

/** The caller's wish not to send twice: its `Idempotency-Key` and the SHA-256 of the checked fields. */
export type Once = { idempotencyKey: string; bodyHash: Buffer };

/** A send that is committed: its number in the company, how many people received it, and whether it was a replay. */
export type Sent = { reach: number; replayed: boolean };

type SendRow = {
  earlierHash: Buffer | null;
  earlierReach: number | null;
  numbered: boolean;
  keyActive: boolean;
  no: number | null;
  reach: number | null;
  hasDevices: boolean;
};

const largestId = 2_147_483_647;

// They wait for each other in the database anyway; here they wait without holding a connection.
const inTurn = makeTurns<number>(3);

/**
 * Sends a notification: the notification, its audit row, the wake-up of open portals and, with `once`, the
 * remembered answer, in one statement that is all or nothing (contract §7). `reach` is exact at the moment the
 * notification takes its number.
 *
 * Returns `'not-in-company'` when the recipient is nobody of the key's company, `'reused'` when the
 * idempotency key stands for another notification, `'revoked'` when the key was revoked in the meantime.
 */
export async function sendNotification(
  key: ApiKey,
  draft: Draft,
  requestId: string,
  once?: Once,
): Promise<Sent | 'not-in-company' | 'reused' | 'revoked'> {
  for (let attempt = 0; attempt < 5; attempt++) {
    const row = await inTurn(key.companyId, () => insertNotification(key, draft, requestId, once));
    if (row.earlierHash && row.earlierReach !== null)
      return row.earlierHash.equals(once?.bodyHash ?? Buffer.alloc(0))
        ? { reach: row.earlierReach, replayed: true }
        : 'reused';
    if (row.no !== null && row.reach !== null) {
      if (row.hasDevices && row.reach > 0) pushToDevices(key, row.no);
      return { reach: row.reach, replayed: false };
    }
    if (!row.numbered) return 'not-in-company';
    if (!row.keyActive) return 'revoked';
    // A twin with the same idempotency key committed while this one waited for the company: read its answer.
  }
  throw new Error('the answer of a twin could not be read');
}

/**
 * How it stays exact: `company` takes the company's row lock, which every change of who is active also takes.
 * `sender` and `target` are read after that wait and locked, so they show the newest state, not the
 * statement's snapshot. `earlier` is asked first; a twin that commits during the wait is found by `slot`.
 */
async function insertNotification(key: ApiKey, draft: Draft, requestId: string, once?: Once): Promise<SendRow> {
  const recipientId = Math.abs(draft.recipientId) > largestId ? -1 : draft.recipientId;
  const idempotencyKey = once?.idempotencyKey ?? null;
  const [row] = await sql()<SendRow[]>`
    with earlier as (
      select body_hash, reach from idempotency
      where company_id = ${key.companyId} and key_id = ${key.id} and idempotency_key = ${idempotencyKey}::text
        and created_at > now() - interval '24 hours'
    ), company as (
      update companies set last_no = last_no + 1
      where id = ${key.companyId} and not exists (select from earlier)
        and (${recipientId}::int = 0 or exists (
          select from employees where company_id = ${key.companyId} and id = ${recipientId}::int))
      returning id, last_no, active_employees
    ), sender as (
      select k.id, k.name from company join api_keys k on k.company_id = company.id
      where k.id = ${key.id} and k.revoked_at is null
      for share of k
    ), target as (
      select e.id, e.name, e.active from company join employees e on e.company_id = company.id
      where e.id = ${recipientId}::int
      for share of e
    ), reached as (
      select company.last_no as no, target.id as recipient_id, target.name as recipient_name, sender.name as key_name,
        case when ${recipientId}::int = 0 then company.active_employees else target.active::int end as reach
      from company join sender on true left join target on true
    ), slot as (
      insert into idempotency as old (company_id, key_id, idempotency_key, body_hash, reach)
      select ${key.companyId}, ${key.id}, ${idempotencyKey}::text, ${once?.bodyHash ?? null}::bytea, reach
      from reached where ${idempotencyKey}::text is not null
      on conflict (company_id, key_id, idempotency_key) do update
        set body_hash = excluded.body_hash, reach = excluded.reach, created_at = now()
        where old.created_at <= now() - interval '24 hours'
      returning 1
    ), notification as (
      insert into notifications (company_id, no, recipient_id, title, body, kind, url, reach, key_id)
      select ${key.companyId}, no, recipient_id, ${draft.title}, ${draft.body}, ${draft.kind}, ${draft.url}::text, reach, ${key.id}
      from reached where ${idempotencyKey}::text is null or exists (select from slot)
      returning no, recipient_id, reach
    ), audit as (
      insert into audit_log (company_id, actor_kind, actor_id, actor_name, action, details, request_id, key_id, employee_id)
      select ${key.companyId}, 'key', ${key.id}, key_name, 'notification.send', jsonb_build_object(
        'no', no, 'recipientId', recipient_id, 'recipientName', recipient_name,
        'title', ${draft.title}::text, 'kind', ${draft.kind}::text, 'reach', reach), ${requestId}, ${key.id},
        recipient_id
      from reached where no in (select no from notification)
    ), wakeup as (
      select pg_notify('notifications', json_build_array(${key.companyId}::int, no, recipient_id)::text)
      from notification where reach > 0
    )
    select
      (select body_hash from earlier) as "earlierHash",
      (select reach from earlier) as "earlierReach",
      exists (select from company) as numbered,
      exists (select from sender) as "keyActive",
      (select no from notification) as no,
      exists (select from push_subscriptions where company_id = ${key.companyId}) as "hasDevices",
      (select reach from notification) as reach,
      (select count(*)::int from wakeup) as woken`;
  if (!row) throw new Error('the send answered nothing');
  return row;
}
