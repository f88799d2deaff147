import { byId, db, findRow, hasRows, inTransaction, matches } from '#db/client.ts';
import { and, isNotNull, isNull, not, notExists, or, sql } from '#db/drizzle.cjs';
import { employees, receipts } from '#db/schema/tables.ts';
import { announce } from '#db/wake-ups.ts';
import { selectFromInbox } from '#server/inbox/read-state.ts';
import { receiptNumbers, type UnreadCount } from '#server/inbox/unread.ts';
import { asks, e, hasRead, n, r } from '#server/notifications/audience.ts';
import type { Employee, Session } from '#server/principals.ts';

/** What the person saw before a move: whether it was unread, and whether it was back from a snooze. */
export type BeforeMove = { unread: boolean; back: boolean };

// A condition over `n`: this person must still confirm it, or its original.
function waits(employee: Employee) {
  const isOfIt = sql`${receipts.no} = coalesce(${n.remindsNo}, ${n.no})`;
  const confirmed = receiptNumbers(employee, and(isOfIt, isNotNull(receipts.confirmedAt)));
  return sql<boolean>`${asks} and ${notExists(confirmed)}`;
}

/** Moves a notification of the inbox to the archive and marks it read, unless it must still be confirmed. */
export async function archive(employee: Employee, no: number): Promise<BeforeMove | 'to-confirm' | 'not-in-inbox'> {
  const { companyId, employeeId } = employee;
  return inTransaction(async (tx) => {
    const mine = selectFromInbox(employee, sql`array[${no}::bigint]`).as('mine');
    const row = await findRow(
      db(tx)
        .select({
          waits: waits(employee),
          back: sql<boolean>`coalesce(${r.snoozedUntil} <= now(), false)`,
          unread: sql<boolean>`${not(hasRead)}`,
        })
        .from(mine)
        .innerJoin(n, matches(n, { companyId: mine.companyId, no: mine.no }))
        .innerJoin(e, byId(e, employee, employeeId))
        .leftJoin(r, matches(r, { companyId, employeeId, no: n.no })),
    );
    if (!row) return 'not-in-inbox';
    if (row.waits) return 'to-confirm';
    // What was read keeps the time at which it was read. As text: the builder's `insert … select` has to name all columns.
    await db(tx).execute(sql`
      insert into receipts as old (company_id, employee_id, no, read_at, archived_at)
      select ${companyId}, ${employeeId}, ${no}::bigint, case when ${no}::bigint > e.read_up_to then now() end, now()
      from employees e where e.company_id = ${companyId} and e.id = ${employeeId}
      on conflict (company_id, employee_id, no) do update set archived_at = excluded.archived_at,
        read_at = coalesce(old.read_at, excluded.read_at), unread_at = null, snoozed_until = null`);
    return { unread: row.unread, back: row.back };
  });
}

/** Moves one notification from the archive or a snooze back to the inbox, or to where it was before the move. */
export async function returnToInbox(
  { companyId, employeeId }: Employee,
  no: number,
  { unread, back }: BeforeMove,
): Promise<'returned' | 'not-away'> {
  // What was never read gets an `unread_at`, because a count may have settled above it meanwhile.
  const isRead = sql`${unread} and ${receipts.readAt} = ${receipts.archivedAt}`;
  const wasNeverRead = sql`${receipts.snoozedUntil} is not null and ${receipts.readAt} is null
    and ${receipts.no} > ${employees.readUpTo}`;
  const isArchived = and(isNotNull(receipts.archivedAt), isNull(receipts.unreadAt));
  const isAway = and(
    matches(receipts, { companyId, employeeId, no }),
    or(isArchived, isNotNull(receipts.snoozedUntil)),
  );
  const isReturned = await hasRows(
    db()
      .update(receipts)
      .set({
        archivedAt: null,
        readAt: sql`case when ${isRead} then null else ${receipts.readAt} end`,
        unreadAt: sql`case when ${unread} then now() when ${wasNeverRead} then coalesce(${receipts.unreadAt}, now())
          else ${receipts.unreadAt} end`,
        snoozedUntil: sql`case when ${back} then now() end`,
      })
      .from(employees)
      .where(and(isAway, byId(employees, receipts, receipts.employeeId)))
      .returning({ no: receipts.no }),
  );
  return isReturned ? 'returned' : 'not-away';
}

/** Which notifications a person has moved: out of the inbox, or back into it. Of many, the newest. */
export type MovedNotifications = { moved: number[]; to: 'archive' | 'snoozed' } | { returned: number[] };

/** What the other devices of a person are told: what was moved, and the unread count after it. */
export type MovedMessage = { moved: MovedNotifications; unread: UnreadCount };

/** Tells the open streams of a person's other devices what this one has moved. Returns at once. */
export function tellOtherDevices(
  { employee: { companyId, employeeId }, sessionId }: Pick<Session, 'sessionId'> & { employee: Employee },
  message: MovedMessage,
): void {
  announce({ companyId, employeeId, sessionId, text: JSON.stringify(message) });
}
