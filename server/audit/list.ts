import { sql } from '#db/client.ts';
import { type AuditFilter, auditOrder, indexedFilter, residualFilter } from '#server/audit/filter.ts';
import type { Owner } from '#server/principals.ts';

/** One entry of the audit log. Its names are those at the time of the entry. */
export type AuditEntry = {
  id: number;
  at: Date;
  actorKind: string;
  actorId: number | null;
  actorName: string;
  action: string;
  details: Record<string, unknown>;
  requestId: string;
  keyId: number | null;
  employeeId: number | null;
};

/**
 * A page of the audit log. `next` is the `before` of the next page, or null on the last one. One
 * search reads at most 300,000 entries; when it ends before the page is full, `searchedTo` is the
 * time of the last entry that it read.
 */
export type AuditPage = { entries: AuditEntry[]; more: boolean; next: number | null; searchedTo: Date | null };

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
    ? await sql()<{ id: number; at: Date }[]>`
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

/** Finds one entry of the owner's company, or null. */
export async function findAuditEntry(owner: Owner, id: number): Promise<AuditEntry | null> {
  const [row] = await sql()<AuditEntry[]>`
    select ${columns()} from audit_log where company_id = ${owner.companyId} and id = ${id}`;
  return row ?? null;
}
