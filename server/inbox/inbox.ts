import { sql } from '#db/client.ts';
import { numbersToConfirm, unreadNumbers } from '#server/inbox/unread.ts';
import { asPattern, hasRead, reminderToAllConcerns, stillCounts } from '#server/notifications/audience.ts';
import type { Kind } from '#server/notifications/kinds.ts';
import type { Employee } from '#server/principals.ts';

/**
 * A notification in one employee's inbox; `no` grows with time within the company, `sender` is the key's name, or with `byHand`
 * the person's. `mustConfirm` and `confirmedAt` of a reminder are those of what it reminds of, `remindsNo`.
 */
export type InboxItem = {
  no: number;
  kind: Kind;
  title: string;
  body: string;
  url: string | null;
  createdAt: Date;
  sender: string;
  byHand: boolean;
  read: boolean;
  mustConfirm: boolean;
  confirmedAt: Date | null;
  remindsNo: number | null;
};

/**
 * Which part of the inbox: everything, or what is unread; of all kinds or one; only what holds these words; only what the person
 * has yet to confirm, without reminders of it and not together with `unread`.
 */
export type InboxFilter = { unread?: boolean; kind?: Kind; search?: string; toConfirm?: boolean };

const mostWithdrawn = 1000;
const newestNo = Number.MAX_SAFE_INTEGER;

type Window = { above?: number; below?: number; order: 'asc' | 'desc'; filter?: InboxFilter; limit: number };
type Rule = ReturnType<typeof stillCounts>;

function ruleOf({ kind, search }: InboxFilter): Rule {
  const nothing = sql()``;
  const pattern = asPattern(search ?? '');
  return sql()`${stillCounts()}
    ${kind ? sql()`and n.kind = ${kind}` : nothing}
    ${search ? sql()`and (n.title ilike ${pattern} or n.body ilike ${pattern})` : nothing}`;
}

/**
 * What is in a person's inbox between two numbers, the first `limit` of it: what was sent to them, and the broadcasts within their
 * spans of activity. Spans do not overlap, so they are walked in the order of their numbers and only as far as needed.
 */
function selectPage(employee: Employee, { above = 0, below = newestNo, order, filter = {}, limit }: Window) {
  const { companyId, employeeId } = employee;
  const direction = order === 'asc' ? sql()`asc` : sql()`desc`;
  const rule = ruleOf(filter);
  return sql()`
    (
      select n.* from notifications n
      where n.company_id = ${companyId} and n.recipient_id = ${employeeId} and n.no > ${above} and n.no < ${below} and ${rule}
      order by n.no ${direction} limit ${limit}
    ) union all (
      select n.*
      from (
        select from_no, coalesce(until_no, ${newestNo}) as until_no from employment
        where company_id = ${companyId} and employee_id = ${employeeId} and from_no < ${below}
          and coalesce(until_no, ${newestNo}) > ${above}
        order by from_no ${direction}
      ) s
      cross join lateral (
        select n.* from notifications n
        where n.company_id = ${companyId} and n.recipient_id is null and n.no > greatest(${above}::bigint, s.from_no)
          and n.no < ${below} and n.no <= s.until_no and ${rule} and ${reminderToAllConcerns(sql()`${employeeId}::int`)}
        order by n.no ${direction} limit ${limit}
      ) n
      order by s.from_no ${direction}, n.no ${direction} limit ${limit}
    )
    order by no ${direction} limit ${limit}`;
}

// As `selectPage`, where what is looked for is found by number first: what was read or confirmed already is never fetched.
function selectFound(employee: Employee, window: Window) {
  const { below, order, filter = {}, limit } = window;
  const direction = order === 'asc' ? sql()`asc` : sql()`desc`;
  const narrower = filter.kind !== undefined || filter.search !== undefined;
  const numbers = filter.toConfirm
    ? numbersToConfirm(employee, { below, limit: narrower ? undefined : limit })
    : unreadNumbers(employee, { ...window, limit: narrower ? undefined : limit });
  const most = narrower ? sql()`` : sql()`limit ${limit}`;
  return sql()`
    select n.* from (select no from (${numbers}) numbers order by no ${direction} ${most}) found
    join notifications n on n.company_id = ${employee.companyId} and n.no = found.no
    where ${ruleOf(filter)}
    order by found.no ${direction} limit ${limit}`;
}

/** The one query behind inbox and feed: a page of notifications with their senders and what this person did with them. */
async function readInbox(employee: Employee, window: Window) {
  const { companyId, employeeId } = employee;
  const direction = window.order === 'asc' ? sql()`asc` : sql()`desc`;
  const { unread, toConfirm } = window.filter ?? {};
  const theirs = sql()`company_id = ${companyId} and employee_id = ${employeeId}`;
  return sql()<InboxItem[]>`
    with e as materialized (
      select read_up_to from employees where company_id = ${companyId} and id = ${employeeId}
    ), page as materialized (
      ${unread || toConfirm ? selectFound(employee, window) : selectPage(employee, window)}
    ), done as materialized (
      select * from receipts where ${theirs} and no between (select min(no) from page) and (select max(no) from page)
        and no = any(array(select no from page))
    ), keys as materialized (
      select id, name from api_keys where company_id = ${companyId} and id = any(array(select distinct key_id from page))
    ), people as materialized (
      select id, name from accounts where company_id = ${companyId} and id = any(array(select distinct account_id from page))
    )
    select n.no, n.title, n.body, n.kind, n.url, n.created_at as "createdAt", ${hasRead()} as read,
      n.must_confirm or n.reminds_no is not null as "mustConfirm",
      case when n.must_confirm then r.confirmed_at
        when n.reminds_no is not null then (select confirmed_at from receipts where ${theirs} and no = n.reminds_no)
      end as "confirmedAt", n.reminds_no as "remindsNo", coalesce(k.name, a.name) as sender,
      n.account_id is not null as "byHand"
    from page n
    cross join e
    left join done r on r.no = n.no
    left join keys k on k.id = n.key_id
    left join people a on a.id = n.account_id
    order by n.no ${direction}`;
}

/** Up to `limit` notifications older than number `before` (none: from the newest), newest first, and whether there are more. */
export async function listInbox(
  employee: Employee,
  { before, filter = {}, limit = 20 }: { before?: number; filter?: InboxFilter; limit?: number } = {},
): Promise<{ items: InboxItem[]; more: boolean }> {
  const rows = await readInbox(employee, { below: before ?? newestNo, order: 'desc', filter, limit: limit + 1 });
  return { items: rows.slice(0, limit), more: rows.length > limit };
}

/** What arrived after number `after`, oldest first, at most `limit`: the query of poll, resume and sign-in alike. */
export async function notificationsSince(employee: Employee, after: number, limit = 50): Promise<InboxItem[]> {
  return [...(await readInbox(employee, { above: after, order: 'asc', limit }))];
}

/** The numbers of what was withdrawn after number `after` and up to `upTo`, of what was for this person. */
export async function withdrawnSince(employee: Employee, after: number, upTo = newestNo): Promise<number[]> {
  const rows = await sql()<{ no: number }[]>`
    select no from notifications
    where company_id = ${employee.companyId} and withdrawn_no > ${after} and withdrawn_no <= ${upTo}
      and (recipient_id is null or recipient_id = ${employee.employeeId})
    order by withdrawn_no limit ${mostWithdrawn}`;
  return rows.map(({ no }) => no);
}
