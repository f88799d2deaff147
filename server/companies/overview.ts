import { db, findRow, matches, requireRow } from '#db/client.ts';
import { and, desc, eq, gt, isNotNull, isNull, or, sql } from '#db/drizzle.cjs';
import { apiKeys, companies, employees, receipts } from '#db/schema/tables.ts';
import { selectLatestVisits } from '#server/employees/employee-list.ts';
import { expiryState, isValidKey, k, lastValidDay, warnDaysBefore } from '#server/keys/keys.ts';
import type { Manager, Owner } from '#server/principals.ts';

/** The employee who gets the first greeting. `isMe`: this employee is the owner who asks. */
export type FirstPerson = NonNullable<Progress['first']>;

export type Progress = Awaited<ReturnType<typeof findProgress>>;

/**
 * Whether the company ever had a key, a send, and a notification that somebody saw. `first`, while nobody saw one: the
 * asking owner as an employee, otherwise the first with an account, otherwise the first of all.
 */
export async function findProgress(owner: Owner) {
  const { companyId } = owner;
  const keys = db().select({ id: apiKeys.id }).from(apiKeys).where(eq(apiKeys.companyId, companyId));
  const isSeen = or(isNotNull(receipts.shownAt), isNotNull(receipts.readAt));
  const isShown = and(eq(receipts.companyId, companyId), isSeen);
  const seen = db().select({ no: receipts.no }).from(receipts).where(isShown);
  const hasRead = and(eq(employees.companyId, companyId), gt(employees.readUpTo, 0));
  const readers = db().select({ id: employees.id }).from(employees).where(hasRead);
  const row = await requireRow(
    db()
      .select({
        hasKey: sql<boolean>`exists ${keys}`,
        hasSend: sql<boolean>`${companies.lastNo} > 0`,
        hasSeen: sql<boolean>`exists ${seen} or exists ${readers}`,
      })
      .from(companies)
      .where(eq(companies.id, companyId)),
  );
  return { ...row, first: row.hasSeen ? null : await findFirstPerson(owner) };
}

async function findFirstPerson({ companyId, accountId }: Owner) {
  const isMe = sql<boolean>`${employees.accountId} is not distinct from ${accountId}`;
  const hasAccount = sql<boolean>`${employees.accountId} is not null`;
  return findRow(
    db()
      .select({ id: employees.id, name: employees.name, hasAccount, isMe })
      .from(employees)
      .where(matches(employees, { companyId, active: true }))
      .orderBy(desc(isMe), isNull(employees.accountId), employees.id)
      .limit(1),
  );
}

type OutOfReach = Record<'active' | 'noAccount' | 'neverSeen' | 'notSeenLately' | 'noSound', number>;

/**
 * Counts the active employees who may not hear a send, each once, under the first that applies: no account, portal
 * never open, or not for 7 days, sound does not play. One with a push subscription hears it.
 */
export async function countOutOfReach({ companyId }: Manager): Promise<OutOfReach> {
  // As text: a report with several sums.
  const counted = db().execute<OutOfReach>(sql`
    with seen as materialized (${selectLatestVisits(companyId).getSQL()}), devices as materialized (
      select distinct s.employee_id from push_subscriptions s
      join employees e on e.company_id = s.company_id and e.id = s.employee_id
      join sessions held on held.company_id = s.company_id and held.id = s.session_id
        and held.account_id = e.account_id and held.expires_at > now()
      where s.company_id = ${companyId}
    ), people as (
      select case
        when e.account_id is null then 'noAccount'
        when e.id in (select employee_id from devices) then 'reached'
        when seen.seen_at is null then 'neverSeen'
        when seen.seen_at < now() - interval '7 days' then 'notSeenLately'
        when seen.sound in ('click', 'muted', 'blocked', 'unsupported') then 'noSound'
        else 'reached' end as state
      from employees e left join seen on seen.employee_id = e.id
      where e.company_id = ${companyId} and e.active
    )
    select count(*)::int as active,
      count(*) filter (where state = 'noAccount')::int as "noAccount",
      count(*) filter (where state = 'neverSeen')::int as "neverSeen",
      count(*) filter (where state = 'notSeenLately')::int as "notSeenLately",
      count(*) filter (where state = 'noSound')::int as "noSound"
    from people`);
  return requireRow(counted);
}

/**
 * A key that needs attention: revoked but calling in 24 hours; expired in 7 days, or calling in 24 hours; expiring
 * within 7 days (`on`: its last day); with a fifth of 5 or more requests rejected in 24 hours; unused for 90 days.
 */
export type KeyToCheck = { id: number; name: string } & (
  | { what: 'revoked-calling'; count: number; lastCallAt: Date; address: string }
  | { what: 'expired'; count: number; on: string }
  | { what: 'refused'; count: number; requests: number }
  | { what: 'expiring'; on: string }
  | { what: 'unused'; lastCallAt: Date | null }
);

/** The keys that need attention: revoked, then expired, then by rejected requests. */
export async function listKeysToCheck(owner: Owner): Promise<KeyToCheck[]> {
  const { companyId, timeZone } = owner;
  // As text: a report with several sums for each key.
  return db().execute<KeyToCheck>(sql`
    select * from (
      select k.id, k.name, case
          when k.revoked_at is not null and calls.count > 0 then 'revoked-calling'
          when k.revoked_at is not null then null
          when ${expiryState(k)} = 'expired' then
            case when calls.count > 0 or k.expires_at > now() - ${warnDaysBefore} * interval '1 day' then 'expired' end
          when ${expiryState(k)} = 'soon' then 'expiring'
          when day.requests >= 5 and day.refused * 5 >= day.requests then 'refused'
          when coalesce(u.last_at, k.created_at) < now() - interval '90 days' then 'unused' end as what,
        coalesce(calls.count, day.refused, 0) as count, day.requests, coalesce(calls.at, u.last_at) as "lastCallAt",
        calls.address,
        ${lastValidDay(timeZone, k)} as "on", k.revoked_at is null as active, coalesce(day.refused, 0) as refused
      from api_keys k
      left join key_uses u on u.company_id = k.company_id and u.key_id = k.id
      left join lateral (
        select sum(requests)::int as requests, sum(refused)::int as refused from key_traffic
        where k.revoked_at is null and company_id = k.company_id and key_id = k.id and hour > now() - interval '24 hours'
      ) day on true
      left join lateral (
        select (count(*) + sum(more) + (
          select coalesce(sum(not_kept), 0) from refusal_counts
          where company_id = k.company_id and key_id = k.id
            and (k.revoked_at is not null or code = 'key_rejected')
            and hour > greatest(now() - interval '24 hours', k.revoked_at)
        ))::int as count, max(at) as at, (array_agg(address order by id desc))[1] as address
        from (
          select id, at, address, code, more from refusals
          where not ${isValidKey(k)} and company_id = k.company_id and key_id = k.id order by id desc limit 500
        ) r
        where r.at > greatest(now() - interval '24 hours', k.revoked_at)
          and (k.revoked_at is not null or r.code = 'key_rejected')
      ) calls on true
      where k.company_id = ${companyId}
    ) keys
    where what is not null
    order by active, what <> 'expired', refused desc, id`);
}
