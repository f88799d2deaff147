import { type Fragment, findRow, sql } from '#db/client.ts';
import type { Rows } from '#db/schema/rows.ts';
import type { AuditAction } from '#server/audit/record.ts';
import type { Owner } from '#server/principals.ts';
import { timeOfRequest } from '#server/request-id.ts';

/** One entry of the audit log. Its names are those at the time of the entry. */
export type AuditEntry = Omit<Rows['auditLog'], 'companyId'>;

/**
 * A page of the audit log. `next` is the `before` of the next page, or null on the last one. One
 * search reads at most 300,000 entries; when it ends before the page is full, `searchedTo` is the
 * time of the last entry that it read.
 */
type AuditPage = { entries: AuditEntry[]; more: boolean; next: number | null; searchedTo: Date | null };

const maxEntriesRead = 300_000;
const walkPageSize = 1000;

const columns = () => sql()`id, at, actor_kind as "actorKind", actor_id as "actorId", actor_name as "actorName", action,
  details, request_id as "requestId", key_id as "keyId", employee_id as "employeeId"`;

/**
 * Lists entries of the owner's company that pass the filter, newest first: at most `limit`, older
 * than entry `before` (default: from the newest).
 */
export async function listAudit(
  owner: Owner,
  { before, limit = 50, filter = {} }: { before?: number; limit?: number; filter?: AuditFilter } = {},
): Promise<AuditPage> {
  const indexed = indexedFilter(owner, filter, before);
  const residual = residualFilter(filter);
  const order = auditOrder(filter);
  const rows = await sql()<AuditEntry[]>`
    select ${columns()} from (
      select * from audit_log where company_id = ${owner.companyId} ${indexed} ${order} limit ${maxEntriesRead}
    ) searched where true ${residual ?? sql()``} ${order} limit ${limit + 1}`;
  const entries = rows.slice(0, limit);
  if (rows.length > limit) return { entries, more: true, next: entries.at(-1)?.id ?? null, searchedTo: null };
  const [last] = residual
    ? await sql()<Pick<Rows['auditLog'], 'id' | 'at'>[]>`
        select id, at from audit_log where company_id = ${owner.companyId} ${indexed}
        ${order} offset ${maxEntriesRead - 1} limit 1`
    : [];
  return { entries, more: false, next: last?.id ?? null, searchedTo: last?.at ?? null };
}

/** Reads every entry that passes the filter, newest first, a page at a time. */
export async function* walkAudit(owner: Owner, filter: AuditFilter): AsyncGenerator<AuditEntry> {
  let page: AuditPage = await listAudit(owner, { limit: walkPageSize, filter });
  yield* page.entries;
  while (page.next !== null) {
    page = await listAudit(owner, { before: page.next, limit: walkPageSize, filter });
    yield* page.entries;
  }
}

export async function findAuditEntry(owner: Owner, id: number): Promise<AuditEntry | null> {
  return findRow(sql()<AuditEntry[]>`
    select ${columns()} from audit_log where company_id = ${owner.companyId} and id = ${id}`);
}

/**
 * A filter of the audit log. `who`: any key, any person, the service itself, its operator, or one
 * certain key or account. `action`: one action, or `change` for all but sends. `keyId` and
 * `employeeIds`: the subject of the entry. `reached`: sends with recipients (true) or without
 * (false). `from` and `to`: days (YYYY-MM-DD) in the company's time zone, both inclusive.
 */
export type AuditFilter = {
  who?: 'key' | 'person' | 'system' | 'operator' | { keyId: number } | { accountId: number };
  action?: string;
  keyId?: number;
  employeeIds?: number[];
  reached?: boolean;
  from?: string;
  to?: string;
  requestId?: string;
};

const requestSlackMs = 60_000;

const none = () => sql()``;

/** By id; by time where the filter names days, because then the index on times finds the first day. */
const auditOrder = ({ from, to }: AuditFilter): Fragment =>
  from === undefined && to === undefined ? sql()`order by id desc` : sql()`order by at desc, id desc`;

function olderThan({ companyId }: Owner, { from, to }: AuditFilter, before: number): Fragment {
  if (from === undefined && to === undefined) return sql()`and id < ${before}`;
  const timeOfBefore = sql()`(select at from audit_log where company_id = ${companyId} and id = ${before})`;
  return sql()`and at <= ${timeOfBefore} and (at < ${timeOfBefore} or id < ${before})`;
}

/** The conditions that an index can answer, for entries older than entry `before`. */
function indexedFilter(owner: Owner, filter: AuditFilter, before?: number): Fragment {
  const { timeZone } = owner;
  const { who, action, keyId, employeeIds, reached, from, to, requestId } = filter;
  const certainKey = typeof who === 'object' && 'keyId' in who ? who.keyId : undefined;
  return sql()`
    ${before === undefined ? none() : olderThan(owner, filter, before)}
    ${keyId === undefined ? none() : sql()`and key_id = ${keyId}`}
    ${certainKey === undefined ? none() : sql()`and key_id = ${certainKey}`}
    ${employeeIds === undefined ? none() : sql()`and employee_id = any(${employeeIds}::int[])`}
    ${action === undefined || action === 'notification.send' ? none() : sql()`and action <> 'notification.send'`}
    ${from === undefined && to === undefined ? rareEntries(action, reached) : none()}
    ${from === undefined ? none() : sql()`and at >= ${from}::text::date::timestamp at time zone ${timeZone}`}
    ${to === undefined ? none() : sql()`and at < (${to}::text::date + 1)::timestamp at time zone ${timeZone}`}
    ${requestId === undefined ? none() : ofRequest(requestId)}`;
}

// Rare entries have partial indexes of their own, ordered by id.
function rareEntries(action: string | undefined, reached: boolean | undefined): Fragment {
  const isOneAction = action !== undefined && action !== 'change' && action !== 'notification.send';
  return sql()`${isOneAction ? sql()`and action = ${action}` : none()}
    ${reached === false ? sql()`and details->>'reach' = '0'` : none()}`;
}

// A request id tells its time (UUID version 7), so the index on times finds it.
function ofRequest(requestId: string): Fragment {
  const time = timeOfRequest(requestId);
  if (time === null) return sql()`and false`;
  const [from, to] = [time - requestSlackMs, time + requestSlackMs].map((ms) => new Date(ms).toISOString());
  return sql()`and at between ${from ?? ''}::text::timestamptz and ${to ?? ''}::text::timestamptz
    and request_id = ${requestId.toLowerCase()}`;
}

/** The conditions that are checked entry by entry, or null when there are none. */
function residualFilter({ who, action, reached }: AuditFilter): Fragment | null {
  if (who === undefined && (action === undefined || action === 'change') && reached === undefined) return null;
  return sql()`
    ${who === undefined ? none() : byActor(who)}
    ${action === undefined || action === 'change' ? none() : sql()`and action = ${action}`}
    ${reached === undefined ? none() : sql()`and (details->>'reach')::int ${reached ? sql()`> 0` : sql()`= 0`}`}`;
}

function byActor(who: NonNullable<AuditFilter['who']>): Fragment {
  if (typeof who === 'string') return sql()`and actor_kind = ${who === 'person' ? 'account' : who}`;
  const [kind, id] = 'keyId' in who ? ['key', who.keyId] : ['account', who.accountId];
  return sql()`and actor_kind = ${kind} and actor_id = ${id}`;
}

/** The choices of the filter form: keys, active ones first, and people. */
type AuditNames = {
  keys: { id: number; name: string; revoked: boolean }[];
  people: { id: number; name: string }[];
};

/**
 * The owner's choices for the filter form: at most 500 keys, and at most 100 owners and managers.
 * Adds the account `selectedId`.
 */
export async function listAuditNames({ companyId }: Owner, selectedId?: number): Promise<AuditNames> {
  const [keys, people] = await Promise.all([
    sql()<AuditNames['keys']>`
      select id, name, revoked_at is not null as revoked from api_keys where company_id = ${companyId}
      order by revoked_at is not null, name, id limit 500`,
    sql()<AuditNames['people']>`
      select id, name from accounts
      where company_id = ${companyId} and (is_owner or is_manager or id = ${selectedId ?? null}::int)
      order by name, id limit 100`,
  ]);
  return { keys, people };
}

const maxEmployeesFound = 100;

/** Returns the ids of employees with this id or, up to 100, with this part of a name. */
export async function findEmployeesCalled(owner: Owner, words: string): Promise<number[]> {
  if (/^\d{1,9}$/.test(words)) return [Number(words)];
  const pattern = `%${words.replace(/[\\%_]/g, '\\$&')}%`;
  const rows = await sql()<Pick<Rows['employees'], 'id'>[]>`
    select id from employees where company_id = ${owner.companyId} and name ilike ${pattern}
    order by id limit ${maxEmployeesFound}`;
  return rows.map(({ id }) => id);
}

const changesOfRights: AuditAction[] = [
  ...(['owner.join', 'owner.make', 'owner.remove', 'owner.leave', 'owner.link', 'owner.renew'] as const),
  ...(['owner.demote', 'manager.join', 'manager.make', 'manager.promote', 'manager.remove'] as const),
  ...(['manager.leave', 'manager.link', 'manager.renew'] as const),
];

/**
 * The newest three changes by others in the last 7 days: to owners and managers, and links for
 * their passwords. Others are another owner, a manager who joined, or the operator.
 */
export async function listOwnerChanges({ companyId, accountId }: Owner): Promise<AuditEntry[]> {
  return sql()<AuditEntry[]>`
    select ${columns()} from audit_log
    where company_id = ${companyId} and action <> 'notification.send' and action = any(${changesOfRights})
      and at > now() - interval '7 days'
      and at > (select coalesce(owner_since, created_at) from accounts where company_id = ${companyId} and id = ${accountId})
      and (actor_kind <> 'account' or actor_id <> ${accountId})
    order by id desc limit 3`;
}
