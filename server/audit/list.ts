import { sql } from '#db/client.ts';
import { type AuditFilter, auditOrder, placeCondition, ruleCondition } from '#server/audit/filter.ts';
import type { Owner } from '#server/principals.ts';

/** One row of the audit log as it is shown; names in it are those of its time. */
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
 * A page of the audit log. `next` is what to give as `before` for the page after it, null when there is none. A rare thing is not
 * looked for for ever: when the search stopped before the page was full, `searchedTo` says up to when it looked.
 */
export type AuditPage = { entries: AuditEntry[]; more: boolean; next: number | null; searchedTo: Date | null };

const mostLookedAt = 300_000;
const walkedAtOnce = 1000;

const columns = () => sql()`id, at, actor_kind as "actorKind", actor_id as "actorId", actor_name as "actorName", action,
  details, request_id as "requestId", key_id as "keyId", employee_id as "employeeId"`;

/**
 * The audit log of the owner's company, newest first: up to `limit` entries older than entry `before` (none: from the newest)
 * that pass the filter.
 */
export async function listAudit(
  owner: Owner,
  { before, limit = 50, filter = {} }: { before?: number; limit?: number; filter?: AuditFilter } = {},
): Promise<AuditPage> {
  const place = placeCondition(owner, filter, before);
  const rule = ruleCondition(filter);
  const order = auditOrder(filter);
  const rows = await sql()<AuditEntry[]>`
    select ${columns()} from (
      select * from audit_log where company_id = ${owner.companyId} ${place} ${order} limit ${mostLookedAt}
    ) looked_at where true ${rule ?? sql()``} ${order} limit ${limit + 1}`;
  const entries = rows.slice(0, limit);
  if (rows.length > limit) return { entries, more: true, next: entries.at(-1)?.id ?? null, searchedTo: null };
  const [last] = rule
    ? await sql()<{ id: number; at: Date }[]>`
        select id, at from audit_log where company_id = ${owner.companyId} ${place}
        ${order} offset ${mostLookedAt - 1} limit 1`
    : [];
  return { entries, more: false, next: last?.id ?? null, searchedTo: last?.at ?? null };
}

/** Every entry that passes the filter, newest first, read in pages while it is walked. */
export async function* walkAudit(owner: Owner, filter: AuditFilter): AsyncGenerator<AuditEntry> {
  let page: AuditPage = await listAudit(owner, { limit: walkedAtOnce, filter });
  yield* page.entries;
  while (page.next !== null) {
    page = await listAudit(owner, { before: page.next, limit: walkedAtOnce, filter });
    yield* page.entries;
  }
}

/** One entry of the owner's company, or null. */
export async function findAuditEntry(owner: Owner, id: number): Promise<AuditEntry | null> {
  const [row] = await sql()<AuditEntry[]>`
    select ${columns()} from audit_log where company_id = ${owner.companyId} and id = ${id}`;
  return row ?? null;
}
