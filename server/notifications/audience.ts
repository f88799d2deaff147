import { byId, matches } from '#db/client.ts';
import { alias, and, type Column, ilike, or, type PgSelect, type SQL, sql } from '#db/drizzle.cjs';
import { employees, employment, notificationPeople, notifications, receipts } from '#db/schema/tables.ts';

// The names under which a statement with these expressions has the tables.
export const n = alias(notifications, 'n');
export const e = alias(employees, 'e');
export const r = alias(receipts, 'r');
const s = alias(employment, 's');
const was = alias(employment, 'was');
const p = alias(notificationPeople, 'p');
const done = alias(receipts, 'done');
const made = alias(notifications, 'made');
export const original = alias(notifications, 'original');

/** Who a notification is for: every active employee, one, all who have one of these roles when it is sent, or these. */
export type Recipients =
  | { to: 'everyone' }
  | { to: 'one'; employeeId: number }
  | { to: 'roles'; roles: string[] }
  | { to: 'people'; employeeIds: number[] };

export type KeyRecipients = Extract<Recipients, { to: 'everyone' | 'one' }>;

/** Who a notification was for, without the ids of chosen people. */
export type SentTo = Exclude<Recipients, { to: 'people' }> | { to: 'people' };

/** The `SentTo` of `notifications n`. */
export const sentTo = sql<SentTo>`
  case when ${n.recipientId} is not null then jsonb_build_object('to', 'one', 'employeeId', ${n.recipientId})
    when ${n.toRoles} is not null then jsonb_build_object('to', 'roles', 'roles', ${n.toRoles})
    when ${n.isListed} then '{"to": "people"}' else '{"to": "everyone"}' end`;

export const employeeIdOf = (recipients: SentTo): number | undefined =>
  recipients.to === 'one' ? recipients.employeeId : undefined;

/** A condition over `notifications n`: it is to everyone. */
export const isToEveryone = sql`(${n.recipientId} is null and not ${n.isListed})`;

/** A condition over `notifications n` and a period `s` of `employment`: the person was active at its number. */
const wasActive = sql`${s.companyId} = ${n.companyId} and ${s.fromNo} < ${n.no} and ${n.no} <= coalesce(${s.untilNo}, ${n.no})`;

type EmployeeId = number | Column | SQL;

const asExpression = (id: EmployeeId) => (typeof id === 'number' ? sql`${id}::int` : id);

/** A condition over `notifications n`: to this person, to everyone while they were active, or to a list with them. */
export const isReceivedBy = (employeeId: EmployeeId): SQL => {
  const id = asExpression(employeeId);
  return sql`(
    ${n.recipientId} = ${id}
    or ${isToEveryone} and ${reminderConcerns(id)}
      and exists (select from employment s where ${s.employeeId} = ${id} and ${wasActive})
    or ${n.isListed} and exists (
      select from notification_people p
      where ${p.companyId} = ${n.companyId} and ${p.no} = ${n.no} and ${p.employeeId} = ${id}))`;
};

// The person was active when the original was sent.
const receivedOriginal = (id: Column | SQL) => sql`exists (
      select from employment was where ${was.companyId} = ${n.companyId} and ${was.employeeId} = ${id}
        and ${was.fromNo} < ${n.remindsNo} and ${n.remindsNo} <= coalesce(${was.untilNo}, ${n.remindsNo}))`;

/**
 * A condition over `notifications n` that are to everyone: it is no reminder, or the person received the original and
 * had not confirmed it when the reminder was made. It reads only columns of the index of those. `received`: the person
 * received the original.
 */
export const reminderConcerns = (id: Column | SQL, received = receivedOriginal(id)): SQL => sql`(
    ${n.remindsNo} is null or ${received} and not exists (
      select from receipts done where ${done.companyId} = ${n.companyId} and ${done.employeeId} = ${id}
        and ${done.no} = ${n.remindsNo} and coalesce(${done.firstConfirmedAt}, ${done.confirmedAt}) <= (
          select ${made.createdAt} from notifications made where ${made.companyId} = ${n.companyId} and ${made.no} = ${n.no})
    ))`;

/** The condition of a join: `original` is what the reminder `notifications n` reminds of, or `n` itself. */
export const isOriginal = sql`${original.companyId} = ${n.companyId} and ${original.no} = coalesce(${n.remindsNo}, ${n.no})`;

/** A condition over `notifications n`: it, or what it reminds of, waits for confirmations or answers. */
export const asks = sql<boolean>`(${n.mustConfirm} or ${n.remindsNo} is not null and ${n.closedAt} is null)`;

/** A condition over `notifications n`: it asks for confirmations or answers, or did until it was closed. */
export const hasAsked = sql<boolean>`(${n.mustConfirm} or ${n.closedAt} is not null and ${n.remindsNo} is null)`;

/** A condition over `notifications n`: it reached at least one person and was not withdrawn. */
export const stillCounts = sql`${n.reach} > 0 and ${n.withdrawnAt} is null`;

/** A condition over `notifications n`, `employees e`, `receipts r`: the person has read it. */
export const hasRead = sql<boolean>`(${r.unreadAt} is null and (${r.readAt} is not null or ${n.no} <= ${e.readUpTo}))`;

/** The employee's id in each row of `fromRecipients`. */
export const reachedId = sql<number>`reached.id`;

const reached = sql`(
    select ${n.recipientId} as id where ${n.recipientId} is not null
    union all
    select ${p.employeeId} from notification_people p
    where ${n.isListed} and ${p.companyId} = ${n.companyId} and ${p.no} = ${n.no}
    union all
    select ${s.employeeId} from employment s
    where ${isToEveryone} and ${wasActive} and ${reminderConcerns(s.employeeId)}
  ) reached`;

/**
 * Adds the recipients to a query that reads from `n`: a row for each, with `employees e` and `receipts r` (null without
 * a receipt). `condition` must name the company.
 */
export const fromRecipients = <Query extends PgSelect>(query: Query, condition: SQL | undefined): Query =>
  query
    .innerJoinLateral(reached, sql`true`)
    .innerJoin(e, byId(e, n, reachedId))
    .leftJoin(r, matches(r, { companyId: n.companyId, employeeId: e.id, no: n.no }))
    .where(and(sql`${n.reach} > 0`, condition)) as unknown as Query;

/** The `ilike` pattern that finds a text anywhere, with its wildcards escaped. */
const asPattern = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

/** The patterns of the words of a search, which are in any order. */
export const patternsOf = (search: string | undefined): string[] => wordsOf(search ?? '').map(asPattern);

export const wordsOf = (search: string): string[] => [...new Set(search.split(/\s+/u).filter((word) => word !== ''))];

/** A condition: each word of `search` is a part of one of these texts, in any order and case. Undefined without a word. */
export const containsWords = (search: string | undefined, texts: Column[]): SQL | undefined =>
  and(...patternsOf(search).map((pattern) => or(...texts.map((text) => ilike(text, pattern)))));
