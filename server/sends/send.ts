import { sql, sqlForSends } from '#db/client.ts';
import { meters } from '#server/meters.ts';
import type { Kind } from '#server/notifications/kinds.ts';
import type { ApiKey, Owner } from '#server/principals.ts';
import { pushToDevices } from '#server/push/push.ts';
import { makeGroupQueue } from '#server/queue.ts';
import { newRequestId } from '#server/request-id.ts';

/** A checked notification on its way out; `recipientId` 0 means every active employee. */
export type Draft = { recipientId: number; title: string; body: string; kind: Kind; url: string | null };

/** The caller's wish not to send twice: its `Idempotency-Key` and the SHA-256 of the checked fields. */
export type Once = { idempotencyKey: string; bodyHash: Buffer };

/** A send that is committed: its number in the company, how many people received it, and whether it was a replay. */
export type Sent = { reach: number; replayed: boolean };

/**
 * A notification an owner writes by hand: `draftId` (a UUID) is the same however often one draft is submitted, `mustConfirm` demands a
 * confirmation also where no rule does.
 */
export type DraftByHand = Draft & { draftId: string; mustConfirm: boolean };

type Wish = { once?: Once; draftId?: string; mustConfirm?: boolean };
type SendRow = {
  earlierHash: Buffer | null;
  earlierReach: number | null;
  earlierNo: number | null;
  numbered: boolean;
  senderActive: boolean;
  no: number | null;
  reach: number | null;
  hasDevices: boolean;
};

const largestId = 2_147_483_647;

// They wait for each other in the database anyway; here they wait without holding a connection.
const sendQueue = makeGroupQueue<number>(3);

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
    const row = await sendQueue(key.companyId, () => insertNotification(key, draft, requestId, { once }));
    if (row.earlierHash && row.earlierReach !== null)
      return row.earlierHash.equals(once?.bodyHash ?? Buffer.alloc(0))
        ? { reach: row.earlierReach, replayed: true }
        : 'reused';
    if (row.no !== null && row.reach !== null) {
      noteSent(key, draft, row.no, row.reach, row.hasDevices);
      return { reach: row.reach, replayed: false };
    }
    if (!row.numbered) return 'not-in-company';
    if (!row.senderActive) return 'revoked';
    // A twin with the same idempotency key committed while this one waited for the company: read its answer.
  }
  throw new Error('the answer of a twin could not be read');
}

/**
 * Sends a notification that an owner wrote, by the same statement as a key's. The same `draftId` again sends nothing and answers
 * what was sent first. Returns `'not-in-company'` when the recipient is nobody of the owner's company, `'revoked'` when they
 * are no owner any more.
 */
export async function sendByHand(
  owner: Owner,
  { draftId, mustConfirm, ...draft }: DraftByHand,
): Promise<{ no: number; reach: number } | 'not-in-company' | 'revoked'> {
  const requestId = newRequestId();
  for (let attempt = 0; attempt < 5; attempt++) {
    const row = await sendQueue(owner.companyId, () =>
      insertNotification(owner, draft, requestId, { draftId, mustConfirm }),
    );
    if (row.earlierNo !== null && row.earlierReach !== null) return { no: row.earlierNo, reach: row.earlierReach };
    if (row.no !== null && row.reach !== null) {
      noteSent(owner, draft, row.no, row.reach, row.hasDevices);
      return { no: row.no, reach: row.reach };
    }
    if (!row.numbered) return 'not-in-company';
    if (!row.senderActive) return 'revoked';
  }
  throw new Error('the first of two equal drafts could not be read');
}

// After the commit: nothing of it can undo the send.
function noteSent(sender: ApiKey | Owner, draft: Draft, no: number, reach: number, hasDevices: boolean): void {
  meters()?.count('sends', draft.recipientId === 0 ? 'everyone' : 'one');
  meters()?.count('recipients', undefined, reach);
  if (hasDevices && reach > 0) pushToDevices(sender, no);
}

// What differs between the two kinds of senders: where they are looked up, and how they are called afterwards.
function describeSender(sender: ApiKey | Owner, { once, draftId }: Wish) {
  const { companyId } = sender;
  if (sender.kind === 'owner')
    return {
      ...{ actorKind: 'account', keyId: null, accountId: sender.accountId, actorId: sender.accountId },
      earlier: sql()`select null::bytea as body_hash, reach, no from notifications
        where company_id = ${companyId} and draft_id = ${draftId ?? null}::uuid`,
      current: sql()`select k.id, k.name, false as must_confirm from company join accounts k on k.company_id = company.id
        where k.id = ${sender.accountId} and k.is_owner for share of k`,
    };
  return {
    ...{ actorKind: 'key', keyId: sender.id, accountId: null, actorId: sender.id },
    earlier: sql()`select body_hash, reach, null::bigint as no from idempotency
      where company_id = ${companyId} and key_id = ${sender.id} and idempotency_key = ${once?.idempotencyKey ?? null}::text
        and created_at > now() - interval '24 hours'`,
    current: sql()`select k.id, k.name, k.must_confirm from company join api_keys k on k.company_id = company.id
      where k.id = ${sender.id} and k.revoked_at is null for share of k`,
  };
}

/**
 * How it stays exact: `company` takes the company's row lock, which every change of who is active also takes.
 * `sender` and `target` are read after that wait and locked, so they show the newest state, not the
 * statement's snapshot. `earlier` is asked first; a twin that commits during the wait is found by `slot`. A wake-up for which
 * PostgreSQL has no room would undo the send; without it, the sweep finds the notification within 2 s.
 */
async function insertNotification(
  sender: ApiKey | Owner,
  draft: Draft,
  requestId: string,
  wish: Wish,
): Promise<SendRow> {
  const { companyId } = sender;
  const { once, draftId = null, mustConfirm = false } = wish;
  const { actorKind, keyId, accountId, actorId, earlier, current } = describeSender(sender, wish);
  const recipientId = Math.abs(draft.recipientId) > largestId ? -1 : draft.recipientId;
  const idempotencyKey = once?.idempotencyKey ?? null;
  const [row] = await sqlForSends()<SendRow[]>`
    with earlier as (
      ${earlier}
    ), company as (
      update companies set last_no = last_no + 1
      where id = ${companyId} and not exists (select from earlier)
        and (${recipientId}::int = 0 or exists (
          select from employees where company_id = ${companyId} and id = ${recipientId}::int))
      returning id, last_no, active_employees, must_confirm_kinds
    ), sender as (
      ${current}
    ), target as (
      select e.id, e.name, e.active from company join employees e on e.company_id = company.id
      where e.id = ${recipientId}::int
      for share of e
    ), reached as (
      select company.last_no as no, target.id as recipient_id, target.name as recipient_name, sender.name as sender_name,
        ${mustConfirm}::boolean or sender.must_confirm or ${draft.kind}::text = any(company.must_confirm_kinds) as must_confirm,
        case when ${recipientId}::int = 0 then company.active_employees else target.active::int end as reach
      from company join sender on true left join target on true
    ), slot as (
      insert into idempotency as old (company_id, key_id, idempotency_key, body_hash, reach)
      select ${companyId}, ${keyId}::int, ${idempotencyKey}::text, ${once?.bodyHash ?? null}::bytea, reach
      from reached where ${idempotencyKey}::text is not null
      on conflict (company_id, key_id, idempotency_key) do update
        set body_hash = excluded.body_hash, reach = excluded.reach, created_at = now()
        where old.created_at <= now() - interval '24 hours'
      returning 1
    ), notification as (
      insert into notifications
        (company_id, no, recipient_id, title, body, kind, url, reach, key_id, account_id, must_confirm, draft_id)
      select ${companyId}, no, recipient_id, ${draft.title}, ${draft.body}, ${draft.kind}, ${draft.url}::text, reach,
        ${keyId}::int, ${accountId}::int, must_confirm, ${draftId}::uuid
      from reached where ${idempotencyKey}::text is null or exists (select from slot)
      on conflict (company_id, draft_id) where draft_id is not null do nothing
      returning no, recipient_id, reach
    ), audit as (
      insert into audit_log (company_id, actor_kind, actor_id, actor_name, action, details, request_id, key_id, employee_id)
      select ${companyId}, ${actorKind}, ${actorId}::int, sender_name, 'notification.send', jsonb_build_object(
        'no', no, 'recipientId', recipient_id, 'recipientName', recipient_name,
        'title', ${draft.title}::text, 'kind', ${draft.kind}::text, 'reach', reach), ${requestId}, ${keyId}::int,
        recipient_id
      from reached where no in (select no from notification)
    ), wakeup as (
      select pg_notify('notifications', json_build_array(${companyId}::int, no, recipient_id)::text)
      from notification where reach > 0 and pg_notification_queue_usage() < 0.9
    )
    select
      (select body_hash from earlier) as "earlierHash",
      (select reach from earlier) as "earlierReach",
      (select no from earlier) as "earlierNo",
      exists (select from company) as numbered,
      exists (select from sender) as "senderActive",
      (select no from notification) as no,
      exists (select from push_subscriptions where company_id = ${companyId}) as "hasDevices",
      (select reach from notification) as reach,
      (select count(*)::int from wakeup) as woken`;
  if (!row) throw new Error('the send answered nothing');
  return row;
}
