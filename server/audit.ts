import { and, desc, eq, lt } from 'drizzle-orm';
import { type Database, db } from '#db/client.ts';
import { auditLog } from '#db/schema.ts';
import { newRequestId } from '#server/request-id.ts';
import type { Owner } from '#server/session.ts';

/** Everything the audit log can say happened. `notification.send` is written by the send's own statement. */
export type AuditAction =
  | 'company.create'
  | 'company.edit'
  | 'notification.send'
  | 'notification.withdraw'
  | 'notification.remind'
  | 'notification.confirm'
  | 'key.create'
  | 'key.replace'
  | 'key.edit'
  | 'key.revoke'
  | 'employee.add'
  | 'employee.import'
  | 'employee.edit'
  | 'employee.activate'
  | 'employee.deactivate'
  | 'employee.sign-out'
  | 'invitation.create'
  | 'invitation.accept'
  | 'password.change'
  | 'session.end'
  | 'alarm.dismiss'
  | 'export.create';

/** Who did it: an account with its name at that moment. */
export type Actor = { companyId: number; accountId: number; name: string };

/**
 * Writes one row of the audit log. `database` is the transaction of the change itself, so that neither exists
 * without the other. `details` must hold no secret; names in it are frozen for ever. By its `keyId` and `employeeId` the entry
 * is found again.
 */
export async function recordAudit(
  database: Database,
  actor: Actor,
  action: AuditAction,
  details: Record<string, unknown> & { keyId?: number; employeeId?: number },
  requestId: string = newRequestId(),
): Promise<void> {
  await database.insert(auditLog).values({
    companyId: actor.companyId,
    actorKind: 'account',
    actorId: actor.accountId,
    actorName: actor.name,
    action,
    details,
    requestId,
    keyId: details.keyId,
    employeeId: details.employeeId,
  });
}

/** One row of the audit log as it is shown. */
export type AuditEntry = {
  id: number;
  at: Date;
  actorKind: string;
  actorName: string;
  action: string;
  details: Record<string, unknown>;
  requestId: string;
};

/**
 * The audit log of the owner's company, newest first: up to `limit` entries older than entry `before`
 * (none: from the newest), and whether there are more.
 */
export async function listAudit(
  owner: Owner,
  { before, limit = 50 }: { before?: number; limit?: number } = {},
): Promise<{ entries: AuditEntry[]; more: boolean }> {
  const rows = await db()
    .select()
    .from(auditLog)
    .where(and(eq(auditLog.companyId, owner.companyId), before === undefined ? undefined : lt(auditLog.id, before)))
    .orderBy(desc(auditLog.id))
    .limit(limit + 1);
  return { entries: rows.slice(0, limit), more: rows.length > limit };
}

/** The newest sends of the owner's company. */
export async function listSends(owner: Owner, limit: number): Promise<AuditEntry[]> {
  return db()
    .select()
    .from(auditLog)
    .where(and(eq(auditLog.companyId, owner.companyId), eq(auditLog.action, 'notification.send')))
    .orderBy(desc(auditLog.id))
    .limit(limit);
}
