import { sql } from '#db/client.ts';
import type { Owner } from '#server/principals.ts';
import { timeOfRequest } from '#server/request-id.ts';

/**
 * Which entries of the audit log. `who` did it: any key, any person, the service itself, or a certain one. `action` is one of
 * them, or `change` for all but sends. `keyId` and `employeeIds` are whom an entry is about. `reached` is of sends: somebody or
 * nobody. `from` and `to` are days (YYYY-MM-DD) of the company's time zone, both included.
 */
export type AuditFilter = {
  who?: 'key' | 'person' | 'system' | { keyId: number } | { accountId: number };
  action?: string;
  keyId?: number;
  employeeIds?: number[];
  reached?: boolean;
  from?: string;
  to?: string;
  requestId?: string;
};

const requestSlackMs = 60_000;

/**
 * The order of the entries: by number, or by time where days are asked for, because only then the index of times can be followed
 * to a day long ago.
 */
export const auditOrder = ({ from, to }: AuditFilter) =>
  from === undefined && to === undefined ? sql()`order by id desc` : sql()`order by at desc, id desc`;

function olderThan({ companyId }: Owner, { from, to }: AuditFilter, before: number) {
  if (from === undefined && to === undefined) return sql()`and id < ${before}`;
  const at = sql()`(select at from audit_log where company_id = ${companyId} and id = ${before})`;
  return sql()`and at <= ${at} and (at < ${at} or id < ${before})`;
}

/** The part of a filter that an index can follow: where to look. */
export function placeCondition(owner: Owner, filter: AuditFilter, before?: number) {
  const { timeZone } = owner;
  const { who, action, keyId, employeeIds, reached, from, to, requestId } = filter;
  const certainKey = typeof who === 'object' && 'keyId' in who ? who.keyId : undefined;
  return sql()`
    ${before === undefined ? sql()`` : olderThan(owner, filter, before)}
    ${keyId === undefined ? sql()`` : sql()`and key_id = ${keyId}`}
    ${certainKey === undefined ? sql()`` : sql()`and key_id = ${certainKey}`}
    ${employeeIds === undefined ? sql()`` : sql()`and employee_id = any(${employeeIds}::int[])`}
    ${action === undefined || action === 'notification.send' ? sql()`` : sql()`and action <> 'notification.send'`}
    ${from === undefined && to === undefined ? rareCondition(action, reached) : sql()``}
    ${from === undefined ? sql()`` : sql()`and at >= ${from}::text::date::timestamp at time zone ${timeZone}`}
    ${to === undefined ? sql()`` : sql()`and at < (${to}::text::date + 1)::timestamp at time zone ${timeZone}`}
    ${requestId === undefined ? sql()`` : requestCondition(requestId)}`;
}

// What is rare has an index of its own, in the order of numbers.
function rareCondition(action: string | undefined, reached: boolean | undefined) {
  const certain = action !== undefined && action !== 'change' && action !== 'notification.send';
  return sql()`${certain ? sql()`and action = ${action}` : sql()``}
    ${reached === false ? sql()`and details->>'reach' = '0'` : sql()``}`;
}

// An id that does not tell its time could only be found by reading everything.
function requestCondition(requestId: string) {
  const at = timeOfRequest(requestId);
  if (at === null) return sql()`and false`;
  const [from, to] = [at - requestSlackMs, at + requestSlackMs].map((ms) => new Date(ms).toISOString());
  return sql()`and at between ${from ?? ''}::text::timestamptz and ${to ?? ''}::text::timestamptz and request_id = ${requestId.toLowerCase()}`;
}

/** The part of a filter that is checked entry by entry, or null when there is none. */
export function ruleCondition({ who, action, reached }: AuditFilter) {
  if (who === undefined && (action === undefined || action === 'change') && reached === undefined) return null;
  return sql()`
    ${who === undefined ? sql()`` : whoCondition(who)}
    ${action === undefined || action === 'change' ? sql()`` : sql()`and action = ${action}`}
    ${reached === undefined ? sql()`` : sql()`and (details->>'reach')::int ${reached ? sql()`> 0` : sql()`= 0`}`}`;
}

function whoCondition(who: NonNullable<AuditFilter['who']>) {
  if (typeof who === 'string') return sql()`and actor_kind = ${who === 'person' ? 'account' : who}`;
  const [kind, id] = 'keyId' in who ? ['key', who.keyId] : ['account', who.accountId];
  return sql()`and actor_kind = ${kind} and actor_id = ${id}`;
}

/** What can be chosen in the filters: keys, active ones first, and people who are owners or the account `besides`. */
export type AuditNames = {
  keys: { id: number; name: string; revoked: boolean }[];
  people: { id: number; name: string }[];
};

/** The names for the filters of the owner's company; at most 500 keys. */
export async function listAuditNames({ companyId }: Owner, besides?: number): Promise<AuditNames> {
  const [keys, people] = await Promise.all([
    sql()<AuditNames['keys']>`
      select id, name, revoked_at is not null as revoked from api_keys where company_id = ${companyId}
      order by revoked_at is not null, name, id limit 500`,
    sql()<AuditNames['people']>`
      select id, name from (
        select id, name from accounts where company_id = ${companyId} and is_owner
        union
        select id, name from accounts where company_id = ${companyId} and id = ${besides ?? null}::int
      ) people order by name, id limit 100`,
  ]);
  return { keys, people };
}

const mostNamed = 100;

/** Employees of the owner's company by what was typed: an id, or a part of the name (the first 100). */
export async function findEmployeesCalled(owner: Owner, words: string): Promise<number[]> {
  if (/^\d{1,9}$/.test(words)) return [Number(words)];
  const pattern = `%${words.replace(/[\\%_]/g, '\\$&')}%`;
  const rows = await sql()<{ id: number }[]>`
    select id from employees where company_id = ${owner.companyId} and name ilike ${pattern} order by id limit ${mostNamed}`;
  return rows.map(({ id }) => id);
}
