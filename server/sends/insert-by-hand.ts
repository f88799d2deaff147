import { sql, type Transaction } from '#db/client.ts';
import { lockCompanyRow } from '#db/company-row.ts';
import type { Fragment } from '#db/notify.ts';
import { insertAudit } from '#server/audit/record.ts';
import { severalRecipients } from '#server/notifications/audience.ts';
import type { Manager } from '#server/principals.ts';
import { newRequestId } from '#server/request-id.ts';
import { type DraftByHand, insertNotification } from '#server/sends/send.ts';

/** The most people of a send to chosen people. */
export const maxChosenPeople = 500;
/** The most roles of a send to roles. */
export const maxChosenRoles = 100;

/**
 * A send by hand that is stored. `reach` is the number of its recipients, `skipped` how many more were
 * inactive; it is null for a send to everyone or to one person. `isEarlier`: another transaction
 * sent the same draft before. `hasDevices`: the company has devices that take pushes.
 */
export type InsertedByHand = {
  no: number;
  reach: number;
  skipped: number | null;
  isEarlier: boolean;
  hasDevices: boolean;
};

/** Why a send by hand is not stored, see `sendByHand`. */
export type NotInserted = 'not-in-company' | 'revoked';

/**
 * Stores a send by hand to everyone, one person, roles or chosen people, with its audit entry. It
 * locks the company's row first: `reach` and `skipped` are exact at the number of the notification.
 * Call `afterSend` after the commit unless the send `isEarlier`. Throws when there are too many
 * people or roles.
 */
export async function insertByHand(
  tx: Transaction,
  manager: Manager,
  draft: DraftByHand,
): Promise<InsertedByHand | NotInserted> {
  await lockCompanyRow(tx, manager);
  return draft.toRoles || draft.toPeople ? insertToSeveral(tx, manager, draft) : insertToOneOrAll(tx, manager, draft);
}

async function insertToOneOrAll(
  tx: Transaction,
  manager: Manager,
  draft: DraftByHand,
): Promise<InsertedByHand | NotInserted> {
  const row = await insertNotification(manager, draft, newRequestId(), draft, tx);
  const { hasDevices } = row;
  if (row.earlierNo !== null && row.earlierReach !== null)
    return { no: row.earlierNo, reach: row.earlierReach, skipped: null, isEarlier: true, hasDevices };
  if (!row.numbered) return 'not-in-company';
  if (row.no === null || row.reach === null) return 'revoked';
  return { no: row.no, reach: row.reach, skipped: null, isEarlier: false, hasDevices };
}

type SeveralRow = {
  earlierNo: number | null;
  earlierReach: number | null;
  earlierSkipped: number | null;
  senderActive: boolean;
  no: number | null;
  reach: number;
  skipped: number;
  hasDevices: boolean;
};

async function insertToSeveral(
  tx: Transaction,
  manager: Manager,
  draft: DraftByHand,
): Promise<InsertedByHand | NotInserted> {
  const { companyId, accountId } = manager;
  const { draftId, title, body, kind, url, mustConfirm } = draft;
  const to = recipientsOf(companyId, draft);
  const auditEntry = sql()`
    select ${companyId}, 'account', ${accountId}::int, sender.name, 'notification.send', jsonb_build_object(
      'no', no, 'recipientId', ${severalRecipients}::int, 'recipientName', ${to.name}::text, ${to.detail},
      'title', ${title}::text, 'kind', ${kind}::text, 'reach', reach, 'skipped', skipped),
      ${newRequestId()}, null::int, null::int
    from notification cross join sender cross join counted`;
  const [row] = await tx<SeveralRow[]>`
    with earlier as (
      select no, reach, skipped from notifications where company_id = ${companyId} and draft_id = ${draftId}::uuid
    ), sender as (
      select k.name from accounts k
      where k.company_id = ${companyId} and k.id = ${accountId} and (k.is_owner or k.is_manager) for share of k
    ), counted as (
      select count(*) filter (where active)::int as reach, count(*) filter (where not active)::int as skipped,
        count(*) >= ${to.atLeast}::int as complete
      from employees where company_id = ${companyId} and ${to.condition}
    ), company as (
      update companies set last_no = last_no + 1
      where id = ${companyId} and not exists (select from earlier) and exists (select from sender)
        and (select complete from counted)
      returning last_no, must_confirm_kinds
    ), notification as (
      insert into notifications
        (company_id, no, recipient_id, title, body, kind, url, reach, skipped, account_id, must_confirm, draft_id)
      select ${companyId}, last_no, ${severalRecipients}, ${title}, ${body}, ${kind}, ${url}::text, reach, skipped,
        ${accountId}::int, ${mustConfirm}::boolean or ${kind}::text = any(must_confirm_kinds), ${draftId}::uuid
      from company cross join counted
      returning no
    ), recipients as (
      ${to.insert}
    ), audit as (
      ${insertAudit(auditEntry)}
    )
    select
      (select no from earlier) as "earlierNo",
      (select reach from earlier) as "earlierReach",
      (select skipped from earlier) as "earlierSkipped",
      exists (select from sender) as "senderActive",
      (select no from notification) as no, reach, skipped,
      exists (select from push_subscriptions where company_id = ${companyId}) as "hasDevices"
    from counted`;
  if (!row) throw new Error('the send returned no row');
  const { no, reach, skipped, hasDevices } = row;
  if (row.earlierNo !== null)
    return {
      no: row.earlierNo,
      reach: row.earlierReach ?? 0,
      skipped: row.earlierSkipped,
      isEarlier: true,
      hasDevices,
    };
  if (no !== null) return { no, reach, skipped, isEarlier: false, hasDevices };
  return row.senderActive ? 'not-in-company' : 'revoked';
}

type Recipients = {
  /** Over `employees`: who is meant. */
  condition: Fragment;
  /** The number of employees who must exist. */
  atLeast: number;
  /** Stores the recipients of `notification`. */
  insert: Fragment;
  /** The audit entry's name of the recipients, null for people. */
  name: string | null;
  /** The audit entry's further detail: its name and value. */
  detail: Fragment;
};

// A role that nobody has any more is no mistake while another one of the send is in use.
function recipientsOf(companyId: number, { toRoles, toPeople }: DraftByHand): Recipients {
  if (toRoles) {
    const roles = [...new Set(toRoles)];
    if (roles.length > maxChosenRoles) throw new Error(`a send is for at most ${maxChosenRoles} roles`);
    return {
      condition: sql()`role = any(${roles}::text[])`,
      atLeast: 1,
      insert: sql()`insert into notification_roles (company_id, no, role)
        select ${companyId}, no, role from notification cross join unnest(${roles}::text[]) as chosen (role)`,
      name: roles.join(', '),
      detail: sql()`'toRoles', to_jsonb(${roles}::text[])`,
    };
  }
  const people = [...new Set(toPeople)];
  if (people.length > maxChosenPeople) throw new Error(`a send is for at most ${maxChosenPeople} people`);
  // An id that PostgreSQL's int cannot hold is nobody's.
  const ids = people.filter((id) => id > 0 && id <= 2_147_483_647);
  return {
    condition: sql()`id = any(${ids}::int[])`,
    atLeast: Math.max(1, people.length),
    insert: sql()`insert into notification_people (company_id, no, employee_id)
      select ${companyId}, no, e.id from notification
      join employees e on e.company_id = ${companyId} and e.id = any(${ids}::int[]) and e.active`,
    name: null,
    detail: sql()`'toPeople', to_jsonb(${ids}::int[])`,
  };
}
