import {
  byId,
  cacheStatement,
  db,
  deleteRows,
  hasRows,
  inTransaction,
  matches,
  sql as pool,
  requireRow,
  type Transaction,
  updateRows,
  type Value,
} from '#db/client.ts';
import { alias, and, eq, exists, gt, isNotNull, isNull, lt, lte, or, type SQL, sql } from '#db/drizzle.cjs';
import { companies, employees, notifications, readMarks, receipts } from '#db/schema/tables.ts';
import { recordAudit } from '#server/audit/record.ts';
import type { Reader } from '#server/inbox/unread.ts';
import { isReceivedBy, n, stillCounts } from '#server/notifications/audience.ts';
import type { Employee, Session } from '#server/principals.ts';

const isReceived = (employeeId: Value) => isReceivedBy(sql`${employeeId}::int`);

/** A query of `company_id` and `no`: those of `numbers`, an array of PostgreSQL, that are in the employee's inbox. */
export const selectFromInbox = ({ companyId, employeeId }: Reader, numbers: SQL) =>
  db()
    .select({ companyId: n.companyId, no: n.no })
    .from(n)
    .where(and(matches(n, { companyId }), sql`${n.no} = any(${numbers})`, stillCounts, isReceived(employeeId)));

type Marked = Record<'companyId' | 'employeeId' | 'no', number>;

// As text, as each insert of receipts: the builder's `insert … select` has to name all columns of the table.
const runMarkRead = cacheStatement<Marked, { no: number }, { read: boolean }>(
  (marked, { read }) => sql`
    insert into receipts as old (company_id, employee_id, no, read_at, unread_at)
    select company_id, ${marked.employeeId}, no, ${read ? sql`now(), null` : sql`null, now()`}
    from ${selectFromInbox(marked, sql`array[${marked.no}::bigint]`)} mine
    on conflict (company_id, employee_id, no) do update set unread_at = excluded.unread_at,
      ${
        read
          ? sql`read_at = coalesce(old.read_at, now()),
            snoozed_until = case when old.snoozed_until > now() then old.snoozed_until end`
          : sql`archived_at = null`
      }
    returning no`,
);

/** Marks one read or unread. Read, one back from a snooze takes its old place; unread, an archived one returns. */
export async function markRead(employee: Employee, no: number, read: boolean): Promise<'marked' | 'not-in-inbox'> {
  const { companyId, employeeId } = employee;
  const isMarked = await hasRows(runMarkRead(pool(), { companyId, employeeId, no }, { read }));
  return isMarked ? 'marked' : 'not-in-inbox';
}

/** What `markAllRead` changed: the watermark, what was marked unread before, and what was back from a snooze. */
export type MarkedAll = { before: number; upTo: number; reopened: number[]; back: number[] };

/** The most numbers of `MarkedAll.reopened` and of `back`; more are not restored. */
const maxReopened = 1000;

/**
 * Marks everything up to number `upTo`, the newest that the person saw, read. Moves the watermark; only
 * `undoMarkAllRead` moves it back. What is snoozed and was never read stays unread.
 */
export async function markAllRead(employee: Employee, upTo: number): Promise<MarkedAll> {
  const { companyId, employeeId } = employee;
  const own = matches(receipts, { companyId, employeeId });
  const old = alias(employees, 'old');
  return inTransaction(async (tx) => {
    const row = await requireRow(
      db(tx)
        .update(employees)
        .set({ readUpTo: sql`greatest(${employees.readUpTo}, least(${upTo}, ${companies.lastNo}))` })
        .from(companies)
        .innerJoin(old, byId(old, { companyId: companies.id }, employeeId))
        .where(and(eq(companies.id, companyId), byId(employees, { companyId: companies.id }, employeeId)))
        .returning({ before: old.readUpTo, upTo: employees.readUpTo }),
    );
    const ended = db(tx)
      .select({
        no: receipts.no,
        wasRead: sql<boolean>`${receipts.unreadAt} is null
          and (${receipts.readAt} is not null or ${receipts.no} <= ${row.before})`.as('was_read'),
      })
      .from(receipts)
      .where(and(own, lte(receipts.no, upTo), lte(receipts.snoozedUntil, sql`now()`)))
      .for('update')
      .as('ended');
    const back = await db(tx)
      .update(receipts)
      .set({ snoozedUntil: null, unreadAt: null, readAt: sql`coalesce(${receipts.readAt}, now())` })
      .from(ended)
      .where(and(own, eq(receipts.no, ended.no)))
      .returning({ no: receipts.no, wasRead: ended.wasRead });
    const isSnoozed = and(lte(receipts.no, upTo), gt(receipts.snoozedUntil, sql`now()`));
    const isUnread = and(gt(receipts.no, row.before), isNull(receipts.readAt), isNull(receipts.unreadAt));
    const now = sql`now()`;
    await updateRows(db(tx), receipts, { companyId, employeeId }, { unreadAt: now }, and(isSnoozed, isUnread));
    const isReopened = and(lte(receipts.no, upTo), isNotNull(receipts.unreadAt), isNull(receipts.snoozedUntil));
    const reopened = await db(tx)
      .update(receipts)
      .set({ unreadAt: null, readAt: sql`coalesce(${receipts.readAt}, now())` })
      .where(and(own, isReopened))
      .returning({ no: receipts.no });
    // The time of reading for the owner's lists: rows below the watermark have no receipt.
    if (row.before < row.upTo)
      await db(tx).insert(readMarks).values({ companyId, employeeId, upTo: row.upTo }).onConflictDoNothing();
    const first = (rows: { no: number }[]) => rows.map(({ no }) => no).slice(0, maxReopened);
    return { ...row, reopened: first([...back.filter(({ wasRead }) => !wasRead), ...reopened]), back: first(back) };
  });
}

/** Takes a `markAllRead` back; false when the watermark was moved since. What was marked read on its own stays read. */
export async function undoMarkAllRead(employee: Employee, { before, upTo, reopened, back }: MarkedAll) {
  const { companyId, employeeId } = employee;
  const own = { companyId, employeeId };
  return inTransaction(async (tx) => {
    const isUnmoved = and(eq(employees.readUpTo, upTo), sql`${before}::bigint <= ${employees.readUpTo}`);
    const undone = await db(tx)
      .update(employees)
      .set({ readUpTo: before, settledUpTo: sql`least(${employees.settledUpTo}, ${before})` })
      .where(and(byId(employees, employee, employeeId), isUnmoved))
      .returning({ id: employees.id });
    if (undone.length === 0) return false;
    // What was archived meanwhile stays read.
    const isArchived = and(isNotNull(receipts.archivedAt), isNull(receipts.unreadAt), isNull(receipts.readAt));
    const now = sql`now()`;
    const stayRead = and(gt(receipts.no, before), lte(receipts.no, upTo), isArchived);
    await updateRows(db(tx), receipts, own, { readAt: now }, stayRead);
    if (before < upTo) await deleteRows(db(tx), readMarks, { ...own, upTo });
    await updateRows(db(tx), receipts, { ...own, no: reopened.slice(0, maxReopened) }, { unreadAt: now });
    const wereBack = { ...own, no: back.slice(0, maxReopened), archivedAt: null, snoozedUntil: null };
    await updateRows(db(tx), receipts, wereBack, { snoozedUntil: now });
    return true;
  });
}

/** Records which notifications were shown to the person; skips those not in their inbox. */
export async function recordShown(employee: Employee, numbers: number[]): Promise<void> {
  if (numbers.length === 0) return;
  const { companyId, employeeId } = employee;
  await runShown(pool(), { companyId, employeeId, numbers }, null);
}

const runShown = cacheStatement<{ companyId: number; employeeId: number; numbers: number[] }, object>(
  (seen) => sql`
    insert into receipts as old (company_id, employee_id, no, shown_at)
    select company_id, ${seen.employeeId}, no, now() from ${selectFromInbox(seen, sql`${seen.numbers}::bigint[]`)} mine
    on conflict (company_id, employee_id, no) do update set shown_at = coalesce(old.shown_at, now())`,
);

/**
 * Confirms a notification that requires it, or gives the `answer` that it asks for, by its place from 1 on. Marks it
 * and its reminders read, and ends their snooze. A confirmation is final, and of answers the last one counts: a call
 * that changes nothing returns the time of the first. `'nothing-to-confirm'`: not in their inbox, nothing required,
 * closed, or no such answer.
 */
export async function confirmNotification(
  { account, employee }: Session & { employee: Employee },
  no: number,
  answer: number | null = null,
): Promise<{ confirmedAt: Date } | 'nothing-to-confirm'> {
  const { companyId, employeeId } = employee;
  return inTransaction(async (tx) => {
    // `remind` locks the same row, so a reminder counts exactly who has not confirmed.
    const isOpen = and(matches(notifications, { companyId, no, withdrawnAt: null }), notifications.mustConfirm);
    const isInInbox = exists(selectFromInbox(employee, sql`array[${no}::bigint]`));
    const [original] = await db(tx)
      .select({ title: notifications.title, answers: notifications.answers, correctedAt: notifications.correctedAt })
      .from(notifications)
      .where(and(isOpen, isInInbox))
      .for('share');
    const choices = original?.answers?.length ?? 0;
    if (!original || (answer === null ? choices > 0 : answer > choices)) return 'nothing-to-confirm';
    const isOfFormerText = original.correctedAt && answer !== null && lt(receipts.confirmedAt, original.correctedAt);
    const confirmedAt = sql<Date>`${receipts.confirmedAt}`;
    const [confirmed] = await db(tx)
      .insert(receipts)
      .values({ companyId, employeeId, no, readAt: sql`now()`, confirmedAt: sql`clock_timestamp()`, answer })
      .onConflictDoUpdate({
        target: [receipts.companyId, receipts.employeeId, receipts.no],
        set: {
          // After the wait for the receipt: the last of two answers has the later time.
          confirmedAt: sql`clock_timestamp()`,
          firstConfirmedAt: sql`coalesce(${receipts.firstConfirmedAt}, ${receipts.confirmedAt})`,
          answer,
          readAt: sql`coalesce(${receipts.readAt}, now())`,
          unreadAt: null,
          snoozedUntil: null,
        },
        setWhere: or(
          isNull(receipts.confirmedAt),
          sql`${receipts.answer} is distinct from excluded.answer`,
          isOfFormerText || undefined,
        ),
      })
      .returning({ confirmedAt });
    const own = matches(receipts, { companyId, employeeId, no });
    if (!confirmed) return requireRow(db(tx).select({ confirmedAt }).from(receipts).where(own));
    await recordAudit(tx, account, answer === null ? 'notification.confirm' : 'notification.answer', {
      no,
      title: original.title,
      employeeId,
      answer: answer === null ? undefined : original.answers?.[answer - 1],
    });
    await markRemindersRead(tx, employee, no);
    return confirmed;
  });
}

async function markRemindersRead(tx: Transaction, employee: Employee, no: number): Promise<void> {
  const isReminder = matches(notifications, { companyId: employee.companyId, remindsNo: no });
  const reminders = db(tx).select({ no: notifications.no }).from(notifications).where(isReminder);
  // As text: the builder's `insert … select` names all columns.
  await db(tx).execute(sql`
    insert into receipts as old (company_id, employee_id, no, read_at)
    select company_id, ${employee.employeeId}, no, now() from ${selectFromInbox(employee, sql`array${reminders}`)} mine
    on conflict (company_id, employee_id, no) do update set read_at = coalesce(old.read_at, now()), unread_at = null,
      snoozed_until = null`);
}
