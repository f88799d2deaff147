import { sql } from '#db/client.ts';
import { isAddressedTo } from '#server/inbox/read-state.ts';
import { beyondLastNo, type NumberWindow, numbersToConfirm, spans, unreadNumbers } from '#server/inbox/unread.ts';
import {
  asPattern,
  hasRead,
  isOneOfSeveral,
  reminderToAllConcerns,
  stillCounts,
} from '#server/notifications/audience.ts';
import type { Kind } from '#server/notifications/kinds.ts';
import { senderColumns } from '#server/notifications/sender.ts';
import type { Employee } from '#server/principals.ts';

/**
 * A notification in one employee's inbox. `no` grows with time within the company. `sender` is the
 * name of the key, or with `byHand` of the person. A reminder has the `mustConfirm` and
 * `confirmedAt` of its original, `remindsNo`.
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
  correctedAt: Date | null;
};

/**
 * Which part of the inbox; all conditions together. `search` is part of the title or text.
 * `toConfirm` is what the person has still to confirm, without reminders; it does not go together
 * with `unread`.
 */
export type InboxFilter = { unread?: boolean; kind?: Kind; search?: string; toConfirm?: boolean };

const maxWithdrawn = 1000;

type PageWindow = NumberWindow & { filter?: InboxFilter; limit: number };

function filterCondition({ kind, search }: InboxFilter) {
  const nothing = sql()``;
  const pattern = asPattern(search ?? '');
  return sql()`${stillCounts()}
    ${kind ? sql()`and n.kind = ${kind}` : nothing}
    ${search ? sql()`and (n.title ilike ${pattern} or n.body ilike ${pattern})` : nothing}`;
}

/**
 * The first `limit` rows of a person's inbox between two numbers: what was sent to them alone or
 * with other chosen people, and the sends to everyone or to their role within their spans of
 * employment. Spans do not overlap. PostgreSQL reads them in the
 * order of their numbers and stops at the limit.
 */
function selectPage(employee: Employee, { above = 0, below = beyondLastNo, order, filter = {}, limit }: PageWindow) {
  const { companyId, employeeId } = employee;
  const direction = order === 'asc' ? sql()`asc` : sql()`desc`;
  const condition = filterCondition(filter);
  const spansOfPerson = spans(employee, { above: sql()`${above}::bigint`, below, order });
  return sql()`
    (
      select n.* from notifications n
      where n.company_id = ${companyId} and n.recipient_id = ${employeeId} and n.no > ${above} and n.no < ${below} and ${condition}
      order by n.no ${direction} limit ${limit}
    ) union all (
      select n.*
      from (
        select no from notification_people
        where company_id = ${companyId} and employee_id = ${employeeId} and no > ${above} and no < ${below}
        order by no ${direction}
      ) p
      cross join lateral (
        select * from notifications where company_id = ${companyId} and no = p.no limit 1
      ) n
      where ${condition}
      order by p.no ${direction} limit ${limit}
    ) union all (
      select n.*
      from (${spansOfPerson}) s
      cross join lateral (
        select n.*
        from (
          select no from notification_roles
          where company_id = ${companyId} and role = s.role and no > greatest(${above}::bigint, s.from_no)
            and no < ${below} and no <= s.until_no
          order by no ${direction}
        ) g
        cross join lateral (
          select * from notifications where company_id = ${companyId} and no = g.no limit 1
        ) n
        where ${condition}
        order by g.no ${direction} limit ${limit}
      ) n
      order by s.from_no ${direction}, n.no ${direction} limit ${limit}
    ) union all (
      select n.*
      from (${spansOfPerson}) s
      cross join lateral (
        select n.* from notifications n
        where n.company_id = ${companyId} and n.recipient_id is null and n.no > greatest(${above}::bigint, s.from_no)
          and n.no < ${below} and n.no <= s.until_no and ${condition} and ${reminderToAllConcerns(sql()`${employeeId}::int`)}
        order by n.no ${direction} limit ${limit}
      ) n
      order by s.from_no ${direction}, n.no ${direction} limit ${limit}
    )
    order by no ${direction} limit ${limit}`;
}

// As `selectPage` for unread or unconfirmed rows: finds the numbers first, so that no other row is
// fetched.
function selectByNumbers(employee: Employee, window: PageWindow) {
  const { below, order, filter = {}, limit } = window;
  const direction = order === 'asc' ? sql()`asc` : sql()`desc`;
  const isNarrower = filter.kind !== undefined || filter.search !== undefined;
  const numbers = filter.toConfirm
    ? numbersToConfirm(employee, { below, limit: isNarrower ? undefined : limit })
    : unreadNumbers(employee, { ...window, limit: isNarrower ? undefined : limit });
  const upToLimit = isNarrower ? sql()`` : sql()`limit ${limit}`;
  return sql()`
    select n.* from (select no from (${numbers}) numbers order by no ${direction} ${upToLimit}) found
    join notifications n on n.company_id = ${employee.companyId} and n.no = found.no
    where ${filterCondition(filter)}
    order by found.no ${direction} limit ${limit}`;
}

/**
 * The query of inbox and feed: a page of notifications with their senders and this person's
 * receipts. Each step is materialized: PostgreSQL cannot know how few rows a page has, and would
 * read whole tables.
 */
async function readInbox(employee: Employee, window: PageWindow) {
  const { companyId, employeeId } = employee;
  const direction = window.order === 'asc' ? sql()`asc` : sql()`desc`;
  const { unread, toConfirm } = window.filter ?? {};
  const theirs = sql()`company_id = ${companyId} and employee_id = ${employeeId}`;
  return sql()<InboxItem[]>`
    with e as materialized (
      select read_up_to from employees where company_id = ${companyId} and id = ${employeeId}
    ), page as materialized (
      ${unread || toConfirm ? selectByNumbers(employee, window) : selectPage(employee, window)}
    ), done as materialized (
      select * from receipts where ${theirs} and no between (select min(no) from page) and (select max(no) from page)
        and no = any(array(select no from page))
    ), sender_keys as materialized (
      select id, name from api_keys where company_id = ${companyId} and id = any(array(select distinct key_id from page))
    ), sender_accounts as materialized (
      select id, name from accounts
      where company_id = ${companyId} and id = any(array(select distinct account_id from page))
    )
    select n.no, n.title, n.body, n.kind, n.url, n.created_at as "createdAt", ${hasRead()} as read,
      n.must_confirm or n.reminds_no is not null as "mustConfirm",
      case when n.must_confirm then r.confirmed_at
        when n.reminds_no is not null then (select confirmed_at from receipts where ${theirs} and no = n.reminds_no)
      end as "confirmedAt", n.reminds_no as "remindsNo", n.corrected_at as "correctedAt", ${senderColumns()}
    from page n
    cross join e
    left join done r on r.no = n.no
    left join sender_keys sender_key on sender_key.id = n.key_id
    left join sender_accounts sender_account on sender_account.id = n.account_id
    order by n.no ${direction}`;
}

/** Up to `limit` notifications below number `before`, the newest first; `more`: others follow. */
export async function listInbox(
  employee: Employee,
  { before, filter = {}, limit = 20 }: { before?: number; filter?: InboxFilter; limit?: number } = {},
): Promise<{ items: InboxItem[]; more: boolean }> {
  const rows = await readInbox(employee, { below: before, order: 'desc', filter, limit: limit + 1 });
  return { items: rows.slice(0, limit), more: rows.length > limit };
}

/**
 * One notification of a person's inbox. `'withdrawn'` if its sender took it back, null if it never
 * was in this inbox.
 */
export async function findInInbox(employee: Employee, no: number): Promise<InboxItem | 'withdrawn' | null> {
  const [item] = await readInbox(employee, { above: no - 1, below: no + 1, order: 'asc', limit: 1 });
  if (item) return item;
  const withdrawn = await sql()`
    select from notifications n
    where n.company_id = ${employee.companyId} and n.no = ${no} and n.withdrawn_at is not null
      and ${isAddressedTo(employee)}`;
  return withdrawn.length > 0 ? 'withdrawn' : null;
}

/** Up to `limit` notifications above number `after`, the oldest first. */
export async function listInboxSince(employee: Employee, after: number, limit = 50): Promise<InboxItem[]> {
  return readInbox(employee, { above: after, order: 'asc', limit });
}

/** The numbers of the person's notifications withdrawn after `after` and up to `upTo`. */
export async function listWithdrawnSince(employee: Employee, after: number, upTo = beyondLastNo): Promise<number[]> {
  const rows = await sql()<{ no: number }[]>`
    select no from notifications n
    where company_id = ${employee.companyId} and withdrawn_no > ${after} and withdrawn_no <= ${upTo}
      and (recipient_id is null or recipient_id = ${employee.employeeId}
        or ${isOneOfSeveral(sql()`${employee.employeeId}::int`)})
    order by withdrawn_no limit ${maxWithdrawn}`;
  return rows.map(({ no }) => no);
}

/** The numbers of the person's notifications corrected after `after` and up to `upTo`. */
export async function listCorrectedSince(employee: Employee, after: number, upTo = beyondLastNo): Promise<number[]> {
  const rows = await sql()<{ no: number }[]>`
    select n.no from notifications n
    where n.company_id = ${employee.companyId} and n.corrected_no > ${after} and n.corrected_no <= ${upTo}
      and ${stillCounts()} and ${isAddressedTo(employee)}
    order by n.corrected_no limit ${maxWithdrawn}`;
  return rows.map(({ no }) => no);
}
