import { cacheStatement, db, matches, sql as pool, type Value } from '#db/client.ts';
import { alias, and, eq, gt, isNotNull, isNull, lt, notInArray, type SQL, sql } from '#db/drizzle.cjs';
import { companies, employees, employment, notificationPeople, notifications, receipts } from '#db/schema/tables.ts';
import { isToEveryone, n, r, reminderConcerns, stillCounts } from '#server/notifications/audience.ts';
import type { Employee } from '#server/principals.ts';

export const beyondLastNo = Number.MAX_SAFE_INTEGER;

const maxCounted = 1000;

export type Reader = Record<'companyId' | 'employeeId', Value>;

/**
 * The unread notifications (1,000: at least), counted at `at` when `asOf` was the newest number. `backAt`: when the
 * last snoozed one came back; `nextBackAt`: when the next will. Times in ms, of the database's clock.
 */
export type UnreadCount = {
  count: number;
  asOf: number;
  at: number;
  backAt?: number | null;
  nextBackAt?: number | null;
};

export const directions = { asc: sql`asc`, desc: sql`desc` };

// Which numbers, exclusive on both ends, and in which order.
type NumberWindow = { above?: Value; below?: Value; order: 'asc' | 'desc'; limit: Value };

type UnreadWindow = NumberWindow & { back?: boolean; only?: SQL | undefined };

// The statements of an inbox are texts: their parts are united, each with an order and a limit, and read from lists
// and ranges that the builder lacks.

/** A query of `no`: those of this person's receipts for which a condition holds. */
export const receiptNumbers = ({ companyId, employeeId }: Reader, condition: SQL | undefined) => {
  const areTheirs = and(matches(receipts, { companyId, employeeId }), condition);
  return db().select({ no: receipts.no }).from(receipts).where(areTheirs);
};

/** A query of `no`: what this person snoozed and has not read since it came back. */
export const snoozedNumbers = (reader: Reader) => receiptNumbers(reader, isNotNull(receipts.snoozedUntil));

export const archivedNumbers = (reader: Reader) =>
  receiptNumbers(reader, and(isNotNull(receipts.archivedAt), isNull(receipts.unreadAt)));

// To pass over fewer numbers in an index costs less than to look for the next period.
const maxGap = 200;

// The numbers above and below for which this person was employed (`active`). Periods with a short gap
// between them are one row, which goes over the gap.
const periods = (
  { companyId, employeeId }: Reader,
  { above, below, order }: { above: SQL; below: Value; order: 'asc' | 'desc' },
): SQL => {
  const numbers = (gap: number) => sql`
    range_agg(int8range(${employment.fromNo} + 1, coalesce(${employment.untilNo}, ${beyondLastNo}) + 1 + ${gap}::int))`;
  return sql`
    select active, from_no, until_no, int8range(from_no, until_no) <@ active as without_gap
    from (
      select ${numbers(0)} as active, ${numbers(maxGap)} as joined
      from ${employment} where ${employment.companyId} = ${companyId} and ${employment.employeeId} = ${employeeId}
    ) theirs
    cross join unnest(joined) period
    cross join lateral (select lower(period) as from_no, upper(period) - ${maxGap}::int as until_no) ends
    where from_no < ${below} and until_no > ${above}
    order by from_no ${directions[order]}`;
};

type Received = Omit<NumberWindow, 'above'> & {
  columns?: SQL;
  /** Over `n`. */
  condition: SQL | undefined;
  above: SQL;
};

/** A query of what was sent to this person, a list with them, or everyone in their time. Each part stops at `limit`. */
export function selectReceived(
  employee: Reader,
  { columns = sql`${n.no}`, condition, above, below = beyondLastNo, order, limit }: Received,
): SQL {
  const { companyId, employeeId } = employee;
  const direction = directions[order];
  const p = alias(notificationPeople, 'p');
  const isReceived = and(eq(n.companyId, companyId), gt(n.no, above), lt(n.no, below), condition);
  // The limit of one keeps PostgreSQL from reading all sends to lists.
  return sql`
    (
      select ${columns} from ${notifications} n where ${n.recipientId} = ${employeeId} and ${isReceived}
      order by ${n.no} ${direction} limit ${limit}
    ) union all (
      select ${columns}
      from (
        select ${p.no} from ${notificationPeople} p
        where ${p.companyId} = ${companyId} and ${p.employeeId} = ${employeeId} and ${p.no} > ${above} and ${p.no} < ${below}
        order by ${p.no} ${direction}
      ) p
      cross join lateral (
        select * from ${notifications}
        where ${notifications.companyId} = ${companyId} and ${notifications.isListed} and ${notifications.no} = ${p.no}
        limit 1
      ) n
      where ${condition ?? sql`true`}
      order by ${p.no} ${direction} limit ${limit}
    ) union all (
      select ${columns}
      from (${periods(employee, { above, below, order })}) s
      cross join lateral (
        select ${columns} from ${notifications} n
        where ${isToEveryone} and ${isReceived} and ${n.no} >= s.from_no and ${n.no} < s.until_no
          and (s.without_gap or ${n.no} <@ s.active)
          and ${reminderConcerns(sql`${employeeId}::int`, sql`${n.remindsNo} <@ s.active`)}
        order by ${n.no} ${direction} limit ${limit}
      ) n
      order by s.from_no ${direction}, ${n.no} ${direction} limit ${limit}
    )`;
}

/**
 * A query of `no`: this person's unread notifications. Above their watermark (what they marked all read, or `settle`
 * found) all that is not marked read, below it what was marked unread again. What is snoozed does not count; with
 * `back`, it counts when it came back. `only`: a further condition over `notifications n`, for indexes with its columns.
 */
export function unreadNumbers(
  employee: Reader,
  { above = 0, below = beyondLastNo, order, limit, back = true, only }: UnreadWindow,
): SQL {
  const { companyId, employeeId } = employee;
  const inOrder = sql`order by ${r.no} ${directions[order]} limit ${limit}`;
  const watermark = sql`(select up_to from e)`;
  const readOneByOne = receiptNumbers(
    employee,
    and(gt(receipts.no, watermark), isNotNull(receipts.readAt), isNull(receipts.unreadAt)),
  );
  const received = selectReceived(employee, {
    condition: and(stillCounts, only, notInArray(n.no, readOneByOne), notInArray(n.no, snoozedNumbers(employee))),
    above: sql`greatest(${above}::bigint, ${watermark})`,
    below,
    order,
    limit,
  });
  const ofReceipts = and(matches(r, { companyId, employeeId }), gt(r.no, above), lt(r.no, below));
  const isItsNotification = matches(n, { companyId, no: r.no });
  const cameBack = sql`
    union all (
      select ${r.no} from ${receipts} r
      join ${notifications} n on ${and(isItsNotification, stillCounts, only)}
      where ${ofReceipts} and ${r.snoozedUntil} <= now() ${inOrder}
    )`;
  return sql`
    with e as materialized (
      select greatest(${employees.readUpTo}, ${employees.settledUpTo}) as up_to from ${employees}
      where ${employees.companyId} = ${companyId} and ${employees.id} = ${employeeId}
    )
    ${received} union all (
      select ${r.no} from ${receipts} r
      join ${notifications} n on ${and(isItsNotification, isNull(n.withdrawnAt), only)}
      where ${ofReceipts} and ${r.unreadAt} is not null and ${r.no} <= ${watermark}
        and ${notInArray(r.no, snoozedNumbers(employee))}
      ${inOrder}
    ) ${back ? cameBack : sql``}`;
}

/** A query of `no`: what this person must still confirm, without reminders, by indexes alone. `limit`: of each part. */
export function numbersToConfirm(
  reader: Reader,
  { below = beyondLastNo, limit }: { below?: Value; limit?: Value | undefined },
): SQL {
  const { companyId, employeeId } = reader;
  const upToLimit = limit === undefined ? sql`` : sql`limit ${limit}`;
  const isUnconfirmed = and(
    eq(n.companyId, companyId),
    n.mustConfirm,
    lt(n.no, below),
    stillCounts,
    notInArray(n.no, receiptNumbers(reader, isNotNull(receipts.confirmedAt))),
  );
  const p = alias(notificationPeople, 'p');
  const s = alias(employment, 's');
  return sql`
    (
      select ${n.no} from ${notifications} n where ${n.recipientId} = ${employeeId} and ${isUnconfirmed}
      order by ${n.no} desc ${upToLimit}
    ) union all (
      select ${n.no} from ${notifications} n
      where ${n.recipientId} is null and ${n.isListed} and ${isUnconfirmed} and exists (
        select from ${notificationPeople} p
        where ${p.companyId} = ${companyId} and ${p.employeeId} = ${employeeId} and ${p.no} = ${n.no})
      order by ${n.no} desc ${upToLimit}
    ) union all (
      select ${n.no} from ${notifications} n
      where ${isToEveryone} and ${isUnconfirmed} and exists (
        select from ${employment} s where ${s.companyId} = ${companyId} and ${s.employeeId} = ${employeeId}
          and ${s.fromNo} < ${n.no} and ${n.no} <= coalesce(${s.untilNo}, ${beyondLastNo}))
      order by ${n.no} desc ${upToLimit}
    )`;
}

type Counted = UnreadCount & { first: number | null; readUpTo: number; settledUpTo: number };

const runCount = cacheStatement<Pick<Employee, 'companyId' | 'employeeId'>, Counted>(
  (reader) => sql`
    select u.count, u.first, ${companies.lastNo} as "asOf", extract(epoch from now())::float8 * 1000 as at,
      ${employees.readUpTo} as "readUpTo", ${employees.settledUpTo} as "settledUpTo",
      extract(epoch from s.back_at)::float8 * 1000 as "backAt", extract(epoch from s.next_back_at)::float8 * 1000 as "nextBackAt"
    from ${companies}
    join ${employees} on ${employees.companyId} = ${companies.id} and ${employees.id} = ${reader.employeeId}
    cross join lateral (
      select count(*)::int as count,
        min(no) filter (where no > greatest(${employees.readUpTo}, ${employees.settledUpTo})) as first
      from (
        select no from (${unreadNumbers(reader, { order: 'asc', limit: maxCounted })}) numbers limit ${maxCounted}
      ) unread
    ) u
    cross join lateral (
      select max(${receipts.snoozedUntil}) filter (where ${receipts.snoozedUntil} <= now()) as back_at,
        min(${receipts.snoozedUntil}) filter (where ${receipts.snoozedUntil} > now()) as next_back_at
      from ${receipts}
      where ${receipts.companyId} = ${companies.id} and ${receipts.employeeId} = ${employees.id}
        and ${receipts.snoozedUntil} is not null
    ) s
    where ${companies.id} = ${reader.companyId}`,
);

/**
 * Counts the unread notifications, up to 1,000. Where the first one, or the end, is `settleEvery` numbers above the
 * watermark, the next count begins there: it would read 20,000 read ones each time.
 */
export async function countUnread(employee: Employee, { settleEvery = 500 } = {}): Promise<UnreadCount> {
  const { companyId, employeeId } = employee;
  const [row] = await runCount(pool(), { companyId, employeeId }, null);
  if (!row) return { count: 0, asOf: 0, at: 0 };
  const { count, asOf, at, backAt, nextBackAt } = row;
  // A full count may have missed lower numbers.
  const settled = count < maxCounted ? (row.first ?? asOf + 1) - 1 : 0;
  if (settled - Math.max(row.readUpTo, row.settledUpTo) >= settleEvery) await settle(employee, settled, row.readUpTo);
  return { count, asOf, at, backAt, nextBackAt };
}

// Numbers become visible in their order, so no later notification has a number up to `upTo`. Only
// `undoMarkAllRead` makes something unread without an `unread_at`; it lowers both numbers. What is
// snoozed may be below `upTo` and unread: `unreadNumbers` counts it apart when it comes back. The
// count is right without this, so nothing waits for it and a failure does not matter.
async function settle({ companyId, employeeId }: Employee, upTo: number, readUpTo: number): Promise<void> {
  const isOfCompany = eq(employees.companyId, companyId);
  const unlocked = db()
    .select({ id: employees.id })
    .from(employees)
    .where(and(isOfCompany, matches(employees, { id: employeeId, readUpTo })))
    .for('no key update', { skipLocked: true });
  await db()
    .update(employees)
    .set({ settledUpTo: sql`greatest(${employees.settledUpTo}, ${upTo})` })
    .where(and(isOfCompany, sql`${employees.id} = ${unlocked}`))
    .catch(() => {});
}

const runCountToConfirm = cacheStatement<Pick<Employee, 'companyId' | 'employeeId'>, { count: number }>(
  (reader) => sql`
    select count(*)::int as count
    from (select no from (${numbersToConfirm(reader, { limit: maxCounted })}) numbers limit ${maxCounted}) waiting`,
);

/** Counts what this person has still to confirm, without reminders, up to 1,000. */
export async function countToConfirm({ companyId, employeeId }: Employee): Promise<number> {
  const [row] = await runCountToConfirm(pool(), { companyId, employeeId }, null);
  return row?.count ?? 0;
}
