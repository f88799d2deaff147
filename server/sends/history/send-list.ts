import { type Fragment, sql } from '#db/client.ts';
import type { Rows } from '#db/schema/rows.ts';
import { findSettings } from '#server/audit/company-settings.ts';
import {
  andContainsWords,
  fromRecipients,
  hasRead,
  isReceivedBy,
  isToEveryone,
  type SentTo,
  sentToColumn,
} from '#server/notifications/audience.ts';
import type { Kind } from '#server/notifications/kinds.ts';
import { joinSender, senderColumns } from '#server/notifications/shown.ts';
import type { Manager } from '#server/principals.ts';
import type { SendState } from '#server/sends/history/states.ts';

/**
 * A send as the owner's list shows it. `sender` is the name of the key, or with `isManual` of the
 * person. `skipped`: how many more recipients were inactive.
 */
export type Send = Pick<
  Rows['notifications'],
  'no' | 'createdAt' | 'keyId' | 'skipped' | 'title' | 'reach' | 'mustConfirm' | 'remindsNo' | 'withdrawnAt'
> & { sender: string; isManual: boolean; recipients: SentTo; recipientName: string | null; kind: Kind };

/**
 * Which sends; all conditions together. `employeeId` received it. `from` and `to` are days in the
 * company's time zone, both inclusive. Each word of `search` is part of the title or text.
 */
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

/** A page of sends; `next` is the `before` of the next page, null at the end. */
type SendPage = { sends: Send[]; next: number | null };

/** The columns of a `Send` over `notifications n`, with the tables of `joinSendNames`. */
export const sendColumns = () => sql()`
  n.no, n.created_at as "createdAt", n.key_id as "keyId", ${senderColumns()}, ${sentToColumn()},
  e.name as "recipientName", n.skipped, n.title, n.kind, n.reach, n.must_confirm as "mustConfirm",
  n.reminds_no as "remindsNo", n.withdrawn_at as "withdrawnAt"`;

/** Joins the sender and the recipient `employees e` of `notifications n`. */
export const joinSendNames = () => sql()`
  ${joinSender()} left join employees e on e.company_id = n.company_id and e.id = n.recipient_id`;

// The most sends that a page examines, also when few of them match its filter.
const maxExamined = 20_000;
// The most people that a page with a filter by read state examines.
const maxPeopleExamined = 300_000;

/**
 * The sends of the owner's company below number `before`, the newest first, up to `limit`. A page
 * may be shorter although more follow (`next` is set), when few examined sends match the filter.
 */
export async function listSends(
  manager: Manager,
  { before, filter = {}, limit = 25 }: { before?: number; filter?: SendFilter; limit?: number } = {},
): Promise<SendPage> {
  const [ofDays, company] = await Promise.all([
    findBounds(manager, filter),
    findSettings(manager, ['lastNo', 'activeEmployees']),
  ]);
  // With a fixed upper end, sends that are committed between the two queries do not shift the page.
  const below = Math.min(before ?? company.lastNo + 1, ofDays.below);
  const bounds = { above: ofDays.above, below };
  const byPeople = filter.state === 'unread' || filter.state === 'unconfirmed';
  const examined = byPeople ? maxExaminedByPeople(company.activeEmployees) : maxExamined;
  const sends = await sql()<Send[]>`
    with examined as ${byPeople ? sql()`materialized` : sql()`not materialized`} (
      ${candidates(manager, filter, bounds, examined)}
    ), found as materialized (
      select * from examined f where ${filterCondition(filter)} order by no desc limit ${limit + 1}
    )
    select ${sendColumns()} from found n ${joinSendNames()} order by n.no desc`;
  const page = sends.slice(0, limit);
  if (sends.length > limit) return { sends: page, next: page.at(-1)?.no ?? null };
  const [last] = await sql()<{ no: number }[]>`
    select no from (${candidates(manager, filter, bounds, examined)}) f order by no desc offset ${examined - 1} limit 1`;
  return { sends: page, next: last?.no ?? null };
}

const maxExaminedByPeople = (active: number) =>
  Math.min(300, Math.max(3, Math.floor(maxPeopleExamined / Math.max(1, active))));

// The part of the filter that an index answers.
function candidates(
  manager: Manager,
  { keyId, employeeId, from, to, state }: SendFilter,
  { above, below }: Bounds,
  limit: number,
) {
  const { companyId, timeZone } = manager;
  const nothing = sql()``;
  const startOf = (day: string, later: number) =>
    sql()`(${day}::date + ${later}::int)::timestamp at time zone ${timeZone}`;
  const newest = (condition: Fragment) => sql()`
    (select * from notifications n
    where n.company_id = ${companyId} and n.no < ${below} and n.no > ${above} ${condition}
      ${keyId ? sql()`and n.key_id = ${keyId}` : nothing}
      ${from ? sql()`and n.created_at >= ${startOf(from, 0)}` : nothing}
      ${to ? sql()`and n.created_at < ${startOf(to, 1)}` : nothing}
      ${state === 'withdrawn' ? sql()`and n.withdrawal_no is not null` : nothing}
    order by n.no desc limit ${limit})`;
  if (!employeeId) return newest(nothing);
  return sql()`select * from (
    ${newest(sql()`and n.recipient_id = ${employeeId}`)} union all ${newest(sql()`and ${isToEveryone()}`)}
    union all ${newest(sql()`and n.is_listed and n.no in (
      select no from notification_people where company_id = ${companyId} and employee_id = ${employeeId})`)}
  ) either order by no desc limit ${limit}`;
}

// The rest of the filter, as a condition over `examined f`.
function filterCondition({ isManual, kind, employeeId, search, state }: SendFilter) {
  const nothing = sql()``;
  const ofSend = sql()`${fromRecipients()} and n.company_id = f.company_id and n.no = f.no`;
  // The first hundred mostly decide it. For all of them PostgreSQL reads every employee.
  const isMissing = (condition: Fragment) => sql()`and f.withdrawn_at is null and (
    exists (select from (select e.active and ${condition} as missing from ${ofSend} limit 100) first where missing)
    or exists (select from ${ofSend} and e.active and ${condition}))`;
  return sql()`true
    ${isManual ? sql()`and f.account_id is not null` : nothing}
    ${kind ? sql()`and f.kind = ${kind}` : nothing}
    ${andContainsWords(search, [sql()`f.title`, sql()`f.body`])}
    ${
      employeeId
        ? sql()`and f.reach > 0 and exists (
            select from (select f.company_id, f.no, f.recipient_id, f.is_listed, f.reminds_no) n
            where ${isReceivedBy(sql()`${employeeId}::int`)})`
        : nothing
    }
    ${state === 'unread' ? isMissing(sql()`not ${hasRead()}`) : nothing}
    ${state === 'unconfirmed' ? sql()`and f.must_confirm ${isMissing(sql()`r.confirmed_at is null`)}` : nothing}`;
}

type Bounds = { above: number; below: number };

/**
 * Numbers that enclose every send of these days, found in the audit log, which has an index by
 * time. A send waits some seconds at most for its number, so numbers follow time within the 10 s
 * that are added on both ends.
 */
export async function findBounds(
  { companyId, timeZone }: Pick<Manager, 'companyId' | 'timeZone'>,
  { from, to }: Pick<SendFilter, 'from' | 'to'>,
): Promise<Bounds> {
  if (from === undefined && to === undefined) return { above: 0, below: Number.MAX_SAFE_INTEGER };
  const [row] = await sql()<{ above: number | null; below: number | null }[]>`
    select (
      select (details->>'no')::bigint from audit_log
      where company_id = ${companyId} and action = 'notification.send'
        and at < ${from ?? null}::date::timestamp at time zone ${timeZone} - interval '10 s' order by at desc limit 1
    ) as above, (
      select (details->>'no')::bigint from audit_log
      where company_id = ${companyId} and action = 'notification.send'
        and at > (${to ?? null}::date + 1)::timestamp at time zone ${timeZone} + interval '10 s' order by at limit 1
    ) as below`;
  return { above: row?.above ?? 0, below: row?.below ?? Number.MAX_SAFE_INTEGER };
}

const maxCounted = 1000;

/** How many sends the company has, counted up to 1,000. `newer`: how many from number `before` on. */
export async function countSends(
  { companyId }: Manager,
  before?: number,
): Promise<{ counted: number; more: boolean; newer: number }> {
  const upToLimit = (condition: Fragment) => sql()`
    (select count(*)::int from (select from notifications where company_id = ${companyId} ${condition} limit ${maxCounted + 1}) n)`;
  const [row] = await sql()<{ counted: number; newer: number }[]>`
    select ${upToLimit(sql()``)} as counted,
      ${before === undefined ? sql()`0` : upToLimit(sql()`and no >= ${before}`)} as newer`;
  const { counted, newer } = row ?? { counted: 0, newer: 0 };
  return { counted: Math.min(counted, maxCounted), more: counted > maxCounted, newer };
}

/** How many sends a company made on a day of its time zone, such as `2026-11-22`. */
type DayOfSends = { day: string; sends: number };

/**
 * Counts the sends of the last `days` days, today included, oldest first. It looks up one number at
 * each midnight, so the cost does not depend on the number of sends. A number that a withdrawal
 * took does not count. A send within seconds of midnight may count for the day beside it, because
 * numbers follow time within seconds.
 */
export async function countSendsByDay({ companyId, timeZone }: Manager, days = 14): Promise<DayOfSends[]> {
  return await sql()<DayOfSends[]>`
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
    ))::int as sends
    from days where up_to is not null order by day`;
}
