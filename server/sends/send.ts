import { type Sql, sql, sqlForSends, type Transaction } from '#db/client.ts';
import { announce } from '#db/wake-ups.ts';
import { insertAudit } from '#server/audit/record.ts';
import { isValidKey } from '#server/keys/validity.ts';
import { meters } from '#server/meters.ts';
import type { Kind } from '#server/notifications/kinds.ts';
import type { ApiKey, Manager } from '#server/principals.ts';
import { pushToDevices } from '#server/push/push.ts';
import { makeGroupQueue } from '#server/queue.ts';
import { newRequestId } from '#server/request-id.ts';

/** A notification whose fields were checked. `recipientId` 0 means every active employee. */
export type Draft = { recipientId: number; title: string; body: string; kind: Kind; url: string | null };

/**
 * Makes a send of a key idempotent: its `Idempotency-Key`, and the SHA-256 of the checked fields.
 */
export type Once = { idempotencyKey: string; bodyHash: Buffer };

/** A committed send. `reach`: number of recipients. `replayed`: an earlier request sent it. */
export type Sent = { reach: number; replayed: boolean };

/**
 * A notification that a person wrote. `draftId` is a UUID; all submits of one draft have the same.
 * `mustConfirm` asks for a confirmation even where no rule does. At most one of a positive
 * `recipientId`, `toRoles` and `toPeople` names the recipients. With `toRoles` it is for everyone who
 * has one of these roles when it is sent, with `toPeople` for these employees. Otherwise it is for
 * everyone, and `recipientId` is 0.
 */
export type DraftByHand = Draft & {
  draftId: string;
  mustConfirm: boolean;
  toRoles: string[] | null;
  toPeople: number[] | null;
};

/** Options of a send: `once` from a key, `draftId` and `mustConfirm` from a manager. */
type SendOptions = { once?: Once; draftId?: string; mustConfirm?: boolean };

/** A send that is committed: by this request, or `isEarlier` by another one with the same id. */
type Committed = { no: number; reach: number; isEarlier: boolean; bodyHash: Buffer | null };

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
const maxAttempts = 5;

/** The recipient of a draft as an `int` of PostgreSQL. An id that is too large names nobody: -1. */
export const asRecipientId = ({ recipientId }: Draft): number => (Math.abs(recipientId) > largestId ? -1 : recipientId);

// Sends of one company wait for its row anyway. Here they wait without a connection.
const sendQueue = makeGroupQueue<number>(3);

/**
 * Sends a notification of a key. One statement writes the notification, its audit entry and, with
 * `once`, the answer to remember: all or nothing (contract §7). Open portals are told after the
 * commit. `reach` is exact at the moment when the notification takes its number.
 *
 * Returns `'not-in-company'` when the key's company has no such recipient, `'reused'` when the
 * idempotency key belongs to another notification, and `'revoked'` when the key was revoked in the
 * meantime. Throws when the database is out of reach.
 */
export async function sendNotification(
  key: ApiKey,
  draft: Draft,
  requestId: string,
  once?: Once,
): Promise<Sent | 'not-in-company' | 'reused' | 'revoked'> {
  const sent = await commit(key, draft, requestId, { once });
  if (typeof sent === 'string') return sent;
  if (sent.isEarlier && !(once && sent.bodyHash?.equals(once.bodyHash))) return 'reused';
  return { reach: sent.reach, replayed: sent.isEarlier };
}

/**
 * Sends a notification of an owner or manager to everyone or to one person, with the same
 * statement, see `sendByHand`.
 */
export async function commitSend(
  manager: Manager,
  draft: Draft,
  { draftId, mustConfirm }: Pick<DraftByHand, 'draftId' | 'mustConfirm'>,
): Promise<{ no: number; reach: number } | 'not-in-company' | 'revoked'> {
  const sent = await commit(manager, draft, newRequestId(), { draftId, mustConfirm });
  return typeof sent === 'string' ? sent : { no: sent.no, reach: sent.reach };
}

async function commit(
  sender: ApiKey | Manager,
  draft: Draft,
  requestId: string,
  options: SendOptions,
): Promise<Committed | 'not-in-company' | 'revoked'> {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const row = await sendQueue(sender.companyId, () => insertNotification(sender, draft, requestId, options));
    if (row.earlierNo !== null && row.earlierReach !== null)
      return { no: row.earlierNo, reach: row.earlierReach, isEarlier: true, bodyHash: row.earlierHash };
    if (row.no !== null && row.reach !== null) {
      afterSend(sender, draft, row.no, row.reach, row.hasDevices);
      return { no: row.no, reach: row.reach, isEarlier: false, bodyHash: null };
    }
    if (!row.numbered) return 'not-in-company';
    if (!row.senderActive) return 'revoked';
    // A request with the same id committed while this one waited for the company's row. The next
    // attempt finds it.
  }
  throw new Error('the result of the request with the same id could not be read');
}

/** Counts a committed send and tells open portals and devices. Returns at once. */
export function afterSend(
  sender: ApiKey | Manager,
  draft: Draft & Partial<Pick<DraftByHand, 'toRoles' | 'toPeople'>>,
  no: number,
  reach: number,
  hasDevices: boolean,
): void {
  const toOneOrAll = draft.recipientId === 0 ? 'everyone' : 'one';
  meters()?.count('sends', draft.toRoles || draft.toPeople ? 'several' : toOneOrAll);
  meters()?.count('recipients', undefined, reach);
  if (reach === 0) return;
  announce(sender.companyId);
  if (hasDevices) pushToDevices(sender, no);
}

// The parts of the statement that depend on the kind of sender: `earlier` finds a send with the
// same id, and `current` locks the sender's row and reads its newest state.
function senderParts(sender: ApiKey | Manager, { once, draftId }: SendOptions) {
  const { companyId } = sender;
  if (sender.kind !== 'key')
    return {
      actorKind: 'account',
      actorId: sender.accountId,
      keyId: null,
      accountId: sender.accountId,
      earlier: sql()`select null::bytea as body_hash, reach, no from notifications
        where company_id = ${companyId} and draft_id = ${draftId ?? null}::uuid`,
      current: sql()`select k.id, k.name, false as must_confirm from company join accounts k on k.company_id = company.id
        where k.id = ${sender.accountId} and (k.is_owner or k.is_manager) for share of k`,
    };
  return {
    actorKind: 'key',
    actorId: sender.id,
    keyId: sender.id,
    accountId: null,
    // A remembered answer does not keep the number of its notification.
    earlier: sql()`select body_hash, reach, 0::bigint as no from idempotency
      where company_id = ${companyId} and key_id = ${sender.id} and idempotency_key = ${once?.idempotencyKey ?? null}::text
        and created_at > now() - interval '24 hours'`,
    current: sql()`select k.id, k.name, k.must_confirm from company join api_keys k on k.company_id = company.id
      where k.id = ${sender.id} and ${isValidKey()} for share of k`,
  };
}

/**
 * The statement of a send. `earlier` comes first: with a result, nothing else happens. `company`
 * takes the company's row lock, which every change of who is active takes too. `sender` and
 * `target` are read and locked after that wait, so they show the newest state and not the
 * statement's snapshot. `slot` detects a request with the same id that committed during the wait;
 * then nothing is inserted. It runs in the pool for sends, or in the given transaction.
 */
export async function insertNotification(
  sender: ApiKey | Manager,
  draft: Draft,
  requestId: string,
  options: SendOptions,
  run: Sql | Transaction = sqlForSends(),
): Promise<SendRow> {
  const { companyId } = sender;
  const { once, draftId = null, mustConfirm = false } = options;
  const { actorKind, actorId, keyId, accountId, earlier, current } = senderParts(sender, options);
  const recipientId = asRecipientId(draft);
  const idempotencyKey = once?.idempotencyKey ?? null;
  const auditEntry = sql()`
    select ${companyId}, ${actorKind}, ${actorId}::int, sender_name, 'notification.send', jsonb_build_object(
      'no', no, 'recipientId', recipient_id, 'recipientName', recipient_name,
      'title', ${draft.title}::text, 'kind', ${draft.kind}::text, 'reach', reach), ${requestId}, ${keyId}::int,
      recipient_id
    from reached where no in (select no from notification)`;
  const [row] = await (run as Transaction)<SendRow[]>`
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
      ${insertAudit(auditEntry)}
    )
    select
      (select body_hash from earlier) as "earlierHash",
      (select reach from earlier) as "earlierReach",
      (select no from earlier) as "earlierNo",
      exists (select from company) as numbered,
      exists (select from sender) as "senderActive",
      (select no from notification) as no,
      exists (select from push_subscriptions where company_id = ${companyId}) as "hasDevices",
      (select reach from notification) as reach`;
  if (!row) throw new Error('the send returned no row');
  return row;
}
