import { byId, db, findRow, isAnyOf, matches, type Rows } from '#db/client.ts';
import {
  type AnyPgColumn,
  and,
  between,
  desc,
  eq,
  exists,
  getTableColumns,
  gt,
  ilike,
  lt,
  lte,
  ne,
  not,
  or,
  type SQL,
  sql,
} from '#db/drizzle.cjs';
import { accounts, apiKeys, auditLog, employees, invitations } from '#db/schema/tables.ts';
import type { AuditAction } from '#server/audit/record.ts';
import type { Owner } from '#server/principals.ts';
import { timeOfRequest } from '#server/request-id.ts';

/** One entry of the audit log. Its names are those at the time of the entry. */
export type AuditEntry = Omit<Rows['auditLog'], 'companyId'>;

const maxEntriesRead = 300_000;

const { companyId: _, ...columns } = getTableColumns(auditLog);

/**
 * Entries of the owner's company that pass the filter, newest first: at most `limit`, older than entry `before`.
 * `next`: the `before` of the next page. One search reads at most 300,000 entries; when it ends before the page is
 * full, `searchedTo` is the time of the last one.
 */
export async function listAudit(
  owner: Owner,
  { before, limit = 50, filter = {} }: { before?: number; limit?: number; filter?: AuditFilter } = {},
) {
  const indexed = and(eq(auditLog.companyId, owner.companyId), indexedFilter(owner, filter, before));
  const searched = db()
    .select(columns)
    .from(auditLog)
    .where(indexed)
    .orderBy(...auditOrder(filter, auditLog))
    .limit(maxEntriesRead)
    .as('searched');
  const residual = residualFilter(filter, searched);
  const rows = await db()
    .select()
    .from(searched)
    .where(residual)
    .orderBy(...auditOrder(filter, searched))
    .limit(limit + 1);
  const entries = rows.slice(0, limit);
  if (rows.length > limit) return { entries, more: true, next: entries.at(-1)?.id ?? null, searchedTo: null };
  const [last] = residual
    ? await db()
        .select({ id: auditLog.id, at: auditLog.at })
        .from(auditLog)
        .where(indexed)
        .orderBy(...auditOrder(filter, auditLog))
        .offset(maxEntriesRead - 1)
        .limit(1)
    : [];
  return { entries, more: false, next: last?.id ?? null, searchedTo: last?.at ?? null };
}

export async function* walkAudit(owner: Owner, filter: AuditFilter): AsyncGenerator<AuditEntry> {
  for (let before: number | null | undefined; before !== null; ) {
    const page = await listAudit(owner, { before, limit: 1000, filter });
    yield* page.entries;
    before = page.next;
  }
}

export async function findAuditEntry(owner: Owner, id: number): Promise<AuditEntry | null> {
  const isEntry = byId(auditLog, owner, id);
  return findRow(db().select(columns).from(auditLog).where(isEntry));
}

/**
 * `who`: any key, person, the service, its operator, or a certain key or account. `action`: one, or `change` for all
 * but sends. `keyId`, `employeeIds`: the subject. `reached`: sends with recipients or without. `from`, `to`: days
 * (YYYY-MM-DD, company's time zone), both inclusive.
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

type Entry = Record<'id' | 'at' | 'actorKind' | 'actorId' | 'action' | 'details', AnyPgColumn>;

const namesDays = ({ from, to }: AuditFilter) => from !== undefined || to !== undefined;

/** By id; by time where the filter names days, because then the index on times finds the first day. */
const auditOrder = (filter: AuditFilter, { id, at }: Entry): SQL[] =>
  namesDays(filter) ? [desc(at), desc(id)] : [desc(id)];

function olderThan({ companyId }: Owner, filter: AuditFilter, before: number) {
  const { id, at } = auditLog;
  if (!namesDays(filter)) return lt(id, before);
  const isBefore = and(eq(auditLog.companyId, companyId), eq(id, before));
  const timeOfBefore = db().select({ at }).from(auditLog).where(isBefore);
  return and(lte(at, timeOfBefore), or(lt(at, timeOfBefore), lt(id, before)));
}

/** The conditions that an index can answer, for entries older than entry `before`. */
function indexedFilter(owner: Owner, filter: AuditFilter, before?: number) {
  const { timeZone } = owner;
  const { who, action, keyId, employeeIds, reached, from, to, requestId } = filter;
  const certainKey = typeof who === 'object' && 'keyId' in who ? who.keyId : undefined;
  return and(
    before === undefined ? undefined : olderThan(owner, filter, before),
    keyId === undefined ? undefined : eq(auditLog.keyId, keyId),
    certainKey === undefined ? undefined : eq(auditLog.keyId, certainKey),
    employeeIds && isAnyOf(auditLog.employeeId, employeeIds),
    action === undefined || action === 'notification.send' ? undefined : isChange,
    namesDays(filter) ? undefined : rareEntries(action, reached),
    from === undefined ? undefined : sql`${auditLog.at} >= ${from}::text::date::timestamp at time zone ${timeZone}`,
    to === undefined ? undefined : sql`${auditLog.at} < (${to}::text::date + 1)::timestamp at time zone ${timeZone}`,
    requestId === undefined ? undefined : ofRequest(requestId),
  );
}

// The conditions of partial indexes, word for word.
const isChange = sql`${auditLog.action} <> 'notification.send'`;
const reachedNobody = sql`${auditLog.details}->>'reach' = '0'`;

// Rare entries have partial indexes of their own, ordered by id.
function rareEntries(action: string | undefined, reached: boolean | undefined) {
  const isOneAction = action !== undefined && action !== 'change' && action !== 'notification.send';
  return and(isOneAction ? eq(auditLog.action, action) : undefined, reached === false ? reachedNobody : undefined);
}

// A request id tells its time (UUID version 7), so the index on times finds it.
function ofRequest(requestId: string) {
  const time = timeOfRequest(requestId);
  if (time === null) return sql`false`;
  const [from, to] = [new Date(time - requestSlackMs), new Date(time + requestSlackMs)];
  return and(between(auditLog.at, from, to), eq(auditLog.requestId, requestId.toLowerCase()));
}

/** The conditions that are checked entry by entry, or undefined when there are none. */
function residualFilter({ who, action, reached }: AuditFilter, entry: Entry) {
  const reach = sql`(${entry.details}->>'reach')::int`;
  return and(
    who && byActor(who, entry),
    action === undefined || action === 'change' ? undefined : eq(entry.action, action),
    reached === undefined ? undefined : reached ? sql`${reach} > 0` : sql`${reach} = 0`,
  );
}

function byActor(who: NonNullable<AuditFilter['who']>, { actorKind, actorId }: Entry) {
  if (typeof who === 'string') return eq(actorKind, who === 'person' ? 'account' : who);
  const [kind, id] = 'keyId' in who ? ['key', who.keyId] : ['account', who.accountId];
  return and(eq(actorKind, kind), eq(actorId, id));
}

/** The choices of the filter form: up to 500 keys, active ones first, 100 owners and managers, and `selectedId`. */
export async function listAuditNames({ companyId }: Owner, selectedId?: number) {
  const revoked = sql<boolean>`${apiKeys.revokedAt} is not null`;
  const isSelected = selectedId === undefined ? undefined : eq(accounts.id, selectedId);
  const keys = db()
    .select({ id: apiKeys.id, name: apiKeys.name, revoked })
    .from(apiKeys)
    .where(eq(apiKeys.companyId, companyId))
    .orderBy(revoked, apiKeys.name, apiKeys.id)
    .limit(500);
  const people = db()
    .select({ id: accounts.id, name: accounts.name })
    .from(accounts)
    .where(and(eq(accounts.companyId, companyId), or(accounts.isOwner, accounts.isManager, isSelected)))
    .orderBy(accounts.name, accounts.id)
    .limit(100);
  const [foundKeys, foundPeople] = await Promise.all([keys, people]);
  return { keys: foundKeys, people: foundPeople };
}

/** Returns the ids of employees with this id or, up to 100, with this part of a name. */
export async function findEmployeesCalled(owner: Owner, words: string): Promise<number[]> {
  if (/^\d{1,9}$/.test(words)) return [Number(words)];
  const { id, companyId, name } = employees;
  const isCalled = and(eq(companyId, owner.companyId), ilike(name, `%${words.replace(/[\\%_]/g, '\\$&')}%`));
  const rows = await db().select({ id }).from(employees).where(isCalled).orderBy(id).limit(100);
  return rows.map(({ id }) => id);
}

const changesOfRights: AuditAction[] = [
  ...(['owner.join', 'owner.make', 'owner.remove', 'owner.leave', 'owner.link', 'owner.renew'] as const),
  ...(['owner.demote', 'manager.join', 'manager.make', 'manager.promote', 'manager.remove'] as const),
  ...(['manager.leave', 'manager.link', 'manager.renew'] as const),
];

/** The newest three changes to owners, managers and their links in 7 days, but what this owner did or invited to. */
export async function listOwnerChanges({ companyId, accountId }: Owner): Promise<AuditEntry[]> {
  const since = sql`coalesce(${accounts.ownerSince}, ${accounts.createdAt})`;
  const isMe = byId(accounts, { companyId }, accountId);
  const ownerSince = db().select({ since }).from(accounts).where(isMe);
  const isNew = and(gt(auditLog.at, sql`now() - interval '7 days'`), gt(auditLog.at, ownerSince));
  const isOfOthers = or(ne(auditLog.actorKind, 'account'), ne(auditLog.actorId, accountId));
  const isChangeOfRights = and(isChange, isAnyOf(auditLog.action, changesOfRights));
  const { actorId, at } = auditLog;
  const isOwn = matches(invitations, { companyId, accountId: actorId, createdBy: accountId, usedAt: at });
  const ownInvitation = db().select({ usedAt: invitations.usedAt }).from(invitations).where(isOwn);
  const isInvitedByMe = and(isAnyOf(auditLog.action, ['owner.join', 'manager.join']), exists(ownInvitation));
  return db()
    .select(columns)
    .from(auditLog)
    .where(and(eq(auditLog.companyId, companyId), isChangeOfRights, isNew, isOfOthers, not(sql`${isInvitedByMe}`)))
    .orderBy(desc(auditLog.id))
    .limit(3);
}
