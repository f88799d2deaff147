import { type Fragment, sql } from '#db/client.ts';
import type { PersonTransaction } from '#db/person-transaction.ts';
import type { Rows } from '#db/schema/rows.ts';
import { announce } from '#db/wake-ups.ts';
import { log } from '#platform/log/log.ts';
import { metrics } from '#platform/log/metrics.ts';
import { type AuditAction, insertAudit } from '#server/audit/record.ts';
import { raiseRepeats } from '#server/keys/alarms.ts';
import { isValidKey } from '#server/keys/validity.ts';
import type { Recipients } from '#server/notifications/audience.ts';
import type { Kind } from '#server/notifications/kinds.ts';
import type { ApiKey, Manager } from '#server/principals.ts';
import { pushToDevices } from '#server/push/push.ts';
import { newRequestId } from '#server/request-id.ts';

/** The text of a notification, whose fields were checked. */
export type DraftText = Pick<Rows['notifications'], 'title' | 'body' | 'url'> & { kind: Kind };

/** A notification to send. */
export type Draft = DraftText & { recipients: Recipients };

/** PostgreSQL's largest int, an id that no employee has: 404. */
export const nobodysId = 2_147_483_647;

const asId = (id: number): number => (id > 0 && id < nobodysId ? id : nobodysId);

/** The employee that a draft is for, null for everyone or a list. An impossible id is nobody's. */
export const recipientOf = ({ recipients }: Draft): number | null =>
  recipients.to === 'one' ? asId(recipients.employeeId) : null;

/** The columns of a `DraftText`; `of` is an alias with its dot. */
export const textColumns = (of = sql()``): Fragment => sql()`${of}title, ${of}body, ${of}kind, ${of}url`;

/** The columns of what is to be stored; `employee_id` is null unless it is for one person. */
export const sendableColumns = (): Fragment => sql()`employee_id, ${textColumns()}`;

// Who sends: SQL over the rows of `sendable d` and their company `c`. `newest` locks the sender's
// row and reads its newest state; `senderColumns` are the columns of `d` that the other parts need.
type SenderParts = {
  newest: Fragment;
  senderColumns: Fragment;
  columns: Fragment;
  values: Fragment;
  actor: Fragment;
  keyId: Fragment;
  claim?: Record<'insert' | 'condition' | 'join', Fragment>;
};

const ofKeys = (lock: Fragment): SenderParts => ({
  newest: sql()`
    select k.name, k.must_confirm from api_keys k
    where k.company_id = c.id and k.id = d.key_id and ${isValidKey()} for share ${lock}`,
  senderColumns: sql()`d.key_id, d.idempotency_key, d.body_hash`,
  columns: sql()`key_id`,
  values: sql()`key_id`,
  actor: sql()`'key', key_id`,
  keyId: sql()`key_id`,
  claim: {
    insert: sql()`
      claimed as (
        insert into idempotency as old (company_id, key_id, idempotency_key, body_hash, reach)
        select company_id, key_id, idempotency_key, body_hash, reach from made where idempotency_key is not null
        on conflict (company_id, key_id, idempotency_key) do update
          set body_hash = excluded.body_hash, reach = excluded.reach, created_at = now()
          where old.created_at <= now() - interval '24 hours'
        returning company_id, key_id, idempotency_key
      ),`,
    condition: sql()`
      where idempotency_key is null or (company_id, key_id, idempotency_key) in (select * from claimed)`,
    join: sql()`join notification using (company_id, no)`,
  },
});

const ofPerson = (): SenderParts => ({
  newest: sql()`
    select k.name, d.asks_confirmation as must_confirm from accounts k
    where k.company_id = c.id and k.id = d.account_id and (k.is_owner or k.is_manager) for share of k`,
  senderColumns: sql()`d.account_id, d.draft_id, d.reminds_no`,
  columns: sql()`account_id, draft_id, reminds_no, skipped, created_at`,
  // After the wait for the company's row: a reminder concerns who had not confirmed at this time.
  values: sql()`account_id, draft_id, reminds_no, skipped, clock_timestamp()`,
  actor: sql()`'account', account_id`,
  keyId: sql()`null::int`,
});

// Who receives it: `columns` are `recipient_id`, `is_listed`, `to_roles`, `recipient_name`, `reach` and
// `skipped` over `sendable d`, its company `c` and what `joins` adds. Without a row, nothing is stored.
// `list` stores the recipients of `notification`, `details` is the content of the audit entry.
type RecipientParts = { columns: Fragment; joins: Fragment; list: Fragment; details: Fragment };

const detailsOfSend = () => sql()`jsonb_build_object('no', no, 'recipientId', recipient_id,
  'recipientName', recipient_name, 'title', title, 'kind', kind, 'reach', reach)`;

// A lateral query finds one row by its whole key. With a plain join and old statistics, PostgreSQL
// would read all rows of the company.
const toOneOrEveryone = (lock: Fragment): RecipientParts => ({
  columns: sql()`e.id as recipient_id, false as is_listed, null::text[] as to_roles, e.name as recipient_name,
    case when d.employee_id is null then c.active_employees else e.active::int end as reach, null::int as skipped`,
  joins: sql()`
    left join lateral (
      select e.id, e.name, e.active from employees e where e.company_id = c.id and e.id = d.employee_id
      for share ${lock}
    ) e on true
    where d.employee_id is null or e.id is not null`,
  list: sql()``,
  details: detailsOfSend(),
});

// `people` follows `from notification n`.
const insertList = (people: Fragment) => sql()`
  list as (
    insert into notification_people (company_id, no, employee_id)
    select n.company_id, n.no, id from notification n ${people}
  ),`;

/** The most people of a send to chosen people. */
export const maxChosenPeople = 500;
/** The most roles of a send to roles. */
export const maxChosenRoles = 100;

// To the active ones of these people, of whom the company has at least `atLeast`.
const toList = (isChosen: Fragment, atLeast: number, roles: string[] | null, details: Fragment): RecipientParts => ({
  columns: sql()`null::int as recipient_id, true as is_listed, ${roles}::text[] as to_roles,
    ${roles?.join(', ') ?? null}::text as recipient_name, chosen.reach, chosen.skipped`,
  joins: sql()`
    cross join lateral (
      select count(*) filter (where active)::int as reach, count(*) filter (where not active)::int as skipped
      from employees where company_id = c.id and ${isChosen} having count(*) >= ${atLeast}::int
    ) chosen`,
  list: insertList(sql()`join employees e on e.company_id = n.company_id and e.active and ${isChosen}`),
  details: sql()`${detailsOfSend()} || jsonb_build_object(${details}, 'skipped', skipped)`,
});

// One role of the send must be in use; the others may be unused.
function toRoles(chosen: string[]): RecipientParts {
  const roles = [...new Set(chosen)];
  if (roles.length > maxChosenRoles) throw new Error(`a send is for at most ${maxChosenRoles} roles`);
  return toList(sql()`role = any(${roles}::text[])`, 1, roles, sql()`'toRoles', to_jsonb(${roles}::text[])`);
}

function toPeople(chosen: number[]): RecipientParts {
  const people = [...new Set(chosen)];
  if (people.length > maxChosenPeople) throw new Error(`a send is for at most ${maxChosenPeople} people`);
  const ids = people.filter((id) => asId(id) === id);
  const details = sql()`'toPeople', to_jsonb(${ids}::int[])`;
  return toList(sql()`id = any(${ids}::int[])`, Math.max(1, people.length), null, details);
}

// All of them are active and have not confirmed the original.
function toReminded(recipients: Recipients, reach: number): RecipientParts {
  const people = recipients.to === 'people' ? recipients.employeeIds : null;
  const name = sql()`select name from employees where company_id = c.id and id = d.employee_id`;
  const employee = recipients.to === 'one' ? sql()`|| jsonb_build_object('employeeId', recipient_id)` : sql()``;
  return {
    columns: sql()`d.employee_id as recipient_id, ${people !== null}::boolean as is_listed, null::text[] as to_roles,
      (${name}) as recipient_name, ${reach}::int as reach, null::int as skipped`,
    joins: sql()``,
    list: people ? insertList(sql()`cross join unnest(${people}::int[]) as reminded (id)`) : sql()``,
    details: sql()`jsonb_build_object('no', no, 'title', title, 'remindsNo', reminds_no, 'reach', reach,
      'recipientName', recipient_name) ${employee}`,
  };
}

/**
 * The only SQL that inserts a notification: the CTEs `made` and `notification`, and those that they
 * need. They follow the CTE `sendable`, which has a row for each notification: `company_id`,
 * `index`, `request_id`, the columns of a draft, and those of its sender.
 *
 * `company` locks companies in the order of their ids. Every change of who is active takes this
 * lock, so `reach` is exact at the number of the notification. `ready` locks senders and recipients
 * after that, so they show the newest state. A `sendable` row that is not in `made` has no valid
 * sender or no recipient. `claimed` detects a request with the same idempotency key that committed in
 * between; then the row is not in `notification`.
 */
function store(sender: SenderParts, recipients: RecipientParts, lock: Fragment, isReminder = false): Fragment {
  const { insert, condition, join } = sender.claim ?? { insert: sql()``, condition: sql()``, join: sql()`` };
  const action: AuditAction = isReminder ? 'notification.remind' : 'notification.send';
  // A reminder is confirmed with its original.
  const mustConfirm = isReminder ? sql()`false` : sql()`k.must_confirm or d.kind = any(c.must_confirm_kinds)`;
  return sql()`
  company as (
    select id, active_employees, must_confirm_kinds from companies
    where id in (select company_id from sendable) order by id for no key update ${lock}
  ), ready as (
    select d.company_id, d.index, d.request_id, ${textColumns(sql()`d.`)}, ${sender.senderColumns},
      k.name as sender_name, ${mustConfirm} as must_confirm, ${recipients.columns},
      row_number() over of_company as nth, count(*) over of_company as sends
    from sendable d
    join company c on c.id = d.company_id
    cross join lateral (${sender.newest}) k
    ${recipients.joins}
    window of_company as (
      partition by d.company_id order by d.index rows between unbounded preceding and unbounded following)
  ), numbered as (
    update companies set last_no = last_no + ready.sends from ready
    where companies.id = ready.company_id and ready.nth = 1
    returning companies.id, companies.last_no
  ), made as (
    select ready.*, numbered.last_no - ready.sends + ready.nth as no
    from ready join numbered on numbered.id = ready.company_id
  ), ${insert} notification as (
    insert into notifications
      (company_id, no, recipient_id, is_listed, to_roles, ${textColumns()}, reach, must_confirm, ${sender.columns})
    select company_id, no, recipient_id, is_listed, to_roles, ${textColumns()}, reach, must_confirm, ${sender.values}
    from made
    ${condition}
    returning company_id, no
  ), ${recipients.list} audit as (
    ${insertAudit(sql()`
    select company_id, ${sender.actor}, sender_name, ${action}, ${recipients.details}, request_id, ${sender.keyId},
      recipient_id
    from made ${join} order by company_id, no`)}
  )`;
}

/**
 * `store` for sends of keys to one person or everyone; `sendable` has `key_id`, `idempotency_key` and
 * `body_hash`. With `skip locked` as `lock`, a row that meets a lock is not stored.
 */
export const storeByKeys = (lock: Fragment): Fragment => store(ofKeys(lock), toOneOrEveryone(lock), lock);

/** What a person sends. `reminds`: a reminder of that notification, to `reach` people. */
type PersonsSend = Draft & {
  draftId: string | null;
  mustConfirm: boolean;
  reminds?: { no: number; reach: number };
};

/** A send of a person that is stored. `skipped`: how many more recipients were inactive. */
export type StoredSend = { no: number; reach: number; skipped: number | null; hasDevices: boolean };

/**
 * Stores a send of a person, with its audit entry. The transaction has locked the company's row
 * before. Returns null when the draft was sent before, when the person may not send, or when the
 * company does not have these recipients. Throws when there are too many people or roles.
 */
export async function storeByPerson(
  tx: PersonTransaction,
  { companyId, accountId }: Manager,
  send: PersonsSend,
): Promise<StoredSend | null> {
  const { title, body, kind, url, draftId, mustConfirm, reminds } = send;
  const [stored] = await tx<StoredSend[]>`
    with sendable as (
      select d.*, ${companyId}::int as company_id, 1 as index, ${accountId}::int as account_id,
        ${newRequestId()}::text as request_id, ${mustConfirm}::boolean as asks_confirmation,
        ${draftId}::uuid as draft_id, ${reminds?.no ?? null}::bigint as reminds_no
      from (values (${recipientOf(send)}::int, ${title}::text, ${body}::text, ${kind}::text, ${url}::text))
        as d (${sendableColumns()})
      where not exists (
        select from notifications where company_id = ${companyId} and draft_id = ${draftId}::uuid)
    ), ${store(ofPerson(), partsOf(send), sql()``, reminds !== undefined)}
    select no, reach, skipped, exists (select from push_subscriptions where company_id = ${companyId}) as "hasDevices"
    from made join notification using (company_id, no)`;
  return stored ?? null;
}

function partsOf({ recipients, reminds }: PersonsSend): RecipientParts {
  if (reminds) return toReminded(recipients, reminds.reach);
  if (recipients.to === 'roles') return toRoles(recipients.roles);
  if (recipients.to === 'people') return toPeople(recipients.employeeIds);
  return toOneOrEveryone(sql()``);
}

/**
 * Counts a committed send and tells open portals and devices. Raises an alarm when a person
 * broadcasts a text again and again; those of keys come with their call log. Returns at once.
 */
export function afterSend(
  sender: ApiKey | Manager,
  { to }: Recipients,
  { no, reach, hasDevices }: Pick<StoredSend, 'no' | 'reach' | 'hasDevices'>,
): void {
  metrics()?.count('sends', to === 'roles' || to === 'people' ? 'several' : to);
  metrics()?.count('recipients', undefined, reach);
  if (to === 'everyone' && 'accountId' in sender)
    raiseRepeats([{ companyId: sender.companyId, accountId: sender.accountId }]).catch((error: unknown) =>
      log().warn({ err: error }, 'an alarm could not be raised'),
    );
  if (reach === 0) return;
  announce(sender.companyId);
  if (hasDevices) pushToDevices(sender, no);
}
