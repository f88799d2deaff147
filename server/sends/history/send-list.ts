import { db, matches } from '#db/client.ts';
import { alias, and, desc, eq, exists, gt, inArray, isNotNull, lt, or, type SQL, sql, unionAll } from '#db/drizzle.cjs';
import { notificationPeople, notifications } from '#db/schema/tables.ts';
import { findSettings } from '#server/audit/record.ts';
import {
  containsWords,
  e,
  fromRecipients,
  hasAsked,
  hasRead,
  isReceivedBy,
  isToEveryone,
  n,
  r,
  sentTo,
} from '#server/notifications/audience.ts';
import type { Kind } from '#server/notifications/kinds.ts';
import { asColumns, isSenderAccount, isSenderKey, type RowOf, senderFields } from '#server/notifications/shown.ts';
import type { Manager } from '#server/principals.ts';
import type { SendState } from '#server/sends/history/states.ts';

/**
 * A send of the owner's list. `sender`: the key, or with `isManual` the person. `skipped`: how many more recipients
 * were inactive. `mustConfirm` stays true when the question is closed.
 */
export type Send = RowOf<typeof sendFields>;

/** Which sends; all conditions together. Days: inclusive, of the company's zone. Each word is in the title or text. */
export type SendFilter = {
  keyId?: number;
  isManual?: boolean;
  kind?: Kind;
  employeeId?: number;
  from?: string;
  to?: string;
  search?: string;
  state?: SendState;
};

const { no, createdAt, keyId, skipped, title, reach, closedAt, remindsNo, withdrawnAt } = n;
const stored = { no, createdAt, keyId, skipped, title, reach, closedAt, remindsNo, withdrawnAt };

/** The fields of a `Send` over `notifications n`, its sender and its recipient `employees e`. */
export const sendFields = {
  ...stored,
  ...senderFields,
  recipients: sentTo,
  recipientName: sql<string | null>`${e.name}`,
  kind: sql<Kind>`${n.kind}`,
  mustConfirm: hasAsked,
  answers: sql<string[] | null>`case when ${remindsNo} is null then ${n.answers} end`,
};

/** The condition of a `left join`: the one recipient of `notifications n`. */
export const isRecipient = sql`${e.companyId} = ${n.companyId} and ${e.id} = ${n.recipientId}`;

// The most sends that a page examines, also when few of them match its filter.
const maxExamined = 20_000;
// The most people that a page with a filter by read state examines.
const maxPeopleExamined = 300_000;

/** The sends below number `before`, the newest first. `next`: the `before` of the next page, if more follow. */
export async function listSends(
  manager: Manager,
  { before, filter = {}, limit = 25 }: { before?: number; filter?: SendFilter; limit?: number } = {},
) {
  const [ofDays, company] = await Promise.all([
    findBounds(manager, filter),
    findSettings(manager, ['lastNo', 'activeEmployees']),
  ]);
  // With a fixed upper end, sends that are committed between the two queries do not shift the page.
  const below = Math.min(before ?? company.lastNo + 1, ofDays.below);
  const bounds = { above: ofDays.above, below };
  const byPeople = filter.state === 'unread' || filter.state === 'unconfirmed';
  const examined = byPeople ? maxExaminedByPeople(company.activeEmployees) : maxExamined;
  // As text: the builder has no `materialized`.
  const sends = await db().execute<Send>(sql`
    with examined as ${byPeople ? sql`materialized` : sql`not materialized`} (
      ${candidates(manager, filter, bounds, examined).getSQL()}
    ), found as materialized (
      select * from examined f where ${filterCondition(filter)} order by no desc limit ${limit + 1}
    )
    select ${asColumns(sendFields)} from found n
    left join api_keys sender_key on ${isSenderKey}
    left join accounts sender_account on ${isSenderAccount}
    left join employees e on ${isRecipient} order by n.no desc`);
  const page = sends.slice(0, limit);
  if (sends.length > limit) return { sends: page, next: page.at(-1)?.no ?? null };
  const all = candidates(manager, filter, bounds, examined).as('f');
  const offset = examined - 1;
  const [last] = await db().select({ no: all.no }).from(all).orderBy(desc(all.no)).offset(offset).limit(1);
  return { sends: page, next: last?.no ?? null };
}

/** The most sends of which a query examines all recipients, in a company with so many active people. */
export const maxExaminedByPeople = (active: number) =>
  Math.min(300, Math.max(3, Math.floor(maxPeopleExamined / Math.max(1, active))));

function candidates(
  manager: Manager,
  { keyId, employeeId, from, to, state }: SendFilter,
  { above, below }: Bounds,
  limit: number,
) {
  const { companyId, timeZone } = manager;
  const startOf = (day: string, later: number) =>
    sql`(${day}::date + ${later}::int)::timestamp at time zone ${timeZone}`;
  const conditions = and(
    and(eq(n.companyId, companyId), lt(n.no, below), gt(n.no, above)),
    keyId ? eq(n.keyId, keyId) : undefined,
    from ? sql`${n.createdAt} >= ${startOf(from, 0)}` : undefined,
    to ? sql`${n.createdAt} < ${startOf(to, 1)}` : undefined,
    state === 'withdrawn' ? isNotNull(n.withdrawalNo) : undefined,
    state === 'unconfirmed' ? n.mustConfirm : undefined,
  );
  const all = (condition?: SQL) => db().select().from(n).where(and(conditions, condition));
  const newest = (condition?: SQL) => all(condition).orderBy(desc(n.no)).limit(limit);
  if (!employeeId) return newest();
  const { no } = notificationPeople;
  const isTheirs = and(eq(notificationPeople.companyId, companyId), eq(notificationPeople.employeeId, employeeId));
  const isInList = and(n.isListed, inArray(n.no, db().select({ no }).from(notificationPeople).where(isTheirs)));
  const either = unionAll(newest(eq(n.recipientId, employeeId)), newest(isToEveryone), newest(isInList)).as('either');
  return db().select().from(either).orderBy(desc(either.no)).limit(limit);
}

const f = alias(notifications, 'f');

// The rest of the filter, as a condition over `examined f`.
function filterCondition({ isManual, kind, employeeId, search, state }: SendFilter): SQL {
  const conditions = and(
    isManual ? isNotNull(f.accountId) : undefined,
    kind ? eq(f.kind, kind) : undefined,
    containsWords(search, [f.title, f.body]),
    employeeId
      ? sql`${f.reach} > 0 and exists (
          select from (select ${f.companyId}, ${f.no}, ${f.recipientId}, ${f.isListed}, ${f.remindsNo}) n
          where ${isReceivedBy(employeeId)})`
      : undefined,
    state === 'unread' ? isMissing(sql`not ${hasRead}`) : undefined,
    state === 'unconfirmed' ? isMissing(matches(r, { confirmedAt: null })) : undefined,
  );
  return conditions ?? sql`true`;
}

// Whether a condition holds for an active recipient of `examined f`.
function isMissing(condition: SQL): SQL | undefined {
  const ofSend = and(eq(n.companyId, f.companyId), eq(n.no, f.no));
  const missing = sql<boolean>`${e.active} and ${condition}`.as('missing');
  // The first hundred mostly decide it. For all of them PostgreSQL reads every employee.
  const first = fromRecipients(db().select({ missing }).from(n).$dynamic(), ofSend).limit(100).as('first');
  const all = fromRecipients(db().select({ no: n.no }).from(n).$dynamic(), and(ofSend, e.active, condition));
  return and(
    matches(f, { withdrawnAt: null }),
    or(exists(db().select().from(first).where(sql`${first.missing}`)), exists(all)),
  );
}

type Bounds = { above: number; below: number };

/**
 * Numbers that enclose every send of these days, found in the audit log, which has an index by time. A send waits
 * seconds at most for its number, so 10 s are added on both ends.
 */
export async function findBounds(
  { companyId, timeZone }: Pick<Manager, 'companyId' | 'timeZone'>,
  { from, to }: Pick<SendFilter, 'from' | 'to'>,
): Promise<Bounds> {
  if (from === undefined && to === undefined) return { above: 0, below: Number.MAX_SAFE_INTEGER };
  // As text: the builder selects from a table only.
  const [row] = await db().execute<Record<'above' | 'below', number | null>>(sql`
    select (
      select (details->>'no')::bigint from audit_log
      where company_id = ${companyId} and action = 'notification.send'
        and at < ${from ?? null}::date::timestamp at time zone ${timeZone} - interval '10 s' order by at desc limit 1
    ) as above, (
      select (details->>'no')::bigint from audit_log
      where company_id = ${companyId} and action = 'notification.send'
        and at > (${to ?? null}::date + 1)::timestamp at time zone ${timeZone} + interval '10 s' order by at limit 1
    ) as below`);
  return { above: row?.above ?? 0, below: row?.below ?? Number.MAX_SAFE_INTEGER };
}

const maxCounted = 1000;

/** How many sends the company has, counted up to 1,000. `newer`: how many from number `before` on. */
export async function countSends({ companyId }: Manager, before?: number) {
  // As text: the builder selects from a table only.
  const upToLimit = (condition = sql``) => sql`
    (select count(*)::int from (
      select from notifications where company_id = ${companyId} ${condition} limit ${maxCounted + 1}) n)`;
  const [row] = await db().execute<{ counted: number; newer: number }>(sql`
    select ${upToLimit()} as counted, ${before === undefined ? sql`0` : upToLimit(sql`and no >= ${before}`)} as newer`);
  const { counted, newer } = row ?? { counted: 0, newer: 0 };
  return { counted: Math.min(counted, maxCounted), more: counted > maxCounted, newer };
}

/** How many sends a company made on a day of its time zone, such as `2026-11-22`. */
type DayOfSends = { day: string; sends: number };

/**
 * Counts the sends of the last `days` days, the oldest first, by the number at each midnight, so that the cost does not
 * depend on their number. What a withdrawal, a closing or the last correction took does not count. A send within
 * seconds of midnight may count for the day beside it.
 */
export async function countSendsByDay({ companyId, timeZone }: Manager, days = 14): Promise<DayOfSends[]> {
  // As text: a report of several steps.
  return db().execute<DayOfSends>(sql`
    with company as (
      select last_no, (now() at time zone ${timeZone})::date as today from companies where id = ${companyId}
    ), midnights as (
      select c.today - ago as day, case when ago = -1 then c.last_no else coalesce((
        select (a.details->>'no')::bigint from audit_log a
        where a.company_id = ${companyId} and a.action = 'notification.send'
          and a.at < (c.today - ago)::timestamp at time zone ${timeZone}
        order by a.at desc limit 1
      ), 0) end as no
      from company c, generate_series(-1, ${days - 1}::int) ago
    ), days as (
      select day, no as above, lead(no) over (order by day) as up_to from midnights
    )
    select day::text, (up_to - above - (
      select count(distinct withdrawal_no) from notifications
      where company_id = ${companyId} and withdrawal_no > above and withdrawal_no <= up_to
    ) - (
      select count(distinct correction_no) from notifications
      where company_id = ${companyId} and correction_no > above and correction_no <= up_to
    ))::int as sends
    from days where up_to is not null order by day`);
}
