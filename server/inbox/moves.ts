import { byId, db, inTransaction, matches, updateRows } from '#db/client.ts';
import { and, eq, isNotNull, isNull, lte, not, notExists, or, sql } from '#db/drizzle.cjs';
import { employees, preferences, receipts } from '#db/schema/tables.ts';
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
    const [row] = await db(tx)
      .select({
        waits: waits(employee),
        back: sql<boolean>`coalesce(${r.snoozedUntil} <= now(), false)`,
        unread: sql<boolean>`${not(hasRead)}`,
      })
      .from(mine)
      .innerJoin(n, matches(n, { companyId: mine.companyId, no: mine.no }))
      .innerJoin(e, byId(e, employee, employeeId))
      .leftJoin(r, matches(r, { companyId, employeeId, no: n.no }));
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
  const returned = await db()
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
    .returning({ no: receipts.no });
  return returned.length > 0 ? 'returned' : 'not-away';
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

/**
 * When a notification comes back: in an hour, at 18:00, tomorrow at 08:00, or at a minute of a day such as
 * `2026-11-21`, in the zone of the person's quiet hours, else of the company.
 */
export type SnoozeTime = 'hour' | 'evening' | 'morning' | { day: string; minute: number };

const times = {
  hour: sql`date_trunc('milliseconds', now()) + interval '1 hour'`,
  evening: sql`(date_trunc('day', now() at time zone z.zone) + interval '18 hours') at time zone z.zone`,
  morning: sql`(date_trunc('day', now() at time zone z.zone) + interval '1 day 8 hours') at time zone z.zone`,
};

/**
 * Takes a notification out of the inbox until a time. What must be confirmed still counts, what was read stays read.
 * `back`: it had just come back. `'too-far'`: above a year.
 */
export async function snooze(
  employee: Employee,
  no: number,
  time: SnoozeTime,
): Promise<{ until: Date; back: boolean } | 'not-in-inbox' | 'past' | 'too-far'> {
  const { companyId, employeeId, timeZone } = employee;
  const until =
    typeof time === 'string'
      ? times[time]
      : sql`(${time.day}::date + ${time.minute}::int * interval '1 minute') at time zone z.zone`;
  const isOwn = matches(preferences, { companyId, employeeId });
  const own = db().select({ zone: preferences.quietTimeZone }).from(preferences).where(isOwn);
  // As text: it reads no table but for the zone.
  const [target] = await db().execute<{ until: Date; past: boolean; far: boolean }>(sql`
    select t.until, t.until <= now() as past, t.until > now() + interval '366 days' as far
    from (select coalesce(${own}, ${timeZone}) as zone) z
    cross join lateral (select ${until} as until) t`);
  if (!target || target.past) return 'past';
  if (target.far) return 'too-far';
  // As text: the builder's `insert … select` has to name all columns of the table.
  const [row] = await db().execute<{ back: boolean }>(sql`
    with before as (
      select snoozed_until from receipts where company_id = ${companyId} and employee_id = ${employeeId} and no = ${no}
    )
    insert into receipts as old (company_id, employee_id, no, snoozed_until, snooze_push_at)
    select company_id, ${employeeId}, no, ${target.until}, ${target.until} from ${selectFromInbox(employee, sql`array[${no}::bigint]`)} mine
    on conflict (company_id, employee_id, no) do update set snoozed_until = excluded.snoozed_until,
      snooze_push_at = excluded.snooze_push_at, archived_at = null
    returning coalesce((select snoozed_until <= now() from before), false) as back`);
  return row ? { until: target.until, back: row.back } : 'not-in-inbox';
}

// Longer than all attempts of a push.
const leaseMinutes = 5;

/** A notification that has come back from a snooze: its person's devices get it now. */
export type EndedSnooze = { companyId: number; employeeId: number; no: number };

/**
 * Takes the snoozes that have ended, for devices; each goes to one process. After the push the caller calls
 * `settleSnooze`; otherwise it is taken again after 5 minutes, for a day.
 */
export async function takeEndedSnoozes(): Promise<EndedSnooze[]> {
  const isBack = sql<boolean>`coalesce(${receipts.snoozedUntil} <= now()
    and ${receipts.snoozedUntil} > now() - interval '1 day', false)`;
  const { companyId, employeeId, no, snoozePushAt } = receipts;
  const due = db()
    .$with('due')
    .as(
      db()
        .select({ companyId, employeeId, no, isBack: isBack.as('is_back') })
        .from(receipts)
        .where(lte(snoozePushAt, sql`now()`))
        .orderBy(snoozePushAt)
        .limit(100)
        .for('update', { skipLocked: true }),
    );
  const taken = await db()
    .with(due)
    .update(receipts)
    .set({ snoozePushAt: sql`case when ${due.isBack} then now() + ${leaseMinutes} * interval '1 minute' end` })
    .from(due)
    .where(and(eq(receipts.companyId, due.companyId), eq(employeeId, due.employeeId), eq(no, due.no)))
    .returning({ companyId, employeeId, no, isBack: due.isBack });
  return taken.flatMap(({ isBack, ...snooze }) => (isBack ? [snooze] : []));
}

/** Records that the devices of a person were told of an ended snooze. */
export async function settleSnooze({ companyId, employeeId, no }: EndedSnooze): Promise<void> {
  // Not one that has begun again meanwhile.
  const hasEnded = or(isNull(receipts.snoozedUntil), lte(receipts.snoozedUntil, sql`now()`));
  await updateRows(db(), receipts, { companyId, employeeId, no }, { snoozePushAt: null }, hasEnded);
}
