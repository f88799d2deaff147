import { db, findRow, hasRows, inTransaction } from '#db/client.ts';
import { and, eq, isNotNull, isNull, not, notExists, or, sql } from '#db/drizzle.cjs';
import { employees, receipts } from '#db/schema/tables.ts';
import { selectFromInbox } from '#server/inbox/read-state.ts';
import { asks, e, hasRead, n, r } from '#server/notifications/audience.ts';
import type { Employee } from '#server/principals.ts';

/** What the person saw before a move: whether it was unread, and whether it was back from a snooze. */
export type BeforeMove = { unread: boolean; back: boolean };

// A condition over `n`: this person must still confirm it, or its original.
function waits({ companyId, employeeId }: Employee) {
  const confirmed = db()
    .select({ no: receipts.no })
    .from(receipts)
    .where(
      and(
        eq(receipts.companyId, companyId),
        eq(receipts.employeeId, employeeId),
        sql`${receipts.no} = coalesce(${n.remindsNo}, ${n.no})`,
        isNotNull(receipts.confirmedAt),
      ),
    );
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
        .innerJoin(n, and(eq(n.companyId, mine.companyId), eq(n.no, mine.no)))
        .innerJoin(e, and(eq(e.companyId, companyId), eq(e.id, employeeId)))
        .leftJoin(r, and(eq(r.companyId, companyId), eq(r.employeeId, employeeId), eq(r.no, n.no))),
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
      .where(
        and(
          eq(receipts.companyId, companyId),
          eq(receipts.employeeId, employeeId),
          eq(receipts.no, no),
          or(isArchived, isNotNull(receipts.snoozedUntil)),
          eq(employees.companyId, receipts.companyId),
          eq(employees.id, receipts.employeeId),
        ),
      )
      .returning({ no: receipts.no }),
  );
  return isReturned ? 'returned' : 'not-away';
}
