import { cacheStatement, db, hasRows, matches, sql as pool, requireRow } from '#db/client.ts';
import {
  type AnyPgColumn,
  and,
  desc,
  eq,
  gt,
  ilike,
  inArray,
  isNotNull,
  isNull,
  lte,
  notInArray,
  or,
  type Placeholder,
  type SQL,
  sql,
} from '#db/drizzle.cjs';
import { accounts, apiKeys, employees, notifications, receipts } from '#db/schema/tables.ts';
import {
  archivedNumbers,
  beyondLastNo,
  directions,
  numbersToConfirm,
  receiptNumbers,
  selectReceived,
  snoozedNumbers,
  unreadNumbers,
} from '#server/inbox/unread.ts';
import { asks, e, hasRead, isReceivedBy, n, patternsOf, r, stillCounts } from '#server/notifications/audience.ts';
import type { Kind } from '#server/notifications/kinds.ts';
import {
  asColumns,
  type ShownNotification,
  senderAccount,
  senderFields,
  senderKey,
  shownFields,
} from '#server/notifications/shown.ts';
import type { Employee } from '#server/principals.ts';

/**
 * A notification in one employee's inbox or archive (`archived`). A reminder has the `mustConfirm`, `confirmedAt` and
 * `answer` of its original. `answer`: the place among `answers`, from 1 on. From `snoozedUntil` on it is unread again,
 * first in the inbox (`back`), until it is read.
 */
export type InboxItem = ShownNotification & {
  read: boolean;
  mustConfirm: boolean;
  confirmedAt: Date | null;
  answer: number | null;
  archived?: boolean;
  snoozedUntil?: Date | null;
  back?: boolean;
};

export type SenderId = { keyId: number } | { accountId: number };

/**
 * Which part of the inbox; all conditions together. Each word of `search` is part of the title or text. `toConfirm`:
 * without reminders, snoozed or not; not together with `unread`. `place`: another place than the inbox.
 */
export type InboxFilter = {
  unread?: boolean;
  kind?: Kind;
  search?: string;
  sender?: SenderId;
  toConfirm?: boolean;
  place?: 'archive' | 'snoozed';
};

// What a page is read by: values, and what decides about its statement.
type PageValues = Record<'companyId' | 'employeeId' | 'above' | 'below' | 'limit', number> & {
  kind?: Kind;
  keyId?: number;
  accountId?: number;
  /** Patterns, of which each is in the title or text. */
  words?: string[];
};
type PageShape = Pick<InboxFilter, 'unread' | 'toConfirm' | 'place'> & {
  order: 'asc' | 'desc';
  /** Also what is archived or snoozed. */
  everywhere?: boolean;
  read?: boolean;
  /** First what came back from a snooze. */
  withBack?: boolean;
  wordCount?: number;
};
type Page = { [Name in keyof PageValues]: Placeholder } & PageShape;

const filterCondition = ({ kind, words, wordCount = 0, keyId, accountId }: Page): SQL | undefined => {
  const isInText = Array.from({ length: wordCount }, (_, index) => {
    const word = sql`(${words}::text[])[${index + 1}]`;
    return or(ilike(n.title, word), ilike(n.body, word));
  });
  return and(
    stillCounts,
    kind && eq(n.kind, kind),
    keyId && eq(n.keyId, keyId),
    accountId && eq(n.accountId, accountId),
    ...isInText,
  );
};

const isNarrow = ({ kind, words, keyId, accountId, place }: Page) =>
  [kind, words, keyId, accountId, place].some((condition) => condition !== undefined);

const directionOf = ({ order }: Pick<PageShape, 'order'>) => directions[order];

// A condition over `n`: the inbox, the archive or what is snoozed.
function placeCondition(page: Page): SQL | undefined {
  const { everywhere, place, read } = page;
  if (everywhere) return undefined;
  if (place === 'archive') return inArray(n.no, archivedNumbers(page));
  if (place === 'snoozed') return inArray(n.no, receiptNumbers(page, gt(receipts.snoozedUntil, sql`now()`)));
  const marked = receiptNumbers(page, and(isNotNull(receipts.readAt), isNull(receipts.unreadAt)));
  const reopened = receiptNumbers(page, isNotNull(receipts.unreadAt));
  const isRead = or(
    inArray(n.no, marked),
    and(sql`${n.no} <= (select ${e.readUpTo} from e)`, notInArray(n.no, reopened)),
  );
  return and(
    notInArray(n.no, archivedNumbers(page)),
    notInArray(n.no, snoozedNumbers(page)),
    read ? isRead : undefined,
  );
}

// The first `limit` rows of a person's inbox between two numbers.
function selectPage(page: Page): SQL {
  if (!isNarrow(page)) return selectRows(page, sql`n.*`);
  // Indexes have all that the filter reads. So the rows that it leaves out are not fetched.
  return sql`
    select n.* from (select no from (${selectRows(page, sql`${n.no}`)}) numbers) found
    join ${notifications} n on ${n.companyId} = ${page.companyId} and ${n.no} = found.no
    order by found.no ${directionOf(page)} limit ${page.limit}`;
}

function selectRows(page: Page, columns: SQL): SQL {
  const received = selectReceived(page, {
    ...page,
    columns,
    condition: and(filterCondition(page), placeCondition(page)),
    above: sql`${page.above}::bigint`,
  });
  return sql`${received} order by no ${directionOf(page)} limit ${page.limit}`;
}

// As `selectPage` for unread or unconfirmed rows. Finds the numbers first.
function selectByNumbers(page: Page): SQL {
  const { companyId, below, limit, toConfirm } = page;
  const direction = directionOf(page);
  const only = filterCondition(page);
  const numbers = toConfirm
    ? numbersToConfirm(page, { below, limit: isNarrow(page) ? undefined : limit })
    : unreadNumbers(page, { ...page, back: false, only });
  const upToLimit = toConfirm && isNarrow(page) ? sql`` : sql`limit ${limit}`;
  return sql`
    select n.* from (select no from (${numbers}) numbers order by no ${direction} ${upToLimit}) found
    join ${notifications} n on ${n.companyId} = ${companyId} and ${n.no} = found.no
    where ${only}
    order by found.no ${direction} limit ${limit}`;
}

// What came back from a snooze, the last one first.
const selectBack = (page: Page): SQL => {
  const back = receiptNumbers(page, lte(receipts.snoozedUntil, sql`now()`));
  return sql`
    select n.* from ${back.orderBy(desc(receipts.snoozedUntil)).limit(50)} back
    join ${notifications} n on ${n.companyId} = ${page.companyId} and ${n.no} = back.no
    where ${filterCondition(page)}`;
};

const isBack = sql<boolean>`coalesce(${r.snoozedUntil} <= now(), false)`;

// A page of notifications with their senders and this person's receipts. As text: each step is materialized, which
// the builder cannot say. PostgreSQL cannot know how few rows a page has, and would read whole tables.
function selectItems(page: Page): SQL {
  const { companyId, employeeId, withBack } = page;
  const rows = page.unread || page.toConfirm ? selectByNumbers(page) : selectPage(page);
  const isOwn = matches(receipts, { companyId, employeeId });
  // A reminder has those of its original, and no own ones.
  const given = (name: 'confirmedAt' | 'answer') =>
    sql`coalesce(${r[name]}, (select ${receipts[name]} from ${receipts} where ${isOwn} and ${receipts.no} = ${n.remindsNo}))`;
  const columns = asColumns({
    no: n.no,
    ...shownFields,
    read: sql`${hasRead} and not ${isBack}`,
    archived: sql`${r.archivedAt} is not null and ${r.unreadAt} is null`,
    snoozedUntil: r.snoozedUntil,
    back: isBack,
    mustConfirm: asks,
    confirmedAt: given('confirmedAt'),
    answer: given('answer'),
  });
  return sql`
    with e as materialized (
      select ${employees.readUpTo} from ${employees}
      where ${employees.companyId} = ${companyId} and ${employees.id} = ${employeeId}
    ), page as materialized (
      ${withBack ? sql`(${selectBack(page)}) union all (${rows})` : rows}
    ), done as materialized (
      select * from ${receipts}
      where ${isOwn} and ${receipts.no} between (select min(no) from page) and (select max(no) from page)
        and ${receipts.no} = any(array(select no from page))
    ), sender_keys as materialized (
      select ${apiKeys.id}, ${apiKeys.name} from ${apiKeys}
      where ${apiKeys.companyId} = ${companyId} and ${apiKeys.id} = any(array(select distinct key_id from page))
    ), sender_accounts as materialized (
      select ${accounts.id}, ${accounts.name} from ${accounts}
      where ${accounts.companyId} = ${companyId} and ${accounts.id} = any(array(select distinct account_id from page))
    )
    select ${columns}
    from page n
    cross join e
    left join done r on ${r.no} = ${n.no}
    left join sender_keys sender_key on ${senderKey.id} = ${n.keyId}
    left join sender_accounts sender_account on ${senderAccount.id} = ${n.accountId}
    order by ${withBack ? sql`case when ${r.snoozedUntil} <= now() then ${r.snoozedUntil} end desc nulls last,` : sql``}
      ${n.no} ${directionOf(page)}`;
}

const runItems = cacheStatement<PageValues, InboxItem, PageShape>((values, shape) =>
  selectItems({ ...values, ...shape }),
);

type InboxWindow = Omit<PageShape, keyof InboxFilter> & {
  above?: number;
  below?: number | undefined;
  limit: number;
  filter?: InboxFilter;
};

function readInbox(
  employee: Employee,
  { above = 0, below = beyondLastNo, limit, filter: { kind, sender, search, ...filter } = {}, ...rest }: InboxWindow,
): Promise<InboxItem[]> {
  const { companyId, employeeId } = employee;
  const words = patternsOf(search);
  const hasWords = words.length > 0 && { words };
  const values = { companyId, employeeId, above, below, limit, ...(kind && { kind }), ...sender, ...hasWords };
  return runItems(pool(), values, { ...rest, ...filter, wordCount: words.length });
}

/** Where a page begins: below number `before`, or at the newest. `part`: the unread ones have been listed. */
export type InboxCursor = { before?: number; part?: 'read' };

/** A page of an inbox; `more`: others follow, from `next` on. */
export type InboxPage = { items: InboxItem[]; more: boolean; next: InboxCursor };

/** Up to `limit` notifications, the newest first, and before the first page what came back from a snooze. */
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

/** One notification of a person, wherever it is. `'withdrawn'`: its sender took it back. Null: they never had it. */
export async function findInInbox(employee: Employee, no: number): Promise<InboxItem | 'withdrawn' | null> {
  const [item] = await readInbox(employee, { above: no - 1, below: no + 1, order: 'asc', limit: 1, everywhere: true });
  if (item) return item;
  const wasWithdrawn = and(matches(n, { companyId: employee.companyId, no }), isNotNull(n.withdrawnAt), gt(n.reach, 0));
  const isReceived = isReceivedBy(employee.employeeId);
  const withdrawn = db().select({ no: n.no }).from(n).where(and(wasWithdrawn, isReceived));
  return (await hasRows(withdrawn)) ? 'withdrawn' : null;
}

/** What came back from a snooze and is unread, the last one first, up to 50. */
export async function listBack(employee: Employee): Promise<InboxItem[]> {
  const nothing = { above: beyondLastNo, order: 'desc', limit: 0 } as const;
  return readInbox(employee, { ...nothing, withBack: true });
}

export type Sender = { id: SenderId; name: string };

/** Who sent the person's newest 1,000 notifications that were not withdrawn, by name. */
export const listSenders = async ({ companyId, employeeId }: Employee): Promise<Sender[]> =>
  runSenders(pool(), { companyId, employeeId, above: 0, below: beyondLastNo, limit: 1000 }, null);

const runSenders = cacheStatement<PageValues, Sender>((values) => {
  const page: Page = { ...values, order: 'desc', everywhere: true };
  return sql`
    with senders as materialized (
      select distinct key_id, account_id from (${selectRows(page, sql`${n.no}, ${n.keyId}, ${n.accountId}`)}) theirs
    )
    select ${senderFields.sender} as name,
      case when ${n.keyId} is null then jsonb_build_object('accountId', ${n.accountId})
        else jsonb_build_object('keyId', ${n.keyId}) end as id
    from senders n
    left join ${apiKeys} sender_key on ${senderKey.companyId} = ${values.companyId} and ${senderKey.id} = ${n.keyId}
    left join ${accounts} sender_account
      on ${senderAccount.companyId} = ${values.companyId} and ${senderAccount.id} = ${n.accountId}
    order by lower(${senderFields.sender})`;
});

/** The most notifications of `listInboxSince`. With fewer, there are no others. */
export const catchUpSize = 50;

/** The first notifications above number `after`, the oldest first, up to `catchUpSize`. */
export const listInboxSince = async (employee: Employee, after: number): Promise<InboxItem[]> =>
  readInbox(employee, { above: after, order: 'asc', limit: catchUpSize });

/** The numbers of the person's notifications that were withdrawn or corrected after `after` and up to `upTo`. */
export const listChangesSince = async ({ companyId, employeeId }: Employee, after: number, upTo = beyondLastNo) =>
  requireRow(runChanges(pool(), { companyId, employeeId, after, upTo }, null));

type Changed = Record<'companyId' | 'employeeId' | 'after' | 'upTo', number>;

const runChanges = cacheStatement<Changed, Record<'withdrawn' | 'corrected', number[]>>(
  ({ companyId, employeeId, after, upTo }) => {
    const numbers = (changeNo: AnyPgColumn, condition?: SQL) => {
      const isChanged = and(eq(n.companyId, companyId), gt(changeNo, after), lte(changeNo, upTo), condition);
      const changed = db()
        .select({ no: n.no })
        .from(n)
        .where(and(isChanged, isReceivedBy(sql`${employeeId}::int`)));
      return sql`array${changed.orderBy(changeNo).limit(1000)}`;
    };
    return sql`select ${numbers(n.withdrawalNo)} as withdrawn, ${numbers(n.correctionNo, stillCounts)} as corrected`;
  },
);
