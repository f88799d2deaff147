import { asFragment, type Fragment, requireRow, sql } from '#db/client.ts';
import { sql as expression } from '#db/drizzle.cjs';
import type { Rows } from '#db/schema/rows.ts';
import { asFragments, cacheStatementText, type Value } from '#db/statement-text.ts';
import {
  archivedNumbers,
  beyondLastNo,
  numbersToConfirm,
  type Reader,
  selectReceived,
  snoozedNumbers,
  unreadNumbers,
} from '#server/inbox/unread.ts';
import { containsWords, hasRead, isReceivedBy, n, stillCounts } from '#server/notifications/audience.ts';
import type { Kind } from '#server/notifications/kinds.ts';
import { asColumns, type ShownNotification, shownFields } from '#server/notifications/shown.ts';
import type { Employee } from '#server/principals.ts';

/**
 * A notification in one employee's inbox. A reminder has the `mustConfirm` and `confirmedAt` of its
 * original. It is in the inbox, or in the archive (`archived`). From `snoozedUntil` on it is unread
 * again, first in the inbox (`back`), until it is read.
 */
export type InboxItem = ShownNotification & {
  read: boolean;
  mustConfirm: boolean;
  confirmedAt: Date | null;
  archived?: boolean;
  snoozedUntil?: Date | null;
  back?: boolean;
};

/** Who sent something: an API key or a person's account. */
export type SenderId = { keyId: number } | { accountId: number };

/**
 * Which part of the inbox; all conditions together. Each word of `search` is part of the title or
 * text. `toConfirm` is what the person has still to confirm, without reminders, snoozed or not; it
 * does not go together with `unread`. `place` is another place than the inbox.
 */
export type InboxFilter = {
  unread?: boolean;
  kind?: Kind;
  search?: string;
  sender?: SenderId;
  toConfirm?: boolean;
  place?: 'archive' | 'snoozed';
};

const maxChanged = 1000;
const maxBack = 50;

// What a page is read by: values, and what decides about its statement.
type PageValues = Record<'companyId' | 'employeeId' | 'above' | 'below' | 'limit', number> & {
  kind?: Kind;
  keyId?: number;
  accountId?: number;
};
type PageShape = Pick<InboxFilter, 'unread' | 'toConfirm' | 'place'> & {
  order: 'asc' | 'desc';
  /** Also what is archived or snoozed. */
  everywhere?: boolean;
  /** Only what is read. */
  read?: boolean;
  /** First what came back from a snooze. */
  withBack?: boolean;
};
type Page = Reader &
  Record<'above' | 'below' | 'limit', Value> &
  Partial<Record<'kind' | 'keyId' | 'accountId', Fragment>> &
  PageShape & { search?: string | undefined };

function filterCondition({ kind, search, keyId, accountId }: Page) {
  const nothing = sql()``;
  return sql()`${asFragment(stillCounts)}
    ${kind ? sql()`and n.kind = ${kind}` : nothing}
    ${keyId ? sql()`and n.key_id = ${keyId}` : nothing}
    ${accountId ? sql()`and n.account_id = ${accountId}` : nothing}
    and ${asFragment(containsWords(search, [n.title, n.body]) ?? expression`true`)}`;
}

const isNarrow = ({ kind, search, keyId, accountId, place }: Page) =>
  [kind, search, keyId, accountId, place].some((condition) => condition !== undefined);

const directionOf = ({ order }: Pick<PageShape, 'order'>) => (order === 'asc' ? sql()`asc` : sql()`desc`);

// A condition over `notifications n`: the inbox, the archive or what is snoozed.
function placeCondition(page: Page) {
  const { companyId, employeeId, everywhere, place, read } = page;
  if (everywhere) return sql()``;
  const receipts = sql()`select no from receipts where company_id = ${companyId} and employee_id = ${employeeId}`;
  if (place === 'archive') return sql()`and n.no in (${archivedNumbers(page)})`;
  if (place === 'snoozed') return sql()`and n.no in (${receipts} and snoozed_until > now())`;
  const isRead = sql()`and (n.no in (${receipts} and read_at is not null and unread_at is null)
    or n.no <= (select read_up_to from e) and n.no not in (${receipts} and unread_at is not null))`;
  return sql()`and n.no not in (${archivedNumbers(page)}) and n.no not in (${snoozedNumbers(page)})
    ${read ? isRead : sql()``}`;
}

// The first `limit` rows of a person's inbox between two numbers.
function selectPage(page: Page) {
  if (!isNarrow(page)) return selectRows(page, sql()`n.*`);
  // Indexes have all that the filter reads. So the rows that it leaves out are not fetched.
  return sql()`
    select n.* from (select no from (${selectRows(page, sql()`n.no`)}) numbers) found
    join notifications n on n.company_id = ${page.companyId} and n.no = found.no
    order by found.no ${directionOf(page)} limit ${page.limit}`;
}

function selectRows(page: Page, columns: Fragment) {
  const received = selectReceived(page, {
    ...page,
    columns,
    condition: sql()`${filterCondition(page)} ${placeCondition(page)}`,
    above: sql()`${page.above}::bigint`,
  });
  return sql()`${received} order by no ${directionOf(page)} limit ${page.limit}`;
}

// As `selectPage` for unread or unconfirmed rows. Finds the numbers first.
function selectByNumbers(page: Page) {
  const { companyId, below, limit, toConfirm } = page;
  const direction = directionOf(page);
  const only = filterCondition(page);
  const numbers = toConfirm
    ? numbersToConfirm(page, { below, limit: isNarrow(page) ? undefined : limit })
    : unreadNumbers(page, { ...page, back: false, only });
  const upToLimit = toConfirm && isNarrow(page) ? sql()`` : sql()`limit ${limit}`;
  return sql()`
    select n.* from (select no from (${numbers}) numbers order by no ${direction} ${upToLimit}) found
    join notifications n on n.company_id = ${companyId} and n.no = found.no
    where ${only}
    order by found.no ${direction} limit ${limit}`;
}

// What came back from a snooze, the last one first.
const selectBack = (page: Page) => sql()`
  select n.* from (
    select no from receipts
    where company_id = ${page.companyId} and employee_id = ${page.employeeId} and snoozed_until <= now()
    order by snoozed_until desc limit ${maxBack}
  ) back
  join notifications n on n.company_id = ${page.companyId} and n.no = back.no
  where ${filterCondition(page)}`;

// A page of notifications with their senders and this person's receipts. Each step is materialized:
// PostgreSQL cannot know how few rows a page has, and would read whole tables.
function selectItems(page: Page) {
  const { companyId, employeeId, withBack } = page;
  const rows = page.unread || page.toConfirm ? selectByNumbers(page) : selectPage(page);
  const ofPerson = sql()`company_id = ${companyId} and employee_id = ${employeeId}`;
  return sql()`
    with e as materialized (
      select read_up_to from employees where company_id = ${companyId} and id = ${employeeId}
    ), page as materialized (
      ${withBack ? sql()`(${selectBack(page)}) union all (${rows})` : rows}
    ), done as materialized (
      select * from receipts where ${ofPerson} and no between (select min(no) from page) and (select max(no) from page)
        and no = any(array(select no from page))
    ), sender_keys as materialized (
      select id, name from api_keys where company_id = ${companyId} and id = any(array(select distinct key_id from page))
    ), sender_accounts as materialized (
      select id, name from accounts
      where company_id = ${companyId} and id = any(array(select distinct account_id from page))
    )
    select n.no, ${asFragment(asColumns(shownFields))},
      ${asFragment(hasRead)} and not coalesce(r.snoozed_until <= now(), false) as read,
      r.archived_at is not null and r.unread_at is null as archived, r.snoozed_until as "snoozedUntil",
      coalesce(r.snoozed_until <= now(), false) as back,
      n.must_confirm or n.reminds_no is not null as "mustConfirm",
      case when n.must_confirm then r.confirmed_at
        when n.reminds_no is not null then (select confirmed_at from receipts where ${ofPerson} and no = n.reminds_no)
      end as "confirmedAt"
    from page n
    cross join e
    left join done r on r.no = n.no
    left join sender_keys sender_key on sender_key.id = n.key_id
    left join sender_accounts sender_account on sender_account.id = n.account_id
    order by ${withBack ? sql()`case when r.snoozed_until <= now() then r.snoozed_until end desc nulls last,` : sql()``}
      n.no ${directionOf(page)}`;
}

const runItems = cacheStatementText<PageValues, InboxItem, PageShape>((values, shape) =>
  selectItems({ ...values, ...shape }),
);

type InboxWindow = Omit<PageShape, keyof InboxFilter> & {
  above?: number;
  below?: number | undefined;
  limit: number;
  filter?: InboxFilter;
};

/** The query of inbox and feed. */
function readInbox(
  employee: Employee,
  { above = 0, below = beyondLastNo, limit, filter: { kind, sender, search, ...filter } = {}, ...rest }: InboxWindow,
): Promise<InboxItem[]> {
  const { companyId, employeeId } = employee;
  const values = { companyId, employeeId, above, below, limit, ...(kind && { kind }), ...sender };
  const shape = { ...rest, ...filter };
  // Each number of words has a statement of its own.
  if (search) return sql()<InboxItem[]>`${selectItems({ ...asFragments(values), ...shape, search })}`;
  return runItems(sql(), values, shape);
}

/**
 * Where the next page of an inbox begins: below number `before`, or without it at the newest. With
 * unread ones first, `part` says whether those have been listed.
 */
export type InboxCursor = { before?: number; part?: 'read' };

/** A page of an inbox; `more`: others follow, from `next` on. */
export type InboxPage = { items: InboxItem[]; more: boolean; next: InboxCursor };

/**
 * Up to `limit` notifications from a cursor on, the newest first. What came back from a snooze
 * comes before the first page, and does not count for the limit.
 */
export async function listInbox(
  employee: Employee,
  {
    before,
    part,
    filter = {},
    limit = 20,
    unreadFirst = false,
  }: InboxCursor & { filter?: InboxFilter; limit?: number; unreadFirst?: boolean } = {},
): Promise<InboxPage> {
  const ofInbox = !filter.toConfirm && filter.place === undefined;
  const list = async (window: Omit<InboxWindow, 'order'>) => {
    const rows = await readInbox(employee, { ...window, order: 'desc' });
    const back = window.withBack ? rows.filter((row) => row.back) : [];
    return { back, rows: rows.slice(back.length) };
  };
  const pageOf = (back: InboxItem[], rows: InboxItem[], most: number, cursor: InboxCursor): InboxPage => ({
    items: [...back, ...rows.slice(0, most)],
    more: rows.length > most,
    next: { ...cursor, before: rows.slice(0, most).at(-1)?.no },
  });
  const withBack = ofInbox && before === undefined && part === undefined;
  if (!unreadFirst || !ofInbox || filter.unread) {
    const { back, rows } = await list({ below: before, filter, limit: limit + 1, withBack });
    return pageOf(back, rows, limit, {});
  }
  if (part === 'read')
    return pageOf([], (await list({ below: before, filter, limit: limit + 1, read: true })).rows, limit, { part });
  const unread = await list({ below: before, filter: { ...filter, unread: true }, limit: limit + 1, withBack });
  if (unread.rows.length > limit) return pageOf(unread.back, unread.rows, limit, {});
  const room = limit - unread.rows.length;
  const { rows } = await list({ filter, limit: room + 1, read: true });
  return pageOf([...unread.back, ...unread.rows], rows, room, { part: 'read' });
}

/**
 * One notification of a person's inbox, also where it is archived or snoozed. `'withdrawn'` if its
 * sender took it back, null if it never was in this inbox.
 */
export async function findInInbox(employee: Employee, no: number): Promise<InboxItem | 'withdrawn' | null> {
  const [item] = await readInbox(employee, {
    above: no - 1,
    below: no + 1,
    order: 'asc',
    limit: 1,
    everywhere: true,
  });
  if (item) return item;
  const withdrawn = await sql()`
    select from notifications n
    where n.company_id = ${employee.companyId} and n.no = ${no} and n.withdrawn_at is not null and n.reach > 0
      and ${asFragment(isReceivedBy(employee.employeeId))}`;
  return withdrawn.length > 0 ? 'withdrawn' : null;
}

/** What came back from a snooze and is unread, the last one first, up to 50. */
export async function listBack(employee: Employee): Promise<InboxItem[]> {
  const nothing = { above: beyondLastNo, order: 'desc', limit: 0 } as const;
  return readInbox(employee, { ...nothing, withBack: true });
}

/** Who sent something: a system with a key, or a person. */
export type Sender = { id: SenderId; name: string };

const sendersOf = 1000;

/** Who sent the person's newest 1,000 notifications that were not withdrawn, by name. */
export async function listSenders(employee: Employee): Promise<Sender[]> {
  const { companyId, employeeId } = employee;
  const window = { above: 0, below: beyondLastNo, order: 'desc', limit: sendersOf, everywhere: true } as const;
  return sql()<Sender[]>`
    with senders as materialized (
      select distinct key_id, account_id from (${selectRows({ ...window, companyId, employeeId }, sql()`n.no, n.key_id, n.account_id`)}) theirs
    )
    select coalesce(sender_key.name, sender_account.name) as name,
      case when n.key_id is null then jsonb_build_object('accountId', n.account_id)
        else jsonb_build_object('keyId', n.key_id) end as id
    from senders n
    left join api_keys sender_key on sender_key.company_id = ${companyId} and sender_key.id = n.key_id
    left join accounts sender_account on sender_account.company_id = ${companyId} and sender_account.id = n.account_id
    order by lower(coalesce(sender_key.name, sender_account.name))`;
}

/** The most notifications of `listInboxSince`. With fewer, there are no others. */
export const catchUpSize = 50;

/** The first notifications above number `after`, the oldest first, up to `catchUpSize`. */
export async function listInboxSince(employee: Employee, after: number): Promise<InboxItem[]> {
  return readInbox(employee, { above: after, order: 'asc', limit: catchUpSize });
}

type InboxChanges = Record<'withdrawn' | 'corrected', Rows['notifications']['no'][]>;

/** The numbers of the person's notifications that were withdrawn or corrected after `after` and up to `upTo`. */
export async function listChangesSince(
  { companyId, employeeId }: Employee,
  after: number,
  upTo = beyondLastNo,
): Promise<InboxChanges> {
  const numbers = (changeNo: Fragment, condition = sql()`true`) => sql()`array(
    select n.no from notifications n
    where n.company_id = ${companyId} and ${changeNo} > ${after} and ${changeNo} <= ${upTo} and ${condition}
      and ${asFragment(isReceivedBy(employeeId))}
    order by ${changeNo} limit ${maxChanged})`;
  return requireRow(sql()<InboxChanges[]>`
    select ${numbers(sql()`n.withdrawal_no`)} as withdrawn,
      ${numbers(sql()`n.correction_no`, asFragment(stillCounts))} as corrected`);
}
