import { asFragment, type Fragment, sql } from '#db/client.ts';
import { sql as expression } from '#db/drizzle.cjs';
import { cacheStatementText, type Value } from '#db/statement-text.ts';
import { isToEveryone, reminderConcerns, stillCounts } from '#server/notifications/audience.ts';
import type { Employee } from '#server/principals.ts';

/** Above every number of a notification. */
export const beyondLastNo = Number.MAX_SAFE_INTEGER;

const maxCounted = 1000;

/** Whose inbox a statement reads. */
export type Reader = Record<'companyId' | 'employeeId', Value>;

/**
 * The unread notifications (1,000 means at least 1,000), counted at `at` (ms, the database's clock)
 * when `asOf` was the company's newest number. `backAt` is when the last of those came back that
 * the person had snoozed, `nextBackAt` when the next one will (ms, the same clock).
 */
export type UnreadCount = {
  count: number;
  asOf: number;
  at: number;
  backAt?: number | null;
  nextBackAt?: number | null;
};

// Which numbers, exclusive on both ends, and in which order.
type NumberWindow = { above?: Value; below?: Value; order: 'asc' | 'desc'; limit: Value };

type UnreadWindow = NumberWindow & { back?: boolean; only?: Fragment };

/** A query of `no`: what this person snoozed and has not read since it came back. */
export const snoozedNumbers = ({ companyId, employeeId }: Reader) => sql()`
  select no from receipts
  where company_id = ${companyId} and employee_id = ${employeeId} and snoozed_until is not null`;

/** A query of `no`: what this person archived. */
export const archivedNumbers = ({ companyId, employeeId }: Reader) => sql()`
  select no from receipts
  where company_id = ${companyId} and employee_id = ${employeeId} and archived_at is not null and unread_at is null`;

// To pass over fewer numbers in an index costs less than to look for the next period.
const maxGap = 200;

// The numbers above and below for which this person was employed (`active`). Periods with a short gap
// between them are one row, which goes over the gap.
const periods = (
  { companyId, employeeId }: Reader,
  { above, below, order }: { above: Fragment; below: Value; order: 'asc' | 'desc' },
) => {
  const numbers = (gap: number) => sql()`
    range_agg(int8range(from_no + 1, coalesce(until_no, ${beyondLastNo}) + 1 + ${gap}::int))`;
  return sql()`
    select active, from_no, until_no, int8range(from_no, until_no) <@ active as without_gap
    from (
      select ${numbers(0)} as active, ${numbers(maxGap)} as joined
      from employment where company_id = ${companyId} and employee_id = ${employeeId}
    ) theirs
    cross join unnest(joined) period
    cross join lateral (select lower(period) as from_no, upper(period) - ${maxGap}::int as until_no) ends
    where from_no < ${below} and until_no > ${above}
    order by from_no ${order === 'asc' ? sql()`asc` : sql()`desc`}`;
};

type Received = NumberWindow & {
  columns?: Fragment;
  /** Over `notifications n`. */
  condition: Fragment;
  above: Fragment;
};

/**
 * A query of the notifications that were sent to this person, to a list with them, and to everyone
 * within their employment periods. Periods do not overlap. PostgreSQL reads each of the three parts
 * in the order of its numbers and stops at `limit`, so it returns up to three times as many.
 */
export function selectReceived(
  employee: Reader,
  { columns = sql()`n.no`, condition, above, below = beyondLastNo, order, limit }: Received,
) {
  const { companyId, employeeId } = employee;
  const direction = order === 'asc' ? sql()`asc` : sql()`desc`;
  const isInWindow = sql()`no > ${above} and no < ${below}`;
  const isReceived = sql()`n.company_id = ${companyId} and n.no > ${above} and n.no < ${below} and ${condition}`;
  // The limit of one keeps PostgreSQL from reading all sends to lists.
  return sql()`
    (
      select ${columns} from notifications n where n.recipient_id = ${employeeId} and ${isReceived}
      order by n.no ${direction} limit ${limit}
    ) union all (
      select ${columns}
      from (
        select no from notification_people
        where company_id = ${companyId} and employee_id = ${employeeId} and ${isInWindow} order by no ${direction}
      ) p
      cross join lateral (
        select * from notifications where company_id = ${companyId} and is_listed and no = p.no limit 1
      ) n
      where ${condition}
      order by p.no ${direction} limit ${limit}
    ) union all (
      select ${columns}
      from (${periods(employee, { above, below, order })}) s
      cross join lateral (
        select ${columns} from notifications n
        where ${asFragment(isToEveryone)} and ${isReceived} and n.no >= s.from_no and n.no < s.until_no
          and (s.without_gap or n.no <@ s.active)
          and ${asFragment(reminderConcerns(expression`${employeeId}::int`, expression`n.reminds_no <@ s.active`))}
        order by n.no ${direction} limit ${limit}
      ) n
      order by s.from_no ${direction}, n.no ${direction} limit ${limit}
    )`;
}

/**
 * A query of `no`: the unread notifications of this person. Above their watermark that is
 * everything not marked read on its own, and below it what was marked unread again. The watermark
 * is what they marked all read, or what `settle` found. What is snoozed does not count until it
 * comes back; with `back`, it counts then, whether read before or not. `only` is a further
 * condition over `notifications n`. Indexes alone answer it, if they have the columns of `only`.
 * Each of its parts stops at `limit`, so it returns up to five times as many.
 */
export function unreadNumbers(
  employee: Reader,
  { above = 0, below = beyondLastNo, order, limit, back = true, only = sql()`true` }: UnreadWindow,
) {
  const { companyId, employeeId } = employee;
  const inOrder = sql()`order by r.no ${order === 'asc' ? sql()`asc` : sql()`desc`} limit ${limit}`;
  const watermark = sql()`(select up_to from e)`;
  const readOneByOne = sql()`
    select no from receipts where company_id = ${companyId} and employee_id = ${employeeId} and no > ${watermark}
      and read_at is not null and unread_at is null`;
  const received = selectReceived(employee, {
    condition: sql()`${asFragment(stillCounts)} and ${only} and n.no not in (${readOneByOne})
      and n.no not in (${snoozedNumbers(employee)})`,
    above: sql()`greatest(${above}::bigint, ${watermark})`,
    below,
    order,
    limit,
  });
  const ofReceipts = sql()`
    r.company_id = ${companyId} and r.employee_id = ${employeeId} and r.no > ${above} and r.no < ${below}`;
  const cameBack = sql()`
    union all (
      select r.no from receipts r
      join notifications n on n.company_id = ${companyId} and n.no = r.no and ${asFragment(stillCounts)} and ${only}
      where ${ofReceipts} and r.snoozed_until <= now() ${inOrder}
    )`;
  return sql()`
    with e as materialized (
      select greatest(read_up_to, settled_up_to) as up_to from employees where company_id = ${companyId} and id = ${employeeId}
    )
    ${received} union all (
      select r.no from receipts r
      join notifications n on n.company_id = ${companyId} and n.no = r.no and n.withdrawn_at is null and ${only}
      where ${ofReceipts} and r.unread_at is not null and r.no <= ${watermark}
        and r.no not in (${snoozedNumbers(employee)})
      ${inOrder}
    ) ${back ? cameBack : sql()``}`;
}

/**
 * A query of `no`: what this person has still to confirm, without its reminders. Indexes alone
 * answer it. Each of its three parts, to this person, to lists and to everyone, stops at `limit`.
 */
export function numbersToConfirm(
  { companyId, employeeId }: Reader,
  { below = beyondLastNo, limit }: { below?: Value; limit?: Value | undefined },
) {
  const upToLimit = limit === undefined ? sql()`` : sql()`limit ${limit}`;
  const ofPerson = sql()`company_id = ${companyId} and employee_id = ${employeeId}`;
  const isUnconfirmed = sql()`n.company_id = ${companyId} and n.must_confirm and n.no < ${below} and ${asFragment(stillCounts)}
    and n.no not in (select no from receipts where ${ofPerson} and confirmed_at is not null)`;
  return sql()`
    (
      select n.no from notifications n where n.recipient_id = ${employeeId} and ${isUnconfirmed} order by n.no desc ${upToLimit}
    ) union all (
      select n.no from notifications n
      where n.recipient_id is null and n.is_listed and ${isUnconfirmed} and exists (
        select from notification_people where ${ofPerson} and no = n.no)
      order by n.no desc ${upToLimit}
    ) union all (
      select n.no from notifications n
      where ${asFragment(isToEveryone)} and ${isUnconfirmed} and exists (
        select from employment where ${ofPerson} and from_no < n.no and n.no <= coalesce(until_no, ${beyondLastNo}))
      order by n.no desc ${upToLimit}
    )`;
}

type Counted = UnreadCount & { first: number | null; readUpTo: number; settledUpTo: number };

const runCount = cacheStatementText<Pick<Employee, 'companyId' | 'employeeId'>, Counted>(
  (reader) => sql()`
    select u.count, u.first, c.last_no as "asOf", extract(epoch from now())::float8 * 1000 as at,
      e.read_up_to as "readUpTo", e.settled_up_to as "settledUpTo",
      extract(epoch from s.back_at)::float8 * 1000 as "backAt", extract(epoch from s.next_back_at)::float8 * 1000 as "nextBackAt"
    from companies c
    join employees e on e.company_id = c.id and e.id = ${reader.employeeId}
    cross join lateral (
      select count(*)::int as count, min(no) filter (where no > greatest(e.read_up_to, e.settled_up_to)) as first
      from (
        select no from (${unreadNumbers(reader, { order: 'asc', limit: maxCounted })}) numbers limit ${maxCounted}
      ) unread
    ) u
    cross join lateral (
      select max(snoozed_until) filter (where snoozed_until <= now()) as back_at,
        min(snoozed_until) filter (where snoozed_until > now()) as next_back_at
      from receipts where company_id = c.id and employee_id = e.id and snoozed_until is not null
    ) s
    where c.id = ${reader.companyId}`,
);

/**
 * Counts the person's unread notifications, up to 1,000. Where the first unread one, or the end, is
 * `settleEvery` numbers above the watermark, the next count begins there: a person who read 20,000
 * one by one would otherwise wait for all of them each time.
 */
export async function countUnread(employee: Employee, { settleEvery = 500 } = {}): Promise<UnreadCount> {
  const { companyId, employeeId } = employee;
  const [row] = await runCount(sql(), { companyId, employeeId }, null);
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
  await sql()`
    update employees set settled_up_to = greatest(settled_up_to, ${upTo})
    where company_id = ${companyId} and id = (
      select id from employees where company_id = ${companyId} and id = ${employeeId} and read_up_to = ${readUpTo}
      for no key update skip locked)`.catch(() => {});
}

/** Counts what this person has still to confirm, without reminders, up to 1,000. */
export async function countToConfirm(employee: Employee): Promise<number> {
  const [row] = await sql()<{ count: number }[]>`
    select count(*)::int as count
    from (select no from (${numbersToConfirm(employee, { limit: maxCounted })}) numbers limit ${maxCounted}) waiting`;
  return row?.count ?? 0;
}
